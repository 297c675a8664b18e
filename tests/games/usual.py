"""What a stored form leaves out: the fields of a type that are as usual."""

from __future__ import annotations

import msgspec

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
