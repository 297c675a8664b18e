"""Parts that die are started again, in order and not for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from ops.restarts import Restarts
from ops.supervisor import SIGNALS, GivenUpError, Supervisor
from runtime.embedded.children import ChildError
from runtime.embedded.store import StartInterruptedError, StoreDamagedError, StoreError

QUICK = Restarts(limit=3, window_s=60, first_s=0.001, longest_s=0.002)


@pytest.fixture(autouse=True)
def blocked() -> Iterator[None]:
    """Signals wait, as they do in a supervisor."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    yield
    while signal.sigtimedwait(SIGNALS, 0) is not None:
        pass
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Toy:
    """A part that is dead already, with a code, or runs."""

    def __init__(self, code: int | None = None) -> None:
        self.pid = 1
        self.code = code
        self.stopped = False

    def exit_code(self) -> int | None:
        return self.code

    def stop(self) -> int | None:
        self.stopped = True
        return self.code


def end() -> None:
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)


class Lives:
    """Starts toys that die with one code after another; the last one lives and ends the test."""

    def __init__(self, story: list[str], name: str, *codes: int | Exception) -> None:
        self.story = story
        self.name = name
        self.codes = list(codes)
        self.last = end

    def __call__(self) -> Toy:
        self.story.append(self.name)
        if not self.codes:
            self.last()
            return Toy()
        code = self.codes.pop(0)
        if isinstance(code, Exception):
            raise code
        signal.pthread_kill(
            threading.get_ident(), signal.SIGCHLD
        )  # as the system says it of a real process
        return Toy(code)


def test_what_dies_is_started_again(capsys: pytest.CaptureFixture[str]) -> None:
    story: list[str] = []
    supervisor = Supervisor(QUICK)
    supervisor.add("clock", Lives(story, "clock", 1, -signal.SIGKILL))
    supervisor.watch()
    assert story == ["clock"] * 3
    said = capsys.readouterr().out
    assert "part_ended" in said
    assert "SIGKILL" in said
    assert "part_started" in said
    supervisor.stop()


def test_what_always_dies_is_given_up(capsys: pytest.CaptureFixture[str]) -> None:
    story: list[str] = []
    supervisor = Supervisor(QUICK)
    supervisor.add("clock", Lives(story, "clock", *[7] * 20))
    with pytest.raises(GivenUpError, match="the clock ended with 7, 4 times within 60 s"):
        supervisor.watch()
    assert story == ["clock"] * (1 + QUICK.limit)
    assert "part_given_up" in capsys.readouterr().out


def test_without_a_limit_it_would_go_on() -> None:
    # The control: the limit is what ends the test above.
    story: list[str] = []
    supervisor = Supervisor(Restarts(limit=1000, first_s=0.0001, longest_s=0.0001))
    supervisor.add("clock", Lives(story, "clock", *[7] * 20))
    supervisor.watch()
    assert len(story) == 21


def test_wrong_settings_are_not_tried_twice() -> None:
    story: list[str] = []
    supervisor = Supervisor(QUICK)
    supervisor.add("API", Lives(story, "API", 2))
    with pytest.raises(GivenUpError, match="the API does not start with these settings"):
        supervisor.watch()
    assert story == ["API"]


def test_nothing_is_started_while_a_vital_part_is_down() -> None:
    story: list[str] = []
    supervisor = Supervisor(QUICK)
    store = Lives(story, "store", 1, StoreError("no"), ChildError("no"))
    clock = Lives(story, "clock", 1)
    store.last = lambda: None
    supervisor.add("store", store, vital=True)
    supervisor.add("clock", clock)
    supervisor.watch()
    assert story == ["store", "clock", "store", "store", "store", "clock"]


def test_a_part_that_is_not_vital_keeps_no_other_waiting() -> None:
    story: list[str] = []
    supervisor = Supervisor(Restarts(limit=3, first_s=0.001, longest_s=3600))
    slow = Restarts(limit=3, first_s=3600, longest_s=3600)
    clock = Lives(story, "clock", 1)
    supervisor.add("clock", clock)
    supervisor.add("API", Lives(story, "API", 1))
    supervisor._restarts = slow
    supervisor._bury(supervisor._parts[0])
    supervisor._restarts = QUICK
    supervisor.watch()
    assert story == ["clock", "API", "API"]


def test_a_damaged_store_is_not_tried_twice() -> None:
    story: list[str] = []
    supervisor = Supervisor(QUICK)
    supervisor.add("store", Lives(story, "store", 1, StoreDamagedError("altered")), vital=True)
    with pytest.raises(GivenUpError, match="altered"):
        supervisor.watch()


def test_a_signal_while_the_store_loads_ends_the_watch() -> None:
    story: list[str] = []
    supervisor = Supervisor(QUICK)

    def interrupted() -> Toy:
        story.append("store")
        if len(story) == 1:
            signal.pthread_kill(threading.get_ident(), signal.SIGCHLD)
            return Toy(1)
        end()
        raise StartInterruptedError

    supervisor.add("store", interrupted, vital=True)
    supervisor.watch()
    assert story == ["store", "store"]


def test_parts_are_stopped_in_the_opposite_order() -> None:
    story: list[str] = []

    def part(name: str) -> Callable[[], Toy]:
        toy = Toy()
        toy.stop = lambda: story.append(name)  # type: ignore[method-assign]
        return lambda: toy

    supervisor = Supervisor(QUICK)
    for name in ("store", "clock", "API"):
        supervisor.add(name, part(name))
    assert supervisor.pids() == {"store": 1, "clock": 1, "API": 1}
    supervisor.stop()
    supervisor.stop()
    assert story == ["API", "clock", "store"]


def test_what_does_not_start_at_first_is_told_at_once() -> None:
    supervisor = Supervisor(QUICK)
    with pytest.raises(ChildError):
        supervisor.add("API", Lives([], "API", ChildError("no")))
    supervisor.stop()
