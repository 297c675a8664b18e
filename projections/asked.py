"""Whom a game waits for, as everybody at the table sees it (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from events.kernel import Seat, Version
from games.contract import Game, Halt
from projections.views import View


class AskedSeat(Struct, frozen=True, kw_only=True):
    """A seat that the game waits for.

    ``kind`` is that of its decision, and ``subject`` what it is about, such as a character; None:
    the seat itself.
    """

    seat: Seat
    kind: str
    subject: str | None = None


class AskedAt(Struct, frozen=True, kw_only=True):
    """Whom the game waits for after the event ``version``; nobody, if it is over or in a batch."""

    version: Version
    asked: tuple[AskedSeat, ...]


def halt_in(games: Mapping[str, Game[Any]], view: View) -> Halt | None:
    """What the game of a view waits for; None: nothing, or nobody can tell within a batch."""
    state = view.state
    return games[state.game].halt(state.play) if state.phase == "live" and view.settled else None


def asked_in(games: Mapping[str, Game[Any]], view: View) -> tuple[AskedSeat, ...]:
    """The seats that have not answered yet, in order; one that decides twice is told twice.

    All that a wait tells is public, so every view gives the same answer.
    """
    halt = halt_in(games, view)
    if halt is None:
        return ()
    return tuple(AskedSeat(seat=a.seat, kind=a.kind, subject=a.subject) for a in halt.asked)
