"""What the service tells, as types by which a compiler reads the page (pure).

The page's modules name them in comments, as ``Told.Decision``; they are no part of the page.
They are written from the schemas of the OpenAPI document by ``python -m tools.openapi --write``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from service.contract.schema_forms import reached

ROOTS: Final = ("DecisionList", "OptionList", "UnavailableOptions")
STATE: Final = "State"
"""The schemas that the page's comments name: these, and the states of tables, seats and games,
whose names end so; with those that they refer to."""

WHOLE: Final = {"Decision", "TimeControl"}
"""Those that, as all states, are told with their members that have a default; others leave these
out."""

MISSING: Final = {
    "inspections",
    "invitations",
    "kept",
    "laid",
    "missed_turn",
    "origin",
    "pauses",
    "phrases",
    "program",
    "programs",
    "restored",
    "tournament",
    "unbegun",
}
"""Members that even these have only where there is something to tell."""

HEAD: Final = """// What the service tells, for the types in the page's comments.
// Written by `make openapi`.

declare namespace Told {
"""
OWN: Final = {("TableState", "play")}
"""Members in which the page keeps what only one of its games reads, which knows the type."""

_SIMPLE: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_PREFIX: Final = "#/components/schemas/"

Json = Mapping[str, Any]


def declarations(document: Json) -> str:
    """The types of what the page names and of all that it refers to, by name."""
    schemas = document["components"]["schemas"]
    named = [*ROOTS, *(name for name in schemas if name.endswith(STATE))]
    parts = (_declared(name, schema) for name, schema in reached(schemas, named).items())
    return f"{HEAD}{''.join(parts)}}}\n"


def _declared(name: str, schema: Json) -> str:
    if "properties" not in schema:
        return f"  type {name} = {_type(schema)};\n"
    required = (
        set(schema["properties"]) - MISSING if _is_whole(name) else schema.get("required", ())
    )
    members = (
        f"    {key}{'' if key in required else '?'}: "
        f"{'any' if (name, key) in OWN else _type(member)};\n"
        for key, member in schema["properties"].items()
    )
    return f"  interface {name} {{\n{''.join(members)}  }}\n"


def _is_whole(name: str) -> bool:
    return name in WHOLE or name.endswith(STATE)


def _is_record(schema: Json) -> bool:
    """Whether an array is a record that is written without the names of its members."""
    return "title" in schema and "minItems" in schema


def _type(schema: Json) -> str:
    """A schema as an expression of a type; what has no form here may be anything."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_PREFIX)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(each) for each in schema[union]))
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    match schema.get("type"):
        case "array":
            item = _type(schema["items"]) if schema.get("items") else "any"
            return (
                f"[{', '.join([item] * schema['minItems'])}]"
                if _is_record(schema)
                else f"Array<{item}>"
            )
        case "object":
            values = schema.get("additionalProperties", True)
            return f"{{ [key: string]: {'any' if values is True else _type(values)} }}"
        case str(simple):
            return _SIMPLE[simple]
    return "any"
