"""The worked HAProxy configuration (``haproxy.cfg``), for other addresses than those in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

_BIND: Final = re.compile(r"^(    bind ).*", re.MULTILINE)
_SERVERS: Final = re.compile(r"(?:^    server .*\n)+", re.MULTILINE)


def configuration(bind: str, servers: Sequence[str]) -> str:
    """The configuration for an address to listen on and those of the API processes."""
    text = (files(__package__) / "haproxy.cfg").read_text(encoding="utf-8")
    lines = (f"    server api{n} {server} check\n" for n, server in enumerate(servers, 1))
    return _SERVERS.sub("".join(lines), _BIND.sub(rf"\g<1>{bind}", text))
