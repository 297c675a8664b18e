"""The wheel holds what runs, below one folder, and can be built without fetching anything."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from events.version import VERSION
from ops.program import COMMANDS
from ops.run import READY
from tests.house import rules, tree

pytestmark = [pytest.mark.slow, pytest.mark.system]

RECORD = tree.ROOT / "tests/golden/records/solo-1.jsonl"
TOOLS = re.compile(r"ops/launcher\.py|(bench|simulator|tools)/.*")
"""What is not for those who run the service, or lies elsewhere in the wheel."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the wheel in it and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=tree.ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob(f"parlour-{VERSION}-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def command(site: Path, *arguments: str) -> list[str]:
    """What the console script does, with only ``site`` beside the libraries on the path."""
    start = (
        f"import sys; sys.path.insert(0, {str(site)!r}); import parlour; sys.exit(parlour.main())"
    )
    return [sys.executable, "-P", "-c", start, *arguments]


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command from another folder than ours."""
    return subprocess.run(
        command(site, *arguments), cwd=site, check=False, capture_output=True, text=True
    )


def test_the_wheel_ships_every_file_that_runs_and_no_tool_or_test(site: Path) -> None:
    found = {str(p.relative_to(site)) for p in site.rglob("*") if p.is_file()}
    folders = (*rules.PACKAGES, "web")
    ours = {name for name in tree.tracked() if name.split("/")[0] in folders}
    runs = {name for name in ours if not TOOLS.match(name)}
    below = {name for name in found if not name.startswith(f"parlour-{VERSION}.dist-info/")}
    assert below == {f"parlour/{name}" for name in runs} | {"parlour/__init__.py"}


def test_there_is_one_command(site: Path) -> None:
    (points,) = site.glob("*.dist-info/entry_points.txt")
    assert points.read_text().split() == ["[console_scripts]", "parlour", "=", "parlour:main"]
    assert run(site, "--version").stdout == f"parlour {VERSION}\n"
    assert run(site, "--help").stdout.startswith("usage: parlour COMMAND")


def test_nobodys_environment_gets_a_package_called_events(site: Path) -> None:
    look = f"import sys; sys.path.insert(0, {str(site)!r}); import parlour, events"
    done = subprocess.run(
        [sys.executable, "-P", "-c", look], cwd=site, check=False, capture_output=True, text=True
    )
    assert "No module named 'events'" in done.stderr


def test_every_command_is_there(site: Path) -> None:
    """One process asks all for help: each would import for half a second what others have."""
    start = f"""if True:
        import sys
        sys.path.insert(0, {str(site)!r})
        import parlour
        for name in {sorted(COMMANDS)!r}:
            sys.argv[1:] = [name, "--help"]
            try:
                parlour.main()
            except SystemExit as end:
                print("ended:", name, end.code)"""
    done = subprocess.run(
        [sys.executable, "-P", "-c", start], cwd=site, check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    ended = re.findall(r"^ended: (.*)$", done.stdout, re.MULTILINE)
    assert ended == [f"{name} 0" for name in sorted(COMMANDS)]
    usages = re.findall(r"^usage: parlour (\w+)", done.stdout, re.MULTILINE)
    assert len(usages) == len(COMMANDS)


def test_a_command_that_does_not_exist_is_named(site: Path) -> None:
    done = run(site, "sevre")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("parlour: there is no command 'sevre'\n")
    assert run(site).returncode == 2


def test_it_verifies_a_record(site: Path) -> None:
    done = run(site, "replay", "verify", str(RECORD))
    assert (done.returncode, done.stderr) == (0, "")
    assert "FAILED" not in done.stdout


def test_it_judges_a_record_of_earlier_rules_by_the_archive_that_it_ships(site: Path) -> None:
    start = f"""if True:
        import sys
        sys.path[:0] = [{str(site)!r}, {str(site / "parlour")!r}]
        from games.room25 import tags
        tags.TAGS["first_edition"] = "room25.first_edition/2"
        import parlour
        sys.argv[1:] = ["replay", "verify", {str(RECORD)!r}]
        sys.exit(parlour.main())"""
    done = subprocess.run(
        [sys.executable, "-P", "-c", start], cwd=site, check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "of them by archived rules" in done.stdout


def test_it_runs_everything_with_the_wheel_alone(site: Path, home: Path) -> None:
    arguments = ("run", "--no-demo", "--port", "0", "--var", str(home))
    environ = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    running = subprocess.Popen(
        command(site, *arguments),
        cwd=site,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with running:
        assert running.stdout is not None
        said = [line.rstrip("\n") for line in iter(running.stdout.readline, f"{READY}\n")]
        running.send_signal(signal.SIGINT)
        assert running.wait() == 0
    assert any(line.startswith("API ") for line in said)
