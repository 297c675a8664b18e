"""Where things lie in the store (pure).

All keys of a shard carry its hash tag ``T``, so a cluster keeps them in one slot and a script may
touch them together. A stream id names its shard: ``g1f-...`` lies in shard 0x1f for ever.

======================  ==========  ==============================================================
``{T}:m``               hash        ``seq``: the number of the feed's last entry; ``chain``: its
                                    ``h``; ``store``: ``<store id>:<epoch>``; ``beat``: the last
                                    heartbeat (ms); ``aseq``: the number of the last entry of
                                    ``alog``, if there is one; ``shipped``: ``<seq> <h>`` of the
                                    last entry that is in the journal, if there is one; ``turn``:
                                    the number of the shipper's turn in which that was said
``{T}:log``             stream      the feed; entry ``<seq>-0``: ``g`` stream, ``v`` the version
                                    that its batch reached, ``n`` the number of events in it, ``h``
                                    64 bits that hang on all entries up to it, ``s`` the stream's
                                    status then and ``d`` its wake-up time (ms, or ``-``)
``{T}:alog``            stream      the feed of accounts: ``g``, ``v`` and ``n`` of those entries of
                                    the feed that are of accounts, with numbers of their own; what
                                    was appended before there was such a feed is not in it
``{T}:due``             sorted set  stream ids by the time (ms) at which a worker must look
``{T}:probe``           string      there for a minute after somebody asked whether it can be
                                    written, or replicated
``{T}:g:<id>:h``        hash        ``ver``, ``head`` (32 raw bytes), ``st`` status; ``want``: a
                                    writer was late often; ``ahead``: a time (ms) ahead of the clock
                                    at which the stream may go on
``{T}:g:<id>:e``        stream      entry ``<version>-0``: ``e`` public bytes, ``p`` private part
``{T}:g:<id>:c``        hash        command id -> ``<digest>:<first version>:<count>:<seq>``
``{T}:g:<id>:n``        hash        of an account only: name seal -> opening; the one key that holds
                                    names, and no part of the log: deleting it erases them
``{T}:g:<id>:u``        hash        of an account only, and no part of the log: the id of a token ->
                                    the hour (ms) in which it was last used
``{T}:challenge:…``     string      of a quarter of an hour, and no part of the log: what somebody
                                    may sign in by; see ``service.access.challenges``
``{T0}:store``          hash        in shard 0 alone: what the store is; see ``identity``
``{T0}:ship``           hash        in shard 0 alone: which of several shippers says what is
                                    shipped (``journal``), until when (``until``, ms), and the
                                    ``number`` of its turn
``{T0}:epochs``         stream      in shard 0 alone: the store's own; entry ``<epoch>-0``: who
                                    began it when (``by``, ``at``), and for what ``reason``
======================  ==========  ==============================================================

The bell of a shard (see ``bells``) is on the sharded channel ``{T}:log``: ``<seq> <due>`` of each
append, where ``due`` is a time (ms), ``-`` for none or ``=`` for the one before; and
``<seq> r <h>`` when it is known that all up to there is replicated, ``<seq> j <h>`` when it is in
the journal. That of its accounts is on ``{T}:alog``. Each account that an append concerns has its
bell on the channel ``{T}:for:<account>`` of the stream's shard (see ``Append.concerns``), which
says the stream's id. A tour of a game (``runtime.tours``) has its bell on ``{T}:tour:<id>``.
"""

from __future__ import annotations

import binascii
import itertools
import re
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

from events.keys import MAX_SHARDS

SLOTS: Final = 1 << 14
"""Hash slots of a cluster."""

ACCOUNT: Final = "p"
"""The first letter of an account's id."""

Tags = Literal["banded", "spread"]
"""How the hash tags of shards are chosen. It can never change while a store holds anything."""

_BAND = SLOTS // 64
_NARROW = SLOTS // MAX_SHARDS
_SUFFIXES = "0123456789abcdefghijklmnopqrstuvwxyz"
_KEPT: Final = 4096
_STREAM_ID = re.compile(r"[a-z]([0-9a-f]{2})-[0-9a-z]{1,40}")


class BadStreamIdError(ValueError):
    """The text is not a stream id, or names a shard that this store does not have."""


def slot(tag: str) -> int:
    """The cluster slot of a hash tag (CRC-16/XMODEM)."""
    return binascii.crc_hqx(tag.encode(), 0) % SLOTS


@lru_cache(maxsize=2 * MAX_SHARDS)
def tag(shard: int, tags: Tags = "banded") -> str:
    """The hash tag of a shard: the first text after ``sXX`` whose slot falls in the shard's band.

    ``banded``: the slots form 64 bands; shard ``i`` takes band ``i mod 64``. 64 shards are spread
    evenly over primaries with contiguous ranges of slots; few of them all fall to the first.

    ``spread``: the slots form 256 bands, and shard ``i`` takes the band whose number has the eight
    bits of ``i`` in reverse, so each further shard falls into the widest gap there is. Any number
    of shards is spread evenly, also as it grows. Shard 0 has the tag that it has in any case,
    because what a store says of itself must be found before it is known how its tags are chosen.
    """
    stem = f"s{shard:02x}"
    wide = tags == "banded" or not shard
    band, wanted = (_BAND, shard % 64) if wide else (_NARROW, int(f"{shard:08b}"[::-1], 2))
    for length in range(1, 4):
        for suffix in itertools.product(_SUFFIXES, repeat=length):
            found = stem + "".join(suffix)
            if slot(found) // band == wanted:
                return found
    raise AssertionError(stem)  # tried for all 256 shards in the tests


class StreamKeys(Struct, frozen=True):
    """The keys of a stream and of its shard, all in one slot; and that shard.

    ``account_feed`` is empty for streams that are not of accounts.
    """

    shard: int
    head: str
    entries: str
    commands: str
    names: str
    uses: str
    due: str
    meta: str
    feed: str
    account_feed: str

    @property
    def written(self) -> tuple[str, ...]:
        """Those that the append script takes, in its order."""
        own = (self.head, self.entries, self.commands, self.due, self.meta, self.feed)
        return (*own, self.account_feed) if self.account_feed else own


class Layout:
    """Names keys.

    Args:
        shards: how many shards there are, 1 to 256. It may grow, never shrink.
        prefix: stands before every key, so that tests can share a store.
        tags: how the hash tags of shards are chosen.

    Raises:
        ValueError: ``shards`` is out of range, or ``prefix`` holds a brace.
    """

    def __init__(self, shards: int, prefix: str = "", tags: Tags = "banded") -> None:
        if not 1 <= shards <= MAX_SHARDS:
            raise ValueError(f"there are 1 to {MAX_SHARDS} shards")
        if "{" in prefix or "}" in prefix:
            raise ValueError("a prefix with a brace would be taken for a hash tag")
        self.shards = shards
        self.prefix = prefix
        self.tags = tags
        self._roots = [f"{prefix}{{{tag(shard, tags)}}}:" for shard in range(shards)]
        self._known: dict[str, StreamKeys] = {}

    def shard_of(self, stream: str) -> int:
        """The shard of a stream.

        Raises:
            BadStreamIdError: not an id, or its shard does not exist.
        """
        known = self._known.get(stream)
        if known is not None:
            return known.shard
        match = _STREAM_ID.fullmatch(stream)
        if match is None:
            raise BadStreamIdError(f"not a stream id: {stream[:80]!r}")
        shard = int(match[1], 16)
        if shard >= self.shards:
            raise BadStreamIdError(f"there is no shard {shard} for {stream}")
        return shard

    def stream(self, stream: str) -> StreamKeys:
        """The keys of a stream and of its shard.

        Raises:
            BadStreamIdError: as ``shard_of``.
        """
        known = self._known.get(stream)
        if known is not None:
            return known
        shard = self.shard_of(stream)
        own = f"{self._roots[shard]}g:{stream}:"
        if len(self._known) >= _KEPT:
            self._known.clear()
        keys = self._known[stream] = StreamKeys(
            shard=shard,
            head=own + "h",
            entries=own + "e",
            commands=own + "c",
            names=own + "n",
            uses=own + "u",
            due=self.due(shard),
            meta=self.meta(shard),
            feed=self.feed(shard),
            account_feed=self.account_feed(shard) if stream.startswith(ACCOUNT) else "",
        )
        return keys

    def key(self, shard: int, name: str) -> str:
        """A key of a shard by its name."""
        return self._roots[shard] + name

    def due(self, shard: int) -> str:
        """The sorted set of a shard's deadlines."""
        return self._roots[shard] + "due"

    def meta(self, shard: int) -> str:
        """The hash that holds a shard's sequence."""
        return self._roots[shard] + "m"

    def probe(self, shard: int) -> str:
        """What is written to a shard to test whether it takes writes."""
        return self._roots[shard] + "probe"

    def feed(self, shard: int) -> str:
        """The stream of a shard's pointers."""
        return self._roots[shard] + "log"

    def account_feed(self, shard: int) -> str:
        """The stream of the pointers to a shard's accounts."""
        return self._roots[shard] + "alog"

    def player_bell(self, shard: int, player: str) -> str:
        """The channel on which a player hears of streams of a shard."""
        return f"{self._roots[shard]}for:{player}"

    def tour_bell(self, stream: str, tour: str) -> str:
        """The channel on which those who follow a tour of a game hear that it has moved.

        Raises:
            BadStreamIdError: not an id, or its shard does not exist.
        """
        return f"{self._roots[self.shard_of(stream)]}tour:{tour}"

    def identity(self) -> str:
        """The hash that says what the store is."""
        return self._roots[0] + "store"

    def shipping(self) -> str:
        """The hash that says whose turn it is to say what is shipped."""
        return self._roots[0] + "ship"

    def epochs(self) -> str:
        """The store's own stream: who began each of its epochs, and why."""
        return self._roots[0] + "epochs"
