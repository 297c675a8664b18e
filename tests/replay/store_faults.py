"""What is planted in a whole store, each for a check that must find it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from events import seal
from tests.replay.whole_store import GHOST, LAYOUT, LISTS, Whole
from tests.service.stage import SHARDS


def garble(entry: list[dict[bytes, bytes]]) -> None:
    entry[1][b"e"] = b'{"no":"event"}'


def unseal(line: Any) -> None:
    path = next(iter(line["seals"]))
    line["seals"][path] = seal.text_of(bytes(32))


def turn_back(line: Any) -> None:
    line["at"] -= 1


def rename_host(line: Any) -> None:
    line["event"]["host"] = GHOST.replace("g", "p", 1)


def forget_command(whole: Whole) -> None:
    key = LAYOUT.stream(whole.live).commands
    names = cast("list[bytes]", whole.raw.hkeys(key))
    whole.raw.hdel(key, names[0])
    whole.raw.hset(key, "another", "d:1:1:1")


def misremember(whole: Whole) -> None:
    key = LAYOUT.stream(whole.live).commands
    found = cast("dict[bytes, bytes]", whole.raw.hgetall(key))
    name, word = next((n, w) for n, w in found.items() if w.split(b":")[1:3] != [b"1", b"1"])
    digest, first, count, seq = word.split(b":")
    whole.raw.hset(key, name, b":".join([digest, first, b"%d" % (int(count) + 1), seq]))


def lose_lists(whole: Whole) -> None:
    for shard in range(SHARDS):
        whole.raw.delete(LISTS.rows(shard))
        for name in cast("set[bytes]", whole.raw.smembers(LISTS.names(shard))):
            whole.raw.delete(name)
        whole.raw.delete(LISTS.names(shard), LISTS.ended(shard))


def ghost_row(whole: Whole) -> None:
    row = whole.row(whole.over) | {"id": GHOST}
    whole.set_row(GHOST, row)


def rename_player(whole: Whole) -> None:
    key = LAYOUT.stream(whole.player).names
    found = cast("dict[bytes, bytes]", whole.raw.hgetall(key))
    sealed = next(name for name, opening in found.items() if b'"Ada"' in opening)
    whole.raw.hset(key, sealed, found[sealed].replace(b"Ada", b"Eva"))


def relink(whole: Whole) -> None:
    """Another link before the last one of a feed."""
    assert len(whole.pointers(whole.live)) > 1
    whole.repoint(whole.live, lambda p: p[0].update({b"h": b"0" * 16}))


def unlink(fields: list[dict[bytes, bytes]]) -> None:
    del fields[-1][b"h"]


def point_elsewhere(whole: Whole) -> None:
    """A pointer to another stream, that has come as far."""
    pointers = whole.pointers(whole.live)
    place = next(n for n, (_, fields) in enumerate(pointers) if fields[b"g"] == whole.live.encode())
    whole.repoint(whole.live, lambda p: p[place].update({b"g": GHOST.encode()}))


def write_anew(whole: Whole) -> None:
    """Another history of a stream, which fits its head."""
    whole.edit(whole.waiting, 1, rename_host, rechain=True)


PLANTED: list[tuple[str, Callable[[Whole], Any], set[str]]] = [
    ("head", lambda w: w.raw.delete(LAYOUT.stream(w.live).head), {"feed", "timers", "lists"}),
    ("head", lambda w: w.raw.set(LAYOUT.stream(GHOST).commands, ""), set()),
    (
        "head",
        lambda w: w.raw.rename(
            LAYOUT.stream(w.over).commands,
            LAYOUT.stream(w.over).commands.replace(w.over, w.over.replace("g", "x", 1)),
        ),
        {"commands"},
    ),
    ("length", lambda w: w.raw.xadd(LAYOUT.stream(w.live).entries, {"e": "more"}), set()),
    ("versions", lambda w: w.raw.xdel(LAYOUT.stream(w.live).entries, "3-0"), {"length"}),
    ("versions", lambda w: w.raw.delete(LAYOUT.stream(w.live).entries), {"length"}),
    ("chain", lambda w: w.edit(w.waiting, 1, rename_host), {"row", "links"}),
    ("chain", lambda w: w.raw.hset(LAYOUT.stream(w.player).head, "head", bytes(32)), set()),
    ("form", lambda w: w.rewrite(w.over, garble, rechain=True), {"row"}),
    (
        "commitments",
        lambda w: w.edit(w.live, w.sealed_version(w.live), unseal, rechain=True),
        {"links"},
    ),
    (
        "commitments",
        lambda w: w.edit(w.player, w.sealed_version(w.player), unseal, rechain=True),
        {"links"},
    ),
    ("fold", lambda w: w.edit(w.over, 2, turn_back, rechain=True), {"links"}),
    ("status", lambda w: w.raw.hset(LAYOUT.stream(w.live).head, "st", "finished"), set()),
    ("commands", forget_command, set()),
    ("commands", misremember, set()),
    (
        "commands",
        lambda w: w.raw.hset(LAYOUT.stream(w.live).commands, "one more", "d:1:1:1"),
        set(),
    ),
    (
        "deadline",
        lambda w: w.raw.zincrby(LAYOUT.due(LAYOUT.shard_of(w.live)), 1000, w.live),
        set(),
    ),
    ("deadline", lambda w: w.raw.zrem(LAYOUT.due(LAYOUT.shard_of(w.live)), w.live), set()),
    ("deadline", lambda w: w.raw.zadd(LAYOUT.due(LAYOUT.shard_of(w.over)), {w.over: 5}), set()),
    ("row", lambda w: w.spoil_row(w.over, turn=7), set()),
    ("row", lambda w: w.set_row(w.over, "not a row"), {"indexes"}),
    ("lists", lambda w: w.raw.set(LISTS.rows(3), "not a hash"), {"head", "indexes"}),
    ("feed", lambda w: w.repoint(w.live, lambda p: p[0].update({b"v": b"x"})), {"links"}),
    ("timers", lambda w: w.raw.set(LAYOUT.due(3), "no sorted set"), {"head"}),
    ("row", lambda w: w.spoil_row(w.over, version=99), set()),
    ("row", lambda w: w.spoil_row(w.over, version=w.row(w.over)["version"] - 1), set()),
    (
        "row",
        lambda w: w.raw.hdel(LISTS.rows(LAYOUT.shard_of(w.over)), w.over),
        {"indexes"},
    ),
    ("feed", lambda w: w.raw.xdel(LAYOUT.feed(LAYOUT.shard_of(w.live)), "1-0"), set()),
    ("feed", lambda w: w.repoint(w.live, lambda p: p[0].update({b"v": b"9"})), {"links"}),
    ("feed", lambda w: w.repoint(w.live, lambda p: p.reverse()), {"links"}),
    ("feed", lambda w: w.repoint(w.live, lambda p: p[0].update({b"g": GHOST.encode()})), {"links"}),
    ("timers", lambda w: w.raw.zadd(LAYOUT.due(LAYOUT.shard_of(GHOST)), {GHOST: 5}), set()),
    ("lists", ghost_row, {"indexes"}),
    ("lists", lose_lists, set()),
    ("lists", lambda w: w.raw.hset(LISTS.rows(0), "@", "1000000"), set()),
    (
        "indexes",
        lambda w: w.raw.zrem(LISTS.ended(LAYOUT.shard_of(w.over)), w.over),
        set(),
    ),
    (
        "indexes",
        lambda w: w.raw.zadd(LISTS.ended(LAYOUT.shard_of(w.live)), {w.live: 5}),
        set(),
    ),
    (
        "indexes",
        lambda w: w.raw.zrem(LISTS.player(LAYOUT.shard_of(w.over), w.player), w.over),
        set(),
    ),
    (
        "indexes",
        lambda w: w.raw.zincrby(LISTS.player(LAYOUT.shard_of(w.over), w.player), 5, w.over),
        set(),
    ),
    (
        "indexes",
        lambda w: (
            w.raw.sadd(
                LISTS.names(LAYOUT.shard_of(w.waiting)),
                key := LISTS.status(LAYOUT.shard_of(w.waiting), "open"),
            ),
            w.raw.zadd(key, {w.waiting: 5}),  # a private table, listed for everybody
        ),
        set(),
    ),
    ("links", relink, set()),
    (
        "links",
        lambda w: w.raw.hset(LAYOUT.meta(LAYOUT.shard_of(w.live)), "chain", "0" * 16),
        set(),
    ),
    (
        "links",
        lambda w: w.raw.hincrby(LAYOUT.meta(LAYOUT.shard_of(w.live)), "seq", 1),
        {"lists"},
    ),
    (
        "links",
        lambda w: w.raw.hincrby(LAYOUT.meta(LAYOUT.shard_of(w.live)), "seq", -1),
        {"feed", "lists"},
    ),
    ("links", lambda w: w.repoint(w.live, unlink), set()),
    ("links", point_elsewhere, {"feed"}),
    ("links", write_anew, {"row"}),
    ("store", lambda w: w.raw.hset(LAYOUT.meta(2), "store", "another:1"), set()),
    ("store", lambda w: w.raw.hdel(LAYOUT.meta(LAYOUT.shard_of(w.live)), "store"), set()),
    ("store", lambda w: w.raw.hincrby(LAYOUT.identity(), "epoch", 1), set()),
    ("store", lambda w: w.raw.delete(LAYOUT.identity()), set()),
    ("store", lambda w: w.raw.hdel(LAYOUT.identity(), "shards"), set()),
    ("store", lambda w: w.raw.hset(LAYOUT.identity(), "shards", "5"), set()),
    ("store", lambda w: w.raw.hset(LAYOUT.identity(), "key:k1", "another"), set()),
    ("store", lambda w: w.raw.delete(LAYOUT.epochs()), set()),
    ("store", lambda w: w.raw.set(LAYOUT.epochs(), "no stream"), set()),
    ("names", rename_player, set()),
    ("names", lambda w: w.raw.hset(LAYOUT.stream(w.player).names, "x" * 43, "no opening"), set()),
    ("names", lambda w: w.raw.hset(LAYOUT.stream(w.player).head, "st", "deleted"), {"status"}),
]
