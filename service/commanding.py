"""Commands: from a request to a receipt, once for each ``Idempotency-Key``."""

from __future__ import annotations

from msgspec import Struct

from events.kernel import PUBLIC, Actor, Command, Viewer, redact
from events.transact import Receipt as LogReceipt
from service.house import House
from service.principals import Principal
from service.replies import Reply, done, wanted_version
from service.requests import StrictRequest
from service.wire import Happened, Receipt, encode_canonical, encode_sorted


class Named(Struct, frozen=True):
    """How the log knows a command: its name and the digest of its content."""

    command_id: str
    digest: str


def name_command(
    house: House, request: StrictRequest, caller: Principal, key: str, body: object = None
) -> Named:
    """The name of a request: by its caller and key; the digest covers method, path and body."""
    keys = house.desk.keys
    content = f"{request.method} {request.scope['path']}\n".encode() + encode_sorted(body)
    return Named(keys.command_id(caller.player, key), keys.digest(content))


async def execute(
    house: House,
    request: StrictRequest,
    game: str,
    command: Command,
    actor: Actor,
    named: Named,
    *,
    opens: bool = False,
) -> LogReceipt:
    """Give a command to the desk, for the version that ``If-Match`` insists on.

    Raises:
        Refused: invalid-parameter.
        Moved, Rejected, KeyReused, LogUnavailable: see ``Desk.command``.
    """
    return await house.desk.command(
        game,
        command,
        actor=actor,
        command_id=named.command_id,
        digest=named.digest,
        opens=opens,
        after=wanted_version(request),
    )


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
