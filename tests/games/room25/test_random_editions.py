"""Random whole games at every table: they end, also without players, and views are honest.

``test_random_games`` plays fewer of each table under far more checks.
"""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Actor, Command, Context, Decision, Event, Seat, Viewer, fold, redact
from games.room25 import ROOM25, RULEBOOKS, RULES
from games.table import events as ev
from games.table.decider import Table
from games.table.state import TableState

pytestmark = pytest.mark.slow

TABLE = Table({RULES.id: RULES})
TABLES = [
    (book.id, mode.id, seats)
    for book in RULEBOOKS.values()
    for mode in book.modes.values()
    for seats in mode.seats
]
STEPS_MAX = 3000


class Party:
    """A table in memory, with the view of each seat beside the truth."""

    def __init__(self, seats: int) -> None:
        self.state = TABLE.initial()
        self.log: list[Event] = []
        self.now = 0
        self.views: dict[Seat, TableState] = {n: TABLE.initial() for n in range(1, seats + 1)}

    def give(self, command: Command, actor: Actor) -> None:
        context = Context(now=self.now, actor=actor, draw=Draw(TABLE.seed(self.state)))
        work = TABLE.carry_out(command, self.state, context)
        events = work.events
        self.state = fold(TABLE, events, self.state)
        assert work.state == self.state, "what is handed over is what the events say"
        self.log += events
        for seat, view in self.views.items():
            looking = Viewer(kind="seat", seat=seat)
            self.views[seat] = fold(TABLE, (redact(e, looking) for e in events), view)

    def choose(self, decision: Decision, option: str) -> None:
        kind = ev.ChooseSecretly if decision.secret else ev.Choose
        command = kind(seat=decision.seat, decision=decision.id, option=option)
        self.give(command, Actor("player", self.state.seats[decision.seat].player))

    def require_honest_views(self) -> None:
        due = self.state.clock.due if self.state.clock else None
        for seat, view in self.views.items():
            found = TABLE.decisions(self.state, seat)
            assert found == TABLE.decisions(view, seat)
            for decision in found:
                alone = TABLE.find(self.state, seat, decision.id)
                assert alone is not None, "what is offered is found"
                due_then = None if decision.optional else due
                assert replace(alone, deadline=due_then) == decision
                assert TABLE.is_secret(self.state, decision.id) == decision.secret
            assert TABLE.find(self.state, seat, "t99-nothing") is None


def begin(book: str, mode: str, seats: int, seed: int) -> tuple[Party, random.Random]:
    chance = random.Random(seed)
    rules = RULEBOOKS[book]
    fixed = {"composition", "rooms", "guards"}
    options = {
        name: chance.choice(rules.options[name].values)
        for name in rules.modes[mode].options
        if name not in fixed and chance.random() < 0.4
    }
    party = Party(seats)
    opening = ev.OpenTable(
        game=RULES.id,
        rulebook=book,
        mode=mode,
        seats=seats,
        options=options,
        key=f"{seed:064x}",
    )
    party.give(opening, Actor("player", "p1"))
    for seat in range(1, seats + 1):
        party.give(ev.TakeSeat(), Actor("player", f"p{seat}"))
    return party, chance


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in (2, 3))]
)
@pytest.mark.parametrize(("book", "mode", "seats"), TABLES)
def test_a_random_game_ends_and_every_seat_sees_its_own_decisions(
    book: str, mode: str, seats: int, seed: int
) -> None:
    party, chance = begin(book, mode, seats, seed)
    for step in range(STEPS_MAX):
        if party.state.phase != "live":
            break
        party.require_honest_views()
        wait, halt = ROOM25.wait(party.state.play), ROOM25.halt(party.state.play)
        assert wait is not None
        assert halt is not None
        assert (halt.key, halt.wait) == (wait.key, wait.wait)
        assert [(a.seat, a.id) for a in halt.asked] == [(d.seat, d.id) for d in wait.pending]
        assert wait.pending
        decision = chance.choice(wait.pending)
        assert decision.default in {option.id for option in decision.options}
        party.choose(decision, chance.choice(decision.options).id)
        if step % 7 == 0 and party.state.phase == "live":
            seat = chance.choice(sorted(party.views))
            extra = [d for d in TABLE.decisions(party.state, seat) if d.optional]
            voluntary = [d for d in extra if d.kind != "resign"]
            if voluntary:
                act = chance.choice(voluntary)
                party.choose(act, chance.choice(act.options).id)
    assert party.state.phase == "finished"
    assert fold(TABLE, party.log) == party.state
    assert len(party.state.play.grid) == 25


@pytest.mark.parametrize(("book", "mode", "seats"), TABLES)
def test_a_game_that_everybody_leaves_alone_ends(book: str, mode: str, seats: int) -> None:
    """R117: defaults carry every game to its end."""
    party, _ = begin(book, mode, seats, 11)
    for _ in range(STEPS_MAX):
        clock = party.state.clock
        if clock is None:
            break
        party.now = max(party.now, clock.due + 250)
        party.give(ev.TimeOut(key=clock.key), Actor("worker", "clock"))
    assert party.state.phase == "finished"
