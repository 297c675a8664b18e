"""One run by one seed: a service, its store, players and mishaps, and what must hold in the end."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from events.durability import Durability
from events.feed import Pointer
from events.known import Mark, Marks
from events.scripts import LogError
from simulator.appends.followers import LedgerFollower
from simulator.appends.guards import Guards
from simulator.appends.ledger import CountCoins, OpenLedger
from simulator.appends.machines import StorePair
from simulator.appends.mishaps import Mishaps
from simulator.appends.model import words_of
from simulator.appends.network import Network
from simulator.appends.players import STREAMS, LedgerPlayer
from simulator.appends.process import LAYOUT, SHARDS, STORE, LedgerService
from simulator.appends.store_checks import final_feeds, final_stream, pointer_of, store_faults
from simulator.appends.virtual_time import run_virtually
from simulator.feed_history import FeedPromise, judge_feeds
from simulator.history import EVERY_LEVEL, LOST, MOVED, History, Violation, judge

UNTOLD: Final = "untold"
PROGRESS: Final = "progress"
ODD: Final = "odd"

RUN_CHECKS: Final = {
    UNTOLD: "a process that has seen what is lost says so, and does not write on",
    PROGRESS: "once all is mended, every process takes a command within 10 s",
    ODD: "nobody is told of damage, or that its command id was used for something else",
}
"""The checks of a run, and what each shows."""

PROGRESS_S: Final = 10.0

_PROCESSES: Final = 3
_PLAYERS: Final = 4
_COMMANDS: Final = 10
_MISHAPS: Final = 5
_ENDS_S: Final = 120.0
_LOOKS_S: Final = 2.5


class TrialSetting(Struct, frozen=True):
    """What kind of store a run has, and what its service promises."""

    name: str
    replicated: bool
    level: Durability


SETTINGS: Final = (
    TrialSetting("one machine", replicated=False, level="local"),
    TrialSetting("a replica that is waited for", replicated=True, level="replicated"),
    TrialSetting("a replica that is not waited for", replicated=True, level="local"),
)


class TrialOutcome(Struct, frozen=True):
    """What a run found and met.

    Args:
        seed: of the run.
        setting: its kind of store.
        violations: what does not hold.
        counts: how often what happened.
        history: what the players have noted.
        lasted_s: how much time went by in it.
    """

    seed: int
    setting: TrialSetting
    violations: list[Violation]
    counts: Counter[str]
    history: History
    lasted_s: float


def run_trial(seed: int, guards: Guards | None = None) -> TrialOutcome:
    """Run one seed, under all guards unless told otherwise."""
    return run_virtually(_Trial(seed, guards or Guards()).run())


class _Trial:
    def __init__(self, seed: int, guards: Guards) -> None:
        self.seed = seed
        self.setting = SETTINGS[seed % len(SETTINGS)]
        self.guards = guards
        self.counts: Counter[str] = Counter()
        self.history = History([], [])
        self.found: list[Violation] = []
        self.epoch = 1

    async def run(self) -> TrialOutcome:
        self._set_up()
        operator = asyncio.create_task(self._operate(), name="operator")
        following = [asyncio.create_task(each.follow(), name=each.name) for each in self.followers]
        players = [self._player(f"p{n}") for n in range(_PLAYERS)]
        playing = [asyncio.create_task(p.play(_COMMANDS), name=p.name) for p in players]
        mishaps = Mishaps(
            self.pair, self.network, self.services, self._chance("mishaps"), self.counts
        )
        await mishaps.plant(_MISHAPS)
        prober = self._player("probe")
        await self._probe(prober)
        _, late = await asyncio.wait(playing, timeout=_ENDS_S)
        for task in late:
            task.cancel()
            self._violated(PROGRESS, f"{task.get_name()} has no answer after {_ENDS_S:g} s")
        await asyncio.sleep(_LOOKS_S)
        await self._compare_states()
        await self._tell_followers(following)
        operator.cancel()
        for task in playing:
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error
        self.found += [Violation(ODD, "", what) for p in [*players, prober] for what in p.odd]
        self._judge()
        lasted = asyncio.get_running_loop().time()
        return TrialOutcome(
            self.seed, self.setting, sorted(self.found), self.counts, self.history, lasted
        )

    def _chance(self, what: str) -> random.Random:
        return random.Random(f"{self.seed}/{what}")  # noqa: S311 (a seed that can be given again)

    def _set_up(self) -> None:
        setting, counts = self.setting, self.counts
        self.pair = StorePair(
            self._chance("machines"), self.guards, counts, replicated=setting.replicated
        )
        self.network = Network(self.pair, self._chance("network"), counts)
        self._name_store()
        self.services = [
            LedgerService(f"s{n}", self.network, self.guards, setting.level, counts)
            for n in range(_PROCESSES)
        ]
        for service in self.services:
            service.start()
        level = setting.level
        self.followers = [LedgerFollower(each, level, counts) for each in self.services]

    def _player(self, name: str) -> LedgerPlayer:
        level = self.setting.level
        return LedgerPlayer(
            name,
            self.services,
            self._chance(name),
            self.history,
            self.counts,
            level=level,
            fresh=not self.setting.replicated,
        )

    def _name_store(self) -> None:
        """Write into the primary what the store is, as the clock and an operator do."""
        primary, epoch = self.pair.primary, str(self.epoch)
        said = ("store", STORE, "epoch", epoch, "shards", str(SHARDS))
        words: list[tuple[str, ...]] = [("HSET", LAYOUT.identity(), *said)]
        name = f"{STORE}:{epoch}"
        words += [("HSET", LAYOUT.meta(shard), "store", name) for shard in range(SHARDS)]
        for each in words:
            self.pair.execute(primary, [word.encode() for word in each])

    async def _operate(self) -> None:
        """Accept the store as it is whenever a process says that it has lost something."""
        while True:
            await asyncio.sleep(1.0)
            primary = self.pair.primary
            told = any(service.known.trouble for service in self.services)
            if told and primary.is_up and not self.pair.is_split:
                self.epoch += 1
                self.counts["losses accepted"] += 1
                primary.needs_replica = False  # an operator waits until it can be written
                self._name_store()
                primary.needs_replica = self.setting.replicated
                for service in self.services:
                    service.learn(Marks(STORE, self.epoch, self._ends()))

    def _ends(self) -> dict[int, Mark]:
        found = {}
        for shard in range(SHARDS):
            words = words_of(["HMGET", LAYOUT.meta(shard), "seq", "chain"])
            seq, chain = self.pair.primary.store.run(words, 0)
            found[shard] = Mark(int(seq or 0), (chain or b"").decode())
        return found

    async def _probe(self, prober: LedgerPlayer) -> None:
        """Each process takes a command, on each stream, soon after all is mended."""
        # What was on its way when something stood still may take as long as that did.
        still = [service.place.paused_until for service in self.services]
        until = max(*still, self.pair.primary.paused_until)
        await asyncio.sleep(max(0.0, until - asyncio.get_running_loop().time()))
        for service in self.services:
            for stream in STREAMS:
                work = self._probed(prober, stream, service)
                try:
                    async with asyncio.timeout(PROGRESS_S):
                        await work
                except TimeoutError:
                    self._violated(PROGRESS, f"{service.place.name} takes nothing on {stream}")

    async def _probed(self, prober: LedgerPlayer, stream: str, service: LedgerService) -> None:
        await prober.give(stream, OpenLedger(owner="probe"), service)
        if await prober.give(stream, CountCoins(), service) != "accepted":
            self._violated(PROGRESS, f"{service.place.name} refuses to count {stream}")

    async def _compare_states(self) -> None:
        """Whatever a process has cached, it now decides on the newest state."""
        for stream in STREAMS:
            try:
                states = [await service.state(stream) for service in self.services]
            except LogError as error:
                self._violated(ODD, f"{stream} cannot be read: {error!r}")
                continue
            if any(state != states[0] for state in states):
                self._violated(ODD, f"processes see {stream} differently")

    async def _tell_followers(self, following: Sequence[asyncio.Task[None]]) -> None:
        """Give followers time to be told of all; then what they noted is judged."""
        ends = {shard: mark.seq for shard, mark in self._ends().items()}
        end = asyncio.get_running_loop().time() + PROGRESS_S
        while not all(each.has_seen(ends) for each in self.followers):
            if asyncio.get_running_loop().time() > end:
                break  # the judge says who has missed what
            await asyncio.sleep(_LOOKS_S / 10)
        for task in following:
            task.cancel()
        self.history.stayed = {each.name: ends for each in self.followers}
        self.history.feeds = [note for each in self.followers for note in each.notes]

    def _violated(self, check: str, what: str) -> None:
        self.found.append(Violation(check, "", what))

    def _judge(self) -> None:
        """Compare what was told with what is there."""
        primary = self.pair.primary
        ends = [final_stream(primary.store, LAYOUT, stream) for stream in STREAMS]
        everything = judge(self.history, ends)
        missing = [v for v in everything if v.check in {LOST, MOVED}]
        self.counts["acknowledged and lost"] += len(missing)
        self._judge_marks()
        self.found += judge(self.history, ends, survives=self._survives())
        self.found += judge_feeds(
            self.history.feeds, final_feeds(primary.store, LAYOUT), ends, self._promise()
        )
        self.found += store_faults(primary, LAYOUT, ends)
        self.counts["batches"] += sum(1 for write in primary.log if write.appends)

    def _judge_marks(self) -> None:
        """Whatever a process knows in the last epoch is there, or it says that it is not."""
        if any(service.known.trouble for service in self.services):
            return
        links = {shard: self._links(shard) for shard in range(SHARDS)}
        for service in self.services:
            for held in sorted(service.known.held, key=lambda each: (each.shard, each.mark.seq)):
                there = links[held.shard].get(held.mark.seq)
                if held.epoch == self.epoch and there != held.mark.chain:
                    what = f"{service.place.name} knew entry {held.mark.seq} of shard {held.shard}"
                    self._violated(UNTOLD, f"{what}, which is gone")

    def _links(self, shard: int) -> dict[int, str]:
        """The link of each entry of a feed, by its number."""
        feed = self.pair.primary.store.stream(LAYOUT.feed(shard).encode())
        return {number: fields[7].decode() for number, fields in feed.entries.items()}

    def _promise(self) -> FeedPromise:
        """What followers were promised; what is local is kept as soon as it is answered."""
        kept_at: dict[Pointer, int] | None = None
        if self.setting.level == "replicated":
            kept_at = {}
            for write, at in self.pair.kept:
                kept_at.setdefault(pointer_of(write, LAYOUT), int(at * 1_000_000_000))
        survives, stayed = self._survives(), self.history.stayed
        return FeedPromise(survives=survives, kept_at=kept_at, stayed=stayed)

    def _survives(self) -> frozenset[Durability]:
        """The levels of which nothing may be missing: all of them, unless a replica took over."""
        if self.setting.replicated and self.pair.dropped:
            return frozenset({"replicated"})
        return EVERY_LEVEL
