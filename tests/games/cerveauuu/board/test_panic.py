"""Flights and the plan of a panic, as the scenarios tell them (§4.3, §4.4)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from games.cerveauuu.board import (
    Flight,
    Grid,
    MidRun,
    PanicPlan,
    Pawn,
    at_anchor,
    at_end,
    flight,
    flights,
    panic_plan,
    panic_queue,
)
from games.cerveauuu.scenarios.bases import ELBOW
from tests.games.cerveauuu.board.boards import (
    DEFAULT,
    MOVE,
    SIGHT,
    XY,
    always,
    cell_at,
    grid_of,
    human,
    open_grid,
    places,
    random_grid,
    random_pawns,
    zombie,
)
from tests.games.cerveauuu.board.runs import Runner


def planned(grid: Grid, pawns: Sequence[Pawn]) -> PanicPlan:
    return panic_plan(grid, pawns, panic_queue(grid, pawns, SIGHT), MOVE, SIGHT)


def s95() -> tuple[Grid, list[Pawn], PanicPlan]:
    grid = open_grid(12, 1)
    pawns = [human(grid, 1, (3, 0)), human(grid, 2, (9, 0)), zombie(grid, 1, (0, 0))]
    return grid, pawns, planned(grid, pawns)


def standing(pawns: Sequence[Pawn], cells: dict[str, int]) -> list[Pawn]:
    return [
        Pawn(each.id, cells.get(each.id, each.cell), each.human, each.operational) for each in pawns
    ]


def tables(draw: random.Random, number: int) -> Iterator[tuple[Grid, list[Pawn]]]:
    """Random boards with pieces, every fourth one the default map."""
    for index in range(number):
        grid = DEFAULT if index % 4 == 0 else random_grid(draw, 5 + index % 5)
        crowded = 30 if grid is DEFAULT else 6
        yield grid, random_pawns(draw, grid, draw.randint(1, crowded), draw.randint(1, 6))


def strays(draw: random.Random, number: int) -> list[str]:
    """Runs that are not as §4.3 tells them, each as where it is and what was to come."""
    wrong = []
    for grid, pawns in tables(draw, number):
        allowance = draw.randint(0, 8)
        for pawn in pawns:
            if pawn.human and pawn.operational:
                found = list(flight(grid, pawns, pawn.id, allowance, SIGHT).path)
                right = Runner(grid, pawns, pawn.id).path(allowance)
                if found != right:
                    wrong.append(f"{pawn.id}: {found} for {right}")
    return wrong


@pytest.mark.parametrize("number", [60, pytest.param(3000, marks=pytest.mark.nightly)])
def test_a_flight_is_as_the_rule_tells_it(number: int) -> None:
    assert strays(random.Random(43), number) == []


@pytest.mark.parametrize("fault", [min, max])
def test_a_fault_in_flights_is_found(
    fault: Callable[[Sequence[int]], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The straightest way is forgotten: the first or last of equals is taken."""

    def anything(
        _crowd: object, _here: int, _known: int, ways: Sequence[Sequence[int]]
    ) -> Sequence[int]:
        end = fault([way[-1] for way in ways])
        return next(way for way in ways if way[-1] == end)

    monkeypatch.setattr(flights, "_straightest", anything)
    assert strays(random.Random(43), 60)


@pytest.mark.parametrize(
    ("first", "second", "nearest"),
    [
        ((3, 3), (3, 0), 2),
        ((-3, -3), (-3, 0), 2),
        ((3, 3), (0, -3), 2),
        ((3, 2), (2, 3), 1),
        ((2, 3), (3, 2), 1),
        ((4, 0), (3, 3), 2),
    ],
)
def test_of_zombies_equally_many_steps_off_the_straighter_is_nearer_then_the_lower_number(
    first: XY, second: XY, nearest: int
) -> None:
    """§4.3.5: by steps, then by squared straight distance, then by id."""
    grid = open_grid(9, 9)
    zombies = [zombie(grid, n, (4 + x, 4 + y)) for n, (x, y) in enumerate((first, second), 1)]
    crowd = flights.Crowd(grid, zombies)
    cells = {each.id: each.cell for each in zombies}
    assert crowd.nearest(cell_at(grid, 4, 4), crowd.mask(cells)) == cells[f"z{nearest:02}"]


def test_nobody_in_a_plan_ends_on_a_taken_cell_or_steps_nearer() -> None:
    draw = random.Random(44)
    for grid, pawns in tables(draw, 80):
        plan = planned(grid, pawns)
        zombies = {each.id: each.cell for each in pawns if not each.human}
        cells = {each.id: each.cell for each in pawns}
        for run in plan.flights:
            here, seen = run.start, run.seen
            for cell, sighting in zip(run.path, run.sightings, strict=True):
                assert least(grid, cell, seen, zombies) >= least(grid, here, seen, zombies)
                here, seen = cell, sighting
            cells[run.human] = run.end
            assert len(set(cells.values())) == len(cells)
            assert not grid.is_impassable(run.end)


def least(grid: Grid, cell: int, seen: Sequence[str], zombies: dict[str, int]) -> int:
    return min(grid.distance(zombies[id_], cell) for id_ in seen)


def test_a_plan_made_anew_between_two_runs_is_the_rest_of_the_plan() -> None:
    """In the middle of a run it may be another one: what is straightest goes by where one is."""
    draw = random.Random(45)
    for grid, pawns in tables(draw, 40):
        plan = planned(grid, pawns)
        anchor = 0
        for run in plan.flights:
            anchor += len(run.path)
            if not run.path or run.end != run.path[-1]:
                continue
            moment = at_anchor(plan, anchor)
            now = standing(pawns, moment.cells)
            anew = panic_plan(grid, now, moment.queue, MOVE, SIGHT, moment.mid_run)
            assert anew.timeline == plan.timeline[anchor:]
            assert {**moment.cells, **at_end(anew).cells} == at_end(plan).cells
            moved = dict.fromkeys((*moment.moved, *at_end(anew).moved))
            assert tuple(moved) == at_end(plan).moved


def test_at_each_anchor_just_its_steps_have_happened() -> None:
    draw = random.Random(46)
    for grid, pawns in tables(draw, 40):
        plan = planned(grid, pawns)
        assert at_anchor(plan, 0).cells == {}
        for anchor, step in enumerate(plan.timeline, 1):
            moment = at_anchor(plan, anchor)
            assert moment.mid_run is not None
            assert moment.mid_run.human == step.human == moment.moved[-1]
            assert moment.mid_run.trail[-1] == step.cell == moment.cells[step.human]
            entered = [each.entered for each in plan.timeline[:anchor] if each.human == step.human]
            start = next(each.cell for each in pawns if each.id == step.human)
            back = [step.cell] if step.cell != step.entered else []
            assert list(moment.mid_run.trail) == [start, *entered, *back]
            made = sum(each.human == step.human for each in plan.timeline[:anchor])
            assert (moment.mid_run.steps, moment.mid_run.seen) == (made, step.seen)
            turn = plan.queue.index(step.human)
            assert moment.queue == plan.queue[turn + 1 :]
            assert set(moment.moved) <= set(plan.queue[: turn + 1])


def steps(plan: PanicPlan, anchor: int) -> list[tuple[str, int]]:
    """How a plan begins."""
    return [(step.human, step.cell) for step in plan.timeline[:anchor]]


def test_a_plan_up_to_an_anchor_says_the_same_of_it() -> None:
    """Also of those who are in mid-run there; who would run later is left out."""
    draw = random.Random(11)
    shorter = 0
    for grid, pawns in tables(draw, 24):
        whole = planned(grid, pawns)
        for anchor in range(0, len(whole.timeline) + 1, 3):
            part = panic_plan(grid, pawns, whole.queue, MOVE, SIGHT, begun=steps(whole, anchor))
            assert at_anchor(part, anchor) == at_anchor(whole, anchor)
            shorter += len(part.flights) < len(whole.flights)
            moment = at_anchor(whole, anchor)
            now, rest = standing(pawns, moment.cells), moment.queue
            on = panic_plan(grid, now, rest, MOVE, SIGHT, moment.mid_run)
            for later in range(0, len(on.timeline) + 1, 4):
                known = steps(on, later)
                less = panic_plan(grid, now, rest, MOVE, SIGHT, moment.mid_run, begun=known)
                assert at_anchor(less, later) == at_anchor(on, later)
    assert shorter > 10


def test_where_somebody_of_an_earlier_run_stood_is_free_to_who_runs_up_to_the_anchor() -> None:
    """§4.4.2-3, C68: the second flees past the first onto the cell that the first has left."""
    grid = open_grid(5, 1)
    pawns = [human(grid, 1, (3, 0)), human(grid, 2, (1, 0))]
    pawns += [zombie(grid, 1, (4, 0)), zombie(grid, 2, (0, 0))]
    move, sight = always(2), always(1)
    queue = panic_queue(grid, pawns, sight)
    whole = panic_plan(grid, pawns, queue, move, sight)
    begun = steps(whole, 3)
    assert begun == [("h01", 2), ("h02", 2), ("h02", 3)]
    part = panic_plan(grid, pawns, queue, move, sight, begun=begun)
    assert at_anchor(part, 3) == at_anchor(whole, 3)
    assert at_anchor(part, 3).cells == {"h01": 2, "h02": 3}


def test_a_beginning_that_is_another_plans_is_taken_at_its_word() -> None:
    """A control: runs that are over are put where they are said to have ended, not run again."""
    draw = random.Random(12)
    astray = 0
    for grid, pawns in tables(draw, 24):
        whole = planned(grid, pawns)
        begun = steps(whole, len(whole.timeline))
        other = [(human, begun[-1][1]) for human, _ in begun]
        part = panic_plan(grid, pawns, whole.queue, MOVE, SIGHT, begun=other)
        astray += part.flights != whole.flights
    assert astray > 10


def test_an_anchor_beyond_the_timeline_is_refused() -> None:
    _, _, plan = s95()
    for anchor in (-1, 8):
        with pytest.raises(ValueError, match="no anchor"):
            at_anchor(plan, anchor)


def test_a_human_blocked_in_mid_run_goes_back_to_a_free_cell_at_once() -> None:
    """It has jumped onto a taken cell; a later card at the same anchor may let it go on."""
    grid = open_grid(9, 1)
    pawns = [human(grid, 1, (3, 0)), human(grid, 2, (2, 0)), zombie(grid, 1, (0, 0))]
    plan = planned(grid, pawns)
    moment = at_anchor(plan, 1)
    assert moment.cells == {"h02": 3}
    blocked = [human(grid, 1, (3, 0)), human(grid, 2, (3, 0), operational=False), pawns[2]]
    anew = panic_plan(grid, blocked, moment.queue, MOVE, SIGHT, moment.mid_run)
    assert anew.flights[0] == Flight("h02", 3, (), ("z01",), (), 2)
    later = at_anchor(anew, 0)
    assert later.cells == {"h02": 2}
    assert later.moved == ("h02",)
    assert later.mid_run == MidRun("h02", (2, 3, 2), 1, ("z01",))
    # It is let go: five steps are left.
    again = panic_plan(grid, pawns, later.queue, MOVE, SIGHT, later.mid_run)
    assert places(grid, again.flights[0].path) == [(x, 0) for x in range(3, 8)]


def test_a_human_that_is_gone_or_blocked_is_skipped() -> None:
    grid, pawns, plan = s95()
    h1, h2, z1 = pawns
    blocked = human(grid, 2, (9, 0), operational=False)
    assert at_end(panic_plan(grid, [h1, blocked, z1], plan.queue, MOVE, SIGHT)).moved == ("h01",)
    assert at_end(panic_plan(grid, [h2, z1], plan.queue, MOVE, SIGHT)).moved == ("h02",)
    gone = MidRun("h01", (3, 4), 1, ("z01",))
    assert at_end(panic_plan(grid, [h2, z1], ("h02",), MOVE, SIGHT, gone)).moved == ("h02",)


def test_zombies_seen_before_count_until_they_are_out_of_action() -> None:
    grid = grid_of(ELBOW)
    pawns = [human(grid, 1, (5, 0)), zombie(grid, 1, (0, 0)), zombie(grid, 2, (7, 4))]
    assert places(grid, flight(grid, pawns, "h01", 6, SIGHT).path)[0] == (6, 0)
    assert flight(grid, pawns, "h01", 6, SIGHT, ["z02"]).path == ()
    pawns[2] = zombie(grid, 2, (7, 4), operational=False)
    assert places(grid, flight(grid, pawns, "h01", 6, SIGHT, ["z02"]).path)[0] == (6, 0)


def test_who_sees_nobody_does_not_flee() -> None:
    grid = open_grid(5, 1)
    run = flight(grid, [human(grid, 1, (2, 0)), zombie(grid, 1, (4, 0))], "h01", 6, always(1))
    assert run == Flight("h01", 2, (), (), (), 2)


def test_sight_is_read_where_the_human_stands() -> None:
    """It runs until its sight is longer, and sees the zombie that it ran towards."""
    grid = open_grid(9, 1)
    pawns = [human(grid, 1, (2, 0)), zombie(grid, 1, (1, 0)), zombie(grid, 2, (8, 0))]
    run = flight(grid, pawns, "h01", 6, lambda _, cell: 99 if cell == 4 else 1)
    assert run.path == (3, 4)
    assert run.sightings == (("z01",), ("z01", "z02"))


def test_who_stands_on_an_impassable_cell_finds_no_way_out() -> None:
    grid = open_grid(5, 1).changed(impassable={2: True})
    pawns = [human(grid, 1, (2, 0)), zombie(grid, 1, (3, 0))]
    assert panic_queue(grid, pawns, SIGHT) == ()
    assert flight(grid, pawns, "h01", 6, SIGHT, ["z01"]).path == ()
