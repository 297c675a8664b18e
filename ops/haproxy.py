"""HAProxy with the worked configuration (``haproxy.cfg``), for other addresses than those in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import IO, Final

from runtime.embedded.children import Child
from runtime.embedded.ports import held_ports

_BIND: Final = re.compile(r"^(    bind ).*", re.MULTILINE)
_SERVERS: Final = re.compile(r"(?:^    server .*\n)+", re.MULTILINE)


def configuration(bind: str, servers: Sequence[str]) -> str:
    """The configuration for an address to listen on and those of the API processes."""
    text = (files(__package__) / "haproxy.cfg").read_text(encoding="utf-8")
    lines = (f"    server api{n} {server} check\n" for n, server in enumerate(servers, 1))
    return _SERVERS.sub("".join(lines), _BIND.sub(rf"\g<1>{bind}", text))


class Proxy(Child):
    """HAProxy, started before the API processes.

    Args:
        program: where it is.
        folder: where its configuration is put.
        servers: the addresses of the API processes.
        environ: the environment that it has.
        log: receives what it logs.

    Attributes:
        address: on which it will listen; its port is its own for as long as it exists.
    """

    def __init__(
        self,
        program: str,
        folder: Path,
        servers: Sequence[str],
        environ: Mapping[str, str],
        log: IO[bytes] | None = None,
    ) -> None:
        (port,) = held_ports(self, 1)
        self.address = f"127.0.0.1:{port}"
        config = folder / "haproxy.cfg"
        config.write_text(configuration(self.address, servers))
        arguments = ["-db", "-q", "-f", str(config)]
        super().__init__("proxy", arguments, environ, log=log, program=program)
