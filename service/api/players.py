"""``/v1/players`` and ``/v1/tokens``."""

from __future__ import annotations

import contextlib
import re
from typing import Annotated, Final

import structlog
from litestar import delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from club.account_events import SCOPES
from service.house import house_of
from service.operations import operation
from service.principals import Principal
from service.problems import Refused
from service.replies import Reply, done
from service.requests import StrictRequest
from service.wire import (
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

REGISTRATION_KEY_LEAST: Final = 16
"""Registrations are told apart by their keys alone, so these cannot be short."""

Owner = Annotated[
    str | None,
    QueryParameter(
        pattern=PLAYER_ID, description="Whose tokens: your own, or by the scope `admin` anybody's."
    ),
]

_PLAYER = re.compile(PLAYER_ID)
_log = structlog.get_logger(__name__)


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
    """Become a player. The answer holds the first token, with the scope `play`.

    A program of yours plays by a token of its own, with the scope `bot` (`POST /v1/tokens`). The
    token is shown here and nowhere else. Whoever repeats the request with the same key from the
    same address is shown it again, so choose the key at random (a UUID will do) and keep it to
    yourself.
    """
    house = house_of(request)
    key = request.idempotency_key(REGISTRATION_KEY_LEAST)
    address = house.addresses.group(request.scope)
    player = house.registrar.new_player(address, key)
    async with contextlib.AsyncExitStack() as stack:
        name = house.address_names.of(request.scope)
        if name not in house.presence.around.lifted:
            await stack.enter_async_context(house.quotas.registration(name, player))
        made = await house.registrar.register(data, address, key)
    return done(encode(made), 201, f"/v1/players/{made.id}")


@get(
    "/players/{player:str}",
    operation_id="ReadPlayer",
    tags=["players"],
    opt=operation("reads", PlayerInfo, problems=("player-not-found",)),
)
async def read_player(request: StrictRequest, player: FromPath[str]) -> Reply:
    """A player's name, if they have not been deleted."""
    registrar = house_of(request).registrar
    account = await registrar.account(_player(player))
    found = PlayerInfo(
        id=player,
        name=await registrar.name(player, account),
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
    """Delete your account, for ever: its tokens open nothing and its names are erased.

    Games stay as they are and say "deleted player"; where you still sit, your time runs out. It
    needs the scope `play`, or `admin` for the account of another. Repeating it is harmless.
    """
    caller = request.caller
    await house_of(request).registrar.delete(caller, _own(caller, player))
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
    """One more token, with scopes that your token has itself; by `play` also one with `bot`.

    A token acts as a person (`play`) or as a program (`bot`), never as both. The scope `admin`
    goes beyond: it hands out any scopes, to any player.
    """
    house = house_of(request)
    key = request.idempotency_key()
    return done(encode(await house.registrar.issue(request.caller, data, key)), 201)


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
    """Your tokens: what they allow, and whether they have been revoked. Never the tokens."""
    caller = request.caller
    owner = _own(caller, player)
    registrar = house_of(request).registrar
    account = await registrar.account(owner)
    tokens = [
        TokenInfo(
            id=name,
            scopes=token.scopes,
            label=await registrar.label(owner, token.label_seal),
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
    """Make a token worthless, at once and for ever. Repeating it is harmless."""
    caller = request.caller
    await house_of(request).registrar.revoke(caller, _own(caller, player), token)


def _player(wish: str) -> str:
    if not _PLAYER.fullmatch(wish):
        raise Refused("player-not-found", "there is no such player")
    return wish


def _own(caller: Principal, wish: str | None) -> str:
    """Whose tokens the caller works on."""
    if wish is not None and wish != caller.player and not caller.has("admin"):
        raise Refused("not-your-account", "this account is somebody else's")
    return _player(wish or caller.player)


HANDLERS: Final[list[HTTPRouteHandler]] = [
    register_player,
    read_player,
    delete_player,
    issue_token,
    list_tokens,
    revoke_token,
]
