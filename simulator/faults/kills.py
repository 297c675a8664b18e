"""Kill -9 of every part, again and again, most of it at named points with a command in flight.

A round is one service, on one store or on a cluster, in which one part after another is killed and
started again while players play and spectators look on. After each kill all must go on; after a
failover every command that was acknowledged is where its receipt says; at the end of a round
everything is compared: acknowledged commands, repeated commands, streams as spectators received
them, and the whole store.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import redis
from msgspec import Struct

from ops.acceptance import Reason, accept
from runtime.embedded.children import ChildError
from simulator.delivery_history import judge_deliveries, kept_back
from simulator.faults import points
from simulator.faults.checks import FaultDamage, all_holds, goes_on, told_as_promised, wait_for
from simulator.faults.cluster_rig import BreakableCluster
from simulator.faults.load import PlayingLoad
from simulator.faults.parts import ONE_WORKER, ForkedPart, ServiceParts, folder_on_disk
from simulator.faults.received import ReceivedStreams, read_afterwards
from simulator.faults.rig import BreakableService
from simulator.history import ANSWERS, DOUBLED, FORK, LOST, MOVED, FinalStream, judge
from simulator.history_streams import final_streams
from simulator.notice_history import judge_notices

Where = Literal["one store", "cluster"]
ANYWHEN: Final = "anywhen"
PROGRESS_S: Final = 10.0
"""Within so many seconds of being started again, commands are to be acknowledged."""

KILLS: Final[Mapping[Where, int]] = {"one store": 60, "cluster": 40}
"""In a round."""

WEIGHTS: Final[Mapping[Where, Mapping[tuple[str, str], int]]] = {
    "one store": {
        ("API", points.BEFORE_APPEND): 4,
        ("API", points.AFTER_APPEND): 4,
        ("API", points.BEFORE_REPLY): 4,
        ("API", ANYWHEN): 1,
        ("worker 1", points.BEFORE_APPEND): 2,
        ("worker 1", points.AFTER_APPEND): 2,
        ("worker 1", ANYWHEN): 1,
        ("clock", points.BEFORE_ASKING): 1,
        ("clock", points.AFTER_ASKING): 1,
        ("clock", ANYWHEN): 1,
        ("store", ANYWHEN): 3,
    },
    "cluster": {
        ("API", points.BEFORE_APPEND): 2,
        ("API", points.AFTER_APPEND): 2,
        ("API", points.BEFORE_WAIT): 4,
        ("API", points.BEFORE_REPLY): 2,
        ("worker 1", points.BEFORE_APPEND): 1,
        ("worker 1", points.BEFORE_WAIT): 2,
        ("worker 1", points.AFTER_APPEND): 1,
        ("worker 1", ANYWHEN): 1,
        ("clock", points.AFTER_ASKING): 1,
        ("clock", ANYWHEN): 1,
        ("shipper", points.BEFORE_WRITING): 1,
        ("shipper", points.AFTER_WRITING): 1,
        ("primary", ANYWHEN): 4,
        ("replica", ANYWHEN): 2,
    },
}
"""What is killed where, and how often beside the others."""

IN_FLIGHT: Final = frozenset(
    {points.BEFORE_APPEND, points.AFTER_APPEND, points.BEFORE_WAIT, points.BEFORE_REPLY}
)
"""The points that only a command passes."""

_PLAYERS: Final = 4
_THINKS_S: Final = 0.15
_STARTED: Final = 4
_MORE: Final = 2
_BETWEEN_S: Final = 0.3
_DIES_S: Final = 60.0
_HOLD_S: Final = 8.0
_POLL_S: Final = 0.02
_AT_ONCE: Final = frozenset({LOST, MOVED, DOUBLED, ANSWERS, FORK})
"""What can be judged while players play on."""


class KillRound(Struct):
    """What a round came to.

    Args:
        where: on what.
        seed: what gives its kills again.
        kills: how often what was killed how, by ``part, how``.
        accepted: acknowledged commands by level.
        unknown: sendings without an answer.
        failovers: primaries whose replica took over.
        holds: how often the service told that it has lost something, and an operator decided.
        received: events that spectators received and found afterwards.
        kept_back: events that spectators received when the delay of their table had passed.
        opened: lines by which players received what not everybody may read.
        notices: what players were told over streams of all their games.
        told: entries of feeds of which a follower was told, and which are there.
        events: events in the store at the end.
        took_s: in how many seconds from when a part was back commands were acknowledged again, by
            what was killed how.
        gone_s: the same from when it was killed, failovers and starts included.
        slowest_s: the longest of the former times.
        late: how often that took longer than ``PROGRESS_S``.
        lates: each of these: after what, how long, and which part waited longest for a core then.
    """

    where: Where
    seed: int
    kills: dict[str, int] = {}
    accepted: dict[str, int] = {}
    unknown: int = 0
    failovers: int = 0
    holds: int = 0
    received: int = 0
    kept_back: int = 0
    opened: int = 0
    notices: int = 0
    told: int = 0
    events: int = 0
    took_s: dict[str, list[float]] = {}
    gone_s: dict[str, list[float]] = {}
    slowest_s: float = 0.0
    late: int = 0
    lates: list[str] = []

    @property
    def count(self) -> int:
        """How many kills there were."""
        return sum(self.kills.values())

    @property
    def in_flight(self) -> int:
        """How many of them at a point that only a command passes."""
        return sum(n for kind, n in self.kills.items() if kind.partition(", ")[2] in IN_FLIGHT)


class _Round:
    """A round that is under way."""

    def __init__(self, rig: ServiceParts, where: Where, seed: int) -> None:
        self.rig = rig
        self.found = KillRound(where, seed)
        self.chance = random.Random(seed)  # noqa: S311 (a seed that can be given again)
        self.received = ReceivedStreams()
        self.load = PlayingLoad(
            rig.url,
            rig.settings.key_ring(),
            seed,
            _PLAYERS,
            thinks_s=_THINKS_S,
            received=self.received,
            settings=rig.settings,
        )

    def run(self, kills: Sequence[tuple[str, str]]) -> KillRound:
        """Kill, and judge.

        Raises:
            FaultDamage: something does not hold.
        """
        load = self.load
        load.start()
        try:
            wait_for("the players play", lambda: len(load.acks) > _STARTED)
            for part, how in kills:
                time.sleep(self.chance.random() * _BETWEEN_S)
                name, died = self._kill(part, how)
                self._progress(name, died, time.monotonic())
        finally:
            load.stop()
        if load.odd:
            raise FaultDamage(f"players met what they could not make sense of: {load.odd}")
        self.found.events = all_holds(self.rig, load.acks, load.history)
        self._look_for_received()
        self.found.told = told_as_promised(self.rig.settings, load.history)
        self._count()
        return self.found

    def _kill(self, part: str, how: str) -> tuple[str, float]:
        """Kill a part and start it again; what was killed how, in words, and when."""
        rig, died = self.rig, time.monotonic()
        name = f"{part.rstrip(' 1')}, {how}"
        if isinstance(rig, BreakableCluster) and part in {"primary", "replica"}:
            self._kill_node(rig, "master" if part == "primary" else "slave")
        elif how == ANYWHEN:
            rig.kill(part)
            rig.start(part)
        else:
            trigger = rig.triggers[part]
            trigger.arm(how)
            try:
                _wait(f"{part} dies {how}", lambda: rig.exit_code(part) is not None, _DIES_S)
            finally:
                trigger.disarm()
            died = time.monotonic()
            if (code := rig.exit_code(part)) != -signal.SIGKILL:
                raise FaultDamage(f"{part} ended with {code} where it was to be killed")
            rig.bury(part)
            rig.start(part)
        self.found.kills[name] = self.found.kills.get(name, 0) + 1
        return name, died

    def _kill_node(self, rig: BreakableCluster, role: str) -> None:
        """Kill a node of a cluster, and start it again once another is in its place."""
        node = self.chance.choice(rig.of_role(role))
        told = len(self.load.history.attempts)
        rig.kill_node(node)
        rig.bring_back(node)
        if role == "master":
            self.found.failovers += 1
            self._acknowledged_is_there(told)

    def _acknowledged_is_there(self, told: int) -> None:
        """After a failover: what had been acknowledged is where its receipts say."""
        history = self.load.history
        before = type(history)(history.attempts[:told], [])
        known = {each.command_id for each in before.attempts}
        after = [each for each in history.attempts[told:] if each.command_id in known]
        ends = self._ends({each.stream for each in before.attempts if each.stream})
        found = judge(type(history)([*before.attempts, *after], []), ends)
        if lines := [each.line() for each in found if each.check in _AT_ONCE]:
            raise FaultDamage("\n".join(["after a failover:", *lines]))

    def _ends(self, games: set[str]) -> list[FinalStream]:
        return asyncio.run(final_streams(self.rig.settings, games))

    def _look_for_received(self) -> None:
        received = self.received
        afterwards = read_afterwards(self.rig.url, received, self._ends)
        logs = {each.game: each.public for each in afterwards}
        for end in self._ends(received.told_of - received.games):
            logs[end.stream] = [entry.public for entry in end.entries]
        found = judge_deliveries(received.connections, afterwards)
        found += judge_notices(received.own, logs)
        if found:
            raise FaultDamage("\n".join(each.line() for each in found))
        self.found.received = received.events
        self.found.kept_back = kept_back(received.connections, afterwards)
        self.found.opened = received.opened
        self.found.notices = received.notices

    def _progress(self, name: str, died: float, began: float) -> None:
        """Wait until commands are acknowledged again, or the service tells of a loss."""
        more, waits = len(self.load.acks) + _MORE, self.rig.waited_s()
        hold = began + _HOLD_S
        while len(self.load.acks) < more:
            if time.monotonic() > hold and self._is_held():
                self._accept()
                began = time.monotonic()
                hold = began + _HOLD_S
            if time.monotonic() > began + 6 * PROGRESS_S:
                raise FaultDamage(f"after {name}: nothing is acknowledged any more")
            self.rig.revive()
            time.sleep(_POLL_S)
        took, gone = time.monotonic() - began, time.monotonic() - died
        self.found.took_s.setdefault(name, []).append(round(took, 2))
        self.found.gone_s.setdefault(name, []).append(round(gone, 2))
        self.found.slowest_s = max(self.found.slowest_s, round(took, 2))
        if took > PROGRESS_S:
            self.found.late += 1
            late = late_line(name, took, waits, self.rig.waited_s(), os.nice(0))
            self.found.lates.append(late)
        goes_on(self.rig)

    def _is_held(self) -> bool:
        """Whether the service says itself that its store has lost something."""
        answer = self.rig.http.get("/health/writable")
        return '"known":false' in answer.text.replace(" ", "")

    def _accept(self) -> None:
        """Decide as an operator does: with what the journal has."""
        done = asyncio.run(accept(self.rig.settings, Reason.TAIL_LOST, "the run of kills"))
        self.found.holds += 1
        print(f"  held: {len(done.held)} games, {done.put_back} batches put back", flush=True)

    def _count(self) -> None:
        attempts = self.load.history.attempts
        accepted = Counter(each.level for each in attempts if each.outcome == "accepted")
        self.found.accepted = {str(level): times for level, times in accepted.items()}
        self.found.unknown = sum(each.outcome == "unknown" for each in attempts)


def late_line(
    name: str, took_s: float, before: Mapping[str, float], after: Mapping[str, float], niceness: int
) -> str:
    """What is told of commands that were acknowledged late: which part had no core, how long.

    A round that gives way to all others measures them and not the service, so that is told too.
    """
    waits = {part: waited - before.get(part, 0.0) for part, waited in after.items()}
    part = max(waits, key=waits.__getitem__, default="")
    gave_way = f", at niceness {niceness}" if niceness else ""
    return (
        f"after {name}: {took_s:.1f} s, of which the {part} waited {waits.get(part, 0):.1f} s"
        f" for a core{gave_way}"
    )


def _wait(what: str, holds: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise FaultDamage(f"{what}: not within {seconds:g} s")
        time.sleep(_POLL_S)


def kills_of(where: Where, seed: int, count: int) -> list[tuple[str, str]]:
    """What a round kills, in order: the part, and how."""
    chance = random.Random(f"kills/{seed}")  # noqa: S311 (a seed that can be given again)
    weights = WEIGHTS[where]
    return chance.choices(list(weights), list(weights.values()), k=count)


def kill_round(where: Where, seed: int, count: int = 0) -> KillRound:
    """One round; ``count`` kills, or as many as is usual.

    Raises:
        FaultDamage: something does not hold; the message says what, and what the parts logged.
        ChildError, StoreError: a part does not start at all, before anything is killed.
    """
    kills = kills_of(where, seed, count or KILLS[where])
    with folder_on_disk() as home:
        rig: ServiceParts
        if where == "cluster":
            rig = BreakableCluster(home)
        else:
            rig = BreakableService(home, mounts=False, programs=ONE_WORKER, child=ForkedPart)
        with rig:
            try:
                return _Round(rig, where, seed).run(kills)
            except (FaultDamage, ChildError, redis.RedisError) as error:
                raise FaultDamage(f"{error}\n{rig.logs()}") from error
