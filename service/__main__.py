"""``python -m service``: one API process, by the settings in the environment.

It prints one line, ``listening on http://HOST:PORT``, when it takes requests (the port is chosen
by the system where the settings say 0), logs to standard error, and ends cleanly at SIGINT and
SIGTERM.
"""

from __future__ import annotations

import asyncio
import os
import sys

from projections.logs import set_up_logs
from projections.settings import SettingsError, load_settings
from service.app import create_service
from service.server import Server, config_for


def main() -> int:
    """Run until a signal comes; the exit status is 2 for wrong settings, 3 if it cannot start."""
    try:
        settings = load_settings(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"room25: {error}\n")
        return 2
    set_up_logs("service", settings.log_level)
    closing = asyncio.Event()
    service = create_service(settings, closing=closing)

    def say(port: int) -> None:
        sys.stdout.write(f"listening on http://{settings.host}:{port}\n")
        sys.stdout.flush()

    server = Server(config_for(service.asgi, settings.host, settings.port), closing, say)
    server.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
