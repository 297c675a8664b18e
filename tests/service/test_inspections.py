"""Inspections: an auditor says first, in the game's own log, that it looks at a running game."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
import structlog

from events.scripts import LogUnavailable, StoreFull
from games.game_registry import installed_games
from replay.source import read_file
from replay.verify import audit
from tests.service.listening import PATIENCE_S, listen
from tests.service.stage import Player, Stage, fresh, ok, problem, shown, stage

LENGTH_MS = 900_000
NDJSON = {"accept": "application/x-ndjson"}
SSE = {"accept": "text/event-stream"}
READS: list[tuple[str, dict[str, str]]] = [
    ("", {}),
    ("/state", {}),
    ("/state?at=3", {}),
    ("/state?at=9999&wait=1", {}),
    ("/state", {"accept": "image/svg+xml"}),
    ("/events", {}),
    ("/events?wait=1", {}),
    ("/events", NDJSON),
    ("/log.jsonl", {}),
    ("/head", {}),
]
STREAMS = [("/events", SSE), ("/events?follow=true", NDJSON)]


class Table:
    """A running game in which everybody has a secret, and an auditor who does not play in it."""

    def __init__(self, on: Stage) -> None:
        self.on = on

    async def begin(self) -> None:
        """Seat four, and let the game begin."""
        on = self.on
        self.players = [await on.player(name) for name in ("Ada", "Bob", "Cy", "Di")]
        self.path = f"/v1/games/{await on.game(*self.players, mode='suspicion')}"
        self.auditor = await on.with_scopes(await on.player("Eve"), "audit")

    async def inspect(
        self, eyes: str = "full", who: Player | None = None, key: str | None = None
    ) -> httpx.Response:
        """Ask for an inspection."""
        wish = {"eyes": eyes, "reason": "complaint"}
        return await (who or self.auditor).post(f"{self.path}/inspections", wish, key)

    async def look(
        self, eyes: str, path: str = "", headers: dict[str, str] | None = None
    ) -> httpx.Response:
        """Read through eyes."""
        return await self.auditor.get(self.through(eyes, path), headers)

    def through(self, eyes: str, path: str = "") -> str:
        """The address of what is read through eyes."""
        return f"{self.path}{path}{'&' if '?' in path else '?'}as={eyes}"

    async def version(self) -> int:
        """The newest version."""
        return int(ok(await self.on.stranger.get(self.path))["version"])

    async def annul(self) -> None:
        """End the game."""
        ok(await self.on.operator.post(f"{self.path}/annul", {"reason": "mistake"}))


@pytest.fixture
async def table(on: Stage) -> Table:
    made = Table(on)
    await made.begin()
    return made


@pytest.mark.parametrize(("path", "headers"), [*READS, *STREAMS])
@pytest.mark.parametrize("eyes", ["full", "seat:3"])
async def test_without_one_nothing_is_read(
    table: Table, monkeypatch: pytest.MonkeyPatch, path: str, headers: dict[str, str], eyes: str
) -> None:
    read: list[str] = []

    def note(name: str) -> Any:
        async def fail(*_: object, **__: object) -> Any:
            read.append(name)
            raise LogUnavailable("it was read")

        return fail

    for name in ("view", "events", "head", "entries"):
        monkeypatch.setattr(table.on.service.app_context.tables, name, note(name), raising=False)
    told = problem(await table.look(eyes, path, headers), "inspection-needed")
    assert "/inspections" in told["detail"]
    assert read == []


@pytest.mark.parametrize(("path", "headers"), READS)
@pytest.mark.parametrize("eyes", ["full", "seat:3"])
async def test_with_one_everything_is(
    table: Table, path: str, headers: dict[str, str], eyes: str
) -> None:
    """The control."""
    ok(await table.inspect(eyes), 201)
    answer = await table.look(eyes, path, headers)
    assert answer.status_code == (404 if "9999" in path else 200), answer.text


async def test_that_an_office_looks_and_when_is_public_at_once(table: Table) -> None:
    on, before = table.on, await table.version()
    with structlog.testing.capture_logs() as lines:
        made = ok(await table.inspect("seat:3"), 201)
    at = on.clock.now
    game = table.path.rpartition("/")[2]
    until = at + LENGTH_MS
    assert made == {
        "game": game,
        "version": before + 1,
        "at": at,
        "until": until,
        "eyes": "seat:3",
        "durability": "local",
    }
    public = {"office": "audit", "account": table.auditor.id, "at": at, "until": until}
    for who in (on.stranger, *table.players):
        state = ok(await who.get(table.path))["state"]
        assert state["inspections"] == [public | {"eyes": None, "reason": None}]
        (line,) = ok(await who.get(f"{table.path}/events", after=before))["events"]
        assert line["event"] == public | {"type": "inspection-began"}
        assert line["batch"]["by"] == f"auditor:{table.auditor.id}"
        assert line["batch"]["command"] == {"type": "inspect-game", "seconds": 900}
        assert set(line["seals"]) == set(line["batch"]["seals"]) == {"eyes", "reason"}
        assert "opened" not in line
    (noted,) = [line for line in lines if line["event"] == "inspection_began"]
    assert (noted["player"], noted["game"], noted["until"]) == (table.auditor.id, game, until)
    assert "seat:3" not in str(noted)
    assert "complaint" not in str(noted)


async def test_what_is_read_inside_appends_nothing(table: Table) -> None:
    ok(await table.inspect(), 201)
    before = await table.version()
    for eyes in ("full", "seat:1", "seat:4"):
        for path, headers in READS:
            await table.look(eyes, path, headers)
    assert await table.version() == before


async def test_a_repetition_has_the_first_answer_and_gives_no_more_time(table: Table) -> None:
    key = fresh()
    first = await table.inspect(key=key)
    table.on.clock.now += LENGTH_MS
    again = await table.inspect(key=key)
    assert (again.status_code, again.content) == (201, first.content)
    problem(await table.look("full"), "inspection-needed")
    problem(await table.inspect("seat:1", key=key), "idempotency-key-reused")


async def test_it_ends(table: Table) -> None:
    ok(await table.inspect(), 201)
    table.on.clock.now += LENGTH_MS - 1
    ok(await table.look("full"))
    table.on.clock.now += 1
    for eyes in ("full", "seat:2"):
        problem(await table.look(eyes), "inspection-needed")
    ok(await table.look("public"))
    ok(await table.inspect(), 201)
    ok(await table.look("full"))


async def test_it_is_for_these_eyes_and_this_account(table: Table) -> None:
    other = await table.on.with_scopes(await table.on.player("Fay"), "audit", "admin")
    ok(await table.inspect("seat:3"), 201)
    ok(await table.look("seat:3"))
    for eyes in ("seat:2", "full"):
        problem(await table.look(eyes), "inspection-needed")
    problem(await other.get(table.through("seat:3")), "inspection-needed")
    problem(await table.on.operator.get(table.through("full")), "inspection-needed")


async def test_who_inspects_everything_looks_through_every_seat(table: Table) -> None:
    ok(await table.inspect(), 201)
    for eyes in ("full", "seat:1", "seat:4"):
        assert ok(await table.look(eyes))["viewer"] == eyes
    problem(await table.look("seat:5"), "view-not-yours")


async def test_who_sits_at_the_table_gets_none(table: Table) -> None:
    player = await table.on.with_scopes(table.players[0], "audit", "admin")
    before = await table.version()
    problem(await table.inspect("seat:3", player), "inspection-by-player")
    problem(await player.get(table.through("seat:3")), "view-not-yours")
    assert await table.version() == before


async def test_it_is_for_auditors_and_running_games(table: Table) -> None:
    on = table.on
    problem(await table.inspect("full", table.players[0]), "scope-missing")
    problem(await table.inspect("full", on.stranger), "token-needed")
    problem(await table.inspect("seat:9"), "unknown-seat")
    for wish in ({"eyes": "god"}, {"eyes": "public"}, {"reason": "envy"}, {"reason": None}):
        body = {"eyes": "full", "reason": "complaint"} | wish
        problem(await table.auditor.post(f"{table.path}/inspections", body), "invalid-body")
    still_open = await on.table(table.players[0])
    body = {"eyes": "full", "reason": "complaint"}
    problem(await table.auditor.post(f"/v1/games/{still_open}/inspections", body), "game-not-live")
    await table.annul()
    problem(await table.inspect(), "game-over")


@pytest.mark.parametrize(
    ("error", "code"),
    [(LogUnavailable("down"), "store-unavailable"), (StoreFull("98 %"), "store-full")],
    ids=["down", "full"],
)
async def test_where_it_cannot_be_appended_nobody_looks(
    table: Table, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    async def fail(*_: object, **__: object) -> Any:
        raise error

    before = await table.version()
    with monkeypatch.context() as patch:
        patch.setattr(type(table.on.service.app_context.tables.log), "append", fail)
        problem(await table.inspect(), code)
        problem(await table.look("full"), "inspection-needed")
    problem(await table.look("full"), "inspection-needed")
    assert await table.version() == before


# --- what lasts ends with it ---


@pytest.mark.parametrize(("path", "headers"), STREAMS)
async def test_its_streams_end_with_it(table: Table, path: str, headers: dict[str, str]) -> None:
    on = table.on
    on.service.app_context.broadcaster.beat_s = 1e9
    ok(await table.inspect(), 201)
    queries = {"as": "full"} | ({"follow": "true"} if "follow" in path else {})
    at = f"{table.path}{path.partition('?')[0]}"
    async with listen(on, table.auditor, at, headers, **queries) as stream:
        await stream.until("snapshot")
        ok(await on.operator.post(f"{table.path}/pause", {}))
        await stream.until("table-paused")
        assert not stream.left.is_set()
        on.clock.now += LENGTH_MS
        async with asyncio.timeout(PATIENCE_S):
            await stream.left.wait()
        ok(await on.operator.post(f"{table.path}/resume"))
    assert stream.ended.is_set(), "properly, so that the client comes back and is told"
    assert "table-resumed" not in stream.text


async def test_the_publics_streams_go_on(table: Table) -> None:
    """The control: what needs no inspection does not end with one."""
    on = table.on
    ok(await table.inspect(), 201)
    async with listen(on, table.auditor, f"{table.path}/events") as stream:
        await stream.next()
        on.clock.now += LENGTH_MS
        ok(await on.operator.post(f"{table.path}/pause", {}))
        await stream.until("table-paused")
        assert not stream.left.is_set()


@pytest.mark.parametrize("path", ["/state", "/events?after={at}", "/state?at={next}"])
async def test_its_long_polls_are_told_so(table: Table, path: str) -> None:
    on = table.on
    ok(await table.inspect(), 201)
    version = await table.version()
    asked = path.format(at=version, next=version + 1)
    seen = await table.look("full", path.partition("?")[0])
    wait = table.through("full", f"{asked}{'&' if '?' in asked else '?'}wait=20")
    known = {"if-none-match": seen.headers["etag"]}
    poll = asyncio.create_task(table.auditor.get(wait, known))
    waiting = on.service.app_context.metrics.waiting
    async with asyncio.timeout(PATIENCE_S):
        while not shown(waiting):  # noqa: ASYNC110 (a gauge tells nobody)
            await asyncio.sleep(0.005)
    on.clock.now += LENGTH_MS
    ok(await on.operator.post(f"{table.path}/pause", {}))
    problem(await poll, "inspection-needed")


# --- the end opens it ---


async def test_the_end_opens_it_and_the_record_proves_it(table: Table) -> None:
    on = table.on
    made = ok(await table.inspect("seat:3"), 201)
    await table.annul()
    on.clock.now += LENGTH_MS
    state = ok(await on.stranger.get(table.through("full")))["state"]
    assert [(each["eyes"], each["reason"]) for each in state["inspections"]] == [
        ("seat:3", "complaint")
    ]
    content = (await on.stranger.get(f"{table.path}/record")).content
    line = content.splitlines()[made["version"]].decode()
    assert '"event.eyes":{"salt":' in line
    assert '"value":"seat:3 "' in line
    assert '"value":"complaint             "' in line
    found = audit(read_file(content), installed_games())
    assert {finding.status for finding in found.findings} == {"ok"}


async def test_an_operator_says_how_long_it_lasts(store_url: str) -> None:
    async with stage(store_url, inspection_seconds=60) as on:
        table = Table(on)
        await table.begin()
        made = ok(await table.inspect(), 201)
        assert made["until"] == made["at"] + 60_000
        on.clock.now += 60_000
        problem(await table.look("full"), "inspection-needed")
