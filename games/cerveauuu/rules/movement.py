"""An activation: the declared path, what cards make of it, and how it ends (§4.7; pure)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid, barred_for
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.agenda import Replan
from games.cerveauuu.model.state import Activation, Cell, PlannedStep, State
from games.cerveauuu.rules.asking import OpenQuestion, PublicAsking
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.pieces import (
    attackable,
    bring_to_rest,
    occupied,
    pawns_of,
    rest_cell,
)
from games.cerveauuu.rules.stats import stat
from games.cerveauuu.rules.trees import (
    END,
    Path,
    Walker,
    attack_of,
    cells_ahead,
    leaf,
    path_of,
    stops,
    walk,
)
from games.trees import parts_of

KEEP: Final = "keep"


class Surroundings(Struct, frozen=True):
    """What a mover minds: if a card changes any of it, it may plan anew (§4.7.3, C59)."""

    pieces: tuple[tuple[str, Cell, bool, bool], ...]
    board: Grid
    move: int
    halted: bool

    @staticmethod
    def of(state: State, grid: Grid) -> Surroundings:
        """What the mover minds now.

        Raises:
            ValueError: nobody is activated.
        """
        pieces = tuple((p.id, p.cell, p.blocked, p.doomed) for p in state.pieces.values())
        activation = activation_of(state)
        move = stat(state, grid, activation.zombie, "move")
        return Surroundings(pieces, grid, move, activation.halted)


def activation_of(state: State) -> Activation:
    """The activation under way.

    Raises:
        ValueError: there is none.
    """
    if state.activation is None:
        raise ValueError("nobody is activated")
    return state.activation


def mover_seat(state: State) -> Seat:
    """The seat that controls the zombie that is activated.

    Raises:
        ValueError: it is no zombie.
    """
    seat = state.pieces[activation_of(state).zombie].controller
    if seat is None:
        raise ValueError("a human is activated")
    return seat


def after_card(play: Play, before: Surroundings, seat: Seat) -> None:
    """What a card in window M means for the mover (§4.7.3)."""
    activation = activation_of(play.state)
    zombie = play.state.pieces[activation.zombie]
    if not zombie.operational:
        if not activation.stopped:
            play.emit(more.MovementStopped(stopped=True))
        _stop(play)
        return
    revived = activation.stopped
    if revived:
        play.emit(more.MovementStopped(stopped=False))
    if activation.halted:
        _stop(play)
    mover = mover_seat(play.state)
    if revived or seat == mover or before != Surroundings.of(play.state, play.grid):
        play.push(Replan(mover, play.question("replan", mover)))


def _stop(play: Play) -> None:
    """The mover stands still, on a free cell; what was planned is no longer to come."""
    activation = activation_of(play.state)
    bring_to_rest(play, activation.zombie, activation.trail)
    play.emit(ev.PlanMade(steps=()))


# --- planning anew ---


def _walker(state: State, grid: Grid) -> Walker:
    """The mover with the steps that it has left (§4.7.3)."""
    activation, window = activation_of(state), state.window
    zombie = activation.zombie
    spent = 0 if window is None else window.floor
    left = 0 if activation.halted else max(0, stat(state, grid, zombie, "move") - spent)
    return Walker(zombie, grid.cell_of(state.pieces[zombie].cell), left)


def _question(_: State, frame: Replan) -> OpenQuestion:
    return OpenQuestion(frame.id, "replan", frame.seat)


def _options(
    state: State, grid: Grid, _: Replan, __: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    walker = _walker(state, grid)
    if path:
        reached = replanned(state, grid, path)
        return () if reached is None else _further(state, grid, reached, path)
    kept, attack = kept_plan(state, grid)
    keep = leaf((), KEEP, path=list(kept), attack=attack)
    found = (
        *stops(state, grid, walker.zombie, stopping_at(state, grid), ()),
        *cells_ahead(state, grid, walker, ()),
    )
    # With no cell and no attack to choose nothing is asked.
    return (keep,) if [each.id for each in found] == [END] else (keep, *found)


def replanned(state: State, grid: Grid, path: Path) -> Walker | None:
    """The mover at the end of ``path``, if it can plan so anew."""
    return walk(state, grid, _walker(state, grid), path)


def stopping_at(state: State, grid: Grid) -> int:
    """The cell from which the mover attacks if it goes no further."""
    activation = activation_of(state)
    return rest_cell(state, grid, activation.zombie, activation.trail)


def _further(state: State, grid: Grid, walker: Walker, path: Path) -> tuple[Option, ...]:
    return (
        *stops(state, grid, walker.zombie, walker.cell, path),
        *cells_ahead(state, grid, walker, path),
    )


def kept_plan(state: State, grid: Grid) -> tuple[tuple[Cell, ...], str | None]:
    """What *keep* means: as much of the path and attack as is still legal (§4.7.3)."""
    activation = activation_of(state)
    walker = _walker(state, grid)
    pawns = pawns_of(state, grid)
    (pawn,) = (p for p in pawns if p.id == walker.zombie)
    barred, taken = barred_for(pawns, pawn), occupied(state, grid, walker.zombie)
    here, legal, free = walker.start, 0, 0
    for i, cell in enumerate(map(grid.cell_of, activation.rest[: walker.left])):
        if cell in barred or cell not in grid.stepping_out(here):
            break
        here, legal = cell, i + 1
        if cell not in taken:
            free = legal
    path = activation.rest[:free]
    end = (
        grid.cell_of(path[-1]) if path else rest_cell(state, grid, walker.zombie, activation.trail)
    )
    can = attackable(state, grid, walker.zombie, end)
    return path, activation.attack if activation.attack in can else None


def _answer(play: Play, _: Replan, __: OpenQuestion, option: str) -> None:
    state, grid = play.state, play.grid
    if option == KEEP:
        path, attack = kept_plan(state, grid)
    else:
        *cells, last = parts_of(option)
        walker = walk(state, grid, _walker(state, grid), cells)
        if walker is None:
            raise ValueError(f"no way along {option}")
        path, attack = path_of(grid, walker), attack_of(last)
    play.emit(more.PathChanged(path=path, attack=attack))
    zombie = activation_of(play.state).zombie
    play.emit(ev.PlanMade(steps=steps_of(zombie, path)))
    if not path:
        bring_to_rest(play, zombie, activation_of(play.state).trail)


def steps_of(zombie: str, path: tuple[Cell, ...]) -> tuple[PlannedStep, ...]:
    """A path as steps of a timeline."""
    return tuple(PlannedStep(zombie, cell) for cell in path)


REPLAN: Final = PublicAsking(
    question=_question, options=_options, default=lambda *_: KEEP, answer=_answer
)
"""What the mover's seat is asked after a card."""


# --- the tree of a declaration ---


def declarations(state: State, grid: Grid, zombie: str, path: Path) -> tuple[Option, ...]:
    """The options behind ``path``, whose first part is the zombie (§4.7.1, §5.7)."""
    reached = declared(state, grid, zombie, path)
    return () if reached is None else _further(state, grid, reached, path)


def declared(state: State, grid: Grid, zombie: str, path: Path) -> Walker | None:
    """A zombie at the end of ``path``, whose first part it is, if it can go there."""
    return walk(state, grid, _starting(state, grid, zombie), path[1:])


def _starting(state: State, grid: Grid, zombie: str) -> Walker:
    cell = grid.cell_of(state.pieces[zombie].cell)
    return Walker(zombie, cell, stat(state, grid, zombie, "move"))


def declare(play: Play, option: str) -> tuple[PlannedStep, ...]:
    """Activate a zombie as declared (§4.7.1).

    Returns:
        the steps of its path, the timeline of window M.
    """
    zombie, *cells, last = parts_of(option)
    grid = play.grid
    walker = walk(play.state, grid, _starting(play.state, grid, zombie), cells)
    if walker is None:
        raise ValueError(f"no way along {option}")
    path = path_of(grid, walker)
    play.emit(more.ZombieActivated(zombie=zombie, path=path, attack=attack_of(last)))
    return steps_of(zombie, path)


def attack_left(state: State, grid: Grid) -> str | None:
    """Whom the zombie attacks now that its movement is over, if it still can (§4.7.4)."""
    activation = activation_of(state)
    zombie = state.pieces.get(activation.zombie)
    if zombie is None or not zombie.operational or activation.attack is None:
        return None
    can = attackable(state, grid, zombie.id, grid.cell_of(zombie.cell))
    return activation.attack if activation.attack in can else None
