"""A part of the document that is a document: some operations, some types of events, what they need.

A fault of it is the same fault for a generator, and is found in a fraction of the time.
"""

from __future__ import annotations

import copy
from collections.abc import Collection
from typing import Any, Final

from service.contract.schema_forms import reached, references

PATHS: Final = (
    "/health/live",
    "/health/ready",
    "/problems",
    "/v1",
    "/v1/games",
    "/v1/games/{game}",
    "/v1/games/{game}/decisions",
    "/v1/games/{game}/decisions/{decision}",
    "/v1/games/{game}/events",
    "/v1/games/{game}/head",
    "/v1/games/{game}/seats",
    "/v1/players",
    "/v1/players/{player}",
    "/v1/rulebooks",
    "/v1/rulebooks/{rulebook}",
    "/v1/tokens",
)
"""What a caller (``caller.py``) and the programs ask for."""

TYPES: Final = ("key-published", "seat-left", "seat-taken", "table-closed")
"""The events that the programs know by name."""

_SCHEMA: Final = "#/components/schemas/"
_EVENTS: Final = ("KnownEvent", "UnknownEvent")


def narrowed(document: Any, types: Collection[str]) -> Any:
    """A copy of a document with ``PATHS`` alone, and with no events but those of these types."""
    made = copy.deepcopy(document)
    made["paths"] = {path: made["paths"][path] for path in PATHS}
    schemas, tags = made["components"].pop("schemas"), sorted(types)
    known, unknown = (schemas[name] for name in _EVENTS)
    mapping = known["discriminator"]["mapping"]
    known["discriminator"]["mapping"] = {tag: mapping[tag] for tag in tags}
    known["oneOf"] = [{"$ref": mapping[tag]} for tag in tags]
    unknown["properties"]["type"]["not"]["enum"] = tags
    needed = (each.removeprefix(_SCHEMA) for each in references(made) if each.startswith(_SCHEMA))
    made["components"]["schemas"] = reached(schemas, needed)
    return made
