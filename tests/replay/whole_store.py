"""A store in which a bit of everything has happened, for tests of what audits it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec
import redis
from msgspec import Struct

from events import seal
from events.layout import Layout
from projections.lobby import ListKeys
from replay.store_audit import StoreAudit
from replay.stream_audit import AuditFault
from runtime.settings import Settings
from tests.service.stage import SHARDS, Player, Stage, Still, ok

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


async def faults(whole: Whole, timeout_s: float = 0.0, **more: Any) -> list[AuditFault]:
    audit = StoreAudit(whole.settings, timeout_s=timeout_s, **more)
    return [fault async for fault in audit.faults()]
