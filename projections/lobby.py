"""The lists of tables (the lobby, a player's games), kept in the store by following the feeds.

Nothing here is authoritative: each row is a fold of one table's public events. The lists of a shard
and the checkpoint of how far they have come move together, by compare-and-set in one script, so any
number of followers may run, be killed at any moment, and see a pointer twice. Delete the keys, or
run ``python -m projections.lobby rebuild --store URL``, and the lists come back from the logs.

==============================  ==========  ======================================================
``{T}:w6:rows``                 hash        game id -> ``rows.Row`` as JSON; ``@`` the checkpoint
``{T}:w6:names``                set         the names of the index keys below
``{T}:w6:e``                    sorted set  finished tables, by the number of the pointer at which
                                            they were seen to be (what ``leaderboards`` goes by)
``{T}:w6:s:<status>``           sorted set  public tables of a status, by the time of their opening
``{T}:w6:p:<player>``           sorted set  all tables of a player, host or invited one, likewise
``{T}:w6:q:<player>``           sorted set  the public ones of these
``{T}:w6:<key>:<end>``          sorted set  the finished ones of the three kinds of key above, by
                                            how they ended: ``o:<outcome>``, and of a player's also
                                            ``r:<result>`` and ``r:<result>:<outcome>``; those of
                                            ``p`` hold tables that are not public, in ``f`` all
``{T}:w6:t:<tournament>``       sorted set  public tables of a tournament, likewise
``{T}:w6:o``                    sorted set  all tables that have not begun, likewise
==============================  ==========  ======================================================

``T`` is the shard's hash tag and ``w6`` the version of the lists: a change of their form takes the
next number, and the new lists grow beside the old ones until they have caught up.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from events.clients import NO_ANSWER, Client
from events.feed import FeedBroken, Pointer
from events.layout import Layout
from events.log import StreamLog
from events.logger import get_logger
from events.lru import LruCache
from events.scripts import Caller, LogError, LogUnavailable, load_script
from events.tasks import run_until_one_ends
from games.game_registry import GameRegistry, UnknownGame, installed_games
from projections.rebuilding import run_rebuild
from projections.rows import PlayerResult, PublicFold, Row, decode_row, encode_row

LISTS: Final = "w6"
"""The version of the lists' form."""

STEP: Final = 256
"""The most pointers in one step."""

SWEEP_S: Final = 5.0
"""Seconds between two checks that the lists still exist."""

_FOLDS_KEPT: Final = 1024
_PAUSE_S: Final = 1.0
_CHECKPOINT: Final = "@"
_log = get_logger(__name__)


_MOVE = load_script(__package__, "lobby.lua")
_FORGET = load_script(__package__, "forget.lua")


class ListKeys:
    """Names the keys of the lists. ``layout`` is that of the log."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def _key(self, shard: int, name: str) -> str:
        return self._layout.key(shard, f"{LISTS}:{name}")

    def rows(self, shard: int) -> str:
        """The rows and the checkpoint."""
        return self._key(shard, "rows")

    def names(self, shard: int) -> str:
        """The set of index keys."""
        return self._key(shard, "names")

    def ended(self, shard: int) -> str:
        """The finished tables, in the order in which they were seen to be."""
        return self._key(shard, "e")

    def status(self, shard: int, status: str) -> str:
        """The public tables of a status."""
        return self._key(shard, f"s:{status}")

    def player(self, shard: int, player: str) -> str:
        """All tables of a player, visible to that player alone."""
        return self._key(shard, f"p:{player}")

    def public(self, shard: int, player: str) -> str:
        """The public tables of a player."""
        return self._key(shard, f"q:{player}")

    def tournament(self, shard: int, code: str) -> str:
        """The public tables of a tournament."""
        return self._key(shard, f"t:{code}")

    def waiting(self, shard: int) -> str:
        """All tables that have not begun, private ones too, for the sweep that ends stale ones."""
        return self._key(shard, "o")

    def indexes(self, shard: int, row: Row) -> set[str]:
        """The index keys in which a row belongs."""
        found = {self.player(shard, player) for player in row.people()}
        if row.status == "open":
            found.add(self.waiting(shard))
        if row.visibility == "public":
            found |= {self.public(shard, player) for player in row.people()}
            found.add(self.status(shard, row.status))
            if row.tournament is not None:
                found.add(self.tournament(shard, row.tournament))
        return found | self._ends(shard, row)

    def _ends(self, shard: int, row: Row) -> set[str]:
        """The index keys by how a game ended."""
        if row.result is None:
            return set()
        is_public = row.visibility == "public"
        by_player = self.public if is_public else self.player
        outcome = row.result.outcome
        found = {ending(by_player(shard, each), None, outcome) for each in row.people()}
        if not is_public:
            found |= {ending(self.player(shard, each), None, None) for each in row.people()}
        else:
            found.add(ending(self.status(shard, row.status), None, outcome))
        for player in row.players():
            result, key = row.result_for(player), by_player(shard, player)
            found |= {ending(key, result, None), ending(key, result, outcome)}
        return found


def ending(key: str, result: PlayerResult | None, outcome: str | None) -> str:
    """The index key with those tables of another that ended so; None: anyhow."""
    if result is None:
        return f"{key}:f" if outcome is None else f"{key}:o:{outcome}"
    return f"{key}:r:{result}" if outcome is None else f"{key}:r:{result}:{outcome}"


class Lobby:
    """Follows the feeds of all shards into the lists, for every table of the store is in them.

    Args:
        log: the streams and their feeds.
        client: the store in which the lists are; the one of the log.
        game_registry: the games, so that rows can show the turn, and how seats finished.

    Attributes:
        has_ended: set whenever a game is seen to have ended.
    """

    def __init__(
        self,
        log: StreamLog,
        client: Client,
        game_registry: GameRegistry | None = None,
    ) -> None:
        game_registry = game_registry or installed_games()
        self.keys = ListKeys(log.layout)
        self.has_ended = asyncio.Event()
        self._log = log
        self._client = client
        self._caller = Caller(client)
        self._codecs = game_registry.codecs(None)
        self._table = game_registry.table
        self._folds: LruCache[str, PublicFold] = LruCache(_FOLDS_KEPT)

    async def run(self) -> None:
        """Follow for ever; survives restarts of the store and deletions of the lists."""
        broken = False
        while True:
            try:
                if broken:
                    await self.forget()
                    broken = False
                await self._follow_and_sweep()
            except FeedBroken as error:
                _log.error("feed_broken", reason=str(error))
                broken = True
            except LogUnavailable as error:
                _log.warning("lists_wait_for_store", reason=str(error))
            await asyncio.sleep(_PAUSE_S)

    async def _follow_and_sweep(self) -> None:
        """Do both until one of them fails."""
        await run_until_one_ends({"follow": self._follow(), "sweep": self._sweep()})

    async def _follow(self) -> None:
        """Step whenever a feed moves."""
        await self.catch_up()
        at = {shard: await self._checkpoint(shard) or 0 for shard in self._shards}
        async for pointer in self._log.follow(dict(at)):
            if pointer.seq > at[pointer.shard]:
                at[pointer.shard] = await self._catch_up_shard(pointer.shard)

    async def _sweep(self) -> None:
        """Check now and then whether the lists have been deleted."""
        while True:
            await asyncio.sleep(SWEEP_S)
            for shard in await self._deleted():
                await self._catch_up_shard(shard)

    async def _deleted(self) -> list[int]:
        """The shards that have a feed and no lists."""
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for shard in self._shards:
                    pipeline.hget(self.keys.rows(shard), _CHECKPOINT)
                found: list[Any] = await pipeline.execute()
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        missing = [shard for shard, at in zip(self._shards, found, strict=True) if at is None]
        ends = await self._log.pointers.ends(missing)
        return [shard for shard in missing if ends[shard]]

    async def catch_up(self) -> int:
        """Bring the lists of all shards to the ends of their feeds; returns the number of steps.

        Raises:
            FeedBroken: the lists know of pointers that the feed does not have.
            LogUnavailable: the store does not answer.
        """
        steps = 0
        for shard in self._shards:
            while await self.step(shard):
                steps += 1
        return steps

    async def forget(self) -> None:
        """Delete the lists of all shards. Any follower rebuilds them.

        Raises:
            LogUnavailable: the store does not answer.
        """
        self._folds.clear()
        for shard in self._shards:
            keys = (self.keys.names(shard), self.keys.rows(shard), self.keys.ended(shard))
            await self._caller.call(_FORGET, keys, [])

    async def step(self, shard: int) -> int:
        """Move a shard's lists over at most ``STEP`` pointers; returns the number of pointers seen.

        If another follower was faster nothing is written, and the next step goes on from there.

        Raises:
            FeedBroken: the lists know of pointers that the feed does not have.
            LogUnavailable: the store does not answer.
        """
        at = await self._checkpoint(shard)
        pointers = await self._log.feed(shard, at or 0, STEP)
        if not pointers:
            return 0
        rows = await self._rows_of(pointers)
        changes = await self._changes(shard, rows, {p.stream: p.seq for p in pointers})
        expected = "" if at is None else str(at)
        await self._move(shard, expected, pointers[-1].seq, changes)
        if any(what == "end" for what, *_ in changes):
            self.has_ended.set()
        return len(pointers)

    @property
    def _shards(self) -> range:
        return range(self._log.layout.shards)

    async def _catch_up_shard(self, shard: int) -> int:
        """Step to the end of a shard's feed; returns its number."""
        while await self.step(shard) == STEP:
            pass
        return await self._checkpoint(shard) or 0

    async def _checkpoint(self, shard: int) -> int | None:
        """How far the lists of a shard have come; None where there are none."""
        found = await self._fields(shard, [_CHECKPOINT])
        return None if found[0] is None else int(found[0])

    async def _fields(self, shard: int, names: Sequence[str]) -> list[bytes | None]:
        try:
            found: Any = await self._client.hmget(self.keys.rows(shard), list(names))
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        return list(found)

    async def _rows_of(self, pointers: Iterable[Pointer]) -> list[Row]:
        """The rows of the tables that the pointers name, each folded at least so far."""
        reached = {p.stream: p.version for p in pointers if p.stream.startswith("g")}
        rows = []
        for stream, version in reached.items():
            try:
                rows.append(await self._fold(stream, version))
            except LogUnavailable:
                raise
            except UnknownGame as error:
                # This program is older than others, or lacks a game that they have.
                self._folds.remove(stream)
                _log.error("game_not_known", game=stream, plays=error.game)
            except (LogError, ValueError, LookupError, TypeError, AttributeError) as error:
                # One table that cannot be folded must not stop the lists of all others.
                self._folds.remove(stream)
                _log.error("table_not_listed", stream=stream, error=type(error).__name__)
        return rows

    async def _fold(self, stream: str, version: int) -> Row:
        """The row of a table at ``version`` or later."""
        known = self._folds.remove(stream) or PublicFold(self._table)
        if known.version < version:
            # No further than the pointer: what comes after it may not be shown yet.
            entries = await self._log.read(stream, known.version, version - known.version)
            if entries:
                game, codecs = known.state.game, self._codecs
                codec = codecs.of(game) if known.version else codecs.codec_of(entries[0])
                known.extend(codec.decode_many(stream, entries))
        if known.version < version:
            raise ValueError(f"{stream} ends before {version}")
        row = known.row(stream)
        if row.status != "finished":
            self._folds.keep(stream, known)
        return row

    async def _changes(
        self, shard: int, rows: Sequence[Row], seqs: Mapping[str, int]
    ) -> list[tuple[str, ...]]:
        """The script's changes, each with the name of its index key.

        ``seqs``: the numbers of the tables' last pointers.
        """
        if not rows:
            return []
        changes: list[tuple[str, ...]] = []
        before = await self._fields(shard, [row.id for row in rows])
        for row, old in zip(rows, before, strict=True):
            wanted = self.keys.indexes(shard, row)
            was = None if old is None else decode_row(old)
            had = set() if was is None else self.keys.indexes(shard, was)
            changes.append(("row", row.id, encode_row(row).decode()))
            if row.result is not None and (was is None or was.result is None):
                changes.append(("end", row.id, str(seqs[row.id])))
            changes += [("del", key, row.id) for key in sorted(had - wanted)]
            changes += [("add", key, str(row.created_at), row.id) for key in sorted(wanted - had)]
        return changes

    async def _move(
        self, shard: int, expected: str, reached: int, changes: Sequence[tuple[str, ...]]
    ) -> bool:
        keys = [self.keys.rows(shard), self.keys.names(shard), self.keys.ended(shard)]
        places: dict[str, str] = {}
        args: list[bytes | str | int] = [expected, reached]
        for what, name, *rest in changes:
            if what in {"row", "end"}:
                args += [what, name, *rest]
                continue
            if name not in places:
                keys.append(name)
                places[name] = str(len(keys))
            args += [what, places[name], *rest]
        return bool(await self._caller.call(_MOVE, keys, args))


async def rebuild(log: StreamLog, client: Client) -> int:
    """Delete a store's lists and rebuild them from its logs; returns how many tables they hold.

    Raises:
        LogError: the store does not answer, or its feeds are broken.
    """
    lobby = Lobby(log, client)
    await lobby.forget()
    await lobby.catch_up()
    counts = [await client.hlen(lobby.keys.rows(shard)) for shard in range(log.layout.shards)]
    return sum(max(count - 1, 0) for count in counts)


def main(arguments: Sequence[str]) -> int:
    """The command line: ``rebuild --store URL``; 1 if the store cannot be used."""
    return run_rebuild(rebuild, "tables listed", "python -m projections.lobby", __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
