"""Structured logs: one JSON object per line on standard error, for our code and libraries alike.

Neither local variables nor event payloads are ever logged: an exception is logged by its type, its
message and where it was raised. Log event names are constants; what varies goes into fields.
"""

from __future__ import annotations

import logging
import logging.config
import sys
import threading
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec

from events.logger import get_logger, structlog

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}

_log = get_logger(__name__)


def _json(value: object, **_: Any) -> bytes:  # noqa: ANN401 (what json.dumps would be given)
    return msgspec.json.encode(value, enc_hook=repr)


def _json_text(value: object, **_: Any) -> str:  # noqa: ANN401 (what json.dumps would be given)
    return _json(value).decode()


def _shared() -> Sequence[structlog.types.Processor]:
    return (
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        ),
    )


def set_up_logs(process: str, level: str = "info") -> None:
    """Send structlog's lines and those of the standard library to standard error as JSON.

    ``process`` names the process in every line; ``level`` is one of ``LEVELS``.
    """
    structlog.contextvars.bind_contextvars(process=process)
    structlog.configure(
        processors=[*_shared(), structlog.processors.JSONRenderer(serializer=_json)],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *_shared()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=_json_text),
            ],
        )
    )
    logging.getLogger().handlers = [handler]
    quiet = max(LEVELS[level], LEVELS["warning"])
    for name in ("", "rq.worker", "rq.job"):  # RQ's are at "info" by themselves: five lines a job
        logging.getLogger(name).setLevel(quiet)
    threading.excepthook = partial(_log_end_of_thread, process)


def _log_end_of_thread(process: str, ended: threading.ExceptHookArgs) -> None:
    """Log what ended a thread of a library's, such as that by which RQ listens to its store."""
    name = None if ended.thread is None else ended.thread.name
    how = (ended.exc_type, ended.exc_value, ended.exc_traceback)
    # A thread has no context but its own, and so no name of its process.
    _log.error("thread_ended", thread=name, exc_info=how, process=process)
