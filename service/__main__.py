"""``python -m service``: one API process, configured by the environment.

It prints one line, ``listening on http://HOST:PORT``, once it accepts requests (the system chooses
the port if the setting is 0), logs to standard error, and shuts down cleanly on SIGINT and SIGTERM.
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
from runtime.logs import set_up_logs
from runtime.mark_files import MarksError
from runtime.settings import SettingsError, load_settings
from service.app import create_service, require_fit_store
from service.http.acceptor import listening_sockets
from service.http.access_log import AccessLog, nothing
from service.server import BACKLOG, server_of

_YOUNG, _MIDDLE, _OLD = 100_000, 20, 50


def main(arguments: Sequence[str]) -> int:
    """Run until signalled; the exit status is 2 for invalid settings, 3 if it cannot start."""
    argparse.ArgumentParser(prog="parlour serve", description=__doc__).parse_args(arguments)
    try:
        settings = load_settings(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 2
    set_up_logs("service", settings.log_level)
    try:
        asyncio.run(require_fit_store(settings))
    except StoreMismatchError as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 2
    except (UnfitStoreError, LossyStoreError, ForeignStoreError, MarksError) as error:
        return _refuse(str(error))
    try:
        sockets = listening_sockets(settings.host, settings.port, BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        return _refuse(f"cannot listen on {settings.host} port {settings.port}: {reason}")
    closing = asyncio.Event()
    log = AccessLog(_to_standard_error, "service")
    take_line = log if settings.log_level in {"debug", "info"} else nothing
    service = create_service(settings, closing=closing, take_line=take_line)

    def say(port: int) -> None:
        sys.stdout.write(f"listening on http://{settings.host}:{port}\n")
        sys.stdout.flush()

    _relax_garbage_collection()
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


def _relax_garbage_collection() -> None:
    """Collect garbage less often, and never the objects that exist now.

    Folded games make the heap large and cycles are rare: a seventh of the time of a command went
    into looking for them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
