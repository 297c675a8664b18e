"""A program that lacks a game which others play: it names it, and goes on with all others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from msgspec import Struct, json

from events.keys import KeyRing
from games.game_registry import GameRegistry
from projections.lobby import Lobby
from replay.__main__ import main
from replay.source import read_store
from replay.store_audit import StoreAudit
from replay.stream_audit import NOT_CHECKED, AuditFault
from replay.verify import audit
from runtime.presence import Accepting, Presence
from runtime.settings import environment
from runtime.table_service import TableService
from tests.games.auction import AUCTION
from tests.games.toy import TOY
from tests.games.toy_package import TOY_GAME
from tests.service.listening import listen
from tests.service.stage import Player, Stage, ok, problem, stage
from tests.service.two_games import BOTH, GAMES, RULEBOOK, begun, played, recorded
from workers.advance import play_all, time_out_all
from workers.outage import Outages
from workers.sweep import end_unbegun

WITHOUT = GameRegistry({TOY.id: TOY_GAME})
"""What the program plays that lacks the auction."""

NAMED = "this program does not know the game 'auction'"
HOUR = 3_600_000


class Pair(Struct):
    """One store, a program that plays both games and one that plays only the toy."""

    whole: Stage
    less: Stage
    ada: Player
    names: dict[str, str]

    @property
    def there(self) -> Player:
        """The player at the program that lacks a game."""
        return Player(self.less.http, self.ada.token, self.ada.id)

    @property
    def tables(self) -> TableService:
        return self.less.service.app_context.tables

    @property
    def lobby(self) -> Lobby:
        return Lobby(self.tables.log, self.less.store, game_registry=WITHOUT)


@asynccontextmanager
async def beside(whole: Stage) -> AsyncIterator[Stage]:
    """The program that lacks a game, on the same store and by the same clock."""
    url = whole.service.app_context.settings.store_url
    async with stage(url, whole.clock, game_registry=WITHOUT) as less:
        yield less


@pytest.fixture
async def pair(store_url: str) -> AsyncIterator[Pair]:
    """A running game of each."""
    async with stage(store_url, game_registry=BOTH) as whole, beside(whole) as less:
        ada = await whole.player("Ada")
        names = {game: await begun(game, ada) for game in GAMES}
        yield Pair(whole, less, ada, names)


async def opened(player: Player, game: str, **more: Any) -> str:
    """A table that waits for players."""
    wish = {"game": game, "rulebook": RULEBOOK, "mode": "plain", "seats": 2} | more
    name: str = ok(await player.post("/v1/games", wish), 201)["game"]
    return name


# --- the API ---


async def test_every_address_of_it_says_which_game_it_is(pair: Pair) -> None:
    there, path = pair.there, f"/v1/games/{pair.names[AUCTION.id]}"
    for part in ("", "/state", "/events", "/names", "/head", "/record", "/decisions", "/log.jsonl"):
        answer = await there.get(path + part)
        assert problem(answer, "game-not-played")["detail"] == NAMED, part
        assert answer.status_code == 501
    for part, body in (
        ("/seats", {}),
        ("/decisions/bid-0-s1", {"option": "30"}),
        ("/start", None),
        ("/invitations", {"players": [pair.ada.id]}),
    ):
        assert problem(await there.post(path + part, body), "game-not-played")["detail"] == NAMED
    assert (await pair.less.http.head(path)).status_code == 501


async def test_the_other_game_goes_on_beside_it(pair: Pair) -> None:
    toy, there = pair.names[TOY.id], pair.there
    assert (await there.get(f"/v1/games/{pair.names[AUCTION.id]}")).status_code == 501
    ok(await there.post(f"/v1/games/{toy}/decisions/number-t1-s1", {"option": "2"}))
    assert ok(await there.get(f"/v1/games/{toy}"))["state"]["game"] == TOY.id
    assert (await there.get(f"/v1/games/{toy}/events")).status_code == 200


async def test_of_a_private_one_strangers_learn_nothing(pair: Pair) -> None:
    ben = await pair.whole.player("Ben")
    name = await opened(pair.ada, AUCTION.id, visibility="private", invited=[ben.id])
    cia = await pair.whole.player("Cia")
    path, http = f"/v1/games/{name}", pair.less.http
    nobody = f"{path[:-1]}{'0' if path[-1] != '0' else '1'}"
    stranger = await pair.less.stranger.get(path)
    assert problem(stranger, "game-not-found") == problem(
        await pair.less.stranger.get(nobody), "game-not-found"
    )
    problem(await Player(http, cia.token).get(path), "game-not-found")
    for who in (pair.ada, ben):
        problem(await Player(http, who.token).get(path), "game-not-played")
    auditor = await pair.whole.with_scopes(cia, "audit")
    problem(await Player(http, auditor.token).get(path), "game-not-played")


async def test_a_repeated_opening_is_answered_no_otherwise(pair: Pair) -> None:
    wish = {"game": AUCTION.id, "rulebook": "toybook", "mode": "plain", "seats": 2}
    ok(await pair.ada.post("/v1/games", wish, key="opened-by-others"), 201)
    again = await pair.there.post("/v1/games", wish, key="opened-by-others")
    assert problem(again, "game-not-played")["detail"] == NAMED
    problem(await pair.there.post("/v1/games", wish), "unknown-game")
    hidden = wish | {"visibility": "private"}
    ok(await pair.ada.post("/v1/games", hidden, key="opened-in-private"), 201)
    problem(await pair.there.post("/v1/games", hidden, key="opened-in-private"), "game-not-found")


# --- lists and streams ---


async def test_lists_that_are_made_anew_leave_it_out_and_name_it(pair: Pair) -> None:
    with structlog.testing.capture_logs() as lines:
        await pair.lobby.catch_up()
    rows = ok(await pair.less.stranger.get("/v1/games"))["games"]
    assert [row["id"] for row in rows] == [pair.names[TOY.id]]
    told = [line for line in lines if line["event"] == "game_not_known"]
    assert {(line["game"], line["plays"]) for line in told} == {(pair.names[AUCTION.id], "auction")}


async def test_a_row_that_others_have_written_is_shown(pair: Pair) -> None:
    delayed = await opened(pair.ada, AUCTION.id, delay={"turns": 1})
    ok(await pair.ada.post(f"/v1/games/{delayed}/seats", {}), 201)
    ok(await pair.ada.post(f"/v1/games/{delayed}/seats", {"bot": "random"}), 201)
    await pair.whole.list_up()
    rows = ok(await pair.less.stranger.get("/v1/games"))["games"]
    # How far a spectator sees the one with a delay nobody can tell who does not know its turns.
    assert {row["id"] for row in rows} == set(pair.names.values())


async def test_a_players_stream_tells_of_its_other_games(pair: Pair) -> None:
    await pair.whole.list_up()
    toy, auction = pair.names[TOY.id], pair.names[AUCTION.id]
    async with listen(pair.less, pair.there, "/v1/stream") as stream:
        first = await stream.next()
        assert [each["game"] for each in first.json()] == [toy]
        ok(await pair.ada.post(f"/v1/games/{auction}/decisions/bid-0-s1", {"option": "30"}))
        ok(await pair.ada.post(f"/v1/games/{toy}/decisions/number-t1-s1", {"option": "2"}))
        await play_all(pair.whole.service.app_context.tables, [toy])
        closed, asked = await stream.next(), await stream.next()
    assert (closed.event, closed.json()["game"]) == ("decision-closed", toy)
    assert (asked.event, asked.json()["game"]) == ("decision-opened", toy)


# --- workers and the clock ---


async def test_workers_and_the_clock_go_on_with_all_others(pair: Pair) -> None:
    toy, auction = pair.names[TOY.id], pair.names[AUCTION.id]
    before = (await pair.tables.load(toy)).version
    pair.less.clock.now += HOUR
    with structlog.testing.capture_logs() as lines:
        done = await time_out_all(pair.tables, [auction, toy])
        played = await play_all(pair.tables, [auction, *done.left])
    assert done.commands + played.commands > 0
    told = [line for line in lines if line["event"] == "game_not_attended"]
    assert {(line["game"], line["plays"]) for line in told} == {(auction, "auction")}
    assert (await pair.tables.load(toy)).version > before


async def test_tables_that_never_begin_end_beside_one(pair: Pair) -> None:
    opened_games = [await opened(pair.ada, game) for game in (AUCTION.id, TOY.id, AUCTION.id)]
    await pair.whole.list_up()
    pair.less.clock.now += 24 * HOUR
    tables = pair.tables
    assert await end_unbegun(tables, pair.less.store, pair.lobby.keys, 24) == 1
    assert (await tables.load(opened_games[1])).state.phase == "finished"


class Back(Presence):
    """The API, as if it had come back just now."""

    def __init__(self, there: Stage) -> None:
        super().__init__(there.store)
        self._tables = there.service.app_context.tables

    async def accepting(self) -> Accepting:
        return Accepting(ever=True, since=self._tables.clock())


async def test_an_outage_is_made_good_beside_one(pair: Pair) -> None:
    tables = pair.tables
    shards = range(tables.log.layout.shards)
    before = (await tables.load(pair.names[TOY.id])).state.clock
    assert before is not None
    await tables.log.heartbeats.beat(shards, tables.clock())
    pair.less.clock.now += 20_000
    with structlog.testing.capture_logs() as lines:
        assert await Outages(tables, Back(pair.less)).settle(tables.clock()) == {}
    told = [line["game"] for line in lines if line["event"] == "outage_not_extended"]
    assert told == [pair.names[AUCTION.id]]
    after = (await tables.load(pair.names[TOY.id])).state.clock
    assert after is not None
    assert after.due > before.due


# --- audits ---


async def found_in(on: Stage, audited: StoreAudit) -> list[AuditFault]:
    await on.list_up()
    return [fault async for fault in audited.faults()]


async def test_a_store_is_verified_but_for_what_only_its_rules_can_say(pair: Pair) -> None:
    settings, auction = pair.less.service.app_context.settings, pair.names[AUCTION.id]
    audited = StoreAudit(settings, WITHOUT, timeout_s=0)
    assert await found_in(pair.less, audited) == [AuditFault(NOT_CHECKED, auction, 0, NAMED)]
    tally = audited.tally
    assert (tally.faults, tally.unchecked, tally.games) == (0, 1, 2)
    assert tally.line().endswith("1 games without their rules")


@pytest.mark.parametrize("check", ["chain", "commitments", "commands", "fold", "form", "versions"])
async def test_what_needs_no_rules_is_checked_of_it_too(
    pair: Pair, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    auction = pair.names[AUCTION.id]
    ok(await pair.ada.post(f"/v1/games/{auction}/decisions/bid-0-s1", {"option": "30"}))
    client: Any = pair.less.store
    keys = pair.tables.log.layout.stream(auction)
    head = await pair.tables.log.head(auction)
    assert head is not None
    stored = await pair.tables.log.read(auction)
    match check:
        case "chain":
            await client.hset(keys.head, "head", bytes(32))
        case "commitments":
            honest = KeyRing.game_key
            monkeypatch.setattr(KeyRing, "game_key", lambda *a: honest(*a)[::-1])
        case "commands":
            await client.hdel(keys.commands, json.decode(stored[0].public)["batch"]["id"])
        case "versions":
            await client.xdel(keys.entries, f"{head.version}-0")
        case _:
            line = json.decode(stored[-1].public)
            line["at"] = line["at"] - 1 if check == "fold" else "never"
            await client.xdel(keys.entries, f"{head.version}-0")
            await client.delete(keys.entries)
            for each in stored:
                public = json.encode(line) if each is stored[-1] else each.public
                private = {} if each.private is None else {"p": each.private}
                await client.xadd(keys.entries, {"e": public} | private, id=f"{each.version}-0")
    audited = StoreAudit(pair.less.service.app_context.settings, WITHOUT, timeout_s=0)
    found = await found_in(pair.less, audited)
    assert check in {fault.check for fault in found if fault.stream == auction}
    assert {fault.stream for fault in found} == {auction} or check == "commitments"


async def test_one_game_of_it_in_the_store_is_verified_as_far_as_can_be(pair: Pair) -> None:
    name = await played(pair.whole, AUCTION.id, pair.ada)
    source = await read_store(name, pair.less.service.app_context.settings, WITHOUT)
    found = {f.name: f.status for f in audit(source, WITHOUT).findings}
    unchecked = {"signature", "draws", "fold", "re-adjudication"}
    assert {check for check, status in found.items() if status == "not checked"} == unchecked
    assert {status for check, status in found.items() if check not in unchecked} == {"ok"}


# --- the command line, which has neither of these games ---


async def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = await asyncio.to_thread(main, arguments)
    out, err = capsys.readouterr()
    return code, out, err


async def test_a_record_of_it_ends_in_one_sentence(
    pair: Pair, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = await played(pair.whole, AUCTION.id, pair.ada)
    path = str(tmp_path / "auction.jsonl")
    answer = await pair.whole.stranger.get(f"/v1/games/{name}/record")
    await asyncio.to_thread(Path(path).write_bytes, answer.content)
    sentence = f"parlour replay: {NAMED}\n"
    for task in (["show"], ["log"], ["step"], ["diff", "1", "2"], ["show", "--format", "json"]):
        code, out, err = await said(capsys, task[0], path, *task[1:])
        assert (code, out, err) == (2, "", sentence), task
    code, out, _ = await said(capsys, "verify", path)
    assert code == 0
    assert f"fold            not checked {NAMED}\n" in out
    assert out.endswith("verified, but for draws, fold, re-adjudication\n")
    seed = next(line for line in out.splitlines() if line.startswith("seed"))
    assert seed.split() == ["seed", "ok", "the", "key", "was", "committed", "to"]


async def test_a_game_of_it_in_a_store_ends_in_one_sentence(
    pair: Pair, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(pair.whole.service.app_context.settings).items():
        monkeypatch.setenv(name, value)
    game = await played(pair.whole, AUCTION.id, pair.ada)
    store = ("--store", pair.whole.service.app_context.settings.store_url)
    sentence = f"parlour replay: {NAMED}\n"
    out = str(tmp_path / "record.jsonl")
    for task in (["show", game], ["log", game], ["export", game, "--out", out]):
        assert await said(capsys, *task, *store) == (2, "", sentence), task
    assert not await asyncio.to_thread(Path(out).exists)
    await pair.whole.list_up()
    code, told, _ = await said(capsys, "verify-store", *store)
    assert code == 0
    for name in (*pair.names.values(), game):
        assert f"not checked  {name}: this program does not know the game" in told
    assert told.splitlines()[-1].startswith("verified: 3 games, ")


async def test_the_record_of_the_other_one_is_the_control(pair: Pair) -> None:
    name = await played(pair.whole, TOY.id, pair.ada)
    assert {f.status for f in audit(await recorded(pair.less, name), WITHOUT).findings} == {"ok"}
