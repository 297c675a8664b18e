"""Effects on pieces where they stand, and on those that come (§5.5, §7; pure)."""

from __future__ import annotations

from typing import Final

from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts.zombie_events import FightJoined, FightLeft, MovementHalted, Side
from games.cerveauuu.model.ids import HUMAN, ZOMBIE, piece_id
from games.cerveauuu.model.language import (
    Block,
    ChangeCombatants,
    HaltMovement,
    Kill,
    MakeReady,
    Save,
    Spawn,
    Unblock,
)
from games.cerveauuu.model.state import Piece
from games.cerveauuu.rules.acts import CardAct
from games.cerveauuu.rules.context import Play
from games.dispatch import Handlers, on

_FROM_CARDS: Final = frozenset({"card", "any"})
"""What protects from deaths by cards; ``melee`` does not."""


def is_safe(piece: Piece) -> bool:
    """Whether a piece is protected from deaths by cards (§5.5)."""
    return not _FROM_CARDS.isdisjoint(piece.protections)


def doom(play: Play, name: str) -> None:
    """Mark a piece that nothing protects for death when the window closes (§5.5)."""
    piece = play.state.pieces[name]
    if not piece.doomed and not is_safe(piece):
        play.emit(ev.PieceDoomed(piece=name))


def demand_exit(play: Play, name: str) -> None:
    """A piece that lives on an impassable cell must leave it (§2.5)."""
    piece, grid = play.state.pieces[name], play.grid
    must = grid.is_impassable(grid.cell_of(piece.cell)) and not piece.doomed
    if must != piece.must_leave:
        play.emit(ev.ExitDemanded(piece=name, must_leave=must))


def _halt(act: CardAct, effect: HaltMovement) -> None:
    activation = act.state.activation
    moving = activation is not None and activation.zombie in act.pieces(effect.on)
    if activation is not None and moving and not activation.halted:
        act.play.emit(MovementHalted())


def _block(act: CardAct, effect: Block) -> None:
    for name in act.pieces(effect.on):
        if not act.state.pieces[name].blocked:
            act.play.emit(ev.PieceBlocked(piece=name))


def _unblock(act: CardAct, effect: Unblock) -> None:
    for name in act.pieces(effect.on):
        if act.state.pieces[name].blocked:
            act.play.emit(ev.PieceUnblocked(piece=name))


def _kill(act: CardAct, effect: Kill) -> None:
    for name in act.pieces(effect.on):
        doom(act.play, name)


def _save(act: CardAct, effect: Save) -> None:
    for name in act.pieces(effect.on):
        undoomed = act.state.pieces[name].doomed and effect.cause in _FROM_CARDS
        act.play.emit(ev.PieceSaved(piece=name, cause=effect.cause, undoomed=undoomed))
        demand_exit(act.play, name)


def _spawn(act: CardAct, effect: Spawn) -> None:
    human = effect.what == "human"
    kind = HUMAN if human else ZOMBIE
    act.play.emit(
        ev.PieceAppeared(
            piece=piece_id(kind, act.state.counters.get(kind, 0) + 1),
            cell=act.slot(effect.cell),
            controller=None if human else act.seat,
            blocked=effect.what == "zombie_blocked",
            cause="spawn",
        )
    )


def _ready(act: CardAct, effect: MakeReady) -> None:
    for name in act.pieces(effect.on):
        piece = act.state.pieces[name]
        if piece.activated or piece.attacked:
            act.play.emit(ev.ZombieReadied(piece=name))


def _change_sides(act: CardAct, effect: ChangeCombatants) -> None:
    fight = act.state.fight
    if fight is None:
        return
    for name in act.pieces(effect.on):
        fights = fight.side(name) is not None
        if effect.change == "leave" and fights:
            act.play.emit(FightLeft(pieces=(name,)))
        if effect.change == "join" and not fights and fight.side(act.slot(1)) is not None:
            side: Side = "attackers" if act.slot(1) in fight.attackers else "defenders"
            act.play.emit(FightJoined(side=side, pieces=(name,), by_card=True))


PIECES: Handlers[
    CardAct,
    HaltMovement | Block | Unblock | Kill | Save | Spawn | MakeReady | ChangeCombatants,
    None,
] = (
    on(HaltMovement, _halt)
    | on(Block, _block)
    | on(Unblock, _unblock)
    | on(Kill, _kill)
    | on(Save, _save)
    | on(Spawn, _spawn)
    | on(MakeReady, _ready)
    | on(ChangeCombatants, _change_sides)
)
"""What carries out each of these effects."""
