"""What the store does with the calls of the log, in memory and without I/O (pure).

The scripts of ``events`` are told again in Python, step by step; a test gives the same random calls
to this model and to the real store, and compares every answer and every key.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from redis.exceptions import NoScriptError, ResponseError

from events.scripts import Script, load_script
from simulator.appends.guards import Guards

APPEND: Final = load_script("events", "append.lua")
ANSWERED: Final = load_script("events", "answered.lua")
FENCE: Final = load_script("events", "fence.lua")
SHOWN: Final = load_script("events", "shown.lua")

Answer = Any
"""As the protocol has it: bytes, ints, None and lists of them."""

_RECORD: Final = re.compile(rb"(.*):(\d+):(\d+):\d+", re.DOTALL)
_WRONG_TYPE: Final = "WRONGTYPE Operation against a key holding the wrong kind of value"
_SMALL_ID: Final = (
    "ERR The ID specified in XADD is equal or smaller than the target stream top item"
)
_PUT_BACK: Final = 18
_FIRST_EVENT: Final = 19
"""Places among the arguments of the append script, counted from 0."""

Hash = dict[bytes, bytes]
Scores = dict[bytes, bytes]


class ModelStream(Struct):
    """A stream whose ids are ``<number>-0``: fields by number, and the last id ever given."""

    entries: dict[int, list[bytes]]
    last: int = 0

    def page(self, first: int, count: int) -> list[list[Any]]:
        """At most ``count`` entries from ``first`` on, as XRANGE answers."""
        numbers = sorted(number for number in self.entries if number >= first)[:count]
        return [[b"%d-0" % number, list(self.entries[number])] for number in numbers]


class ModelStore:
    """The keys of one store, and the calls that the log makes.

    Args:
        guards: which checks are made.

    Attributes:
        keys: the values, by key.
        changes: how often something has been written.
    """

    def __init__(self, guards: Guards | None = None) -> None:
        self.keys: dict[bytes, Hash | ModelStream | bytes] = {}
        self.scores: dict[bytes, Scores] = {}
        self.changes = 0
        self._loaded: set[str] = set()
        self._guards = guards or Guards()
        self._commands: dict[bytes, Callable[[Sequence[bytes], int], Answer]] = {
            b"EVALSHA": self._evalsha,
            b"EVAL": self._eval,
            b"HGET": lambda words, _: self._hash(words[0]).get(words[1]),
            b"HMGET": lambda words, _: [self._hash(words[0]).get(w) for w in words[1:]],
            b"HGETALL": lambda words, _: dict(self._hash(words[0])),
            b"HSET": self._hset,
            b"HSETNX": self._hsetnx,
            b"XRANGE": self._xrange,
            b"SPUBLISH": lambda _, __: 0,
            b"EXISTS": lambda words, _: int(words[0] in self.keys or words[0] in self.scores),
            b"TIME": lambda _, now: [now // 1000, now % 1000 * 1000],
        }
        self._scripts: dict[str, Callable[[Sequence[bytes], Sequence[bytes], int], Answer]] = {
            APPEND.sha: self._append,
            ANSWERED.sha: self._answered,
            FENCE.sha: self._fence,
            SHOWN.sha: self._shown,
        }

    def run(self, words: Sequence[bytes], now: int) -> Answer:
        """The answer to one call at ``now`` (ms).

        Raises:
            ResponseError: the store refuses it.
        """
        command = self._commands.get(words[0].upper())
        if command is None:
            raise ResponseError(f"ERR unknown command {words[0].decode()!r}, in the model")
        return command(words[1:], now)

    def replay(self, words: Sequence[bytes], now: int) -> None:
        """Do again what a log says, whether a script is loaded or not."""
        loaded, self._loaded = self._loaded, set(self._scripts)
        self.run(words, now)
        self._loaded = loaded

    def stream(self, key: bytes) -> ModelStream:
        """The stream under a key, an empty one if there is none.

        Raises:
            ResponseError: something else is there.
        """
        value = self.keys.get(key)
        if value is None:
            return ModelStream({})
        if not isinstance(value, ModelStream):
            raise ResponseError(_WRONG_TYPE)
        return value

    def _hash(self, key: bytes) -> Hash:
        value = self.keys.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise ResponseError(_WRONG_TYPE)
        return value

    def _set(self, key: bytes, **fields: bytes) -> None:
        """HSET, of fields whose names are words."""
        made = self.keys[key] = self._hash(key)
        made.update({name.encode(): value for name, value in fields.items()})
        self.changes += 1

    def _drop(self, key: bytes, field: bytes) -> None:
        found = self._hash(key)
        if found.pop(field, None) is not None:
            self.changes += 1
        if not found:
            self.keys.pop(key, None)

    def _add(self, key: bytes, number: int, fields: list[bytes]) -> str:
        """XADD; why it is refused, or nothing."""
        stream = self.stream(key)
        if number <= stream.last:
            return _SMALL_ID
        self.keys[key] = stream
        stream.entries[number] = fields
        stream.last = number
        self.changes += 1
        return ""

    def _hset(self, words: Sequence[bytes], _: int) -> Answer:
        fields = dict(zip(words[1::2], words[2::2], strict=True))
        fresh = len(fields.keys() - self._hash(words[0]).keys())
        self._set(words[0], **{name.decode(): value for name, value in fields.items()})
        return fresh

    def _hsetnx(self, words: Sequence[bytes], now: int) -> Answer:
        return 0 if words[1] in self._hash(words[0]) else self._hset(words, now)

    def _xrange(self, words: Sequence[bytes], _: int) -> Answer:
        first = int(words[1].partition(b"-")[0])
        found = self.stream(words[0]).page(first, int(words[4]) if len(words) > 4 else 1 << 30)  # noqa: PLR2004
        if words[2] != b"+":
            last = int(words[2].partition(b"-")[0])
            found = [entry for entry in found if int(entry[0].partition(b"-")[0]) <= last]
        return found

    def _evalsha(self, words: Sequence[bytes], now: int) -> Answer:
        sha = words[0].decode()
        if sha not in self._loaded:
            raise NoScriptError("No matching script.")
        count = int(words[1])
        return self._scripts[sha](words[2 : 2 + count], words[2 + count :], now)

    def _eval(self, words: Sequence[bytes], now: int) -> Answer:
        sha = hashlib.sha1(words[0], usedforsecurity=False).hexdigest()
        if sha not in self._scripts:
            raise ResponseError("ERR a script that the model does not know")
        self._loaded.add(sha)
        return self._evalsha([sha.encode(), *words[1:]], now)

    def forget_scripts(self) -> None:
        """SCRIPT FLUSH."""
        self._loaded.clear()

    def tear(self, words: Sequence[bytes]) -> None:
        """Keep only the events of an append, as a store would that writes things one by one."""
        count = int(words[2])
        keys, args = words[3 : 3 + count], words[3 + count :]
        last = self.stream(keys[1]).last
        for number, (public, private) in enumerate(_events(args), last + 1):
            self._add(keys[1], number, [b"e", public, *([b"p", private] if private else [])])

    def _first_answer(self, keys: Sequence[bytes], command: bytes, digest: bytes) -> Answer | None:
        """What is remembered of a command; None: nothing."""
        record = self._hash(keys[2]).get(command)
        if record is None:
            return None
        match = _RECORD.fullmatch(record)
        if match is None or match[1] != digest:
            return [b"reused"]
        first, count = int(match[2]), int(match[3])
        return [b"again", first, count, self.stream(keys[1]).page(first, count)]

    def _answered(self, keys: Sequence[bytes], args: Sequence[bytes], _: int) -> Answer:
        """``answered.lua``."""
        if args[0] and (found := self._first_answer(keys, args[0], args[1])) is not None:
            return found
        head = self._hash(keys[0])
        missing = self.stream(keys[1]).page(int(args[2]) + 1, int(args[3]))
        version = int(head.get(b"ver", b"0"))
        return [b"tail", version, head.get(b"head", b""), head.get(b"st", b""), missing]

    def _fence(self, keys: Sequence[bytes], _: Sequence[bytes], __: int) -> Answer:
        """``fence.lua``; that the probe goes away by itself is left out."""
        shard = self._hash(keys[0])
        self.keys[keys[1]] = b"1"
        self.changes += 1
        return [b"fenced", int(shard.get(b"seq", b"0")), shard.get(b"chain", b"")]

    def _shown(self, keys: Sequence[bytes], args: Sequence[bytes], _: int) -> Answer:
        """``shown.lua``."""
        at, asked = self._hash(keys[0]), int(args[1])
        version, head = int(at.get(b"ver", b"0")), at.get(b"head", b"")
        if version < asked:
            return [b"gone", version]
        if version == asked and head != args[2]:
            return [b"changed"]
        missing = self.stream(keys[1]).page(asked + 1, int(args[3])) if version > asked else []
        seq, link = int(args[4]), args[5]
        pointers = self.stream(keys[2]).page(seq, int(args[6]))
        if seq > 0:
            first = pointers.pop(0) if pointers else None
            if first is None or first[0] != b"%d-0" % seq or (link and first[1][7] != link):
                return [b"broken"]
        for number, fields in pointers:
            seq, link = int(number.partition(b"-")[0]), fields[7]
            reached, count = int(fields[3]), int(fields[5])
            if fields[1] == args[0] and reached - count < asked:
                return [b"there", version, head, missing, seq, link, [seq, reached, count]]
        return [b"there", version, head, missing, seq, link, []]

    def _append(self, keys: Sequence[bytes], args: Sequence[bytes], now: int) -> Answer:
        """``append.lua``: all checks, then all writes; nothing is put back from a journal."""
        assert not args[_PUT_BACK]
        if self._guards.remembers_commands:
            known = self._first_answer(keys, args[3], args[4])
            if known is not None:
                return known
        refusal, ahead = self._refusal(keys, args, now)
        return refusal if refusal is not None else self._write(keys, args, ahead=ahead)

    def _refusal(
        self, keys: Sequence[bytes], args: Sequence[bytes], now: int
    ) -> tuple[Answer | None, bool]:
        """Why a batch is not written, or None; and whether its stream goes on ahead of time."""
        shard = self._hash(keys[4])
        seq, store = int(shard.get(b"seq", b"0")), shard.get(b"store")
        if args[15] and self._is_behind(keys[5], shard, args):
            return [b"behind", store or b"", seq], False
        head = self._hash(keys[0])
        version, expected = int(head.get(b"ver", b"0")), int(args[1])
        if self._is_elsewhere(version, expected, head.get(b"head", b""), args[2]):
            if args[11] and version > expected:
                self._set(keys[0], want=b"1")
            tail = self.stream(keys[1]).page(expected + 1, int(args[10]))
            return [b"conflict", version, head.get(b"head", b""), tail], False
        damage = self._damage(keys, version, seq, shard)
        if damage:
            return [b"damaged", damage], False
        self._score(keys[3], args[0])
        if not args[9]:
            return None, False
        sent, at, tolerance, oldest = int(args[12]), int(args[8]), int(args[9]), int(args[13])
        if sent - now > tolerance or now - sent > oldest or sent - at > oldest:
            return [b"clock", now], False
        ahead = at - now > tolerance
        if ahead and not args[14] and at > int(head.get(b"ahead", b"0")):
            return [b"ahead", now], False
        return None, ahead

    def _is_behind(self, feed: bytes, shard: Hash, args: Sequence[bytes]) -> bool:
        """Whether the shard lacks what the writer has seen in it."""
        number, _, link = args[16].partition(b" ")
        seq, known = int(shard.get(b"seq", b"0")), int(number)
        guards = self._guards
        if guards.compares_stores and (shard.get(b"store") != args[15] or seq < known):
            return True
        if not link or not guards.compares_links:
            return False
        there = shard.get(b"chain")
        if seq != known:
            entry = self.stream(feed).entries.get(known)
            there = None if entry is None else entry[7]
        return there is not None and there != link

    def _is_elsewhere(self, version: int, expected: int, head: bytes, wanted: bytes) -> bool:
        guards = self._guards
        if not guards.compares_versions:
            return False
        return version != expected or (guards.compares_heads and version > 0 and head != wanted)

    def _damage(self, keys: Sequence[bytes], version: int, seq: int, shard: Hash) -> bytes:
        """What does not fit together in a stream or in the feeds; empty: it all does."""
        length = len(self.stream(keys[1]).entries)
        if length != version:
            return b"the stream has %d entries" % length
        feeds = [(keys[5], seq, b"the feed")]
        if len(keys) > 6:  # noqa: PLR2004
            feeds.append((keys[6], int(shard.get(b"aseq", b"0")), b"the feed of accounts"))
        for key, number, name in feeds:
            entries = self.stream(key).entries
            if entries and max(entries) != number:
                return b"%s ends at %d-0" % (name, max(entries))
        return b""

    def _score(self, key: bytes, member: bytes) -> bytes | None:
        if key in self.keys:
            raise ResponseError(_WRONG_TYPE)
        return self.scores.get(key, {}).get(member)

    def _write(self, keys: Sequence[bytes], args: Sequence[bytes], *, ahead: bool) -> Answer:
        """All writes of an append."""
        head, shard = self._hash(keys[0]), self._hash(keys[4])
        version, seq = int(head.get(b"ver", b"0")), int(shard.get(b"seq", b"0"))
        count = 0
        for public, private in _events(args):
            fields = [b"e", public, *([b"p", private] if private else [])]
            refused = self._add(keys[1], version + count + 1, fields)
            if refused:
                return [b"damaged", refused.encode()]
            count += 1
        self._set(keys[0], ver=b"%d" % (version + count), head=args[5], st=args[6])
        if ahead:
            self._set(keys[0], ahead=args[8])
        else:
            self._drop(keys[0], b"ahead")
        wanted = int(b"want" in head and not args[11])
        self._drop(keys[0], b"want")
        due = args[7] if args[7] != b"=" else self._score(keys[3], args[0]) or b"-"
        self._wake(keys[3], args[0], args[7])
        seq += 1
        record = b"%s:%d:%d:%d" % (args[4], version + 1, count, seq)
        self.keys.setdefault(keys[2], {})
        self._hash(keys[2])[args[3]] = record
        link = b"%s %s %d %s" % (shard.get(b"chain", b""), args[0], version + count, args[5])
        chain = hashlib.sha1(link, usedforsecurity=False).hexdigest()[:16].encode()
        self._set(keys[4], seq=b"%d" % seq, chain=chain)
        place = [b"g", args[0], b"v", b"%d" % (version + count), b"n", b"%d" % count]
        self._add(keys[5], seq, [*place, b"h", chain, b"s", args[6], b"d", due])
        if len(keys) > 6:  # noqa: PLR2004
            number = int(shard.get(b"aseq", b"0")) + 1
            self._set(keys[4], aseq=b"%d" % number)
            self._add(keys[6], number, place)
        return [b"ok", version + count, seq, wanted, chain]

    def _wake(self, key: bytes, stream: bytes, due: bytes) -> None:
        """Set, keep or remove a deadline."""
        if due == b"=":
            return
        scores = self.scores.setdefault(key, {})
        if due == b"-":
            scores.pop(stream, None)
        else:
            scores[stream] = due
        if not scores:
            del self.scores[key]


def _events(args: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Public and private parts."""
    return zip(args[_FIRST_EVENT::2], args[_FIRST_EVENT + 1 :: 2], strict=True)


def words_of(words: Sequence[bytes | str | int]) -> list[bytes]:
    """The words of a call as the store gets them."""
    return [word if isinstance(word, bytes) else str(word).encode() for word in words]


SCRIPTS: Final[tuple[Script, ...]] = (APPEND, ANSWERED, FENCE, SHOWN)
"""All scripts that the model knows."""
