"""Room 25 with one rule changed, and archives as somebody could have made them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from events.kernel import Decision, Rejected, Working
from games.room25 import Code, Room25
from games.room25.state import State
from games.room25.tags import RULES
from ops.archiving.building import zipped
from projections.shelf import Shelf
from replay.archives import LIST, MANIFEST, ArchiveList, Archives, Listed, Manifest
from replay.isolation import Limits

MENDED: Final = "room25.ultimate/2"
"""The tag of the rulebook whose rule is changed."""

OLD: Final = "table/1 room25.ultimate/1"
"""What batches by the rulebook as it was record."""


class Mended(Room25):
    """By ``ultimate``, nobody may choose ``option`` in answer to a question of the kind ``kind``.

    ``tag`` is what the changed rulebook is called.
    """

    def __init__(self, kind: str, option: str = "", tag: str = MENDED) -> None:
        self._kind, self._option = kind, option
        self.rules: Mapping[str, str] = {**RULES, "ultimate": tag}

    def choose(self, work: Working[State], decision: Decision, option: str) -> None:
        """As ever, but for the changed rule."""
        hit = decision.kind == self._kind and self._option in {"", option}
        if hit and work.state.rulebook == "ultimate":
            raise Rejected(Code.UNKNOWN_DECISION, "by the changed rule")
        super().choose(work, decision, option)


def shelf_of(game: Room25) -> Shelf:
    """A program that plays this."""
    return Shelf({game.id: game})


def planted(folder: Path, program: str, *, limits: Limits | None = None) -> Archives:
    """Archives of which the only one, for all rules as they were, is a program of ours."""
    manifest = Manifest(
        version="0.2.0", table="table/1", games={"room25": dict(RULES)}, contents="0" * 64
    )
    content = zipped({"__main__.py": program.encode(), MANIFEST: msgspec.json.encode(manifest)})
    listed = Listed(
        file="rules-planted.pyz", sha256=hashlib.sha256(content).hexdigest(), manifest=manifest
    )
    (folder / listed.file).write_bytes(content)
    return listing(folder, listed, limits=limits)


def listing(folder: Path, *listed: Listed, limits: Limits | None = None) -> Archives:
    """Archives with this list."""
    (folder / LIST).write_bytes(msgspec.json.encode(ArchiveList(listed)))
    return Archives(folder) if limits is None else Archives(folder, limits)
