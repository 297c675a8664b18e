"""Branches: a table that plays on from a version of a finished game (pure).

The game's own events up to that version are taken over as they are, secrets included, and laid
again when the branch begins. Nothing of them is drawn anew; whatever is drawn afterwards follows
from the branch's own key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from events.envelope import Envelope
from events.kernel import Actor, Event, Rejected, Seat, Version, Working
from events.seal import plain
from games.contract import JsonValue, Rules
from games.table.branch_origin import BranchOrigin
from games.table.events import SeatResigned, TableOpened
from games.table.state import RECORDERS, TableState

Laid = tuple[Mapping[str, JsonValue], ...]
"""Events of a game in full, as JSON values, in their order."""


class Branch(Struct, frozen=True):
    """What a branch is opened from.

    ``opened`` is the opening of the finished game, ``state`` the table in the state that the branch
    begins in, ``origin`` and ``laid`` are as in ``TableOpened``.
    """

    opened: TableOpened
    state: TableState
    origin: BranchOrigin
    laid: Laid


def settled_before(envelopes: Sequence[Envelope], version: Version) -> Version:
    """The last version up to ``version`` at which what one command made was complete."""
    while version < len(envelopes) and envelopes[version].batch is None:
        version -= 1
    return version


def branch_of(
    game: str,
    rules: Rules,
    envelopes: Sequence[Envelope],
    version: Version,
    state: TableState,
) -> Branch:
    """What a branch of a finished game is opened from.

    Answers that have never counted stay with those who gave them, so they are not taken over: while
    what they answer is still open, these seats are asked again.

    Args:
        game: the id of the finished game.
        rules: those of the game that was played.
        envelopes: all its events in full.
        version: a version at which what one command made was complete.
        state: the table at that version.

    Raises:
        Rejected: nothing-to-branch.
    """
    opened = envelopes[0].event
    if state.phase != "live" or not isinstance(opened, TableOpened):
        raise Rejected("nothing-to-branch", "nothing is being played at this version")
    void = rules.decider.void([each.event for each in envelopes])
    taken = (
        each.event
        for number, each in enumerate(envelopes[:version])
        if number not in void and _is_laid(each.event)
    )
    cast = tuple(state.seats[seat].characters for seat in sorted(state.seats))
    origin = BranchOrigin(game=game, version=version, characters=cast)
    return Branch(opened, state, origin, tuple(_plain(event) for event in taken))


def _plain(event: Event) -> Mapping[str, JsonValue]:
    fields: Mapping[str, JsonValue] = plain(event)  # type: ignore[assignment]  # of a struct
    return fields


def _is_laid(event: Event) -> bool:
    """Of the table's own events only resigning is laid: it is a move of the game too."""
    return type(event) not in RECORDERS or isinstance(event, SeatResigned)


def lay(work: Working[TableState], rules: Rules, laid: Laid) -> None:
    """Lay the position of a branch, as its game begins, by the events that were taken over."""
    kind: Any = SeatResigned
    for each in rules.events:
        kind |= each
    for fields in laid:
        work.emit(msgspec.convert(fields, kind, str_keys=True))


def may_sit_again(state: TableState, actor: Actor) -> bool:
    """Whether somebody with a seat may take another one: who makes a branch may play several."""
    return state.origin is not UNSET and actor.id == state.host


def laid_cast(origin: BranchOrigin, seat: Seat) -> tuple[str, ...]:
    """What a seat of a branch plays, whatever its player would like to."""
    return origin.characters[seat - 1]
