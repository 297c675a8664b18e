"""A worker process: RQ's ``SimpleWorker``, which runs short jobs one after the other.

SIGTERM and SIGINT let the running job finish. A worker whose queue disappears waits for it to come
back.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Final

from redis import RedisError
from rq import SimpleWorker
from rq.exceptions import StopRequested

from events.logger import get_logger
from games.game_registry import GameRegistry
from runtime.settings import Settings
from workers.advance import Advancer, install
from workers.jobs import Wire, queue_client, queues_of

WORKER_TTL_S: Final = 45
MAINTENANCE_S: Final = 30
_PAUSE_S: Final = 0.5
_log = get_logger(__name__)


class _Worker(SimpleWorker):
    """Calls ``stopping`` when it is asked to stop, so that it is not started again."""

    stopping: threading.Event

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        self.stopping.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # RQ's own

    def _install_signal_handlers(self) -> None:
        """Handle a signal that arrived before RQ installed its handlers: nobody sends it twice."""
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]  # RQ's own
        if self.stopping.is_set():
            self._stop_requested = True


def work(settings: Settings, game_registry: GameRegistry | None = None) -> int:
    """Work until a signal arrives; returns the process's exit code.

    Raises:
        MarksError, ForeignStoreError, StoreMismatchError: the store cannot be worked on.
    """
    stopping = threading.Event()
    _listen_for_signals(stopping)
    advancer = Advancer(settings, game_registry)
    advancer.open()
    install(advancer)
    _log.info("worker_started")
    while not stopping.is_set():
        client = queue_client(settings.rq_url)
        try:
            worker = _Worker(
                queues_of(client),
                connection=client,
                serializer=Wire,
                worker_ttl=WORKER_TTL_S,
                maintenance_interval=MAINTENANCE_S,
            )
            worker.stopping = stopping
            worker.work(logging_level=None)
        except StopRequested:
            stopping.set()  # the signal arrived while RQ was busy with itself
        except RedisError as error:
            _log.warning("worker_lost_queue", error=type(error).__name__)
        finally:
            _listen_for_signals(stopping)  # RQ leaves its own handlers behind
            client.close()
        stopping.wait(_PAUSE_S)
    install(None)
    advancer.close()
    _log.info("worker_stopped")
    return 0


def _listen_for_signals(stopping: threading.Event) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
