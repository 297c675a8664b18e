"""Keeps parts running: one that dies is restarted after a pause, a limited number of times.

Parts are started in the order in which they are added and stopped in the opposite one. While a
vital part is down no later part is started: nothing works without the store. Linux only, and only
in the main thread with ``SIGNALS`` blocked.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from typing import Final, Protocol

from events.logger import get_logger
from ops.restarts import USUAL, Restarts
from runtime.embedded.children import ChildError
from runtime.embedded.store import StartInterruptedError, StoreDamagedError, StoreError

SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGCHLD})

SECOND: Final = 1.0

WRONG_SETTINGS: Final = 2
"""The exit code of a part that can never start with its settings."""

_log = get_logger(__name__)


class GivenUpError(RuntimeError):
    """A part keeps dying. The message is a sentence."""


class Part(Protocol):
    """A process that can be watched."""

    @property
    def pid(self) -> int:
        """Its process id."""

    def exit_code(self) -> int | None:
        """None while it runs."""

    def stop(self) -> int | None:
        """Stop it if it still runs, and clean up; returns its exit code."""


class _Watched:
    """A part: its name, how it is started, and its state."""

    def __init__(self, name: str, start: Callable[[], Part], *, vital: bool) -> None:
        self.name = name
        self.vital = vital
        self.start = start
        self.part: Part | None = None
        self.deaths: list[float] = []
        self.due = 0.0


class Supervisor:
    """Watches parts.

    Args:
        restarts: how often a part may die.
        clock: seconds that never jump.

    Attributes:
        each_second: called about once a second while nothing happens; must be quick.
    """

    def __init__(
        self, restarts: Restarts = USUAL, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.each_second: Callable[[], None] | None = None
        self._restarts = restarts
        self._clock = clock
        self._parts: list[_Watched] = []

    def add(self, name: str, start: Callable[[], Part], *, vital: bool = False) -> None:
        """Start a part, and restart it by the same function whenever it dies.

        Raises:
            StoreError, ChildError: it does not start at all.
        """
        watched = _Watched(name, start, vital=vital)
        self._parts.append(watched)
        watched.part = start()

    def pids(self) -> dict[str, int]:
        """The process ids of the running parts."""
        return {each.name: each.part.pid for each in self._parts if each.part is not None}

    def watch(self) -> None:
        """Keep all parts running until SIGINT or SIGTERM.

        Raises:
            GivenUpError: a part has died too often, or cannot be restarted.
        """
        while True:
            for each in self._parts:
                self._bury(each)
            self._start_due()
            if self.each_second is not None:
                self.each_second()
            if self._wait() in {signal.SIGINT, signal.SIGTERM}:
                return

    def stop(self) -> None:
        """Stop all parts, the last one first."""
        for each in reversed(self._parts):
            if each.part is not None:
                code = each.part.stop()
                _log.info("stopped", part=each.name, code=code)
                each.part = None

    def _bury(self, dead: _Watched) -> None:
        """Note that a part has died, if it has."""
        if dead.part is None or (code := dead.part.exit_code()) is None:
            return
        dead.part.stop()
        dead.part = None
        if code == WRONG_SETTINGS:
            raise GivenUpError(f"the {dead.name} does not start with these settings")
        how = f"ended with {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"
        self._note_death(dead, how)

    def _note_death(self, dead: _Watched, how: str) -> None:
        """Plan the next start, or give up."""
        now = self._clock()
        dead.deaths = self._restarts.recent([*dead.deaths, now])
        pause = self._restarts.pause_s(dead.deaths)
        if pause is None:
            _log.error("part_given_up", part=dead.name, how=how, times=len(dead.deaths))
            window = f"{self._restarts.window_s:g} s"
            raise GivenUpError(f"the {dead.name} {how}, {len(dead.deaths)} times within {window}")
        _log.warning("part_ended", part=dead.name, how=how, pause_s=pause)
        dead.due = now + pause

    def _awaited(self) -> list[_Watched]:
        """The parts that are down and wait only for their pause to end."""
        down = [each for each in self._parts if each.part is None]
        vital = [each for each in down if each.vital]
        return vital[:1] or down

    def _start_due(self) -> None:
        """Start the parts that are due; once a vital part is back, those that waited for it."""
        while due := [each for each in self._awaited() if each.due <= self._clock()]:
            for each in due:
                if not self._start_again(each):
                    return

    def _start_again(self, dead: _Watched) -> bool:
        """Restart a part that has died; returns whether it has started."""
        try:
            dead.part = dead.start()
        except StoreDamagedError as error:
            raise GivenUpError(str(error)) from error
        except StartInterruptedError:
            return False  # the signal is still pending for the next wait
        except (StoreError, ChildError, OSError) as error:
            self._note_death(dead, f"does not start ({error})")
            return False
        _log.info("part_started", part=dead.name, pid=dead.part.pid)
        return True

    def _wait(self) -> signal.Signals:
        """Wait for a signal; returns SIGCHLD also when a part's pause is over."""
        waits = [each.due - self._clock() for each in self._awaited()]
        if self.each_second is not None:
            waits.append(SECOND)
        if not waits:
            return signal.Signals(signal.sigwait(SIGNALS))
        found = signal.sigtimedwait(SIGNALS, max(0.0, min(waits)))
        return signal.SIGCHLD if found is None else signal.Signals(found.si_signo)
