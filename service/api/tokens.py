"""``/v1/tokens``: the credentials of a player."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from club.account_events import SCOPES
from service.api.command_execution import key_if_given
from service.api.owners import owner_of
from service.app_context import app_context_of
from service.contract.bodies import (
    PLAYER_ID,
    DeviceLinkInfo,
    NewLabel,
    NewToken,
    TokenInfo,
    Tokens,
    TokenShown,
    encode,
    encode_sorted,
)
from service.contract.operations import operation
from service.contract.passkey_bodies import PasskeyInfo
from service.http.replies import Reply, done
from service.http.requests import StrictRequest

Owner = Annotated[
    str | None,
    QueryParameter(
        pattern=PLAYER_ID,
        description="The player who owns the tokens: you by default; with the scope `admin`, any.",
    ),
]


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
    """Your tokens and passkeys: what they allow, where they come from, when they were used.

    Never their secrets. When a token was last used is told to the hour, half a minute late at most.
    """
    caller, app_context = request.caller, app_context_of(request)
    owner = owner_of(caller, player)
    account_service = app_context.account_service
    account = await account_service.account(owner)
    uses = await app_context.token_uses.of(owner)
    tokens = [
        TokenInfo(
            id=name,
            scopes=token.scopes,
            label=await account_service.label(owner, token.label_seal),
            origin=token.origin,
            issued_at=token.issued_at,
            last_used_at=uses.get(name),
            revoked_at=token.revoked_at,
            current=owner == caller.player and name == caller.token,
        )
        for name, token in account.tokens.items()
    ]
    passkeys = [
        PasskeyInfo(
            id=name,
            label=await account_service.label(owner, passkey.label_seal),
            made_at=passkey.made_at,
            last_used_at=passkey.used_at,
            revoked_at=passkey.revoked_at,
        )
        for name, passkey in account.passkeys.items()
    ]
    link = account.usable_link(app_context.tables.clock())
    file = account.recovery_file
    answer = Tokens(
        player=owner,
        tokens=tuple(tokens),
        device_link=None
        if link is None
        else DeviceLinkInfo(id=link.id, expires_at=link.expires_at),
        recovery_file_made_at=None if file is None else file.made_at,
        passkeys=tuple(passkeys),
    )
    return done(encode(answer))


@post(
    "/tokens/{token:str}/label",
    operation_id="LabelToken",
    tags=["tokens"],
    status_code=204,
    opt=operation(
        "commands",
        None,
        scopes=SCOPES,
        status=204,
        keyed=True,
        problems=(
            "bad-label",
            "unknown-token",
            "token-revoked",
            "scope-not-granted",
            "not-your-account",
            "account-deleted",
            "player-not-found",
            "too-many-names",
        ),
    ),
)
async def label_token(
    request: StrictRequest,
    token: FromPath[str],
    data: JSONBody[NewLabel],
    player: Owner = None,
) -> None:
    """Call a token something, so that you recognise it in the list; an empty label is none.

    Only the owner of the account reads labels, and they are erased with it.
    """
    caller, key = request.caller, request.idempotency_key()
    owner, account_service = owner_of(caller, player), app_context_of(request).account_service
    content = f"POST /v1/tokens/{owner}/{token}/label\n".encode() + encode_sorted(data)
    named = account_service.name_request(caller.player, key, content)
    await account_service.label_token(caller, owner, token, data.label, named)


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
    app_context = app_context_of(request)
    await app_context.account_service.revoke(caller, owner_of(caller, player), token)


@delete(
    "/tokens",
    operation_id="RevokeOtherTokens",
    tags=["tokens"],
    status_code=204,
    opt=operation(
        "commands",
        None,
        scopes=SCOPES,
        status=204,
        problems=(
            "no-other-tokens",
            "scope-not-granted",
            "unknown-token",
            "token-revoked",
            "not-your-account",
            "account-deleted",
            "player-not-found",
            "idempotency-key-invalid",
            "idempotency-key-reused",
            "too-busy",
        ),
    ),
)
async def revoke_other_tokens(request: StrictRequest) -> None:
    """Revoke all your tokens but the one that you send, at once and permanently.

    Tokens with scopes that yours may not revoke stay. The `Idempotency-Key` is optional: without
    it, a repetition finds no other tokens.
    """
    caller, account_service = request.caller, app_context_of(request).account_service
    named = account_service.name_request(caller.player, key_if_given(request), b"DELETE /v1/tokens")
    await account_service.revoke_others(caller, named)


HANDLERS: Final[list[HTTPRouteHandler]] = [
    issue_token,
    list_tokens,
    label_token,
    revoke_token,
    revoke_other_tokens,
]
