"""Positions as one of their seats sees them: what ``steady`` is asked in them."""

from __future__ import annotations

from typing import Any

from events.kernel import Decision, Event, Seat, fold, redact
from games.contract import TableOpening
from games.room25 import ROOM25
from games.room25.bots import Steady
from games.room25.facts import events as ev
from games.room25.model.agenda import Ask
from games.table.state import TableState
from tests.games.begun import begun

SEED = "5e" * 32
STEADY = Steady()


class Position:
    """A situation as one of its seats sees it."""

    def __init__(
        self,
        seat: Seat,
        mode: str = "cooperation",
        rulebook: str = "first_edition",
        **given: Any,
    ) -> None:
        seats = max(c["seat"] for c in given["characters"].values())
        requested = TableOpening(
            rulebook=rulebook, mode=mode, seats=seats, options={}, situation=given
        )
        requested = ROOM25.open(requested)
        cast = {n: ROOM25.cast(requested, {}, n, ()) for n in range(1, seats + 1)}
        self.state, self.events = begun(requested, "seed", cast)
        self.events.append(ev.AgendaSet(agenda=self.state.agenda, asked=self.state.asked))
        self.seat = seat

    def asking(self, kind: str, character: str, **about: Any) -> Position:
        """The same, and the game asks this."""
        ask = Ask(kind=kind, character=character, id="q", **about)
        return self.after(ev.AgendaSet(agenda=(*self.state.agenda, ask), asked=9))

    def after(self, *events: Event) -> Position:
        """The same, and this happened."""
        self.events += events
        self.state = fold(ROOM25, self.events)  # type: ignore[arg-type]  # as much of a decider as fold needs
        return self

    @property
    def view(self) -> TableState:
        """The table that the seat sees."""
        viewer = ROOM25.viewer(self.state, self.seat)
        play = ROOM25.initial()
        for event in self.events:
            play = ROOM25.evolve(play, redact(event, viewer))
        return TableState(phase="live", game="room25", play=play)

    def decisions(self) -> list[Decision]:
        """What the seat may choose."""
        return ROOM25.decisions(self.view.play, self.seat)

    def choice(self) -> str:
        """What it chooses where the game waits for it."""
        asked = next(d for d in self.decisions() if not d.optional)
        return STEADY.choose(self.view, asked, SEED)

    def tokens(self) -> list[str]:
        """What it programmes."""
        return self.choice().split("+")

    def act(self) -> tuple[str, str] | None:
        """What it does unasked."""
        return STEADY.volunteer(self.view, [d for d in self.decisions() if d.optional], SEED)


def four(*cells: str, **more: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Four characters of four seats on these cells; the last cell stands for the rest."""
    names = ("emmett", "kevin", "franck", "jennifer")
    places = [*cells, *[cells[-1]] * 4]
    return {
        name: {"seat": seat, "cell": places[seat - 1], **more.get(name, {})}
        for seat, name in enumerate(names, 1)
    }


def in_round(**programs: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Programmes that are handed in; whoever is not named only looks."""
    names = ("emmett", "kevin", "franck", "jennifer")
    return {name: {"program": programs.get(name, ("look",))} for name in names}
