"""Who sees whom (§6)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

import pytest

from games.cerveauuu.board import Grid, memos, parse_map, sight
from games.cerveauuu.board.default_sight import DEFAULT20_SIGHT
from games.cerveauuu.board.packed_sight import pack, unpack
from games.cerveauuu.scenarios.bases import open_board
from tests.games.cerveauuu.board.boards import (
    DEFAULT,
    cell_at,
    random_grid,
)
from tests.games.cerveauuu.board.rays import sees_by_force, sees_by_rule
from tools.cerveauuu import sight as writer

SPLIT, JOINED = (vars(sight)[part] for part in ("_split", "_joined"))
Oracle = Callable[[Grid, int, int], bool]


def differences(
    oracle: Oracle, grids: Iterable[Grid], draw: random.Random, pairs: int
) -> Iterator[tuple[int, int]]:
    """The pairs of cells of some boards for which another way of finding out answers otherwise."""
    for grid in grids:
        for _ in range(pairs):
            source, target = draw.randrange(grid.size), draw.randrange(grid.size)
            if grid.sees(source, target) != oracle(grid, source, target):
                yield source, target


def boards(draw: random.Random, number: int) -> Iterable[Grid]:
    return (random_grid(draw, 8) for _ in range(number))


@pytest.mark.parametrize("oracle", [sees_by_rule, sees_by_force])
@pytest.mark.parametrize("number", [40, pytest.param(3000, marks=pytest.mark.nightly)])
def test_sight_on_random_boards_is_what_others_find_out(oracle: Oracle, number: int) -> None:
    draw = random.Random(6)
    assert list(differences(oracle, boards(draw, number), draw, 25)) == []


def leaking(beams: list[sight.Beam], _x: int, _y: int) -> tuple[list[sight.Beam], list[sight.Beam]]:
    """A fault: whatever comes in leaves by both sides."""
    return beams, beams


def spreading(beams: list[sight.Beam], x: int, y: int) -> tuple[list[sight.Beam], list[sight.Beam]]:
    """A fault: a beam that meets a corner goes by it on one side undivided."""
    lower, upper = SPLIT(beams, x, y)
    return [beam for beam in beams if any(beam[:2] == each[:2] for each in lower)], upper


def dropping(lower: list[sight.Beam], upper: list[sight.Beam]) -> list[sight.Beam]:
    """A fault: of two ways into a cell one is forgotten."""
    return lower or upper


@pytest.mark.parametrize(
    ("part", "fault"), [("_split", leaking), ("_split", spreading), ("_joined", dropping)]
)
@pytest.mark.parametrize("oracle", [sees_by_rule, sees_by_force])
def test_a_fault_in_sight_is_found(
    oracle: Oracle, part: str, fault: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sight, part, fault)
    draw = random.Random(6)
    assert any(differences(oracle, boards(draw, 40), draw, 25))


def test_beams_that_do_not_meet_leave_what_lies_between_them_hidden() -> None:
    """Two come into one cell, beside a corner that both miss; random boards seldom have that."""
    board = parse_map(open_board(8, 8))
    walls = ("r0c5e", "r1c6s", "r3c4e")
    grid = Grid.of(board)
    grid = grid.changed(edges={grid.edge_of(wall): "wall" for wall in walls})
    source, target = cell_at(grid, 6, 0), cell_at(grid, 3, 6)
    assert not grid.sees(source, target)
    assert not sees_by_rule(grid, source, target)
    fewer = grid.changed(edges={grid.edge_of(walls[0]): "open"})
    assert fewer.sees(source, target) == sees_by_rule(fewer, source, target)


def test_beams_that_meet_become_one_and_no_other_is_lost() -> None:
    """What is seen would be the same without joining; the lists would grow cell by cell."""
    low, middle, further, high = (9, 1, 8, 2), (7, 3, 5, 5), (5, 5, 3, 7), (2, 8, 1, 9)
    assert JOINED([low, middle], [further, high]) == [low, (7, 3, 3, 7), high]
    apart = (4, 5, 3, 7)
    assert JOINED([low, middle], [apart, high]) == [low, middle, apart, high]
    assert JOINED([], [low]) == JOINED([low], []) == [low]


def test_the_table_of_the_default_map_is_what_the_code_says() -> None:
    """All 160,000 pairs, found out anew."""
    assert writer.main(["--check"]) == 0


@pytest.mark.parametrize("pairs", [400, pytest.param(40_000, marks=pytest.mark.nightly)])
def test_the_table_of_the_default_map_is_what_the_rule_says(pairs: int) -> None:
    draw = random.Random(211)
    assert list(differences(sees_by_rule, [DEFAULT], draw, pairs)) == []


@pytest.mark.nightly
def test_all_of_the_table_is_what_the_rule_says() -> None:
    cells = range(DEFAULT.size)
    for source in cells:
        seen = DEFAULT.seen_from(source, (1 << DEFAULT.size) - 1)
        assert seen == sum(sees_by_rule(DEFAULT, source, each) << each for each in cells)


def test_a_table_with_one_wrong_answer_is_written_anew() -> None:
    seen = unpack(DEFAULT20_SIGHT, DEFAULT.size)
    right = (writer.ROOT / writer.NAME).read_text(encoding="utf-8")
    assert writer.module(seen, right) == right
    wrong = [seen[0] ^ 1 << 399, *seen[1:]]
    drifted = writer.module(wrong, "")
    assert drifted != right
    assert writer.module(seen, drifted) != drifted
    # Whatever else the file says is not kept either.
    for other in (f"{right}\n", right.replace("A", "B"), "PACKED = 1\n"):
        assert writer.module(seen, other) not in (other, drifted)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 30])
def test_a_table_is_unpacked_as_it_was_packed(size: int) -> None:
    draw = random.Random(size)
    seen = [draw.getrandbits(size) for _ in range(size)]
    assert unpack(pack(seen), size) == seen
    assert unpack(f"{pack(seen)[:4]}\n{pack(seen)[4:]}", size) == seen


@pytest.mark.parametrize("text", ["", "!", "AAAA", pack([1, 2])])
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no table|[Ii]ncorrect padding"):
        unpack(text, 9)


def test_a_changed_wall_has_only_that_asked_anew_which_it_can_touch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, int]] = []

    def counted(blocks: Sequence[int], width: int, source: int, target: int) -> bool:
        asked.append((source, target))
        return sight.sees(blocks, width, source, target)

    monkeypatch.setattr(memos, "sees", counted)
    grid = Grid.of(parse_map(open_board(4, 4)))
    everything = [(a, b) for a in range(grid.size) for b in range(grid.size)]

    def looked() -> int:
        for a, b in everything:
            grid.sees(a, b)
        return len(asked)

    grid = grid.changed(edges={grid.edge_of("r3c2e"): "wall"})  # something is hidden elsewhere
    assert looked() == len(everything)
    for state in ("wall", "open"):
        asked.clear()
        grid = grid.changed(edges={grid.edge_of("r0c0e"): state})
        assert 0 < looked() < len(everything)
        assert all(_rectangle_holds(a, b, grid.width) for a, b in asked)


def _rectangle_holds(a: int, b: int, width: int) -> bool:
    """Whether that of two cells holds both r0c0 and r0c1."""
    (top, left), (bottom, right) = divmod(a, width), divmod(b, width)
    return min(top, bottom) == 0 and min(left, right) == 0 and max(left, right) > 0
