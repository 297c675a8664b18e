"""Of which game a table is, for the document at its address: as far as the API tells everybody."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, ValidationError, field
from msgspec.json import Decoder

from events import seal
from events.layout import BadStreamIdError
from events.log import Damaged, StreamLog
from events.lru import LruCache
from events.scripts import LogUnavailable
from service.page.documents import KnownTable

KEPT: Final = 10_000
"""How many tables a process remembers, each in about 300 bytes."""


class _Opened(Struct, tag_field="type", tag="table-opened"):
    """The members of the first event of a table that matter here."""

    game: str
    rulebook: str
    visibility: str


class _Line(Struct):
    opened: _Opened = field(name="event")


_DECODER: Final = Decoder(_Line)


class KnownTables:
    """Tables that are not private, by their ids; their game and rulebook never change.

    Documents cost their readers no budget, so the look costs next to nothing: one entry of a
    stream, and no fold.
    """

    def __init__(self, log: StreamLog) -> None:
        self._log = log
        self._kept: LruCache[str, KnownTable] = LruCache(KEPT)

    async def of(self, game: str) -> KnownTable | None:
        """The table with this id; None where a stranger could not learn of it now.

        A store that does not answer keeps no document back: the page asks the API, which says why.
        """
        found = self._kept.use(game)
        if found is not None:
            return found
        try:
            first = await self._log.read(game, 0, 1)
            if not first:
                return None
            head = seal.chain(seal.genesis(game), 0, (first[0].public,))
            if not await self._log.shown(game, 1, head):
                return None
            opened = _DECODER.decode(first[0].public).opened
        except (BadStreamIdError, Damaged, LogUnavailable, ValidationError):
            return None
        if opened.visibility == "private":
            return None
        found = KnownTable(opened.game, opened.rulebook)
        self._kept.keep(game, found)
        return found
