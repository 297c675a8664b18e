"""``/v1/rulebooks``: what can be played. The answers never change while the program runs."""

from __future__ import annotations

from typing import Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from games.room25 import ROOM25, RULEBOOKS
from games.room25.catalogue import CHARACTERS, ROOM_KINDS
from games.room25.rulebook import Mode, Rulebook
from projections.shelf import house_shelf
from service.operations import operation
from service.problems import Refused
from service.replies import Fixed, Reply
from service.requests import StrictRequest
from service.wire import (
    CharacterInfo,
    CompositionInfo,
    ModeInfo,
    OptionInfo,
    RoomInfo,
    RulebookInfo,
    RulebookName,
    Rulebooks,
    encode,
)


def _mode(mode: Mode) -> ModeInfo:
    return ModeInfo(
        id=mode.id,
        seats=mode.seats,
        characters=mode.per_seat,
        turns=mode.turns,
        roles=mode.roles,
        duos=mode.duos,
        teams=mode.teams,
        programs=mode.programs,
        composition=mode.default_composition,
        options=mode.options,
    )


def _rulebook(book: Rulebook) -> RulebookInfo:
    rooms = [ROOM_KINDS[kind] for kind in book.box]
    return RulebookInfo(
        id=book.id,
        game=ROOM25.id,
        name=book.name,
        modes=tuple(_mode(mode) for mode in book.modes.values()),
        rooms=tuple(
            RoomInfo(id=r.id, name=r.name, color=r.color, copies=book.box[r.id], effect=r.effect)
            for r in rooms
        ),
        characters=tuple(CharacterInfo(id=c.id, duo=c.duo, shape=c.shape) for c in CHARACTERS),
        compositions=tuple(
            CompositionInfo(id=name, rooms=each.rooms, modes=each.modes)
            for name, each in book.compositions.items()
        ),
        options=tuple(
            OptionInfo(id=name, default=rule.default, values=rule.values, about=rule.about)
            for name, rule in book.options.items()
        ),
    )


_NAMES: Final = Fixed.of(
    encode(
        Rulebooks(
            rulebooks=tuple(
                RulebookName(id=book.id, game=ROOM25.id, name=book.name, modes=tuple(book.modes))
                for book in RULEBOOKS.values()
            ),
            bots=tuple(house_shelf().bots),
        )
    )
)
_BOOKS: Final = {name: Fixed.of(encode(_rulebook(book))) for name, book in RULEBOOKS.items()}


@get(
    "/rulebooks",
    operation_id="ListRulebooks",
    tags=["rulebooks"],
    opt=operation("reads", Rulebooks, tagged=True),
)
async def list_rulebooks(request: StrictRequest) -> Reply:
    """All rulebooks, and the house bots that can be seated."""
    return _NAMES.reply(request)


@get(
    "/rulebooks/{rulebook:str}",
    operation_id="ReadRulebook",
    tags=["rulebooks"],
    opt=operation("reads", RulebookInfo, tagged=True, problems=("rulebook-not-found",)),
)
async def read_rulebook(request: StrictRequest, rulebook: FromPath[str]) -> Reply:
    """A rulebook: modes, player counts, rooms with colour, copies and effect, options."""
    found = _BOOKS.get(rulebook)
    if found is None:
        raise Refused("rulebook-not-found", "there is no such rulebook")
    return found.reply(request)


HANDLERS: Final[list[HTTPRouteHandler]] = [list_rulebooks, read_rulebook]
