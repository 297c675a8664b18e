"""``/v1/games/{game}/branches``: what if? A finished game, played on from any of its versions.

A branch is a scenario table: it is marked, never counts, and names its origin in its first event.
"""

from __future__ import annotations

from typing import Final

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from events.kernel import Rejected, fold
from events.transact import Moved
from games.table.branching import Branch, branch_of, settled_before
from games.table.checks import TableCode
from games.table.events import OpenTable, TakeSeat
from service.access.view_scope import look_at
from service.api.command_execution import name_command, receipt_of, take_step
from service.api.invited import require_invited
from service.app_context import AppContext, app_context_of
from service.contract.bodies import Receipt
from service.contract.branch_bodies import NewBranch
from service.contract.operations import PLAYING, operation
from service.http.principals import Principal
from service.http.problems import Refused
from service.http.replies import Reply, wanted_version
from service.http.requests import StrictRequest


@post(
    "/games/{game:str}/branches",
    operation_id="BranchGame",
    tags=["games"],
    status_code=201,
    opt=operation(
        "commands",
        Receipt,
        scopes=PLAYING,
        status=201,
        keyed=True,
        headers=("Location",),
        problems=(
            "game-not-found",
            "game-not-finished",
            "player-not-found",
            "already-invited",
            "version-not-found",
            "nothing-to-branch",
            "unknown-seat",
            "seat-taken",
            "seat-resigned",
            "unknown-bot",
            "too-many-tables",
            "too-many-invitations",
        ),
    ),
)
async def branch_game(
    request: StrictRequest, game: FromPath[str], data: JSONBody[NewBranch]
) -> Reply:
    """Play a finished game on from a version, as a scenario table of yours that never counts.

    It begins with everything that was so at that version, secrets included; within what one command
    made, it begins before that command. Draws after that are new. `game` of the receipt is the new
    table, which has begun if no seat stays free. It is private if the finished game was, and
    unlisted otherwise.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    branch = await _branch(app_context, request, game, data.version)
    _require_seats(branch, data, app_context.tables.table.bots)
    await require_invited(app_context, caller, data.invited)
    keys = app_context.tables.keys
    new = keys.derived_id(caller.player, key, "g", app_context.settings.shards)
    named = name_command(app_context, request, caller, key, data)
    command = _opening(app_context, new, branch, data)
    async with app_context.quotas.table(caller, new):
        receipt = await app_context.tables.command(
            new,
            command,
            actor=caller.as_player,
            command_id=named.command_id,
            digest=named.digest,
            opens=True,
        )
    for seat in range(1, branch.opened.seats + 1):
        if seat in data.seats:
            own = TakeSeat(seat=seat, name_seal=caller.name_seal, program=caller.is_program)
            await _sit(app_context, caller, new, own)
        elif seat not in data.guests:
            await _sit(app_context, caller, new, TakeSeat(seat=seat, bot=data.bot))
    return receipt_of(new, receipt, status=201, location=f"/v1/games/{new}")


async def _branch(
    app_context: AppContext, request: StrictRequest, game: str, version: int
) -> Branch:
    """What the branch is opened from.

    Raises:
        Refused: game-not-found, game-not-finished, version-not-found.
        Rejected: nothing-to-branch.
        Moved: the finished game has another version than `If-Match` names.
        Damaged, LogUnavailable: the game cannot be read.
    """
    access = await look_at(app_context, request.caller, game, "public")
    if not access.ended:
        raise Refused("game-not-finished", "only a finished game can be played on from a version")
    if wanted_version(request) not in {None, access.version}:
        raise Moved(access.version)
    if version > access.version:
        raise Refused("version-not-found", f"the newest version is {access.version}")
    table = app_context.tables.table
    envelopes = await app_context.tables.views.envelopes(game, access.version)
    settled = settled_before(envelopes, version)
    state = fold(table, (each.event for each in envelopes[:settled]))
    return branch_of(game, table.rules[state.game], envelopes, settled, state)


def _require_seats(branch: Branch, data: NewBranch, bots: frozenset[str]) -> None:
    """Refuse before anything is opened what could not be sat down at.

    Raises:
        Refused: seat-resigned.
        Rejected: unknown-seat, seat-taken, unknown-bot.
    """
    wanted = [*data.seats, *data.guests]
    if any(seat > branch.opened.seats for seat in wanted):
        raise Rejected(TableCode.UNKNOWN_SEAT, "the table has no such seat")
    if len(set(wanted)) < len(wanted):
        raise Rejected(TableCode.SEAT_TAKEN, "a seat is for one of you")
    if any(branch.state.seats[seat].resigned for seat in wanted):
        raise Refused("seat-resigned", "whoever sat there had resigned by then")
    if data.bot not in bots:
        raise Rejected(TableCode.UNKNOWN_BOT, "there is no such house bot")


def _opening(app_context: AppContext, new: str, branch: Branch, data: NewBranch) -> OpenTable:
    """The command that opens the branch: as the finished game was opened, but for who may know."""
    opened = branch.opened
    return OpenTable(
        game=opened.game,
        rulebook=opened.rulebook,
        mode=opened.mode,
        seats=opened.seats,
        options=opened.options,
        time=opened.time,
        visibility="private" if opened.visibility == "private" else "unlisted",
        invited=data.invited,
        key=app_context.tables.game_key(new),
        origin=branch.origin,
        laid=branch.laid,
    )


async def _sit(app_context: AppContext, caller: Principal, new: str, command: TakeSeat) -> None:
    """Take a seat of the branch, or seat a bot there, once.

    Whoever repeats the request completes the table, should we die in between.

    Raises:
        Rejected, StoreFull, LogUnavailable: see ``TableService.command``.
    """
    try:
        step = f"branch {new} {command.seat}"
        await take_step(app_context, new, command, caller.as_player, step)
    except Rejected as refusal:
        # By a repeated request, after the game has begun or a friend has sat down there.
        if refusal.code not in {TableCode.SEAT_TAKEN, TableCode.TABLE_NOT_OPEN}:
            raise


HANDLERS: Final[list[HTTPRouteHandler]] = [branch_game]
