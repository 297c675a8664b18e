"""Profiles and leaderboards, kept in the store by following the lists of finished games.

Nothing here is authoritative: all of it is a fold of rows, in the order in which the games ended.
The checkpoint and what it stands for move together, by compare-and-set in one script, so any number
of followers may run, be killed at any moment, and see a game twice. Delete the keys, or run
``python -m projections.leaderboards rebuild --store URL``, and all comes back, byte for byte.

A game that is heard of late, because its shard was away or its writer's clock is behind, is put in
its place: the newest games are kept with what was there before them, and are taken out and applied
again behind it. If it is older than all that are kept, everything is folded anew.

==============================  ==========  ======================================================
``{T0}:r1:book``                hash        the fields of ``results``; ``@`` the checkpoint
``{T0}:r1:window``              hash        game id -> a ``KeptGame``, of the newest games
``{T0}:r1:names``               set         the names of the leaderboards
``{T0}:r1:b:<ladder>``          sorted set  players by rating (thousandths), once it is shown
==============================  ==========  ======================================================

``T0`` is the hash tag of shard 0, ``r1`` the version of this form: a change takes the next number.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.clients import Client
from events.feed import FeedBroken
from events.kernel import TimestampMs
from events.layout import Layout
from events.log import StreamLog
from events.logger import get_logger
from events.scripts import Caller, LogError, LogUnavailable, load_script
from projections.lobby import ListKeys, Lobby
from projections.rebuilding import run_rebuild
from projections.results import (
    Before,
    Ladder,
    applied,
    counts,
    decode_entry,
    entry_at,
    fields_of,
    undone,
)
from projections.rows import Row, decode_row

FORM: Final = "r1"
"""The version of what is kept."""

STEP: Final = 64
"""About the most games in one step: a game takes 1.5 ms, in which its process does nothing else."""

WINDOW: Final = 128
"""So many of the newest games can be taken out again."""

SWEEP_S: Final = 5.0
"""Seconds after which a follower looks, if nobody tells it that a game has ended."""

_PAUSE_S: Final = 1.0
_CHECKPOINT: Final = "@"
_log = get_logger(__name__)

_MOVE = load_script(__package__, "results.lua")
_FORGET = load_script(__package__, "forget.lua")

Place = tuple[TimestampMs, str]
"""Where a game stands in the order: when it ended, and its id."""


class KeptGame(Struct, frozen=True):
    """One of the newest games, and what the fields held before it."""

    row: Row
    before: Before


class GameTooLate(LogError):
    """A game ended before all those that can be taken out again."""


class Checkpoint(Struct, frozen=True):
    """How far the fold has come.

    ``seqs`` are the numbers of the last pointers by shard, ``games`` is how many games counted,
    ``newest`` are the places of those that are kept, in order.
    """

    seqs: Mapping[int, int] = {}
    games: int = 0
    newest: tuple[Place, ...] = ()


class LeaderboardKeys:
    """Names the keys of profiles and leaderboards. ``layout`` is that of the log."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def _key(self, name: str) -> str:
        return self._layout.key(0, f"{FORM}:{name}")

    @property
    def book(self) -> str:
        """The fields and the checkpoint."""
        return self._key("book")

    @property
    def window(self) -> str:
        """The newest games."""
        return self._key("window")

    @property
    def names(self) -> str:
        """The set of leaderboards."""
        return self._key("names")

    def board(self, ladder: Ladder) -> str:
        """The leaderboard of a ladder."""
        return self._key(f"b:{ladder.key}")

    def ladder_key(self, board: str) -> str:
        """The key of the ladder whose leaderboard this is."""
        return board.removeprefix(self._key("b:"))


class Leaderboards:
    """Follows the finished games of all shards into profiles and leaderboards.

    Args:
        log: the streams and their feeds.
        client: the store in which the lists are, and in which all this is kept.
    """

    def __init__(self, log: StreamLog, client: Client) -> None:
        self.keys = LeaderboardKeys(log.layout)
        self._log = log
        self._lists = ListKeys(log.layout)
        self._client = client
        self._caller = Caller(client)

    async def run(self, has_ended: asyncio.Event) -> None:
        """Follow for ever; survives restarts of the store and deletions of what is kept.

        Args:
            has_ended: set by whoever keeps the lists when a game has ended.
        """
        while True:
            try:
                has_ended.clear()
                await self.catch_up()
            except (FeedBroken, GameTooLate) as error:
                _log.error("results_folded_anew", reason=str(error))
                await self._forget_unless_away()
            except LogUnavailable as error:
                _log.warning("results_wait_for_store", reason=str(error))
                await asyncio.sleep(_PAUSE_S)
            try:
                await asyncio.wait_for(has_ended.wait(), SWEEP_S)
            except TimeoutError:
                continue

    async def catch_up(self) -> int:
        """Fold all finished games that the lists have; returns how many were new.

        Raises:
            FeedBroken: what is kept knows of games that the feed does not have.
            GameTooLate: it has to be forgotten, and folded anew.
            LogUnavailable: the store does not answer.
        """
        games = 0
        while step := await self.step():
            games += step
        return games

    async def forget(self) -> None:
        """Delete all that is kept. Any follower folds it anew.

        Raises:
            LogUnavailable: the store does not answer.
        """
        await self._caller.call(_FORGET, [self.keys.names, self.keys.book, self.keys.window], [])

    async def step(self) -> int:
        """Fold some more games; returns how many were seen.

        If another follower was faster nothing is written, and the next step goes on from there.

        Raises:
            FeedBroken, GameTooLate, LogUnavailable: as in ``catch_up``.
        """
        found = await self._caller.command("HGET", self.keys.book, _CHECKPOINT)
        at = Checkpoint() if found is None else _decode_checkpoint(found)
        await self._require_feeds(at)
        new, seqs = await self._new_rows(at)
        if not new:
            return 0
        rows = [row for row in new if counts(row)]
        late = [place for place in at.newest if rows and place > _place(rows[0])]
        if late and len(late) == len(at.newest) < at.games:
            raise GameTooLate(f"{rows[0].id} ended before all games that can be taken out again")
        taken_out = await self._kept(late)
        if len(taken_out) < len(late):  # another follower has let them go meanwhile
            return len(new)
        again = sorted([*rows, *(game.row for game in taken_out)], key=_place)
        book = await self._hash(self.keys.book, sorted(set().union(*map(fields_of, again))))
        kept, changes = _folded(book, taken_out, again)
        places = [place for place in at.newest if place not in late] + list(map(_place, again))
        newest = tuple(places[-WINDOW:])
        changes += [("drop", place[1]) for place in at.newest if place not in newest]
        changes += [("keep", k.row.id, _encode(k)) for k in kept if _place(k.row) in newest]
        seqs = dict(sorted({**at.seqs, **seqs}.items()))
        reached = Checkpoint(seqs, at.games + len(rows), newest)
        await self._move(b"" if found is None else found, _encode_checkpoint(reached), changes)
        return len(new)

    async def _forget_unless_away(self) -> None:
        try:
            await self.forget()
        except LogUnavailable as error:
            _log.warning("results_wait_for_store", reason=str(error))
            await asyncio.sleep(_PAUSE_S)

    async def _require_feeds(self, at: Checkpoint) -> None:
        """Refuse to go on from pointers that are no longer there (FeedBroken)."""
        if not at.seqs:
            return
        ends = await self._log.pointers.written(list(at.seqs))
        for shard, seq in at.seqs.items():
            if ends[shard] < seq:
                raise FeedBroken(f"shard {shard} was read up to {seq}, it ends at {ends[shard]}")

    async def _new_rows(self, at: Checkpoint) -> tuple[list[Row], dict[int, int]]:
        """The next finished games of all shards in their order, and the numbers that they reach.

        Of a shard that has more, nobody knows when these ended; so no game is taken that ended
        after the last that is known of such a shard.
        """
        size = max(1, STEP // self._log.layout.shards)
        shards = range(self._log.layout.shards)
        pages = await asyncio.gather(*(self._page(shard, at, size) for shard in shards))
        full = [max(map(_end, page)) for page in pages if len(page) == size]
        horizon = min(full, default=None)
        rows: list[Row] = []
        seqs: dict[int, int] = {}
        for shard, page in zip(shards, pages, strict=True):
            for row, seq in page:
                if horizon is not None and row.updated_at > horizon:
                    break
                rows.append(row)
                seqs[shard] = seq
        return sorted(rows, key=_place), seqs

    async def _page(self, shard: int, at: Checkpoint, size: int) -> list[tuple[Row, int]]:
        after = at.seqs.get(shard, 0)
        found: Any = await self._caller.command(
            *("ZRANGEBYSCORE", self._lists.ended(shard), f"({after}", "+inf"),
            *("WITHSCORES", "LIMIT", 0, size),
        )
        pairs = _pairs(found)
        if not pairs:
            return []
        names = [name for name, _ in pairs]
        rows: Any = await self._caller.command("HMGET", self._lists.rows(shard), *names)
        return [
            (decode_row(row), seq)
            for row, (_, seq) in zip(rows, pairs, strict=True)
            if row is not None
        ]

    async def _kept(self, places: Sequence[Place]) -> list[KeptGame]:
        """The games at these places, which are kept."""
        found = await self._hash(self.keys.window, [game for _, game in places])
        return [_decode_kept(found[game]) for _, game in places if game in found]

    async def _hash(self, key: str, names: Sequence[str]) -> dict[str, bytes]:
        """The fields of a hash that are there."""
        if not names:
            return {}
        found: Any = await self._caller.command("HMGET", key, *names)
        return {name: v for name, v in zip(names, found, strict=True) if v is not None}

    async def _move(self, expected: bytes, reached: bytes, changes: _Changes) -> bool:
        keys = [self.keys.names, self.keys.book, self.keys.window]
        places: dict[str, int] = {}
        args: list[bytes | str | int] = [expected, reached]
        for what, name, *rest in changes:
            if not isinstance(name, Ladder):
                args += [what, name, *rest]
                continue
            board = self.keys.board(name)
            if board not in places:
                keys.append(board)
                places[board] = len(keys)
            args += [what, places[board], *rest]
        return bool(await self._caller.call(_MOVE, keys, args))


_Changes = list[tuple[Any, ...]]
"""The script's changes, with a ladder where the script has the position of its leaderboard."""


def _folded(
    book: dict[str, bytes], taken_out: Sequence[KeptGame], rows: Sequence[Row]
) -> tuple[list[KeptGame], _Changes]:
    """Take games out of a book, apply all ``rows``, and tell what has changed in it.

    Games and rows are in their order.
    """
    was = dict(book)
    for game in reversed(taken_out):
        undone(book, game.before)
    kept = [KeptGame(row, applied(book, row)) for row in rows]
    changes: _Changes = []
    for field in sorted(was.keys() | book.keys()):
        if was.get(field) != book.get(field):
            changes += _field_changes(field, book.get(field))
    return kept, changes


def _field_changes(field: str, value: bytes | None) -> _Changes:
    found: _Changes = [("del", field) if value is None else ("set", field, value)]
    at = entry_at(field)
    if at is None:
        return found
    ladder, player = at
    standing = None if value is None else decode_entry(value)
    if standing is None or not standing.is_shown:
        return [*found, ("rem", ladder, player)]
    return [*found, ("add", ladder, standing.skill.shown, player)]


def _place(row: Row) -> Place:
    return row.updated_at, row.id


def _end(found: tuple[Row, int]) -> TimestampMs:
    return found[0].updated_at


def _pairs(found: Any) -> list[tuple[str, int]]:  # noqa: ANN401 (as redis-py types answers)
    """Members with their scores; the client of a cluster knows the command and pairs them up."""
    flat = [word for each in found for word in (each if isinstance(each, tuple | list) else [each])]
    return [
        (name.decode(), int(float(score)))
        for name, score in zip(flat[::2], flat[1::2], strict=True)
    ]


_encode: Final = msgspec.json.Encoder(order="sorted").encode
_encode_checkpoint: Final = msgspec.json.Encoder().encode  # its shards are numbers, in order
_decode_checkpoint: Final = msgspec.json.Decoder(Checkpoint).decode
_decode_kept: Final = msgspec.json.Decoder(KeptGame).decode


async def rebuild(log: StreamLog, client: Client) -> int:
    """Delete a store's profiles and leaderboards and fold them anew; how many games count in them.

    The lists are brought up to date first: it is their rows that are folded.

    Raises:
        LogError: the store does not answer, or its feeds are broken.
    """
    await Lobby(log, client).catch_up()
    leaderboards = Leaderboards(log, client)
    await leaderboards.forget()
    await leaderboards.catch_up()
    found: Any = await client.hget(leaderboards.keys.book, _CHECKPOINT)
    return 0 if found is None else _decode_checkpoint(found).games


def main(arguments: Sequence[str]) -> int:
    """The command line: ``rebuild --store URL``; 1 if the store cannot be used."""
    return run_rebuild(
        rebuild, "games counted", "python -m projections.leaderboards", __doc__, arguments
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
