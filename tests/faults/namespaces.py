"""Two hosts on this machine, as network namespaces with a cable between them that can be cut.

Addresses are of a range that is for documentation only (RFC 5737), so nothing leaves the machine.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNET = 0x40000000
_NAMED = Path("/run/netns")


def may_partition() -> bool:
    """Whether we may make namespaces, and have what it takes."""
    return os.geteuid() == 0 and all(shutil.which(each) for each in ("ip", "iptables"))


class Host:
    """One of two hosts.

    Args:
        name: of its namespace.
        address: its own.
    """

    def __init__(self, name: str, address: str) -> None:
        self.name = name
        self.address = address
        self.cable = name

    @contextmanager
    def inside(self) -> Iterator[None]:
        """What is started in this context runs on the host."""
        with open("/proc/self/ns/net") as before, (_NAMED / self.name).open() as ours:  # noqa: PTH123 (a descriptor of a namespace)
            _enter(ours.fileno())
            try:
                yield
            finally:
                _enter(before.fileno())

    def cut(self) -> None:
        """Let every packet be dropped in silence, both ways; connections stand as they were."""
        self._rule("-I")

    def mend(self) -> None:
        """Let packets pass again."""
        self._rule("-D")

    def _rule(self, what: str) -> None:
        for chain, flag in (("INPUT", "-i"), ("OUTPUT", "-o")):
            rule = [what, chain, flag, self.cable, "-j", "DROP"]
            ip("netns", "exec", self.name, "iptables", "-w", *rule)


def ip(*words: str) -> None:
    """Call iproute2."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _enter(descriptor: int) -> None:
    if _LIBC.setns(descriptor, _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "this namespace cannot be entered")


@contextmanager
def two_hosts() -> Iterator[tuple[Host, Host]]:
    """Two hosts that reach each other."""
    names = [f"plr{os.getpid()}{side}" for side in "ab"]
    hosts = [Host(name, f"192.0.2.{number}") for number, name in enumerate(names, 1)]
    made = []
    try:
        for host in hosts:
            ip("netns", "add", host.name)
            made.append(host)
        one, two = hosts
        peer = ("peer", two.cable, "netns", two.name)
        ip("link", "add", one.cable, "netns", one.name, "type", "veth", *peer)
        for host in hosts:
            ip("-n", host.name, "addr", "add", f"{host.address}/24", "dev", host.cable)
            ip("-n", host.name, "link", "set", "lo", "up")
            ip("-n", host.name, "link", "set", host.cable, "up")
        yield one, two
    finally:
        for host in made:
            ip("netns", "del", host.name)
