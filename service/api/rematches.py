"""``/v1/games/{game}/rematch``: the same table once more, for those who have played at it.

Nothing records which table is whose rematch: its id follows from that of the finished game and a
master secret, so all who ask come to one table, whoever asks first.
"""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, Struct

from events.kernel import Actor, Rejected, Seat
from events.transact import CommandReceipt, Moved, NoSuchStream
from games.table.checks import TableCode, check_entropy, check_kind
from games.table.events import OpenTable, TakeSeat
from games.table.state import SeatState, TableState
from service.access.request_name import RequestName
from service.access.view_scope import look_up, may_know
from service.api.command_execution import name_command, receipt_of, take_step
from service.app_context import AppContext, app_context_of
from service.contract.bodies import NewRematch, Receipt, RematchInfo, encode, encode_sorted
from service.contract.operations import PLAYING, operation
from service.http.principals import Principal
from service.http.problems import Refused
from service.http.replies import Reply, content_tag, matches, not_modified, seen, wanted_version
from service.http.requests import StrictRequest

PROPOSALS_MAX: Final = 8
"""How many rematches of a game may be proposed; all but the last have been called off."""


class _Proposal(Struct, frozen=True):
    """A place for a rematch: the id of its table, and the table's state; None: not opened yet."""

    game: str
    state: TableState | None


@post(
    "/games/{game:str}/rematch",
    operation_id="ProposeRematch",
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
            "not-seated",
            "not-played-out",
            "branch-not-repeated",
            "wrong-kind-of-token",
            "no-programs",
            "bad-entropy",
            "players-gone",
            "too-many-rematches",
            "too-many-tables",
            "too-many-invitations",
            "table-not-open",
            "already-seated",
            "seat-taken",
        ),
    ),
)
async def propose_rematch(
    request: StrictRequest, game: FromPath[str], data: JSONBody[NewRematch]
) -> Reply:
    """Play a finished game of yours again: same seats, characters, options and time limits.

    The first to ask opens the table as its host, house bots sit down again, and the other players
    are invited; each of them takes the old seat by the same request. `game` of the receipt is the
    new table. It is private if the first was, and unlisted otherwise.
    """
    app_context, caller, key = app_context_of(request), request.caller, request.idempotency_key()
    loaded = await look_up(app_context, caller, game)
    seat, place = _own_place(loaded.state, caller)
    if wanted_version(request) not in {None, loaded.version}:
        raise Moved(loaded.version)
    _require_playable(loaded.state, caller, place)
    check_entropy(data.entropy)
    named = name_command(app_context, request, caller, key, data)
    command = TakeSeat(
        seat=seat,
        characters=place.characters,
        entropy=data.entropy,
        program=caller.is_program,
        name_seal=place.name_seal,
    )
    rematch, receipt = await _sit_again(app_context, caller, game, loaded.state, command, named)
    state = (await app_context.tables.newest(rematch, receipt.version)).state
    viewer = app_context.tables.viewer(state, seat)
    return receipt_of(rematch, receipt, viewer, status=201, location=f"/v1/games/{rematch}")


@get(
    "/games/{game:str}/rematch",
    operation_id="ReadRematch",
    tags=["games"],
    opt=operation("reads", RematchInfo, tagged=True, problems=("game-not-found",)),
)
async def read_rematch(request: StrictRequest, game: FromPath[str]) -> Reply:
    """The rematch of a game, if one has been proposed.

    Until it has begun, only those who have played in the game are told of it.
    """
    app_context, caller = app_context_of(request), request.user
    old = (await look_up(app_context, caller, game)).state
    answer = RematchInfo(game=game, rematch=None, status=None, host=None, missing=())
    if old.phase == "finished":
        found = await _newest(app_context, game)
        if found.state is not None and _may_learn(old, found.state, caller):
            answer = RematchInfo(
                game=game,
                rematch=found.game,
                status="open" if found.state.phase == "none" else found.state.phase,
                host=next(iter(found.state.seats_of(found.state.host)), None),
                missing=tuple(n for n in sorted(old.seats) if n not in found.state.seats),
            )
    etag = content_tag(encode_sorted(answer))
    return not_modified(etag) if matches(request, etag) else seen(encode(answer), etag)


def _own_place(state: TableState, caller: Principal) -> tuple[Seat, SeatState]:
    """The caller's seat in the old game.

    Raises:
        Refused: not-seated.
    """
    seats = state.seats_of(caller.player)
    if not seats:
        raise Refused("not-seated", "a rematch is for those who have played in the game")
    return seats[0], state.seats[seats[0]]


def _require_playable(state: TableState, caller: Principal, place: SeatState) -> None:
    """Refuse before anything is opened what could not be sat down at.

    Raises:
        Refused: not-played-out, branch-not-repeated, wrong-kind-of-token.
        Rejected: no-programs.
    """
    if state.phase != "finished" or _is_off(state):
        raise Refused("not-played-out", "only a game that was played to an end has a rematch")
    if state.origin is not UNSET:
        raise Refused("branch-not-repeated", "a branch is made again from the game it came from")
    if caller.is_program != (place.program is True):
        raise Refused("wrong-kind-of-token", "this seat was taken with the other kind of token")
    check_kind(state, program=caller.is_program)


def _may_learn(old: TableState, new: TableState, caller: Principal | None) -> bool:
    """Whether a caller may be told the id of a rematch: whoever has it may sit down."""
    has_played = caller is not None and bool(old.seats_of(caller.player))
    return may_know(new, caller) and (has_played or new.phase in {"live", "finished"})


async def _sit_again(
    app_context: AppContext,
    caller: Principal,
    game: str,
    old: TableState,
    command: TakeSeat,
    named: RequestName,
) -> tuple[str, CommandReceipt]:
    """Take the old seat at the rematch, which is opened if there is none.

    A request that is repeated after its table was called off gets its first answer from there.

    Raises:
        Refused: players-gone, too-many-rematches, too-many-tables, too-many-invitations.
        Rejected, KeyReused, LogUnavailable: see ``TableService.command``.
    """
    for number in range(PROPOSALS_MAX):
        proposal = await _proposal(app_context, game, number)
        if proposal.state is None:
            await _open(app_context, caller, proposal.game, old)
        if proposal.state is None or proposal.state.phase == "open":
            await _seat_bots(app_context, proposal.game, old)
        try:
            return proposal.game, await app_context.tables.command(
                proposal.game,
                command,
                actor=caller.as_player,
                command_id=named.command_id,
                digest=named.digest,
            )
        except Rejected as refusal:
            if refusal.code != TableCode.TABLE_NOT_OPEN:
                raise
            if not _is_off((await app_context.tables.load(proposal.game)).state):
                raise
    raise Refused("too-many-rematches", f"{PROPOSALS_MAX} rematches have been called off")


async def _newest(app_context: AppContext, game: str) -> _Proposal:
    """The rematch that was not called off; without a state if there is none."""
    proposal = _Proposal("", None)
    for number in range(PROPOSALS_MAX):
        proposal = await _proposal(app_context, game, number)
        if proposal.state is None or not _is_off(proposal.state):
            return proposal
    return _Proposal(proposal.game, None)


async def _proposal(app_context: AppContext, game: str, number: int) -> _Proposal:
    tables = app_context.tables
    shards = app_context.settings.shards
    rematch = tables.keys.derived_id("rematch", f"{game} {number}", "g", shards)
    try:
        return _Proposal(rematch, (await tables.load(rematch)).state)
    except NoSuchStream:
        return _Proposal(rematch, None)


def _is_off(state: TableState) -> bool:
    """Whether a table was called off, or annulled, before its game began."""
    return state.phase == "finished" and not state.has_begun


async def _open(app_context: AppContext, caller: Principal, rematch: str, old: TableState) -> None:
    """Open the rematch with the caller as host, unless somebody else does at the same moment.

    Raises:
        Refused: players-gone, too-many-tables, too-many-invitations.
        Rejected, StoreFull, LogUnavailable: see ``TableService.command``.
    """
    invited = await _others(app_context, caller, old)
    app_context.quotas.require_invitations(caller, len(invited))
    command = OpenTable(
        game=old.game,
        rulebook=old.rulebook,
        mode=old.mode,
        seats=old.seat_count,
        options=old.options,
        time=old.time,
        visibility="private" if old.visibility == "private" else "unlisted",
        start=old.start,
        invited=invited,
        delay=old.delay,
        programs=old.programs is not False,
        key=app_context.tables.game_key(rematch),
        situation=UNSET if old.situation is None else old.situation,
    )
    async with app_context.quotas.table(caller, rematch):
        try:
            step = f"rematch {rematch} open"
            await take_step(app_context, rematch, command, caller.as_player, step, opens=True)
        except Rejected as refusal:
            if refusal.code != TableCode.TABLE_EXISTS:
                raise


async def _others(app_context: AppContext, caller: Principal, old: TableState) -> tuple[str, ...]:
    """The other players of the old game whose accounts still exist.

    Raises:
        Refused: players-gone, if there were others and none is left.
    """
    players = [
        place.player
        for _, place in sorted(old.seats.items())
        if place.bot is None and place.player != caller.player
    ]
    found = await asyncio.gather(*map(app_context.account_service.account, players))
    left = tuple(p for p, a in zip(players, found, strict=True) if a.deleted_at is None)
    if players and not left:
        raise Refused("players-gone", "everybody else who played in this game is gone")
    return left


async def _seat_bots(app_context: AppContext, rematch: str, old: TableState) -> None:
    """Seat the house bots as before, in the name of the host; those that sit already stay.

    Whoever comes to the table completes it, should the one who opened it have died in between.

    Raises:
        Rejected, StoreFull, LogUnavailable: see ``TableService.command``.
    """
    new = (await app_context.tables.load(rematch)).state
    host = Actor("player", new.host)
    for seat, place in sorted(old.seats.items()):
        if place.bot is None or seat in new.seats:
            continue
        command = TakeSeat(seat=seat, characters=place.characters, bot=place.bot)
        try:
            step = f"rematch {rematch} bot {seat}"
            await take_step(app_context, rematch, command, host, step)
        except Rejected as refusal:
            # Somebody has just sat down there, or the game has begun: sitting down will tell.
            if refusal.code not in {TableCode.SEAT_TAKEN, TableCode.TABLE_NOT_OPEN}:
                raise


HANDLERS: Final[list[HTTPRouteHandler]] = [propose_rematch, read_rematch]
