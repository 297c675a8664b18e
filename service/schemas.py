"""JSON Schemas of everything that is sent, from the very types that are sent (pure).

msgspec writes them; what its types cannot say (which events there are, what a game's own state
is) is filled in here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final

import msgspec

from events.kernel import Audience, Message
from events.patterns import published
from games.room25.situation import Situation
from games.room25.state import State
from projections.record import Header, Opening, Seal
from service.problems import Problem
from service.wire import COMMAND_TYPES, EVENT_TYPES, LoggedEvent

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_OPENAPI_REF: Final = "#/components/schemas/{name}"
_DEFS_REF: Final = "#/$defs/{name}"

_AUDIENCES: Final[Mapping[Audience, str]] = {
    Audience.SEAT: "the seat that it names",
    Audience.TEAM: "the team that it names",
    Audience.END: "nobody before the end of the game",
}


def components(types: Iterable[Any]) -> dict[str, Schema]:
    """The schemas of an OpenAPI document: those of ``types``, and all that they are made of."""
    found = _schemas([*types, Problem, LoggedEvent, State, Situation], _OPENAPI_REF)
    return _filled_in(found, _OPENAPI_REF)


def event_document() -> Schema:
    """The schema of a line of ``events`` or of a record, with every event and command in it."""
    found = _filled_in(_schemas([LoggedEvent, Header, Seal, Opening], _DEFS_REF), _DEFS_REF)
    found["RecordEnd"] = {
        "title": "RecordEnd",
        "description": "The last line of a record.",
        "type": "object",
        "properties": {"seal": {"$ref": "#/$defs/Seal"}},
        "required": ["seal"],
        "additionalProperties": False,
    }
    return {
        "$schema": DIALECT,
        "title": "Events and records of Parlour",
        "description": "A line of a game's events as NDJSON, or of a record: its first line is a "
        "Header, its last a RecordEnd, and between them stand the events.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("LoggedEvent", "Header", "RecordEnd")],
        "$defs": dict(sorted(found.items())),
    }


def _schemas(types: list[Any], ref: str) -> dict[str, Schema]:
    """The schemas of struct types by name, with unions of all events and of all commands."""
    unions = [reduce(or_, EVENT_TYPES), reduce(or_, COMMAND_TYPES)]
    own, found = msgspec.json.schema_components(
        [*unions, *types], schema_hook=_anything, ref_template=ref
    )
    plain: dict[str, Schema] = published(msgspec.json.decode(msgspec.json.encode(found)))
    for name, union, what in (
        ("AnyEvent", own[0], "An event, as its reader may see it."),
        ("AnyCommand", own[1], "A command that was accepted, its public fields."),
    ):
        plain[name] = {"title": name, "description": what, **_plain(union)}
    return plain


def _plain(schema: Any) -> Schema:  # noqa: ANN401 (whatever msgspec wrote)
    result: Schema = published(msgspec.json.decode(msgspec.json.encode(schema)))
    return result


def _anything(kind: type) -> Schema:
    """``object`` stands for any JSON value."""
    if kind is object:
        return {"description": "Any JSON value."}
    raise NotImplementedError(f"no schema for {kind!r}")


def _filled_in(found: dict[str, Schema], ref: str) -> dict[str, Schema]:
    """Put names where msgspec could only say "anything"."""

    def to(name: str) -> Schema:
        return {"$ref": ref.format(name=name)}

    places: list[tuple[str, str, Schema]] = [
        ("Happened", "event", to("AnyEvent")),
        ("LoggedEvent", "event", to("AnyEvent")),
        ("BatchInfo", "command", to("AnyCommand")),
        ("EventPage", "events", {"type": "array", "items": to("LoggedEvent")}),
        ("TableState", "play", {"anyOf": [to("State"), {"type": "null"}], "default": None}),
        ("NewGame", "scenario", {"anyOf": [to("Situation"), {"type": "null"}], "default": None}),
    ]
    for name, field, schema in places:
        if name in found:
            found[name]["properties"][field] = schema
    for kind in (*EVENT_TYPES, *COMMAND_TYPES):
        _tell_audiences(found[kind.__name__], kind)
    return found


def _tell_audiences(schema: Schema, kind: type[Message]) -> None:
    """Say of each secret field who may read it; it is missing for everybody else."""
    for name in kind.secrets:
        field = schema["properties"][name]
        field.pop("default", None)
        field["description"] = f"Readable by {_AUDIENCES[kind.audiences[name]]}."
