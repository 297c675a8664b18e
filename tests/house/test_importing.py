"""What workers import first is what they collect, under the names that pytest gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import importing
from tests.asked_for import BY_DAY, OF_SYSTEMS, is_asked_for, is_marked_plainly


def test_modules_have_the_names_under_which_they_are_collected(
    request: pytest.FixtureRequest,
) -> None:
    """Under another name a module would be imported twice."""
    modules = importing.modules_of(request.config)
    assert __name__ in modules
    collected = {item.path for item in request.session.items if item.path.parent.name == "house"}
    root = request.config.rootpath
    names = {".".join(path.relative_to(root).with_suffix("").parts) for path in collected}
    assert __name__ in names
    assert names <= set(modules)
    assert len(set(modules)) == len(modules)


def test_what_has_a_command_of_its_own_is_left_out(request: pytest.FixtureRequest) -> None:
    modules = importing.modules_of(request.config)
    found = {Path(*name.split(".")[:2]).as_posix() for name in modules}
    assert found.isdisjoint({"tests/e2e", "tests/contract", "tests/page", "tests/faults"})
    assert found >= {"tests/house", "tests/games", "tests/service", "tests/simulator"}


@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_each_module_is_in_one_share(workers: int) -> None:
    modules = [f"m{n}" for n in range(5)]
    shares = [importing.share(modules, number, workers) for number in range(workers)]
    assert [name for part in shares for name in part] == modules


# --- modules that are not even imported, because none of their tests is asked for ---

SYSTEM = "pytest.mark." + "system"  # as one word this module would seem to mark something

OF_ALL = f"pytestmark = [pytest.mark.slow, {SYSTEM}]\n\n\ndef test_x() -> None: ...\n"
OF_SOME = f"@{SYSTEM}\ndef test_x() -> None: ...\n\n\ndef test_y() -> None: ...\n"
OF_NONE = "def test_x() -> None: ...\n"


@pytest.mark.parametrize(
    ("text", "marks", "asked_for"),
    [
        (OF_ALL, BY_DAY, False),
        (OF_ALL, OF_SYSTEMS, True),
        (OF_SOME, BY_DAY, True),
        (OF_SOME, OF_SYSTEMS, True),
        (OF_NONE, BY_DAY, True),
        (OF_NONE, OF_SYSTEMS, False),
        (OF_ALL, "", True),
        (OF_NONE, "nightly", True),
    ],
)
def test_a_module_is_left_out_only_if_no_test_of_it_would_run(
    tmp_path: Path, text: str, marks: str, *, asked_for: bool
) -> None:
    module = tmp_path / "test_it.py"
    module.write_text(text, encoding="utf-8")
    assert is_asked_for(module, marks) is asked_for


def test_the_commands_ask_by_marks_that_are_known_here(request: pytest.FixtureRequest) -> None:
    options = request.config.getini("addopts")
    assert options[options.index("-m") + 1] == BY_DAY
    makefile = (request.config.rootpath / "Makefile").read_text(encoding="utf-8")
    assert f"-m '{OF_SYSTEMS}'" in makefile


def test_every_mark_is_seen_without_importing_its_module(request: pytest.FixtureRequest) -> None:
    tests = request.config.rootpath / "tests"
    texts = {path: path.read_text(encoding="utf-8") for path in tests.rglob("test_*.py")}
    assert sum(SYSTEM in text for text in texts.values()) > 30
    assert [path.name for path, text in texts.items() if not is_marked_plainly(text)] == []


def test_a_mark_in_another_place_is_found() -> None:
    assert is_marked_plainly(OF_ALL)
    assert is_marked_plainly(OF_SOME)
    assert not is_marked_plainly(f"VARIANTS = [pytest.param(1, marks={SYSTEM})]\n")
    assert not is_marked_plainly(f"MARKS = [{SYSTEM}]\npytestmark = MARKS\n")
