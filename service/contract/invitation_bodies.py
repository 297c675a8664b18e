"""The bodies of requests and answers about invitations by link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct

from events.kernel import Seat, TimestampMs
from projections.names import SeatName
from service.contract.bodies import GAME_ID
from service.contract.sign_in_bodies import SECRET_MAX

DAY_MINUTES: Final = 24 * 60
LASTS_MAX: Final = 7 * DAY_MINUTES
USES_MAX: Final = 50


class NewInvitationLink(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link to your table, good for so many ``minutes`` and ``uses``; null: until it is full."""

    minutes: Annotated[int, Meta(ge=1, le=LASTS_MAX)] = DAY_MINUTES
    uses: Annotated[int, Meta(ge=1, le=USES_MAX)] | None = None


class InvitationSecret(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The secret of a link that invites you."""

    secret: Annotated[str, Meta(min_length=1, max_length=SECRET_MAX)]


class InvitationLinkShown(Struct, frozen=True, kw_only=True):
    """A link to a table, whose ``secret`` is shown only once.

    Whoever has it may come to the table, so keep it out of the path and the query of an address.
    """

    id: str
    secret: str
    expires_at: TimestampMs
    uses: int | None


class InvitationLinkInfo(Struct, frozen=True, kw_only=True):
    """A link by which somebody can still come, without its secret; ``used`` is how many have."""

    id: str
    expires_at: TimestampMs
    uses: int | None
    used: int


class InvitationLinksListed(Struct, frozen=True, kw_only=True):
    """The links to a table of yours by which somebody can still come."""

    game: str
    links: tuple[InvitationLinkInfo, ...]


class InvitationShown(Struct, frozen=True, kw_only=True):
    """The table that a link invites to: what is played there, who opened it and who sits there.

    ``host`` is null for one who has been deleted, ``bots`` are the kinds of house bots by seat, and
    ``joined`` says that you may see it already.
    """

    id: Annotated[str, Meta(pattern=GAME_ID)]
    game: str
    rulebook: str
    mode: str
    seats: int
    host: str | None
    names: Mapping[Seat, SeatName]
    bots: Mapping[Seat, str]
    joined: bool


class InvitationTaken(Struct, frozen=True, kw_only=True):
    """You are invited to this table now."""

    game: Annotated[str, Meta(pattern=GAME_ID)]
