"""The scenario format: a situation, what the seats do, and what must then be true.

A file holds one or several scenarios. The structs here are what the files of all games have; what
only one game has (its situations, its own checks and steps, the names of its phases) is put into
them by ``forms``. They refuse unknown fields, and ``openapi/scenario.schema.json`` is made of them.
``docs/scenarios.md`` explains it.

Facts are compared only where a check names them; a fact that the check leaves out may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.package import GamePackage
from games.scenarios import Act, Check, SeatNumber, Step, ViewerName, Word

ScenarioId = Annotated[str, Meta(pattern=r"^(S-[0-9]{3}|S[0-9]{2,3}|X-[0-9A-Z]+)[a-z]?\Z")]
Citation = Annotated[str, Meta(pattern=r"^(§[0-9]+(\.[0-9]+)*|[CDHR][0-9]+b?)\Z")]
"""A section, ruling or decision point of the rules."""

Pattern = Mapping[str, Any]
"""Part of an event: its ``type``, and some of its fields with the values that they must have."""


# --- checks ---


class EndCheck(Check, frozen=True, kw_only=True, tag="end"):
    """The game is over, like this. ``winners`` are seats."""

    reason: str | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    winners: tuple[int, ...] | UnsetType = UNSET
    score: int | UnsetType | None = UNSET


class RunningCheck(Check, frozen=True, kw_only=True, tag="running"):
    """The game goes on."""


class OptionsCheck(Check, frozen=True, kw_only=True, tag="options"):
    """A decision of a seat is open, with these options.

    ``are`` is the whole list in its order; ``default`` null means that it has none. With ``below``
    they are those below the branch of this id. Nobody else learns of a choice that is ``secret``.
    """

    seat: SeatNumber
    kind: Word
    character: Word | None = None
    below: str | None = None
    are: tuple[str, ...] | UnsetType = UNSET
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    count: int | UnsetType = UNSET
    default: str | UnsetType | None = UNSET
    optional: bool | UnsetType = UNSET
    secret: bool | UnsetType = UNSET


class NoDecisionCheck(Check, frozen=True, kw_only=True, tag="no_decision"):
    """A seat has no such decision open; without a kind, none that it must answer."""

    seat: SeatNumber
    kind: Word | None = None
    character: Word | None = None


class EventsCheck(Check, frozen=True, kw_only=True, tag="events"):
    """What has happened, as ``viewer`` may read it.

    ``include`` are found in this order, others in between or not; nothing matches ``exclude``. They
    are sought from the ``start`` of the game, or since the beginning of the ``step``.
    """

    viewer: ViewerName = "public"
    since: Literal["start", "step"] = "start"
    include: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()


class OneOfCheck(Check, frozen=True, kw_only=True, tag="one_of"):
    """At least one of these holds."""

    of: Annotated[tuple[Check, ...], Meta(min_length=2)]


CHECKS: Final[tuple[type[Check], ...]] = (
    EndCheck,
    RunningCheck,
    OptionsCheck,
    NoDecisionCheck,
    EventsCheck,
    OneOfCheck,
)
"""The checks of all games."""


# --- steps ---


class Choose(Step, frozen=True, kw_only=True, tag="choose"):
    """A seat chooses an option of its open decision of a kind.

    The game first runs on defaults until that decision comes up. ``refused`` expects this problem
    and no change; then the game runs on nothing: the step is tried where the game stands, under
    the id ``decision`` where no such decision is open.
    """

    seat: SeatNumber
    kind: Word
    option: str
    character: Word | None = None
    decision: Word | None = None
    refused: Word | None = None


class TimeOut(Step, frozen=True, kw_only=True, tag="time_out"):
    """Nobody answers in time what the game waits for.

    With ``seat`` and ``kind`` the game first runs on defaults until that decision is open.
    """

    seat: SeatNumber | None = None
    kind: Word | None = None
    character: Word | None = None


class Resign(Step, frozen=True, kw_only=True, tag="resign"):
    """A seat resigns."""

    seat: SeatNumber


class RunUntil(Step, frozen=True, kw_only=True, tag="run_until"):
    """The game runs on defaults until all that is said here is true; at once, if it is.

    ``end``: the game is over. ``by``: whether the runner chooses the defaults for the seats, or
    lets their time run out.
    """

    turn: int | None = None
    phase: str | None = None
    seat: SeatNumber | None = None
    kind: Word | None = None
    character: Word | None = None
    end: bool = False
    by: Literal["defaults", "time_out"] = "defaults"


class Look(Step, frozen=True, kw_only=True, tag="look"):
    """Nothing is done; only the checks are made."""


STEPS: Final[tuple[type[Step], ...]] = (Choose, TimeOut, Resign, RunUntil, Look)
"""The steps of all games."""

AnyStep = Choose | Act | TimeOut | Resign | RunUntil | Look


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One scenario, played once for each of its ``rulebooks``.

    ``cites`` are sections and rulings of the rules. ``given`` is a table's ``scenario``; without it
    the game is set up by the rulebook, ``seeds`` times, and everything must hold each time, while
    each check of ``sometimes`` must hold at the end of at least one time. ``characters`` are those
    that the seats request, in order. ``refused``: opening the table is refused with this problem.
    ``absent_after`` so many turns missed in a row a seat counts as absent (H19).
    """

    game: ClassVar[GamePackage]

    id: ScenarioId
    title: str
    cites: Annotated[tuple[Citation, ...], Meta(min_length=1)]
    rulebooks: Annotated[tuple[str, ...], Meta(min_length=1)]
    mode: str
    seats: SeatNumber
    options: Mapping[str, Any] = {}
    absent_after: Annotated[int, Meta(ge=1, le=100)] = 100
    given: Struct | None = None
    seeds: Annotated[int, Meta(ge=1, le=1000)] = 1
    characters: tuple[tuple[str, ...], ...] = ()
    refused: Word | None = None
    when: tuple[Step, ...] = ()
    then: tuple[Check, ...] = ()
    sometimes: tuple[Check, ...] = ()


class ScenarioFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file: the game that it is about, a word about what it holds, and its scenarios.

    ``rulebooks`` are those of every scenario that names none itself.
    """

    game: str
    about: str
    rulebooks: tuple[str, ...] = ()
    scenarios: Annotated[tuple[Scenario, ...], Meta(min_length=1)]
    schema: str = field(name="$schema", default="")
