"""Ports for programs that have to be told theirs: nobody takes one that is held."""

from __future__ import annotations

import gc
import socket
from pathlib import Path

import pytest

from runtime.embedded.cluster import Node
from runtime.embedded.ports import free_ports, held_ports


def binds(port: int) -> None:
    """Bind a port as whoever looks for a free one does."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))


class Owner:
    """Whoever has ports of its own."""


def test_held_ports_are_found_by_nobody_else_also_while_their_servers_are_away() -> None:
    owner = Owner()
    ports = held_ports(owner, 2)
    for port in 2 * ports:
        with pytest.raises(OSError, match="in use"):
            binds(port)
        with socket.create_server(("127.0.0.1", port)):
            pass
    del owner
    gc.collect()
    for port in ports:
        binds(port)


def test_nobody_finds_the_ports_of_a_node_that_is_away(tmp_path: Path) -> None:
    node = Node(tmp_path)
    with pytest.raises(OSError, match="in use"):
        binds(node.port)
    with socket.create_server(("127.0.0.1", node.port)):
        pass  # but for itself, as it starts
    port = node.port
    del node
    gc.collect()
    binds(port)


def test_a_port_that_is_free_and_not_held_is_anybodys() -> None:
    binds(free_ports(1)[0])
