"""The scenario format: a situation, what the seats do, and what must then be true.

A file holds one or several scenarios. The structs here *are* the format: they refuse unknown
fields, and ``openapi/scenario.schema.json`` is made of them. ``docs/scenarios.md`` explains it.

Facts are compared only where a check names them; a fact that the check leaves out may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.room25.situation import CellName, Situation

ViewerName = Annotated[str, Meta(pattern=r"^(public|full|seat:[1-9][0-9]?)\Z")]
"""Who looks: everybody (``public``), one seat, or an auditor who may see all (``full``)."""

SeatNumber = Annotated[int, Meta(ge=1, le=8)]
Word = Annotated[str, Meta(min_length=1, max_length=100)]
ScenarioId = Annotated[str, Meta(pattern=r"^(S-[0-9]{3}|X-[0-9A-Z]+)[a-z]?\Z")]
Citation = Annotated[str, Meta(pattern=r"^(§[0-9]+(\.[0-9]+)*|[DHR][0-9]+b?)\Z")]
"""A section, ruling or decision point of the rules."""

Phase = Literal[
    "setup",
    "starting_clue",
    "cards",
    "programming",
    "round_1",
    "round_2",
    "adrenaline",
    "countdown",
    "ended",
]
Game = Literal["room25"]
"""The game whose scenarios have this form: their situations, steps and checks are in its words."""

Pattern = Mapping[str, Any]
"""Part of an event: its ``type``, and some of its fields with the values that they must have."""


# --- checks ---


class Check(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="check",
):
    """Something that must be true."""


class GameCheck(Check, frozen=True, kw_only=True, tag="game"):
    """Facts of the whole game, by the names that a view gives them.

    ``robots`` holds the cell of each robot, null for one in supply; ``locks`` are those in supply.
    """

    viewer: ViewerName = "public"
    turn: int | UnsetType = UNSET
    last_turn: int | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    round: int | UnsetType = UNSET
    order: tuple[str, ...] | UnsetType = UNSET
    markers: Mapping[str, str] | UnsetType = UNSET
    dead: tuple[str, ...] | UnsetType = UNSET
    composition: Mapping[str, int] | UnsetType = UNSET
    options: Mapping[str, Any] | UnsetType = UNSET
    room25_revealed: bool | UnsetType = UNSET
    key_activated: bool | UnsetType = UNSET
    undealt: tuple[str, ...] | UnsetType | None = UNSET
    robots: tuple[CellName | None, ...] | UnsetType = UNSET
    locks: int | UnsetType = UNSET
    deck_size: int | UnsetType = UNSET
    discard: tuple[str, ...] | UnsetType = UNSET
    shown: tuple[str, ...] | UnsetType = UNSET


class CharacterCheck(Check, frozen=True, kw_only=True, tag="character"):
    """Facts of one character.

    ``cell`` null: it is not on the board. ``role`` null: this viewer does not know it. ``program``
    holds null for each token that the viewer does not know, and is null itself if not even their
    number is known, or if there is no programme. ``trap`` says whether one is armed under it,
    ``flood`` the turn whose second slot drowns it. ``stacked`` is the height of the stack from
    which a ``paranoid`` one draws.
    """

    id: Word
    viewer: ViewerName = "public"
    seat: int | UnsetType = UNSET
    team: str | UnsetType = UNSET
    cell: CellName | UnsetType | None = UNSET
    alive: bool | UnsetType = UNSET
    role: str | UnsetType | None = UNSET
    role_public: bool | UnsetType = UNSET
    program: tuple[str | None, ...] | UnsetType | None = UNSET
    delayed: bool | UnsetType = UNSET
    free: bool | UnsetType = UNSET
    limited: bool | UnsetType = UNSET
    acted: int | UnsetType = UNSET
    used: tuple[str, ...] | UnsetType = UNSET
    passed: bool | UnsetType = UNSET
    lost: tuple[str, ...] | UnsetType = UNSET
    trap: bool | UnsetType = UNSET
    flood: int | UnsetType | None = UNSET
    adrenaline: str | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET
    spares: int | UnsetType = UNSET
    paranoid: bool | UnsetType = UNSET
    stacked: int | UnsetType = UNSET


class TileCheck(Check, frozen=True, kw_only=True, tag="tile"):
    """Facts of the tile that lies at ``at``. ``kind`` null: this viewer does not know it."""

    at: CellName
    viewer: ViewerName = "public"
    id: int | UnsetType = UNSET
    kind: str | UnsetType | None = UNSET
    up: bool | UnsetType = UNSET
    seal: bool | UnsetType = UNSET
    lock: bool | UnsetType = UNSET
    axis: str | UnsetType | None = UNSET
    reminders: tuple[int, ...] | UnsetType = UNSET


class RoomsCheck(Check, frozen=True, kw_only=True, tag="rooms"):
    """How many tiles of a kind (or of any) lie face-up or face-down (or either), and where."""

    viewer: ViewerName = "public"
    kind: str | UnsetType = UNSET
    up: bool | UnsetType = UNSET
    count: int | UnsetType = UNSET
    cells: tuple[CellName, ...] | UnsetType = UNSET
    within: tuple[CellName, ...] | UnsetType = UNSET


class RolesCheck(Check, frozen=True, kw_only=True, tag="roles"):
    """How many characters this viewer knows to have a role."""

    role: Word
    count: int
    viewer: ViewerName = "public"


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

    ``are`` is the whole list in its order; ``default`` null means that it has none.
    """

    seat: SeatNumber
    kind: Word
    character: Word | None = None
    are: tuple[str, ...] | UnsetType = UNSET
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    count: int | UnsetType = UNSET
    default: str | UnsetType | None = UNSET
    optional: bool | UnsetType = UNSET


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

    of: Annotated[tuple[AnyCheck, ...], Meta(min_length=2)]


AnyCheck = (
    GameCheck
    | CharacterCheck
    | TileCheck
    | RoomsCheck
    | RolesCheck
    | EndCheck
    | RunningCheck
    | OptionsCheck
    | NoDecisionCheck
    | EventsCheck
    | OneOfCheck
)


# --- steps ---


class Step(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="do",
):
    """Something that is done; ``then`` must be true right after it."""

    then: tuple[AnyCheck, ...] = ()


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


class Program(Step, frozen=True, kw_only=True, tag="program"):
    """A seat programmes a character, its only one unless named: a choice of kind ``program``."""

    seat: SeatNumber
    tokens: tuple[str, ...]
    character: Word | None = None
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
    phase: Phase | None = None
    seat: SeatNumber | None = None
    kind: Word | None = None
    character: Word | None = None
    end: bool = False
    by: Literal["defaults", "time_out"] = "defaults"


class Look(Step, frozen=True, kw_only=True, tag="look"):
    """Nothing is done; only the checks are made."""


AnyStep = Choose | Program | TimeOut | Resign | RunUntil | Look


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One scenario, played once for each of its ``rulebooks``.

    ``cites`` are sections and rulings of the rules. ``given`` is a table's ``scenario``; without it
    the game is set up by the rulebook, ``seeds`` times, and everything must hold each time, while
    each check of ``sometimes`` must hold at the end of at least one time. ``characters`` are the
    wishes of the seats, in order. ``refused``: opening the table is refused with this problem.
    ``absent_after`` so many turns missed in a row a seat counts as absent (H19).
    """

    id: ScenarioId
    title: str
    cites: Annotated[tuple[Citation, ...], Meta(min_length=1)]
    rulebooks: Annotated[tuple[str, ...], Meta(min_length=1)]
    mode: str
    seats: SeatNumber
    options: Mapping[str, Any] = {}
    absent_after: Annotated[int, Meta(ge=1, le=100)] = 100
    given: Situation | None = None
    seeds: Annotated[int, Meta(ge=1, le=1000)] = 1
    characters: tuple[tuple[str, ...], ...] = ()
    refused: Word | None = None
    when: tuple[AnyStep, ...] = ()
    then: tuple[AnyCheck, ...] = ()
    sometimes: tuple[AnyCheck, ...] = ()


class ScenarioFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file: the game that it is about, a word about what it holds, and its scenarios."""

    game: Game
    about: str
    scenarios: Annotated[tuple[Scenario, ...], Meta(min_length=1)]
    schema: str = field(name="$schema", default="")
