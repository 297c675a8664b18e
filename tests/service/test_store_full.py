"""A store that fills up: each level refuses what it should, reads go on, and all comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
import structlog

from runtime.embedded.store import Store
from runtime.fullness import RESERVE, Level
from runtime.store_room import StoreRoom
from tests.service.stage import Player, Stage, ok, problem, stage

pytestmark = [pytest.mark.slow, pytest.mark.system]

LIMIT = 32 << 20
_PAD = 32 << 10
ANNULMENT = {"reason": "other"}


class Tank:
    """A store of a fixed size that can be filled and emptied."""

    def __init__(self, store: Store) -> None:
        self.url = store.url
        self._client = redis.Redis.from_url(store.admin_url)
        self._pads = 0

    def used(self) -> float:
        """How much of the room is taken."""
        info: Any = self._client.info("memory")
        return float(info["used_memory"]) / (LIMIT * (1 - RESERVE))

    def fill(self, share: float) -> None:
        """Fill the room up to ``share``; what takes no more is full."""
        while (missing := share - self.used()) > 0:
            room = int(missing * LIMIT * (1 - RESERVE))
            size = min(_PAD, max(64, room))
            try:
                with self._client.pipeline(transaction=False) as pipeline:
                    for _ in range(max(1, room // (_PAD + 4096))):
                        self._pads += 1
                        # The store makes the bytes before an offset itself: nothing has to be sent.
                        pipeline.setrange(f"padding:{self._pads}", size - 1, "p")
                    pipeline.execute()
            except redis.exceptions.OutOfMemoryError:
                return

    def empty(self) -> None:
        """Take the padding away."""
        self._client.delete(*(f"padding:{n + 1}" for n in range(self._pads)))
        self._pads = 0

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


@pytest.fixture
def tank(home: Path) -> Iterator[Tank]:
    lines = [
        "appendonly no",
        f"maxmemory {LIMIT}",
        "lazyfree-lazy-user-del no",  # there is room as soon as the padding is gone
    ]
    with Store(home / "store", *lines) as store:
        made = Tank(store)
        yield made
        made.close()


class Play:
    """What there is before the store fills up: games, tables and players to try everything with."""

    def __init__(self, on: Stage, tank: Tank) -> None:
        self.on, self.tank = on, tank
        self.seconds = 0.0
        self.room: StoreRoom = on.service.app_context.room
        self.room._seconds = lambda: self.seconds

    async def prepare(self) -> None:
        """Open and begin what the trials need."""
        on = self.on
        self.ada, self.ben = await on.player("Ada"), await on.player("Ben")
        self.director = await on.with_scopes(self.ada, "organise")
        self.auditor = await on.with_scopes(self.ben, "audit")
        self.game = await on.game(self.ada, mode="solo")
        self.annulled = await on.game(self.ada, mode="solo")
        self.table = await on.table(self.ada, seats=3)
        await on.sit(self.table, self.ada)
        self.bots = await self.full_of_bots()
        self.humans = await on.table(self.ada, start="host")
        await on.sit(self.humans, self.ada, self.ben)
        self.token = ok(await self.ada.post("/v1/tokens", {"scopes": ["play"]}), 201)["id"]
        await on.list_up()

    async def full_of_bots(self) -> str:
        """A table of bots alone that waits for its host to begin."""
        game = await self.on.table(self.ada, start="host")
        for _ in range(2):
            ok(await self.ada.post(f"/v1/games/{game}/seats", {"bot": "random"}), 201)
        return game

    async def reach(self, share: float) -> None:
        """Fill the store so far, and have it looked at."""
        self.tank.fill(share)
        await self.room.look()

    async def drain(self) -> None:
        """Empty the store, and let the time go by in which choices are refused at least."""
        self.tank.empty()
        self.seconds += 60
        await self.room.look()

    async def choose(self, key: str | None = None) -> httpx.Response:
        """Answer the first decision of the game."""
        asked = ok(await self.ada.get(f"/v1/games/{self.game}/decisions"))["decisions"]
        first = next(each for each in asked if not each["optional"])
        option = first["options"][0]["id"]
        path = f"/v1/games/{self.game}/decisions/{first['id']}"
        return await self.ada.post(path, {"option": option}, key)

    async def inspect(self) -> httpx.Response:
        """Begin to look at the game."""
        look = {"eyes": "full", "reason": "spot_check"}
        return await self.auditor.post(f"/v1/games/{self.game}/inspections", look)

    async def tries(self) -> dict[str, httpx.Response]:
        """One of everything that writes."""
        ada, games = self.ada, "/v1/games"
        wish = {"rulebook": "first_edition", "mode": "solo", "seats": 1}
        return {
            "register": await self.on.stranger.post("/v1/players", {"name": "Cia"}),
            "open": await ada.post(games, wish),
            "sit": await self.ben.post(f"{games}/{self.table}/seats", {}),
            "bots": await ada.post(f"{games}/{self.bots}/start"),
            "start": await ada.post(f"{games}/{self.humans}/start"),
            "choose": await self.choose(),
            "token": await ada.post("/v1/tokens", {"scopes": ["play"]}),
            "leave": await ada.delete(f"{games}/{self.table}/seats/1"),
            "inspect": await self.inspect(),
            "pause": await self.director.post(f"{games}/{self.game}/pause", {}),
            "resume": await self.director.post(f"{games}/{self.game}/resume"),
            "annul": await self.director.post(
                f"{games}/{self.annulled}/annul", {"reason": "other"}
            ),
            "revoke": await ada.delete(f"/v1/tokens/{self.token}"),
        }

    async def reads(self) -> list[httpx.Response]:
        """One of everything that reads."""
        game = f"/v1/games/{self.game}"
        paths = (
            "/v1/games",
            f"/v1/games?player={self.ada.id}",
            game,
            *(f"{game}/{part}" for part in ("state", "events", "decisions", "head")),
            f"/v1/players/{self.ben.id}",
            "/v1/tokens",
            "/v1/rulebooks",
            "/metrics",
            "/health/live",
            "/health/ready",
        )
        own = [await self.ada.get(path) for path in paths]
        return own + [await self.on.stranger.get(path) for path in paths[:6] if "decis" not in path]


@pytest.fixture
async def play(tank: Tank) -> AsyncIterator[Play]:
    async with stage(tank.url) as on:
        made = Play(on, tank)
        await made.prepare()
        yield made


def refused(tries: dict[str, httpx.Response]) -> set[str]:
    """What was refused for want of room; everything else must have been accepted."""
    found = set()
    for name, answer in tries.items():
        if answer.status_code < 300:
            continue
        problem(answer, "store-full")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "30"), name
        found.add(name)
    return found


NEWCOMERS = {"register", "open"}
NEW_GAMES = {*NEWCOMERS, "sit", "bots"}
CHOICES = {*NEW_GAMES, "start", "choose", "token", "inspect"}


@pytest.mark.parametrize(
    ("share", "level", "expected"),
    [
        (0.0, Level.AMPLE, set()),
        (0.71, Level.LOW, set()),
        (0.81, Level.NO_NEWCOMERS, NEWCOMERS),
        (0.91, Level.NO_NEW_GAMES, NEW_GAMES),
        (0.975, Level.NO_CHOICES, CHOICES),
        (1.01, Level.NO_CHOICES, CHOICES),
    ],
    ids=["ample", "low", "80", "90", "97", "reserve"],
)
async def test_each_level_refuses_what_it_should_and_no_read(
    play: Play, share: float, level: Level, expected: set[str]
) -> None:
    await play.reach(share)
    assert play.room.level is level
    assert refused(await play.tries()) == expected
    assert {answer.status_code for answer in await play.reads()} == {200}
    told = (await play.on.http.get("/metrics")).text
    assert f"parlour_store_level {float(level)}" in told
    assert 'parlour_store_fullness_ratio{resource="memory"}' in told


async def test_with_room_again_everything_works_again(play: Play) -> None:
    await play.reach(1.01)
    key = "the-very-same-key-again"
    problem(await play.choose(key), "store-full")
    await play.drain()
    assert play.room.level is Level.AMPLE
    ok(await play.choose(key))
    assert refused(await play.tries()) == set()


async def test_the_changes_are_told(play: Play) -> None:
    with structlog.testing.capture_logs() as lines:
        await play.reach(0.71)
        await play.reach(0.98)
        await play.drain()
    said = [(e["event"], e["log_level"], e["level"]) for e in lines if "resource" in e]
    assert said == [
        ("store_filling", "warning", "low"),
        ("store_filling", "error", "no_choices"),
        ("store_level_fell", "info", "ample"),
    ]


async def test_what_was_accepted_is_answered_again_however_full_the_store_is(play: Play) -> None:
    key = "chosen-while-there-was-room"
    first = await play.choose(key)
    asked = first.request
    await play.reach(0.98)
    for share in (0.98, 2.0):
        play.tank.fill(share)
        again = await play.on.http.send(
            play.on.http.build_request(
                asked.method, asked.url, content=asked.content, headers=asked.headers
            )
        )
        assert (again.status_code, again.content) == (200, first.content)


async def test_a_store_without_any_memory_left_still_reads(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: nobody looks at the room, so the store itself has to refuse."""

    async def look_away(_: StoreRoom) -> None:
        """See nothing."""

    monkeypatch.setattr(StoreRoom, "look", look_away)
    await play.reach(2.0)
    assert play.room.level is Level.AMPLE
    assert {answer.status_code for answer in await play.reads()} == {200}
    writable = ok(await play.on.stranger.get("/health/writable"), 503)
    assert [name for name, good in writable["checks"].items() if not good] == ["store"]
    before = ok(await play.ada.get(f"/v1/games/{play.game}"))["version"]
    key = "refused-by-the-store-itself"
    problem(await play.choose(key), "store-full")
    annulled = await play.director.post(f"/v1/games/{play.annulled}/annul", {"reason": "other"})
    problem(annulled, "store-full")  # which is what the reserve is for
    assert ok(await play.ada.get(f"/v1/games/{play.game}"))["version"] == before
    await play.drain()
    ok(await play.choose(key))


async def test_limits_hold_while_the_store_takes_no_writes(tank: Tank) -> None:
    """Each process goes on by its share, and no read waits for a write or fails by one."""
    async with stage(tank.url, reads_per_minute=40) as on:
        tank.fill(2.0)
        answers = [(await on.stranger.get("/v1/games")).status_code for _ in range(12)]
    assert answers == [200] * 10 + [429] * 2


async def test_time_outs_run_out_of_the_reserve(play: Play) -> None:
    tables = play.on.service.app_context.tables
    await play.reach(1.01)
    play.on.clock.now += 3_600_000
    assert await tables.time_out(play.game)


async def test_nobody_is_said_to_accept_commands_while_choices_are_refused(play: Play) -> None:
    presence = play.on.service.app_context.presence
    await presence.announce()
    assert (await presence.accepting()).since is not None
    await play.reach(0.98)
    await presence.announce()
    found = await presence.accepting()
    assert (found.ever, found.since) == (True, None)
    await play.drain()
    await presence.announce()
    assert (await presence.accepting()).since is not None


async def test_a_process_that_starts_on_a_full_store_knows_it_at_once(
    play: Play, tank: Tank
) -> None:
    tank.fill(0.98)
    async with stage(tank.url) as other:
        assert other.service.app_context.room.level is Level.NO_CHOICES
        here = Player(other.http, play.ada.token, play.ada.id)
        wish = {"rulebook": "first_edition", "mode": "solo", "seats": 1}
        problem(await here.post("/v1/games", wish), "store-full")
