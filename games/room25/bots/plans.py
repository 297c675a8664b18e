"""Programmes: each piece's best answer to what the others are expected to do (pure).

Everybody computes the same plan from the same public position, piece by piece in turn order, and
programmes its own part of it. That is all the teamwork there is: no word is needed, and a mate who
does something else only makes the plan a worse guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from games.room25.bots.seen import Piece, Snapshot
from games.room25.bots.sight import Sight, sight_of
from games.room25.bots.terrain import MIDDLE, NEXT
from games.room25.bots.turn import ANY, Slots, Tokens, Turn
from games.room25.bots.worth import Worth
from games.room25.catalogue import DEFAULT_ORDER, SPECIAL

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

TALENTED: Final[tuple[Tokens, ...]] = (
    ("special", "move"),
    ("move", "special"),
    ("special", "control"),
    ("control", "special"),
    ("special", "look"),
    ("special", None),
    (None, "special"),
)
"""The same, for one whose special ability may be of use now."""

NOTHING: Final[Tokens] = (None, None)

ROUNDS: Final = 2
"""How often everybody may change its mind while a plan is made."""

PRICE: Final = {1: 0.05, 2: 0.4}
"""What adrenaline must bring to be spent, in moves, by the turns left."""
DEARER: Final = 0.9
"""The same, while there are more turns left."""

Judge = Callable[[list[Tokens]], float]
"""The value of the turn when the pieces do these things."""


def programs_for(sight: Sight, index: int) -> list[Tokens]:
    """The programmes that a piece may sensibly hand in; what harms least if there is none."""
    piece = sight.seen.pieces[index]
    if piece.led:
        return [NOTHING]
    likely = OPENING if sight.goal is None else GOING
    if sight.seen.talents and SPECIAL in piece.tokens and _is_called_for(sight, index):
        likely += TALENTED
    result = [tokens for tokens in likely if _sensible(sight, index, piece, tokens)]
    return result or [(next(t for t in DEFAULT_ORDER if t in piece.tokens), None)]


def _sensible(sight: Sight, index: int, piece: Piece, tokens: Tokens) -> bool:
    first, second = tokens
    now = first or second
    alone = all(where != piece.place for i, where in enumerate(sight.places) if i != index)
    inside = piece.place == sight.goal
    if any(token and token not in piece.tokens for token in tokens):
        return False
    if piece.limited and first and second:
        return False
    if piece.armed and now != "move" and not (now == SPECIAL and piece.spares):
        return False
    if piece.wet and not {"move", SPECIAL} & set(tokens):
        return False
    if inside and ("move" in tokens or "push" in tokens):
        return False
    if piece.place == MIDDLE and _is_lost_there(first, second):
        return False
    return not (now == "push" and alone)


def _is_lost_there(first: str | None, second: str | None) -> bool:
    """Whether an action is wasted that is not possible in the centre (R36)."""
    far = {"control", "push", SPECIAL}
    return first in far or (second in far and first != "move")


def _is_called_for(sight: Sight, index: int) -> bool:
    """Whether a special ability may help at all where the pieces stand."""
    piece = sight.seen.pieces[index]
    others = [where for i, where in enumerate(sight.places) if i != index]
    near = {piece.place, *NEXT[piece.place]}
    if piece.name == "sarah":
        caught = piece.armed or piece.wet or sight.kinds[piece.place] == "jail"
        return caught and piece.spares > 0
    if piece.name == "franck":
        return piece.drained and sight.seen.left > 1
    if piece.name == "max":
        return any(where in near for where in others)
    if piece.name == "jennifer":
        wide = near.union(*[NEXT[place] for place in near])
        return any(where in wide for where in others)
    if piece.name == "emmett":
        sealed = [sight.closed[n] and not sight.seen.locked[n] for n in NEXT[piece.place]]
        return any(sealed) or index not in sight.seen.crew
    if piece.name == "bruce":
        return any(where in near for where in others)
    if piece.name == "alice":
        rivals = [i for i in range(len(sight.places)) if i not in sight.seen.crew]
        return any(sight.places[i] in near for i in rivals if i != index)
    return piece.name == "kevin"


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
    """The slots of a turn from its beginning, the adrenaline round included."""
    return [(piece, number) for number in (0, 1, 2) for piece in players]


@lru_cache(maxsize=64)
def common_plan(seen: Snapshot) -> tuple[Tokens, ...]:
    """What the crew will do this turn, as seen by ``seen``; a third action is adrenaline.

    Rivals are taken to stand still.
    """
    sight = sight_of(seen)
    worth = Worth(sight)
    slots = whole_turn(seen.crew)

    def judge(tokens: list[Tokens]) -> float:
        return Turn(worth, {}).run(tokens, slots)

    everybody = range(len(seen.pieces))
    choices = [programs_for(sight, i) if i in seen.crew else [NOTHING] for i in everybody]
    tokens = improve([mine[0] for mine in choices], choices, judge)
    price = PRICE.get(seen.left, DEARER)
    for i in seen.crew:
        tokens[i] = boosted(seen.pieces[i], i, tokens, judge, price)
    return tuple(tokens)


def answer(seen: Snapshot, plan: Sequence[Tokens], me: int, *, foe: bool) -> Tokens:
    """The best programme of a piece that knows what ``seen`` shows, when the others keep the plan.

    ``foe``: the best for one who plays against the crew.
    """
    sight = sight_of(seen)
    worth = Worth(sight)
    slots = whole_turn(sorted({*seen.crew, me}))
    sign = -1.0 if foe else 1.0

    def judge(tokens: list[Tokens]) -> float:
        return sign * Turn(worth, {}, me if foe else None).run(tokens, slots)

    mine = programs_for(sight, me)
    tokens = [each[:2] if i == me else each for i, each in enumerate(plan)]
    tokens[me] = min(mine, key=lambda choice: judge(_with(tokens, me, choice)))
    return boosted(seen.pieces[me], me, tokens, judge, PRICE.get(seen.left, DEARER))


def boosted(piece: Piece, index: int, tokens: list[Tokens], judge: Judge, price: float) -> Tokens:
    """A piece's programme, with adrenaline if that brings more than it is worth later."""
    if not piece.boost:
        return tokens[index]
    with_it: Tokens = (*tokens[index], ANY)
    gain = judge(tokens) - judge(_with(tokens, index, with_it))
    return with_it if gain > price else tokens[index]
