"""The checks and the step that only Cerveauuu! has (pure).

Facts are compared only where a check names them; a fact that the check leaves out may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from games.cerveauuu.opening.situation import CellName, EdgeName, PieceName
from games.cerveauuu.rules.plays import PLAY
from games.scenarios import Act, Check, SeatChoice, SeatNumber, ViewerName, Word

Phase = Literal["setup", "draw", "panic", "wandering", "zombies", "end"]


class GameCheck(Check, frozen=True, kw_only=True, tag="game"):
    """Facts of the whole game, by the names that a view gives them.

    ``weather`` is the card in effect, null if there is none; ``go`` the seat whose go it is, null
    outside of goes; ``bans`` are the types of cards that cannot be played.
    """

    viewer: ViewerName = "public"
    round: int | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    chief: int | UnsetType = UNSET
    go: int | UnsetType | None = UNSET
    deck_size: int | UnsetType = UNSET
    credits: tuple[str, ...] | UnsetType = UNSET
    credits_need: int | UnsetType = UNSET
    weather: str | UnsetType | None = UNSET
    media_lock: bool | UnsetType = UNSET
    bans: tuple[str, ...] | UnsetType = UNSET
    dormant: tuple[int, ...] | UnsetType = UNSET
    options: Mapping[str, Any] | UnsetType = UNSET


class SeatCheck(Check, frozen=True, kw_only=True, tag="seat"):
    """Facts of one seat.

    ``cards`` are those of its hand in the order of their ``numbers``, null for one that this viewer
    does not know; ``hand_size`` is how many. ``yields`` is its standing order as its option is
    called, null if it has none. ``draws`` and ``keeps`` are its stats as they read now.
    """

    seat: SeatNumber
    viewer: ViewerName = "public"
    colour: str | UnsetType = UNSET
    score: int | UnsetType = UNSET
    played: int | UnsetType = UNSET
    hand_size: int | UnsetType = UNSET
    numbers: tuple[int, ...] | UnsetType = UNSET
    cards: tuple[str | None, ...] | UnsetType = UNSET
    pile: tuple[str, ...] | UnsetType = UNSET
    swapped: bool | UnsetType = UNSET
    replacing: bool | UnsetType = UNSET
    dormant: bool | UnsetType = UNSET
    yields: str | UnsetType | None = UNSET
    draws: int | UnsetType = UNSET
    keeps: int | UnsetType = UNSET


class PieceCheck(Check, frozen=True, kw_only=True, tag="piece"):
    """Facts of one piece.

    ``cell`` null: it is not on the board. ``controller`` null: it is a human. ``move``, ``combat``,
    ``sight`` and ``wander`` are its stats as they read now.
    """

    id: PieceName
    viewer: ViewerName = "public"
    cell: CellName | UnsetType | None = UNSET
    controller: int | UnsetType | None = UNSET
    blocked: bool | UnsetType = UNSET
    doomed: bool | UnsetType = UNSET
    moved: bool | UnsetType = UNSET
    activated: bool | UnsetType = UNSET
    attacked: bool | UnsetType = UNSET
    must_leave: bool | UnsetType = UNSET
    protections: tuple[str, ...] | UnsetType = UNSET
    touched_by: tuple[int, ...] | UnsetType = UNSET
    move: int | UnsetType = UNSET
    combat: int | UnsetType = UNSET
    sight: int | UnsetType = UNSET
    wander: int | UnsetType = UNSET


class PiecesCheck(Check, frozen=True, kw_only=True, tag="pieces"):
    """How many pieces there are: ``humans``, ``zombies``, those of a seat, those that are up."""

    viewer: ViewerName = "public"
    humans: int | UnsetType = UNSET
    zombies: int | UnsetType = UNSET
    controlled: Mapping[int, int] | UnsetType = UNSET
    blocked: int | UnsetType = UNSET


class CellCheck(Check, frozen=True, kw_only=True, tag="cell"):
    """Facts of a cell; ``piece`` null: nobody stands on it, ``building`` empty: it is outdoors."""

    at: CellName
    viewer: ViewerName = "public"
    piece: PieceName | UnsetType | None = UNSET
    building: str | UnsetType = UNSET
    impassable: bool | UnsetType = UNSET
    opaque: bool | UnsetType = UNSET


class EdgeCheck(Check, frozen=True, kw_only=True, tag="edge"):
    """What an edge between two cells is: its stored ``state``, and what counts (``effective``)."""

    at: EdgeName
    viewer: ViewerName = "public"
    state: str | UnsetType = UNSET
    effective: str | UnsetType = UNSET


class CellsCheck(Check, frozen=True, kw_only=True, tag="cells"):
    """What two cells are to each other: whether who stands on ``first`` ``sees`` ``second``.

    ``distance`` is the least number of steps between them, pieces ignored, 99 if there is no way;
    they are ``adjacent`` if it is one.
    """

    first: CellName
    second: CellName
    viewer: ViewerName = "public"
    adjacent: bool | UnsetType = UNSET
    sees: bool | UnsetType = UNSET
    distance: int | UnsetType = UNSET


class MapCheck(Check, frozen=True, kw_only=True, tag="map"):
    """Figures of the map as it was given: how many cells there are, and which.

    ``doors`` are the open ones, ``farthest`` is the greatest distance between two cells.
    ``prints_back``: its text is what it prints as, and is read the same again.
    """

    viewer: ViewerName = "public"
    cells: int | UnsetType = UNSET
    indoor: int | UnsetType = UNSET
    border: int | UnsetType = UNSET
    impassable: int | UnsetType = UNSET
    doors: int | UnsetType = UNSET
    farthest: int | UnsetType = UNSET
    prints_back: bool | UnsetType = UNSET


class DeckCheck(Check, frozen=True, kw_only=True, tag="deck"):
    """What lies in the deck, which only the view ``full`` shows, from the top.

    ``credits`` are the numbers of end-credits cards in its ``parts``, which are so many cards each.
    """

    viewer: ViewerName = "full"
    size: int | UnsetType = UNSET
    top: tuple[str, ...] = ()
    parts: tuple[int, ...] = ()
    credits: tuple[int, ...] | UnsetType = UNSET


class WindowCheck(Check, frozen=True, kw_only=True, tag="window"):
    """Facts of the window that is open; ``kind`` null: none is.

    ``passed`` are the seats that have been passed at once, with the reason; ``answered`` those who
    have handed in an answer. ``timeline`` is the plan from the window's opening, as pairs of a
    piece and a cell; ``steps`` is how many there are.
    """

    viewer: ViewerName = "public"
    kind: str | UnsetType | None = UNSET
    number: int | UnsetType = UNSET
    trigger: int | UnsetType = UNSET
    version: int | UnsetType = UNSET
    floor: int | UnsetType = UNSET
    order: tuple[int, ...] | UnsetType = UNSET
    passed: Mapping[int, str] | UnsetType = UNSET
    answered: tuple[int, ...] | UnsetType = UNSET
    timeline: tuple[tuple[str, str], ...] | UnsetType = UNSET
    steps: int | UnsetType = UNSET


class FightCheck(Check, frozen=True, kw_only=True, tag="fight"):
    """Facts of the running fight; ``principal`` null: there is none.

    ``totals`` and ``winner`` are what would be the result now; ``winner`` null: there is none.
    """

    viewer: ViewerName = "public"
    principal: PieceName | UnsetType | None = UNSET
    target: PieceName | UnsetType = UNSET
    attackers: tuple[PieceName, ...] | UnsetType = UNSET
    defenders: tuple[PieceName, ...] | UnsetType = UNSET
    totals: tuple[int, int] | UnsetType = UNSET
    winner: str | UnsetType | None = UNSET
    share: Mapping[str, str] | UnsetType = UNSET


OwnCheck = (
    GameCheck
    | SeatCheck
    | PieceCheck
    | PiecesCheck
    | CellCheck
    | EdgeCheck
    | CellsCheck
    | MapCheck
    | DeckCheck
    | WindowCheck
    | FightCheck
)


class PlayCard(Act, frozen=True, kw_only=True, tag="play"):
    """A seat answers the window with a card: ``k1.2.z01``, what comes behind ``play.``."""

    told: ClassVar[str] = "card"

    seat: SeatNumber
    card: str
    refused: Word | None = None

    def choice(self) -> SeatChoice:
        """The option of this play."""
        return SeatChoice(
            seat=self.seat, kind="respond", option=f"{PLAY}.{self.card}", refused=self.refused
        )
