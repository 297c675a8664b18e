"""A card that takes effect, and what its selectors name (§7; pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from events.kernel import Seat
from games.cerveauuu.model.ids import by_id
from games.cerveauuu.model.language import (
    All,
    Allies,
    At,
    Beside,
    Card,
    Chosen,
    EdgeSelector,
    Foes,
    Inside,
    Near,
    Pieces,
    PieceSelector,
    SeatSelector,
)
from games.cerveauuu.model.state import Cell, Edge, State
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.stats import takes


class Played(Struct, frozen=True):
    """How a card is played (§5.2h).

    ``path`` is the whole id of the option; ``number`` that of the card in the hand; ``anchor`` None
    in windows without a timeline; ``slots`` what fills them, in order; ``step`` the cell where the
    card's step ends; ``dropped`` the numbers of the cards dropped with it.
    """

    path: str
    seat: Seat
    number: int
    card: str
    anchor: int | None = None
    slots: tuple[str, ...] = ()
    step: Cell | None = None
    dropped: tuple[int, ...] = ()


class CardAct(Struct, frozen=True):
    """One effect in the making: ``place`` is its place among those of the card, from 0.

    An end-credits card acts for the seat that drew it, and has no slots.
    """

    play: Play
    card: Card
    seat: Seat
    place: int
    slots: tuple[str, ...] = ()
    step: Cell | None = None
    dropped: tuple[int, ...] = ()

    @property
    def state(self) -> State:
        """The game, as far as the card's effects have come."""
        return self.play.state

    def slot(self, number: int) -> str:
        """What fills a slot, counted from 1."""
        return self.slots[number - 1]

    def cell(self, number: int) -> int:
        """Where what fills a slot is: a cell, or a piece that is on the board."""
        part = self.slot(number)
        piece = self.state.pieces.get(part)
        return self.play.grid.cell_of(part if piece is None else piece.cell)

    def pieces(self, selector: PieceSelector) -> tuple[str, ...]:
        """The pieces on the board that a selector names, by id; blocked and doomed ones, too."""
        match selector:
            case Chosen():
                return self._still_there((self.slot(selector.slot),))
            case All():
                return self._on(range(self.play.grid.size), selector.pieces)
            case Near():
                return self._near(selector)
            case Inside():
                cells = self.play.grid.cells_in(self.slot(selector.slot))
                return self._on(cells, selector.pieces)
            case Beside():
                grid = self.play.grid
                beside = grid.cells_beside(grid.edge_of(self.slot(selector.slot)))
                return self._on(beside, selector.pieces)
            case At():
                return self._on((self.cell(selector.slot),), Pieces("X"))
            case Foes() | Allies():
                return self._fighting(selector)

    def _still_there(self, pieces: Iterable[str]) -> tuple[str, ...]:
        return by_id(each for each in pieces if each in self.state.pieces)

    def _on(self, cells: Sequence[int], pieces: Pieces) -> tuple[str, ...]:
        """The pieces of a sort that stand on some cells."""
        grid = self.play.grid
        wanted = cells if isinstance(cells, range) else frozenset(cells)
        return tuple(
            piece.id
            for piece in self.state.pieces.values()
            if (cell := grid.cell_of(piece.cell)) in wanted
            and takes(grid, pieces, piece, cell, self.seat)
        )

    def _near(self, selector: Near) -> tuple[str, ...]:
        grid, centre = self.play.grid, self.cell(selector.slot)
        mask = grid.near(centre, selector.distance)
        cells = [cell for cell in range(grid.size) if mask >> cell & 1]
        found = self._on(cells, selector.pieces)
        return tuple(each for each in found if each != self.slot(selector.slot))

    def _fighting(self, selector: Foes | Allies) -> tuple[str, ...]:
        fight = self.state.fight
        side = fight and fight.side(self.slot(selector.slot))
        if fight is None or side is None:
            return ()
        attacks = (side == "attackers") == isinstance(selector, Allies)
        return self._still_there(fight.attackers if attacks else fight.defenders)

    def seats(self, selector: SeatSelector) -> tuple[Seat, ...]:
        """The seats that a selector names, in seat order from the card's own."""
        if isinstance(selector, Chosen):
            return (int(self.slot(selector.slot)[1:]),)
        everyone = self.state.order_from(self.seat)
        match selector.who:
            case "me":
                return everyone[:1]
            case "others":
                return everyone[1:]
            case "everyone":
                return everyone

    def edges(self, selector: EdgeSelector) -> tuple[Edge, ...]:
        """The edges that a selector names, ascending."""
        if isinstance(selector, Chosen):
            return (self.slot(selector.slot),)
        grid = self.play.grid
        return tuple(grid.edge_id(edge) for edge in grid.doors(self.slot(selector.slot)))
