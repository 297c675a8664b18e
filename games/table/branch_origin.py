"""Where a branch of a finished game comes from, as its first event tells (pure)."""

from __future__ import annotations

from msgspec import Struct

from events.kernel import Version


class BranchOrigin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a branch comes from: the finished ``game``, as it stood at ``version``.

    ``characters`` are those of each seat there, from the first seat on.
    """

    game: str
    version: Version
    characters: tuple[tuple[str, ...], ...]
