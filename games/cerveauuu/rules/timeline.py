"""The timeline of a window: what is to come, and how it happens (§4.4, §5.3; pure)."""

from __future__ import annotations

import copy
from collections.abc import Iterable

from games.cerveauuu.board import (
    Grid,
    MidRun,
    PanicPlan,
    PlanMoment,
    at_anchor,
    at_end,
    panic_plan,
    panic_queue,
)
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts.evolve import evolve
from games.cerveauuu.model.state import CardWindow, Cell, Panic, PlannedStep, State
from games.cerveauuu.rules.pieces import pawns_of
from games.cerveauuu.rules.stats import reading


def queue_of(state: State, grid: Grid) -> tuple[str, ...]:
    """Who is to panic, in order (§4.4.1)."""
    return panic_queue(grid, pawns_of(state, grid), reading(state, grid, "sight"))


def plan_of(state: State, grid: Grid, begun: Iterable[PlannedStep] | None = None) -> PanicPlan:
    """What is left of the panic, as the board stands now (§4.4.2).

    All of it, or of a plan that was made before the beginning, if no later anchor is asked for.

    Raises:
        ValueError: there is no panic.
    """
    panic = state.panic
    if panic is None:
        raise ValueError("there is no panic")
    mid_run = None
    if panic.runner is not None:
        trail = tuple(map(grid.cell_of, panic.trail))
        mid_run = MidRun(human=panic.runner, trail=trail, steps=panic.taken, seen=panic.seen)
    return panic_plan(
        grid,
        pawns_of(state, grid),
        panic.queue,
        reading(state, grid, "move"),
        reading(state, grid, "sight"),
        mid_run,
        None if begun is None else [(step.piece, grid.cell_of(step.cell)) for step in begun],
    )


def plan_steps(grid: Grid, plan: PanicPlan) -> tuple[PlannedStep, ...]:
    """A plan as steps of a timeline."""
    return tuple(PlannedStep(step.human, grid.cell_id(step.cell)) for step in plan.timeline)


def panic_of(grid: Grid, moment: PlanMoment) -> Panic:
    """How far the panic has come at a moment of its plan."""
    run = moment.mid_run
    if run is None:
        return Panic(queue=moment.queue)
    trail = tuple(map(grid.cell_id, run.trail))
    return Panic(moment.queue, run.human, run.steps, run.seen, trail)


def steps_to(state: State, grid: Grid, window: CardWindow, to: int) -> ev.StepsTaken:
    """What happens when the timeline is carried out up to step ``to``, in a window under way."""
    if window.kind != "panic":
        return ev.StepsTaken(to=to, cells=_cells(window, to))
    begun = window.timeline[window.floor : to]
    moment = at_anchor(plan_of(state, grid, begun), len(begun))
    cells = {name: grid.cell_id(cell) for name, cell in moment.cells.items()}
    return ev.StepsTaken(to=to, cells=cells, moved=moment.moved, panic=panic_of(grid, moment))


def all_steps(state: State, grid: Grid, window: CardWindow) -> ev.StepsTaken:
    """What happens when the window closes: all the rest of the timeline (§5.3.6)."""
    to = len(window.timeline)
    if window.kind != "panic":
        return ev.StepsTaken(to=to, cells=_cells(window, to))
    moment = at_end(plan_of(state, grid))
    cells = {name: grid.cell_id(cell) for name, cell in moment.cells.items()}
    return ev.StepsTaken(to=to, cells=cells, moved=moment.moved)


def _cells(window: CardWindow, to: int) -> dict[str, Cell]:
    return {step.piece: step.cell for step in window.timeline[window.floor : to]}


def state_at(state: State, anchor: int) -> State:
    """A copy of the state in which the timeline has happened up to an anchor (§5.2g).

    Only the pieces and the floor are as they will be; what the panic remembers is not.

    Raises:
        ValueError: no window is open, or the anchor is outside of its timeline.
    """
    window = state.window
    if window is None or not window.floor <= anchor <= len(window.timeline):
        raise ValueError("no anchor of an open window")
    if anchor == window.floor:
        return state
    steps = ev.StepsTaken(to=anchor, cells=_cells(window, anchor), panic=state.panic)
    return evolve(copy.copy(state), steps)
