"""``/v1/players``."""

from __future__ import annotations

import contextlib
from typing import Final

from litestar import delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.logger import get_logger
from service.access.accounts import AccountService
from service.api.owners import owner_of, require_player_id
from service.app_context import app_context_of
from service.contract.bodies import (
    NewName,
    NewPlayer,
    PlayerInfo,
    PlayerRegistered,
    encode,
    encode_sorted,
)
from service.contract.operations import operation
from service.http.replies import Reply, done
from service.http.requests import StrictRequest

REGISTRATION_KEY_LEAST: Final = 16
"""Only their keys tell registrations apart, so these must be long."""

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
    return done(encode(await _info(account_service, require_player_id(player))))


@post(
    "/players/{player:str}/name",
    operation_id="RenamePlayer",
    tags=["players"],
    status_code=200,
    opt=operation(
        "commands",
        PlayerInfo,
        scopes=("play", "admin"),
        keyed=True,
        problems=(
            *("bad-name", "name-unchanged", "too-many-names", "account-deleted"),
            *("not-your-account", "player-not-found", "scope-not-granted"),
            *("unknown-token", "token-revoked"),
        ),
    ),
)
async def rename_player(
    request: StrictRequest, player: FromPath[str], data: JSONBody[NewName]
) -> Reply:
    """Call yourself something else, everywhere and at once: also at tables, in lists and records.

    What you were called before is erased. A seat that you took under another name than that of your
    account keeps it. Where another player at a table has the same name, yours is shown with the
    number of your seat.
    """
    caller, key = request.caller, request.idempotency_key()
    owner, account_service = owner_of(caller, player), app_context_of(request).account_service
    content = f"POST /v1/players/{owner}/name\n".encode() + encode_sorted(data)
    named = account_service.name_request(caller.player, key, content)
    await account_service.rename(caller, owner, data.name, named)
    return done(encode(await _info(account_service, owner)))


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
    app_context, owner = app_context_of(request), owner_of(caller, player)
    await app_context.account_service.delete(caller, owner)
    await app_context.token_uses.erase(owner)
    _log.info("account_deleted", player=player)


async def _info(account_service: AccountService, player: str) -> PlayerInfo:
    account = await account_service.account(player)
    return PlayerInfo(
        id=player,
        name=await account_service.name(player, account),
        registered_at=account.registered_at,
        deleted=account.deleted_at is not None,
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [
    register_player,
    read_player,
    rename_player,
    delete_player,
]
