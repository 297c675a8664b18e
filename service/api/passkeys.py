"""``/v1/passkeys`` and ``/v1/sign-ins/passkey``: signing in without typing anything."""

from __future__ import annotations

from typing import Final

from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from club.account_events import FIRST_SCOPES
from service.api.players import REGISTRATION_KEY_LEAST
from service.app_context import app_context_of
from service.contract.bodies import NewLabel, encode, encode_sorted
from service.contract.operations import OWN_ACCOUNT, operation
from service.contract.passkey_bodies import (
    NewPasskey,
    PasskeyChallenge,
    PasskeyCreation,
    PasskeyInfo,
    PasskeySignIn,
)
from service.contract.sign_in_bodies import SignedIn
from service.http.replies import Reply, done
from service.http.requests import StrictRequest

_ONE: Final = ("unknown-passkey", "passkey-revoked")
_LABELLED: Final = ("bad-label", "too-many-names", "account-deleted")
_PROVED: Final = (
    "passkeys-unavailable",
    "passkey-challenge-unknown",
    "passkey-challenge-expired",
    "passkey-challenge-used",
    "passkey-other-site",
    "passkey-invalid",
)


@post(
    "/passkeys/challenge",
    operation_id="BeginPasskey",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "commands",
        PasskeyCreation,
        scopes=FIRST_SCOPES,
        status=201,
        keyed=True,
        problems=("passkeys-unavailable", "player-not-found"),
    ),
)
async def begin_passkey(request: StrictRequest) -> Reply:
    """Ask for what a browser needs to make a passkey, with a new challenge."""
    await request.require_no_body()
    passkeys, key = app_context_of(request).passkeys, request.idempotency_key()
    return done(encode(await passkeys.begin(request.caller, key)), 201)


@post(
    "/passkeys",
    operation_id="MakePasskey",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "commands",
        PasskeyInfo,
        scopes=FIRST_SCOPES,
        status=201,
        keyed=True,
        problems=(*OWN_ACCOUNT, *_PROVED, *_LABELLED, "passkey-exists", "too-many-passkeys"),
    ),
)
async def make_passkey(request: StrictRequest, data: JSONBody[NewPasskey]) -> Reply:
    """Add a passkey to your account: it signs you in on every device that has it.

    `GET /v1/tokens` lists your passkeys.
    """
    passkeys, key = app_context_of(request).passkeys, request.idempotency_key()
    return done(encode(await passkeys.make(request.caller, data, key)), 201)


@post(
    "/passkeys/{passkey:str}/label",
    operation_id="LabelPasskey",
    tags=["tokens"],
    status_code=204,
    opt=operation(
        "commands",
        None,
        scopes=FIRST_SCOPES,
        status=204,
        keyed=True,
        problems=(*OWN_ACCOUNT, *_ONE, *_LABELLED),
    ),
)
async def label_passkey(
    request: StrictRequest, passkey: FromPath[str], data: JSONBody[NewLabel]
) -> None:
    """Call a passkey something, so that you recognise it in the list; an empty label is none."""
    caller, key, app_context = request.caller, request.idempotency_key(), app_context_of(request)
    content = f"POST /v1/passkeys/{passkey}/label\n".encode() + encode_sorted(data)
    named = app_context.account_service.name_request(caller.player, key, content)
    await app_context.passkeys.label(caller, passkey, data.label, named)


@delete(
    "/passkeys/{passkey:str}",
    operation_id="RevokePasskey",
    tags=["tokens"],
    status_code=204,
    opt=operation(
        "commands",
        None,
        scopes=FIRST_SCOPES,
        status=204,
        problems=(*OWN_ACCOUNT, *_ONE, "account-deleted", "too-busy"),
    ),
)
async def revoke_passkey(request: StrictRequest, passkey: FromPath[str]) -> None:
    """Revoke a passkey, at once and permanently: it signs nobody in any more.

    Tokens that it gave stay until they are revoked themselves. Repeating it is harmless.
    """
    await app_context_of(request).passkeys.revoke(request.caller, passkey)


@post(
    "/sign-ins/passkey/challenge",
    operation_id="BeginPasskeySignIn",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "registrations",
        PasskeyChallenge,
        status=201,
        keyed=True,
        problems=("passkeys-unavailable",),
    ),
)
async def begin_sign_in(request: StrictRequest) -> Reply:
    """Ask for what a browser needs to sign in with a passkey, whoever it is: a new challenge."""
    await request.require_no_body()
    key = request.idempotency_key(REGISTRATION_KEY_LEAST)
    return done(encode(await app_context_of(request).passkeys.begin_sign_in(key)), 201)


@post(
    "/sign-ins/passkey",
    operation_id="UsePasskey",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "registrations",
        SignedIn,
        status=201,
        keyed=True,
        problems=(*_PROVED, *_ONE, "passkey-counter-behind"),
    ),
)
async def use_passkey(request: StrictRequest, data: JSONBody[PasskeySignIn]) -> Reply:
    """Sign in with what a passkey has signed. The answer contains a token of your own.

    If the account has as many live tokens as it may have, the oldest one that a passkey gave is
    revoked, or else the oldest of all.
    """
    key = request.idempotency_key(REGISTRATION_KEY_LEAST)
    return done(encode(await app_context_of(request).passkeys.sign_in(data, key)), 201)


HANDLERS: Final[list[HTTPRouteHandler]] = [
    begin_passkey,
    make_passkey,
    label_passkey,
    revoke_passkey,
    begin_sign_in,
    use_passkey,
]
