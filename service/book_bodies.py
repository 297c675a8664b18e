"""The bodies of answers about rulebooks: a part of the published contract, as ``wire``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType


class RoomInfo(Struct, frozen=True, kw_only=True):
    """A kind of room: its colour, how many the box holds, and what it does."""

    id: str
    name: str
    color: str
    copies: int
    effect: str


class ActionInfo(Struct, frozen=True, kw_only=True):
    """An action token."""

    id: str
    name: str
    about: str


class RoleInfo(Struct, frozen=True, kw_only=True):
    """A role that may be dealt; a guard's power counts once it is revealed."""

    id: str
    name: str
    about: str


class AbilityInfo(Struct, frozen=True, kw_only=True):
    """A special ability; a ``passive`` one takes no action."""

    id: str
    name: str
    effect: str
    passive: bool


class CharacterInfo(Struct, frozen=True, kw_only=True):
    """A character; those with the same ``duo`` belong together."""

    id: str
    name: str
    type: str
    duo: int
    shape: str
    abilities: tuple[AbilityInfo, ...]


class OptionInfo(Struct, frozen=True, kw_only=True):
    """An option of a table. No ``values``: see ``about``."""

    id: str
    name: str
    default: Any
    values: tuple[Any, ...]
    about: str


class CompositionInfo(Struct, frozen=True, kw_only=True):
    """A named set of rooms, and the modes it is for; ``guards``: only for so many guards.

    ``rooms`` are 25, or fewer with a ``fill``: then so many of each colour are drawn from the rest
    of the box, without the kinds of that colour in ``rooms`` and those in ``never``.
    """

    id: str
    name: str
    rooms: Mapping[str, int]
    modes: tuple[str, ...]
    guards: int | None
    fill: Mapping[str, int]
    never: tuple[str, ...]


class ModeInfo(Struct, frozen=True, kw_only=True):
    """A mode. The maps go by the number of seats.

    ``characters``: how many each seat plays; ``turns``: how long the game is; ``roles``: how many
    prisoners and guards are shuffled, of which each character gets one, and ``other_roles`` what
    the option ``guards`` may choose instead; ``teams``: how many teams the seats form in turn;
    ``compositions``: the rooms that are laid out if the host chooses nothing.

    ``duos``: a seat with several characters takes a duo; ``programs``: actions are programmed, and
    ``open_programs``: for all to see; ``free_order``: the player chooses who is next;
    ``looks_reveal``: a room that is looked at turns up; ``alarm``: entering Room 25 early shortens
    the game; ``cards``: cards are drawn every turn; ``needs_key``: the key comes before the escape.
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


class CardInfo(Struct, frozen=True, kw_only=True):
    """A card of the deck: of the kind ``movement``, ``penalty`` or ``madness``.

    A movement shifts ``line`` so many ``steps`` in the direction ``way``, and then ``again`` a card
    is drawn; a penalty takes ``action`` from the ``characters``. ``effect_id`` says which madness
    cards are alike.
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


class RuleInfo(Struct, frozen=True, kw_only=True):
    """A rule in which rulebooks differ: what the engine reads, and what it means."""

    id: str
    value: bool | int | str | tuple[str, ...]
    text: str


class RulebookName(Struct, frozen=True, kw_only=True):
    """A rulebook in the list."""

    id: str
    game: str
    name: str
    about: str
    modes: tuple[str, ...]


class Rulebooks(Struct, frozen=True, kw_only=True):
    """All rulebooks, and the house bots that can be seated.

    ``language`` is that of the texts, one of ``languages``.
    """

    language: str
    languages: tuple[str, ...]
    rulebooks: tuple[RulebookName, ...]
    bots: tuple[str, ...]


class WaitInfo(Struct, frozen=True, kw_only=True):
    """A class of waits, for which a table may set a time limit: seconds."""

    id: str
    default_s: int
    least_s: int
    most_s: int


class RulebookInfo(Struct, frozen=True, kw_only=True):
    """A rulebook: what is in its box, how it can be played, in which rules it differs from others.

    ``words`` holds, by message key, what the rest of the API's ids are called: events, kinds of
    decisions, fixed answers, outcomes, problems, colours, lines and directions. The key of a word
    of the game begins with its id, as ``room25/event.turn-began``; that of a word of every table,
    as ``event.seat-taken``, does not. An id has one of the two, never both.
    """

    id: str
    game: str
    name: str
    about: str
    version: int
    language: str
    languages: tuple[str, ...]
    modes: tuple[ModeInfo, ...]
    rules: tuple[RuleInfo, ...]
    actions: tuple[ActionInfo, ...]
    roles: tuple[RoleInfo, ...]
    characters: tuple[CharacterInfo, ...]
    rooms: tuple[RoomInfo, ...]
    compositions: tuple[CompositionInfo, ...]
    options: tuple[OptionInfo, ...]
    waits: tuple[WaitInfo, ...]
    robots: int
    locks: int
    cards: tuple[CardInfo, ...]
    words: Mapping[str, str]
