"""Faults in what is told of things that are not offered: each is caught by an oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.rules import unavailable
from games.cerveauuu.rules.unavailable import AskedLevel, Told
from simulator.cerveauuu.driver import play
from simulator.cerveauuu.interference import Interference
from simulator.cerveauuu.knowledge import WhoKnows
from simulator.cerveauuu.plans import plan_of
from simulator.cerveauuu.reasons import Reasons
from simulator.cerveauuu.run import Run
from simulator.chance import chance
from simulator.driver import Rates
from simulator.run import PropertyBroken, Watcher

Patch = pytest.MonkeyPatch
Fault = Callable[[AskedLevel, Told], Told]

SEED = 54
"""A short game of six players with turns of wandering, goes and many windows."""

MORE_PLAYS = 12
"""A game of four players who play many cards."""

SUPPORTED = 15
"""A short game in which it is asked for support, and then who eats a human."""

ORACLES: Mapping[str, Callable[[], Watcher[Run]]] = {
    "reasons": lambda: Reasons(chance("planted"), rate=1.0),
    "views": lambda: WhoKnows(chance("planted"), rate=0.5),
    "worlds": lambda: Interference(chance("planted"), rate=1.0),
}


def watched(oracle: str, seed: int = SEED) -> Run:
    """A game under one oracle."""
    return play(plan_of(seed), [ORACLES[oracle]()], Rates(probes=0))


def plant(patch: Patch, kind: str, fault: Fault) -> None:
    """Have the reasons of a kind of question told otherwise."""
    asked: dict[str, Any] = unavailable.ASKED  # type: ignore[assignment]
    honest = asked[kind]
    patch.setitem(asked, kind, lambda level: fault(level, honest(level)))


@pytest.mark.parametrize("oracle", list(ORACLES))
def test_without_a_fault_there_is_nothing_to_notice(oracle: str) -> None:
    assert watched(oracle).state.phase == "finished"


# --- secrets ---


def _others_hold_a_weapon(level: AskedLevel) -> bool:
    hands = level.state.hands.items()
    held = [card for seat, hand in hands if seat != level.question.seat for card in hand.values()]
    return any(card is not None and CARDS[card].type == "weapon" for card in held)


def tells_of_other_hands(level: AskedLevel, told: Told) -> Told:
    """Of a card that cannot be played, whether another seat holds a weapon."""
    return _telling(level, told, first=True)


def tells_of_other_hands_further_down(level: AskedLevel, told: Told) -> Told:
    """The same of what does not fill a slot: nothing shows it on the first level."""
    return _telling(level, told, first=False)


def _telling(level: AskedLevel, told: Told, *, first: bool) -> Told:
    here = first == (len(level.path) <= 1)
    for meaning, why in told:
        leaks = here and why is not None and _others_hold_a_weapon(level)
        yield meaning, Why.BANNED if leaks else why


@pytest.mark.parametrize("fault", [tells_of_other_hands, tells_of_other_hands_further_down])
@pytest.mark.parametrize("oracle", ["views", "worlds"])
def test_a_reason_that_tells_of_another_hand(oracle: str, fault: Fault, monkeypatch: Patch) -> None:
    plant(monkeypatch, "respond", fault)
    with pytest.raises(PropertyBroken, match="other reasons below"):
        watched(oracle, MORE_PLAYS)


# --- what is expected ---


def leaves_one_out(_: AskedLevel, told: Told) -> Told:
    """The first that has a reason has none."""
    left_out = False
    for meaning, why in told:
        if why is None or left_out:
            yield meaning, why
        left_out = left_out or why is not None


def says_one_twice(_: AskedLevel, told: Told) -> Told:
    """The first that has a reason has two."""
    again = False
    for meaning, why in told:
        yield meaning, why
        if why is not None and not again:
            again = True
            yield meaning, why


def says_all_of_it(_: AskedLevel, told: Told) -> Told:
    """What is offered has a reason as well."""
    for meaning, why in told:
        yield meaning, why or Why.BLOCKED


def says_more(_: AskedLevel, told: Told) -> Iterator[tuple[Mapping[str, Any], Why | None]]:
    """Of something that is not there at all."""
    yield from told
    yield {"cell": "r99c99"}, Why.TOO_FAR


@pytest.mark.parametrize("fault", [leaves_one_out, says_one_twice, says_all_of_it, says_more])
@pytest.mark.parametrize(
    ("kind", "seed"),
    [("respond", SEED), ("go", SEED), ("wander_turn", SEED), ("support", SUPPORTED)],
)
def test_what_is_expected_has_no_reason_or_too_many(
    kind: str, seed: int, fault: Fault, monkeypatch: Patch
) -> None:
    plant(monkeypatch, kind, fault)
    with pytest.raises(PropertyBroken, match=r"is offered|nobody expects"):
        watched("reasons", seed)


@pytest.mark.parametrize(
    ("predicate", "seed"),
    [("why_not_ready", SEED), ("why_no_support", SUPPORTED), ("why_no_eater", SUPPORTED)],
)
def test_a_predicate_that_options_no_longer_ask_is_noticed(
    predicate: str, seed: int, monkeypatch: Patch
) -> None:
    """Who says of pieces that cannot go, or support, or eat anybody, that they can."""
    monkeypatch.setattr(unavailable, predicate, lambda *_: None)
    with pytest.raises(PropertyBroken, match="is offered False, with 0 reasons"):
        watched("reasons", seed)
