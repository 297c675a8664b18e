"""The oracles of random games notice what they must: a fault is planted for each (§12.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Decision, Event, Option, Seat, Viewer, redact
from games.cerveauuu.board import Grid
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.state import State
from games.cerveauuu.rules import windows
from games.cerveauuu.rules.acts import Played
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.engine import SEALED
from games.cerveauuu.rules.plays import may_play, play_branch, read_play
from simulator.cerveauuu import illegal
from simulator.cerveauuu.conservation import Conservation, all_cards, own_cells
from simulator.cerveauuu.driver import play
from simulator.cerveauuu.illegal import RefusedPlays
from simulator.cerveauuu.information_flow import InformationFlow
from simulator.cerveauuu.interference import Interference
from simulator.cerveauuu.knowledge import WhoKnows
from simulator.cerveauuu.knowledge_table import KnowledgeTable
from simulator.cerveauuu.plans import plan_of
from simulator.cerveauuu.run import Run
from simulator.chance import chance
from simulator.driver import Rates
from simulator.illegal import IllegalCommand
from simulator.run import PropertyBroken, Watcher, choice

SEED = 12
"""A short game of four players who play many cards."""
SHORT = 18
"""A game with less than half as many events, among which are all that can be told wrong."""

Patch = pytest.MonkeyPatch


def knows() -> WhoKnows:
    return WhoKnows(chance("planted"), rate=0.2)


def worlds() -> Interference:
    return Interference(chance("planted"), rate=1.0)


def watched(watcher: Watcher[Run], seed: int = SEED) -> Run:
    """A game under one oracle."""
    return play(plan_of(seed), [watcher], Rates(probes=0))


@cache
def unplanted() -> Run:
    """A game in which all is right."""
    oracle = worlds()
    match = play(plan_of(SHORT), [knows(), oracle, Conservation()], Rates(probes=0))
    assert min(oracle.compared.values()) > 0
    return match


def test_without_a_fault_there_is_nothing_to_notice() -> None:
    assert unplanted().state.phase == "finished"


# --- leaks ---


def test_a_leaked_hand_is_noticed(monkeypatch: Patch) -> None:
    """All may read a card that somebody draws."""

    def leaking(event: Event, viewer: Viewer) -> Event:
        return event if isinstance(event, cards.CardDrawn) else redact(event, viewer)

    monkeypatch.setattr("simulator.knowledge.redact", leaking)
    with pytest.raises(PropertyBroken, match=r"after CardDrawn: play\.hands.*None expected"):
        watched(knows())


def test_a_kept_answer_that_an_auditor_may_read_is_noticed(monkeypatch: Patch) -> None:
    def leaking(event: Event, viewer: Viewer) -> Event:
        return event if viewer.kind == "full" else redact(event, viewer)

    monkeypatch.setattr("simulator.knowledge.redact", leaking)
    with pytest.raises(PropertyBroken, match="something is kept from auditors"):
        watched(knows())


def test_a_sealed_answer_that_all_may_read_is_noticed(monkeypatch: Patch) -> None:
    def leaking(event: Event, viewer: Viewer) -> Event:
        leaked = isinstance(event, cards.AnswerGiven) and viewer.kind == "seat"
        return event if leaked else redact(event, viewer)

    monkeypatch.setattr("simulator.knowledge.redact", leaking)
    with pytest.raises(PropertyBroken, match=r"after AnswerGiven: play\.window"):
        watched(knows())


def test_a_field_with_another_audience_is_noticed(monkeypatch: Patch) -> None:
    monkeypatch.setattr(cards.HandSeen, "secrets", ())
    with pytest.raises(PropertyBroken, match="HandSeen keeps"):
        InformationFlow().look(None, cards.HandSeen(seat=1, owner=2, cards={}))


def test_a_card_that_is_forgotten_when_it_is_taken_is_noticed() -> None:
    """Who knew a card knows it still under its new number (C73)."""
    ledger = KnowledgeTable()
    ledger.note(cards.HandDealt(seat=2, numbers=(1,), cards=("c054",)))
    ledger.note(cards.HandSeen(seat=1, owner=2, cards={1: "c054"}))
    ledger.note(cards.CardTaken(seat=2, number=1, taker=3, taker_number=4, card="c054"))
    ledger.note(cards.CardReceived(seat=3, number=4, card="c054"))
    truth = {3: {4: "c054"}}
    for seat in (1, 2, 3):
        assert ledger.expected("play.hands", truth, seat) == truth
    assert ledger.expected("play.hands", truth, 4) == {3: {4: None}}
    assert ledger.expected("play.hands", truth, None) == {3: {4: None}}


def test_an_instant_pass_that_betrays_a_hand_is_noticed(monkeypatch: Patch) -> None:
    """The engine passes for whoever holds no weapon, as it must not (§5.3.2)."""
    honest = windows._passes

    def betraying(state: State, seat: Seat) -> str:
        held = [CARDS[card].type for card in state.hands[seat].values() if card is not None]
        return honest(state, seat) or ("" if "weapon" in held else "hand")

    monkeypatch.setattr(windows, "_passes", betraying)
    with pytest.raises(PropertyBroken, match="can tell cards that it does not know"):
        watched(worlds())


def test_a_void_play_that_is_shown_is_noticed(monkeypatch: Patch) -> None:
    """Something tells that a seat would have played, too."""
    honest, late = windows._resolve, list[Seat]()

    def judging(state: State, seat: Seat, path: str) -> Played:
        answers = {} if state.window is None else state.window.answers
        late[:] = [s for s, choice in answers.items() if s != seat and choice not in {None, "pass"}]
        return read_play(state, seat, path)

    def showing(batch: Play, seat: Seat, option: str) -> None:
        for other in late:
            batch.emit(ev.ScoreChanged(seat=other, points=0))
        late.clear()
        honest(batch, seat, option)

    monkeypatch.setattr(windows, "read_play", judging)
    monkeypatch.setattr(windows, "_resolve", showing)
    with pytest.raises(PropertyBroken, match="can tell a void play of seat"):
        watched(Interference(chance("planted"), rate=0.0))


def test_an_answer_that_shows_while_it_is_sealed_is_noticed(monkeypatch: Patch) -> None:
    honest = windows.ANSWERS.answer

    def showing(batch: Play, frame: Any, question: Any, option: str) -> None:
        honest(batch, frame, question, option)
        if option != "pass":
            batch.emit(ev.ScoreChanged(seat=question.seat, points=0))

    monkeypatch.setattr("games.cerveauuu.rules.engine.SEALED", _with_answer(showing))
    with pytest.raises(PropertyBroken, match="can tell what seat"):
        watched(worlds())


def _with_answer(answer: Any) -> dict[Any, Any]:
    asking = replace(windows.ANSWERS, answer=answer)
    return {kind: asking if each is windows.ANSWERS else each for kind, each in SEALED.items()}


def test_a_view_that_is_asked_otherwise_is_noticed(monkeypatch: Patch) -> None:
    """Whether a card can be played is said by the deck."""

    def knowing(state: State, grid: Grid, seat: Seat) -> bool:
        return state.deck is not None and may_play(state, grid, seat)

    monkeypatch.setattr(windows, "may_play", knowing)
    with pytest.raises(PropertyBroken, match="sees other decisions"):
        watched(knows())


def test_a_view_whose_tree_is_another_further_down_is_noticed(monkeypatch: Patch) -> None:
    def knowing(state: State, grid: Grid, seat: Seat, path: tuple[str, ...]) -> tuple[Option, ...]:
        level = play_branch(state, grid, seat, path)
        return level[:1] if state.deck is None and len(path) > 1 else level

    monkeypatch.setattr(windows, "play_branch", knowing)
    with pytest.raises(PropertyBroken, match="other options below play"):
        watched(knows())


def test_a_view_that_differs_in_one_corner_of_a_tree_is_noticed(monkeypatch: Patch) -> None:
    """Below one of many anchors, to which a few walks by lot would seldom come."""

    def knowing(state: State, grid: Grid, seat: Seat, path: tuple[str, ...]) -> tuple[Option, ...]:
        level = play_branch(state, grid, seat, path)
        corner = path[2:] == ("3",)
        return level[:-1] if corner and state.deck is None else level

    monkeypatch.setattr(windows, "play_branch", knowing)
    with pytest.raises(PropertyBroken, match="other options below play"):
        watched(WhoKnows(chance("planted"), rate=0.05, wide=1.0))


def test_a_play_that_is_accepted_and_must_not_be_is_noticed(monkeypatch: Patch) -> None:
    watched(RefusedPlays(chance("planted"), rate=0.1))

    def lax(match: Run, _: object, decision: Decision) -> Iterator[IllegalCommand]:
        option = decision.default or ""
        yield IllegalCommand(choice(decision, option), match.actor(decision.seat), ("no",))

    monkeypatch.setattr(illegal, "_plays", lax)
    with pytest.raises(PropertyBroken, match="accepted, but should be"):
        watched(RefusedPlays(chance("planted"), rate=0.1))


# --- what is told is true ---


def told() -> Iterator[tuple[Event, Event]]:
    """An event that is right in its place, and what would be wrong there."""
    other: dict[type[Event], Callable[[Any], Event]] = {
        cards.CardDrawn: lambda e: replace(e, card="c001", number=e.number or 1, credits=None),
        cards.VersionJudged: lambda e: replace(e, seat=None, choice=None),
        cards.CardPlayed: lambda e: replace(e, card="c001"),
        cards.CardTaken: lambda e: replace(e, taker_number=e.taker_number + 1),
        cards.CardsDropped: lambda e: replace(e, cards={99: "c054"}),
        cards.HandSeen: lambda e: replace(e, cards={99: "c054"}),
        cards.DiscardsJudged: lambda e: replace(e, cards={1: {99: "c054"}}),
        more.BatchJudged: lambda e: replace(e, choices=dict.fromkeys(e.choices, "r0c0")),
        more.ConsentsJudged: lambda e: replace(e, accepts={s: not a for s, a in e.accepts.items()}),
    }
    for event in unplanted().log:
        if type(event) in other and other[type(event)](event) != event:
            yield event, other[type(event)](event)


def test_what_is_not_so_is_noticed() -> None:
    match = unplanted()
    state, flow, noticed = match.table.initial(), InformationFlow(), set()
    wrong = {id(event): planted for event, planted in told()}
    for event in match.log:
        planted = wrong.get(id(event))
        if planted is not None and _is_refused(flow, state.play, planted):
            noticed.add(type(event))
        flow.look(state.play, event)
        state = match.table.evolve(state, event)
    assert noticed >= {cards.CardDrawn, cards.VersionJudged, cards.CardPlayed, more.BatchJudged}
    assert noticed == {type(event) for event, _ in told()}


def _is_refused(flow: InformationFlow, state: State, planted: Event) -> bool:
    try:
        flow.look(state, planted)
    except PropertyBroken:
        return True
    return False


def test_a_look_without_a_card_is_noticed() -> None:
    with pytest.raises(PropertyBroken, match="no card lets it"):
        InformationFlow().look(State(hands={2: {}}), cards.HandSeen(seat=1, owner=2, cards={}))


# --- conservation ---


def truth() -> State:
    """The position after some steps of a game, for planting."""
    match = unplanted()
    middle = match.steps[len(match.steps) // 2].after
    state: State = match.table.copy(middle).play
    return state


def test_a_lost_card_is_noticed() -> None:
    state = truth()
    all_cards(state)
    state.piles = {**state.piles, 1: ("c054", "c054")}
    with pytest.raises(PropertyBroken, match="in two places"):
        all_cards(state)


def test_two_pieces_on_one_cell_are_noticed() -> None:
    state = truth()
    own_cells(state)
    first, second = list(state.pieces)[:2]
    twin = replace(state.pieces[second], cell=state.pieces[first].cell)
    state.pieces = {**state.pieces, second: twin}
    with pytest.raises(PropertyBroken, match="on one cell"):
        own_cells(state)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (ev.PieceLost(piece="h99", cause="doomed"), "goes and was not there"),
        (ev.PieceAppeared(piece="h01", cell="r1c1"), "comes a second time"),
        (cards.CardDrawn(seat=1, number=999, card="c054"), "out of turn"),
        (ev.ScoreChanged(seat=1, points=1), "points from nowhere"),
        (
            cards.CardPlayed(seat=1, number=1, card="c054", choice="play.k1"),
            "cards played by nobody",
        ),
        (cards.AnswerGiven(seat=9, choice="pass"), "answers and is not asked"),
    ],
    ids=["gone", "twice", "number", "points", "played", "unasked"],
)
def test_what_comes_from_nowhere_is_noticed(event: Event, text: str) -> None:
    """An account that has an event more than the game does not agree with it."""
    match, account = unplanted(), Conservation()
    steps = [step for step in match.steps if step.refusal is None]
    half = len(steps) // 2
    for step in steps[:half]:
        account.accepted(match, step)
    step = steps[half]
    with pytest.raises(PropertyBroken, match=text):
        account.accepted(match, step._replace(events=(*step.events, event)))
