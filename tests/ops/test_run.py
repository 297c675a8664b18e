"""The supervisor, as it is run: everything starts, and everything ends, however it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import httpx
import pytest

from ops.run import READY
from tests.prefork import Prefork

ROOT = Path(__file__).parents[2]
LONG = 60.0
RUN = ("-m", "ops.run")
HASTY = """
import os, sys
from ops.restarts import Restarts
from ops.run import LocalService, read_arguments
from runtime.logs import set_up_logs

set_up_logs("supervisor")
quick = Restarts(limit=2, first_s=0.05, longest_s=0.05)
sys.exit(LocalService(read_arguments(sys.argv[1:], os.environ), os.environ, quick).run())
"""
"""A supervisor that loses its patience soon."""

pytestmark = [pytest.mark.slow, pytest.mark.system]


def until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet buried does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}


def forked(pid: int) -> bool:
    """Whether a process was forked from one that had imported everything."""
    return b"simulator.prefork" in Path(f"/proc/{pid}/cmdline").read_bytes()


def children(pid: int) -> list[int]:
    """The processes that ``pid`` has started, and theirs."""
    own = [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return own + [grandchild for child in own for grandchild in children(child)]


class House:
    """One run of the supervisor on a folder."""

    def __init__(self, var: Path, *arguments: str, program: tuple[str, ...] = RUN) -> None:
        self.log: IO[str] = (var.parent / "log").open("a+")
        start = Prefork if program == RUN else subprocess.Popen
        self.process = start(
            [sys.executable, *program, "--port", "0", "--var", str(var), *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if line.strip() == READY:
                break
        else:
            why = self.logs()
            self.close()
            raise AssertionError(f"it did not start: {why}")
        self.parts = children(self.process.pid)

    @property
    def url(self) -> str:
        found = re.search(r"http://\S+/v1", self.said)
        assert found
        return found[0]

    def logs(self) -> str:
        # By a file of our own: the parts share the place in theirs, and move it while we read.
        return Path(self.log.name).read_text()

    def pids(self) -> dict[str, int]:
        """The parts that run, by their names, as the log tells of them."""
        logs = self.logs()
        started = re.findall(r'"pids":({[^}]*})', logs)[-1]  # of the last run in this folder
        logs = logs[logs.rindex(started) :]
        again = re.findall(r'{[^{}]*"event":"part_started"[^{}]*}', logs)
        found = [json.loads(line) for line in again]
        pids: dict[str, int] = json.loads(started)
        return pids | {each["part"]: each["pid"] for each in found}

    def kill(self, part: str) -> None:
        """SIGKILL to a part, and wait until it has been started again."""
        before = self.pids()[part]
        os.kill(before, signal.SIGKILL)
        until(lambda: self.pids()[part] != before, f"the {part} is not started again")
        self.parts.append(self.pids()[part])

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(LONG)

    def close(self) -> None:
        """Kill what still runs, and let go of what belongs to it."""
        self.process.kill()
        self.process.wait()
        self.log.close()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def require_nothing_left(self) -> None:
        until(lambda: not any(alive(pid) for pid in self.parts), "a part lives on")


@pytest.fixture
def houses(home: Path) -> Iterator[Callable[..., House]]:
    """Starts supervisors; whatever is left of them in the end is killed."""
    started: list[House] = []

    def start(*arguments: str, program: tuple[str, ...] = RUN) -> House:
        house = House(home / "var", *arguments, program=program)
        started.append(house)
        return house

    yield start
    for house in started:
        house.close()
        for pid in house.parts:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)


def test_it_ends_cleanly_and_the_next_run_finds_all_games_again(
    houses: Callable[..., House], home: Path
) -> None:
    first = houses()
    assert set(first.pids().values()) <= set(first.parts)
    assert len(first.pids()) == 5
    assert {part for part, pid in first.pids().items() if not forked(pid)} == {"store"}
    assert httpx.get(first.url.replace("/v1", "/health/ready")).json()["ready"]
    found = re.search(r"/watch/(g\S+)", first.said)
    assert found
    assert "<main" in httpx.get(first.url.replace("/v1", f"/watch/{found[1]}")).text
    game = found[1]
    events = f"/games/{game}/events?limit=1000"
    before = httpx.get(f"{first.url}{events}&after=5&wait=20", timeout=LONG).json()["events"]
    assert before
    assert first.end(signal.SIGINT) == 0
    first.require_nothing_left()
    order = re.findall(r'"part":"([^"]+)"', first.logs())
    assert order == ["API", "worker 2", "worker 1", "clock", "store"]
    assert "Traceback" not in first.logs()
    assert oct((home / "var" / "secrets.json").stat().st_mode)[-3:] == "600"

    second = houses()
    assert f"/watch/{game}" in second.said  # the same table goes on
    after = httpx.get(f"{second.url}{events}&after=5").json()["events"]
    assert after[: len(before)] == before
    assert second.end(signal.SIGTERM) == 0
    second.require_nothing_left()


def newest(house: House, game: str, after: int) -> int:
    """The newest version of a game, as soon as it is beyond ``after``."""
    found: list[int] = []

    def moved() -> bool:
        try:
            answer = http.get(f"{house.url}/games/{game}/events?limit=1000")
        except httpx.TransportError:
            return False
        found[:] = [event["v"] for event in answer.json().get("events", [])][-1:]
        return bool(found) and found[0] > after

    with httpx.Client(timeout=LONG) as http:  # one for all: to make one takes 20 ms
        until(moved, f"the game stands still at {after}")
    return found[0]


def require_an_end_by_an_altered_store(house: House, var: Path) -> None:
    """Alter what the store has kept while it is down: the whole ends, in order."""
    before = house.logs()
    file = max((var / "store" / "appendonlydir").glob("*.incr.aof"))
    content = file.read_bytes()
    file.write_bytes(content.replace(b"HSET", b"HSEX", 1))
    os.kill(house.pids()["store"], signal.SIGKILL)
    assert house.process.wait(LONG) == 1
    assert "parlour: the store was not started: " in house.logs()
    assert "was altered or damaged" in house.logs()
    assert all(line.startswith(("{", "parlour: ")) for line in house.logs().splitlines())
    order = re.findall(r'"part":"([^"]+)","code":', house.logs().removeprefix(before))
    # A part may have ended for want of a store, and not have been started again by then.
    assert order == [part for part in ("API", "worker 2", "worker 1", "clock") if part in order]
    house.require_nothing_left()


def test_whichever_part_is_killed_the_game_goes_on(
    houses: Callable[..., House], home: Path
) -> None:
    """Until it is the store, and its file is another when it starts again."""
    house = houses()
    match = re.search(r"/watch/(g\S+)", house.said)
    assert match
    version = newest(house, match[1], 0)
    for part in ("store", "API", "clock", "worker 1", "worker 2"):
        house.kill(part)
        version = newest(house, match[1], version)
    assert len(set(house.pids().values())) == 5
    assert all(alive(pid) for pid in house.pids().values())
    require_an_end_by_an_altered_store(house, home / "var")


# By day test_supervisor counts the deaths, and the test above kills every part once.
@pytest.mark.nightly
@pytest.mark.parametrize("part", ["clock", "store"])
def test_a_part_that_always_dies_ends_the_whole(houses: Callable[..., House], part: str) -> None:
    house = houses("--no-demo", program=("-c", HASTY))
    for _ in range(2):
        house.kill(part)
    os.kill(house.pids()[part], signal.SIGKILL)
    assert house.process.wait(LONG) == 1
    last = house.logs().splitlines()
    assert f"parlour: the {part} was ended by SIGKILL, 3 times within 300 s" in last
    assert '"event":"part_given_up"' in house.logs()
    house.require_nothing_left()


def refused(*arguments: str) -> str:
    """What a supervisor says that cannot start."""
    start = [sys.executable, "-m", "ops.run", *arguments]
    pipe = subprocess.PIPE
    with Prefork(start, cwd=ROOT, stdout=pipe, stderr=pipe, text=True) as process:
        said: str = process.communicate(timeout=LONG)[1]
    assert process.returncode == 1
    assert "Traceback" not in said
    return said


def test_neither_its_folder_nor_its_port_can_be_taken_and_kill_9_leaves_no_orphan(
    houses: Callable[..., House], home: Path
) -> None:
    """Two subjects, and a service for both."""
    house = houses("--no-demo")
    said = refused("--port", "0", "--var", str(home / "var"))
    assert "another store is serving" in said
    port = house.url.split(":")[2].removesuffix("/v1")
    said = refused("--port", port, "--var", str(home / "other"))
    assert "the API did not start" in said
    assert httpx.get(house.url.replace("/v1", "/health/ready")).is_success

    assert all(alive(pid) for pid in house.parts)
    assert house.end(signal.SIGKILL) == -signal.SIGKILL
    house.require_nothing_left()
