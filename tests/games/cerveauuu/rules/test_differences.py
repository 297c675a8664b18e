"""The words that compare positions overlook nothing: each change that a card can make is told."""

from __future__ import annotations

import pytest

from events.kernel import Event
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.state import ArmedTrigger, Modifier, State, TypeBan
from tests.games.cerveauuu.rules.differences import told
from tests.games.cerveauuu.rules.staging import Done, lay, then

ARMED = ArmedTrigger(
    card="c026", effect=0, seat=1, when="eats", pieces=("z01",), slots=("z01",), lasts="round"
)
FASTER = Modifier(card="c082", stat="move", lasts="round", value=2, pieces=("z01",))


def position() -> State:
    hands = {1: "c043", 2: "c044"}
    return lay(
        "h01@r3c3!d h02@r5c3!b z01@r3c4:1!a z02@r0c0:2!l",
        window="M",
        path="z01:r3c5",
        fight="z01 > h01",
        hands=hands,
        in_credits="c001",
    )


CHANGES: list[tuple[Event, str]] = [
    (ev.PieceMoved(piece="h01", path=("r3c2",), cause="step"), "h01@r3c2"),
    (ev.PieceBlocked(piece="h01"), "h01 blocked"),
    (ev.PieceUnblocked(piece="h02"), "h02 not blocked"),
    (ev.PieceDoomed(piece="z01"), "z01 doomed"),
    (ev.PieceSaved(piece="z01", cause="any"), "z01 safe from any"),
    (ev.ExitDemanded(piece="z02", must_leave=False), "z02 not must_leave"),
    (ev.ZombieReadied(piece="z01"), "z01 not activated"),
    (ev.PieceLost(piece="z02", cause="doomed"), "-z02"),
    (ev.PieceAppeared(piece="z03", cell="r0c1", controller=2), "+z03@r0c1:2"),
    (ev.EdgeChanged(edge="r0c0e", state="wall", lasts="round"), "r0c0e wall; for round"),
    (ev.CellFlagged(cell="r0c5", flag="opaque", lasts="lasting"), "r0c5 opaque; for lasting"),
    (ev.ScoreChanged(seat=2, points=-1), "s2 score -1"),
    (cards.CardDrawn(seat=2, number=2, card="c043"), "s2 hand +1"),
    (cards.CardsDropped(seat=2, cards={1: "c044"}), "s2 hand -1"),
    (cards.CreditsReturned(card="c001"), "credits none"),
    (cards.CreditsNeedRaised(need=4), "need 4"),
    (cards.ModifierAdded(modifier=FASTER), "z01 move 6; for round"),
    (cards.BanAdded(ban=TypeBan("c024", "media", "round")), "no media; for round"),
    (cards.TriggerArmed(trigger=ARMED), "when z01 eats; for round"),
    (cards.HandSeen(seat=1, owner=2, cards={1: "c044"}), "s1 sees c044"),
    (more.MovementHalted(), "halted"),
    (more.FightJoined(side="attackers", pieces=("z02",)), "z02 joins attackers"),
    (more.FightLeft(pieces=("h01",)), "h01 leaves the fight"),
]


@pytest.mark.parametrize(("event", "words"), CHANGES, ids=lambda each: type(each).__name__)
def test_a_change_is_told(event: Event, words: str) -> None:
    state = position()
    assert told(state, Done(then(state, event), (event,)), seat=0) == set(words.split("; "))


def test_where_nothing_has_changed_nothing_is_told() -> None:
    state = position()
    assert told(state, Done(state, ()), seat=0) == set()
