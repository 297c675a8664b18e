"""How each event is recorded in the state (pure). No rule is applied here, facts are copied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts.evolve_cards import CARD_RECORDERS
from games.cerveauuu.facts.evolve_zombies import ZOMBIE_RECORDERS
from games.cerveauuu.facts.recording import add, add_to, change, known, move, remove, walked
from games.cerveauuu.model.language import Duration
from games.cerveauuu.model.state import Ending, Panic, Piece, State
from games.dispatch import Handlers, evolve_by, on

L = TypeVar("L")


def _began(s: State, e: ev.GameBegan) -> None:
    s.rulebook, s.mode, s.options, s.map = e.rulebook, e.mode, e.options, e.map
    s.colours, s.chief = e.colours, e.chief
    s.seats = tuple(sorted(e.colours))
    s.credits_need = len(s.seats)
    s.hands = {seat: {} for seat in s.seats}
    s.piles = dict.fromkeys(s.seats, ())
    s.scores = dict.fromkeys(s.seats, 0)
    s.played = dict.fromkeys(s.seats, 0)
    s.replacing = dict.fromkeys(s.seats, True)


def _shuffled(s: State, e: ev.DeckShuffled) -> None:
    s.deck, s.deck_size, s.shuffles = known(e.cards), e.size, s.shuffles + 1


def _situation(s: State, e: ev.SituationSet) -> None:
    s.round = e.round
    for piece in e.pieces:
        add(s, piece)
    s.credits, s.credits_need = e.credits, e.credits_need or s.credits_need
    s.piles = {**s.piles, **e.piles}
    s.scores = {**s.scores, **e.scores}
    s.played = {**s.played, **e.played}
    s.replacing = {**s.replacing, **e.replacing}
    s.weather, s.bans, s.media_lock = e.weather, e.bans, e.media_lock


def _appeared(s: State, e: ev.PieceAppeared) -> None:
    add(s, Piece(id=e.piece, cell=e.cell, controller=e.controller, blocked=e.blocked))


def _round(s: State, e: ev.RoundBegan) -> None:
    s.round, s.chief, s.phase, s.last_go = e.round, e.chief, "draw", None


def _phase(s: State, e: ev.PhaseBegan) -> None:
    s.phase = e.phase


def _round_ended(s: State, _: ev.RoundEnded) -> None:
    s.pieces = {
        name: replace(p, blocked=False, moved=False, activated=False, attacked=False, touched_by=())
        for name, p in s.pieces.items()
    }
    s.swapped, s.media_lock, s.discards = (), False, {}
    s.modifiers = tuple(m for m in s.modifiers if m.lasts != "round")
    s.bans = tuple(b for b in s.bans if b.lasts != "round")
    s.triggers = tuple(t for t in s.triggers if t.lasts != "round")
    s.edges, s.cells = _lasting(s.edges), _lasting(s.cells)


def _lasting(
    changes: Mapping[str, tuple[tuple[L, Duration], ...]],
) -> dict[str, tuple[tuple[L, Duration], ...]]:
    """The changes of edges or cells that outlast the round."""
    left = {where: tuple(c for c in each if c[1] != "round") for where, each in changes.items()}
    return {where: each for where, each in left.items() if each}


def _panic(s: State, e: ev.PanicBegan) -> None:
    s.panic = Panic(queue=e.queue)


def _steps(s: State, e: ev.StepsTaken) -> None:
    window = s.window
    if window is None:
        raise ValueError("steps were taken outside of a window")
    taken = window.timeline[window.floor : e.to]
    for name, cell in e.cells.items():
        change(s, (name,), cell=cell)
    change(s, e.moved, moved=True)
    s.window = replace(window, floor=e.to)
    if window.kind == "panic":
        s.panic = e.panic
    elif s.activation is not None:
        s.activation = walked(s.activation, tuple(step.cell for step in taken))


def _plan(s: State, e: ev.PlanMade) -> None:
    if s.window is not None:
        timeline = (*s.window.timeline[: s.window.floor], *e.steps)
        s.window = replace(s.window, timeline=timeline)


def _moved(s: State, e: ev.PieceMoved) -> None:
    move(s, e.piece, e.path)


def _blocked(s: State, e: ev.PieceBlocked) -> None:
    change(s, (e.piece,), blocked=True)


def _unblocked(s: State, e: ev.PieceUnblocked) -> None:
    change(s, (e.piece,), blocked=False)


def _doomed(s: State, e: ev.PieceDoomed) -> None:
    change(s, (e.piece,), doomed=True)


def _saved(s: State, e: ev.PieceSaved) -> None:
    piece = s.pieces[e.piece]
    change(
        s,
        (e.piece,),
        doomed=piece.doomed and not e.undoomed,
        protections=(*piece.protections, e.cause),
    )


def _exit(s: State, e: ev.ExitDemanded) -> None:
    change(s, (e.piece,), must_leave=e.must_leave)
    if s.activation is not None and s.activation.zombie == e.piece:
        # A mark that changes has been lifted, or has come since: the movement owes nothing.
        s.activation = replace(s.activation, owes=False)


def _readied(s: State, e: ev.ZombieReadied) -> None:
    change(s, (e.piece,), activated=False, attacked=False)


def _lost(s: State, e: ev.PieceLost) -> None:
    remove(s, e.piece)


def _unprotected(s: State, _: ev.ProtectionsEnded) -> None:
    change(s, [p.id for p in s.pieces.values() if p.protections], protections=())


def _edge(s: State, e: ev.EdgeChanged) -> None:
    s.edges = {**s.edges, e.edge: (*s.edges.get(e.edge, ()), (e.state, e.lasts))}


def _flag(s: State, e: ev.CellFlagged) -> None:
    s.cells = {**s.cells, e.cell: (*s.cells.get(e.cell, ()), (e.flag, e.lasts))}


def _score(s: State, e: ev.ScoreChanged) -> None:
    s.scores = add_to(s.scores, e.seat, e.points)


def _withdrew(s: State, e: ev.SeatWithdrew) -> None:
    s.dormant = (*s.dormant, e.seat)


def _agenda(s: State, e: ev.AgendaSet) -> None:
    s.agenda, s.asked = e.agenda, e.asked


def _ended(s: State, e: ev.GameEnded) -> None:
    s.end = Ending(e.outcome, e.winners)


_BOARD = (
    on(ev.GameBegan, _began)
    | on(ev.DeckShuffled, _shuffled)
    | on(ev.SituationSet, _situation)
    | on(ev.PieceAppeared, _appeared)
    | on(ev.RoundBegan, _round)
    | on(ev.PhaseBegan, _phase)
    | on(ev.RoundEnded, _round_ended)
    | on(ev.PanicBegan, _panic)
    | on(ev.StepsTaken, _steps)
    | on(ev.PlanMade, _plan)
    | on(ev.PieceMoved, _moved)
    | on(ev.PieceBlocked, _blocked)
    | on(ev.PieceUnblocked, _unblocked)
    | on(ev.PieceDoomed, _doomed)
    | on(ev.PieceSaved, _saved)
    | on(ev.ExitDemanded, _exit)
    | on(ev.ZombieReadied, _readied)
    | on(ev.PieceLost, _lost)
    | on(ev.ProtectionsEnded, _unprotected)
    | on(ev.EdgeChanged, _edge)
    | on(ev.CellFlagged, _flag)
    | on(ev.ScoreChanged, _score)
    | on(ev.SeatWithdrew, _withdrew)
    | on(ev.AgendaSet, _agenda)
    | on(ev.GameEnded, _ended)
)
_FOUND = _BOARD | CARD_RECORDERS | ZOMBIE_RECORDERS
_ALL: Handlers[State, ev.Fact, None] = _FOUND

RECORDERS: Final[dict[type, Callable[[State, Any], None]]] = _ALL.by_type
"""What records each event, by its type."""

evolve: Final = evolve_by(RECORDERS)
"""Folds one event into the state, which is consumed."""
