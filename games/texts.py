"""What is said of a game in words, beside the catalogues (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol

from events.kernel import Event, Seat
from games.contract import JsonValue
from games.sentences import Spell

TurnWord = Literal["turn", "round"]
"""What a game calls a turn of the table, in English; each has sentences in every language."""


class Texts(Protocol):
    """A game in words. Its events are told by its rulebooks' words, see ``games.sentences``."""

    @property
    def spell(self) -> Mapping[str, Spell]:
        """How its kinds of holes are written.

        ``place``, by which every table's sentences name a place of its board, and those that only
        its own sentences have.
        """
        ...

    @property
    def turn(self) -> TurnWord:
        """What its rules call what ``games.contract.Game.turn`` counts."""
        ...

    def beside(self, event: Event, before: Any) -> Mapping[str, JsonValue]:  # noqa: ANN401 (its own)
        """What the sentence for an event needs beside its fields, from the state ``before`` it.

        Event and state are as the reader may see them.
        """
        ...

    def word(self, language: str, key: str) -> str:
        """The text of one of the game's message keys, such as ``room25/problem.bad-option``.

        Raises:
            KeyError: there is no such key, or language of ``games.words``.
        """
        ...

    def phase(self, state: Any) -> str:  # noqa: ANN401 (the game's own state)
        """The phase of a running game as an id, words joined by ``_``; "" if it has none.

        In the rulebook's words ``phase.<id>`` names it.
        """
        ...


def winners_words(winners: Iterable[Seat]) -> str:
    """Who has won, in English."""
    seats = [str(seat) for seat in winners]
    if not seats:
        return "nobody wins"
    return f"winning seat{'s' if len(seats) > 1 else ''} {', '.join(seats)}"
