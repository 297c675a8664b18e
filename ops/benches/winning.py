"""How often a house bot gets four characters out: cooperation, open composition, fixed seeds."""

from __future__ import annotations

import statistics
from typing import Final, NamedTuple

from events.draw import Draw
from events.kernel import Actor, Command, Context, Decision, Event, Seat, Viewer, fold, redact
from games.bots import BOTS, VOLUNTEERS, bot_seed
from games.table_events import Choose, ChooseSecretly, OpenTable, TakeSeat
from games.table_state import TableState
from ops.benches.measure import Effort, Figure, Report
from projections.shelf import house_shelf

NAME: Final = "winning"
GAMES: Final = 500
QUICK_GAMES: Final = 20
SEATS: Final = 4

_UNASKED = "unasked"
_START = 1_800_000_000_000
_HOST = Actor("player", "host")


class Ended(NamedTuple):
    """How one game came out: whether it was won, how many died, in which turn it ended."""

    won: bool
    deaths: int
    turn: int


class BotGame:
    """A table of four seats that one house bot plays, each from its own view alone."""

    def __init__(self, bot: str, seed: int) -> None:
        self._bot, self._volunteer = BOTS[bot], VOLUNTEERS.get(bot)
        self._table = house_shelf().table
        self._state = self._table.initial()
        self._log: list[Event] = []
        self._views: dict[Seat, TableState] = {}
        self._seen: dict[Seat, int] = {}
        self._now = _START
        table = OpenTable(
            game="room25",
            rulebook="first_edition",
            mode="cooperation",
            seats=SEATS,
            options={"composition": "open"},
            key=f"{seed:064x}",
        )
        self._give(table, _HOST)
        for seat in range(1, SEATS + 1):
            self._give(TakeSeat(name=f"seat {seat}", bot=bot), _HOST)

    def play(self) -> Ended:
        """Play to the end."""
        game = self._table.games["room25"]
        while self._state.phase == "live":
            wait = game.wait(self._state.play)
            assert wait is not None
            asked = wait.pending[0]
            if not self._act_unasked():
                self._answer(asked.seat, asked.id)
        result, play = self._state.result, self._state.play
        assert result is not None
        return Ended(bool(result.winners), len(play.dead), play.turn)

    def _act_unasked(self) -> bool:
        """Let the first seat that wants to do so act of its own accord, as the workers do."""
        if self._volunteer is None:
            return False
        for seat in sorted(self._state.seats):
            view = self._view(seat)
            open_now = [d for d in self._table.decisions(view, seat) if d.optional]
            act = self._volunteer(view, open_now, self._seed(seat, _UNASKED))
            if act is not None:
                self._choose(next(d for d in open_now if d.id == act[0]), act[1])
                return True
        return False

    def _answer(self, seat: Seat, asked: str) -> None:
        """Let a seat decide by what it sees."""
        view = self._view(seat)
        decision = next(d for d in self._table.decisions(view, seat) if d.id == asked)
        self._choose(decision, self._bot(view, decision, self._seed(seat, asked)))

    def _choose(self, decision: Decision, option: str) -> None:
        kind = ChooseSecretly if decision.secret else Choose
        actor = Actor("bot", self._state.seats[decision.seat].player)
        self._give(kind(seat=decision.seat, decision=decision.id, option=option), actor)

    def _seed(self, seat: Seat, decision: str) -> str:
        assert self._state.key is not None
        return bot_seed(self._state.key, seat, decision)

    def _view(self, seat: Seat) -> TableState:
        viewer: Viewer = self._table.games["room25"].viewer(self._state.play, seat)
        new = self._log[self._seen.get(seat, 0) :]
        view = fold(self._table, (redact(e, viewer) for e in new), self._views.get(seat))
        self._views[seat], self._seen[seat] = view, len(self._log)
        return view

    def _give(self, command: Command, actor: Actor) -> None:
        self._now += 1000
        context = Context(self._now, actor, Draw(self._table.seed(self._state)))
        events = self._table.decide(command, self._state, context)
        self._state = fold(self._table, events, self._state)
        self._log += events


def measure(bot: str, games: int) -> tuple[Figure, ...]:
    """Play the seeds 1 to ``games`` with ``bot`` in every seat."""
    ended = [BotGame(bot, seed).play() for seed in range(1, games + 1)]
    wins = sum(each.won for each in ended)
    deaths = statistics.fmean(each.deaths for each in ended)
    turn = statistics.fmean(each.turn for each in ended)
    return (
        Figure(f"{bot}: games won of {games}", "games", "higher", (float(wins),)),
        Figure(f"{bot}: share won", "%", "higher", (100 * wins / games,)),
        Figure(f"{bot}: deaths", "a game", "lower", (deaths,)),
        Figure(f"{bot}: last turn", "turn", "lower", (turn,)),
    )


def run(effort: Effort) -> Report:
    """Measure every house bot on the same seeds."""
    games = QUICK_GAMES if effort.quick else GAMES
    figures = tuple(figure for bot in BOTS for figure in measure(bot, games))
    return Report(
        NAME,
        figures=figures,
        notes=(f"four-player cooperation, first edition, open composition, seeds 1 to {games}",),
    )
