"""``/v1/device-links``, ``/v1/recovery-file`` and ``/v1/sign-ins``: a token for another browser."""

from __future__ import annotations

from typing import Final

from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from club.account_events import FIRST_SCOPES
from service.api.players import REGISTRATION_KEY_LEAST
from service.app_context import app_context_of
from service.contract.bodies import encode
from service.contract.operations import OWN_ACCOUNT, operation
from service.contract.sign_in_bodies import (
    DeviceLinkShown,
    RecoveryFileShown,
    SignedIn,
    SignInSecret,
)
from service.http.replies import Reply, done
from service.http.requests import StrictRequest


@post(
    "/device-links",
    operation_id="MakeDeviceLink",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "commands",
        DeviceLinkShown,
        scopes=FIRST_SCOPES,
        status=201,
        keyed=True,
        problems=OWN_ACCOUNT,
    ),
)
async def make_device_link(request: StrictRequest) -> Reply:
    """Make a link that signs another device of yours in: once, within ten minutes.

    It replaces any earlier one, and becomes worthless when the token is revoked by which you ask.
    """
    await request.require_no_body()
    sign_ins, key = app_context_of(request).sign_ins, request.idempotency_key()
    return done(encode(await sign_ins.make_link(request.caller, key)), 201)


@delete(
    "/device-links/{link:str}",
    operation_id="WithdrawDeviceLink",
    tags=["tokens"],
    status_code=204,
    opt=operation(
        "commands",
        None,
        scopes=FIRST_SCOPES,
        status=204,
        problems=(*OWN_ACCOUNT, "unknown-device-link", "device-link-used", "too-busy"),
    ),
)
async def withdraw_device_link(request: StrictRequest, link: FromPath[str]) -> None:
    """Make your device link worthless. Repeating it is harmless."""
    await app_context_of(request).sign_ins.withdraw_link(request.caller, link)


@post(
    "/sign-ins/device-link",
    operation_id="UseDeviceLink",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "registrations",
        SignedIn,
        status=201,
        keyed=True,
        problems=(
            "unknown-device-link",
            "device-link-used",
            "device-link-expired",
            "too-many-tokens",
        ),
    ),
)
async def use_device_link(request: StrictRequest, data: JSONBody[SignInSecret]) -> Reply:
    """Sign in with the secret of a device link. The answer contains a token of your own.

    The token is shown here and nowhere else; repeating the request with the same key shows it
    again, and no other request does, because a link signs in once.
    """
    key = request.idempotency_key(REGISTRATION_KEY_LEAST)
    return done(encode(await app_context_of(request).sign_ins.use_link(data.secret, key)), 201)


@post(
    "/recovery-file",
    operation_id="MakeRecoveryFile",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "commands",
        RecoveryFileShown,
        scopes=FIRST_SCOPES,
        status=201,
        keyed=True,
        problems=OWN_ACCOUNT,
    ),
)
async def make_recovery_file(request: StrictRequest) -> Reply:
    """Make a recovery file: its secret signs you in when every token is lost.

    Keep it where only you find it. It is good until you make the next one.
    """
    await request.require_no_body()
    sign_ins, key = app_context_of(request).sign_ins, request.idempotency_key()
    return done(encode(await sign_ins.make_file(request.caller, key)), 201)


@post(
    "/sign-ins/recovery-file",
    operation_id="UseRecoveryFile",
    tags=["tokens"],
    status_code=201,
    opt=operation(
        "registrations", SignedIn, status=201, keyed=True, problems=("recovery-file-invalid",)
    ),
)
async def use_recovery_file(request: StrictRequest, data: JSONBody[SignInSecret]) -> Reply:
    """Sign in with the secret of a recovery file. The answer contains a token of your own.

    If the account has as many live tokens as it may have, the oldest one is revoked.
    """
    key = request.idempotency_key(REGISTRATION_KEY_LEAST)
    return done(encode(await app_context_of(request).sign_ins.use_file(data.secret, key)), 201)


HANDLERS: Final[list[HTTPRouteHandler]] = [
    make_device_link,
    withdraw_device_link,
    use_device_link,
    make_recovery_file,
    use_recovery_file,
]
