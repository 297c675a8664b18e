"""The parts of a service, each a process of its own that can be killed and started again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, ClassVar, Final, Self

import httpx
from msgspec.structs import replace

from runtime.embedded.children import Child, ChildError
from runtime.embedded.ports import held_ports
from runtime.settings import Secret, Settings, environment
from simulator.faults.points import AT_FILE, FaultTrigger
from simulator.prefork import Prefork

UNFIT_STORE: Final = 3
"""The exit code of a part that starts and cannot use the store."""

API: Final = "API"
DYING: Final = "simulator.faults.dying_part"
CAN_DIE: Final[Mapping[str, list[str]]] = {
    API: ["-m", DYING, API],
    "clock": ["-m", DYING, "clock"],
    "worker 1": ["-m", DYING, "work"],
    "worker 2": ["-m", DYING, "work"],
}
"""Parts that pass the points of ``points``."""

ONE_WORKER: Final = {name: words for name, words in CAN_DIE.items() if name != "worker 2"}
"""The same with one worker: of two, the one that is armed might have nothing to do."""

_PAUSE_S: Final = 0.1
_STARTS_S: Final = 300.0
"""Within so many seconds the API listens, also on a machine that does ten other things."""

_REFUSED_S: Final = 300.0
"""For so many seconds an API may be refused by its store, and be started again."""

_ANSWERS_S: Final = 10.0
"""The longest that somebody waits for an answer."""

_PLENTY: Final = 10**9


class _PreparedPart(Prefork):
    """A process that finds made what each API makes alike: routes, signatures, the page."""

    prepared_by: ClassVar[tuple[str, ...]] = ("simulator.app_parts",)


class ForkedPart(Child):
    """A part that need not import all anew, nor read the page."""

    def __init__(
        self,
        name: str,
        arguments: list[str],
        environ: Mapping[str, str],
        *,
        speaks: bool,
        log: IO[bytes],
    ) -> None:
        self.name = name
        self._process = _PreparedPart(
            [sys.executable, *arguments],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if speaks else None,
            stderr=log,
            process_group=0,
        )


class ServiceParts(ABC):
    """All parts of a service but its store. Must be used from the main thread.

    Args:
        home: a folder of its own with a short path; what the parts log goes there.
        settings: those of all parts.
        programs: what each part runs, by its name; that of the API is ``API``.
        child: starts a process.

    Attributes:
        http: asks the API.
        url: where that is.
        triggers: arm the points at which parts die that can, by the name of the part.
    """

    def __init__(
        self,
        home: Path,
        settings: Settings,
        programs: Mapping[str, list[str]],
        child: type[Child],
    ) -> None:
        self.home = home
        # The same for each start of the API, which is away in between.
        (port,) = held_ports(self, 1)
        self.settings = replace(settings, port=port)
        self.programs = programs
        self.url = f"http://127.0.0.1:{port}"
        self.triggers = {name: FaultTrigger(home / f"armed-{name}") for name in programs}
        # A part that was killed leaves dead connections behind: none is kept for a second request.
        alone = httpx.Limits(max_keepalive_connections=0)
        self.http = httpx.Client(base_url=self.url, timeout=_ANSWERS_S, limits=alone)
        self._child = child
        self._children: dict[str, Child] = {}
        self._log: IO[bytes] = (home / "parts.log").open("ab")

    def __enter__(self) -> Self:
        try:
            self.begin()
            for name in self.programs:
                self.start(name)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @abstractmethod
    def begin(self) -> None:
        """Start the store, and name it."""

    @abstractmethod
    def end(self) -> None:
        """End the store."""

    @property
    @abstractmethod
    def store_runs(self) -> bool:
        """Whether all that keeps commands is there."""

    def close(self) -> None:
        """End everything."""
        for name, child in reversed(self._children.items()):
            if child.exit_code() is None:
                self.go_on(name)
            child.stop()
        self._children.clear()
        self.http.close()
        self.end()
        self._log.close()

    def start(self, name: str) -> None:
        """Start a part again. The API listens when this returns.

        As a supervisor does, an API that cannot use the store yet is started again: after a
        failover a primary may have no replica for a moment.

        Raises:
            ChildError: it does not start.
        """
        end = time.monotonic() + _REFUSED_S
        while True:
            child = self._begin(name)
            if name != API:
                return
            try:
                child.first_line(_STARTS_S)
            except ChildError as error:
                code = child.stop()
                if code != UNFIT_STORE or time.monotonic() > end:
                    said = self._last_words()
                    raise ChildError(f"{error}: it ended with {code}: {said}") from error
                time.sleep(_PAUSE_S)
            else:
                return

    def _begin(self, name: str) -> Child:
        environ = {
            **os.environ,
            **environment(self.settings),
            AT_FILE: str(self.triggers[name].path),
        }
        speaks = name == API
        child = self._child(name, self.programs[name], environ, speaks=speaks, log=self._log)
        self._children[name] = child
        return child

    def kill(self, name: str) -> None:
        """SIGKILL a part, and see it dead."""
        child = self._children.pop(name)
        os.kill(child.pid, signal.SIGKILL)
        child.stop()

    def hang(self, name: str) -> None:
        """Stop a part where it stands."""
        os.kill(self.pid(name), signal.SIGSTOP)

    def go_on(self, name: str) -> None:
        """Let a part go on."""
        os.kill(self.pid(name), signal.SIGCONT)

    def ended(self) -> list[str]:
        """The parts that have ended by themselves, and not for want of a store at their start."""
        found = [(name, child.exit_code()) for name, child in self._children.items()]
        return [name for name, code in found if code not in {None, UNFIT_STORE}]

    def found_no_store(self) -> list[str]:
        """The parts that could not use the store when they started, and ended with a sentence."""
        return [name for name, child in self._children.items() if child.exit_code() == UNFIT_STORE]

    def exit_code(self, name: str) -> int | None:
        """How a part has ended; None while it runs."""
        return self._children[name].exit_code()

    def bury(self, name: str) -> None:
        """Expect nothing more of a part that has ended."""
        self._children.pop(name).stop()

    def revive(self) -> None:
        """Start again what found no store, as the supervisor does."""
        for name in self.found_no_store():
            self._children.pop(name).stop()
            self.start(name)

    def logs(self) -> str:
        """What the parts have logged, at its end."""
        return (self.home / "parts.log").read_text(encoding="utf-8")[-4000:]

    def _last_words(self) -> str:
        """The last line that a part has logged, of which a refusal is one."""
        lines = self.logs().splitlines()
        return lines[-1] if lines else "it said nothing"

    def pid(self, name: str) -> int:
        """The process of a part."""
        return self._children[name].pid

    def waited_s(self) -> dict[str, float]:
        """For how many seconds each part has been ready to run and had no core, in all."""
        return {name: waited_s(child.pid) for name, child in self._children.items()}


def waited_s(pid: int) -> float:
    """For how many seconds a process has been ready to run and had no core; 0 if it is gone."""
    found = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # a thread may end while it is read
            found += int(thread.read_text().split()[1])
    return found / 1e9


def hurried_settings(store_url: str, rq_url: str, var: Path, **more: Any) -> Settings:  # noqa: ANN401 (any setting)
    """A service that does not mind being hurried."""
    made = Settings(
        store_url=store_url,
        rq_url=rq_url,
        keys={"faults": Secret(secrets.token_bytes(32))},
        current_key="faults",
        naming_key="faults",
        admin_token_hash=Secret(hashlib.sha256(secrets.token_bytes(32)).digest()),
        var=var,
        wait_limit_s=1,
        commands_per_minute=_PLENTY,
        reads_per_minute=_PLENTY,
        registrations_per_minute=_PLENTY,
        registrations_per_day=10**6,
        tables_per_account=10**6,
        bot_games_per_account=10**6,
        streams_per_address=10**6,
        connections_per_address=0,
        log_level="warning",
    )
    return replace(made, **more)


@contextlib.contextmanager
def folder_on_disk() -> Iterator[Path]:
    """A new folder with a short path, on a disk: what is kept must be kept there."""
    with tempfile.TemporaryDirectory(prefix="plr-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
