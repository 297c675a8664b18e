"""The vocabulary of the log: events, commands, audiences, viewers, deciders (pure).

Nothing here knows a game, a clock or a store. Every field of every event and command declares who
may read it; a field without a declaration stops the program at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    Protocol,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import fields, replace

from events.draw import Draw

T = TypeVar("T")
M = TypeVar("M", bound="Message")
S = TypeVar("S")

Seat = int
"""A person's place at a table, counted from 1."""

_LONG: Final = Meta(extra_json_schema={"format": "int64"})
"""Readers of published schemas assume 32-bit integers unless told otherwise."""

TimestampMs = Annotated[int, _LONG]
"""A point in time: milliseconds since 1970-01-01T00:00:00Z."""

DurationMs = Annotated[int, _LONG]
"""A length of time in milliseconds."""

Version = Annotated[int, _LONG]
"""The number of an event in its stream, counted from 1; or that of the last event."""


class Audience(Enum):
    """Who may read a field."""

    EVERYONE = "everyone"
    SEAT = "seat"
    TEAM = "team"
    END = "end"
    KEPT = "kept"


Public = Annotated[T, Audience.EVERYONE]
"""Readable by everybody, spectators included."""
OnlySeat = Annotated[T | UnsetType, Audience.SEAT]
"""Readable by the seat that the message names in its field ``seat``; UNSET for the others."""
OnlyTeam = Annotated[T | UnsetType, Audience.TEAM]
"""Readable by every seat of the team that the message names in its field ``team``."""
AtEnd = Annotated[T | UnsetType, Audience.END]
"""Readable by nobody before the game has ended."""
Kept = Annotated[T | UnsetType, Audience.KEPT]
"""Readable by the seat that the message names in its field ``seat``, and by nobody else for ever;
only a record opens it, where the game says that it has counted."""


class AudienceError(TypeError):
    """A message type has a field without exactly one audience; raised at import."""


def _markers(hint: object) -> list[Audience]:
    """Every audience found anywhere in a type hint, at any depth."""
    found = [m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Audience)]
    inner = get_args(hint)
    if get_origin(hint) is Annotated or getattr(hint, "__metadata__", None):
        inner = inner[:1]
    for part in inner:
        found += _markers(part)
    return found


def read_audiences(kind: type[Message]) -> dict[str, Audience]:
    """The audience of each field of a message type, in field order.

    Raises:
        AudienceError: a field has no audience, several, one that is buried in another type, or
            one whose owner the message does not name.
    """
    hints = {
        name: hint
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if get_origin(hint) is not ClassVar and name not in {"tag", "publishes", "incidental"}
    }
    result: dict[str, Audience] = {}
    for name, hint in hints.items():
        where = f"{kind.__name__}.{name}"
        top = [m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Audience)]
        if len(top) != 1 or len(_markers(hint)) != 1:
            msg = f"{where} must name exactly one audience, at its outermost type"
            raise AudienceError(msg)
        result[name] = top[0]
    owners = ((Audience.SEAT, "seat"), (Audience.KEPT, "seat"), (Audience.TEAM, "team"))
    for audience, owner in owners:
        if audience in result.values() and result.get(owner) is not Audience.EVERYONE:
            msg = f"{kind.__name__} has a field for its {owner}, but no public field {owner!r}"
            raise AudienceError(msg)
    return result


def require_unset_defaults(kind: type[Message]) -> None:
    """Check that the secret fields of a complete message type may be absent.

    msgspec knows the defaults only after the class is made, so the codec's registry calls this.

    Raises:
        AudienceError: a secret field has another default than ``UNSET``.
    """
    for field in fields(kind):
        if field.name in kind.secrets and field.default is not UNSET:
            msg = f"{kind.__name__}.{field.name} is secret, so its default must be UNSET"
            raise AudienceError(msg)


class Message(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    gc=False,  # what comes from JSON and goes there holds no cycles
):
    """What events and commands share: a tag and an audience on every field.

    Fields that have their default are not written: logs are smaller, and a field that is added
    later does not change the bytes of what can do without it.
    """

    audiences: ClassVar[Mapping[str, Audience]] = {}
    secrets: ClassVar[tuple[str, ...]] = ()
    withheld: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Read the audiences off the annotations; refuse a field without one."""
        super().__init_subclass__()
        cls.audiences = read_audiences(cls)
        cls.secrets = tuple(n for n, a in cls.audiences.items() if a is not Audience.EVERYONE)
        cls.withheld = tuple(n for n, a in cls.audiences.items() if a is Audience.KEPT)


class Event(Message, frozen=True, kw_only=True):
    """A fact that has happened. Names are past tense; a stored event is never edited.

    ``publishes`` marks events that reveal something secret (a room turned up, a role shown): the
    only places where two games that differ in a secret may diverge. ``incidental`` marks events
    that do not change what is being decided (a clock was started, a player came back): a choice
    made at the version before them still means the same.
    """

    publishes: ClassVar[bool] = False
    incidental: ClassVar[bool] = False


class Command(Message, frozen=True, kw_only=True):
    """A request to change state, named in the imperative. Its fields have audiences too."""


class Viewer(Struct, frozen=True):
    """Who is looking: the public, a seat (with its team), or an auditor who may read all.

    ``owner``: it is the seat itself that looks, and nobody else with its eyes. Before the version
    ``since`` it sees no more than the public.
    """

    kind: Literal["public", "seat", "full"] = "public"
    seat: Seat | None = None
    team: str | None = None
    owner: bool = True
    since: Version = 0

    def at(self, version: Version) -> Viewer:
        """Who looks at the event ``version``."""
        return self if version >= self.since else PUBLIC


PUBLIC: Final = Viewer()
FULL: Final = Viewer(kind="full")


def may_read(message: Message, field: str, viewer: Viewer) -> bool:
    """Whether ``viewer`` may read ``field`` of ``message``, by its declaration and nothing else."""
    audience = message.audiences[field]
    if audience is Audience.EVERYONE:
        return True
    if viewer.kind == "full":
        return audience is not Audience.KEPT
    if audience is Audience.KEPT and not viewer.owner:
        return False
    if audience is Audience.SEAT or audience is Audience.KEPT:  # a set would hash three members
        return viewer.seat is not None and viewer.seat == getattr(message, "seat", None)
    if audience is Audience.TEAM:
        return viewer.team is not None and viewer.team == getattr(message, "team", None)
    return False


def redact(message: M, viewer: Viewer) -> M:
    """``message`` as ``viewer`` may read it: fields meant for others are UNSET."""
    hidden = [name for name in message.secrets if not may_read(message, name, viewer)]
    return replace(message, **dict.fromkeys(hidden, UNSET)) if hidden else message


class Actor(Struct, frozen=True, gc=False):
    """Who issued a command.

    ``id`` is the player's id, the worker's name, or the player id of the director or the auditor.
    """

    kind: Literal["player", "bot", "director", "worker", "auditor"]
    id: str


class Context(Struct, frozen=True):
    """What a decision may know beside the state: the batch's time, the actor, seeded draws."""

    now: TimestampMs
    actor: Actor
    draw: Draw


class Rejected(Exception):
    """The rules refuse a command. Nothing has happened.

    ``code`` is stable and documented; ``detail`` is one sentence free of other people's secrets.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Option(Struct, frozen=True, omit_defaults=True):
    """An option of a decision: an id, unique in the decision, and what it means.

    It is a leaf, which can be chosen, or a ``branch`` (missing if false), which cannot: the options
    below it are listed on demand, and their ids go on from its own. So ``trade.s2.wood-wool`` is
    below ``trade.s2``: parts are joined by ``.``, members of one part by ``-``.
    """

    id: str
    meaning: Mapping[str, Any] = {}
    branch: bool = False


class Decision(Struct, frozen=True, kw_only=True):
    """What a seat must choose now, or (``optional``) may.

    ``options``: the first level; what is below the branches among them is listed on demand.
    ``secret``: the choice stays its seat's own until a closing event publishes it.
    ``answered``: a choice has been handed in and may still be replaced.
    ``default`` is the option taken on time-out; an optional decision has none.
    ``kept``: it stays its seat's own for ever, unless the game says that it has counted; missing
    if it is not so.
    ``subject``: the id of what the choice is for or about, such as a character; the game says.
    ``deadline`` is in milliseconds, UTC; filled in by the table.
    """

    id: str
    kind: str
    seat: Seat
    options: tuple[Option, ...]
    subject: str | None = None
    default: str | None = None
    optional: bool = False
    secret: bool = False
    answered: bool = False
    deadline: TimestampMs | None = None
    kept: bool | UnsetType = UNSET

    def offers(self, option: object) -> bool:
        """Whether a leaf of the first level has this id."""
        for each in self.options:  # every choice asks, and a generator takes twice as long
            if each.id == option:
                return not each.branch
        return False


class Working(Generic[S]):
    """A batch in the making: a private state, the events so far, and the context.

    ``emit`` folds an event into the private state at once, so that what a decision does next sees
    what it has already done. ``events`` may be shared with an enclosing batch. ``before`` is the
    state that the batch started from, not to be changed. ``asides`` are a decider's remarks that no
    event records, each with the number of events before it; they are never stored.
    """

    __slots__ = ("_evolve", "asides", "before", "context", "events", "state")

    def __init__(
        self,
        evolve: Callable[[S, Event], S],
        state: S,
        context: Context,
        events: list[Event] | None = None,
        before: S | None = None,
    ) -> None:
        self._evolve = evolve
        self.before = before
        self.state = state
        self.context = context
        self.events: list[Event] = [] if events is None else events
        self.asides: list[tuple[int, object]] = []

    def note(self, aside: object) -> None:
        """Add an aside: something that no event records."""
        self.asides.append((len(self.events), aside))

    def emit(self, event: Event) -> None:
        """Append ``event`` to the batch and fold it into the private state."""
        self.state = self._evolve(self.state, event)
        self.events.append(event)


class Decider(Protocol[S]):
    """An aggregate: three pure functions and the open decisions.

    ``evolve`` owns the state that it is given: it may change and return that very object.
    ``decide`` never changes its argument. ``copy`` gives a private copy; parts are immutable
    values, so a shallow one is enough.

    ``carry_out`` returns the state along with the events, so that no caller folds them again:
    ``work.state == fold(self, work.events, state)``, always.
    """

    def initial(self) -> S:
        """The state of the empty stream."""
        ...

    def copy(self, state: S) -> S:
        """A private copy that ``evolve`` may consume."""
        ...

    def decide(self, command: Command, state: S, context: Context) -> list[Event]:
        """The events that ``command`` makes; never an empty list.

        Raises:
            Rejected: the command is not legal now.
        """
        ...

    def carry_out(self, command: Command, state: S, context: Context) -> Working[S]:
        """As ``decide``: the events and the private state after them, which the caller owns.

        Raises:
            Rejected: the command is not legal now.
        """
        ...

    def evolve(self, state: S, event: Event) -> S:
        """Fold one fact into the state. Total and pure; it validates nothing."""
        ...

    def decisions(self, state: S, seat: Seat) -> list[Decision]:
        """Everything that ``seat`` must or may choose now, with the options enumerated."""
        ...

    def seed(self, state: S) -> bytes:
        """The seed of the stream's draws as far as the state knows it, else ``b""``."""
        ...

    def wake_at(self, state: S) -> TimestampMs | None:
        """When a worker must next look at the stream (a deadline, a bot's turn), if ever."""
        ...

    def status(self, state: S) -> str:
        """A short public word for lists: ``open``, ``live``, ``finished`` ..."""
        ...


def fold(decider: Decider[S], events: Iterable[Event], state: S | None = None) -> S:
    """Fold events into a state: a fresh one, or a private copy of ``state``."""
    folded = decider.initial() if state is None else decider.copy(state)
    evolve = decider.evolve
    for event in events:
        folded = evolve(folded, event)
    return folded
