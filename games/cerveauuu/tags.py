"""The tags of the rules by rulebook, raised by hand with every change of what is decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TAGS: Final[Mapping[str, str]] = {"prototype": "cerveauuu.prototype/1"}
