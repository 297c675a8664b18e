"""Builds tables of the toy game over a real store, and plays on them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from itertools import count

from msgspec.structs import replace

from events.clients import Client
from events.kernel import Actor, Command, Seat, TimestampMs
from events.keys import KeyRing
from events.log import StreamLog
from events.transact import CommandReceipt
from games.bots import HouseBot
from games.contract import TimeControl
from games.game_registry import GameRegistry
from games.table.events import Delay, OpenTable, StartMode, TakeSeat, Visibility
from runtime.signed import Signer
from runtime.table_service import TableService
from tests.games.toy import TOY
from tests.games.toy_package import TOY_GAME

SHARDS = 4
LONG = 20.0
"""Seconds after which a test gives up; none waits so long when all is well."""

START: TimestampMs = 1_700_000_000_000
TOY_REGISTRY = GameRegistry({TOY.id: TOY_GAME})
KEYS = KeyRing({"k1": b"1" * 32}, "k1")
ANN, BEN, CIA = (f"p00-{name * 26}" for name in "abc")


def registry_with(bot: HouseBot) -> GameRegistry:
    """A game registry with the toy, whose random bot is this one."""
    return GameRegistry({TOY.id: replace(TOY_GAME, bots={"random": bot})})


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that another process or task brings about; fail after ``LONG`` seconds."""
    async with asyncio.timeout(LONG):
        while not condition():  # noqa: ASYNC110 (nobody could set an event for us)
            await asyncio.sleep(0.01)


class Still:
    """A clock that stands still until somebody moves it."""

    def __init__(self, now: TimestampMs = START) -> None:
        self.now = now

    def __call__(self) -> TimestampMs:
        return self.now


class Stage:
    """A table service on a store, a clock in our hand, and players who know what they want."""

    def __init__(self, client: Client, log: StreamLog, clock: Still | None = None) -> None:
        self.client = client
        self.log = log
        self.clock = clock or Still()
        signer = Signer("test.example", b"s" * 32)
        self.tables = TableService(
            self.log, KEYS, self.clock, game_registry=TOY_REGISTRY, signer=signer
        )
        self.names = count(1)

    def twin(self) -> Stage:
        """Another process on the same store, by the same clock."""
        return Stage(self.client, self.log, self.clock)

    def game(self, name: str = "one") -> str:
        """The id of a game."""
        return KEYS.derived_id("tests", name, "g", SHARDS)

    async def give(
        self,
        game: str,
        command: Command,
        by: str = ANN,
        kind: str = "player",
        *,
        opens: bool = False,
    ) -> CommandReceipt:
        """A command under a name of its own."""
        actor = Actor(kind, by)  # type: ignore[arg-type]  # a kind of the kernel's list
        name = f"command-{next(self.names)}"
        return await self.tables.command(
            game, command, actor=actor, command_id=name, digest="d", opens=opens
        )

    async def open(  # noqa: PLR0913 (a table's options: every argument is named)
        self,
        name: str = "one",
        *,
        seats: int = 2,
        rounds: int = 2,
        host: str = ANN,
        visibility: Visibility = "public",
        invited: tuple[str, ...] = (),
        start: StartMode = "auto",
        time: TimeControl | None = None,
        delay: Delay | None = None,
        tournament: str | None = None,
    ) -> str:
        """Open a table; its host does not sit down."""
        game = self.game(name)
        command = OpenTable(
            game="toy",
            rulebook="toybook",
            mode="plain",
            seats=seats,
            options={"rounds": rounds},
            visibility=visibility,
            invited=invited,
            start=start,
            time=time or TimeControl(limits_s={"programming": 10, "decision": 5}),
            delay=delay,
            tournament=tournament,
            key=self.tables.game_key(game),
        )
        await self.give(game, command, host, opens=True)
        return game

    async def sit(self, game: str, players: Iterable[str]) -> None:
        """Seat players by their ids."""
        for player in players:
            seal = await self.tables.names.store.keep(player, f"name of {player[4]}")
            await self.give(game, TakeSeat(name_seal=seal), player)

    async def seat_bots(self, game: str, number: int, host: str = ANN, bot: str = "random") -> None:
        """Seat house bots."""
        for _ in range(number):
            await self.give(game, TakeSeat(bot=bot), host)

    async def choose(
        self, game: str, seat: Seat, decision: str, option: str, name: str | None = None
    ) -> CommandReceipt:
        """A seat's player chooses."""
        player = (await self.tables.load(game)).state.seats[seat].player
        return await self.tables.choose(
            game,
            seat,
            decision,
            option,
            actor=Actor("player", player),
            command_id=name or f"choice-{next(self.names)}",
            digest=f"{decision}={option}",
        )

    async def play_round(self, game: str, turn: int) -> None:
        """Everybody chooses a number, and the picker picks."""
        seats = (await self.tables.load(game)).state.seats
        for seat in seats:
            await self.choose(game, seat, f"number-t{turn}-s{seat}", "123"[(seat + turn) % 3])
        picker = (turn - 1) % len(seats) + 1
        await self.choose(game, picker, f"pick-t{turn}", "double")

    async def finished(self, name: str = "one", rounds: int = 2) -> str:
        """A table of two that was played to its end."""
        game = await self.open(name, rounds=rounds)
        await self.sit(game, (ANN, BEN))
        for turn in range(1, rounds + 1):
            self.clock.now += 1000
            await self.play_round(game, turn)
        return game
