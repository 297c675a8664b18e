"""Ports for programs that have to be told theirs."""

from __future__ import annotations

import socket
from contextlib import ExitStack


def free_ports(number: int) -> list[int]:
    """Different ports of 127.0.0.1 that nobody listens on."""
    with ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(number)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
