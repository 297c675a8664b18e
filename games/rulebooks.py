"""What is said of a rulebook of any game: part of the published contract (pure).

A game's own description is a type of its own (``games.published.Published.description``), which has
all that ``RulebookInfo`` has, under the same names, and whatever else its rulebooks are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import Struct

from games.contract import JsonValue, Rules, Strikes
from games.phrases import Aim
from games.texts import TurnWord


class OptionInfo(Struct, frozen=True, kw_only=True):
    """An option of a table. No ``values``: see ``about``."""

    id: str
    name: str
    default: Any
    values: tuple[Any, ...]
    about: str


class WaitInfo(Struct, frozen=True, kw_only=True):
    """A class of waits, for which a table may set a time limit in seconds.

    ``strikes`` says how a missed limit counts towards absence: of several in one ``turn`` only one
    does, or each ``wait`` does, or ``none``.
    """

    id: str
    default_s: int
    least_s: int
    most_s: int
    strikes: Strikes


def waits_of(rules: Rules) -> tuple[Mapping[str, JsonValue], ...]:
    """The classes of waits of a game, by the fields of ``WaitInfo``."""
    return tuple(
        {
            "id": name,
            "default_s": wait.default_s,
            "least_s": wait.least_s,
            "most_s": wait.most_s,
            "strikes": wait.strikes,
        }
        for name, wait in rules.waits.items()
    )


class PaceInfo(Struct, frozen=True, kw_only=True):
    """A choice of time limits that belong together, in seconds by class of waits.

    The first is the usual one; every limit is within the bounds of its class.
    """

    id: str
    name: str
    limits_s: Mapping[str, int]


class ModeInfo(Struct, frozen=True, kw_only=True):
    """A mode: for how many seats, and with which options."""

    id: str
    name: str
    about: str
    seats: tuple[int, ...]
    options: tuple[str, ...]


class PhraseInfo(Struct, frozen=True, kw_only=True):
    """A phrase that players can say to everybody, and what it may be aimed at.

    Without ``nothing`` among its ``aims`` it needs a target.
    """

    id: str
    name: str
    aims: tuple[Aim, ...]


def phrases_of(rules: Rules, say: Callable[[str], str]) -> tuple[Mapping[str, JsonValue], ...]:
    """The phrases of a game, by the fields of ``PhraseInfo``.

    Args:
        rules: the game's.
        say: gives the text of a message key without the game, such as ``phrase.thanks``.
    """
    return tuple(
        {"id": phrase, "name": say(f"phrase.{phrase}"), "aims": aims}
        for phrase, aims in rules.phrases.aims.items()
    )


class RulebookInfo(Struct, frozen=True, kw_only=True):
    """A rulebook of any game.

    ``turn`` is what its rules call a turn of the table: what rows of tables count as ``turn`` and
    ``at=turn:3`` asks for. ``words`` are sentences and names by message key, those of every table
    among them.
    """

    id: str
    game: str
    name: str
    about: str
    version: int
    language: str
    languages: tuple[str, ...]
    turn: TurnWord
    modes: tuple[ModeInfo, ...]
    options: tuple[OptionInfo, ...]
    waits: tuple[WaitInfo, ...]
    paces: tuple[PaceInfo, ...]
    phrases: tuple[PhraseInfo, ...]
    words: Mapping[str, str]


class RulebookName(Struct, frozen=True, kw_only=True):
    """A rulebook in the list of rulebooks, with all that a list of tables needs to name them.

    ``turn`` is what its rules call a turn of the table. ``mode_names`` and ``outcomes`` are names
    by id, and so are ``sides``: the parts that may be dealt in its game, as somebody plays them
    (*as a guard*).
    """

    id: str
    game: str
    name: str
    about: str
    modes: tuple[str, ...]
    turn: TurnWord
    mode_names: Mapping[str, str]
    outcomes: Mapping[str, str]
    sides: Mapping[str, str]


def lacking(description: type[Struct], general: type[Struct] = RulebookInfo) -> Iterator[str]:
    """What a description of a rulebook lacks of ``general``, as paths such as ``modes.seats``."""
    own = get_type_hints(description)
    for name, kind in get_type_hints(general).items():
        if name not in own:
            yield name
        elif own[name] != kind:
            inner, wanted = _listed(own[name]), _listed(kind)
            if inner is None or wanted is None:
                yield name
            else:
                yield from (f"{name}.{each}" for each in lacking(inner, wanted))


def _listed(kind: Any) -> type[Struct] | None:  # noqa: ANN401 (any annotation)
    """What a tuple of any length is of, if it is of structs."""
    match get_origin(kind), get_args(kind):
        case (origin, (item, end)) if origin is tuple and end is ...:
            return item if isinstance(item, type) and issubclass(item, Struct) else None
        case _:
            return None
