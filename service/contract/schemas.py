"""JSON Schemas of everything that is sent, generated from its types (pure).

msgspec writes them; what its types cannot express (which events exist, what a game's own state is)
is filled in here. ``schema_forms`` adapts them for client generators, ``schema_names`` names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from events.kernel import Audience, Event, Message
from events.names import NameOpening
from games.game_registry import GameRegistry, installed_games
from games.table.state import TableState
from projections.record import Header, Opening, Seal
from service.contract.bodies import (
    COMMAND_TYPES,
    EVENT_TYPES,
    BatchInfo,
    EventPage,
    Happened,
    LoggedEvent,
    NewGame,
)
from service.contract.schema_forms import (
    EXTENSIBLE,
    Schema,
    any_of_these,
    published_form,
    reached,
)
from service.contract.schema_names import published_name, structs, written_names
from service.http.problems import Problem, kinds_of

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_OPENAPI_REF: Final = "#/components/schemas/{name}"
_DEFS_REF: Final = "#/$defs/{name}"

_AUDIENCES: Final[Mapping[Audience, str]] = {
    Audience.SEAT: "the seat that it names",
    Audience.TEAM: "the team that it names",
    Audience.END: "nobody before the end of the game",
    Audience.KEPT: "the seat that it names, and nobody else unless it has counted",
}
Namer = Callable[[type], str]


class _Games(NamedTuple):
    """What a program publishes about its games."""

    events: tuple[type[Event], ...]
    states: tuple[type, ...]
    situations: tuple[type, ...]
    unpromised: Mapping[type, Mapping[str, str]]
    codes: tuple[str, ...]

    @classmethod
    def of(cls, game_registry: GameRegistry | None) -> _Games:
        """Those of a game registry; None: the installed games."""
        games = (game_registry or installed_games()).games.values()
        published = [game.published for game in games]
        return cls(
            events=EVENT_TYPES if game_registry is None else game_registry.event_types,
            states=tuple(each.state for each in published),
            situations=tuple(s for each in published if (s := each.situation) is not None),
            unpromised={k: v for each in published for k, v in each.unpromised.items()},
            codes=tuple(kinds_of(games)),
        )


def components(
    requests: Iterable[type], answers: Iterable[type], game_registry: GameRegistry | None = None
) -> dict[str, Schema]:
    """The schemas of an OpenAPI document: those of bodies, and of everything in them.

    A type shared by requests and answers has two schemas, because the one is closed and the other
    open; that of requests has the prefix ``New``. ``game_registry`` has the games, by default the
    installed ones.
    """
    games = _Games.of(game_registry)
    requested, answered = list(requests), [*answers, Problem]
    seen = set(structs([*answered, *games.events, *COMMAND_TYPES]))

    def request_name(kind: type) -> str:
        return f"New{published_name(kind)}" if kind in seen else published_name(kind)

    closed = _schemas(
        [*requested, *games.situations], _OPENAPI_REF, request_name, games, is_open=False
    )
    closed = reached(closed, map(request_name, requested))
    opened = _answers(answered, _OPENAPI_REF, games)
    both = closed.keys() & opened.keys()
    if both:
        raise ValueError(f"requests and answers share names: {sorted(both)}")
    return dict(sorted((closed | opened).items()))


def event_document() -> Schema:
    """The schema of a line of ``events`` or of a record, with all events and commands."""
    found = _answers([LoggedEvent, Header, Seal, Opening, NameOpening], _DEFS_REF, _Games.of(None))
    found["RecordEnd"] = {
        "title": "RecordEnd",
        "description": "The last line of a record.",
        "type": "object",
        "properties": {"seal": {"$ref": _DEFS_REF.format(name=published_name(Seal))}},
        "required": ["seal"],
    }
    found["RecordNames"] = {
        "title": "RecordNames",
        "description": "The last line but one of a record, if any name is known: the openings of "
        "the name seals in its events, by seal. No hash covers it.",
        "type": "object",
        "properties": {
            "names": {
                "type": "object",
                "additionalProperties": {
                    "$ref": _DEFS_REF.format(name=published_name(NameOpening))
                },
            }
        },
        "required": ["names"],
    }
    lines = (
        *(published_name(LoggedEvent), published_name(Header)),
        *("RecordNames", "RecordEnd"),
    )
    return {
        "$schema": DIALECT,
        "title": "Events and records of Parlour",
        "description": "A line of a game's events as NDJSON, or of a record. A record has a "
        f"{lines[1]}, its events, RecordNames if there are any, and a RecordEnd.",
        "anyOf": [{"$ref": _DEFS_REF.format(name=name)} for name in lines],
        "$defs": dict(sorted(found.items())),
    }


def _answers(types: Iterable[type], ref: str, games: _Games) -> dict[str, Schema]:
    """The schemas of answers, and of all events, commands and states in them."""

    def to(name: str) -> str:
        return ref.format(name=name)

    given = list(types)
    whole = [*given, LoggedEvent, *games.states, *games.events, *COMMAND_TYPES]
    found = _schemas(whole, ref, published_name, games, is_open=True)
    for name, kinds, about in (
        ("Event", games.events, "An event, as its reader may see it"),
        ("Command", COMMAND_TYPES, "A command that was accepted, its public fields"),
    ):
        tags: dict[str, list[str]] = {}
        for each in kinds:
            tags.setdefault(str(each.__struct_config__.tag), []).append(to(published_name(each)))
        unions = any_of_these(name, about, tags, to)
        if found.keys() & unions:
            raise ValueError(f"two types are called {sorted(found.keys() & unions)}")
        found |= unions
    for kind in (*games.events, *COMMAND_TYPES):
        _tell_audiences(found[published_name(kind)], kind)
    return reached(found, map(published_name, given))


def _schemas(
    types: list[Any], ref: str, name_of: Namer, games: _Games, *, is_open: bool
) -> dict[str, Schema]:
    """The schemas of struct types and of everything in them, by published name.

    Raises:
        ValueError: two types have the same name.
    """
    kinds = written_names(structs(types))
    _, written = msgspec.json.schema_components(types, schema_hook=_anything, ref_template="{name}")

    def rename(name: str) -> str:
        return ref.format(name=name_of(kinds[name]))

    found: dict[str, Schema] = {}
    for name, schema in msgspec.json.decode(msgspec.json.encode(written)).items():
        kind, title = kinds[name], name_of(kinds[name])
        if title in found:
            raise ValueError(f"two types are called {title}")
        found[title] = published_form(schema, rename, is_open=is_open) | {"title": title}
        for field, filling in _fillings(kind, ref, games).items():
            found[title]["properties"][field] = filling
    return found


def _anything(kind: type) -> Schema:
    """``object`` stands for any JSON value."""
    if kind is object:
        return {"description": "Any JSON value."}
    raise NotImplementedError(f"no schema for {kind!r}")


def _fillings(kind: type, ref: str, games: _Games) -> dict[str, Schema]:
    """What replaces schemas in which msgspec says "anything", or says more than is promised."""

    def to(name: str) -> Schema:
        return {"$ref": ref.format(name=name)}

    def or_null(types: Iterable[type]) -> Schema:
        return {"anyOf": [*(to(published_name(each)) for each in types), {"type": "null"}]}

    connection_limits: dict[type, dict[str, Schema]] = {
        Happened: {"event": to("AnyEvent")},
        LoggedEvent: {"event": to("AnyEvent")},
        BatchInfo: {"command": to("AnyCommand")},
        EventPage: {"events": {"type": "array", "items": to(published_name(LoggedEvent))}},
        TableState: {"play": or_null(games.states)},
        NewGame: {"scenario": or_null(games.situations)},
        Problem: {"type": {"type": "string", EXTENSIBLE: [f"/problems/{c}" for c in games.codes]}},
    }
    for owner, fields in games.unpromised.items():
        connection_limits[owner] = {
            field: {"description": about} for field, about in fields.items()
        }
    return connection_limits.get(kind, {})


def _tell_audiences(schema: Schema, kind: type[Message]) -> None:
    """Describe who may read each secret field; for others it is missing."""
    for name in kind.secrets:
        field = schema["properties"][name]
        field.pop("default", None)
        field["description"] = f"Readable by {_AUDIENCES[kind.audiences[name]]}."
