"""Commands: from a request to a receipt, once per ``Idempotency-Key``."""

from __future__ import annotations

import secrets
from http import HTTPStatus

from msgspec.structs import replace

from events.kernel import PUBLIC, Actor, Command, Viewer, redact
from events.transact import CommandReceipt, Moved
from games.table.events import TableStarted
from service.access.request_name import RequestName
from service.access.view_scope import look_again, look_at
from service.app_context import AppContext
from service.contract.bodies import Happened, Receipt, encode_canonical, encode_sorted
from service.http.principals import Principal
from service.http.replies import Reply, done, wanted_version
from service.http.requests import StrictRequest


def key_if_given(request: StrictRequest) -> str:
    """The ``Idempotency-Key`` of a request; a random one if the request has none.

    Raises:
        Refused: idempotency-key-invalid.
    """
    if request.header(b"idempotency-key") is None:
        return secrets.token_urlsafe(24)
    return request.idempotency_key()


def name_command(
    app_context: AppContext,
    request: StrictRequest,
    caller: Principal,
    key: str,
    body: object = None,
) -> RequestName:
    """Name a request by its caller and key; the digest covers method, path and body."""
    content = f"{request.method} {request.scope['path']}\n".encode() + encode_sorted(body)
    return RequestName.of(app_context.tables.keys, caller.player, key, content)


async def execute(  # noqa: PLR0913 (a command and its context: call sites name the arguments)
    app_context: AppContext,
    request: StrictRequest,
    game: str,
    command: Command,
    actor: Actor,
    named: RequestName,
    *,
    opens: bool = False,
    after: int | None = None,
    refusal: Exception | None = None,
) -> CommandReceipt:
    """Pass a command to the table service, for the version that ``If-Match`` requires.

    Without the header it is for the version ``after``, if one is given. ``refusal`` is why the
    command cannot be accepted now, unless it was accepted before.

    Raises:
        Refused: invalid-parameter.
        Moved, Rejected, KeyReused, LogUnavailable: see ``TableService.command``.
    """
    wanted = wanted_version(request)
    access = (
        None if wanted is None or opens else await look_at(app_context, request.user, game, None)
    )
    after = after if wanted is None else wanted
    if access is not None and access.version < access.seen.newest:
        # For a delayed spectator the newest version is the newest visible one.
        if after != access.version:
            raise Moved(access.version)
        after = None
    try:
        return await app_context.tables.command(
            game,
            command,
            actor=actor,
            command_id=named.command_id,
            digest=named.digest,
            opens=opens,
            after=after,
            refusal=refusal,
        )
    except Moved:
        if access is None:
            raise
        raise Moved((await look_again(app_context, request.user, access)).version) from None


async def take_step(
    app_context: AppContext,
    game: str,
    command: Command,
    actor: Actor,
    step: str,
    *,
    opens: bool = False,
) -> None:
    """Take one step of several that a request takes, once per actor.

    ``step`` names it, also for whoever repeats the request; a client's key holds no space.

    Raises:
        Rejected, StoreFull, LogUnavailable: see ``TableService.command``.
    """
    named = RequestName.of(app_context.tables.keys, actor.id, step, step.encode())
    await app_context.tables.command(
        game,
        command,
        actor=actor,
        command_id=named.command_id,
        digest=named.digest,
        opens=opens,
    )


async def redacted_receipt(
    app_context: AppContext, caller: Principal, game: str, receipt: CommandReceipt
) -> CommandReceipt:
    """The part of a receipt that its caller may see.

    A caller who starts a delayed game without playing in it sees that it began, but not what
    happened next. Seats no longer change, so a repetition gets the same answer.

    Raises:
        Damaged, LogUnavailable: the game cannot be read.
    """
    begun = next((n for n, e in enumerate(receipt.events, 1) if isinstance(e, TableStarted)), None)
    if begun is None:
        return receipt
    state = (await app_context.tables.newest(game, receipt.version)).state
    if state.delay is None or state.seats_of(caller.player):
        return receipt
    version, events = receipt.first + begun - 1, receipt.events[:begun]
    return replace(receipt, version=version, count=begun, events=events)


def receipt_of(
    game: str,
    receipt: CommandReceipt,
    viewer: Viewer = PUBLIC,
    status: int = 200,
    location: str | None = None,
) -> Reply:
    """The answer to an accepted command.

    It is built only from what was recorded and is encoded canonically (maps read from the log have
    another order), so a repeated command gets the same answer to the byte. One that is not kept as
    promised yet is answered 202 without its events, which a machine that dies may take along.
    """
    happened = () if receipt.short else receipt.events
    events = tuple(
        Happened(v=version, event=redact(event, viewer))
        for version, event in enumerate(happened, receipt.first)
    )
    body = Receipt(
        game=game,
        version=receipt.version,
        at=receipt.at,
        events=events,
        durability=receipt.level,
    )
    return done(encode_canonical(body), status_of(receipt, status), location)


def status_of(receipt: CommandReceipt, status: int) -> int:
    """The status of the answer to an accepted command: ``status`` if it is kept as promised."""
    return HTTPStatus.ACCEPTED if receipt.short else status
