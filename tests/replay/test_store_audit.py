"""A whole store verified: what is right passes, also in motion, and every fault has its name."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import redis
from msgspec import Struct

from events import seal
from events.clients import CLUSTER
from events.layout import Layout
from events.stand import read_stand
from projections.lobby import ListKeys
from replay import store_audit
from replay.__main__ import main
from replay.store_audit import CHECKS, AuditTally, StoreAudit
from replay.stream_audit import AuditFault
from runtime.settings import Settings, environment
from tests.events.test_durability import start_node
from tests.service.stage import SHARDS, Player, Stage, Still, ok, stage
from tests.unlimited import unlimited

pytestmark = pytest.mark.slow

LAYOUT = Layout(SHARDS)
LISTS = ListKeys(LAYOUT)
GHOST = "g01-nobodyeveropenedthisone"


class Whole(Struct):
    """A store in which a bit of everything has happened, and a hand to spoil it with."""

    on: Stage
    raw: redis.Redis
    director: Player
    live: str
    over: str
    waiting: str
    player: str

    @property
    def settings(self) -> Settings:
        return self.on.service.app_context.settings

    def entries(self, stream: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
        """The entries of a stream as they lie there."""
        found: Any = self.raw.xrange(LAYOUT.stream(stream).entries)
        return list(found)

    def rewrite(
        self,
        stream: str,
        change: Callable[[list[dict[bytes, bytes]]], None],
        *,
        rechain: bool = False,
    ) -> None:
        """Change the entries of a stream, and the head with them if one is to believe it."""
        keys = LAYOUT.stream(stream)
        fields = [dict(found) for _, found in self.entries(stream)]
        change(fields)
        self.raw.delete(keys.entries)
        for version, entry in enumerate(fields, 1):
            self.raw.xadd(keys.entries, cast("Any", entry), id=f"{version}-0")
        if rechain:
            head = seal.chain(seal.genesis(stream), 0, (entry[b"e"] for entry in fields))
            self.raw.hset(keys.head, "head", head)

    def edit(
        self, stream: str, version: int, change: Callable[[Any], None], *, rechain: bool = False
    ) -> None:
        """Change the public part of one event."""

        def changing(fields: list[dict[bytes, bytes]]) -> None:
            line = msgspec.json.decode(fields[version - 1][b"e"])
            change(line)
            fields[version - 1][b"e"] = seal.canonical(line)

        self.rewrite(stream, changing, rechain=rechain)

    def sealed_version(self, stream: str) -> int:
        """The first version with a secret field."""
        lines = [msgspec.json.decode(found[b"e"]) for _, found in self.entries(stream)]
        return next(int(line["v"]) for line in lines if "seals" in line)

    @property
    def name(self) -> str:
        """What each shard says of which store it is."""
        return cast("bytes", self.raw.hget(LAYOUT.meta(0), "store")).decode()

    def row(self, stream: str) -> Any:
        rows = LISTS.rows(LAYOUT.shard_of(stream))
        return msgspec.json.decode(cast("bytes", self.raw.hget(rows, stream)))

    def set_row(self, stream: str, row: Any) -> None:
        rows = LISTS.rows(LAYOUT.shard_of(stream))
        self.raw.hset(rows, stream, msgspec.json.encode(row))

    def spoil_row(self, stream: str, **fields: Any) -> None:
        self.set_row(stream, self.row(stream) | fields)

    def pointers(self, stream: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
        found: Any = self.raw.xrange(LAYOUT.feed(LAYOUT.shard_of(stream)))
        return list(found)

    def repoint(self, stream: str, change: Callable[[list[dict[bytes, bytes]]], None]) -> None:
        """Change the feed of a stream's shard."""
        key = LAYOUT.feed(LAYOUT.shard_of(stream))
        fields = [dict(found) for _, found in self.pointers(stream)]
        change(fields)
        self.raw.delete(key)
        for seq, entry in enumerate(fields, 1):
            self.raw.xadd(key, cast("Any", entry), id=f"{seq}-0")


async def made(on: Stage, raw: redis.Redis) -> Whole:
    """Play a little, and bring the lists up to date."""
    ada, ben = await on.player("Ada"), await on.player("Ben")
    director = await on.with_scopes(ada, "organise")
    live = await on.game(ada, mode="solo")
    over = await on.game(ada, ben)
    ok(await director.post(f"/v1/games/{over}/annul", {"reason": "other"}))
    waiting = await on.table(ada, invited=[ben.id], visibility="private")
    spare = ok(await ada.post("/v1/tokens", {"scopes": ["play"], "label": "spare"}), 201)["id"]
    assert (await ada.delete(f"/v1/tokens/{spare}")).status_code == 204
    await on.list_up()
    return Whole(on, raw, director, live, over, waiting, ada.id)


class Kept(Struct):
    """A store as it was when all had happened, and who was there: played once for all tests.

    ``keys`` are the values by key, as the store dumps them; ``clock`` the time by then.
    """

    keys: dict[bytes, bytes]
    clock: Still
    token: str | None
    names: tuple[str, str, str, str]


@pytest.fixture(scope="module")
def kept() -> list[Kept]:
    """Nothing, until somebody has played."""
    return []


@pytest.fixture
async def whole(store_url: str, kept: list[Kept]) -> AsyncIterator[Whole]:
    with redis.Redis.from_url(unlimited(store_url)) as raw:
        for key, dumped in [pair for each in kept for pair in each.keys.items()]:
            raw.restore(key, 0, cast("Any", dumped))
        clock = Still()
        clock.now = kept[0].clock.now if kept else clock.now
        async with stage(
            store_url, clock, tables_per_account=10**6, registrations_per_day=10**6
        ) as on:
            if kept:
                live, over, waiting, player = kept[0].names
                director = Player(on.http, kept[0].token, player)
                yield Whole(on, raw, director, live, over, waiting, player)
                return
            first = await made(on, raw)
            keys = {k: cast("bytes", raw.dump(k)) for k in cast("list[bytes]", raw.keys())}
            names = (first.live, first.over, first.waiting, first.player)
            kept.append(Kept(keys, clock, first.director.token, names))
            yield first


async def faults(whole: Whole, timeout_s: float = 0.0, **more: Any) -> list[AuditFault]:
    audit = StoreAudit(whole.settings, timeout_s=timeout_s, **more)
    return [fault async for fault in audit.faults()]


async def test_what_is_right_passes(whole: Whole) -> None:
    audit = StoreAudit(whole.settings)
    assert [fault async for fault in audit.faults()] == []
    events = sum(
        len(whole.entries(cast("bytes", key).decode().rsplit(":", 2)[1]))
        for key in whole.raw.scan_iter("*:h")
    )
    assert audit.tally == AuditTally(games=3, accounts=2, events=events)


async def test_an_empty_store_passes(store_url: str) -> None:
    async with stage(store_url) as on:
        assert [f async for f in StoreAudit(on.service.app_context.settings).faults()] == []


async def test_parts_and_pages_change_nothing(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_audit, "_PAGE", 2)
    assert await faults(whole, names=1) == []
    whole.raw.hset(LAYOUT.stream(whole.live).head, "st", "open")
    assert [f.check for f in await faults(whole, names=1)] == ["status"]


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


@pytest.mark.parametrize(
    ("check", "spoil", "also"), PLANTED, ids=[f"{n}-{c}" for n, (c, _, _) in enumerate(PLANTED)]
)
async def test_each_check_finds_what_was_planted_for_it(
    whole: Whole, check: str, spoil: Callable[[Whole], Any], also: set[str]
) -> None:
    spoil(whole)
    found = await faults(whole)
    assert check in {fault.check for fault in found}
    assert {fault.check for fault in found} <= {check} | also, found
    assert all(fault.text for fault in found)


def test_every_check_has_something_planted() -> None:
    assert {check for check, _, _ in PLANTED} == set(CHECKS)


def test_the_guide_lists_every_check() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs/audit.md").read_text(encoding="utf-8")
    table = guide.partition("## A whole store")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| ([a-z]+) \| (.+) \|$", table, re.MULTILINE))
    assert {name: text for name, text in rows.items() if name != "check"} == dict(CHECKS)


async def test_a_fault_names_its_stream_and_version(whole: Whole) -> None:
    version = whole.sealed_version(whole.live)
    whole.edit(whole.live, version, unseal, rechain=True)
    fault = next(each for each in await faults(whole) if each.check == "commitments")
    assert (fault.stream, fault.version) == (whole.live, version)
    assert fault.line().startswith(f"commitments  {whole.live} version {version}: event.")


async def test_a_link_that_is_wrong_is_told_once(whole: Whole) -> None:
    relink(whole)
    _, pointer = whole.pointers(whole.live)[0]
    (fault,) = await faults(whole)
    assert fault.stream == pointer[b"g"].decode()
    assert fault.version == int(pointer[b"v"])
    assert "entry 1 of the feed" in fault.text


async def test_an_epoch_that_is_just_beginning_is_no_fault(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    async def reading(*given: Any) -> Any:
        looks.append(1)
        name = "another:1" if len(looks) == 1 else whole.name
        whole.raw.hset(LAYOUT.meta(2), "store", name)
        return await read_stand(*given)

    monkeypatch.setattr("replay.identity_audit.read_stand", reading)
    assert await faults(whole) == []
    assert len(looks) == 2


async def test_a_hole_is_named_by_its_version(whole: Whole) -> None:
    whole.raw.xdel(LAYOUT.stream(whole.live).entries, "3-0")
    found = {fault.check: fault.version for fault in await faults(whole)}
    assert found["versions"] == 3


async def test_a_store_in_motion_is_no_fault(whole: Whole) -> None:
    done = asyncio.Event()

    async def move() -> int:
        moves = 0
        while not done.is_set():
            here = f"/v1/games/{whole.live}"
            ok(await whole.director.post(f"{here}/pause", {}))
            ok(await whole.director.post(f"{here}/resume"))
            await whole.on.player(f"Cia {moves}")
            await whole.on.table(whole.director)
            await whole.on.list_up()
            moves += 1
        return moves

    moving = asyncio.create_task(move())
    found = [fault for _ in range(4) for fault in await faults(whole, 300.0)]
    done.set()
    assert await moving > 2
    assert found == []


# --- the command ---


@pytest.fixture
def at_hand(whole: Whole, monkeypatch: pytest.MonkeyPatch) -> str:
    """The settings in the environment; the store's url."""
    for name, value in environment(whole.settings).items():
        monkeypatch.setenv(name, value)
    return whole.settings.store_url


async def run(*argv: str) -> int:
    return await asyncio.to_thread(main, argv)


async def test_the_command_says_what_it_has_read_and_found(
    whole: Whole, at_hand: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_audit, "TELL_EVERY", 2)
    assert await run("verify-store") == 0
    said = capsys.readouterr()
    assert said.out.startswith("verified: 3 games, 2 accounts, ")
    assert said.err.count("so far") == 2
    whole.raw.hset(LAYOUT.stream(whole.live).head, "st", "open")
    assert await run("verify-store", "--store", at_hand) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"status       {whole.live} version ")
    assert lines[-1].startswith("NOT verified, 1 faults: 3 games")


async def test_without_a_store_it_says_so(
    at_hand: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await run("verify-store", "--store", f"{at_hand}.not") == 2
    assert "the store does not answer" in capsys.readouterr().err
    monkeypatch.delenv("PARLOUR_KEYS")
    assert await run("verify-store") == 2
    assert "PARLOUR_KEYS is missing" in capsys.readouterr().err


# --- a cluster ---


@pytest.fixture
def cluster(home: Path) -> Iterator[str]:
    store, port = start_node(home / "store")
    yield f"{CLUSTER}127.0.0.1:{port}"
    store.stop()


async def test_a_cluster_is_verified_by_the_same_command(cluster: str) -> None:
    port = cluster.rpartition(":")[2]
    with redis.Redis(port=int(port)) as raw:
        async with stage(cluster, rq_url="redis://localhost:1") as on:
            whole = await made(on, raw)
            assert await faults(whole) == []
            raw.zadd(LAYOUT.due(LAYOUT.shard_of(GHOST)), {GHOST: 5})
            raw.zrem(LISTS.player(LAYOUT.shard_of(whole.over), whole.player), whole.over)
            assert {fault.check for fault in await faults(whole)} == {"timers", "indexes"}
