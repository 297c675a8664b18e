"""What goes wrong in a simulated run: each mishap is planted and mended again."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from simulator.appends.machines import StorePair
from simulator.appends.network import Network, PacketLoss
from simulator.appends.process import LedgerService

CALM: Final = PacketLoss()
_HOUR_MS: Final = 3_600_000


class Mishaps:
    """Plants one mishap after another, each for a while.

    Args:
        pair: the machines.
        network: what lies between.
        services: the processes.
        chance: which come when.
        counts: how often what happened.
    """

    def __init__(
        self,
        pair: StorePair,
        network: Network,
        services: Sequence[LedgerService],
        chance: random.Random,
        counts: Counter[str],
    ) -> None:
        self._pair = pair
        self._network = network
        self._services = services
        self._chance = chance
        self._counts = counts

    async def plant(self, how_many: int) -> None:
        """Plant some, and mend all of them."""
        kinds = list(SINGLE if self._pair.other is None else SINGLE | PAIRED)
        for _ in range(how_many):
            await asyncio.sleep(self._chance.random() * 1.5)
            kind = self._chance.choice(kinds)
            self._counts[kind] += 1
            await (SINGLE | PAIRED)[kind](self)
        self._mend()

    def _mend(self) -> None:
        self._network.packet_loss = CALM
        for service in self._services:
            service.place.cut_off_with = None
            if not service.is_up:
                service.start()

    async def _while(self, longest_s: float) -> None:
        await asyncio.sleep(self._chance.random() * longest_s)

    async def bad_network(self) -> None:
        """Requests and answers are lost, doubled, late."""
        share = self._chance.random() * 0.3
        kinds = PacketLoss(share, share, share, share)
        self._network.packet_loss = kinds
        await self._while(3.0)
        self._network.packet_loss = CALM

    async def crash_store(self) -> None:
        """SIGKILL the primary, and start it again."""
        machine = self._pair.primary
        self._pair.dropped += machine.crash()
        await self._while(1.0)
        machine.start()
        self._pair.rejoin()

    async def pause_store(self) -> None:
        """Stop the primary where it stands, and let it go on."""
        machine = self._pair.primary
        machine.paused_until = asyncio.get_running_loop().time() + self._chance.random() * 8.0
        await self._while(4.0)

    async def forget_scripts(self) -> None:
        """SCRIPT FLUSH."""
        self._pair.primary.store.forget_scripts()

    async def crash_process(self) -> None:
        """SIGKILL a process, and start it again."""
        service = self._chance.choice(self._services)
        service.kill()
        await self._while(1.0)
        service.start()

    async def pause_process(self) -> None:
        """Let a process stand still; it goes on with what it knew then."""
        service = self._chance.choice(self._services)
        pause = self._chance.random() * 30.0
        service.place.paused_until = asyncio.get_running_loop().time() + pause
        await self._while(2.0)

    async def jump_process_clock(self) -> None:
        """Let the clock of a process be an hour off, for a while."""
        service = self._chance.choice(self._services)
        service.skew_ms = self._chance.choice((_HOUR_MS, -_HOUR_MS))
        await self._while(4.0)
        service.skew_ms = 0

    async def jump_store_clock(self) -> None:
        """Let the clock of the primary be an hour off, for a while."""
        machine = self._pair.primary
        machine.skew_ms = self._chance.choice((_HOUR_MS, -_HOUR_MS))
        await self._while(2.0)
        machine.skew_ms = 0

    async def hold_replica(self) -> None:
        """Let the replica get nothing, and follow again."""
        self._pair.link(up=False)
        await self._while(4.0)
        self._pair.link(up=True)

    async def fail_over(self) -> None:
        """Kill the primary; the replica takes over what it has, and is followed by the other."""
        await self._pair.whole.wait()  # before that it can take nothing over
        await self._maybe_hold_back()
        self._pair.primary.crash()
        await self._while(0.5)
        self._pair.fail_over(from_disk=self._chance.random() < 0.5)  # noqa: PLR2004 (a coin)
        await self._while(2.0)
        self._pair.rejoin()

    async def split(self) -> None:
        """Cut the primary off with some of the processes; the others get a new one."""
        await self._pair.whole.wait()  # before that it can take nothing over
        await self._maybe_hold_back()
        pair = self._pair
        for service in self._services:
            if self._chance.random() < 0.5:  # noqa: PLR2004 (a coin)
                service.place.cut_off_with = pair.primary
        pair.is_split = True
        pair.fail_over(from_disk=False)
        await self._while(6.0)
        for service in self._services:
            service.place.cut_off_with = None
        pair.rejoin()

    async def _maybe_hold_back(self) -> None:
        """Mostly something is under way to the replica."""
        if self._chance.random() < 0.7:  # noqa: PLR2004 (a share)
            self._pair.link(up=False)
            await self._while(1.5)


Mishap = Callable[[Mishaps], Awaitable[None]]

SINGLE: Final[dict[str, Mishap]] = {
    "bad network": Mishaps.bad_network,
    "crash of the store": Mishaps.crash_store,
    "pause of the store": Mishaps.pause_store,
    "scripts forgotten": Mishaps.forget_scripts,
    "crash of a process": Mishaps.crash_process,
    "pause of a process": Mishaps.pause_process,
    "clock of a process": Mishaps.jump_process_clock,
    "clock of the store": Mishaps.jump_store_clock,
}
"""What happens to a store of one machine, by name."""

PAIRED: Final[dict[str, Mishap]] = {
    "replica held back": Mishaps.hold_replica,
    "failover": Mishaps.fail_over,
    "split": Mishaps.split,
}
"""What happens to a primary and its replica besides."""
