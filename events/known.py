"""What a process knows of its store: its name, and how far each shard's feed had come.

A store can be rolled back silently: an old backup, an empty disk, another machine. The store itself
cannot tell, so its writers remember. ``judge`` compares what was known with what is there; a
process that finds a difference does not write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from events.identity import Identity
from events.scripts import LogError


class StoreBehind(LogError):
    """The store is not the one this process knows, or has lost data. Nothing happened."""


class StoreUnmarked(StoreBehind):
    """The store is unknown to this process, and the clock has not answered. Nothing happened."""


class Mark(Struct, frozen=True):
    """A place in the feed of a shard: the number of an entry (0: before the first) and its link."""

    seq: int
    chain: str = ""

    @property
    def words(self) -> str:
        """As the append script takes it: the number, and the link if it is known."""
        return f"{self.seq} {self.chain}" if self.chain else str(self.seq)

    @classmethod
    def of(cls, words: bytes | None) -> Mark:
        """What ``words`` says; nothing: before the first entry."""
        seq, _, chain = (words or b"0").partition(b" ")
        return cls(int(seq), chain.decode())


_NOTHING: Final = Mark(0)


class Marks(Struct, frozen=True):
    """How far the shards of a store had come in an epoch; a shard that is not named is new."""

    store: str
    epoch: int
    shards: Mapping[int, Mark]


class ShardStatement(Struct, frozen=True):
    """What a shard says of itself: its store and epoch (None if unmarked), and where it ends."""

    name: str | None
    mark: Mark


class StoreStatement(Struct, frozen=True):
    """What a store says of itself.

    ``before`` are the links at the known places: None where there is no entry.
    """

    identity: Identity | None
    ends: Mapping[int, ShardStatement]
    before: Mapping[int, str | None]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever appended."""
        return not any(end.mark.seq for end in self.ends.values())


class Known:
    """What one process knows. Belongs to its event loop.

    Attributes:
        trouble: why the process may not write: a sentence; empty if it may.
        fits: whether its settings are those of the store.
        waits: whether it knows nothing yet, and continues as soon as the clock has answered.
        name: the store and its epoch, as every shard of it says them; empty: not known.
    """

    def __init__(self) -> None:
        self.trouble = "the store has not yet been checked against what is known of it"
        self.fits = True
        self.waits = False
        self.name = ""
        self._store = ""
        self._epoch = 0
        self._marks: dict[int, Mark] = {}

    def require(self) -> None:
        """Check that the process may write.

        Raises:
            StoreBehind: it may not.
        """
        if self.trouble:
            raise (StoreUnmarked if self.waits else StoreBehind)(self.trouble)

    def least(self, shard: int) -> int:
        """The number that the feed of a shard had reached."""
        found = self._marks.get(shard)
        return 0 if found is None else found.seq

    def mark(self, shard: int) -> Mark:
        """How far the feed of a shard had come."""
        return self._marks.get(shard, _NOTHING)

    def note(self, shard: int, seq: int, chain: str) -> None:
        """Note that a shard's feed has reached an entry."""
        if seq > self.least(shard):
            self._marks[shard] = Mark(seq, chain)

    def marks(self) -> Marks | None:
        """Everything that is known; None if nothing is."""
        return Marks(self._store, self._epoch, dict(self._marks)) if self._store else None

    def learn(self, marks: Marks) -> None:
        """Add to what is known; marks of another store or epoch replace it."""
        if (marks.store, marks.epoch) != (self._store, self._epoch):
            self._store, self._epoch, self._marks = marks.store, marks.epoch, {}
            self.name = f"{marks.store}:{marks.epoch}" if marks.store else ""
        for shard, mark in marks.shards.items():
            self.note(shard, mark.seq, mark.chain)


def newest(many: Iterable[Marks]) -> Marks | None:
    """The combined knowledge of several processes: each shard's furthest place in the latest epoch.

    Raises:
        ValueError: they know two different stores in one epoch.
    """
    found: Marks | None = None
    for each in many:
        if found is None or each.epoch > found.epoch:
            found = each
        elif each.epoch == found.epoch:
            found = _combined(found, each)
    return found


def _combined(one: Marks, other: Marks) -> Marks:
    """Each shard's furthest place, of marks of one epoch.

    Raises:
        ValueError: they are of two stores.
    """
    if one.store != other.store:
        raise ValueError(f"the marks are of two stores, {one.store} and {other.store}")
    shards = dict(one.shards)
    for shard, mark in other.shards.items():
        if shard not in shards or mark.seq > shards[shard].seq:
            shards[shard] = mark
    return Marks(one.store, one.epoch, shards)


def judge(marks: Marks, stand: StoreStatement) -> str:
    """Why a store is not the known one, in a sentence; empty if it is.

    A later epoch of the same store counts as that store: an operator has accepted what it lacks.
    """
    identity = stand.identity
    if identity is None:
        return f"the store has no name: it is not {marks.store}, which was known here, or was lost"
    if identity.store != marks.store:
        return f"this is the store {identity.store}, and {marks.store} was known here"
    if identity.epoch < marks.epoch:
        return f"the store is in epoch {identity.epoch}, and was known in epoch {marks.epoch}"
    return misnamed(identity, stand) or (
        "" if identity.epoch > marks.epoch else _lacking(marks, stand)
    )


def misnamed(identity: Identity, stand: StoreStatement) -> str:
    """Which shard belongs to another store or epoch, in a sentence; empty if none does."""
    for shard, end in sorted(stand.ends.items()):
        if end.name != identity.name and (end.name is not None or end.mark.seq):
            return f"shard {shard} is of {end.name or 'no store'}, and the store is {identity.name}"
    return ""


def _lacking(marks: Marks, stand: StoreStatement) -> str:
    """A shard that has lost known entries, or whose history differs, in a sentence."""
    for shard, mark in sorted(marks.shards.items()):
        end = stand.ends.get(shard)
        if end is None or end.mark.seq < mark.seq:
            at = 0 if end is None else end.mark.seq
            return (
                f"shard {shard} ends at {at}, and {mark.seq} was known: the store has lost a part"
            )
        link = end.mark.chain if end.mark.seq == mark.seq else stand.before.get(shard)
        if link != mark.chain:
            return f"shard {shard} has another history at {mark.seq} than was known"
    return ""
