"""The body of a request for a branch of a finished game."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from events.kernel import Version
from service.contract.bodies import INVITED_MAX, SEATS_MAX, PlayerId, SeatNumber, Word


class NewBranch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play on from a version of a finished game, as a scenario table that never counts.

    You take ``seats``; those of ``guests`` stay free for the ``invited`` and whoever has the
    address; in all others sit house bots of the kind ``bot``.
    """

    version: Annotated[Version, Meta(ge=1)]
    seats: Annotated[tuple[SeatNumber, ...], Meta(min_length=1, max_length=SEATS_MAX)]
    guests: Annotated[tuple[SeatNumber, ...], Meta(max_length=SEATS_MAX)] = ()
    bot: Annotated[Word, Meta(examples=["steady"])] = "steady"
    invited: Annotated[tuple[PlayerId, ...], Meta(max_length=INVITED_MAX)] = ()
