"""``python -m service``: one API process, by the settings in the environment.

It prints one line, ``listening on http://HOST:PORT``, when it takes requests (the port is chosen
by the system where the settings say 0), logs to standard error, and ends cleanly at SIGINT and
SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
from collections.abc import Sequence

from uvicorn.config import STARTUP_FAILURE

from events.clients import LossyStoreError
from events.identity import ForeignStoreError, StoreMismatchError
from events.reach import UnfitStoreError
from projections.logs import set_up_logs
from projections.mark_files import MarksError
from projections.settings import SettingsError, load_settings
from service.acceptor import listening_sockets
from service.access_log import AccessLog, nothing
from service.app import create_service, require_fit_store
from service.server import BACKLOG, server_of

_YOUNG, _MIDDLE, _OLD = 100_000, 20, 50


def main(arguments: Sequence[str]) -> int:
    """Run until a signal comes; the exit status is 2 for wrong settings, 3 if it cannot start."""
    argparse.ArgumentParser(prog="parlour serve", description=__doc__).parse_args(arguments)
    try:
        settings = load_settings(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 2
    set_up_logs("service", settings.log_level)
    try:
        asyncio.run(require_fit_store(settings))
        sockets = listening_sockets(settings.host, settings.port, BACKLOG)
    except StoreMismatchError as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 2
    except (UnfitStoreError, LossyStoreError, ForeignStoreError, MarksError) as error:
        return _refuse(str(error))
    except OSError as error:
        reason = error.strerror or str(error)
        return _refuse(f"{settings.host} port {settings.port} cannot be listened at: {reason}")
    closing = asyncio.Event()
    log = AccessLog(_to_standard_error, "service")
    access = log if settings.log_level in {"debug", "info"} else nothing
    service = create_service(settings, closing=closing, access=access)

    def say(port: int) -> None:
        sys.stdout.write(f"listening on http://{settings.host}:{port}\n")
        sys.stdout.flush()

    _spare_the_collector()
    server = server_of(service, closing, say)
    try:
        server.run(sockets)
    finally:
        log.flush()
    return 0


def _refuse(reason: str) -> int:
    sys.stderr.write(f"parlour: {reason}\n")
    return STARTUP_FAILURE


def _to_standard_error(lines: bytes) -> None:
    sys.stderr.buffer.write(lines)
    sys.stderr.buffer.flush()


def _spare_the_collector() -> None:
    """Collect garbage less often: what lives long is never looked at again.

    Folded games make the heap large and cycles are rare, so a seventh of a command's time went
    into looking for them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
