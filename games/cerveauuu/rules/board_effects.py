"""Effects on edges and cells (§2.1, §2.5, §7; pure)."""

from __future__ import annotations

from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.language import FlagCell, SetEdges
from games.cerveauuu.rules.acts import CardAct
from games.cerveauuu.rules.piece_effects import demand_exit, doom, is_safe
from games.dispatch import Handlers, on


def _set_edges(act: CardAct, effect: SetEdges) -> None:
    for edge in act.edges(effect.edges):
        act.play.emit(ev.EdgeChanged(edge=edge, state=effect.state, lasts=effect.lasts))


def _flag(act: CardAct, effect: FlagCell) -> None:
    cell = act.cell(effect.cell)
    closes = effect.flag == "impassable" and not act.play.grid.is_impassable(cell)
    name = act.play.grid.cell_id(cell)
    act.play.emit(ev.CellFlagged(cell=name, flag=effect.flag, lasts=effect.lasts))
    if closes:
        _swallow(act, name)


def _swallow(act: CardAct, cell: str) -> None:
    """Whoever stands on a cell that has become impassable is doomed, or must leave it (§2.5)."""
    for piece in [each for each in act.state.pieces.values() if each.cell == cell]:
        if is_safe(piece):
            demand_exit(act.play, piece.id)
        else:
            doom(act.play, piece.id)


BOARD: Handlers[CardAct, SetEdges | FlagCell, None] = on(SetEdges, _set_edges) | on(FlagCell, _flag)
"""What carries out each of these effects."""
