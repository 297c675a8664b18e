"""The model does what the real store does: the same answers, and the same keys afterwards."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from redis.exceptions import NoScriptError, ResponseError

from events.layout import Layout
from events.skew import OLDEST_MS
from simulator.appends.guards import Guards
from simulator.appends.model import (
    ANSWERED,
    APPEND,
    FENCE,
    SHOWN,
    ModelStore,
    ModelStream,
    words_of,
)
from tests.unlimited import unlimited

LAYOUT = Layout(2)
STREAMS = ("g00-a", "g00-b", "g01-c", "p01-d")
NAMES = ("store:1", "store:2")
TOLERANCE = 5_000
HOUR = 3_600_000
SEQUENCES = 150
CALLS = 60

Words = list[bytes]


class Real:
    """The real store, asked by words; refusals are their code."""

    def __init__(self, url: str) -> None:
        self.client = redis.Redis.from_url(unlimited(url), protocol=2)
        self.client.response_callbacks.clear()

    def run(self, words: Words) -> Any:
        try:
            return self.client.execute_command(*words)
        except ResponseError as refusal:
            return "refused", str(refusal).partition(" ")[0]

    def keys(self) -> dict[bytes, Any]:
        """Everything that it holds, in the model's form."""
        found: dict[bytes, Any] = {}
        for key in self.client.execute_command("KEYS", "*"):
            kind = self.client.execute_command("TYPE", key)
            match kind:
                case b"hash":
                    flat = self.client.execute_command("HGETALL", key)
                    found[key] = dict(zip(flat[::2], flat[1::2], strict=True))
                case b"stream":
                    found[key] = self.client.execute_command("XRANGE", key, "-", "+")
                case b"zset":
                    flat = self.client.execute_command("ZRANGE", key, 0, -1, "WITHSCORES")
                    found[key] = dict(zip(flat[::2], flat[1::2], strict=True))
                case _:
                    found[key] = self.client.execute_command("GET", key)
        return found


class Modelled:
    """The model, asked in the same way."""

    def __init__(self, guards: Guards | None = None) -> None:
        self.store = ModelStore(guards)

    def run(self, words: Words, now: int) -> Any:
        try:
            return self.store.run(words, now)
        except ResponseError as refusal:
            return "refused", str(refusal).partition(" ")[0]

    def keys(self) -> dict[bytes, Any]:
        plain = {
            key: value.page(0, 1 << 30) if isinstance(value, ModelStream) else value
            for key, value in self.store.keys.items()
        }
        return {**plain, **self.store.scores}


class Caller:
    """Makes random calls, most of which fit what was answered before."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.at = dict.fromkeys(STREAMS, (0, b""))
        self.sent: list[Words] = []
        self.made = 0
        self.links: list[dict[int, str]] = [{}, {}]

    def next(self, now: int) -> Words:
        """One call."""
        chance = self.chance.random()
        if self.sent and chance < 0.15:
            return self.chance.choice(self.sent)
        if chance < 0.25:
            return self._answered()
        if chance < 0.28:
            shard = self.chance.randrange(2)
            keys = LAYOUT.meta(shard), LAYOUT.probe(shard)
            return words_of(["EVAL", FENCE.text, 2, *keys, 60_000])
        if chance < 0.34:
            return self._shown()
        if chance < 0.37:
            return self._tampers()
        return self._append(now)

    def hear(self, words: Words, answer: Any) -> None:
        """Learn where a stream is by now."""
        stream = next((s for s in STREAMS if s.encode() in words[4:]), None)
        match answer:
            case [b"ok", version, seq, _, chain] if stream is not None:
                self.at[stream] = version, words[3 + int(words[2]) + 5]
                self.links[LAYOUT.shard_of(stream)][seq] = chain.decode()
            case [b"conflict", version, head, _] if stream is not None:
                self.at[stream] = version, head

    def _append(self, now: int) -> Words:
        chance, pick = self.chance, self.chance.choice
        stream = pick(STREAMS)
        version, head = self.at[stream]
        if chance.random() < 0.15:
            version = max(0, version + pick((-2, -1, 1)))
        if chance.random() < 0.05:
            head = b"another head"
        self.made += 1
        events = [
            part
            for n in range(chance.randrange(1, 4))
            for part in (b"event %d %d" % (self.made, n), pick((b"", b"private\0")))
        ]
        skew = pick((0,) * 12 + (HOUR, -HOUR))
        at = now + pick((0,) * 12 + (HOUR, -HOUR, -OLDEST_MS // 2))
        guarded = chance.random() < 0.8
        keys = LAYOUT.stream(stream)
        args: list[bytes | str | int] = [
            *(stream, version, head, f"command {self.made if chance.random() < 0.9 else 1}"),
            *(pick(("digest", "other:digest")), b"head \0%d" % self.made, pick(("live", "over"))),
            *(pick(("=", "-", 1_700_000_000_000, 1_700_000_000_500)), at),
            *(TOLERANCE if guarded else "", pick((1, 256)), pick(("", "", "1"))),
            *(now + skew, OLDEST_MS, pick(("", "", "1")), pick(("", "", *NAMES))),
            *(
                self._known(LAYOUT.shard_of(stream)),
                pick(("", "p00-x p01-y")),
                "",
            ),  # nothing is put back
            *events,
        ]
        words = words_of(["EVAL", APPEND.text, len(keys.written), *keys.written, *args])
        self.sent.append(words)
        return words

    def _known(self, shard: int) -> str:
        """What a writer says that it knows of a shard: nothing, too much, right or wrong."""
        links = self.links[shard]
        if not links or self.chance.random() < 0.5:
            return self.chance.choice(("0", "0", "3", "1000"))
        seq = self.chance.choice(sorted(links))
        return f"{seq} {self.chance.choice((links[seq],) * 3 + ('another link',))}"

    def _answered(self) -> Words:
        stream = self.chance.choice(STREAMS)
        keys = LAYOUT.stream(stream)
        command = f"command {self.chance.randrange(self.made + 2)}"
        asked = self.chance.choice((command, ""))
        args: list[bytes | str | int] = [asked, "digest", self.chance.randrange(9), 256]
        places = [keys.head, keys.entries, keys.commands]
        return words_of(["EVAL", ANSWERED.text, 3, *places, *args])

    def _shown(self) -> Words:
        """What a reader asks: of the version that is there or of another, by a mark or by none."""
        pick = self.chance.choice
        stream = pick(STREAMS)
        keys, (version, head) = LAYOUT.stream(stream), self.at[stream]
        version, head = (
            max(1, version + pick((0, 0, 0, -2, 1))),
            pick((head, head, b"another head")),
        )
        links = self.links[keys.shard]
        mark = pick([0, 99, *links])
        link = pick((links.get(mark, ""), "", "another link"))
        args: list[bytes | str | int] = [stream, version, head, 256, mark, link, pick((2, 512))]
        places = [keys.head, keys.entries, LAYOUT.feed(keys.shard)]
        return words_of(["EVAL", SHOWN.text, 3, *places, *args])

    def _tampers(self) -> Words:
        """What an operator may do by hand."""
        keys = LAYOUT.stream(self.chance.choice(STREAMS))
        return words_of(
            self.chance.choice(
                (
                    ("HSET", keys.meta, "store", self.chance.choice(NAMES)),
                    ("HSETNX", keys.meta, "store", self.chance.choice(NAMES)),
                    ("HSET", keys.commands, "command 1", "no record"),
                    ("HSET", keys.head, "ver", self.chance.randrange(9)),
                    ("HSET", keys.meta, "seq", self.chance.randrange(9)),
                    ("HSET", keys.entries, "not", "a stream"),
                    ("XRANGE", keys.entries, "1-0", "+", "COUNT", "2"),
                    ("HMGET", keys.head, "ver", "head", "st"),
                )
            )
        )


def kind_of(answer: Any) -> str:
    """The word with which a script's answer begins; empty for other answers."""
    first = answer[0] if isinstance(answer, (list, tuple)) and answer else None
    return first.decode() if isinstance(first, bytes) else first if isinstance(first, str) else ""


def differ(seed: int, real: Real, model: Modelled, calls: int) -> tuple[str, set[str]]:
    """Where the two part, or nothing; and the kinds of answers that there were."""
    real.client.execute_command("FLUSHALL")
    caller, kinds = Caller(seed), set()
    for number in range(calls):
        now = time.time_ns() // 1_000_000
        words = caller.next(now)
        said, told = real.run(words), model.run(words, now)
        kind = kind_of(said)
        kinds.add(kind)
        if kind in {"clock", "ahead"}:  # with them comes the time, which has gone on
            said, told = said[:1], told[:1]
        if said != told:
            return f"seed {seed}, call {number}: {words[3:]} is {said}, not {told}", kinds
        caller.hear(words, said)
    if real.keys() != model.keys():
        return f"seed {seed}: other keys", kinds
    return "", kinds


@pytest.fixture
def real(store_url: str) -> Iterator[Real]:
    made = Real(store_url)
    yield made
    made.client.close()


@pytest.mark.parametrize(
    "sequences", [SEQUENCES // 3, pytest.param(SEQUENCES, marks=pytest.mark.nightly)]
)
def test_the_model_answers_and_writes_as_the_real_store_does(real: Real, sequences: int) -> None:
    kinds: set[str] = set()
    for seed in range(sequences):
        difference, met = differ(seed, real, Modelled(), CALLS)
        assert not difference
        kinds |= met
    all_answers = {"ok", "again", "reused", "conflict", "damaged", "behind", "clock", "ahead"}
    reading = {"tail", "fenced", "gone", "changed", "broken", "there"}
    assert kinds >= {*all_answers, *reading, "refused"}, "each kind of answer was compared"


@pytest.mark.parametrize(
    "guards",
    [
        Guards(remembers_commands=False),
        Guards(compares_versions=False),
        Guards(compares_heads=False),
        Guards(compares_stores=False),
        Guards(compares_links=False),
    ],
    ids=repr,
)
def test_a_model_that_leaves_a_check_out_is_found(real: Real, guards: Guards) -> None:
    found = (differ(seed, real, Modelled(guards), CALLS)[0] for seed in range(SEQUENCES))
    assert any(found)


def test_a_script_that_the_model_has_not_read_is_refused() -> None:
    with pytest.raises(ResponseError, match="does not know"):
        ModelStore().run(words_of(["EVAL", "return 1", 0]), 0)
    with pytest.raises(ResponseError, match="unknown command"):
        ModelStore().run(words_of(["FLUSHALL"]), 0)
    with pytest.raises(NoScriptError):
        ModelStore().run(words_of(["EVALSHA", FENCE.sha, 2, "meta", "probe", 1]), 0)
