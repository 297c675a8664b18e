"""``/v1/players`` and ``/v1/tokens``."""

from __future__ import annotations

import contextlib
import re
from typing import Annotated, Final

from litestar import delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from club.account_events import SCOPES
from events.logger import get_logger
from service.app_context import app_context_of
from service.contract.bodies import (
    PLAYER_ID,
    NewPlayer,
    NewToken,
    PlayerInfo,
    PlayerRegistered,
    TokenInfo,
    Tokens,
    TokenShown,
    encode,
)
from service.contract.operations import operation
from service.http.principals import Principal
from service.http.problems import Refused
from service.http.replies import Reply, done
from service.http.requests import StrictRequest

REGISTRATION_KEY_LEAST: Final = 16
"""Only their keys tell registrations apart, so these must be long."""

Owner = Annotated[
    str | None,
    QueryParameter(
        pattern=PLAYER_ID,
        description="The player who owns the tokens: you by default; with the scope `admin`, any.",
    ),
]

_PLAYER = re.compile(PLAYER_ID)
_log = get_logger(__name__)


@post(
    "/players",
    operation_id="RegisterPlayer",
    tags=["players"],
    status_code=201,
    opt=operation(
        "registrations",
        PlayerRegistered,
        status=201,
        keyed=True,
        headers=("Location",),
        problems=("bad-name", "too-many-registrations", "account-deleted"),
    ),
)
async def register_player(request: StrictRequest, data: JSONBody[NewPlayer]) -> Reply:
    """Register as a player. The answer contains your first token, with the scope `play`.

    Your programs play with tokens of their own, with the scope `bot` (`POST /v1/tokens`). The token
    is shown here and nowhere else. Repeating the request with the same key from the same address
    shows it again, so choose the key at random (a UUID will do) and keep it secret.
    """
    app_context = app_context_of(request)
    key = request.idempotency_key(REGISTRATION_KEY_LEAST)
    address = app_context.addresses.group(request.scope)
    player = app_context.account_service.new_player(address, key)
    async with contextlib.AsyncExitStack() as stack:
        name = app_context.address_names.of(request.scope)
        if name not in app_context.presence.around.lifted:
            await stack.enter_async_context(app_context.quotas.registration(name, player))
        made = await app_context.account_service.register(data, address, key)
    return done(encode(made), 201, f"/v1/players/{made.id}")


@get(
    "/players/{player:str}",
    operation_id="ReadPlayer",
    tags=["players"],
    opt=operation("reads", PlayerInfo, problems=("player-not-found",)),
)
async def read_player(request: StrictRequest, player: FromPath[str]) -> Reply:
    """A player, with their name unless they have been deleted."""
    account_service = app_context_of(request).account_service
    account = await account_service.account(_player(player))
    found = PlayerInfo(
        id=player,
        name=await account_service.name(player, account),
        registered_at=account.registered_at,
        deleted=account.deleted_at is not None,
    )
    return done(encode(found))


@delete(
    "/players/{player:str}",
    operation_id="DeletePlayer",
    tags=["players"],
    status_code=204,
    opt=operation(
        "commands",
        None,
        scopes=("play", "admin"),
        status=204,
        problems=(
            *("not-your-account", "player-not-found", "scope-not-granted"),
            *("unknown-token", "token-revoked", "too-busy"),
        ),
    ),
)
async def delete_player(request: StrictRequest, player: FromPath[str]) -> None:
    """Delete your account permanently: its tokens stop working and its names are erased.

    Games stay as they are and show "deleted player"; in running games your time runs out. This
    needs the scope `play`, or `admin` for another player's account. Repeating it is harmless.
    """
    caller = request.caller
    await app_context_of(request).account_service.delete(caller, _own(caller, player))
    _log.info("account_deleted", player=player)


@post(
    "/tokens",
    operation_id="IssueToken",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "commands",
        TokenShown,
        scopes=SCOPES,
        status=201,
        keyed=True,
        problems=(
            "bad-scopes",
            "person-or-program",
            "bad-label",
            "scope-not-granted",
            "too-many-tokens",
            "token-revoked",
            "not-your-account",
            "player-not-found",
            "account-deleted",
            "too-many-names",
        ),
    ),
)
async def issue_token(request: StrictRequest, data: JSONBody[NewToken]) -> Reply:
    """Issue another token, with scopes that your token has itself; `play` may also grant `bot`.

    A token acts as a person (`play`) or as a program (`bot`), never as both. The scope `admin` may
    grant any scope to any player.
    """
    app_context = app_context_of(request)
    key = request.idempotency_key()
    return done(encode(await app_context.account_service.issue(request.caller, data, key)), 201)


@get(
    "/tokens",
    operation_id="ListTokens",
    tags=["tokens"],
    opt=operation(
        "reads", Tokens, scopes=SCOPES, problems=("not-your-account", "player-not-found")
    ),
)
async def list_tokens(
    request: StrictRequest,
    player: Owner = None,
) -> Reply:
    """Your tokens: their scopes, and whether they have been revoked. Never their secrets."""
    caller = request.caller
    owner = _own(caller, player)
    account_service = app_context_of(request).account_service
    account = await account_service.account(owner)
    tokens = [
        TokenInfo(
            id=name,
            scopes=token.scopes,
            label=await account_service.label(owner, token.label_seal),
            issued_at=token.issued_at,
            revoked_at=token.revoked_at,
        )
        for name, token in account.tokens.items()
    ]
    return done(encode(Tokens(player=owner, tokens=tuple(tokens))))


@delete(
    "/tokens/{token:str}",
    operation_id="RevokeToken",
    tags=["tokens"],
    status_code=204,
    opt=operation(
        "commands",
        None,
        scopes=SCOPES,
        status=204,
        problems=(
            "unknown-token",
            "token-revoked",
            "scope-not-granted",
            "not-your-account",
            "account-deleted",
            "player-not-found",
            "too-busy",
        ),
    ),
)
async def revoke_token(
    request: StrictRequest,
    token: FromPath[str],
    player: Owner = None,
) -> None:
    """Revoke a token, at once and permanently. Repeating it is harmless."""
    caller = request.caller
    await app_context_of(request).account_service.revoke(caller, _own(caller, player), token)


def _player(requested: str) -> str:
    if not _PLAYER.fullmatch(requested):
        raise Refused("player-not-found", "player not found")
    return requested


def _own(caller: Principal, requested: str | None) -> str:
    """The player whose tokens the caller manages."""
    if requested is not None and requested != caller.player and not caller.has("admin"):
        raise Refused("not-your-account", "this account belongs to another player")
    return _player(requested or caller.player)


HANDLERS: Final[list[HTTPRouteHandler]] = [
    register_player,
    read_player,
    delete_player,
    issue_token,
    list_tokens,
    revoke_token,
]
