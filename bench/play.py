"""The rules alone: random legal play, with and without every seat's view."""

from __future__ import annotations

from typing import Final, NamedTuple

from bench.measure import BenchReport, Effort, interleaved
from events.draw import Draw
from events.kernel import PUBLIC, Actor, Command, Context, Event, Viewer, fold, redact
from games.game_registry import installed_games
from games.table.decider import Table
from games.table.events import Choose, ChooseSecretly, OpenTable, TakeSeat
from games.table.state import TableState

NAME: Final = "play"
MODES: Final = (("suspicion", 6), ("cooperation", 4), ("team", 6), ("solo", 1))

_START = 1_800_000_000_000
_HOST = "player-1"


class PlayStep(NamedTuple):
    """A command, the state that it met, and its events."""

    command: Command
    context: Context
    before: TableState
    events: list[Event]


class RandomGame:
    """One table, played by lot; the same game for the same seed.

    Args:
        mode: the mode.
        seats: how many seats.
        seed: decides the deal and every choice.
        views: whether each seat's view and the public one are folded on after every command.
    """

    def __init__(self, mode: str, seats: int, seed: int, *, views: bool = False) -> None:
        self.table: Table = installed_games().table
        self.state = self.table.initial()
        self.steps: list[PlayStep] = []
        self.views: dict[Viewer, TableState] = {}
        self._with_views = views
        self._now = _START
        self._lots = Draw(b"bench/%d" % seed)
        self._give(
            OpenTable(
                game="room25",
                rulebook="first_edition",
                mode=mode,
                seats=seats,
                key=f"{seed:064x}",
            ),
            Actor("player", _HOST),
        )
        for seat in range(1, seats + 1):
            player = f"player-{seat}"
            self._give(TakeSeat(entropy=f"{seed}"), Actor("player", player))

    def play(self) -> int:
        """Play to the end; how many events the game has."""
        game = self.table.games["room25"]
        while self.state.phase == "live":
            wait = game.wait(self.state.play)
            assert wait is not None
            number = len(self.steps)
            decision = self._lots.choice(wait.pending, f"who/{number}")
            option = self._lots.choice(decision.options, f"what/{number}").id
            kind = ChooseSecretly if decision.secret else Choose
            command = kind(seat=decision.seat, decision=decision.id, option=option)
            self._give(command, Actor("player", self.state.seats[decision.seat].player))
        return sum(len(step.events) for step in self.steps)

    def _give(self, command: Command, actor: Actor) -> None:
        self._now += 1000
        before = self.state
        context = Context(self._now, actor, Draw(self.table.seed(before)))
        events = self.table.decide(command, before, context)
        self.state = fold(self.table, events, before)
        self.steps.append(PlayStep(command, context, before, events))
        if self._with_views:
            self._show(events)

    def _show(self, events: list[Event]) -> None:
        """Let every seat and the public see the events."""
        for viewer in (PUBLIC, *(self._viewer(seat) for seat in self.state.seats)):
            view = self.views.get(viewer)
            if view is None:  # a seat sees from the start of the stream, not from its taking
                past = (e for step in self.steps[:-1] for e in step.events)
                view = fold(self.table, (redact(e, viewer) for e in past))
            self.views[viewer] = fold(self.table, (redact(e, viewer) for e in events), view)

    def _viewer(self, seat: int) -> Viewer:
        play = self.state.play
        if self.state.phase == "open" or play is None or not play.characters:
            return Viewer(kind="seat", seat=seat)
        return self.table.games["room25"].viewer(play, seat)


class Plays:
    """The measured work; each call takes the next game and counts its events."""

    def __init__(self) -> None:
        self._seeds = {"bare": 0, "views": 0}
        self.steps: list[PlayStep] = []
        for number, (mode, seats) in enumerate(MODES):
            game = RandomGame(mode, seats, number)
            game.play()
            self.steps += game.steps
        self._events = sum(len(step.events) for step in self.steps)

    def _next(self, kind: str) -> RandomGame:
        seed = self._seeds[kind] = self._seeds[kind] + 1
        mode, seats = MODES[seed % len(MODES)]
        return RandomGame(mode, seats, seed, views=kind == "views")

    def bare(self) -> int:
        """A whole game: choose, decide, fold."""
        return self._next("bare").play()

    def views(self) -> int:
        """A whole game, and every view of it."""
        return self._next("views").play()

    def decide(self) -> int:
        """Decide every command of some games again."""
        table = installed_games().table
        return sum(len(table.decide(s.command, s.before, s.context)) for s in self.steps)

    def fold(self) -> int:
        """Fold every event of some games again, a batch at a time as it happened."""
        table = installed_games().table
        for step in self.steps:
            fold(table, step.events, step.before)
        return self._events


def run(effort: Effort) -> BenchReport:
    """Measure all four in turn."""
    plays = Plays()
    found = interleaved(
        {
            "random legal play, every view derived": plays.views,
            "random legal play": plays.bare,
            "decide alone": plays.decide,
            "fold alone, batch by batch": plays.fold,
        },
        effort,
        "events/CPU-s",
    )
    told = ", ".join(f"{mode} ({seats})" for mode, seats in MODES)
    return BenchReport(NAME, figures=tuple(found.values()), notes=(f"games in turn: {told}",))
