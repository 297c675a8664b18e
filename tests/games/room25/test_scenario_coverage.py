"""Every acceptance scenario, ruling and decision point is tested, by each rulebook it is for.

The ids are those of the rules: S-numbers of section 9, R-numbers of section 8, D-numbers of 4.7.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from games.room25.editions import RULEBOOKS
from games.room25.model.cards import MADNESS, MOVEMENTS, PENALTIES
from tests.scenario_files import of_game

ROOT = Path(__file__).parents[3]
CODE = sorted((ROOT / "tests" / "games").rglob("test_*.py"))


def _numbers(text: str) -> set[str]:
    """``"1-3 7"`` as ``{"S-001", "S-002", "S-003", "S-007"}``."""
    found: set[str] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found |= {f"S-{n:03}" for n in range(int(first), int(last or first) + 1)}
    return found


ALL = _numbers("1-223 230-238 250-263")
"""Every scenario of section 9."""

ANY = _numbers("19 21-24 33 36 59 77 140 143 218 220")
"""Those of any rulebook."""

BY_RULEBOOK = {
    "prototype": ANY | _numbers("3 5 10 14 30 32 54 57 86 148-150 155 205-216 219 230-233 238"),
    "first_edition": ANY
    | _numbers(
        "1-2 6-7 12-13 17 20 28-29 31 34 37-53 55-58 61 74 76 78-82 85-87 89-94 96-97 99 117-120 "
        "124 127-130 135 141 144-145 147 151-154 217 219 222 234-237"
    ),
    "bga": ANY | _numbers("9 16 217 251"),
    "ultimate": ANY
    | _numbers(
        "4 8 11 15 18 25-27 35 60 62-73 75 83-84 88 95 98 100-116 121-123 125-126 131-134 136-139 "
        "142 146 156-204 217 221 223 250 252-263"
    ),
}
"""The rulebooks that the scenarios of section 9 are for."""

VARIANTS = _numbers("83 126")
"""Those of another rulebook that are told once more, with what the first edition has."""

RULINGS = {f"R{n}" for n in (*range(1, 123), *range(130, 140))} | {"R5b"}
"""All rulings (section 8)."""

IN_PRINT = {"R1", "R3", "R7", "R16", "R92"}
"""Rulings about how the sources are read, or about pieces that never run short."""

DECISIONS = {f"D{n}" for n in range(1, 22)}
"""All decision points (section 4.7)."""


def _base(name: str) -> str:
    return name[:5]


def _told() -> dict[str, set[str]]:
    """The numbers of the scenario files, and the rulebooks by which each is played."""
    told: dict[str, set[str]] = {}
    for _, scenario in of_game("room25"):
        told.setdefault(_base(scenario.id), set()).update(scenario.rulebooks)
    return told


def _tests() -> set[str]:
    """The numbers of the scenarios that are tests in code."""
    return {name.replace("_", "-").upper() for name in _in_code(r"test_(s_\d{3}|x_[a-z0-9]+)_")}


def _in_code(pattern: str) -> set[str]:
    """The numbers that names and texts of tests cite."""
    found: set[str] = set()
    for path in CODE:
        if path != Path(__file__):
            found |= set(re.findall(pattern, path.read_text(encoding="utf-8")))
    return found


def _list(names: Iterable[str]) -> str:
    return " ".join(sorted(names))


def test_every_scenario_of_the_rules_is_placed() -> None:
    placed = set().union(*BY_RULEBOOK.values())
    assert _list(ALL ^ placed) == ""


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_scenario_is_a_file_or_a_test_for_its_rulebooks(rulebook: str) -> None:
    told = {number for number, books in _told().items() if rulebook in books}
    assert _list(BY_RULEBOOK[rulebook] - told - _tests()) == ""


def test_variants_say_so() -> None:
    told = [scenario for _, scenario in of_game("room25")]
    marked = {_base(s.id) for s in told if s.title.startswith("Variant: ")}
    assert _list(marked ^ VARIANTS) == ""


def test_every_ruling_and_decision_point_is_cited() -> None:
    cited = {name for _, scenario in of_game("room25") for name in scenario.cites}
    cited |= _in_code(r"\b[RD]\d+b?\b")
    assert _list((RULINGS | DECISIONS) - IN_PRINT - cited) == ""


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_everything_in_a_box_is_played_in_a_scenario(rulebook: str) -> None:
    book = RULEBOOKS[rulebook]
    told = [s for _, s in of_game("room25") if rulebook in s.rulebooks]
    text = msgspec.json.encode(told).decode()
    named = set(re.findall(r'"(\w+)"', text))
    assert _list(set(book.box) - named) == ""
    assert _list(set(book.characters) - named) == ""
    assert _list(set(book.options) - named - {"rooms"}) == ""


def test_every_card_is_drawn_in_a_scenario() -> None:
    files = sorted({path for path, _ in of_game("room25")})
    named = set(re.findall(r'"(\w+)"', "".join(path.read_text("utf-8") for path in files)))
    assert _list({*MOVEMENTS, *PENALTIES, *MADNESS} - named) == ""


def test_what_the_house_rulings_point_at_exists() -> None:
    text = (ROOT / "docs" / "rules" / "rulings.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\b(?:S-\d{3}|X-[0-9A-Z]+)[a-z]?\b", text))
    told = {scenario.id for _, scenario in of_game("room25")}
    assert _list(shown - told - _tests()) == ""
    cited = {name for _, scenario in of_game("room25") for name in scenario.cites}
    known = set(re.findall(r"^\| (H\d+) ", text, re.MULTILINE))
    assert _list({name for name in cited if name.startswith("H")} - known) == ""
