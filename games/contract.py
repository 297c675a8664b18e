"""What a game gives the table, and what the table gives a game (pure).

A game never sees players, tokens, clocks or time-outs; the table never sees a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from events.draw import Draw
from events.kernel import Decision, DurationMs, Event, Option, Seat, Viewer, Working
from games.dispatch import Recorders
from games.phrases import Phrasebook

G = TypeVar("G")

JsonValue = Any
"""A JSON value: str, int, bool, None, or a list or dict of these; never a float."""


class TableOpening(Struct, frozen=True, kw_only=True):
    """A table's game as requested, completed by the game's own checks.

    ``options`` are normalised: every option of the mode is present, with its default where the host
    gave none. ``situation`` is the explicit position of a scenario table, or None; ``key`` the game
    key that the situation fixes, if any.
    """

    rulebook: str
    mode: str
    seats: int
    options: Mapping[str, JsonValue]
    situation: Mapping[str, JsonValue] | None = None
    key: str | None = None


class Roster(Struct, frozen=True, kw_only=True):
    """Who plays what: for each seat, the ids of its characters (or whatever a seat plays)."""

    opening: TableOpening
    characters: Mapping[Seat, tuple[str, ...]]


class Outcome(Struct, frozen=True, kw_only=True):
    """How a game ended: its reason as an id, and the seats that won."""

    reason: str
    winners: tuple[Seat, ...]
    score: int | None = None


class Finish(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a seat ended a game.

    Seats of one ``party`` won or lost together; ``side`` is a part that is dealt and not chosen,
    as the game names it in ``Rules.sides``, or None; ``rank`` is 1 for the best, and the same for
    seats of which none did better than the other.
    """

    party: str
    side: str | None = None
    rank: int


class Asked(Struct, frozen=True):
    """A blocking decision that is still unanswered, in short: all of it is public."""

    id: str
    seat: Seat
    kind: str
    subject: str | None = None


class Unasked(Struct, frozen=True, kw_only=True):
    """A question settled without asking: it left one ``option``, or none at all (None).

    Games note it in the batch in which it arises (``Working.asides``).
    """

    id: str
    kind: str
    seat: Seat
    subject: str | None = None
    option: str | None = None


class Halt(Struct, frozen=True):
    """What the game is waiting for, in short: all a table needs to know after each command.

    ``key`` names the wait and is never reused; ``wait`` is its class, which has a time limit.
    """

    key: str
    wait: str
    asked: tuple[Asked, ...]


class Wait(Struct, frozen=True):
    """A ``Halt`` with its decisions in full, as ``pending``, in order."""

    key: str
    wait: str
    pending: tuple[Decision, ...]


class Game(Protocol[G]):
    """A game's decider as the table calls it. All methods are pure.

    Methods that take a ``Working`` append events to it; those events are the game's own types.
    """

    def initial(self) -> G:
        """The state before the game has begun."""
        ...

    def copy(self, state: G) -> G:
        """A private copy that the ``recorders`` may change."""
        ...

    @property
    def recorders(self) -> Recorders[G]:
        """What records each of the game's events in the state: its ``evolve``, by types.

        The table calls them without a function in between, because it folds every event of every
        game.
        """
        ...

    def open(self, requested: TableOpening) -> TableOpening:
        """Check and complete the table that a host requests.

        Raises:
            Rejected: unknown rulebook or mode, wrong seat count, option or situation.
        """
        ...

    def cast(
        self,
        opening: TableOpening,
        taken: Mapping[Seat, tuple[str, ...]],
        seat: Seat,
        requested: tuple[str, ...],
    ) -> tuple[str, ...]:
        """The characters of ``seat``: the requested ones, checked, or the first free ones.

        Raises:
            Rejected: a requested character is unknown, taken or not allowed for this seat.
        """
        ...

    def begin(self, work: Working[G], roster: Roster) -> None:
        """Set the game up, or lay out the scenario, and run to the first decision."""
        ...

    def arranged(self, draw: Draw, situation: Mapping[str, JsonValue]) -> Draw:
        """The draws of a batch at a table with a situation, which may prearrange some of them."""
        ...

    def choose(self, work: Working[G], decision: Decision, option: str) -> None:
        """Carry out an option of a decision that ``find`` gives, and run to the next decision."""
        ...

    def withdraw(self, work: Working[G], seat: Seat) -> None:
        """A player has resigned; the table answers its decisions with defaults from now on."""
        ...

    def settle(self, work: Working[G]) -> None:
        """Record the agenda; called once, at the end of a batch."""
        ...

    def decisions(self, state: G, seat: Seat) -> list[Decision]:
        """The game's own decisions that ``seat`` must or may make now."""
        ...

    def find(self, state: G, seat: Seat, decision: str) -> Decision | None:
        """The decision with that id among ``decisions(state, seat)``, if it exists."""
        ...

    def branch(self, state: G, decision: Decision, path: tuple[str, ...]) -> tuple[Option, ...]:
        """The options below the branch at ``path`` of an open decision; empty: no such branch.

        ``path`` holds the parts of the branch's id, at least one. A branch that is listed has at
        least one leaf somewhere below it. A seat's view and the truth list the same.
        """
        ...

    def offers(self, state: G, decision: Decision, option: str) -> bool:
        """Whether ``option`` is the id of a leaf of an open decision.

        That is so exactly if one can walk to it, from the decision's options down the branches.
        """
        ...

    def is_secret(self, state: G, decision: str) -> bool:
        """Whether an open decision asks for a secret choice; undefined for any other."""
        ...

    def is_kept(self, state: G, decision: str) -> bool:
        """Whether an open decision asks for a choice that is kept; undefined for any other."""
        ...

    def void(self, events: Sequence[Event]) -> frozenset[int]:
        """The indexes of those events whose kept fields have never counted, by the others.

        It goes by what everybody can see: of an event whose kept fields count, or may yet, the
        fields are opened at the end, and re-adjudication holds the game to them.
        """
        ...

    def halt(self, state: G) -> Halt | None:
        """What the game waits for; None before it begins and after it ends."""
        ...

    def wait(self, state: G) -> Wait | None:
        """As ``halt``, with the decisions in full."""
        ...

    def outcome(self, state: G) -> Outcome | None:
        """How the game ended, or None while it runs."""
        ...

    def turn(self, state: G) -> int:
        """The current turn, from 1; 0 before the game begins."""
        ...

    def viewer(self, state: G, seat: Seat) -> Viewer:
        """The viewer at ``seat``, with its team if teams share secrets."""
        ...


Strikes = Literal["turn", "wait", "none"]
"""How missed limits count towards absence: once a turn, each time, or not at all."""


class WaitClass(Struct, frozen=True, kw_only=True):
    """A class of waits with a time limit that a table may set, in seconds.

    ``strikes`` says how it counts that a seat lets its time run out.
    """

    default_s: int
    least_s: int = 1
    most_s: int = 14 * 24 * 3600
    strikes: Strikes = "turn"


class TimeControl(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Time limits of a table.

    ``limits_s`` are seconds by the game's classes of waits; of those that are left out the game's
    defaults hold, and an opened table has them all. ``absent_after`` turns or limits missed in a
    row, as the class of wait says, mark a seat absent; a house bot answers no sooner than
    ``bot_pace_ms`` milliseconds after it was asked.
    """

    limits_s: Mapping[str, int] = {}
    absent_after: int = 2
    bot_pace_ms: DurationMs = 0


class Unavailable(Struct, frozen=True):
    """Something that an open decision might be expected to offer, and does not.

    ``meaning`` says what, in fields that an option's meaning has; ``code`` is one of the game's
    reasons, which never change. In the game's words ``unavailable.<code>`` is the reason, and
    ``cannot.<kind>`` says before it what a decision of a kind does not allow; ``about`` tells apart
    what else it may not allow, of which ``cannot.<kind>.<about>`` says so.
    """

    meaning: Mapping[str, JsonValue]
    code: str
    about: str = ""


WhyNot = Callable[[Any, Decision, tuple[str, ...]], tuple[Unavailable, ...]]
"""Gives what a decision does not offer on a level: of a state, by the path of a branch, or none."""


def _nothing_told(_: Any, __: Decision, ___: tuple[str, ...]) -> tuple[Unavailable, ...]:  # noqa: ANN401 (any game's state)
    return ()


def _never_out(_: Any, __: Seat) -> bool:  # noqa: ANN401 (any game's state)
    return False


def _no_finishes(_: Any) -> Mapping[Seat, Finish]:  # noqa: ANN401 (any game's state)
    return {}


class Rules(Struct, frozen=True, kw_only=True, eq=False):
    """The rules of a game: everything that decides, and all of it that a rules archive holds.

    ``id`` is the game's. ``events`` are the types of its own events; their tags are its own too,
    and another game may have the same. ``tags`` are the rules tags by rulebook, raised by hand with
    every change to what is decided. ``rejections`` are the decider's refusal codes, ``waits`` its
    classes of waits by name, ``phrases`` what its players can say to each other. ``is_out`` tells,
    by what everybody knows of the game's state, whether a seat takes no part now: nothing that the
    table asks all players waits for it. ``sides`` are the parts that may be dealt in the game, and
    ``finishes`` tells how each seat ended it, by what everybody knows then; of a game without it,
    and before the end, nothing is told. ``unavailable`` tells of an open decision what it might be
    expected to offer and does not, by what its seat may know, on the first level or below a branch,
    of which it is given the parts; it is asked only on demand.
    """

    id: str
    decider: Game[Any]
    events: tuple[type[Event], ...]
    tags: Mapping[str, str]
    rejections: frozenset[str]
    waits: Mapping[str, WaitClass]
    phrases: Phrasebook = Phrasebook()
    is_out: Callable[[Any, Seat], bool] = _never_out
    sides: tuple[str, ...] = ()
    finishes: Callable[[Any], Mapping[Seat, Finish]] = _no_finishes
    unavailable: WhyNot = _nothing_told
