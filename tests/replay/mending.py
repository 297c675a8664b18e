"""Room 25 with one rule changed, and archives as somebody could have made them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from events.kernel import Decision, Rejected, Working
from games.contract import Rules
from games.game_registry import GameRegistry
from games.room25 import RULES, Code, Room25
from games.room25.model.state import State
from games.room25.package import GAME
from games.room25.tags import TAGS
from games.rules import RULES as ALL
from replay.archives import LIST, MANIFEST, ArchiveList, Listed, Manifest, RulesArchives
from replay.isolation import ProcessLimits
from tools.archiving.building import zipped

MENDED: Final = "room25.ultimate/2"
"""The tag of the rulebook whose rule is changed."""

OLD: Final = "table/1 room25.ultimate/1"
"""What batches by the rulebook as it was record."""


class Mended(Room25):
    """By ``ultimate``, nobody may choose ``option`` in answer to a question of this ``kind``."""

    def __init__(self, kind: str, option: str = "") -> None:
        super().__init__()
        self._kind, self._option = kind, option

    def choose(self, work: Working[State], decision: Decision, option: str) -> None:
        """As ever, but for the changed rule."""
        hit = decision.kind == self._kind and self._option in {"", option}
        if hit and work.state.rulebook == "ultimate":
            raise Rejected(Code.UNKNOWN_DECISION, "by the changed rule")
        super().choose(work, decision, option)


def mended(kind: str, option: str = "", tag: str = MENDED) -> Rules:
    """The rules with this change; ``tag`` is what the changed rulebook is called."""
    return replace(RULES, decider=Mended(kind, option), tags={**TAGS, "ultimate": tag})


def registry_of(rules: Rules) -> GameRegistry:
    """A program that plays by these."""
    return GameRegistry({rules.id: replace(GAME, rules=rules)})


def planted(folder: Path, program: str, *, limits: ProcessLimits | None = None) -> RulesArchives:
    """Archives of which the only one, for all rules as they were, is a program of ours."""
    tags = {game: dict(rules.tags) for game, rules in ALL.items()}
    manifest = Manifest(version="0.2.0", table="table/1", games=tags, contents="0" * 64)
    content = zipped({"__main__.py": program.encode(), MANIFEST: msgspec.json.encode(manifest)})
    listed = Listed(
        file="rules-planted.pyz", sha256=hashlib.sha256(content).hexdigest(), manifest=manifest
    )
    (folder / listed.file).write_bytes(content)
    return listing(folder, listed, limits=limits)


def listing(folder: Path, *listed: Listed, limits: ProcessLimits | None = None) -> RulesArchives:
    """Archives with this list."""
    (folder / LIST).write_bytes(msgspec.json.encode(ArchiveList(listed)))
    return RulesArchives(folder) if limits is None else RulesArchives(folder, limits)
