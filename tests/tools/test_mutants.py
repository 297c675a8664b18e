"""Mutation testing: what is mutated, which tests are played, and how it is counted."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.registry import GAMES
from tools.archiving.closure import NO_MEMBERS
from tools.mutating.operators import DropCall, NegateMembership, Provider
from tools.mutating.places import changed_lines, shapes, statement
from tools.mutating.session import KEPT, Mutant, like, sample
from tools.mutating.tree import GAME, configuration, rules
from tools.mutating.verdicts import (
    KINDS,
    Equivalent,
    changed,
    judged,
    survivors,
    table,
    verdicts,
)

ROOT = Path(__file__).resolve().parents[2]

TEXT = '''\
"""A module."""
LIMIT: int | None = 3
Either = int | str


@dataclass(frozen=True)
class Thing(Struct, frozen=True):
    size: int = 1


@cache
def grow(
    thing: Thing,
    by: int = 1,
) -> Thing | None:
    if by > LIMIT:
        return Thing(
            thing.size
            + by
        )
    for _ in ():
        pass
    else:
        by += 1
    return None
'''


@pytest.mark.parametrize(
    ("line", "span", "inside"),
    [
        (1, (1, 1), False),
        (2, (2, 2), False),
        (7, (6, 7), False),
        (8, (8, 8), False),
        (11, (11, 15), False),
        (14, (11, 15), False),
        (16, (16, 16), True),
        (19, (17, 20), True),
        (21, (21, 21), True),
        (24, (24, 24), True),
        (25, (25, 25), True),
    ],
)
def test_the_statement_about_a_line(line: int, span: tuple[int, int], inside: bool) -> None:  # noqa: FBT001 (a row of a table)
    assert statement(ast.parse(TEXT), line) == (span, inside)


def test_shapes_are_no_rules() -> None:
    lines = TEXT.splitlines()
    found = {lines[first[0] - 1][first[1] : last[1]] for first, last in shapes(ast.parse(TEXT))}
    assert found == {"int | None", "int | str", "True", "int", "Thing", "Thing | None"}


@pytest.mark.parametrize(
    ("after", "span"),
    [("abc", None), ("aXc", (2, 2)), ("abX", (3, 3)), ("ac", (2, 2)), ("aXYc", (2, 2))],
)
def test_the_lines_that_changed(after: str, span: tuple[int, int] | None) -> None:
    assert changed_lines(list("abc"), list(after)) == span


def mutant(number: int, module: str = "slots.py", operator: str = "core/AddNot") -> Mutant:
    """A mutant of a line of its own."""
    return Mutant(f"job{number}", module, "turn", operator, (number, 4), f"line {number}", 0)


def test_a_sample_takes_its_share_of_every_module_and_is_the_same_again() -> None:
    found = [mutant(n) for n in range(40)] + [mutant(n, "moves.py") for n in range(3)]
    taken = sample(found, 0.1, 25)
    assert [m.module for m in taken] == ["moves.py", *["slots.py"] * 4]
    assert sample(found, 0.1, 25) == taken != sample(found, 0.1, 26)
    assert sorted(sample(found, 1, 25, {"moves"})) == found[40:]


def test_a_mutant_is_found_again_when_its_line_has_moved() -> None:
    moved = [m._replace(job="new", at=(m.at[0] + 7, 4)) for m in map(mutant, range(3))]
    assert like(moved, [mutant(1)]) == [moved[1]]


def test_an_operator_is_replaced_by_its_border_and_its_opposite_only() -> None:
    kept = {"Gt_GtE", "Gt_LtE", "Eq_NotEq"}
    all_of_them = kept | {"Gt_Lt", "Eq_Lt", "Eq_Is", "Gt_Is"}
    name = "core/ReplaceComparisonOperator_"
    assert {each for each in all_of_them if KEPT.fullmatch(name + each)} == kept
    assert all(KEPT.fullmatch(f"rules/{each}") for each in Provider())


def leaf(text: str) -> Any:
    """A node of one word."""
    made = SimpleNamespace(value=text, type="name", start_pos=(1, 0), end_pos=(1, len(text)))
    made.get_first_leaf = lambda: made
    made.get_code = lambda: f" {made.value}"
    return made


def test_a_call_that_is_a_statement_is_dropped() -> None:
    call = leaf("play")
    call.type = "atom_expr"
    node = SimpleNamespace(type="simple_stmt", children=[call])
    operator = Provider()["DropCall"]()
    assert isinstance(operator, DropCall)
    assert list(operator.mutation_positions(node)) == [((1, 0), (1, 4))]
    assert operator.mutate(node, 0).children[0].value == "None and play"
    assert list(operator.mutation_positions(call)) == []
    assert (operator.arguments(), operator.examples()) == ((), ())


def test_membership_is_negated() -> None:
    node = SimpleNamespace(type="comparison", children=[leaf("a"), leaf("in"), leaf("b")])
    assert list(NegateMembership.mutation_positions(node)) == [((1, 0), (1, 2))]
    assert NegateMembership.mutate(node, 0).children[1].value == "not in"
    node.children[1] = leaf("<")
    assert list(NegateMembership.mutation_positions(node)) == []


DIFF = """\
--- mutation diff ---
--- a/games/room25/slots.py
+++ b/games/room25/slots.py
@@ -1,3 +1,3 @@
 def turn():
-    if a > 1:
+    if a >= 1:
         pass
"""


def test_verdicts_are_counted_by_module() -> None:
    assert changed(DIFF) == ("if a > 1:", "if a >= 1:")
    outputs = [
        "\nkilled by scenario rooms S-083 (0.4 s)\n",
        "12 passed\n\nsurvived 12 tests (3.0 s)\n",
        "\ntimed out: scenario rooms S-084\n",
        "not covered (0.0 s)",
        "Traceback (most recent call last)",
        "timeout",
    ]
    tried = [mutant(n) for n in range(len(outputs))] + [mutant(99)]
    results = {f"job{n}": (output, DIFF) for n, output in enumerate(outputs)}
    found = verdicts(tried, results, [])
    kinds = ["killed", "survived", "timed out", "not covered", "killed", "timed out"]
    assert [v.kind for v in found] == kinds
    assert table(found)[-1] == "| **all** | 6 | 2 | 2 | 1 | 1 |  | 67 % |"
    assert len(survivors(found)) == 2
    known = [Equivalent("slots.py", "if a > 1:", "if a >= 1:", "one is none")]
    found = verdicts(tried, results, known)
    assert [v.kind for v in found].count("equivalent") == 2
    assert table(found)[-1] == "| **all** | 6 | 2 | 2 |  |  | 2 | 100 % |"


def test_every_equivalent_is_of_a_module_of_its_game_and_has_a_reason() -> None:
    for game in GAMES:
        found = judged(game)
        assert len({(each.module, each.was, each.now) for each in found}) == len(found)
        assert all(each.was != each.now and len(each.why) > 20 for each in found)
        assert {each.module for each in found} <= modules_of(ROOT / "games" / game)
    assert any(map(judged, GAMES))
    assert "equivalent" in KINDS


def modules_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*.py")}


def test_an_equivalent_of_one_game_says_nothing_of_another(tmp_path: Path) -> None:
    """Both may have a module of one name."""
    (tmp_path / "chess").mkdir()
    text = '[[equivalent]]\nmodule = "slots.py"\nwas = "a"\nnow = "b"\nwhy = "one is none"\n'
    (tmp_path / "chess" / "equivalent_mutants.toml").write_text(text, encoding="utf-8")
    assert judged("chess", tmp_path) == [Equivalent("slots.py", "a", "b", "one is none")]
    assert judged("go", tmp_path) == []


def test_what_is_mutated_is_what_an_archive_of_rules_may_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(GAME, "chess")
    assert rules() == "games/chess"
    left_out = tomllib.loads(configuration(rules()))["cosmic-ray"]["excluded-modules"]
    members = {name.removeprefix("games/chess/").removesuffix("/*") for name in left_out}
    assert {name.removesuffix(".py") for name in members} == NO_MEMBERS
