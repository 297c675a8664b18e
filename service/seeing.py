"""Who may know that a table exists, and through whose eyes a caller may look at it."""

from __future__ import annotations

import re
from typing import Final

import structlog
from msgspec import UNSET, Struct

from events.kernel import FULL, PUBLIC, Seat, Viewer
from events.layout import BadStreamIdError
from events.transact import Loaded, NoSuchStream
from games.table_state import TableState
from projections.views import View
from service.house import House
from service.principals import Principal
from service.problems import Refused
from service.wire import GAME_ID, GameView, Links

_GAME: Final = re.compile(GAME_ID)
_log = structlog.get_logger(__name__)


class Eyes(Struct, frozen=True):
    """A viewer, and its name in answers and entity tags: ``public``, ``seat:2``, ``full``."""

    viewer: Viewer
    name: str


async def look_up(
    house: House, caller: Principal | None, game: str, *, known: bool = False
) -> Loaded[TableState]:
    """The truth about a table that the caller may know of.

    ``known``: any version will do, for what is settled when a table is opened.

    Raises:
        Refused: game-not-found, also for a private table of others.
        Damaged, LogUnavailable: the stream cannot be read.
    """
    if not _GAME.fullmatch(game):
        raise no_game()
    try:
        loaded = await house.desk.load(game, 1 if known else None)
    except (NoSuchStream, BadStreamIdError):
        raise no_game() from None
    if not _may_know(loaded.state, caller):
        raise no_game()
    return loaded


def no_game() -> Refused:
    """No such game, or none that the caller may know of: one answer for both."""
    return Refused("game-not-found", "there is no such game")


def _may_know(state: TableState, caller: Principal | None) -> bool:
    if state.visibility != "private":
        return True
    if caller is None:
        return False
    people = {state.host, *state.invited, *(seat.player for seat in state.seats.values())}
    return caller.player in people or caller.has("audit", "admin")


def eyes_of(
    house: House, caller: Principal | None, game: str, state: TableState, wish: str | None
) -> Eyes:
    """Through whose eyes the caller looks: its own seat's, the public's, or those it wishes for.

    Raises:
        Refused: view-not-yours.
    """
    mine = () if caller is None else state.seats_of(caller.player)
    if wish == "public" or (wish is None and not mine):
        return Eyes(PUBLIC, "public")
    if wish is None:
        return _seat(house, state, mine[0])
    auditing = caller is not None and caller.has("audit")
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
    if not free and caller is not None:
        _log.warning("secrets_audited", game=game, player=caller.player, viewer=eyes.name)
    return eyes


def view_of(game: str, eyes: Eyes, view: View) -> GameView:
    """The body that shows a view, with where to go from it."""
    here = f"/v1/games/{game}"
    links = Links(
        self=here,
        decisions=f"{here}/decisions",
        events=f"{here}/events",
        state=f"{here}/state",
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
    )


def _seat(house: House, state: TableState, seat: Seat) -> Eyes:
    return Eyes(house.desk.viewer(state, seat), f"seat:{seat}")


def _not_yours(detail: str) -> Refused:
    return Refused("view-not-yours", detail)
