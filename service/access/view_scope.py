"""Who may know that a table exists, which view of it a caller may have, and up to which version.

Every handler that shows a game calls ``look_at`` and shows nothing beyond the ``Access`` it
returns: it is the single point of access control. ``look_up`` returns the full state, for commands.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from events.kernel import FULL, PUBLIC, Seat, TimestampMs, Viewer
from events.layout import BadStreamIdError
from events.logger import get_logger
from events.names import NameOpening
from events.transact import Loaded, NoSuchStream
from games.game_registry import UnknownGame
from games.table.inspections import may_look
from games.table.state import TableState
from projections.asked import AskedSeat
from projections.names import SeatName
from projections.views import View
from projections.visible_version import VisibleVersion
from service.access.permission import inspection_needed
from service.app_context import AppContext
from service.contract.bodies import GAME_ID, GameView, Links, encode_sorted
from service.http.principals import Principal
from service.http.problems import Refused

_GAME: Final = re.compile(GAME_ID)
_BRANCHED: Final = Viewer(kind="full", since=2)
"""All of a branch but what its first event has for the end: the key of its draws."""

_log = get_logger(__name__)


class ViewScope(Struct, frozen=True):
    """A viewer, and its name in answers and entity tags: ``public``, ``seat:2`` or ``full``.

    ``until`` is when the inspection ends that grants the caller this view; None if none is needed.
    """

    viewer: Viewer
    name: str
    until: TimestampMs | None = None


class Access(Struct, frozen=True):
    """What a caller may see of a game now.

    ``seats`` are the caller's own; ``player`` holds the seat whose view it is, if it is a seat's.
    ``uninvited`` counts the withdrawn and declined invitations of a private table: those players
    may no longer know of it. None: the table is not private.
    """

    game: str
    view_scope: ViewScope
    seen: VisibleVersion
    seats: tuple[Seat, ...]
    player: str | None
    uninvited: int | None

    @property
    def private(self) -> bool:
        """Whether the table is hidden from everyone who is not invited."""
        return self.uninvited is not None

    @property
    def version(self) -> int:
        """The newest version that may be shown, and the only one that may be disclosed."""
        return self.seen.version

    @property
    def ended(self) -> bool:
        """Whether the game is over, so that no further version will come."""
        return self.seen.ended


async def look_at(
    app_context: AppContext, caller: Principal | None, game: str, requested: str | None
) -> Access:
    """What the caller may see of a game, in the requested view.

    Raises:
        Refused: game-not-found, view-not-yours, inspection-needed.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    loaded = await look_up(app_context, caller, game)
    state = loaded.state
    view_scope = view_scope_of(app_context, caller, state, requested)
    place = state.seats.get(view_scope.viewer.seat or 0)
    return Access(
        game,
        view_scope,
        await _how_far(app_context, game, view_scope, loaded),
        () if caller is None else state.seats_of(caller.player),
        None if place is None else place.player,
        state.uninvited if state.visibility == "private" else None,
    )


async def look_again(app_context: AppContext, caller: Principal | None, access: Access) -> Access:
    """The access of the same caller as of now.

    Raises:
        Refused: game-not-found, if the caller is no longer invited; inspection-needed, once the
            inspection is over.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    loaded = await look_up(app_context, caller, access.game)
    until = access.view_scope.until
    if (
        until is not None
        and loaded.state.phase != "finished"
        and app_context.tables.clock() >= until
    ):
        raise inspection_needed()
    return replace(access, seen=await _how_far(app_context, access.game, access.view_scope, loaded))


async def _how_far(
    app_context: AppContext, game: str, view_scope: ViewScope, loaded: Loaded[TableState]
) -> VisibleVersion:
    if loaded.state.delay is not None and view_scope.viewer == PUBLIC:
        return await app_context.tables.visible_version(game, PUBLIC, loaded.version)
    return VisibleVersion(loaded.version, loaded.version, loaded.state.phase == "finished")


async def look_up(
    app_context: AppContext, caller: Principal | None, game: str, *, known: bool = False
) -> Loaded[TableState]:
    """The full state of a table that the caller may know of; ``look_at`` says what it may see.

    ``known``: any version will do, for properties that are fixed when a table is opened.

    Raises:
        Refused: game-not-found, also for a private table of others; game-not-played.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    require_game_id(game)
    try:
        loaded = await app_context.tables.load(game, 1 if known else None)
        if known and not may_know(loaded.state, caller):  # the caller may have been invited since
            loaded = await app_context.tables.load(game)
    except (NoSuchStream, BadStreamIdError):
        raise no_game() from None
    except UnknownGame as error:
        _log.error("game_not_known", game=game, plays=error.game)
        if error.people is not None and not _is_among(error.people, caller):
            raise no_game() from None
        raise Refused("game-not-played", str(error)) from None
    if not may_know(loaded.state, caller):
        raise no_game()
    return loaded


def require_game_id(text: str) -> None:
    """Refuse a text that is no game id (game-not-found)."""
    if not _GAME.fullmatch(text):
        raise no_game()


def no_game() -> Refused:
    """The one answer for a game that does not exist and one that the caller may not know of."""
    return Refused("game-not-found", "game not found")


def may_know(state: TableState, caller: Principal | None) -> bool:
    """Whether a caller (None: anonymous) may know that this table exists."""
    if state.visibility != "private":
        return True
    return _is_among(state.people, caller)


def _is_among(people: AbstractSet[str], caller: Principal | None) -> bool:
    """Whether a caller may know of a private table, as one of ``people`` or by office."""
    return caller is not None and (caller.player in people or caller.has("audit", "admin"))


def view_scope_of(
    app_context: AppContext, caller: Principal | None, state: TableState, requested: str | None
) -> ViewScope:
    """The caller's view: the requested one, else that of its own seat or the public one.

    While the game runs, an auditor may have any view within an inspection of its own, but not of a
    table where it has a seat. Nor before the game has begun: the only secret of an open table is
    the key that every draw follows from, and having seen it the auditor could still sit down.

    Whoever has made a branch and plays on in it alone with house bots may have any view too, but
    for that key: the finished game shows its secrets to everybody.

    Raises:
        Refused: view-not-yours, inspection-needed.
    """
    mine = () if caller is None else state.seats_of(caller.player)
    if requested == "public" or (requested is None and not mine):
        return ViewScope(PUBLIC, "public")
    if requested is None:
        return _seat(app_context, state, mine[0], own=True)
    auditing = caller is not None and caller.has("audit") and not mine and state.phase == "live"
    alone = caller is not None and _is_alone_in_branch(state, caller)
    free = state.phase == "finished" or alone
    if requested == "full":
        if not (free or auditing):
            raise _not_yours("the full view is available when the game is over")
        view_scope = ViewScope(_BRANCHED if alone else FULL, "full")
    else:
        number = int(requested.removeprefix("seat:"))
        if number in mine:
            return _seat(app_context, state, number, own=True)
        if number not in state.seats or not (free or auditing):
            raise _not_yours("this is not your seat")
        view_scope = _seat(app_context, state, number, own=False)
    if free or caller is None:
        return view_scope
    until = may_look(state, caller.player, view_scope.name, app_context.tables.clock())
    if until is None:
        raise inspection_needed()
    return replace(view_scope, until=until)


def _is_alone_in_branch(state: TableState, caller: Principal) -> bool:
    """Whether a caller has made this branch and nobody else plays on in it."""
    others = (place.player for place in state.seats.values() if place.bot is None)
    made = state.origin is not UNSET and state.host == caller.player
    return made and state.phase == "live" and set(others) == {caller.player}


def view_of(
    game: str,
    view_scope: ViewScope,
    view: View,
    names: Mapping[Seat, SeatName],
    asked: tuple[AskedSeat, ...],
) -> GameView:
    """The body that shows a view, with the names of its seats, its links and who is asked."""
    here = f"/v1/games/{game}"
    links = Links(
        self=here,
        decisions=f"{here}/decisions",
        events=f"{here}/events",
        state=f"{here}/state",
        names=f"{here}/names",
        head=f"{here}/head",
        record=f"{here}/record" if view.state.phase == "finished" else UNSET,
    )
    return GameView(
        id=game,
        version=view.version,
        durable_version=view.version,
        time=view.time,
        viewer=view_scope.name,
        scenario=view.state.scenario,
        links=links,
        asked=asked,
        state=view.state,
        names=names,
    )


async def openings_seen(app_context: AppContext, access: Access) -> dict[str, NameOpening]:
    """The openings of the name seals in all visible events.

    Raises:
        Damaged, LogUnavailable: the stream cannot be read.
    """
    return await app_context.tables.name_openings(
        access.game, access.view_scope.viewer, access.version
    )


def with_names(viewer: str, names: Mapping[Seat, SeatName]) -> str:
    """The part of an entity tag beside the version, for an answer that contains these names.

    A name is erased or exchanged without a new version, so the tag counts deleted players, and
    names those who have been renamed by a digest.
    """
    deleted = sum(name.deleted for name in names.values())
    renamed = [name.name for name in names.values() if name.renamed]
    tag = f"{viewer}-d{deleted}" if deleted else viewer
    return f"{tag}-r{digest_of(renamed)}" if renamed else tag


def digest_of(content: object) -> str:
    """A short digest of something that JSON can say, for entity tags."""
    return hashlib.sha256(encode_sorted(content)).hexdigest()[:12]


def _seat(app_context: AppContext, state: TableState, seat: Seat, *, own: bool) -> ViewScope:
    """The view of a seat; once the game is over it is the same for its player and all others."""
    viewer = app_context.tables.viewer(state, seat)
    owner = own and state.phase != "finished"
    return ViewScope(replace(viewer, owner=owner), f"seat:{seat}")


def _not_yours(detail: str) -> Refused:
    return Refused("view-not-yours", detail)
