"""What the API says of the rulebook of Cerveauuu!, as types: part of the published contract (pure).

In the published documents their names begin with the game: ``CerveauuuRulebookDescription``.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.rulebooks import OptionInfo, PaceInfo, PhraseInfo, WaitInfo
from games.texts import TurnWord


class RulebookColour(Struct, frozen=True, kw_only=True):
    """A colour of zombies: what a seat may ask for; without effect on the game."""

    id: str
    name: str


class RulebookCard(Struct, frozen=True, kw_only=True):
    """A card; there is one of each.

    ``type`` is a word of ``card_type``; ``windows`` are words of ``window``, those in which it may
    be played, none if it acts when it is drawn. ``targets`` is what its player names, in order:
    ``human``, ``zombie``, ``piece`` (either), ``cell``, ``wall``, ``door``, ``building`` or
    ``seat``; which ones fit, its ``effect`` says.
    """

    id: str
    type: str
    name: str
    windows: tuple[str, ...]
    targets: tuple[str, ...]
    effect: str


class RulebookBuilding(Struct, frozen=True, kw_only=True):
    """A building of a map; ``letter`` is that of its cells."""

    letter: str
    name: str


class RulebookMap(Struct, frozen=True, kw_only=True):
    """A map that a table may choose.

    ``text`` has a line for each row of cells and for each row of edges between them, of as many
    signs: cell ``r<y>c<x>`` is sign 2x + 1 of line 2y + 1, both counted from 0, with its east edge
    behind it and its south edge below it. Cells: ``.`` outdoors, ``a`` to ``z`` in that building,
    ``#`` impassable. Edges: a space if open, ``|`` or ``-`` a wall, ``D`` an open door, ``X`` a
    closed door, ``B`` a breach.
    """

    id: str
    name: str
    width: int
    height: int
    text: str
    buildings: tuple[RulebookBuilding, ...]


class RulebookMode(Struct, frozen=True, kw_only=True):
    """A mode. The keys of the maps are numbers of seats.

    ``humans`` and ``zombies``: how many pieces are placed at the beginning; ``credits``: how many
    end-credits cards end the game once they are in play.
    """

    id: str
    name: str
    about: str
    seats: tuple[int, ...]
    options: tuple[str, ...]
    humans: Mapping[int, int]
    zombies: Mapping[int, int]
    credits: Mapping[int, int]


class RulebookDescription(Struct, frozen=True, kw_only=True):
    """The rulebook: its mode, maps and cards.

    ``characters`` are the colours, as a seat asks for them. ``words`` holds, by message key, the
    names of the API's other ids: kinds of decisions, fixed answers, outcomes, problems, waits,
    phases, windows, stats, values of options and whatever else the game has ids for, and under
    ``term`` the terms of the game; under ``event`` a sentence for each type of event, with holes
    such as ``{seat, seat}`` for its fields. The keys of the game's words begin with its id, as in
    ``cerveauuu/event.round-began``; those shared by all tables do not, as in ``event.seat-taken``.
    """

    id: str
    game: str
    name: str
    about: str
    version: int
    language: str
    languages: tuple[str, ...]
    turn: TurnWord
    modes: tuple[RulebookMode, ...]
    options: tuple[OptionInfo, ...]
    waits: tuple[WaitInfo, ...]
    paces: tuple[PaceInfo, ...]
    phrases: tuple[PhraseInfo, ...]
    characters: tuple[RulebookColour, ...]
    maps: tuple[RulebookMap, ...]
    cards: tuple[RulebookCard, ...]
    words: Mapping[str, str]
