"""A heads file: the head of the chain after every version, 32 bytes each (pure).

A record holds the last head only, so a broken chain does not say where it broke. The other heads,
if they were kept, identify the first event that is not what was hashed. Nothing proves a heads file
itself, so it narrows a failure down, or is reported to disagree; no verdict rests on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from events import seal
from events.seal import HASH_BYTES
from replay.findings import CHAIN, Finding, failed
from replay.lines import SEAL
from replay.source import Source, SourceError

SUFFIX: Final = ".heads"
NAME: Final = "heads file"


class Comparison(Struct, frozen=True):
    """What a heads file says beside a game.

    ``finding`` is how the two agree, ``blamed`` the first version whose event is not what was
    hashed when the heads were kept (0: none), ``agreed`` the versions from 1 on that agree.
    """

    finding: Finding
    blamed: int = 0
    agreed: int = 0


def heads_of(source: Source, stream: str = "") -> bytes:
    """The heads file of a game.

    Args:
        source: the game, or what is known of its events; a seal and a header may be missing.
        stream: its id, where the source does not say.

    Raises:
        SourceError: an event is missing or none, or it is not known of which game they are.
    """
    if not source.entries:
        raise SourceError("there are no events")
    wrong = next((fault for fault in source.faults if not fault.part), None)
    if wrong is not None:
        raise SourceError(f"version {wrong.version}: {wrong.text}" if wrong.version else wrong.text)
    if stream and source.stream and stream != source.stream:
        raise SourceError(f"these are the events of {source.stream}")
    if not stream and not source.stream:
        raise SourceError("nothing says of which game these events are: name it by --game")
    start = seal.genesis(stream or source.stream)
    return b"".join(seal.heads(start, 0, (entry.public for entry in source.entries)))


def compare(source: Source, kept: bytes) -> Comparison:
    """Find where a game and its heads file diverge.

    A head commits to every event before it: up to the last head that is also the game's own, all
    events are those that were hashed, whatever stands between in the file.
    """
    heads = [kept[i : i + HASH_BYTES] for i in range(0, len(kept) - HASH_BYTES + 1, HASH_BYTES)]
    own = max(_own(source), key=lambda each: _agreed(each, heads), default=None)
    if not heads or not source.entries or own is None:
        return Comparison(Finding(NAME, "not compared", _why_not(heads, source)))
    agreed = _agreed(own, heads)
    versions = f"{agreed} of {len(source.entries)} versions agree"
    damaged = next((v for v in range(1, agreed) if heads[v - 1] != own[v - 1]), 0)
    if damaged:
        why = "the event is right by a later head of the file, which is damaged here"
        return Comparison(
            Finding(NAME, "differs", why, damaged), _blamed(source, own, heads), agreed
        )
    if agreed < len(heads):
        return _parted(source, own, heads, agreed)
    if len(kept) % HASH_BYTES:
        return Comparison(
            Finding(NAME, "differs", f"it is cut within a head; {versions}"), 0, agreed
        )
    return Comparison(Finding(NAME, "agrees", versions), 0, agreed)


def _parted(source: Source, own: list[bytes], heads: list[bytes], agreed: int) -> Comparison:
    """The game and the file agree up to a version, and not in the next one."""
    blamed, at = _blamed(source, own, heads), agreed + 1
    if blamed:
        why = "this event is not the one whose head was kept"
    elif agreed == len(own):
        at, why = 0, f"it goes on to version {len(heads)}, the events end with {agreed}"
    elif at == len(heads):
        why = "event and head disagree, and no later head tells which of them is right"
    else:
        why = "event and head disagree; from here on they are of two histories"
    return Comparison(Finding(NAME, "differs", why, at), blamed, agreed)


def _blamed(source: Source, own: list[bytes], heads: list[bytes]) -> int:
    """The first version that is not as it was hashed, if the game's own head does not hold.

    Where it does hold, event and file disagree, and nothing here says which of them is right.
    """
    holds = len(own) == len(source.entries) and own[-1:] == [source.head]
    at = _agreed(own, heads) + 1
    is_there = at <= max(entry.version for entry in source.entries)
    return at if not holds and is_there and at <= len(heads) else 0


def _own(source: Source) -> Iterator[list[bytes]]:
    """The heads that the events make, up to the first gap, from each beginning that is named."""
    publics = [entry.public for entry in source.entries[: _until_gap(source)]]
    starts = [seal.genesis(source.stream)] if source.stream else []
    try:
        stated = seal.bytes_of(source.genesis)
    except ValueError:
        stated = b""
    starts += [stated] if len(stated) == HASH_BYTES and stated not in starts else []
    for start in starts:
        yield list(seal.heads(start, 0, publics))


def _until_gap(source: Source) -> int:
    """How many events stand in their places from the first one on."""
    dues = enumerate(source.entries, 1)
    return next((due - 1 for due, e in dues if e.version != due), len(source.entries))


def _agreed(own: Sequence[bytes], heads: Sequence[bytes]) -> int:
    """The last version at which two lists of heads are the same."""
    pairs = list(zip(own, heads, strict=False))
    return next((n for n in range(len(pairs), 0, -1) if pairs[n - 1][0] == pairs[n - 1][1]), 0)


def _why_not(heads: list[bytes], source: Source) -> str:
    if not heads:
        return "it holds no head"
    if not source.entries:
        return "there are no events"
    return "it is not known of which game these events are"


def narrowed(chain: Finding, found: Comparison, count: int) -> Finding:
    """A failure of the chain of ``count`` events, with what a heads file adds to it."""
    if chain.status != "FAILED" or chain.part:
        return chain
    if found.blamed:
        why = "by the heads file this is the first event that is not what was hashed"
        return failed(CHAIN, why, found.blamed)
    if found.agreed == count:
        return failed(CHAIN, "the events are those of the heads file, the head is not", part=SEAL)
    if found.agreed:
        return failed(CHAIN, f"{chain.detail}, after version {found.agreed}")
    return chain
