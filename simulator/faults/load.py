"""Players who play while parts of the service fail, and remember what they were told.

Each command is repeated under its key until it has an answer, as the guide for clients asks. What
was accepted must be there at the end, once, and the same request must have the same answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.keys import KeyRing
from events.tasks import end_tasks
from runtime.settings import Settings
from simulator.faults.feeds import followed_feeds
from simulator.faults.received import ANYBODY, Looker, ReceivedStreams
from simulator.history import Attempt, History

PLAYERS: Final = 6
CHOICES: Final = 40
"""Choices that a player takes in one game, before it opens another."""

FOLLOWED: Final = 16
"""Streams that are open at once: of each table one for anybody, and one of who sits there."""

_PATIENCE_S: Final = 12.0
_PAUSE_S: Final = 0.05
_LEAVES: Final = 0.03
"""How likely a player leaves a game alone before a choice; its time then runs out."""

_TIME: Final = {"limits_s": {"programming": 3, "decision": 2}, "absent_after": 2}
_TABLES: Final = (
    {"rulebook": "first_edition", "mode": "solo", "seats": 1},
    {"rulebook": "first_edition", "mode": "cooperation", "seats": 2},
    {"rulebook": "first_edition", "mode": "cooperation", "seats": 2, "delay": {"seconds": 1}},
    {"rulebook": "first_edition", "mode": "solo", "seats": 1, "delay": {"turns": 1}},
)
_REPEATED: Final = frozenset({202, 429, 500, 502, 503, 504})
"""After these a command is sent again: 202 says that it is not yet where the service promises."""


class Ack(Struct, frozen=True):
    """A command that was accepted, as it was sent, and its answer."""

    path: str
    body: bytes
    headers: dict[str, str]
    status: int
    answer: bytes

    def receipt(self) -> tuple[str, int, int] | None:
        """The game, and the first and last version that the command led to; None: an account."""
        said: Any = msgspec.json.decode(self.answer)
        if "game" not in said:
            return None
        return said["game"], said["events"][0]["v"], said["version"]


class PlayingLoad:
    """A crowd that plays in a thread of its own.

    Args:
        url: of the service.
        keys: those of the service, by which commands are named in the log.
        seed: of what they do.
        players: how many they are.
        thinks_s: the longest pause before a choice, in seconds.
        received: follows each table from its opening on; None: nobody looks on.
        settings: those of the service, by which its feeds are followed too; None: they are not.

    Attributes:
        acks: what was accepted.
        history: every sending of a command to a game.
        odd: what ended a player.
    """

    def __init__(
        self,
        url: str,
        keys: KeyRing,
        seed: int,
        players: int = PLAYERS,
        *,
        thinks_s: float = 0.0,
        received: ReceivedStreams | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.acks: list[Ack] = []
        self.history = History([], [])
        self.odd: list[str] = []
        self._url = url
        self.keys = keys
        self._seed = seed
        self._players = players
        self.thinks_s = thinks_s
        self._received = received
        self._settings = settings
        self._following: deque[asyncio.Task[None]] = deque()
        self._hearing: list[asyncio.Task[None]] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="load")

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Play no more, and wait until nobody does."""
        self._ended.set()
        self._thread.join()

    async def _run(self) -> None:
        limits = httpx.Limits(max_connections=None)
        async with (
            self._feeds_followed(),
            httpx.AsyncClient(base_url=self._url, timeout=_PATIENCE_S, limits=limits) as http,
        ):
            crowd = (self._play(http, n) for n in range(self._players))
            for found in await asyncio.gather(*crowd, return_exceptions=True):
                if isinstance(found, Exception):
                    self.odd.append(repr(found))
            await end_tasks(*self._following, *self._hearing)

    @contextlib.asynccontextmanager
    async def _feeds_followed(self) -> AsyncIterator[None]:
        """Within the context, the feeds are followed; at its end, all must have been told."""
        if self._settings is None:
            yield
            return
        async with followed_feeds(self._settings) as follower:
            try:
                yield
                if not await follower.catches_up(self.history):
                    self.odd.append("a follower of feeds is not told all that they hold")
            finally:
                self.history.feeds += follower.notes

    def followed(self, http: httpx.AsyncClient, game: str, looker: Looker = ANYBODY) -> None:
        """Let a new table be looked on at, and the oldest of many no more."""
        if self._received is not None:
            work = self._received.follow(http, game, self._ended.is_set, looker)
            self._following.append(asyncio.create_task(work))
            if len(self._following) > FOLLOWED:
                self._following.popleft().cancel()

    def told(self, http: httpx.AsyncClient, looker: Looker) -> None:
        """Let a player hear of all their games, over two streams, which must tell the same."""
        if self._received is not None:
            for _ in range(2):
                work = self._received.follow_own(http, self._ended.is_set, looker)
                self._hearing.append(asyncio.create_task(work))

    async def _play(self, http: httpx.AsyncClient, number: int) -> None:
        """One player: registers, opens tables, plays at them."""
        player = _Player(http, self, random.Random(f"{self._seed}/{number}"))  # noqa: S311 (it plays)
        with contextlib.suppress(_Gone):
            await player.register(f"Player {number}")
            while not self._ended.is_set():
                await player.play_one()

    @property
    def has_ended(self) -> bool:
        """Whether the crowd is to go home."""
        return self._ended.is_set()


class _Gone(Exception):
    """The load has ended before there was an answer."""


class _Player:
    def __init__(self, http: httpx.AsyncClient, load: PlayingLoad, chance: random.Random) -> None:
        self._http = http
        self._load = load
        self._chance = chance
        self._looker = ANYBODY

    async def register(self, name: str) -> None:
        """Become a player."""
        made = await self._command("/v1/players", {"name": name})
        assert made is not None, "nobody refuses a name like that"
        self._looker = Looker(made["id"], made["token"]["token"])
        self._load.told(self._http, self._looker)

    async def play_one(self) -> None:
        """Open a table, fill it, and play for a while; now and then let the time run out."""
        wish = self._chance.choice(_TABLES)
        made = await self._command("/v1/games", {**wish, "time": _TIME})
        if made is None:
            return
        game = f"/v1/games/{made['game']}"
        self._load.followed(self._http, made["game"])
        if await self._command(f"{game}/seats", {}) is not None:
            self._load.followed(self._http, made["game"], self._looker)
        if wish["seats"] == 2:  # noqa: PLR2004 (the other one is a bot's)
            await self._command(f"{game}/seats", {"bot": "random"})
        for _ in range(CHOICES):
            asked = await self._read(f"{game}/decisions")
            open_ones = [d for d in asked.get("decisions", []) if not d["optional"]]
            if self._load.has_ended or self._chance.random() < _LEAVES:
                return
            await asyncio.sleep(self._chance.random() * self._load.thinks_s)
            if not open_ones:
                await asyncio.sleep(_PAUSE_S)
                continue
            decision = self._chance.choice(open_ones)
            path = f"{game}/decisions/{decision['id']}"
            option = await self._leaf(path, decision["options"])
            if option is not None:
                await self._command(path, {"option": option})

    async def _leaf(self, path: str, options: list[Any]) -> str | None:
        """Some leaf, walked to; None if the decision has changed on the way."""
        while options:
            option = self._chance.choice(options)
            if not option.get("branch"):
                return str(option["id"])
            options = (await self._read(f"{path}/options/{option['id']}")).get("options", [])
        return None

    async def _read(self, path: str) -> Any:  # noqa: ANN401 (JSON)
        """What a read answers, asked until it does; nothing once the load has ended."""
        while not self._load.has_ended:
            try:
                answer = await self._http.get(path, headers=self._looker.headers)
            except httpx.HTTPError:
                answer = None
            if answer is not None and answer.status_code not in _REPEATED:
                return msgspec.json.decode(answer.content)
            await asyncio.sleep(_PAUSE_S)
        return {}

    async def _command(self, path: str, wish: Any) -> Any:  # noqa: ANN401 (JSON)
        """Give a command until there is an answer; what it said, or None if it was refused."""
        key = f"{self._chance.getrandbits(128):032x}"
        headers = {"idempotency-key": key, "content-type": "application/json"}
        headers |= self._looker.headers
        body = msgspec.json.encode(wish)
        while True:
            sent = time.monotonic_ns()
            try:
                answer = await self._http.post(path, content=body, headers=headers)
            except httpx.HTTPError:
                answer = None
            if self._looker is not ANYBODY:
                self._load.history.attempts.append(self._attempt(key, sent, answer))
            if answer is not None and answer.status_code not in _REPEATED:
                break
            if self._load.has_ended:
                raise _Gone
            await asyncio.sleep(_PAUSE_S)
        if answer.is_success:
            ack = Ack(path, body, headers, answer.status_code, answer.content)
            self._load.acks.append(ack)
            return msgspec.json.decode(answer.content)
        return None

    def _attempt(self, key: str, sent: int, answer: httpx.Response | None) -> Attempt:
        """What the history has of one sending."""
        player = self._looker.viewer
        named = self._load.keys.command_id(player, key)
        attempt = Attempt(client=player, stream="", command_id=named, sent=sent)
        if answer is None or answer.status_code in _REPEATED:
            return attempt
        answered = time.monotonic_ns()
        if not answer.is_success:
            return replace(attempt, answered=answered, outcome="refused")
        said: Any = msgspec.json.decode(answer.content)
        return replace(
            attempt,
            stream=said["game"],
            answered=answered,
            outcome="accepted",
            level=said["durability"],
            first=said["events"][0]["v"],
            version=said["version"],
        )
