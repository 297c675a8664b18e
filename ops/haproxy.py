"""HAProxy with the worked configuration (``haproxy.cfg``), for other addresses than those in it."""

from __future__ import annotations

import re
import weakref
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import IO, Final

from runtime.embedded.children import Child
from runtime.embedded.ports import held_port

_BIND: Final = re.compile(r"^(    bind ).*", re.MULTILINE)
_SERVERS: Final = re.compile(r"(?:^    server .*\n)+", re.MULTILINE)


def configuration(bind: str, servers: Sequence[str]) -> str:
    """The configuration for an address to listen on and those of the API processes."""
    text = (files(__package__) / "haproxy.cfg").read_text(encoding="utf-8")
    lines = (f"    server api{n} {server} check\n" for n, server in enumerate(servers, 1))
    return _SERVERS.sub("".join(lines), _BIND.sub(rf"\g<1>{bind}", text))


def start_proxy(
    program: str,
    folder: Path,
    servers: Sequence[str],
    environ: Mapping[str, str],
    log: IO[bytes] | None = None,
) -> tuple[Child, str]:
    """Start HAProxy before the API processes; itself, and the address on which it will listen.

    Args:
        program: where it is.
        folder: where its configuration is put.
        servers: the addresses of the API processes.
        environ: the environment that it has.
        log: receives what it logs.
    """
    place = held_port()
    address = f"127.0.0.1:{place.getsockname()[1]}"
    config = folder / "haproxy.cfg"
    config.write_text(configuration(address, servers))
    arguments = ["-db", "-q", "-f", str(config)]
    proxy = Child("proxy", arguments, environ, log=log, program=program)
    weakref.finalize(proxy, place.close)
    return proxy, address
