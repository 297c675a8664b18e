"""An answer as a later release may give it: with more fields, other values, other types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import jsonschema

NEW_FIELD: Final = "comet"
NEW_VALUE: Final = "comet-like"
NEW_EVENT: Final = {"type": "comet-seen", "tail": [1, {"ice": True}]}


def later(document: Mapping[str, Any], value: Any, schema: Mapping[str, Any]) -> Any:
    """A copy of a value in which every object that has a schema of its own has one more field.

    And every text that may get new values has one. Maps, which have keys of their own, keep them;
    where anything may stand, nothing changes.
    """
    if "$ref" in schema:
        return later(document, value, _found(document, schema["$ref"]))
    if "discriminator" in schema:
        mapping = schema["discriminator"]["mapping"]
        return later(document, value, {"$ref": mapping[value["type"]]})
    for keyword in ("oneOf", "anyOf"):
        if keyword in schema:
            fitting = (each for each in schema[keyword] if _fits(document, value, each))
            return later(document, value, next(fitting))
    if isinstance(value, list):
        return [later(document, each, schema.get("items", {})) for each in value]
    if isinstance(value, dict):
        return _later_object(document, value, schema)
    return NEW_VALUE if "x-extensible-enum" in schema else value


def _later_object(
    document: Mapping[str, Any], value: dict[str, Any], schema: Mapping[str, Any]
) -> dict[str, Any]:
    known, more = schema.get("properties", {}), schema.get("additionalProperties")
    rest = more if isinstance(more, Mapping) else {}
    copy = {name: later(document, each, known.get(name, rest)) for name, each in value.items()}
    return {**copy, NEW_FIELD: {"tail": [1]}} if known else copy


def _found(document: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    schemas: Mapping[str, Mapping[str, Any]] = document["components"]["schemas"]
    return schemas[reference.rpartition("/")[2]]


def _fits(document: Mapping[str, Any], value: Any, schema: Mapping[str, Any]) -> bool:
    found = _found(document, schema["$ref"]) if "$ref" in schema else schema
    if "discriminator" in found:  # quicker than to try one by one
        return value["type"] in found["discriminator"]["mapping"]
    whole = {"components": document["components"], **schema}
    return bool(jsonschema.Draft202012Validator(whole).is_valid(value))


def with_news(document: Mapping[str, Any], name: str, value: Any) -> Any:
    """The answer of a schema by name, as a later release may give it; a page has a new event."""
    found = later(document, value, {"$ref": f"#/components/schemas/{name}"})
    if name == "EventPage":
        line = {**found["events"][-1], "event": NEW_EVENT}
        line["v"] += 1
        found["events"].append(line)
    return found
