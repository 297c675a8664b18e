"""Every acceptance scenario and ruling that applies to the rulebooks we have is tested by somebody.

The ids are those of the rules: S-numbers of section 9, R-numbers of section 8.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from replay.scenario.files import read_scenarios

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "scenarios").glob("*.json"))
CODE = sorted((ROOT / "tests" / "games").glob("test_*.py"))


def _numbers(text: str) -> set[str]:
    """``"1-3 7"`` as ``{"S-001", "S-002", "S-003", "S-007"}``."""
    found: set[str] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found |= {f"S-{n:03}" for n in range(int(first), int(last or first) + 1)}
    return found


ALL = _numbers("1-223 230-238 250-263")
"""Every scenario of section 9."""

APPLICABLE = _numbers(
    "1-2 6-7 12-13 17 19-24 28-29 31 33-34 36-53 55-59 61 74 76-82 85-87 89-94 96-97 99 117-120 "
    "124 127-130 135 140-141 143-145 147 151-154 217-220 222 234-237"
)
"""Those of ``first_edition`` and those of any rulebook or mode that it has."""

VARIANTS = _numbers("15 35 62-70 83 126 131 138")
"""Those of other rulebooks whose rule is ours as well, told with our rooms and modes."""

ELSEWHERE = {
    "prototype": _numbers("3 5 10 14 30 32 54 148-150 155 205-216 230-233 238"),
    "ultimate or bga: set-up, adrenaline and special abilities": _numbers(
        "4 8-9 11 16 18 25-27 95 98 100 107-108 156-179 221 223 250-252 255-256"
    ),
    "ultimate or bga: rooms, locks and corridors of their boxes": _numbers(
        "60 71-73 75 84 88 101-106 109-116 121-123 125 142 180-188"
    ),
    "ultimate or bga: masks, identities and roles that differ": _numbers("132-134 136-137 139 146"),
    "ultimate: cards and madness": _numbers("189-204 253-254 257-263"),
}
"""Why the others are not tested yet."""

RULINGS = {
    f"R{n}"
    for first, last in (
        (3, 4), (8, 10), (13, 14), (17, 21), (23, 24), (26, 26), (28, 44), (46, 54), (56, 56),
        (58, 58), (70, 70), (80, 85), (88, 88), (91, 91), (93, 98), (106, 106), (109, 110),
        (115, 117), (119, 119), (121, 121), (134, 134),
    )
    for n in range(first, last + 1)
}  # fmt: skip
"""The rulings that the first edition's play can show.

Of the others some are about rules that it lacks (adrenaline, powers, robots, cards, other rooms),
some about how we read the sources (R1, R2, R5-R7, R92), R15 and R16 about pieces that never run
short, and R45 about a departure that only other boxes punish.
"""


def _base(name: str) -> str:
    return name[:5]


def _told() -> set[str]:
    return {_base(scenario.id) for _, scenario in read_scenarios(FILES)}


def _in_code(pattern: str) -> set[str]:
    """The numbers that names and texts of tests cite."""
    found: set[str] = set()
    for path in CODE:
        if path != Path(__file__):
            found |= set(re.findall(pattern, path.read_text(encoding="utf-8")))
    return found


def _list(names: Iterable[str]) -> str:
    return " ".join(sorted(names))


def test_every_scenario_of_the_rules_is_placed_once() -> None:
    groups = [APPLICABLE, VARIANTS, *ELSEWHERE.values()]
    assert sum(map(len, groups)) == len(set().union(*groups)), "a number stands in two groups"
    assert _list(ALL - set().union(*groups)) == ""
    assert _list(set().union(*groups) - ALL) == ""


def test_every_applicable_scenario_is_a_file_or_a_test() -> None:
    code = {name.replace("_", "-").upper() for name in _in_code(r"test_(s_\d{3})_")}
    assert _list((APPLICABLE | VARIANTS) - _told() - code) == ""


def test_no_file_tells_a_scenario_that_is_said_to_be_of_another_rulebook() -> None:
    others = set().union(*ELSEWHERE.values())
    assert _list(_told() & others) == ""


def test_variants_say_so() -> None:
    told = [scenario for _, scenario in read_scenarios(FILES)]
    marked = {_base(s.id) for s in told if s.title.startswith("Variant: ")}
    assert _list(marked ^ VARIANTS) == ""


def test_every_ruling_that_play_can_show_is_cited() -> None:
    cited = {name for _, scenario in read_scenarios(FILES) for name in scenario.cites}
    assert _list(RULINGS - cited - _in_code(r"\bR\d+\b")) == ""


def test_what_the_house_rulings_point_at_exists() -> None:
    text = (ROOT / "docs" / "rules" / "rulings.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\b(?:S-\d{3}|X-[0-9A-Z]+)[a-z]?\b", text))
    told = {scenario.id for _, scenario in read_scenarios(FILES)}
    code = {name.replace("_", "-").upper() for name in _in_code(r"test_(s_\d{3})_")}
    assert _list(shown - told - code) == ""
    cited = {name for _, scenario in read_scenarios(FILES) for name in scenario.cites}
    known = set(re.findall(r"^\| (H\d+) ", text, re.MULTILINE))
    assert _list({name for name in cited if name.startswith("H")} - known) == ""
