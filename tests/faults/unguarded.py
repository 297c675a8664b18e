"""The append script without one of its guards: what controls append by."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from events import log
from events.scripts import Script

GUARDS: Mapping[str, tuple[str, str]] = {
    "record": ("\nif known then\n", "\nif false then\n"),
    "version": (
        "\nif version ~= expected or (version > 0 and head ~= ARGV[3]) then\n",
        "\nif false then\n",
    ),
    "memory": ("#!lua\n", "#!lua flags=allow-oom\n"),
}
"""What stands in the script, and what stands there without the guard."""

GUARDED: Script = log.APPEND


def script_of(text: str) -> Script:
    """A script, under the name by which a store knows it."""
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


def without(guard: str) -> Script:
    """The append script without a guard."""
    old, new = GUARDS[guard]
    assert GUARDED.text.count(old) == 1, f"the guard is not where it was: {old!r}"
    return script_of(GUARDED.text.replace(old, new))
