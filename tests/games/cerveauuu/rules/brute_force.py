"""All legal plays by another way: the text of the cards, and every form tried (§5.2, §7).

Nothing here uses the trees, the slots or the language's types; only the board is asked for
adjacency and sight. Random positions to compare on are here, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from events.kernel import Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.facts.events import CellFlagged, EdgeChanged
from games.cerveauuu.facts.evolve import evolve
from games.cerveauuu.model.language import CellFlag, EdgeChange
from games.cerveauuu.model.state import Modifier, State, TypeBan
from games.cerveauuu.rules.stats import stat
from tests.games.cerveauuu.deck.rows import TEXT
from tests.games.cerveauuu.rules.staging import LETTERS, TOWN, grid_of, lay

_LETTER_OF: Final = {kind: letter for letter, kind in LETTERS.items()}


class Text(NamedTuple):
    """What a line of the table says of a card."""

    type: str
    when: str
    target: tuple[str, ...]
    effect: str


TEXTS: Final[Mapping[str, Text]] = {
    card: Text(kind, when.replace("any", "PZOMCE"), tuple(target.replace("-", "").split()), effect)
    for card, _, kind, when, target, effect in (
        [part.strip() for part in line.split(" | ")] for line in TEXT.splitlines()
    )
}


class Moment:
    """The pieces at an anchor."""

    def __init__(self, state: State, anchor: int | None) -> None:
        self.state = state
        self.grid: Grid = grid_of(state)
        self.cells = {name: self.grid.cell_of(p.cell) for name, p in state.pieces.items()}
        for step in state.window.timeline[:anchor] if state.window and anchor else ():
            self.cells[step.piece] = self.grid.cell_of(step.cell)

    def at(self, part: str) -> int:
        return self.cells[part] if part in self.cells else self.grid.cell_of(part)

    def free(self, cell: int, but: str = "") -> bool:
        taken = {where for name, where in self.cells.items() if name != but}
        return cell not in taken and not self.grid.is_impassable(cell)


def legal_plays(state: State, seat: Seat) -> set[str]:
    """The ids of all plays that §5.2 allows a seat."""
    kind = "open" if state.window is None else state.window.kind
    found: set[str] = set()
    for number, card in state.hands[seat].items():
        text = TEXTS[str(card)]
        banned = text.type in {ban.type for ban in state.bans}
        locked = text.type == "media" and state.media_lock
        if _LETTER_OF[kind] in text.when and not banned and not locked:
            found |= {f"play.k{number}{rest}" for rest in _forms(state, seat, number, text)}
    return found


def _forms(state: State, seat: Seat, number: int, text: Text) -> Iterator[str]:
    window = state.window
    timed = window is not None and window.kind in {"panic", "movement"}
    anchors = range(len(window.timeline) + 1) if window and timed else [None]
    drop = re.search(r"drop\(me,(\d)\)", text.effect)
    others = sorted(each for each in state.hands[seat] if each != number)
    size = min(int(drop[1]), len(others)) if drop else 0
    for anchor in anchors:
        moment = Moment(state, anchor)
        for chosen in _filled(moment, seat, text.target, ()):
            for end in _ends(moment, text, chosen):
                for dropped in combinations(others, size):
                    parts = [*([] if anchor is None else [str(anchor)]), *chosen, *end]
                    parts += ["-".join(f"k{each}" for each in dropped)] if size else []
                    yield "".join(f".{part}" for part in parts)


def _filled(
    moment: Moment, seat: Seat, target: tuple[str, ...], chosen: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    if len(chosen) == len(target):
        yield chosen
        return
    slot = target[len(chosen)]
    filters = slot[2:-1].split(",") if "[" in slot else []
    for part in _universe(moment, slot[0]):
        if (
            part not in chosen
            and _named(moment, seat, slot[0], filters, part)
            and all(_passes(moment, seat, slot[0], each, part, chosen) for each in filters)
        ):
            yield from _filled(moment, seat, target, (*chosen, part))


def _universe(moment: Moment, kind: str) -> list[str]:
    grid = moment.grid
    match kind:
        case "C":
            return [grid.cell_id(cell) for cell in range(grid.size)]
        case "W" | "D":
            return [grid.edge_id(edge) for edge in grid.edges]
        case "B":
            return list(grid.buildings)
        case "P":
            return [f"s{seat}" for seat in moment.state.seats]
        case _:
            return list(moment.state.pieces)


def _named(moment: Moment, seat: Seat, kind: str, filters: list[str], part: str) -> bool:
    """Whether it is of the kind, and a piece may be designated at all."""
    if kind == "W":
        return moment.grid.stored(moment.grid.edge_of(part)) == "wall"
    if kind == "D":
        return moment.grid.stored(moment.grid.edge_of(part)).startswith("door")
    if kind not in "HZX":
        return True
    piece = moment.state.pieces[part]
    of_kind = kind == "X" or (kind == "H") == part.startswith("h")
    return of_kind and seat not in piece.touched_by and ("blk" in filters or not piece.blocked)


def _passes(
    moment: Moment, seat: Seat, kind: str, each: str, part: str, chosen: tuple[str, ...]
) -> bool:
    state, grid = moment.state, moment.grid
    word, *numbers = each.split(":")
    if word in {"see", "r", "adj"}:
        other = chosen[int(numbers[0]) - 1]
        here, there = moment.at(other), moment.at(part)
        far = max(abs(grid.x(here) - grid.x(there)), abs(grid.y(here) - grid.y(there)))
        match word:
            case "see":
                sight = stat(state, grid, other, "sight", here)
                return grid.sees(here, there) and far <= sight
            case "r":
                return far <= int(numbers[1])
            case _:
                return grid.adjacent(here, there)
    if kind == "P":
        return part != f"s{seat}"
    if kind == "D":
        return {"ajar": "door_open", "shut": "door_closed"}[each] == grid.stored(grid.edge_of(part))
    return _is(moment, seat, each, part)


def _is(moment: Moment, seat: Seat, each: str, part: str) -> bool:
    state, grid, cell = moment.state, moment.grid, moment.at(part)
    piece, fight = state.pieces.get(part), state.fight
    fighting = [*fight.attackers, *fight.defenders] if fight else []
    mover = state.activation.zombie if state.activation else ""
    return {
        "in": grid.building(cell) != "",
        "out": grid.building(cell) == "",
        "free": moment.free(cell),
        "border": grid.border(cell),
        "own": piece is not None and piece.controller == seat,
        "other": piece is not None and piece.controller not in {None, seat},
        "mover": part == mover,
        "fight": part in fighting,
        "support": part in fighting[1:] and fight is not None and part != fight.target,
        "blk": piece is not None and piece.blocked,
        "spent": piece is not None and piece.activated and piece.operational and part != mover,
    }[each]


def _ends(moment: Moment, text: Text, chosen: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Where the card's step may end; one empty way if it has none."""
    step = re.search(r"step\(\$(\d),(\d+)\)", text.effect)
    if not step:
        yield ()
        return
    killed = re.findall(r"kill\(\$(\d)\)", text.effect[: step.start()])
    doomed = {chosen[int(each) - 1] for each in killed}
    piece, steps = chosen[int(step[1]) - 1], int(step[2])
    reached = {moment.at(piece)}
    frontier = set(reached)
    for _ in range(steps):
        frontier = {
            end
            for cell in frontier
            for end in moment.grid.stepping_out(cell)
            if not _barred(moment, piece, end, doomed)
        } - reached
        reached |= frontier
    for cell in reached:
        if moment.free(cell, piece):
            yield (moment.grid.cell_id(cell),)


def _barred(moment: Moment, piece: str, cell: int, doomed: set[str]) -> bool:
    pieces = moment.state.pieces.values()
    there = [p for p in pieces if moment.cells[p.id] == cell and p.id not in {piece, *doomed}]
    saved = {p.id for p in moment.state.pieces.values() if {"card", "any"} & {*p.protections}}
    there += [p for p in pieces if moment.cells[p.id] == cell and p.id in doomed & saved]
    return any(p.operational and not (p.human and piece[0] == "h") for p in there)


# --- random positions ---


def random_position(random: Random) -> State:
    """A small town with anything in it, in any window, and cards for seat 1."""
    grid = grid_of(lay(map_=TOWN))
    humans, zombies = random.randint(0, 4), random.randint(1, 4)
    cells = random.sample(range(grid.size), humans + zombies)
    words = [
        f"{'h' if i < humans else 'z'}{i:02}@{grid.cell_id(cell)}"
        + (f":{random.randint(1, 2)}" if i >= humans else "")
        + "".join(f"!{mark}" for mark in ("b", "d", "a", "s", "t1", "t2") if random.random() < 0.1)
        for i, cell in enumerate(cells)
    ]
    window = random.choice("PPZOMMMCCE")
    mover = f"z{humans:02}"
    steps = _walk(random, grid, mover, cells[humans]) if window == "M" else ""
    if window == "P" and humans:
        steps = " ".join(
            _walk(random, grid, f"h{i:02}", cells[i]) for i in random.sample(range(humans), 1)
        )
    fight = f"{mover} > {words[0].partition('@')[0]}" if window == "C" and humans else ""
    if fight and zombies > 1:
        fight = fight.replace(" >", f" z{humans + 1:02} >")
    state = lay(
        " ".join(words),
        window=window,
        path=steps,
        fight=fight,
        hands={1: " ".join(random.sample(sorted(TEXTS), 5)), 2: "c031 c043"},
    )
    return _disturbed(random, state)


def _walk(random: Random, grid: Grid, piece: str, cell: int) -> str:
    steps = []
    for _ in range(random.randint(1, 3)):
        cell = random.choice(grid.neighbours(cell))
        steps.append(f"{piece}:{grid.cell_id(cell)}")
    return " ".join(steps)


def _disturbed(random: Random, state: State) -> State:
    """The position after some earlier cards."""
    grid = grid_of(state)
    edges: tuple[EdgeChange, ...] = ("breach", "door_open", "door_closed", "wall")
    flags: tuple[CellFlag, ...] = ("impassable", "opaque")
    for _ in range(random.randint(0, 2)):
        edge = grid.edge_id(random.choice(grid.edges))
        state = evolve(state, EdgeChanged(edge=edge, state=random.choice(edges), lasts="lasting"))
        cell = grid.cell_id(random.randrange(grid.size))
        state = evolve(state, CellFlagged(cell=cell, flag=random.choice(flags), lasts="lasting"))
    if random.random() < 0.2:
        state.bans = (TypeBan(card="c014", type="firearm", lasts="weather"),)
    if random.random() < 0.2:
        state.media_lock = True
    humans = tuple(piece.id for piece in state.humans())[:2]
    sight = Modifier(card="c006", stat="sight", lasts="lasting", value=2, absolute=True)
    state.modifiers = (replace(sight, pieces=humans),) if humans else ()
    return state
