"""``/v1/games``: opening a table, sitting down and leaving, beginning."""

from __future__ import annotations

import re
from typing import Any, Final

from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody
from msgspec import UNSET

from events.kernel import PUBLIC, Seat
from events.seal import NotCanonicalError, plain
from events.transact import Receipt as LogReceipt
from games.table_events import (
    CloseTable,
    LeaveSeat,
    OpenTable,
    SeatTaken,
    StartTable,
    TableStarted,
    TakeSeat,
)
from games.table_state import TableState
from projections.fullness import Level
from service.commanding import as_told, execute, key_if_given, name_command, receipt_of
from service.house import House, house_of
from service.naming import sealed_name, sit_down
from service.operations import HOSTING, operation
from service.principals import Principal
from service.problems import Flaw, Refused
from service.replies import Reply
from service.requests import StrictRequest
from service.seeing import look_up
from service.wire import NewGame, NewSeat, Receipt

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
            "unknown-rulebook",
            "unknown-mode",
            "bad-seat-count",
            "unknown-option",
            "bad-option",
            "bad-composition",
            "bad-time-control",
            "bad-delay",
            "malformed-scenario",
            "impossible-scenario",
            "too-many-tables",
            "too-many-invitations",
        ),
    ),
)
async def open_game(request: StrictRequest, data: JSONBody[NewGame]) -> Reply:
    """Open a table. You are its host; you do not sit at it yet."""
    house, caller, key = house_of(request), request.caller, request.idempotency_key()
    _require_canonical(options=data.options, scenario=data.scenario)
    house.quotas.require_invitations(caller, len(data.invited))
    keys = house.desk.keys
    game = keys.derived_id(caller.player, key, "g", house.settings.shards)
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
        key=house.desk.game_key(game),
        situation=UNSET if data.scenario is None else data.scenario,
    )
    named = name_command(house, request, caller, key, data)
    actor = caller.as_player
    async with house.quotas.table(caller, game):
        receipt = await execute(house, request, game, command, actor, named, opens=True)
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
            "unknown-character",
            "character-taken",
            "character-not-allowed",
            "bad-name",
            "name-taken",
            "too-many-names",
            "account-deleted",
            "bad-entropy",
            "bot-with-entropy",
            "bot-with-name",
            "too-many-bot-games",
        ),
    ),
)
async def take_seat(request: StrictRequest, game: FromPath[str], data: JSONBody[NewSeat]) -> Reply:
    """Sit down, or seat a house bot at your table.

    You are called as your account is, or by `name`; nobody else at the table may be called so.
    If the table begins by itself and this was its last free seat, the game has begun.
    """
    house, caller, key = house_of(request), request.caller, request.idempotency_key()
    if data.bot is None and not caller.has("play", "bot"):
        raise Refused("scope-missing", "playing needs a token with the scope play or bot")
    before = (await look_up(house, caller, game, known=data.bot is None)).state
    if data.bot is not None and _begins_bots_alone(before, seated=1):
        await house.quotas.bots(caller, game)
    command = TakeSeat(
        seat=data.seat,
        characters=data.characters,
        bot=data.bot,
        entropy=data.entropy,
        program=data.bot is None and caller.is_program,
        name_seal=await sealed_name(house, caller, data),
    )
    named = name_command(house, request, caller, key, data)
    receipt = await sit_down(house, request, game, command, named)
    await _note_bots_alone(house, caller, game, receipt)
    # Who sits down may read what the game, if it has begun, deals to that very seat.
    state = (await house.desk.load(game, receipt.version)).state
    taken = next(event for event in receipt.events if isinstance(event, SeatTaken))
    viewer = house.desk.viewer(state, taken.seat) if data.bot is None else PUBLIC
    return receipt_of(game, await as_told(house, caller, game, receipt), viewer, status=201)


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

    The `Idempotency-Key` may be left out: then a repetition finds nobody in the seat.
    """
    house, caller, number = house_of(request), request.caller, _seat(seat)
    key = key_if_given(request)
    await look_up(house, caller, game, known=True)
    named = name_command(house, request, caller, key)
    actor = caller.as_player
    return receipt_of(
        game, await execute(house, request, game, LeaveSeat(seat=number), actor, named)
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
    """Begin, as the host of a full table; or say that you are ready, where the table asks it."""
    house, caller, key = house_of(request), request.caller, request.idempotency_key()
    await request.require_no_body()
    before = (await look_up(house, caller, game)).state
    if _begins_bots_alone(before, seated=0):
        if house.room.level >= Level.NO_NEW_GAMES:
            raise house.room.full()
        await house.quotas.bots(caller, game)
    named = name_command(house, request, caller, key)
    receipt = await execute(house, request, game, StartTable(), caller.as_player, named)
    await _note_bots_alone(house, caller, game, receipt)
    return receipt_of(game, await as_told(house, caller, game, receipt))


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
    """Call off your table, if its game has not begun. What has begun is for a director to annul."""
    house, caller, key = house_of(request), request.caller, request.idempotency_key()
    await request.require_no_body()
    await look_up(house, caller, game, known=True)
    named = name_command(house, request, caller, key)
    actor = caller.as_player
    return receipt_of(game, await execute(house, request, game, CloseTable(), actor, named))


def _seat(text: str) -> Seat:
    """A seat's number in a path; ``int`` alone would also take spaces, signs and other digits.

    Raises:
        Refused: not-found.
    """
    if not _SEAT.fullmatch(text):
        raise Refused("not-found", "a seat has a number")
    return int(text)


def _begins_bots_alone(state: TableState, *, seated: int) -> bool:
    """Whether a full table of house bots alone would be there, with ``seated`` more of them."""
    full = len(state.seats) + seated == state.seat_count
    begins = not seated or state.start != "host"
    return state.phase == "open" and full and begins and _only_bots(state)


def _only_bots(state: TableState) -> bool:
    return all(place.bot is not None for place in state.seats.values())


async def _note_bots_alone(house: House, caller: Principal, game: str, receipt: LogReceipt) -> None:
    """Count a game of bots alone that has begun, also where nobody foresaw it.

    Two bots that sit down in the same moment each see a free seat, so neither is the last.
    """
    if any(isinstance(event, TableStarted) for event in receipt.events):
        state = (await house.desk.load(game, receipt.version)).state
        if _only_bots(state):
            await house.quotas.note_bots(caller, game)


def _require_canonical(**parts: Any) -> None:  # noqa: ANN401 (whatever JSON holds)
    """Options and scenarios go into the log, which knows no fractions and no huge numbers.

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
