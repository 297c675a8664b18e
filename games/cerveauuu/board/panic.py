"""The panic: who runs, in which order, and the plan of all steps (§4.4, C68; pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from games.cerveauuu.board.flights import Crowd, Flight, run
from games.cerveauuu.board.grid import Grid
from games.cerveauuu.board.pawns import Pawn, Reading, number, settle


class MidRun(Struct, frozen=True):
    """A human in mid-run.

    ``trail``: each cell on which it has stood, from where its run began to where it stands; cells
    to which cards have moved it are among them. ``steps``: those it has made, less those given by a
    card. ``seen``: the zombies it has seen, by id.
    """

    human: str
    trail: tuple[int, ...]
    steps: int
    seen: tuple[str, ...]


class PlanStep(Struct, frozen=True):
    """A step of the plan: the cell ``entered``, and the ``cell`` where the human then stands.

    They differ only where the step ends with going back to a free cell (§2.4, §4.3.8). ``seen``:
    the zombies seen so far.
    """

    human: str
    entered: int
    cell: int
    seen: tuple[str, ...]


class PanicPlan(Struct, frozen=True):
    """What will happen if nobody plays a card (§4.4.2).

    ``mid_run`` and ``queue`` are what it was made from. ``flights``: the runs of those that take
    their turn, in order; first that of the human in mid-run, if it goes on or goes back to a free
    cell. ``timeline``: all steps; an anchor is the number of steps that have happened.
    """

    mid_run: MidRun | None
    queue: tuple[str, ...]
    flights: tuple[Flight, ...]
    timeline: tuple[PlanStep, ...]


class PlanMoment(Struct, frozen=True):
    """The panic at an anchor of a plan (§4.4.2, C68).

    ``cells``: where those stand that have run since the plan was made. ``moved``: those that have
    had their turn since, or are in it. ``queue``: those whose turn is still to come.
    """

    cells: dict[str, int]
    moved: tuple[str, ...]
    mid_run: MidRun | None
    queue: tuple[str, ...]


def panic_queue(grid: Grid, pawns: Sequence[Pawn], sight: Reading) -> tuple[str, ...]:
    """The operational humans that see an operational zombie, the most threatened first (§4.4.1).

    Args:
        grid: the board.
        pawns: all pieces.
        sight: the ``sight`` of each human.
    """
    crowd = Crowd(grid, pawns)
    found = []
    for pawn in pawns:
        if pawn.human and pawn.operational:
            seen = crowd.seen_from(pawn.cell, sight(pawn.id, pawn.cell))
            if seen:
                nearest = min([row[pawn.cell] for row in crowd.rows(seen)])
                found.append((nearest, number(pawn.id), pawn.id))
    return tuple(id_ for _, _, id_ in sorted(found))


def panic_plan(
    grid: Grid,
    pawns: Sequence[Pawn],
    queue: Sequence[str],
    move: Reading,
    sight: Reading,
    mid_run: MidRun | None = None,
    begun: Sequence[tuple[str, int]] | None = None,
) -> PanicPlan:
    """Run the flights in queue order, each on the board that those before it have left (§4.4.2-3).

    Args:
        grid: the board.
        pawns: all pieces, where they stand now.
        queue: the humans whose turn is still to come, in order; those that are gone are skipped.
        move: the ``move`` of each human, read where its flight starts or is planned anew (C77).
        sight: the ``sight`` of each human, read wherever it stands.
        mid_run: who is in mid-run, if the plan is made anew.
        begun: how the timeline of this very plan begins, if it is known already and no later
            anchor is asked for: of each step the human and the cell where it then stands. Then only
            who makes the last of these steps runs; those before it have just their steps, and
            whoever would run later is left out of the plan.
    """
    crowd = Crowd(grid, pawns)
    running = {pawn.id for pawn in pawns if pawn.human and pawn.operational}
    flights: list[Flight] = []
    if mid_run is not None and mid_run.human in crowd.cells:
        flights += _resumed(crowd, mid_run, move, sight, going=mid_run.human in running)
    steps = sum(len(each.path) for each in flights)
    over = _over(begun or ())
    for human in queue:
        if begun is not None and steps >= len(begun):
            break
        if human in over:
            flights.append(_known(crowd, human, over[human]))
            steps += len(over[human])
        elif human in running:
            here = crowd.cells[human]
            if crowd.seen_from(here, sight(human, here)):
                flights.append(run(crowd, human, move(human, here), sight, (0, ())))
                steps += len(flights[-1].path)
    timeline = tuple(step for each in flights for step in _steps(each))
    return PanicPlan(mid_run, tuple(queue), tuple(flights), timeline)


def _over(begun: Sequence[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    """The runs that are over when the last of some steps is made, each with its cells."""
    cells: dict[str, tuple[int, ...]] = {}
    for human, cell in begun:
        cells[human] = (*cells.get(human, ()), cell)
    if begun:
        del cells[begun[-1][0]]
    return cells


def _known(crowd: Crowd, human: str, path: tuple[int, ...]) -> Flight:
    """A run that need not be worked out: whom it has seen matters to nobody any more."""
    start, end = crowd.cells[human], path[-1]
    crowd.cells[human] = end
    return Flight(human, start, path, seen=(), sightings=((),) * len(path), end=end)


def _resumed(
    crowd: Crowd, mid_run: MidRun, move: Reading, sight: Reading, *, going: bool
) -> Iterator[Flight]:
    """The rest of an interrupted run; blocked or doomed the human stands still (§4.4.2)."""
    human, trail = mid_run.human, mid_run.trail
    here = crowd.cells[human]
    if going:
        left = max(0, move(human, here) - mid_run.steps)
        flight = run(crowd, human, left, sight, (crowd.mask(mid_run.seen), trail))
    else:
        end = settle(crowd.grid, [*trail, here], crowd.others(human))
        crowd.cells[human] = end
        seen = crowd.names(crowd.mask(mid_run.seen))
        flight = Flight(human=human, start=here, path=(), seen=seen, sightings=(), end=end)
    if going or flight.end != here:
        yield flight


def _steps(flight: Flight) -> Iterator[PlanStep]:
    last = len(flight.path) - 1
    for index, (cell, seen) in enumerate(zip(flight.path, flight.sightings, strict=True)):
        yield PlanStep(flight.human, cell, flight.end if index == last else cell, seen)


def at_anchor(plan: PanicPlan, anchor: int) -> PlanMoment:
    """The panic when just the first ``anchor`` steps of a plan have happened (C68).

    At anchor 0 nobody of the queue has had its turn, and who was in mid-run still is. Else the
    human of the last step is in mid-run, those before it in the queue have had their turn.

    Raises:
        ValueError: the timeline is shorter.
    """
    if not 0 <= anchor <= len(plan.timeline):
        raise ValueError(f"no anchor of this plan: {anchor}")
    if anchor == 0:
        return _outset(plan)
    human = plan.timeline[anchor - 1].human
    cells: dict[str, int] = {}
    moved = []
    before = 0
    for flight in plan.flights:
        moved.append(flight.human)
        cells[flight.human] = flight.end
        if flight.human == human:
            cells[human] = plan.timeline[anchor - 1].cell
            mid_run = _mid_run(plan, flight, anchor - before)
            return PlanMoment(cells, tuple(moved), mid_run, _after(plan, human))
        before += len(flight.path)
    raise AssertionError(human)


def at_end(plan: PanicPlan) -> PlanMoment:
    """The panic when all of a plan has happened and everybody has had their turn (§4.4.5)."""
    return PlanMoment(
        cells={each.human: each.end for each in plan.flights},
        moved=tuple(each.human for each in plan.flights),
        mid_run=None,
        queue=(),
    )


def _outset(plan: PanicPlan) -> PlanMoment:
    """Nothing has happened but what happens at once: a human goes back to a free cell."""
    mid_run = plan.mid_run
    cells: dict[str, int] = {}
    if mid_run is None:
        return PlanMoment(cells, (), None, plan.queue)
    first = plan.flights[0] if plan.flights else None
    if first is not None and first.human == mid_run.human and not first.path:
        cells[first.human] = first.end
        mid_run = _mid_run(plan, first, 0)
    return PlanMoment(cells, (mid_run.human,), mid_run, plan.queue)


def _mid_run(plan: PanicPlan, flight: Flight, steps: int) -> MidRun:
    """A human in mid-run after some steps of its flight."""
    earlier = plan.mid_run
    resumed = earlier is not None and earlier.human == flight.human
    before = earlier.trail if resumed and earlier else ()
    start = () if before[-1:] == (flight.start,) else (flight.start,)
    trail = (*before, *start, *flight.path[:steps])
    if steps == len(flight.path) and flight.end != trail[-1]:
        trail = (*trail, flight.end)
    made = earlier.steps if resumed and earlier else 0
    seen = flight.sightings[steps - 1] if steps else flight.seen
    return MidRun(flight.human, trail, made + steps, seen)


def _after(plan: PanicPlan, human: str) -> tuple[str, ...]:
    """Those in the queue after a human; all of them if it was in mid-run."""
    if human in plan.queue:
        return plan.queue[plan.queue.index(human) + 1 :]
    return plan.queue
