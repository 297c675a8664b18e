"""JSON Schemas of everything that is sent, from the very types that are sent (pure).

msgspec writes them; what its types cannot say (which events there are, what a game's own state
is) is filled in here. ``schema_forms`` says what is changed so that generators of clients can read
them, ``schema_names`` under which names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from events.kernel import Audience, Message
from events.names import NameOpening
from games.room25.events import AgendaSet
from games.room25.situation import Situation
from games.room25.state import State
from games.table_state import TableState
from projections.record import Header, Opening, Seal
from service.problems import KINDS, Problem
from service.schema_forms import EXTENSIBLE, Schema, any_of_these, published_form, reached
from service.schema_names import published_name, structs, written_names
from service.wire import (
    COMMAND_TYPES,
    EVENT_TYPES,
    BatchInfo,
    EventPage,
    Happened,
    LoggedEvent,
    NewGame,
)

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_OPENAPI_REF: Final = "#/components/schemas/{name}"
_DEFS_REF: Final = "#/$defs/{name}"

_AUDIENCES: Final[Mapping[Audience, str]] = {
    Audience.SEAT: "the seat that it names",
    Audience.TEAM: "the team that it names",
    Audience.END: "nobody before the end of the game",
}
_AGENDA: Final[Schema] = {
    "description": "What the engine has still to do, as it remembers it: any JSON, which may be "
    "another with any release. It is stored, hashed and no part of the contract; whom the game "
    "waits for is told by `decisions`."
}

Namer = Callable[[type], str]


def components(requests: Iterable[type], answers: Iterable[type]) -> dict[str, Schema]:
    """The schemas of an OpenAPI document: those of bodies, and all that they are made of.

    What requests and answers share has two schemas, because the one is closed and the other open;
    that of requests has a ``New`` before its name.
    """
    asked, told = list(requests), [*answers, Problem]
    seen = set(structs([*told, *EVENT_TYPES, *COMMAND_TYPES]))

    def name_asked(kind: type) -> str:
        return f"New{published_name(kind)}" if kind in seen else published_name(kind)

    closed = _schemas([*asked, Situation], _OPENAPI_REF, name_asked, is_open=False)
    closed = reached(closed, map(name_asked, asked))
    opened = _answers(told, _OPENAPI_REF)
    both = closed.keys() & opened.keys()
    if both:
        raise ValueError(f"requests and answers share names: {sorted(both)}")
    return dict(sorted((closed | opened).items()))


def event_document() -> Schema:
    """The schema of a line of ``events`` or of a record, with every event and command in it."""
    found = _answers([LoggedEvent, Header, Seal, Opening, NameOpening], _DEFS_REF)
    found["RecordEnd"] = {
        "title": "RecordEnd",
        "description": "The last line of a record.",
        "type": "object",
        "properties": {"seal": {"$ref": _DEFS_REF.format(name=published_name(Seal))}},
        "required": ["seal"],
    }
    found["RecordNames"] = {
        "title": "RecordNames",
        "description": "The line before the last of a record, if any name is known: what opens the "
        "name seals of its events, by seal. It is hashed nowhere.",
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
        "description": "A line of a game's events as NDJSON, or of a record: its first line is a "
        f"{lines[1]}, its last a RecordEnd, before that may be RecordNames, and between stand the "
        "events.",
        "anyOf": [{"$ref": _DEFS_REF.format(name=name)} for name in lines],
        "$defs": dict(sorted(found.items())),
    }


def _answers(types: Iterable[type], ref: str) -> dict[str, Schema]:
    """The schemas of what is answered, and of all events, commands and states in it."""

    def to(name: str) -> str:
        return ref.format(name=name)

    given = list(types)
    whole = [*given, LoggedEvent, State, *EVENT_TYPES, *COMMAND_TYPES]
    found = _schemas(whole, ref, published_name, is_open=True)
    for name, kinds, about in (
        ("Event", EVENT_TYPES, "An event, as its reader may see it"),
        ("Command", COMMAND_TYPES, "A command that was accepted, its public fields"),
    ):
        tags: dict[str, list[str]] = {}
        for each in kinds:
            tags.setdefault(str(each.__struct_config__.tag), []).append(to(published_name(each)))
        unions = any_of_these(name, about, tags, to)
        if found.keys() & unions:
            raise ValueError(f"two types are called {sorted(found.keys() & unions)}")
        found |= unions
    for kind in (*EVENT_TYPES, *COMMAND_TYPES):
        _tell_audiences(found[published_name(kind)], kind)
    return reached(found, map(published_name, given))


def _schemas(types: list[Any], ref: str, name_of: Namer, *, is_open: bool) -> dict[str, Schema]:
    """The schemas of struct types and of all that they are made of, by published name.

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
        for field, filling in _fillings(kind, ref).items():
            found[title]["properties"][field] = filling
    return found


def _anything(kind: type) -> Schema:
    """``object`` stands for any JSON value."""
    if kind is object:
        return {"description": "Any JSON value."}
    raise NotImplementedError(f"no schema for {kind!r}")


def _fillings(kind: type, ref: str) -> dict[str, Schema]:
    """What stands where msgspec could only say "anything", or says more than is promised."""

    def to(name: str) -> Schema:
        return {"$ref": ref.format(name=name)}

    def or_null(name: str) -> Schema:
        return {"anyOf": [to(name), {"type": "null"}]}

    places: dict[type, dict[str, Schema]] = {
        Happened: {"event": to("AnyEvent")},
        LoggedEvent: {"event": to("AnyEvent")},
        BatchInfo: {"command": to("AnyCommand")},
        EventPage: {"events": {"type": "array", "items": to(published_name(LoggedEvent))}},
        TableState: {"play": or_null(published_name(State))},
        NewGame: {"scenario": or_null(published_name(Situation))},
        AgendaSet: {"agenda": _AGENDA},
        State: {"agenda": _AGENDA},
        Problem: {"type": {"type": "string", EXTENSIBLE: [f"/problems/{code}" for code in KINDS]}},
    }
    return places.get(kind, {})


def _tell_audiences(schema: Schema, kind: type[Message]) -> None:
    """Say of each secret field who may read it; it is missing for everybody else."""
    for name in kind.secrets:
        field = schema["properties"][name]
        field.pop("default", None)
        field["description"] = f"Readable by {_AUDIENCES[kind.audiences[name]]}."
