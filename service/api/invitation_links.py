"""``/v1/games/{game}/invitation-links`` and ``/v1/invitations``: inviting whoever has a link."""

from __future__ import annotations

from typing import Final

from litestar import delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.kernel import Rejected
from games.table.checks import TableCode, require_open
from service.access.view_scope import look_up
from service.api.command_execution import name_command
from service.api.players import REGISTRATION_KEY_LEAST
from service.app_context import AppContext, app_context_of
from service.contract.bodies import encode
from service.contract.invitation_bodies import (
    InvitationLinkShown,
    InvitationLinksListed,
    InvitationSecret,
    InvitationShown,
    InvitationTaken,
    NewInvitationLink,
)
from service.contract.operations import HOSTING, PLAYING, operation
from service.http.principals import Principal
from service.http.replies import Reply, done
from service.http.requests import StrictRequest

_OWN: Final = (
    "game-not-found",
    "not-the-host",
    "not-your-account",
    "player-not-found",
    "unknown-token",
    "token-revoked",
)
_INVITED: Final = (
    "unknown-invitation-link",
    "invitation-link-withdrawn",
    "invitation-link-expired",
    "invitation-link-used-up",
    "table-not-open",
    "no-free-seat",
)


@post(
    "/games/{game:str}/invitation-links",
    operation_id="MakeInvitationLink",
    tags=["games"],
    status_code=201,
    opt=operation(
        "commands",
        InvitationLinkShown,
        scopes=HOSTING,
        status=201,
        keyed=True,
        problems=(*_OWN, "table-not-open", "too-many-invitation-links"),
    ),
)
async def make_invitation_link(
    request: StrictRequest, game: FromPath[str], data: JSONBody[NewInvitationLink]
) -> Reply:
    """Make a link to your table: whoever has it is invited by `POST /v1/invitations`.

    It lasts until it expires, is used up or is withdrawn, and at most until the game begins.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    await _require_host(app_context, caller, game, is_open=True)
    named = name_command(app_context, request, caller, key, data)
    made = await app_context.invitation_links.make(caller, game, data, named)
    return done(encode(made), 201)


@get(
    "/games/{game:str}/invitation-links",
    operation_id="ListInvitationLinks",
    tags=["games"],
    opt=operation("reads", InvitationLinksListed, scopes=HOSTING, problems=_OWN),
)
async def list_invitation_links(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The links to your table by which somebody can still come, without their secrets."""
    app_context, caller = app_context_of(request), request.caller
    await _require_host(app_context, caller, game)
    links = await app_context.invitation_links.of(caller, game)
    return done(encode(InvitationLinksListed(game=game, links=links)))


@delete(
    "/games/{game:str}/invitation-links/{link:str}",
    operation_id="WithdrawInvitationLink",
    tags=["games"],
    status_code=204,
    opt=operation(
        "commands",
        None,
        scopes=HOSTING,
        status=204,
        problems=(*_OWN, "unknown-invitation-link", "invitation-link-withdrawn", "too-busy"),
    ),
)
async def withdraw_invitation_link(
    request: StrictRequest, game: FromPath[str], link: FromPath[str]
) -> None:
    """Withdraw a link to your table. Who has come by it stays. Repeating it is harmless."""
    app_context, caller = app_context_of(request), request.caller
    await _require_host(app_context, caller, game)
    await app_context.invitation_links.withdraw(caller, link)


@post(
    "/invitations/read",
    operation_id="ReadInvitation",
    tags=["games"],
    status_code=200,
    opt=operation("registrations", InvitationShown, keyed=True, problems=_INVITED),
)
async def read_invitation(request: StrictRequest, data: JSONBody[InvitationSecret]) -> Reply:
    """The table that a link invites to, also for somebody who has no account yet.

    The secret is in the body, because addresses are written down in many places.
    """
    request.idempotency_key(REGISTRATION_KEY_LEAST)
    links = app_context_of(request).invitation_links
    return done(encode(await links.look(data.secret, request.user)))


@post(
    "/invitations",
    operation_id="TakeInvitation",
    tags=["games"],
    status_code=201,
    opt=operation(
        "commands",
        InvitationTaken,
        scopes=PLAYING,
        status=201,
        keyed=True,
        problems=(*_INVITED, "too-many-invitations"),
    ),
)
async def take_invitation(request: StrictRequest, data: JSONBody[InvitationSecret]) -> Reply:
    """Be invited by a link: from then on you see the table, and may sit down. Idempotent."""
    request.idempotency_key()
    links = app_context_of(request).invitation_links
    game = await links.take(data.secret, request.caller)
    return done(encode(InvitationTaken(game=game)), 201)


async def _require_host(
    app_context: AppContext, caller: Principal, game: str, *, is_open: bool = False
) -> None:
    """Raises: Refused: game-not-found. Rejected: not-the-host, table-not-open."""
    state = (await look_up(app_context, caller, game)).state
    if state.host != caller.player:
        raise Rejected(TableCode.NOT_THE_HOST, "only the host does this")
    if is_open:
        require_open(state)


HANDLERS: Final[list[HTTPRouteHandler]] = [
    make_invitation_link,
    list_invitation_links,
    withdraw_invitation_link,
    read_invitation,
    take_invitation,
]
