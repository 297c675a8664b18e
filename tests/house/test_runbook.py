"""The runbook has a row for every alarm and none for what is gone, and its commands work."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import httpx
import pytest

from games.registry import GAMES
from runtime.embedded.secret_file import kept_secrets
from runtime.settings import PREFIX
from tests.house import alarms, tree
from tests.ops.test_run import House, newest

pytestmark = pytest.mark.system

RUNBOOK = (tree.ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
FOLDERS = (
    "club",
    "events",
    "games",
    "ops",
    "projections",
    "replay",
    "runtime",
    "service",
    "workers",
)
MODULES = [
    name for name in tree.tracked() if name.split("/")[0] in FOLDERS and name.endswith(".py")
]
TEXTS = {name: (tree.ROOT / name).read_text(encoding="utf-8") for name in MODULES}


def section(title: str) -> str:
    """What stands under a heading of the second level."""
    return RUNBOOK.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """The names in the first cells of a section's tables."""
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


@cache
def loud() -> dict[str, list[alarms.Alarm]]:
    """What each module logs that is loud."""
    return {name: alarms.alarms(text) for name, text in TEXTS.items()}


def logged() -> set[str | None]:
    return {alarm.event for found in loud().values() for alarm in found}


def test_every_alarm_has_one_row_and_every_row_an_alarm() -> None:
    rows = first_cells(section("Log lines"))
    assert sorted(rows) == sorted(set(rows)), "an event has two rows"
    assert set(rows) == logged()


def test_every_event_of_an_alarm_can_be_read_off_the_code() -> None:
    unread = [
        f"{name}:{alarm.line}"
        for name, found in loud().items()
        for alarm in found
        if alarm.event is None
    ]
    taken = [f"{name}:{line}" for name, text in TEXTS.items() for line in alarms.hidden(text)]
    assert unread + taken == []


def test_every_row_says_what_it_means_and_what_to_do() -> None:
    rows = [line for line in RUNBOOK.splitlines() if line.startswith("| `")]
    assert len(rows) > 30
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        assert len(cells) == 3, row
        assert all(cells), row


def test_every_metric_in_the_runbook_is_there() -> None:
    known = set().union(*(alarms.metrics(text) for text in TEXTS.values()))
    told = {name.removesuffix("_total") for name in re.findall(r"`(parlour_\w+)`", RUNBOOK)}
    assert told
    assert told <= known


def test_every_section_that_it_leads_to_is_there() -> None:
    for path, anchor in re.findall(r"\]\(([\w.]*)#([\w-]+)\)", RUNBOOK):
        text = (tree.ROOT / "docs" / path).read_text(encoding="utf-8") if path else RUNBOOK
        titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        assert anchor in {title.lower().replace(" ", "-") for title in titles}


def test_an_alarm_is_found_however_it_is_written() -> None:
    text = '_log.warning(\n  "a",\n)\n_log.info("b")\nlog.error("C D: %s", 1)\n_log.error(x)\n'
    assert [alarm.event for alarm in alarms.alarms(text)] == ["a", "C D", None]
    assert alarms.hidden("tell = _log.warning if x else _log.info") == [1]
    assert alarms.metrics('Gauge("parlour_a"); print("parlour_ no")') == {"parlour_a"}


# --- the commands ---


def blocks(title: str) -> list[str]:
    """The shell commands of a section, by our own interpreter."""
    found = re.findall(r"^```sh\n(.*?)^```$", section(title), re.MULTILINE | re.DOTALL)
    return [block.replace(".venv/bin/python", sys.executable) for block in found]


def run(block: str, environ: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        env=environ,
        cwd=tree.ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def played(var: Path, meanwhile: Callable[[House, str], object]) -> list[str]:
    """Run a house on a folder, and do something while it runs; the tables that it shows."""
    house = House(var)
    try:
        shown = re.findall(r"/watch/(g\S+)", house.said)
        meanwhile(house, shown[0])
        assert house.end(signal.SIGTERM) == 0
        return sorted(shown)
    finally:
        house.close()


@pytest.mark.slow
def test_backup_and_restore_go_as_the_runbook_says(home: Path) -> None:
    secrets, save, restore, accept = blocks("Backup and restore")
    clean = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    environ = clean | {
        "VAR": str(home / "var"),
        "NEW": str(home / "new"),
        "BACKUP": str(home / "backup"),
        "SECRETS": str(home / "keys" / "secrets.json"),
    }

    def save_and_play_on(house: House, game: str) -> None:
        run(secrets, environ)
        run(save, environ)
        newest(house, game, newest(house, game, 0))

    shown = played(home / "var", save_and_play_on)
    assert len(shown) == len(GAMES)
    assert f"restored and verified: {len(shown)} games" in run(restore, environ)
    said = run(accept, environ)
    assert f"held      {len(shown)} games\n" in said
    assert sorted(re.findall(r"^ {10}(g\S+)$", said, re.MULTILINE)) == shown
    kept = [kept_secrets(home / name / "secrets.json") for name in ("var", "new")]
    assert kept[0] == kept[1]

    def is_held(house: House, game: str) -> None:
        lines = httpx.get(f"{house.url}/games/{game}/events?limit=1000").json()["events"]
        assert lines[-1]["event"]["type"] == "store-restored"
        health = httpx.get(house.url.replace("/v1", "/health/writable"))
        assert health.json()["checks"]["known"], health.text

    assert played(home / "new", is_held) == shown, "the same tables are there"
