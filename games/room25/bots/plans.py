"""Programmes: each piece's best answer to what the others are expected to do (pure).

Everybody computes the same plan from the same public position, piece by piece in turn order, and
programmes its own part of it. That is all the teamwork there is: no word is needed, and a mate who
does something else only makes the plan a worse guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from games.room25.bots.sight import Piece, Sight, Snapshot, sight_of
from games.room25.bots.terrain import MIDDLE
from games.room25.bots.turn import Slots, Tokens, Turn
from games.room25.bots.worth import Worth

OPENING: Final[tuple[Tokens, ...]] = (
    ("look", "move"),
    ("move", "look"),
    ("move", "control"),
    ("control", "move"),
    ("look", "control"),
    ("control", "look"),
    (None, "control"),
    ("control", None),
    ("look", None),
    ("move", None),
    (None, "move"),
    ("push", "move"),
    ("move", "push"),
    ("push", "control"),
    ("control", "push"),
)
"""Programmes worth a thought, the likeliest first; a single action now, or put off."""

GOING: Final = tuple(sorted(OPENING, key=lambda tokens: tokens != ("move", "control")))
"""The same, once Room 25 is known: go there, then help to push it out."""

NOTHING: Final[Tokens] = (None, None)

STAY: Final[Tokens] = ("look", None)
"""What harms least where nothing else will do."""

ROUNDS: Final = 2
"""How often everybody may change its mind while a plan is made."""

Judge = Callable[[list[Tokens]], float]
"""The value of the turn when the pieces do these things."""


def programs_for(sight: Sight, index: int) -> list[Tokens]:
    """The programmes that a piece may sensibly hand in."""
    piece = sight.seen.pieces[index]
    likely = OPENING if sight.goal is None else GOING
    result = [tokens for tokens in likely if _sensible(sight, index, piece, tokens)]
    return result or [STAY]


def _sensible(sight: Sight, index: int, piece: Piece, tokens: Tokens) -> bool:
    first, second = tokens
    now = first or second
    alone = all(where != piece.place for i, where in enumerate(sight.places) if i != index)
    inside = piece.place == sight.goal
    if piece.limited and first and second:
        return False
    if (piece.armed and now != "move") or (piece.wet and "move" not in tokens):
        return False
    if inside and ("move" in tokens or "push" in tokens):
        return False
    if piece.place == MIDDLE and now in {"control", "push"}:
        return False
    return not (now == "push" and alone)


def improve(
    tokens: list[Tokens], choices: Sequence[Sequence[Tokens]], judge: Judge, rounds: int = ROUNDS
) -> list[Tokens]:
    """Let one after the other take its best choice, given the rest, until nobody would change."""
    tokens = list(tokens)
    for _ in range(rounds):
        before = list(tokens)
        for piece, mine in enumerate(choices):
            if len(mine) > 1:
                values = [judge(_with(tokens, piece, choice)) for choice in mine]
                tokens[piece] = mine[values.index(min(values))]
        if tokens == before:
            break
    return tokens


def _with(tokens: list[Tokens], piece: int, choice: Tokens) -> list[Tokens]:
    return [*tokens[:piece], choice, *tokens[piece + 1 :]]


def whole_turn(players: Sequence[int]) -> Slots:
    """The slots of a turn from its beginning."""
    return [(piece, number) for number in (0, 1) for piece in players]


@lru_cache(maxsize=64)
def common_plan(seen: Snapshot, foe: int | None = None) -> tuple[Tokens, ...]:
    """What the crew (and ``foe``, against it) will do this turn, as seen by ``seen``.

    Rivals are taken to stand still.
    """
    sight = sight_of(seen)
    worth = Worth(sight)
    players = [i for i in range(len(seen.pieces)) if i in seen.crew or i == foe]
    slots = whole_turn(players)

    def judge(tokens: list[Tokens]) -> float:
        return Turn(worth, {}).run(tokens, slots)

    choices = [
        programs_for(sight, i) if i in seen.crew else [NOTHING] for i in range(len(seen.pieces))
    ]
    tokens = improve([mine[0] for mine in choices], choices, judge)
    if foe is not None:
        answers = [_with(tokens, foe, mine) for mine in programs_for(sight, foe)]
        tokens = max(answers, key=lambda answer: Turn(worth, {}, foe).run(answer, slots))
    return tuple(tokens)
