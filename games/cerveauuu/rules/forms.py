"""Looking for legal forms of one card: which things may fill its slots together (§5.2; pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from events.kernel import Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.model.language import AdjacentTo, Card, Sees, Slot, Within
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.scene import Scene, unrolled
from games.cerveauuu.rules.slots import is_place, is_such_place, pool, why_not_in_pool, why_unfit
from games.cerveauuu.rules.steps import may_step


class CardForm:
    """A card in a seat's hand, and what could fill its slots at some anchor.

    Attributes:
        card: the card.
        seat: whose card it is.
    """

    __slots__ = ("_grid", "_pools", "_slots", "_state", "card", "seat")

    def __init__(self, state: State, grid: Grid, seat: Seat, card: Card) -> None:
        self.card = card
        self.seat = seat
        self._state = state
        self._slots = tuple(_cheapest_first(slot) for slot in card.target)
        self._grid = grid
        self._pools = tuple(
            None if is_place(slot) else tuple(pool(state, grid, seat, slot)) for slot in self._slots
        )

    @property
    def hopeless(self) -> bool:
        """Whether some slot cannot be filled at any anchor."""
        return any(next(iter(self._pool(i)), None) is None for i in range(len(self._slots)))

    def _pool(self, i: int) -> Iterable[str]:
        """What could fill a slot, wherever the pieces stand; places are only made as asked for."""
        known = self._pools[i]
        if known is not None:
            return known
        return pool(self._state, self._grid, self.seat, self._slots[i])

    def _could_fill(self, i: int, part: str) -> bool:
        """Whether something is in the pool of a slot."""
        known = self._pools[i]
        if known is not None:
            return part in known
        return is_such_place(self._grid, self._slots[i], part)

    def fits(self, scene: Scene, parts: Sequence[str]) -> bool:
        """Whether these things fill the first slots, each as written."""
        return all(
            self._could_fill(i, part) and why_unfit(scene, self._slots[i], part, parts[:i]) is None
            for i, part in enumerate(parts)
        )

    def next(self, scene: Scene, parts: tuple[str, ...]) -> Iterator[str]:
        """What may fill the slot after ``parts``, which fit, so that a legal play can follow."""
        i = len(parts)
        for part in self._choices(scene, parts):
            if why_unfit(scene, self._slots[i], part, parts) is None and self.filled(
                scene, (*parts, part)
            ):
                yield part

    def why_not(self, scene: Scene, parts: tuple[str, ...], part: str) -> Why:
        """Why something that ``next`` does not give may not fill the slot after ``parts``.

        Args:
            scene: the anchor.
            parts: what fills the first slots.
            part: a piece, cell, edge, building or seat, as the slot asks for.
        """
        slot = self._slots[len(parts)]
        why = why_not_in_pool(self._state, self._grid, self.seat, slot, part)
        return why or why_unfit(scene, slot, part, parts) or Why.LEADS_NOWHERE

    def filled(
        self, scene: Scene, parts: tuple[str, ...] = (), fixed: Mapping[int, str] | None = None
    ) -> tuple[str, ...] | None:
        """The first way to fill all slots that begins with ``parts``, which fit.

        Args:
            scene: the anchor.
            parts: what fills the first slots.
            fixed: what must fill some of the others, by their place from 0.
        """
        i = len(parts)
        if i == len(self._slots):
            return parts if may_step(scene, self.card, self.seat, parts) else None
        for part in (fixed[i],) if fixed and i in fixed else self._choices(scene, parts):
            if why_unfit(scene, self._slots[i], part, parts) is None:
                found = self.filled(scene, (*parts, part), fixed)
                if found is not None:
                    return found
        return None

    def _choices(self, scene: Scene, parts: Sequence[str]) -> Iterable[str]:
        """What of the pool of the next slot lies where its relations may allow it, in order."""
        i, grid, cells = len(parts), scene.grid, scene.cells
        for relation in self._slots[i].relations:
            if isinstance(relation, Sees):
                continue
            centre = scene.where(parts[relation.slot - 1])
            near = (
                sum(1 << cell for cell in grid.neighbours(centre))
                if isinstance(relation, AdjacentTo)
                else grid.near(centre, relation.distance)
            )
            if self._slots[i].is_piece:
                return [part for part in self._pool(i) if near >> cells[part] & 1]
            return (name for name in _names(grid, near) if self._could_fill(i, name))
        return self._pool(i)

    def legal(self, scene: Scene, parts: tuple[str, ...]) -> bool:
        """Whether the slots may be filled just so."""
        return self.fits(scene, parts) and may_step(scene, self.card, self.seat, parts)

    def anchors(self, scene: Scene) -> Iterator[int | None]:
        """The anchors at which the card can be played, in order; None where there is no timeline.

        What was legal one step before is tried first. If nothing was, then only a play that names
        something which the step has brought in can be legal now.

        Args:
            scene: the pieces at the first anchor.
        """
        last: tuple[str, ...] | None = None
        for anchor, now, fresh in unrolled(scene):
            if last is not None and not self.legal(now, last):
                last = self.filled(now)
            elif last is None:
                last = self._anew(now, fresh) if fresh else self.filled(now)
            if last is not None:
                yield anchor

    def _anew(self, scene: Scene, fresh: Collection[str]) -> tuple[str, ...] | None:
        """A way to fill all slots with something fresh in one of them."""
        for i in range(len(self._slots)):
            for part in fresh:
                if self._could_fill(i, part):
                    found = self.filled(scene, (), {i: part})
                    if found is not None:
                        return found
        return None


def _names(grid: Grid, mask: int) -> Iterator[str]:
    """The ids of the cells of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        yield grid.cell_id(lowest.bit_length() - 1)


def _cheapest_first(slot: Slot) -> Slot:
    """A slot whose relations are in the order in which it is cheapest to ask: range, then sight."""
    return replace(
        slot, relations=tuple(sorted(slot.relations, key=lambda each: not isinstance(each, Within)))
    )
