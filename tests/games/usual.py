"""What a stored form leaves out: the fields of a type that are as usual."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from events.kernel import Event

Usual = dict[str, object]


def usual(kind: type[msgspec.Struct]) -> Usual:
    """What each field is where nothing is said of it."""
    found: Usual = {}
    for field in msgspec.structs.fields(kind):
        if field.default is not msgspec.NODEFAULT:
            found[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = field.default_factory()
    return found


def left_out(kinds: Iterable[type[Event]]) -> dict[str, Usual]:
    """What events leave out, by the names of their types; those that tell all are not in it."""
    found = {kind.__name__: usual(kind) for kind in kinds}
    return {name: fields for name, fields in found.items() if fields}


def publishing(kinds: Iterable[type[Event]]) -> set[str]:
    """The names of the types of events that make a secret known."""
    return {kind.__name__ for kind in kinds if kind.publishes}
