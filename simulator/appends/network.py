"""What lies between a process and its store: packets that are late, lost, doubled or redirected.

``SimulatedClient`` is what ``events`` takes for a client of redis-py: the log, its callers and the
wait for replicas run as they are, down to the words that they send.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final, Self

import hiredis
from msgspec import Struct
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import MovedError, ResponseError
from redis.exceptions import TimeoutError as NoAnswerInTime

from simulator.appends.machines import Machine, StorePair, uniform
from simulator.appends.model import words_of

PATIENCE_S: Final = 5.0
"""How long a client waits for an answer."""

_TRIP_S: Final = (0.0002, 0.002)
_SLOW_TRIP_S: Final = (0.05, 2.5)
_DOUBLED_S: Final = (0.001, 4.0)
_REDIRECTIONS: Final = 5

Words = list[bytes]


class PacketLoss(Struct):
    """What the network does to packets: each a share of them, 0 to 1."""

    loses_requests: float = 0.0
    loses_answers: float = 0.0
    doubles: float = 0.0
    delays: float = 0.0


class Delivered(Struct, frozen=True):
    """Answers, and where the machine's log then ended, in which of its lives."""

    answers: list[Any]
    offset: int
    life: int


class SimulatedProcess(Struct):
    """What the network knows of a process: till when it stands still, what it is alone with."""

    name: str
    paused_until: float = 0.0
    cut_off_with: Machine | None = None


class Network:
    """Carries calls to machines, and their answers back.

    Args:
        pair: the machines.
        chance: decides what happens to each packet.
        counts: how often what happened.
    """

    def __init__(self, pair: StorePair, chance: random.Random, counts: Counter[str]) -> None:
        self.pair = pair
        self.packet_loss = PacketLoss()
        self._chance = chance
        self._counts = counts

    def send(
        self, process: SimulatedProcess, machine: Machine, calls: Sequence[Words]
    ) -> asyncio.Future[Delivered]:
        """Send calls in one packet; their answers, each of which may be a refusal."""
        reply: asyncio.Future[Delivered] = asyncio.get_running_loop().create_future()
        if not self._reaches(process, machine):
            self._fail_later(reply, "no route")
            return reply
        if self._happens(self.packet_loss.doubles):
            self._counts["request doubled"] += 1
            late = self._trip(process) + uniform(self._chance, _DOUBLED_S)
            self._later(late, self._arrive_again(machine, calls))
        if self._happens(self.packet_loss.loses_requests):
            self._counts["request lost"] += 1
            self._fail_later(reply, "the request was lost")
            return reply
        self._later(self._trip(process), lambda: self._arrive(process, machine, calls, reply))
        return reply

    def _arrive_again(self, machine: Machine, calls: Sequence[Words]) -> Callable[[], None]:
        def arrive() -> None:
            if machine.is_up:
                self._answers(machine, calls)

        return arrive

    def _arrive(
        self,
        process: SimulatedProcess,
        machine: Machine,
        calls: Sequence[Words],
        reply: asyncio.Future[Delivered],
    ) -> None:
        now = asyncio.get_running_loop().time()
        if not machine.is_up:
            self._fail_later(reply, "nobody listens")
            return
        if machine.paused_until > now:
            again = machine.paused_until - now
            self._later(again, lambda: self._arrive(process, machine, calls, reply))
            return
        answers = self._answers(machine, calls)
        found = Delivered(answers, len(machine.log), machine.life)
        if self._happens(self.packet_loss.loses_answers):
            self._counts["answer lost"] += 1
            self._fail_later(reply, "the answer was lost")
            return

        def hand_over() -> None:
            if not reply.done():
                reply.set_result(found)

        self._later(self._trip(process), hand_over)

    def _answers(self, machine: Machine, calls: Sequence[Words]) -> list[Any]:
        """The answers to calls, one after another and nothing in between."""
        answers: list[Any] = []
        for words in calls:
            try:
                answer = self._answer(machine, words)
            except ResponseError as refusal:
                answers.append(refusal)
                continue
            answers.append(answer)
            if words[0] == b"EVALSHA" and isinstance(answer, list):
                self._counts[f"answered {answer[0].decode()}"] += 1
        return answers

    def _answer(self, machine: Machine, words: Words) -> Any:  # noqa: ANN401 (whatever the store answers)
        if machine is not self.pair.primary and not self.pair.is_split:
            self._counts["redirected"] += 1
            raise MovedError("0 127.0.0.1:1")
        return self.pair.execute(machine, words)

    async def replicas_with(
        self, process: SimulatedProcess, machine: Machine, written: Delivered, wait_s: float
    ) -> int:
        """As ``StorePair.replicas_with``, asked by a process.

        Raises:
            LostConnection: the machine is gone.
        """
        await asyncio.sleep(self._trip(process))
        if machine.life != written.life or not self._reaches(process, machine):
            raise LostConnection("nobody listens")
        found = await self.pair.replicas_with(machine, written.offset, wait_s)
        await asyncio.sleep(self._trip(process))
        return found

    def _reaches(self, process: SimulatedProcess, machine: Machine) -> bool:
        """Whether there is a way from a process to a machine."""
        if not self.pair.is_split:
            return True
        return (process.cut_off_with is machine) == (machine is not self.pair.primary)

    def _trip(self, process: SimulatedProcess) -> float:
        """How long a packet is on its way."""
        slow = self._happens(self.packet_loss.delays)
        self._counts["packet delayed"] += slow
        pause = max(0.0, process.paused_until - asyncio.get_running_loop().time())
        return pause + uniform(self._chance, _SLOW_TRIP_S if slow else _TRIP_S)

    def _happens(self, share: float) -> bool:
        return share > 0 and self._chance.random() < share

    def _later(self, delay: float, call: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(delay, call)

    def _fail_later(self, reply: asyncio.Future[Delivered], why: str) -> None:
        """End a connection: at once, or only when patience ends."""
        if self._chance.random() < 0.3:  # noqa: PLR2004 (nothing comes at all)
            return

        def fail() -> None:
            if not reply.done():
                reply.set_exception(LostConnection(why))

        self._later(uniform(self._chance, _TRIP_S), fail)


class SimulatedClient:
    """Stands for redis-py's client of a cluster, and for the node that it talks to.

    Args:
        network: carries what is sent.
        process: who sends.
    """

    def __init__(self, network: Network, process: SimulatedProcess) -> None:
        self._network = network
        self._process = process
        self._view = network.pair.primary

    async def initialize(self) -> None:
        """Nothing has to be found out."""

    async def execute_command(self, *words: bytes | str | int) -> Any:  # noqa: ANN401 (as redis-py has it)
        """The answer to one command; redirections are followed.

        Raises:
            RedisError: the store refuses it, or does not answer.
        """
        for _ in range(_REDIRECTIONS):
            (answer,) = await self.exchange([words_of(words)])
            if isinstance(answer, MovedError):
                self.look_anew()
                continue
            if isinstance(answer, Exception):
                raise answer
            return answer
        raise LostConnection("redirected too often")

    async def exchange(self, calls: Sequence[Words]) -> list[Any]:
        """The answers to some calls.

        Raises:
            RedisError: none came.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                return (await self._network.send(self._process, self._view, calls)).answers
        except TimeoutError:
            self.look_anew()
            raise NoAnswerInTime("no answer in time") from None
        except LostConnection:
            self.look_anew()
            raise

    def look_anew(self) -> None:
        """Find out who the primary is, as far as one can from here."""
        cut_off = self._process.cut_off_with
        self._view = self._network.pair.primary if cut_off is None else cut_off

    async def time(self) -> tuple[int, int]:
        """What the store's clock says: seconds, microseconds."""
        seconds, micros = await self.execute_command("TIME")
        return seconds, micros

    def pipeline(self, *, transaction: bool) -> SimulatedPipeline:
        """Several reads in one packet."""
        assert not transaction, "the log needs none"
        return SimulatedPipeline(self)

    def get_node_from_key(self, key: str) -> SimulatedClient:
        """The node that has a key: there is one."""
        del key
        return self

    def acquire_connection(self) -> SimulatedConnection:
        """A connection to the machine that this client takes for the primary."""
        return SimulatedConnection(self._network, self._process, self._view)

    async def disconnect_if_needed(self, connection: SimulatedConnection) -> None:
        """No connection is out of date."""

    def release(self, connection: SimulatedConnection) -> None:
        """Connections are not used again."""


class SimulatedPipeline:
    """Reads that go together."""

    def __init__(self, client: SimulatedClient) -> None:
        self._client = client
        self._calls: list[Words] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._calls.clear()

    def hgetall(self, key: str) -> None:
        """All fields of a hash."""
        self._calls.append(words_of(["HGETALL", key]))

    def hmget(self, key: str, *fields: str) -> None:
        """Some fields of a hash."""
        self._calls.append(words_of(["HMGET", key, *fields]))

    def xrange(self, key: str, first: str, last: str) -> None:
        """Some entries of a stream."""
        self._calls.append(words_of(["XRANGE", key, first, last]))

    async def execute(self, *, raise_on_error: bool) -> list[Any]:
        """The answers; fields as mappings, as redis-py makes them."""
        assert not raise_on_error, "who asks looks itself"
        answers = await self._client.exchange(self._calls)
        for place, words in enumerate(self._calls):
            if words[0] == b"XRANGE" and isinstance(answers[place], list):
                answers[place] = [
                    (number, dict(zip(fields[::2], fields[1::2], strict=True)))
                    for number, fields in answers[place]
                ]
            if isinstance(answers[place], MovedError):
                self._client.look_anew()
        return answers


class SimulatedConnection:
    """A connection to one machine: what is sent over it is answered in order."""

    socket_timeout: Final = PATIENCE_S

    def __init__(self, network: Network, process: SimulatedProcess, machine: Machine) -> None:
        self._network = network
        self._process = process
        self._machine = machine
        self._reply: asyncio.Future[Delivered] | None = None
        self._written: Delivered | None = None
        self._wait: tuple[int, float] | None = None

    async def send_packed_command(self, command: bytes) -> None:
        """Send calls as they go over the wire."""
        reader = hiredis.Reader()
        reader.feed(command)
        self._reply = self._network.send(self._process, self._machine, [reader.gets()])

    async def send_command(self, *words: bytes | str | int) -> None:
        """Ask for replicas: ``WAITAOF``, its two numbers, and ms."""
        name, _, replicas, wait_ms = words
        assert name == "WAITAOF", "nothing else is sent so"
        self._wait = int(replicas), int(wait_ms) / 1000

    async def read_response(self, *, timeout: float) -> Any:  # noqa: ANN401, ASYNC109 (as redis-py has it)
        """The next answer.

        Raises:
            ResponseError: the store refuses.
            LostConnection: the connection has ended.
        """
        del timeout
        if self._wait is not None:
            (_, wait_s), self._wait = self._wait, None
            assert self._written is not None, "something was written"
            ask = self._network.replicas_with
            return [1, await ask(self._process, self._machine, self._written, wait_s)]
        assert self._reply is not None, "something was sent"
        self._written = await self._reply
        (answer,) = self._written.answers
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def disconnect(self, *, nowait: bool) -> None:
        """End it; what is on its way still arrives."""
        del nowait
