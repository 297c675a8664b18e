"""The tags of the rules by rulebook, raised by hand with every change of what is decided.

A mend that no other rulebook can notice raises the tag of its own, so that the records of the
others go on being judged again (``docs/decisions/0005-rules-are-versioned-by-hand.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TAGS: Final[Mapping[str, str]] = {
    "first_edition": "room25.first_edition/1",
    "prototype": "room25.prototype/1",
    "ultimate": "room25.ultimate/1",
    "bga": "room25.bga/1",
}
