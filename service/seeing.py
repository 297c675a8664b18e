"""Who may know that a table exists, through whose eyes a caller may look at it, and how far.

Whoever shows a game asks ``look_at`` and tells nothing that is not in its ``Sight``: it is the one
door to what may be shown. ``look_up`` gives the truth, for commands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import structlog
from msgspec import UNSET, Struct
from msgspec.structs import replace

from events.kernel import FULL, PUBLIC, Millis, Seat, Viewer
from events.layout import BadStreamIdError
from events.names import NameOpening
from events.transact import Loaded, NoSuchStream
from games.inspecting import may_look
from games.table_state import TableState
from projections.horizon import Horizon
from projections.names import SeatName
from projections.shelf import UnknownGame
from projections.views import View
from service.house import House
from service.permission import inspection_needed
from service.principals import Principal
from service.problems import Refused
from service.wire import GAME_ID, GameView, Links

_GAME: Final = re.compile(GAME_ID)
_log = structlog.get_logger(__name__)


class Eyes(Struct, frozen=True):
    """A viewer, and its name in answers and entity tags: ``public``, ``seat:2``, ``full``.

    ``until`` is when the inspection ends that lets the caller have these eyes; None: it needs none.
    """

    viewer: Viewer
    name: str
    until: Millis | None = None


class Sight(Struct, frozen=True):
    """What a caller may see of a game now.

    ``seats`` are the caller's own, ``player`` who sits behind the eyes, if it is a seat's eyes.
    ``uninvited`` is how many invitations of a private table have gone: those players may not know
    of it any more. None: it is not private.
    """

    game: str
    eyes: Eyes
    seen: Horizon
    seats: tuple[Seat, ...]
    player: str | None
    uninvited: int | None

    @property
    def private(self) -> bool:
        """Whether to others the table does not exist."""
        return self.uninvited is not None

    @property
    def version(self) -> int:
        """The newest version that may be shown, and the only one that may be told."""
        return self.seen.version

    @property
    def ended(self) -> bool:
        """Whether the game is over, so that there will be no other version."""
        return self.seen.ended


async def look_at(house: House, caller: Principal | None, game: str, wish: str | None) -> Sight:
    """What the caller may see of a game, through the eyes that it wishes for.

    Raises:
        Refused: game-not-found, view-not-yours, inspection-needed.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    loaded = await look_up(house, caller, game)
    state = loaded.state
    eyes = eyes_of(house, caller, state, wish)
    place = state.seats.get(eyes.viewer.seat or 0)
    return Sight(
        game,
        eyes,
        await _how_far(house, game, eyes, loaded),
        () if caller is None else state.seats_of(caller.player),
        None if place is None else place.player,
        state.uninvited if state.visibility == "private" else None,
    )


async def look_again(house: House, caller: Principal | None, sight: Sight) -> Sight:
    """What may be seen now by who has looked before.

    Raises:
        Refused: game-not-found, for who is not invited any more; inspection-needed, once the
            inspection is over.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    loaded = await look_up(house, caller, sight.game)
    until = sight.eyes.until
    if until is not None and loaded.state.phase != "finished" and house.desk.clock() >= until:
        raise inspection_needed()
    return replace(sight, seen=await _how_far(house, sight.game, sight.eyes, loaded))


async def _how_far(house: House, game: str, eyes: Eyes, loaded: Loaded[TableState]) -> Horizon:
    if loaded.state.delay is not None and eyes.viewer == PUBLIC:
        return await house.desk.horizon(game, PUBLIC, loaded.version)
    return Horizon(loaded.version, loaded.version, loaded.state.phase == "finished")


async def look_up(
    house: House, caller: Principal | None, game: str, *, known: bool = False
) -> Loaded[TableState]:
    """The truth about a table that the caller may know of; what it may see is for ``look_at``.

    ``known``: any version will do, for what is settled when a table is opened.

    Raises:
        Refused: game-not-found, also for a private table of others; game-not-played.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    require_game_id(game)
    try:
        loaded = await house.desk.load(game, 1 if known else None)
        if known and not may_know(loaded.state, caller):  # it may have been invited since
            loaded = await house.desk.load(game)
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
    """Refuse what cannot be a game's id (game-not-found)."""
    if not _GAME.fullmatch(text):
        raise no_game()


def no_game() -> Refused:
    """No such game, or none that the caller may know of: one answer for both."""
    return Refused("game-not-found", "there is no such game")


def may_know(state: TableState, caller: Principal | None) -> bool:
    """Whether a caller (None: a stranger) may know that this table exists."""
    if state.visibility != "private":
        return True
    seated = (seat.player for seat in state.seats.values())
    return _is_among({state.host, *state.invited, *seated}, caller)


def _is_among(people: AbstractSet[str], caller: Principal | None) -> bool:
    """Whether a caller is one of those who may know of a private table, by itself or by office."""
    return caller is not None and (caller.player in people or caller.has("audit", "admin"))


def eyes_of(house: House, caller: Principal | None, state: TableState, wish: str | None) -> Eyes:
    """Through whose eyes the caller looks: its own seat's, the public's, or those it wishes for.

    An auditor may have any eyes while the game runs, inside an inspection of its own, but not at a
    table where it sits itself. Nor before the game has begun: the only secret of an open table is
    the key that every draw follows from, and who has seen that could still sit down.

    Raises:
        Refused: view-not-yours, inspection-needed.
    """
    mine = () if caller is None else state.seats_of(caller.player)
    if wish == "public" or (wish is None and not mine):
        return Eyes(PUBLIC, "public")
    if wish is None:
        return _seat(house, state, mine[0])
    auditing = caller is not None and caller.has("audit") and not mine and state.phase == "live"
    free = state.phase == "finished"
    if wish == "full":
        if not (free or auditing):
            raise _not_yours("the full view is for everybody after the end")
        eyes = Eyes(FULL, "full")
    else:
        number = int(wish.removeprefix("seat:"))
        if number in mine:
            return _seat(house, state, number)
        if number not in state.seats or not (free or auditing):
            raise _not_yours("this is not your seat")
        eyes = _seat(house, state, number)
    if free or caller is None:
        return eyes
    until = may_look(state, caller.player, eyes.name, house.desk.clock())
    if until is None:
        raise inspection_needed()
    return replace(eyes, until=until)


def view_of(game: str, eyes: Eyes, view: View, names: Mapping[Seat, SeatName]) -> GameView:
    """The body that shows a view, with the names of its seats and where to go from it."""
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
        time=view.time,
        viewer=eyes.name,
        scenario=view.state.scenario,
        links=links,
        state=view.state,
        names=names,
    )


async def openings_seen(house: House, sight: Sight) -> dict[str, NameOpening]:
    """The openings of the name seals in all events that may be seen.

    Raises:
        Damaged, LogUnavailable: the stream cannot be read.
    """
    return await house.desk.name_openings(sight.game, sight.eyes.viewer, sight.version)


def with_names(viewer: str, names: Mapping[Seat, SeatName]) -> str:
    """What an entity tag says beside the version, for an answer that holds these names.

    A name is erased without a new version, so the tag counts who was deleted.
    """
    deleted = sum(name.deleted for name in names.values())
    return f"{viewer}-d{deleted}" if deleted else viewer


def _seat(house: House, state: TableState, seat: Seat) -> Eyes:
    return Eyes(house.desk.viewer(state, seat), f"seat:{seat}")


def _not_yours(detail: str) -> Refused:
    return Refused("view-not-yours", detail)
