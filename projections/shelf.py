"""The games that a program can play, the types that their streams are made of, and their rules."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from events.codec import Registry
from events.kernel import Event
from events.seal import text_of
from games.bots import BOTS, Bot
from games.contract import Game
from games.room25 import EVENTS, ROOM25
from games.table import Table
from games.table_events import TABLE_COMMANDS, TABLE_EVENTS

_PURE = ("games", "events/kernel.py", "events/draw.py")
_DIGEST_BYTES = 16


class Shelf:
    """Games by id, with all that a shell needs round them.

    Args:
        games: the games by id.
        events: the event types of all these games; the table's own are added.
        bots: the house bots by name.

    ``table`` is the decider, ``registry`` knows every stored type, ``rules`` is the digest that
    each batch records.
    """

    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        events: tuple[type[Event], ...],
        bots: Mapping[str, Bot] = BOTS,
    ) -> None:
        self.bots = bots
        self.table = Table(games, frozenset(bots))
        self.registry = Registry((*TABLE_EVENTS, *events), TABLE_COMMANDS)
        self.rules = rules_digest()


@cache
def rules_digest() -> str:
    """The digest of the code that judges: SHA-256 over its files, 128 bits, base64url.

    It covers the folder ``games`` and the kernel and the draws of ``events``, each file with its
    path, in the order of the paths. Replaying a command is promised to give the recorded events
    under the very digest that its batch records; under another one it is merely likely.
    """
    whole = hashlib.sha256()
    for path in _PURE:
        package, _, name = path.partition("/")
        root = files(package)
        for found, content in _contents(root / name if name else root, path):
            whole.update(hashlib.sha256(found.encode()).digest())
            whole.update(hashlib.sha256(content).digest())
    return text_of(whole.digest()[:_DIGEST_BYTES])


def _contents(node: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """The source files at or below ``node`` with their paths."""
    if node.is_file():
        yield path, node.read_bytes()
        return
    for child in sorted(node.iterdir(), key=lambda child: child.name):
        if child.name != "__pycache__" and not child.name.startswith("."):
            yield from _contents(child, f"{path}/{child.name}")


@cache
def house_shelf() -> Shelf:
    """The games of this service, made once for each process."""
    return Shelf({ROOM25.id: ROOM25}, EVENTS)
