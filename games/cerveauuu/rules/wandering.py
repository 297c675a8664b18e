"""Wandering: turns, then the batch (§4.5; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.kernel import Option, Seat
from games.cerveauuu.board import Grid, barred_for, reachable
from games.cerveauuu.facts import zombie_events as ev
from games.cerveauuu.model.agenda import WanderBatch, Wanderers, WanderTurn
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import Cell, Piece, State, Wandering
from games.cerveauuu.rules.asking import OpenQuestion, PublicAsking, SealedAsking
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.pieces import Ways, lift_exits, pawns_of, ways_of, why_not_operational
from games.cerveauuu.rules.plays import PLAY, may_play, play_branch
from games.cerveauuu.rules.stats import stat
from games.cerveauuu.rules.trees import SKIP, Path, branch, leaf
from games.cerveauuu.rules.windows import open_by_card
from games.trees import parts_of

STAY: Final = "stay"


def wandering_of(state: State) -> Wandering:
    """How far the wandering has come.

    Raises:
        ValueError: nobody wanders.
    """
    if state.wandering is None:
        raise ValueError("nobody wanders")
    return state.wandering


def pool(state: State) -> tuple[str, ...]:
    """The humans that may wander: operational and not moved this round."""
    return tuple(p.id for p in state.pieces.values() if why_no_wanderer(p) is None)


def why_no_wanderer(piece: Piece) -> Why | None:
    """Why a piece may not wander, wherever it stands."""
    if not piece.human:
        return Why.NOT_A_HUMAN
    return why_not_operational(piece) or (Why.MOVED if piece.moved else None)


def wanderings(state: State, grid: Grid, human: str) -> Ways:
    """The ways of a human that wanders."""
    return ways_of(state, grid, human, stat(state, grid, human, "wander"))


def destinations(state: State, grid: Grid, human: str) -> dict[Cell, tuple[Cell, ...]]:
    """Where a human may wander, with the canonical path to each cell."""
    reach = wanderings(state, grid, human).reach
    return {grid.cell_id(end): tuple(map(grid.cell_id, reach.path(end))) for end in reach.ends}


def movable(state: State, grid: Grid) -> tuple[str, ...]:
    """The humans of the pool that can go somewhere."""
    pawns = pawns_of(state, grid)
    taken = {p.cell for p in pawns}
    barred = {p.cell for p in pawns if p.operational and not p.human}
    names = set(pool(state))
    return tuple(
        p.id
        for p in pawns
        if p.id in names
        and reachable(grid, p.cell, stat(state, grid, p.id, "wander"), barred, taken).ends
    )


def begin_wandering(play: Play) -> None:
    """The turns of wandering begin."""
    play.emit(ev.WanderingBegan())
    play.push(Wanderers())


def next_wanderer(play: Play, _: Wanderers) -> None:
    """Give the next turn to whoever has it, deal the batch, or end the wandering."""
    state = play.state
    wandering = wandering_of(state)
    order = state.order()
    turns = int(str(state.options.get("wander_goes", 3))) * len(order)
    can = movable(state, play.grid)
    if wandering.turns < turns and wandering.passes < len(order) and can:
        seat = order[wandering.turns % len(order)]
        play.push(WanderTurn(seat, play.question("wander-turn", seat)), Wanderers())
    elif pool(state):
        dealt = {human: order[i % len(order)] for i, human in enumerate(pool(state))}
        play.emit(ev.BatchDealt(humans=dealt, asked=can))
        play.push(WanderBatch())
    else:
        play.emit(ev.WanderingEnded())


# --- turns ---


def _question(_: State, frame: WanderTurn) -> OpenQuestion:
    return OpenQuestion(frame.id, "wander_turn", frame.seat)


def _options(
    state: State, grid: Grid, _: WanderTurn, question: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    if not path:
        humans = (branch((), name, piece=name) for name in movable(state, grid))
        found = (*humans, leaf((), SKIP))
        return (*found, branch((), PLAY)) if may_play(state, grid, question.seat) else found
    if path[0] == PLAY:
        return play_branch(state, grid, question.seat, path)
    if len(path) > 1 or path[0] not in pool(state):
        return ()
    return tuple(leaf(path, cell, cell=cell) for cell in destinations(state, grid, path[0]))


def _answer(play: Play, frame: WanderTurn, _: OpenQuestion, option: str) -> None:
    first, *rest = parts_of(option)
    if first == PLAY:
        open_by_card(play, frame.seat, option)
    elif first == SKIP:
        play.emit(ev.WanderPassed(seat=frame.seat))
    else:
        path = destinations(play.state, play.grid, first)[rest[0]]
        play.emit(ev.HumanWandered(seat=frame.seat, human=first, path=path))
        lift_exits(play)


TURN: Final = PublicAsking(
    question=_question, options=_options, default=lambda *_: SKIP, answer=_answer
)
"""What a seat is asked in its turn of wandering."""


# --- the batch ---


def _questions(state: State, _: Grid, __: WanderBatch) -> tuple[OpenQuestion, ...]:
    """One for each human dealt; who cannot move stays unasked."""
    wandering = wandering_of(state)
    return tuple(
        OpenQuestion(
            f"r{state.round}-batch-{human}-s{seat}",
            "wander_batch",
            seat,
            subject=human,
            sealed=True,
            answered=human in wandering.answers,
        )
        for human, seat in wandering.batch.items()
        if human in wandering.asked and seat not in state.dormant
    )


def _batch_options(
    state: State, grid: Grid, _: WanderBatch, question: OpenQuestion, path: Path
) -> tuple[Option, ...]:
    if path:
        return ()
    cells = destinations(state, grid, question.subject or "")
    return (leaf((), STAY), *(leaf((), cell, cell=cell) for cell in cells))


def _batch_answer(play: Play, _: WanderBatch, question: OpenQuestion, option: str) -> None:
    human = question.subject or ""
    play.emit(ev.BatchAnswered(seat=question.seat, human=human, choice=option))


def _judge(play: Play, _: WanderBatch) -> None:
    """All moves by seat order, then id; what is no longer legal becomes stay (§4.5.2)."""
    state = play.state
    wandering = wandering_of(state)
    choices = {
        human: STAY if seat in state.dormant else str(wandering.answers.get(human) or STAY)
        for human, seat in wandering.batch.items()
    }
    play.emit(ev.BatchJudged(choices=choices, paths=_paths(state, play.grid, wandering, choices)))
    lift_exits(play)
    play.emit(ev.WanderingEnded())


def _paths(
    state: State, grid: Grid, wandering: Wandering, choices: Mapping[str, str]
) -> dict[str, tuple[Cell, ...]]:
    pawns = {p.id: p for p in pawns_of(state, grid)}
    cells = {name: p.cell for name, p in pawns.items()}
    paths = {}
    for seat in state.order():
        for human in _dealt_to(wandering, seat):
            taken = {cell for name, cell in cells.items() if name != human}
            steps = stat(state, grid, human, "wander")
            barred = barred_for(pawns.values(), pawns[human])
            reach = reachable(grid, cells[human], steps, barred, taken)
            ends = {grid.cell_id(end): end for end in reach.ends}
            if choices[human] in ends:
                cells[human] = ends[choices[human]]
                paths[human] = tuple(map(grid.cell_id, reach.path(cells[human])))
    return paths


def _dealt_to(wandering: Wandering, seat: Seat) -> tuple[str, ...]:
    return tuple(human for human, owner in wandering.batch.items() if owner == seat)


BATCH: Final = SealedAsking(
    questions=_questions,
    options=_batch_options,
    default=lambda *_: STAY,
    answer=_batch_answer,
    close=_judge,
    key=lambda state, _: f"r{state.round}-batch",
)
"""What the seats are asked of the humans dealt to them."""
