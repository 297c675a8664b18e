"""The bodies of answers about rulebooks: part of the published contract, like ``bodies``.

The description of a rulebook is its game's (``games.published.Published.description``).
"""

from __future__ import annotations

from msgspec import Struct

from games.rulebooks import RulebookName


class Rulebooks(Struct, frozen=True, kw_only=True):
    """All rulebooks, and the available house bots.

    ``language`` is that of the texts, one of ``languages``.
    """

    language: str
    languages: tuple[str, ...]
    rulebooks: tuple[RulebookName, ...]
    bots: tuple[str, ...]
