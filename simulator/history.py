"""Judges a run by what its clients were told and by what the streams hold in the end (pure).

Clients note every sending of a command and every read: when it began, when the answer came, and
what it said. Since answers name versions nothing has to be searched for: each check is one pass
over sorted lists. The terms are those of Jepsen's Knossos (invoke, ok, fail, info), in our words:
sent, accepted, refused, unknown.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final, Literal

import msgspec
from msgspec import Struct

from events import seal
from events.codec import Stored
from events.durability import Durability
from simulator.feed_notes import FeedNote

LOST: Final = "lost"
MOVED: Final = "moved"
DOUBLED: Final = "doubled"
ANSWERS: Final = "answers"
REFUSED: Final = "refused"
VERSIONS: Final = "versions"
CHAIN: Final = "chain"
FORK: Final = "fork"
UNASKED: Final = "unasked"
ORDER: Final = "order"
STALE: Final = "stale"
VANISHED: Final = "vanished"

CHECKS: Final[Mapping[str, str]] = {
    LOST: "a command that was acknowledged at a level which survives is there",
    MOVED: "it is at the versions that its receipt names",
    DOUBLED: "a command id has one batch in all streams",
    ANSWERS: "all answers to one command id name the same versions",
    REFUSED: "a command that was refused, and nothing else, is not there",
    VERSIONS: "versions count from 1 without a gap, up to the one that the head names",
    CHAIN: "the entries hash to the head",
    FORK: "no two commands were acknowledged for one version",
    UNASKED: "every batch has a command that somebody gave",
    ORDER: "what was acknowledged before something else was sent stands before it",
    STALE: "a read shows what was acknowledged before it began",
    VANISHED: "what a read has shown is there, under the same head",
}
"""The checks, and what each shows."""

EVERY_LEVEL: Final[frozenset[Durability]] = frozenset({"local", "replicated"})

Outcome = Literal["accepted", "refused", "unknown"]


class Attempt(Struct, frozen=True, kw_only=True):
    """One sending of a command, as its client saw it.

    Args:
        client: who sent it.
        stream: where to; empty if that is known to the service alone.
        command_id: the name of the command in the log; the same for every repetition.
        sent: when, in any unit that all clients share and that never goes back.
        answered: when the answer came; None: none came.
        outcome: ``unknown`` if none came, or one that does not settle it.
        level: of an accepted one, where its receipt says that it is kept.
        first: of an accepted one, the version of its first event.
        version: of an accepted one, that of its last event.
    """

    client: str
    stream: str
    command_id: str
    sent: int
    answered: int | None = None
    outcome: Outcome = "unknown"
    level: Durability = "local"
    first: int = 0
    version: int = 0


class Read(Struct, frozen=True, kw_only=True):
    """What a client was shown of a stream: up to ``version``, where its head was ``head``.

    ``began`` is in the unit of ``Attempt.sent``. ``level`` is what was promised of all that is
    shown; ``fresh``: whether everything was promised that had been acknowledged before.
    """

    client: str
    stream: str
    version: int
    head: bytes
    began: int
    level: Durability = "local"
    fresh: bool = True


class FinalStream(Struct, frozen=True):
    """A stream at the end of a run: its entries, and where its head says that it stands."""

    stream: str
    entries: Sequence[Stored]
    version: int
    head: bytes


class FinalBatch(Struct, frozen=True):
    """The events of one command in a stream; ``by`` is ``<kind>:<id>`` of the actor."""

    stream: str
    first: int
    version: int
    command_id: str
    by: str


class Violation(Struct, frozen=True, order=True):
    """Something that does not hold: the name of the check, the stream, and a sentence."""

    check: str
    stream: str
    what: str

    def line(self) -> str:
        """As a line of a report."""
        return f"{self.check}: {self.stream or 'unknown stream'}: {self.what}"


class History(Struct):
    """What the clients of one run have noted.

    ``feeds`` is what followers of feeds were told; ``stayed`` are those who said in the end that
    they had been told all, and where each shard then ended (``feed_history`` judges both).
    """

    attempts: list[Attempt]
    reads: list[Read]
    feeds: list[FeedNote] = []
    stayed: dict[str, dict[int, int]] = {}


class _Head(Struct):
    by: str
    id: str


class _Line(Struct):
    batch: _Head | None = None


class _Told(Struct):
    """All that was told of one command."""

    stream: str
    sent: int
    accepted: list[Attempt]
    unsettled: bool = False


_line = msgspec.json.Decoder(_Line)


def judge(
    history: History,
    streams: Iterable[FinalStream],
    *,
    survives: Collection[Durability] = EVERY_LEVEL,
    is_house: Callable[[FinalBatch], bool] = lambda _: False,
) -> list[Violation]:
    """Everything that does not hold, sorted; empty if all does.

    Args:
        history: what the clients have noted; an account of the whole run.
        streams: all streams that they have written to, as they are in the end.
        survives: the levels of which nothing may be missing; a failover may take the others.
        is_house: whether a batch is of the service itself, which nobody has to ask for it.
    """
    ends = {end.stream: end for end in streams}
    batches = {name: list(batches_of(end)) for name, end in ends.items()}
    told = _merged(history.attempts)
    found = [
        *_stands(ends.values()),
        *_commands(told, batches, survives),
        *_unasked(told, batches, is_house),
        *_forks(told, survives),
        *_order(told, batches),
        *_reads(history.reads, told, ends, survives),
    ]
    return sorted(found)


def batches_of(end: FinalStream) -> Iterator[FinalBatch]:
    """The batches of a stream, by the places at which its entries stand."""
    head: _Head | None = None
    first = 0
    for entry in end.entries:
        begun = _line.decode(entry.public).batch
        if begun is not None:
            if head is not None:
                yield FinalBatch(end.stream, first, entry.version - 1, head.id, head.by)
            head, first = begun, entry.version
    if head is not None:
        yield FinalBatch(end.stream, first, end.entries[-1].version, head.id, head.by)


def _merged(attempts: Iterable[Attempt]) -> dict[str, _Told]:
    """What was told of each command id."""
    told: dict[str, _Told] = {}
    for attempt in attempts:
        one = told.get(attempt.command_id)
        if one is None:
            one = told[attempt.command_id] = _Told(attempt.stream, attempt.sent, [])
        one.stream = one.stream or attempt.stream
        one.sent = min(one.sent, attempt.sent)
        if attempt.outcome == "accepted":
            one.accepted.append(attempt)
        one.unsettled |= attempt.outcome == "unknown"
    return told


def _stands(ends: Iterable[FinalStream]) -> Iterator[Violation]:
    """Whether each stream is in itself as it should be."""
    for end in ends:
        versions = [entry.version for entry in end.entries]
        if versions != list(range(1, end.version + 1)):
            at = next((n for n, v in enumerate(versions, 1) if n != v), len(versions) + 1)
            what = f"{len(versions)} entries, the head says {end.version}; amiss from {at} on"
            yield Violation(VERSIONS, end.stream, what)
        publics = (entry.public for entry in end.entries)
        if end.entries and seal.chain(seal.genesis(end.stream), 0, publics) != end.head:
            yield Violation(CHAIN, end.stream, f"{len(versions)} entries hash to another head")


def _commands(
    told: Mapping[str, _Told],
    batches: Mapping[str, Sequence[FinalBatch]],
    survives: Collection[Durability],
) -> Iterator[Violation]:
    """Whether each command is there as often, and where, as was told."""
    there: dict[str, list[FinalBatch]] = defaultdict(list)
    for batch in (batch for each in batches.values() for batch in each):
        there[batch.command_id].append(batch)
    for name, many in there.items():
        if len(many) > 1:
            places = ", ".join(f"{b.stream} {b.first}" for b in many)
            yield Violation(DOUBLED, many[0].stream, f"{name} is at {places}")
    for name, one in told.items():
        found = there.get(name, ())
        if not one.accepted and not one.unsettled:
            for batch in found:
                yield Violation(REFUSED, batch.stream, f"{name} was refused, is at {batch.first}")
        # What one failover took, a repetition may have brought again: elsewhere, and rightly so.
        kept = [each for each in one.accepted if each.level in survives]
        if len({(each.stream, each.first, each.version) for each in kept}) > 1:
            places = ", ".join(sorted({f"{a.stream} {a.first} to {a.version}" for a in kept}))
            yield Violation(ANSWERS, one.stream, f"{name} was answered by {places}")
        for each in kept:
            if not found:
                what = f"{name}, acknowledged as {each.level} at {each.first}, is nowhere"
                yield Violation(LOST, each.stream, what)
                break
            if all((b.stream, b.first, b.version) != _place(each) for b in found):
                what = f"{name} was acknowledged at {each.first}, is at {found[0].first}"
                yield Violation(MOVED, each.stream, what)
                break


def _place(attempt: Attempt) -> tuple[str, int, int]:
    return attempt.stream, attempt.first, attempt.version


def _unasked(
    told: Mapping[str, _Told],
    batches: Mapping[str, Sequence[FinalBatch]],
    is_house: Callable[[FinalBatch], bool],
) -> Iterator[Violation]:
    for stream, many in batches.items():
        for batch in many:
            if batch.command_id not in told and not is_house(batch):
                what = f"nobody gave {batch.command_id}, at {batch.first}, by {batch.by}"
                yield Violation(UNASKED, stream, what)


def _forks(told: Mapping[str, _Told], survives: Collection[Durability]) -> Iterator[Violation]:
    """Two commands that were acknowledged for one version of one stream."""
    ranges: dict[str, set[tuple[int, int, str]]] = defaultdict(set)
    for name, one in told.items():
        for each in one.accepted:
            if each.level in survives:
                ranges[each.stream].add((each.first, each.version, name))
    for stream, many in ranges.items():
        for (first, last, one_name), (begin, end, other) in pairwise(sorted(many)):
            if begin <= last and one_name != other:
                what = f"{one_name} has {first} to {last}, and {other} {begin} to {end}"
                yield Violation(FORK, stream, what)


def _order(
    told: Mapping[str, _Told], batches: Mapping[str, Sequence[FinalBatch]]
) -> Iterator[Violation]:
    """Whether the order of a stream contradicts that in which things were sent and answered."""
    for stream, many in batches.items():
        newest, by = -1, ""
        for batch in many:
            one = told.get(batch.command_id)
            if one is None:
                continue
            # Only who was told of this very place was told that it stands there.
            answered = min(
                (
                    each.answered
                    for each in one.accepted
                    if each.answered is not None
                    and _place(each)[1:] == (batch.first, batch.version)
                ),
                default=None,
            )
            if answered is not None and answered < newest:
                what = f"{batch.command_id} was there before {by} was sent, and follows it"
                yield Violation(ORDER, stream, what)
            if one.sent > newest:
                newest, by = one.sent, batch.command_id


def _answered(one: _Told, batch: FinalBatch) -> int | None:
    """When somebody was first told that a command stands at this very place; None: never."""
    place = batch.stream, batch.first, batch.version
    at = (a.answered for a in one.accepted if a.answered is not None and _place(a) == place)
    return min(at, default=None)


def _reads(
    reads: Iterable[Read],
    told: Mapping[str, _Told],
    ends: Mapping[str, FinalStream],
    survives: Collection[Durability],
) -> Iterator[Violation]:
    """Whether each read showed what was there, and enough of it."""
    heads = {
        name: list(seal.heads(seal.genesis(name), 0, (entry.public for entry in end.entries)))
        for name, end in ends.items()
    }
    reached = _reached(told, survives)
    for read in reads:
        there = heads.get(read.stream, [])
        if read.level in survives and read.version:
            if read.version > len(there):
                what = f"{read.client} was shown {read.version}, and it ends at {len(there)}"
                yield Violation(VANISHED, read.stream, what)
            elif there[read.version - 1] != read.head:
                what = f"{read.client} was shown another history at {read.version}"
                yield Violation(VANISHED, read.stream, what)
        if read.fresh:
            rises = reached.get(read.stream, [])
            before = bisect_left(rises, read.began, key=itemgetter(0))
            least = rises[before - 1][1] if before else 0
            if read.version < least:
                what = f"{read.client} was shown {read.version}, after {least} was acknowledged"
                yield Violation(STALE, read.stream, what)


def _reached(
    told: Mapping[str, _Told], survives: Collection[Durability]
) -> dict[str, list[tuple[int, int]]]:
    """When each stream was known to have reached which version."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in told.values():
        for each in one.accepted:
            if each.level in survives and each.answered is not None:
                found[each.stream].append((each.answered, each.version))
    return {stream: _rises(many) for stream, many in found.items()}


def _rises(many: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Only those moments at which more was known than before."""
    rises: list[tuple[int, int]] = []
    for at, version in sorted(many):
        if not rises or version > rises[-1][1]:
            rises.append((at, version))
    return rises
