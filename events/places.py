"""Hosts and ports as URLs of stores name them, one or several with commas between them (pure)."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

Place: TypeAlias = tuple[str, int]
"""A host, an IPv6 address without its brackets, and a port."""

_PLACE: Final = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\[\]:@]+)(?::(?P<port>\d{1,5}))?")


def read_places(text: str, port: int) -> tuple[Place, ...]:
    """What a text names; ``port`` is that of those which say none.

    Raises:
        ValueError: it has another form; the message quotes nothing of it.
    """
    return tuple(_read(each, port) for each in text.split(","))


def _read(text: str, port: int) -> Place:
    found = _PLACE.fullmatch(text)
    if found is not None:
        port = int(found["port"] or port)
    if found is None or not 0 < port < 1 << 16:
        raise ValueError("it is no host with a port")
    return found["host"].strip("[]"), port


def address_of(place: Place) -> str:
    """A place as in a URL."""
    host, port = place
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
