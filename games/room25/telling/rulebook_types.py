"""What the API says of a rulebook of Room 25, as types: part of the published contract (pure).

In the published documents their names begin with the game: ``Room25RulebookDescription``.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from games.rulebooks import OptionInfo, PaceInfo, PhraseInfo, WaitInfo
from games.texts import TurnWord


class RulebookRoom(Struct, frozen=True, kw_only=True):
    """A kind of room: its colour, the number in the box, and its effect."""

    id: str
    name: str
    color: str
    copies: int
    effect: str


class RulebookAction(Struct, frozen=True, kw_only=True):
    """An action token."""

    id: str
    name: str
    about: str


class RulebookRole(Struct, frozen=True, kw_only=True):
    """A role that may be dealt; a guard's power applies once the guard is revealed."""

    id: str
    name: str
    about: str


class RulebookAbility(Struct, frozen=True, kw_only=True):
    """A special ability; a ``passive`` one needs no action."""

    id: str
    name: str
    effect: str
    passive: bool


class RulebookCharacter(Struct, frozen=True, kw_only=True):
    """A character; those with the same ``duo`` belong together."""

    id: str
    name: str
    type: str
    duo: int
    shape: str
    abilities: tuple[RulebookAbility, ...]


class RulebookComposition(Struct, frozen=True, kw_only=True):
    """A named set of rooms, and its modes; ``guards``: only for this number of guards.

    ``rooms`` are 25, or fewer with a ``fill``: then that many rooms of each colour are drawn from
    the rest of the box, except for kinds of that colour in ``rooms`` and kinds in ``never``.
    """

    id: str
    name: str
    rooms: Mapping[str, int]
    modes: tuple[str, ...]
    guards: int | None
    fill: Mapping[str, int]
    never: tuple[str, ...]


class RulebookMode(Struct, frozen=True, kw_only=True):
    """A mode. The keys of the maps are numbers of seats.

    ``characters``: how many each seat plays; ``turns``: the length of the game; ``roles``: how many
    prisoners and guards are shuffled, of which each character gets one, and ``other_roles`` the
    alternatives for the option ``guards``; ``teams``: how many teams the seats form in turn;
    ``compositions``: the rooms that are laid out by default.

    ``duos``: a seat with several characters takes a duo; ``programs``: actions are programmed, with
    ``open_programs`` in public; ``free_order``: the player chooses who acts next; ``looks_reveal``:
    looking at a room reveals it; ``alarm``: entering Room 25 early shortens the game; ``cards``:
    cards are drawn every turn; ``needs_key``: the key is needed to escape.
    """

    id: str
    name: str
    about: str
    seats: tuple[int, ...]
    characters: Mapping[int, int]
    turns: Mapping[int, int]
    roles: Mapping[int, tuple[int, int]]
    other_roles: Mapping[int, tuple[int, int]]
    teams: Mapping[int, int]
    duos: bool
    programs: bool
    open_programs: bool
    free_order: bool
    looks_reveal: bool
    alarm: bool
    cards: bool
    needs_key: bool
    compositions: Mapping[int, str]
    options: tuple[str, ...]


class RulebookCard(Struct, frozen=True, kw_only=True):
    """A card of the deck: of the kind ``movement``, ``penalty`` or ``madness``.

    A movement shifts ``line`` by ``steps`` in the direction ``way``; with ``again``, another card
    is drawn. A penalty takes ``action`` from the ``characters``. Madness cards with the same
    ``effect_id`` have the same effect.
    """

    id: str
    kind: str
    name: str
    effect: str
    line: str | UnsetType = UNSET
    way: str | UnsetType = UNSET
    steps: int | UnsetType = UNSET
    again: bool | UnsetType = UNSET
    action: str | UnsetType = UNSET
    characters: tuple[str, ...] | UnsetType = UNSET
    effect_id: str | UnsetType = UNSET


class RulebookRule(Struct, frozen=True, kw_only=True):
    """A rule in which rulebooks differ: the engine's value, and its meaning."""

    id: str
    value: bool | int | str | tuple[str, ...]
    text: str


class RulebookDescription(Struct, frozen=True, kw_only=True):
    """A rulebook: the contents of its box, its modes, and the rules that set it apart.

    ``words`` holds, by message key, the names of the API's other ids: kinds of decisions, fixed
    answers, outcomes, problems, waits and whatever else the game has ids for; under ``event`` a
    sentence for each type of event, with holes such as ``{seat, seat}`` for its fields. The keys of
    a game's words begin with its id, as in ``room25/event.turn-began``; those shared by all tables
    do not, as in ``event.seat-taken``. An id has one of the two, never both.
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
    rules: tuple[RulebookRule, ...]
    actions: tuple[RulebookAction, ...]
    roles: tuple[RulebookRole, ...]
    characters: tuple[RulebookCharacter, ...]
    rooms: tuple[RulebookRoom, ...]
    compositions: tuple[RulebookComposition, ...]
    options: tuple[OptionInfo, ...]
    waits: tuple[WaitInfo, ...]
    paces: tuple[PaceInfo, ...]
    phrases: tuple[PhraseInfo, ...]
    robots: int
    locks: int
    cards: tuple[RulebookCard, ...]
    words: Mapping[str, str]
