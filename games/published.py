"""What is published about a game besides its events (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, Protocol

from msgspec import Struct, convert
from msgspec.structs import replace

from games.contract import JsonValue

Refusable = Literal["opening", "seating"]
"""What a game may refuse by itself: opening a table, or taking a seat."""


class Refusal(Struct, frozen=True, kw_only=True):
    """A reason for a refusal, as documented for clients.

    ``status`` is the HTTP status, ``title`` a sentence without a full stop; ``meaning`` explains
    it. ``refused`` is what is refused for this reason, if it is one of those two. Games that refuse
    for the same reason have it under the same code, in the same words.
    """

    code: str
    status: int
    title: str
    meaning: str = ""
    refused: Refusable | None = None


class Showcase(Struct, frozen=True, kw_only=True):
    """The table that demonstrates a game to spectators.

    House bots called ``bot`` take all its seats.
    """

    rulebook: str
    mode: str
    seats: int
    bot: str


class Published(Protocol):
    """A game as the API shows it."""

    @property
    def title(self) -> str:
        """What the game is called."""
        ...

    @property
    def state(self) -> type[Struct]:
        """The type of its state."""
        ...

    @property
    def description(self) -> type[Struct]:
        """The type of its rulebooks' descriptions; it has all that ``RulebookInfo`` has."""
        ...

    @property
    def situation(self) -> type[Struct] | None:
        """The type of the positions that a scenario table may begin with; None: there are none."""
        ...

    @property
    def unpromised(self) -> Mapping[type, Mapping[str, str]]:
        """Fields that are stored and shown, but may be anything with any release.

        By type and field, what is said of them instead.
        """
        ...

    @property
    def showcase(self) -> Showcase:
        """The table that shows the game."""
        ...

    @property
    def examples(self) -> Mapping[str, JsonValue]:
        """Examples of the bodies that mean something in this game alone, by schema.

        There is one for each of ``NewGame``, ``NewSeat`` and ``Choice``.
        """
        ...

    @property
    def refusals(self) -> Sequence[Refusal]:
        """The meanings of its rejection codes, each exactly once."""
        ...

    def rulebooks(self, language: str) -> Sequence[Mapping[str, JsonValue]]:
        """Its rulebooks in short, in a language of ``games.words``.

        Each has ``id``, ``game``, ``name``, ``about`` and ``modes``.
        """
        ...

    def rulebook(self, rulebook: str, language: str) -> Mapping[str, JsonValue]:
        """The full description of a rulebook, by the fields of ``description``.

        Raises:
            KeyError: there is no such rulebook.
        """
        ...


def read_refusals(text: str) -> tuple[Refusal, ...]:
    """Two lines or more for each: ``status code | title``, then indented what it means.

    Behind the code may stand what is refused for this reason.
    """
    found: list[Refusal] = []
    for line in text.strip().splitlines():
        if line.startswith("  "):
            last = found.pop()
            found.append(replace(last, meaning=f"{last.meaning} {line.strip()}".strip()))
        else:
            head, _, title = line.partition(" | ")
            status, code, *refused = head.split()
            made = {"code": code, "status": int(status), "title": title}
            found.append(convert(made | ({"refused": refused[0]} if refused else {}), Refusal))
    return tuple(found)


USUAL_REFUSALS: Final = read_refusals("""
409 unknown-decision | Decision not open
  The same as `decision-not-open`, detected at a later step.
422 unknown-rulebook opening | Rulebook unknown
  `GET /v1/rulebooks` lists the rulebooks.
422 unknown-mode opening | Mode unknown
  `GET /v1/rulebooks/{rulebook}` lists the modes.
422 bad-seat-count opening | Invalid number of players for the mode
  The rulebook lists the numbers of players of each mode.
422 unknown-option opening | Option unknown
  The rulebook lists the options of each mode.
422 bad-option opening | Invalid value for the option
  The rulebook lists the values.
422 malformed-scenario opening | Malformed scenario
  `detail` says where; the form is in the OpenAPI document.
422 impossible-scenario opening | Impossible scenario
  The rulebook does not allow such a position, or the game would already be over.
""")
"""Reasons for which any game refuses that has rulebooks with modes and options, and scenarios."""


def refusals_with_usual(own: str) -> tuple[Refusal, ...]:
    """The refusals of a game, its own (see ``read_refusals``) and the usual ones, by status."""
    both = (*read_refusals(own), *USUAL_REFUSALS)
    return tuple(sorted(both, key=lambda refusal: refusal.status))


AGENDA_UNPROMISED: Final[Mapping[str, str]] = {
    "agenda": "What the engine has still to do, as it remembers it: any JSON, which may be "
    "another with any release. It is stored, hashed and no part of the contract; whom the game "
    "waits for is told by `decisions`."
}
"""What is said of the field ``agenda`` of a state, or of an event, in a game that has one."""
