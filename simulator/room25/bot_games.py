"""Whole games between house bots, in this process and without a store; each sees its own view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from events.draw import Draw
from events.kernel import Actor, Command, Context, Decision, Event, Seat, Viewer, fold, redact
from games.bots import bot_seed
from games.game_registry import installed_games
from games.registry import GAMES
from games.room25.model.state import State
from games.table.events import Choose, ChooseSecretly, OpenTable, TakeSeat
from games.table.state import TableState

GAME = "room25"
BOTS = GAMES[GAME].bots
Wanted = Callable[[Decision], bool]

_UNASKED = "unasked"
_START = 1_800_000_000_000
_HOST = Actor("player", "host")


class Setting(Struct, frozen=True):
    """What is played: a rulebook, a mode, so many seats, and options of the table."""

    rulebook: str
    mode: str
    seats: int
    options: tuple[tuple[str, object], ...] = ()


class BotGame:
    """A table that house bots play, each from its own redacted view alone.

    Args:
        setting: what is played.
        bots: the name of the bot in each seat.
        seed: a number of which the game key is made.
        unasked: which voluntary acts the bots may do, all of them by default.
        cast: the characters of each seat, by default the first free ones.
    """

    def __init__(
        self,
        setting: Setting,
        bots: Sequence[str],
        seed: int,
        unasked: Wanted = lambda _: True,
        cast: Sequence[tuple[str, ...]] = (),
    ) -> None:
        self._bots, self._unasked = bots, unasked
        self._table = installed_games().table
        self._state = self._table.initial()
        self.log: list[Event] = []
        self._views: dict[Seat, TableState] = {}
        self._seen: dict[Seat, int] = {}
        self._now = _START
        table = OpenTable(
            game=GAME,
            rulebook=setting.rulebook,
            mode=setting.mode,
            seats=setting.seats,
            options=dict(setting.options),
            key=f"{seed:064x}",
        )
        self._give(table, _HOST)
        for seat, bot in enumerate(bots, 1):
            wish = cast[seat - 1] if cast else ()
            self._give(TakeSeat(bot=bot, characters=wish), _HOST)

    @property
    def end(self) -> State:
        """The truth of the game."""
        state: State = self._state.play
        return state

    def play(self) -> BotGame:
        """Play to the end, as the workers would: who has something to say speaks first."""
        game = self._table.games[GAME]
        while self._state.phase == "live":
            wait = game.wait(self._state.play)
            assert wait is not None
            asked = wait.pending[0]
            if not self._act_unasked():
                self._answer(asked.seat, asked.id)
        return self

    def _act_unasked(self) -> bool:
        """Let the first seat that wants to do so act of its own accord."""
        for seat in sorted(self._state.seats):
            volunteer = BOTS[self._bots[seat - 1]].volunteer
            if volunteer is None:
                continue
            view = self._view(seat)
            found = self._table.decisions(view, seat)
            open_now = [d for d in found if d.optional and self._unasked(d)]
            act = volunteer(view, open_now, self._seed(seat, _UNASKED))
            if act is not None:
                self._choose(next(d for d in open_now if d.id == act[0]), act[1])
                return True
        return False

    def _answer(self, seat: Seat, asked: str) -> None:
        """Let a seat decide by what it sees."""
        view = self._view(seat)
        decision = next(d for d in self._table.decisions(view, seat) if d.id == asked)
        bot = BOTS[self._bots[seat - 1]].choose
        self._choose(decision, bot(view, decision, self._seed(seat, asked)))

    def _choose(self, decision: Decision, option: str) -> None:
        kind = ChooseSecretly if decision.secret else Choose
        actor = Actor("bot", self._state.seats[decision.seat].player)
        self._give(kind(seat=decision.seat, decision=decision.id, option=option), actor)

    def _seed(self, seat: Seat, decision: str) -> str:
        assert self._state.key is not None
        return bot_seed(self._state.key, seat, decision)

    def _view(self, seat: Seat) -> TableState:
        viewer: Viewer = self._table.games[GAME].viewer(self._state.play, seat)
        new = self.log[self._seen.get(seat, 0) :]
        view = fold(self._table, (redact(e, viewer) for e in new), self._views.get(seat))
        self._views[seat], self._seen[seat] = view, len(self.log)
        return view

    def _give(self, command: Command, actor: Actor) -> None:
        self._now += 1000
        context = Context(self._now, actor, Draw(self._table.seed(self._state)))
        events = self._table.decide(command, self._state, context)
        self._state = fold(self._table, events, self._state)
        self.log += events
