"""Ports for programs that have to be told theirs."""

from __future__ import annotations

import secrets
import socket
import weakref
from contextlib import ExitStack
from typing import Final

_PORTS: Final = range(20_000, 32_768)
"""Those from 32,768 on are lent to outgoing connections: one may be taken before it is used. Of
those below, browsers go to no service at some (10,080 is the last)."""


def free_ports(number: int) -> list[int]:
    """Different ports of 127.0.0.1 that nobody listens on."""
    found: list[int] = []
    with ExitStack() as held:
        while len(found) < number:
            port = secrets.choice(_PORTS)
            probe = held.enter_context(socket.socket())
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue  # somebody has it
            found.append(port)
    return found


def held_ports(owner: object, number: int) -> list[int]:
    """Different free ports that nobody else finds for as long as their owner exists.

    They are held also while whoever listens on them is away, who must allow addresses to be used
    again, as servers do.
    """
    with ExitStack() as held:
        places = [held.enter_context(_held_port()) for _ in range(number)]
        weakref.finalize(owner, held.pop_all().close)
    return [place.getsockname()[1] for place in places]


def _held_port() -> socket.socket:
    """A free port, held by a socket until that is closed."""
    while True:
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind(("127.0.0.1", free_ports(1)[0]))
        except OSError:  # somebody was faster
            made.close()
        else:
            return made
