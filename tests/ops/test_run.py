"""The supervisor, as it is run: everything starts, and everything ends, however it ends."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import httpx
import pytest

from ops.run import READY

ROOT = Path(__file__).parents[2]
LONG = 60.0

pytestmark = pytest.mark.slow


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


def children(pid: int) -> list[int]:
    """The processes that ``pid`` has started, and theirs."""
    own = [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return own + [grandchild for child in own for grandchild in children(child)]


class House:
    """One run of the supervisor on a folder."""

    def __init__(self, var: Path, *arguments: str) -> None:
        self.log: IO[str] = (var.parent / "log").open("a+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ops.run", "--port", "0", "--var", str(var), *arguments],
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
            raise AssertionError(f"it did not start: {self.logs()}")
        self.parts = children(self.process.pid)

    @property
    def url(self) -> str:
        found = re.search(r"http://\S+/v1", self.said)
        assert found
        return found[0]

    def logs(self) -> str:
        self.log.flush()
        self.log.seek(0)
        return self.log.read()

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(LONG)

    def require_nothing_left(self) -> None:
        until(lambda: not any(alive(pid) for pid in self.parts), "a part lives on")


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder with a short name: a unix socket will lie in it."""
    folder = Path(tempfile.mkdtemp(prefix="r25-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def houses(home: Path) -> Iterator[Callable[..., House]]:
    """Starts supervisors; whatever is left of them in the end is killed."""
    started: list[House] = []

    def start(*arguments: str) -> House:
        house = House(home / "var", *arguments)
        started.append(house)
        return house

    yield start
    for house in started:
        if house.process.poll() is None:
            house.process.kill()
            house.process.wait()
        for pid in house.parts:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
        house.log.close()
        assert house.process.stdout is not None
        house.process.stdout.close()


def test_it_ends_cleanly_and_the_next_run_finds_all_games_again(
    houses: Callable[..., House], home: Path
) -> None:
    first = houses()
    assert len(first.parts) == 5
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


def test_kill_9_of_the_supervisor_leaves_no_orphan(houses: Callable[..., House]) -> None:
    house = houses("--no-demo")
    assert all(alive(pid) for pid in house.parts)
    assert house.end(signal.SIGKILL) == -signal.SIGKILL
    house.require_nothing_left()


@pytest.mark.parametrize("part", ["clock", "store"])
def test_when_a_part_ends_by_itself_all_end(houses: Callable[..., House], part: str) -> None:
    house = houses("--no-demo")
    named = {name: int(pid) for name, pid in re.findall(r'"([A-Za-z 0-9]+)":(\d+)', house.logs())}
    [store] = set(house.parts) - set(named.values())
    os.kill({**named, "store": store}[part], signal.SIGKILL)
    assert house.process.wait(LONG) == 1
    assert f"ended by itself: {part}" in house.logs()
    house.require_nothing_left()


def refused(*arguments: str) -> str:
    """What a supervisor says that cannot start."""
    done = subprocess.run(
        [sys.executable, "-m", "ops.run", *arguments],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_neither_its_folder_nor_its_port_can_be_taken(
    houses: Callable[..., House], home: Path
) -> None:
    house = houses("--no-demo")
    said = refused("--port", "0", "--var", str(home / "var"))
    assert "another store is serving" in said
    port = house.url.split(":")[2].removesuffix("/v1")
    said = refused("--port", port, "--var", str(home / "other"))
    assert "the API did not start" in said
    assert httpx.get(house.url.replace("/v1", "/health/ready")).is_success
    assert house.end(signal.SIGTERM) == 0
