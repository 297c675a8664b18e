"""``/v1/games``: opening a table, taking and leaving seats, starting and closing."""

from __future__ import annotations

import re
from typing import Any, Final

from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody
from msgspec import UNSET

from events.kernel import PUBLIC, Seat
from events.seal import NotCanonicalError, plain
from events.transact import CommandReceipt
from games.table.events import (
    CloseTable,
    LeaveSeat,
    OpenTable,
    SeatTaken,
    StartTable,
    TableStarted,
    TakeSeat,
)
from games.table.state import TableState
from runtime.fullness import Level
from service.access.accounts import event_of
from service.access.view_scope import look_up
from service.api.command_execution import (
    execute,
    key_if_given,
    name_command,
    receipt_of,
    redacted_receipt,
)
from service.api.invited import require_invited
from service.api.naming import sealed_name, sit_down
from service.app_context import AppContext, app_context_of
from service.contract.bodies import NewGame, NewSeat, Receipt
from service.contract.operations import HOSTING, operation
from service.http.principals import Principal
from service.http.problems import Flaw, Refused
from service.http.replies import Reply
from service.http.requests import StrictRequest

_SEAT: Final = re.compile(r"[0-9]{1,3}")


@post(
    "/games",
    operation_id="OpenGame",
    tags=["games"],
    status_code=201,
    opt=operation(
        "commands",
        Receipt,
        scopes=HOSTING,
        status=201,
        keyed=True,
        headers=("Location",),
        problems=(
            "unknown-game",
            "player-not-found",
            "already-invited",
            "bad-time-control",
            "bad-delay",
            "bad-tournament",
            "too-many-tables",
            "too-many-invitations",
        ),
        refused="opening",
    ),
)
async def open_game(request: StrictRequest, data: JSONBody[NewGame]) -> Reply:
    """Open a table. You are its host, but do not have a seat yet."""
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    _require_canonical(options=data.options, scenario=data.scenario)
    await require_invited(app_context, caller, data.invited)
    keys = app_context.tables.keys
    game = keys.derived_id(caller.player, key, "g", app_context.settings.shards)
    command = OpenTable(
        game=data.game,
        rulebook=data.rulebook,
        mode=data.mode,
        seats=data.seats,
        options=data.options,
        time=data.time,
        visibility=data.visibility,
        start=data.start,
        invited=data.invited,
        delay=data.delay,
        programs=data.programs,
        tournament=data.tournament,
        key=app_context.tables.game_key(game),
        situation=UNSET if data.scenario is None else data.scenario,
    )
    named = name_command(app_context, request, caller, key, data)
    actor = caller.as_player
    async with app_context.quotas.table(caller, game):
        receipt = await execute(app_context, request, game, command, actor, named, opens=True)
    return receipt_of(game, receipt, status=201, location=f"/v1/games/{game}")


@post(
    "/games/{game:str}/seats",
    operation_id="TakeSeat",
    tags=["games"],
    status_code=201,
    opt=operation(
        "commands",
        Receipt,
        scopes=HOSTING,
        status=201,
        keyed=True,
        problems=(
            "game-not-found",
            "table-not-open",
            "already-seated",
            "not-the-host",
            "unknown-bot",
            "no-programs",
            "no-free-seat",
            "unknown-seat",
            "seat-taken",
            "bad-name",
            "name-taken",
            "too-many-names",
            "account-deleted",
            "bad-entropy",
            "bot-with-entropy",
            "bot-with-name",
            "too-many-bot-games",
        ),
        refused="seating",
    ),
)
async def take_seat(request: StrictRequest, game: FromPath[str], data: JSONBody[NewSeat]) -> Reply:
    """Take a seat, or seat a house bot at your table.

    You sit under the name of your account, or under `name`, which nobody else at the table may
    have. If the table starts automatically and this was its last free seat, the game has begun.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    if data.bot is None and not caller.has("play", "bot"):
        raise Refused("scope-missing", "playing requires a token with the scope play or bot")
    before = (await look_up(app_context, caller, game, known=data.bot is None)).state
    if data.bot is not None and _begins_bots_alone(before, seated=1):
        await app_context.quotas.bots(caller, game)
    command = TakeSeat(
        seat=data.seat,
        characters=data.characters,
        bot=data.bot,
        entropy=data.entropy,
        program=data.bot is None and caller.is_program,
        name_seal=await sealed_name(app_context, caller, data),
    )
    named = name_command(app_context, request, caller, key, data)
    receipt = await sit_down(app_context, request, game, command, named)
    await _note_bots_alone(app_context, caller, game, receipt)
    # If the game has begun, the caller may read what it dealt to this very seat.
    state = (await app_context.tables.newest(game, receipt.version)).state
    taken = event_of(receipt, SeatTaken)
    viewer = app_context.tables.viewer(state, taken.seat) if data.bot is None else PUBLIC
    return receipt_of(
        game, await redacted_receipt(app_context, caller, game, receipt), viewer, status=201
    )


@delete(
    "/games/{game:str}/seats/{seat:str}",
    operation_id="LeaveSeat",
    tags=["games"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=HOSTING,
        problems=(
            "game-not-found",
            "table-not-open",
            "unknown-seat",
            "not-your-seat",
            "too-many-leavings",
            "idempotency-key-invalid",
            "idempotency-key-reused",
            "too-busy",
        ),
    ),
)
async def leave_seat(request: StrictRequest, game: FromPath[str], seat: FromPath[str]) -> Reply:
    """Leave your seat before the game begins; the host may free any seat.

    The `Idempotency-Key` is optional: without it, a repetition finds the seat empty.
    """
    app_context, caller, number = app_context_of(request), request.caller, _seat(seat)
    key = key_if_given(request)
    await look_up(app_context, caller, game, known=True)
    named = name_command(app_context, request, caller, key)
    actor = caller.as_player
    return receipt_of(
        game, await execute(app_context, request, game, LeaveSeat(seat=number), actor, named)
    )


@post(
    "/games/{game:str}/start",
    operation_id="StartGame",
    tags=["games"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=HOSTING,
        keyed=True,
        problems=(
            "game-not-found",
            "table-not-open",
            "not-the-host",
            "not-seated",
            "already-ready",
            "table-not-full",
            "too-many-bot-games",
        ),
    ),
)
async def start_game(request: StrictRequest, game: FromPath[str]) -> Reply:
    """Start the game as the host of a full table, or declare yourself ready where required."""
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    await request.require_no_body()
    before = (await look_up(app_context, caller, game)).state
    if _begins_bots_alone(before, seated=0):
        if app_context.room.level >= Level.NO_NEW_GAMES:
            raise app_context.room.full()
        await app_context.quotas.bots(caller, game)
    named = name_command(app_context, request, caller, key)
    receipt = await execute(app_context, request, game, StartTable(), caller.as_player, named)
    await _note_bots_alone(app_context, caller, game, receipt)
    return receipt_of(game, await redacted_receipt(app_context, caller, game, receipt))


@post(
    "/games/{game:str}/close",
    operation_id="CloseGame",
    tags=["games"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=HOSTING,
        keyed=True,
        problems=("game-not-found", "table-not-open", "not-the-host"),
    ),
)
async def close_game(request: StrictRequest, game: FromPath[str]) -> Reply:
    """Cancel your table, if its game has not begun. A running game is annulled by its director."""
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    await request.require_no_body()
    await look_up(app_context, caller, game, known=True)
    named = name_command(app_context, request, caller, key)
    actor = caller.as_player
    return receipt_of(game, await execute(app_context, request, game, CloseTable(), actor, named))


def _seat(text: str) -> Seat:
    """A seat number in a path; ``int`` alone would also accept spaces, signs and other digits.

    Raises:
        Refused: not-found.
    """
    if not _SEAT.fullmatch(text):
        raise Refused("not-found", "a seat is addressed by its number")
    return int(text)


def _begins_bots_alone(state: TableState, *, seated: int) -> bool:
    """Whether ``seated`` more house bots would make a full table of bots alone begin."""
    full = len(state.seats) + seated == state.seat_count
    begins = not seated or state.start != "host"
    return state.phase == "open" and full and begins and _only_bots(state)


def _only_bots(state: TableState) -> bool:
    return all(place.bot is not None for place in state.seats.values())


async def _note_bots_alone(
    app_context: AppContext, caller: Principal, game: str, receipt: CommandReceipt
) -> None:
    """Count a bot-only game that has begun, even if that was not foreseen.

    Two bots seated at the same moment each see a free seat, so neither appears to be the last.
    """
    if any(isinstance(event, TableStarted) for event in receipt.events):
        state = (await app_context.tables.newest(game, receipt.version)).state
        if _only_bots(state):
            await app_context.quotas.note_bots(caller, game)


def _require_canonical(**parts: Any) -> None:  # noqa: ANN401 (any JSON value)
    """Options and scenarios go into the log, which has no fractions and no huge numbers.

    Raises:
        Refused: invalid-body.
    """
    for name, value in parts.items():
        try:
            plain(value)
        except NotCanonicalError as error:
            flaw = Flaw(source="body", at=f"$.{name}", message=str(error))
            raise Refused("invalid-body", f"{name}: {error}", errors=(flaw,)) from None


HANDLERS: Final[list[HTTPRouteHandler]] = [
    open_game,
    take_seat,
    leave_seat,
    start_game,
    close_game,
]
