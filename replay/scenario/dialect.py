"""The files of one game: their form, made of what all games have and what this one brings."""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from events.kernel import Event
from games.package import GamePackage
from games.scenarios import Check, Formed, Step, Words
from games.table.events import (
    TABLE_EVENTS,
    InvitationDeclined,
    InvitationWithdrawn,
    PlayerInvited,
    SeatLeft,
    SeatReadied,
    SeatTaken,
    TableOpened,
)
from replay.scenario import format as fm

S = TypeVar("S", bound=Struct)

BEFORE: Final = frozenset(
    {
        TableOpened,
        PlayerInvited,
        InvitationWithdrawn,
        InvitationDeclined,
        SeatTaken,
        SeatLeft,
        SeatReadied,
    }
)
"""What has happened before the game begins: no check sees it."""

ANYTHING: Final = None
"""Text, times and switches, of which only the type can be wrong."""

TABLE_FIELDS: Final[Mapping[str, Words | None]] = {
    **dict.fromkeys(("seat", "to", "winners"), "seat"),
    **dict.fromkeys(
        (
            "due",
            "epoch",
            "from_version",
            "minutes",
            "score",
            "since",
            "strikes",
            "to_version",
            "until",
        ),
        "number",
    ),
    **dict.fromkeys(
        ("account", "at", "cause", "eyes", "key", "office", "phrase", "place", "reason"), ANYTHING
    ),
    "outcome": "outcome",
}
"""What a field of the table's own events holds, by its name."""

ENDING: Final = ("table-closed", "reason")
WAITING: Final = ("clock-started", "key")


class Field(Struct, frozen=True):
    """A field of an event: its type, and what stands for it where an event leaves it out.

    ``default`` is NODEFAULT for a field that is always written, or that may be somebody's secret.
    """

    type: Any
    default: Any


class Dialect:
    """All that the scenario files of a game can say.

    ``checks``, ``steps``, ``scenario`` and ``file`` are the form of these files; ``event_types``
    are the types of events by the words that name them, ``event_fields`` the fields of each.
    """

    def __init__(self, game: GamePackage) -> None:
        self.game = game.rules.id
        self.told = game.scenarios
        self.situation = game.scenarios.situation
        self.based = game.scenarios.based
        self.checks = _checks(game)
        self.steps = _steps(game, self.checks)
        self.scenario = _scenario(game, self.checks, self.steps)
        listed = Annotated[tuple[self.scenario, ...], Meta(min_length=1)]  # type: ignore[name-defined]
        self.file = _narrowed(fm.ScenarioFile, game=_literal(self.game), scenarios=listed)
        self.event_types: Mapping[str, type[Event]] = {
            str(kind.__struct_config__.tag): kind for kind in (*TABLE_EVENTS, *game.rules.events)
        }
        self.event_fields = {tag: _fields(kind) for tag, kind in self.event_types.items()}

    def words_of(self, tag: str, field: str) -> Words | None:
        """What a field of an event holds; None: only its type can be wrong.

        Raises:
            KeyError: nobody has said so yet.
        """
        if self.event_types[tag] not in TABLE_EVENTS:
            return self.told.forms.events[tag, field]
        if (tag, field) == WAITING:
            return Formed("wait", self.told.forms.waits)
        return "end" if (tag, field) == ENDING else TABLE_FIELDS[field]


@cache
def dialect_of(game: GamePackage) -> Dialect:
    """What the scenario files of a game can say, made once."""
    return Dialect(game)


def plain(value: object) -> Any:  # noqa: ANN401 (JSON)
    """A value as an event's JSON says it."""
    if value is msgspec.NODEFAULT:
        return value
    return msgspec.json.decode(msgspec.json.encode(value))


def _fields(kind: type[Event]) -> dict[str, Field]:
    found = {}
    for field in msgspec.structs.fields(kind):
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        if default is msgspec.UNSET:
            default = msgspec.NODEFAULT
        found[field.encode_name] = Field(field.type, plain(default))
    return found


def _checks(game: GamePackage) -> tuple[type[Check], ...]:
    """The game's own checks, then those of all games; one of them holds checks itself."""
    one_of = _narrowed(fm.OneOfCheck, of="Annotated[tuple[AnyCheck, ...], Meta(min_length=2)]")
    others = [kind for kind in fm.CHECKS if kind is not fm.OneOfCheck]
    checks = (*game.scenarios.checks, *others, one_of)
    one_of.AnyCheck = _any(checks)  # type: ignore[attr-defined] # where msgspec looks a name up
    return checks


def _steps(game: GamePackage, checks: tuple[type[Check], ...]) -> tuple[type[Step], ...]:
    then = _some(checks)
    phase = _literal(*game.scenarios.phases)
    kinds = (*fm.STEPS[:1], *game.scenarios.acts, *fm.STEPS[1:])
    return tuple(
        _narrowed(kind, then=then, phase=phase | None)
        if kind is fm.RunUntil
        else _narrowed(kind, then=then)
        for kind in kinds
    )


def _scenario(
    game: GamePackage, checks: tuple[type[Check], ...], steps: tuple[type[Step], ...]
) -> type[fm.Scenario]:
    situation = game.scenarios.situation
    some = _some(checks)
    return _narrowed(
        fm.Scenario,
        {"game": game},
        given=None if situation is None else situation | None,
        when=_some(steps),
        then=some,
        sometimes=some,
    )


def _any(kinds: tuple[type[Struct], ...]) -> Any:  # noqa: ANN401 (a union of types)
    return reduce(or_, kinds)


def _some(kinds: tuple[type[Struct], ...]) -> Any:  # noqa: ANN401 (a type)
    return tuple.__class_getitem__((_any(kinds), ...))


def _literal(*words: str) -> Any:  # noqa: ANN401 (a type)
    return Literal.__getitem__(words)


def _narrowed(base: type[S], own: Mapping[str, object] = {}, /, **fields: Any) -> type[S]:  # noqa: ANN401 (types)
    """A struct like ``base``, by its name, some of whose fields hold less."""
    defaults = {f.name: f.default for f in msgspec.structs.fields(base)}
    kept = {name: defaults[name] for name in fields if defaults[name] is not msgspec.NODEFAULT}
    body = {"__doc__": base.__doc__, "__module__": __name__, "__annotations__": fields}
    return types.new_class(
        base.__name__,
        (base,),
        {"frozen": True, "kw_only": True, "tag": base.__struct_config__.tag},
        lambda namespace: namespace.update(body | kept | dict(own)),
    )
