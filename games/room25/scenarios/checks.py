"""The checks and the step that only Room 25 has (pure).

Facts are compared only where a check names them; a fact that the check leaves out may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from games.room25.opening.situation import CellName
from games.room25.rules.programming import JOIN
from games.scenarios import Act, Check, SeatChoice, SeatNumber, ViewerName, Word

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


OwnCheck = GameCheck | CharacterCheck | TileCheck | RoomsCheck | RolesCheck


class Program(Act, frozen=True, kw_only=True, tag="program"):
    """A seat programmes a character, its only one unless named: a choice of kind `program`."""

    told: ClassVar[str] = "tokens"

    seat: SeatNumber
    tokens: tuple[str, ...]
    character: Word | None = None
    refused: Word | None = None

    def choice(self) -> SeatChoice:
        """The option of these tokens."""
        return SeatChoice(
            seat=self.seat,
            kind="program",
            option=JOIN.join(self.tokens),
            character=self.character,
            refused=self.refused,
        )
