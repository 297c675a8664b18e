"""How the processes without a server of their own are stopped: by SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import signal


def stop_event() -> asyncio.Event:
    """An event of the running loop that the signals set from here on."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop
