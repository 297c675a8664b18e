"""Whole tables of Room 25 played in process, every bot from its own seat's view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from events.draw import Draw
from events.kernel import Actor, Command, Context, Decision, Event, Seat, fold, redact
from games.bots import bot_seed
from games.room25 import ROOM25, RULES
from games.room25.model.state import State
from games.room25.package import GAME
from games.table.decider import Table
from games.table.events import Choose, ChooseSecretly, OpenTable, TakeSeat
from games.table.state import TableState

TABLE = Table({RULES.id: RULES}, frozenset(GAME.bots))
HOST = Actor("player", "host")

Watch = Callable[["Game", Seat, Decision, str], None]
"""Called with the game, the seat that is asked, the decision as it sees it, and its choice."""


class Game:
    """A table with a house bot in each seat, the first of which gets these characters."""

    def __init__(
        self,
        mode: str,
        bots: Sequence[str],
        number: int,
        rulebook: str = "first_edition",
        situation: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        first: tuple[str, ...] = (),
    ) -> None:
        self.state = TABLE.initial()
        self.log: list[Event] = []
        self._views: dict[Seat, tuple[TableState, int]] = {}
        key = f"{number:064x}"
        self.give(
            OpenTable(
                game="room25",
                rulebook=rulebook,
                mode=mode,
                seats=len(bots),
                key=key,
                situation=UNSET if situation is None else situation,
                options=options or {},
            ),
            HOST,
        )
        for seat, bot in enumerate(bots):
            self.give(TakeSeat(bot=bot, characters=() if seat else first), HOST)

    @property
    def play(self) -> State:
        """The truth of the game."""
        state: State = self.state.play
        return state

    def give(self, command: Command, actor: Actor) -> None:
        """Decide and fold a command.

        Raises:
            Rejected: it is refused.
        """
        context = Context(0, actor, Draw(TABLE.seed(self.state)))
        events = TABLE.decide(command, self.state, context)
        self.state = fold(TABLE, events, self.state)
        self.log += events

    def view(self, seat: Seat) -> TableState:
        """The table as a seat sees it; only what is new is folded."""
        known, so_far = self._views.get(seat, (None, 0))
        if known is None or so_far < len(self.log):
            viewer = ROOM25.viewer(self.play, seat)
            known = fold(TABLE, (redact(event, viewer) for event in self.log[so_far:]), known)
            self._views[seat] = known, len(self.log)
        return known

    def run(self, watch: Watch | None = None) -> Game:
        """Play to the end as the workers would."""
        while self.state.phase == "live":
            if not self._speak():
                self._answer(watch)
        return self

    def _speak(self) -> bool:
        """Let one bot do one thing unasked."""
        for seat, place in self.state.seats.items():
            volunteer = GAME.bots[place.bot or ""].volunteer
            if volunteer is None:
                continue
            view = self.view(seat)
            free = [d for d in TABLE.decisions(view, seat) if d.optional]
            act = volunteer(view, free, "00" * 32)
            if act is not None:
                self._choose(next(d for d in free if d.id == act[0]), act[1])
                return True
        return False

    def _answer(self, watch: Watch | None) -> None:
        """Let the next bot answer what blocks the game."""
        wait = ROOM25.wait(self.play)
        assert wait is not None
        asked = wait.pending[0]
        view = self.view(asked.seat)
        decision = next(d for d in TABLE.decisions(view, asked.seat) if d.id == asked.id)
        bot = GAME.bots[self.state.seats[asked.seat].bot or ""].choose
        option = bot(view, decision, bot_seed(self.state.key or "", asked.seat, asked.id))
        if watch is not None:
            watch(self, asked.seat, decision, option)
        self._choose(decision, option)

    def _choose(self, decision: Decision, option: str) -> None:
        kind = ChooseSecretly if decision.secret else Choose
        actor = Actor("bot", self.state.seats[decision.seat].player)
        self.give(kind(seat=decision.seat, decision=decision.id, option=option), actor)
