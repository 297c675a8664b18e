"""Records of games, types and rules that this program does not know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replay.verify import Audit
from tests.replay.forging import Forger, audited, failures, finding, small

AT = 5
"""An event in the middle of the small record."""


def of_chess(forger: Forger) -> None:
    for message in (forger.lines[0], forger.event(1), forger.lines[1]["batch"]["command"]):
        message["game"] = "chess"


def of_a_new_type(forger: Forger) -> None:
    forger.event(AT)["type"] = "bishop-moved"
    forger.event(AT)["to"] = "e4"


def of_a_new_command(forger: Forger) -> None:
    begins = [v for v, line in enumerate(forger.lines[1:-1], 1) if "batch" in line]
    forger.lines[begins[2]]["batch"]["command"]["type"] = "move-bishop"


def of_a_new_shape(forger: Forger) -> None:
    forger.lines[AT]["shape"] = 2


def by_other_rules(forger: Forger) -> None:
    for line in forger.lines[1:-1]:
        if "batch" in line:
            line["batch"]["rules"] = "rules-of-tomorrow"
    forger.lines[0]["rules"] = ["rules-of-tomorrow"]


def told(*changes: Callable[[Forger], None]) -> Audit:
    """The audit of a record that was written so, chain and all."""
    forger = Forger(small())
    for change in changes:
        change(forger)
    forger.unsign()
    forger.reseal()
    return audited(forger.content())


def statuses(found: Audit) -> dict[str, str]:
    return {f.name: f.status for f in found.findings}


UNJUDGED = {
    "form": "ok",
    "chain": "ok",
    "signature": "not checked",
    "commitments": "ok",
    "seed": "ok",
    "draws": "not checked",
    "fold": "not checked",
    "re-adjudication": "not checked",
}


def test_an_unknown_game_is_named_and_breaks_nothing_else() -> None:
    found = told(of_chess, by_other_rules)
    assert statuses(found) == UNJUDGED
    for name in ("draws", "fold", "re-adjudication"):
        assert finding(found, name).detail == "this program does not know the game 'chess'"
    assert found.lines()[-1] == ("verified, but for signature, draws, fold, re-adjudication")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (of_a_new_type, "no event of the type 'bishop-moved'"),
        (of_a_new_command, "no command of the type 'move-bishop'"),
        (of_a_new_shape, "up to shape 1 only"),
    ],
)
def test_what_newer_rules_made_is_named_and_breaks_nothing_else(
    change: Callable[[Forger], None], what: str
) -> None:
    found = told(change, by_other_rules)
    assert statuses(found) == UNJUDGED
    assert what in finding(found, "fold").detail
    assert statuses(told(change, of_chess, by_other_rules)) == UNJUDGED


@pytest.mark.parametrize("change", [of_a_new_type, of_a_new_command, of_a_new_shape])
def test_our_rules_make_nothing_that_we_do_not_know(change: Callable[[Forger], None]) -> None:
    found = told(change)
    assert set(failures(found)) == {"fold"}
    assert finding(found, "fold").detail.startswith("it cannot be read: this program knows")


def test_the_header_of_an_unknown_game_is_compared_too() -> None:
    def and_lies(forger: Forger) -> None:
        forger.lines[0]["closed_at"] += 1

    assert failures(told(of_chess, by_other_rules, and_lies)) == {"form": 0}


def test_a_secret_of_an_unknown_game_is_opened_too() -> None:
    def and_lies(forger: Forger) -> None:
        version = next(v for v in range(2, len(forger.lines) - 1) if "opened" in forger.lines[v])
        for opening in forger.lines[version]["opened"].values():
            opening["value"] = "another"

    assert set(failures(told(of_chess, by_other_rules, and_lies))) == {"commitments"}
