"""What schemathesis must be told about our API: whole numbers, and ids that exist."""

from __future__ import annotations

import json
import os
import zlib
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation

KNOWN: dict[str, list[Any]] = json.loads(os.environ.get("FUZZ_KNOWN", "{}"))
"""Ids that exist, by the name of the path parameter; ``ops.fuzz_api`` sets them."""


def whole(value: Any) -> Any:
    """``value`` with floats that have no fraction as integers, at any depth.

    JSON Schema calls ``-1.0`` an integer, and we refuse it: readers spell it in two ways.
    """
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: whole(part) for name, part in value.items()}
    if isinstance(value, list):
        return [whole(part) for part in value]
    return value


def existing(name: str, value: Any) -> Any:
    """``value``, or in three cases of four an id that exists; the same for the same value."""
    ids = KNOWN.get(name)
    chance = zlib.crc32(repr(value).encode())
    return value if not ids or chance % 4 == 0 else ids[chance // 4 % len(ids)]


def lacks_a_header(case: Any) -> bool:
    """Whether ``case`` is to be refused because a header that is required is not there.

    Whoever then adds the token mends the very thing that was broken.
    """
    phase = None if case.meta is None else case.meta.phase.data
    return any(
        mutation.parameter_location is ParameterLocation.HEADER and "required" in mutation.keywords
        for mutation in getattr(phase, "mutations", ())
    )


@schemathesis.hook
def before_call(_: Any, case: Any, __: Any) -> None:
    """Send whole numbers as integers, and aim most requests at what exists."""
    if isinstance(case.body, dict | list):
        case.body = whole(case.body)
    if case.path_parameters and case.meta is not None and case.meta.generation.mode.is_positive:
        case.path_parameters = {
            name: existing(name, value) for name, value in case.path_parameters.items()
        }
