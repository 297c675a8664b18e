"""What schemathesis must be told about our API: whole numbers, ids that exist, who answers what.

The published document is one that generators of clients can read: problems are shared by all
operations, and links have no bodies. Here each operation gets back what it alone may answer with,
and a choice the option that was offered.
"""

from __future__ import annotations

import json
import os
import zlib
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation

from service.http.problems import KINDS, PROBLEM_JSON

KNOWN: dict[str, list[Any]] = json.loads(os.environ.get("FUZZ_KNOWN", "{}"))
"""Ids that exist, by the name of the path parameter; ``simulator.fuzz_api`` sets them."""


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


LINK_BODIES: dict[str, dict[str, Any]] = {
    "Choose": {"option": "$response.body#/decisions/0/options/0/id"},
}
"""What a link hands on in the body, by the operation that it leads to."""


def own_problems(document: Any, operation: Any) -> None:
    """Put what an operation's problems may be in the place of what all problems have in common."""
    for status, answer in operation["responses"].items():
        name = answer.get("$ref", "").rpartition("/")[2]
        if name.startswith("Problem"):
            types = [
                f"/problems/{code}"
                for code in operation["x-problems"]
                if str(KINDS[code].status) == status
            ]
            shared = document["components"]["responses"][name]
            media = shared["content"][PROBLEM_JSON]
            schema = {"allOf": [media["schema"], {"properties": {"type": {"enum": types}}}]}
            own = {**shared, "content": {PROBLEM_JSON: {**media, "schema": schema}}}
            operation["responses"][status] = own


@schemathesis.hook
def before_load_schema(_: Any, raw_schema: Any) -> None:
    """Say again of each operation what the published document says of all together."""
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            own_problems(raw_schema, operation)
            for answer in operation["responses"].values():
                for target, link in answer.get("links", {}).items():
                    if target in LINK_BODIES:
                        link["requestBody"] = LINK_BODIES[target]


@schemathesis.hook
def before_call(_: Any, case: Any, __: Any) -> None:
    """Send whole numbers as integers, and aim most requests at what exists."""
    if isinstance(case.body, dict | list):
        case.body = whole(case.body)
    if case.path_parameters and case.meta is not None and case.meta.generation.mode.is_positive:
        case.path_parameters = {
            name: existing(name, value) for name, value in case.path_parameters.items()
        }
