"""What a game gives the table, and what the table gives a game (pure).

A game never sees players, tokens, clocks or time-outs; the table never sees a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from events.draw import Draw
from events.kernel import Decision, Event, Millis, Seat, Viewer, Working

G = TypeVar("G")

JsonValue = Any
"""A value that JSON can say: str, int, bool, None, list or dict of these; never a float."""


class Opening(Struct, frozen=True, kw_only=True):
    """A table's game as asked for and completed by the game's own checks.

    ``options`` are normalised: every option of the mode is there, with its default where the host
    said nothing. ``situation`` is the explicit position of a scenario table, or None; ``key`` the
    game key that the situation fixes, if it does.
    """

    rulebook: str
    mode: str
    seats: int
    options: Mapping[str, JsonValue]
    situation: Mapping[str, JsonValue] | None = None
    key: str | None = None


class Roster(Struct, frozen=True, kw_only=True):
    """Who plays what: for each seat, the ids of its characters (or of whatever a seat plays)."""

    opening: Opening
    characters: Mapping[Seat, tuple[str, ...]]


class Outcome(Struct, frozen=True, kw_only=True):
    """How a game ended: its reason as an id, and the seats that won."""

    reason: str
    winners: tuple[Seat, ...]
    score: int | None = None


class Asked(Struct, frozen=True):
    """A blocking decision that nobody has answered yet, by its id, and the seat that it asks."""

    id: str
    seat: Seat


class Unasked(Struct, frozen=True, kw_only=True):
    """A question that nobody was asked: it left one ``option``, or none at all (None).

    Games note it in the batch in which it comes up (``Working.asides``).
    """

    id: str
    kind: str
    seat: Seat
    subject: str | None = None
    option: str | None = None


class Halt(Struct, frozen=True):
    """What the game stands still for, in short: what a table needs to know after each command.

    ``key`` names the wait and is never reused; ``wait`` is its class, which has a time limit.
    """

    key: str
    wait: str
    asked: tuple[Asked, ...]


class Wait(Struct, frozen=True):
    """A ``Halt`` with the decisions in full: ``pending`` are those that it asks, in its order."""

    key: str
    wait: str
    pending: tuple[Decision, ...]


class Game(Protocol[G]):
    """A game's rules as the table calls them. All methods are pure.

    Methods that take a ``Working`` append events to it; those events are the game's own types.
    """

    id: str
    rules: Mapping[str, str]
    """The tag of its rules by rulebook: raised by hand with every change of what is decided."""
    waits: Mapping[str, WaitClass]
    """The classes of what it waits for, by name."""
    events: tuple[type[Event], ...]
    """The types of its own events. Their tags are its own too: another game may have the same."""

    def initial(self) -> G:
        """The state before the game has begun."""
        ...

    def copy(self, state: G) -> G:
        """A private copy that ``evolve`` may consume."""
        ...

    def evolve(self, state: G, event: Event) -> G:
        """Fold one of the game's events."""
        ...

    def open(self, wish: Opening) -> Opening:
        """Check and complete what a host asks for.

        Raises:
            Rejected: unknown rulebook or mode, wrong seat count, option or situation.
        """
        ...

    def cast(
        self,
        opening: Opening,
        taken: Mapping[Seat, tuple[str, ...]],
        seat: Seat,
        wish: tuple[str, ...],
    ) -> tuple[str, ...]:
        """The characters of ``seat``: its wish, checked, or the first free ones.

        Raises:
            Rejected: a wished character is unknown, taken or not allowed for this seat.
        """
        ...

    def begin(self, work: Working[G], roster: Roster) -> None:
        """Set the game up, or lay out the scenario, and run to the first decision."""
        ...

    def arranged(self, draw: Draw, situation: Mapping[str, JsonValue]) -> Draw:
        """The draws of a batch at a table with a situation: but for what that has laid out."""
        ...

    def choose(self, work: Working[G], decision: Decision, option: str) -> None:
        """Carry out an option of a decision that ``find`` gives, and run to the next decision."""
        ...

    def withdraw(self, work: Working[G], seat: Seat) -> None:
        """A player has resigned; the table answers its decisions with defaults from now on."""
        ...

    def settle(self, work: Working[G]) -> None:
        """Record what the engine still has to do; called once, at the end of a batch."""
        ...

    def decisions(self, state: G, seat: Seat) -> list[Decision]:
        """What ``seat`` must or may choose now, as far as the game is concerned."""
        ...

    def find(self, state: G, seat: Seat, decision: str) -> Decision | None:
        """The decision of that id among ``decisions(state, seat)``, if it is there."""
        ...

    def is_secret(self, state: G, decision: str) -> bool:
        """Whether a decision that is open asks for a secret choice; of others, anything."""
        ...

    def halt(self, state: G) -> Halt | None:
        """What the game waits for; None before its beginning and after its end."""
        ...

    def wait(self, state: G) -> Wait | None:
        """As ``halt``, with the decisions in full."""
        ...

    def outcome(self, state: G) -> Outcome | None:
        """How the game ended, or None while it runs."""
        ...

    def turn(self, state: G) -> int:
        """The running turn, from 1; 0 before the beginning."""
        ...

    def viewer(self, state: G, seat: Seat) -> Viewer:
        """The viewer who sits at ``seat``, with its team where a team shares secrets."""
        ...


class WaitClass(Struct, frozen=True, kw_only=True):
    """A kind of wait that a table may have a time limit of its own for, in seconds."""

    default_s: int
    least_s: int = 1
    most_s: int = 14 * 24 * 3600


class TimeControl(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Time limits of a table.

    ``limits_s`` are seconds by the game's classes of waits; of those that are left out the game's
    defaults hold, and an opened table has them all. ``absent_after`` turns missed in a row mark a
    seat absent; a house bot answers no sooner than ``bot_pace_ms`` milliseconds after it was asked.
    """

    limits_s: Mapping[str, int] = {}
    absent_after: int = 2
    bot_pace_ms: Millis = 0
