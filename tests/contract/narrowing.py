"""A part of the document that is a document: some operations, some types of events, what they need.

A fault of it is the same fault for a generator, and is found in a fraction of the time.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from typing import Any, Final

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

_EVENTS: Final = ("KnownEvent", "UnknownEvent")


def narrowed(document: Any, types: Collection[str]) -> Any:
    """A copy of a document with ``PATHS`` alone, and with no events but those of these types."""
    made = copy.deepcopy(document)
    made["paths"] = {path: made["paths"][path] for path in PATHS}
    known, unknown = (made["components"]["schemas"][name] for name in _EVENTS)
    mapping = known["discriminator"]["mapping"]
    known["discriminator"]["mapping"] = {name: mapping[name] for name in sorted(types)}
    known["oneOf"] = [{"$ref": mapping[name]} for name in sorted(types)]
    unknown["properties"]["type"]["not"]["enum"] = sorted(types)
    needed = _needed(made)
    for kind, named in made["components"].items():
        if kind != "securitySchemes":  # these are called by their names alone
            made["components"][kind] = {
                name: each for name, each in named.items() if (kind, name) in needed
            }
    return made


def _needed(document: Any) -> set[tuple[str, str]]:
    """The components, by kind and name, to which the paths lead."""
    found: set[tuple[str, str]] = set()
    ahead = list(_references(document["paths"]))
    while ahead:
        _, _, kind, name = ahead.pop().split("/")
        if (kind, name) not in found:
            found.add((kind, name))
            ahead += _references(document["components"][kind][name])
    return found


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _references(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name == "$ref":
                yield each
            else:
                yield from _references(each)
