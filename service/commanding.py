"""Commands: from a request to a receipt, once for each ``Idempotency-Key``."""

from __future__ import annotations

import secrets

from msgspec import Struct
from msgspec.structs import replace

from events.kernel import PUBLIC, Actor, Command, Viewer, redact
from events.transact import Moved
from events.transact import Receipt as LogReceipt
from games.table_events import TableStarted
from service.house import House
from service.principals import Principal
from service.replies import Reply, done, wanted_version
from service.requests import StrictRequest
from service.seeing import look_again, look_at
from service.wire import Happened, Receipt, encode_canonical, encode_sorted


class Named(Struct, frozen=True):
    """How the log knows a command: its name and the digest of its content."""

    command_id: str
    digest: str


def key_if_given(request: StrictRequest) -> str:
    """The ``Idempotency-Key`` of a request that may go without one; then a key that nobody knows.

    Raises:
        Refused: idempotency-key-invalid.
    """
    if request.header(b"idempotency-key") is None:
        return secrets.token_urlsafe(24)
    return request.idempotency_key()


def name_command(
    house: House, request: StrictRequest, caller: Principal, key: str, body: object = None
) -> Named:
    """The name of a request: by its caller and key; the digest covers method, path and body."""
    keys = house.desk.keys
    content = f"{request.method} {request.scope['path']}\n".encode() + encode_sorted(body)
    return Named(keys.command_id(caller.player, key), keys.digest(content))


async def execute(  # noqa: PLR0913 (what comes with a command: every argument is named)
    house: House,
    request: StrictRequest,
    game: str,
    command: Command,
    actor: Actor,
    named: Named,
    *,
    opens: bool = False,
    after: int | None = None,
    refusal: Exception | None = None,
) -> LogReceipt:
    """Give a command to the desk, for the version that ``If-Match`` insists on.

    Without that it is for the version ``after``, if one is given. ``refusal`` is why the command
    cannot be accepted now, unless it was before.

    Raises:
        Refused: invalid-parameter.
        Moved, Rejected, KeyReused, LogUnavailable: see ``Desk.command``.
    """
    wanted = wanted_version(request)
    sight = None if wanted is None or opens else await look_at(house, request.user, game, None)
    after = after if wanted is None else wanted
    if sight is not None and sight.version < sight.seen.newest:
        # For who sees the game with a delay its newest version is the newest one that it sees.
        if after != sight.version:
            raise Moved(sight.version)
        after = None
    try:
        return await house.desk.command(
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
        if sight is None:
            raise
        raise Moved((await look_again(house, request.user, sight)).version) from None


async def as_told(house: House, caller: Principal, game: str, receipt: LogReceipt) -> LogReceipt:
    """As much of a receipt as its caller may be told.

    Who begins a game with a delay and does not play is told that it began, but not what then
    happened. Nobody sits down or leaves any more, so a repetition is told the same.

    Raises:
        Damaged, LogUnavailable: the game cannot be read.
    """
    begun = next((n for n, e in enumerate(receipt.events, 1) if isinstance(e, TableStarted)), None)
    if begun is None:
        return receipt
    state = (await house.desk.load(game, receipt.version)).state
    if state.delay is None or state.seats_of(caller.player):
        return receipt
    version, events = receipt.first + begun - 1, receipt.events[:begun]
    return replace(receipt, version=version, count=begun, events=events)


def receipt_of(
    game: str,
    receipt: LogReceipt,
    viewer: Viewer = PUBLIC,
    status: int = 200,
    location: str | None = None,
) -> Reply:
    """The answer to an accepted command.

    It is made of what was recorded alone and spelt in one way (maps come back from the log in
    another order), so a repeated command has the same answer to the byte.
    """
    events = tuple(
        Happened(v=version, event=redact(event, viewer))
        for version, event in enumerate(receipt.events, receipt.first)
    )
    body = Receipt(game=game, version=receipt.version, at=receipt.at, events=events)
    return done(encode_canonical(body), status, location)
