"""Who would fight whom, and who would win, as far as everybody can tell (§4.8, §4.9; pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from events.kernel import Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.model.ids import by_id, is_human
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.stats import stat, tie


class Muster(Struct, frozen=True):
    """A fight in prospect: both sides in the order of joining, and whether the attackers win."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    wins: bool

    @property
    def victims(self) -> int:
        """The humans that are eaten."""
        return sum(map(is_human, self.defenders)) if self.wins else 0


class Front:
    """The pieces where they stand; one can be put elsewhere in thought.

    Attributes:
        state: the view that it was made of.
        grid: its board.
        cells: the cell of each piece.
    """

    __slots__ = ("_combat", "_humans", "_ties", "_zombies", "cells", "grid", "state")

    def __init__(self, state: State, grid: Grid) -> None:
        self.state = state
        self.grid = grid
        self.cells = {p.id: grid.cell_of(p.cell) for p in state.pieces.values()}
        self._humans = {self.cells[p.id]: p.id for p in state.humans() if p.operational}
        self._zombies = {self.cells[p.id]: p.id for p in state.zombies() if p.operational}
        self._combat: dict[str, int] = {}
        self._ties = any(m.stat in {"tie_win", "tie_none"} for m in state.modifiers)

    def put(self, piece: str, cell: int) -> None:
        """Put an operational piece on a cell that no other operational piece holds."""
        held = self._humans if is_human(piece) else self._zombies
        held.pop(self.cells[piece], None)
        held[cell] = piece
        self.cells[piece] = cell

    def prospect(self, principal: str, target: str, helpers: Collection[str] = ()) -> Muster:
        """The fight if ``principal`` attacks ``target`` with these supporters (§4.8)."""
        defenders, attackers = [target], [principal]
        if is_human(target):
            defenders += self._joining(attackers, defenders)
        attackers += helpers
        if is_human(target) and helpers:
            defenders += self._joining(attackers, defenders)
        wins = self._attackers_win(attackers, defenders)
        return Muster(tuple(attackers), tuple(defenders), wins)

    def own_prospect(self, principal: str, target: str, seat: Seat) -> Muster:
        """The fight with as few supporters of one seat's own as it takes, or with all of them."""
        found = self.prospect(principal, target)
        if found.wins:
            return found
        helpers = self.helpers(found, seat)
        for number in range(1, len(helpers) + 1):
            found = self.prospect(principal, target, helpers[:number])
            if found.wins:
                break
        return found

    def helpers(self, muster: Muster, seat: Seat) -> tuple[str, ...]:
        """A seat's own zombies that may support, first those that have been activated (§4.8.3)."""
        found = set()
        for name in muster.defenders:
            for cell in self.grid.neighbours(self.cells[name]):
                zombie = self._zombies.get(cell)
                if zombie is not None and zombie not in muster.attackers:
                    found.add(zombie)
        pieces = self.state.pieces
        can = [
            z
            for z in by_id(found - set(muster.defenders))
            if pieces[z].controller == seat and not pieces[z].attacked
        ]
        return tuple(sorted(can, key=lambda z: not pieces[z].activated))

    def _joining(self, attackers: Iterable[str], defenders: Collection[str]) -> list[str]:
        """Humans next to one operational zombie, an attacker, who join the target (§4.8.2)."""
        found: list[str] = []
        for attacker in attackers:
            for cell in self.grid.neighbours(self.cells[attacker]):
                human = self._humans.get(cell)
                if human is None or human in defenders or human in found:
                    continue
                if sum(near in self._zombies for near in self.grid.neighbours(cell)) == 1:
                    found.append(human)
        return found

    def _attackers_win(self, attackers: Collection[str], defenders: Collection[str]) -> bool:
        attack = sum(map(self._combat_of, attackers))
        defence = sum(map(self._combat_of, defenders))
        if attack != defence:
            return attack > defence
        human = is_human(next(iter(defenders)))
        return self._wins_ties(attackers, defenders, human=human) if self._ties else human

    def _wins_ties(
        self, attackers: Iterable[str], defenders: Iterable[str], *, human: bool
    ) -> bool:
        """Whether the attackers win an equal fight in which no card has been played (§4.9.4)."""
        state = self._shown()
        said = [tie(state, self.grid, name) for name in attackers]
        ours = any(each.wins or (human and not each.deprived) for each in said)
        theirs = any(tie(state, self.grid, name).wins for name in defenders)
        return ours and (human or not theirs)

    def _shown(self) -> State:
        """The view with the pieces where they were put."""
        shown = replace(self.state)
        shown.pieces = {
            name: replace(piece, cell=self.grid.cell_id(self.cells[name]))
            for name, piece in self.state.pieces.items()
        }
        return shown

    def _combat_of(self, name: str) -> int:
        known = self._combat.get(name)
        if known is None:
            known = self._combat[name] = stat(self.state, self.grid, name, "combat")
        return known
