"""Programmes: each piece's best answer to what the others are expected to do (pure).

Everybody computes the same plan from the same public position, piece by piece in turn order, and
programmes its own part of it. That is all the teamwork there is: no word is needed, and a mate who
does something else only makes the plan a worse guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from games.room25.bots.evaluation import Worth
from games.room25.bots.knowledge import Sight
from games.room25.bots.observation import Piece
from games.room25.bots.terrain import MIDDLE, NEXT
from games.room25.bots.turn import ANY, Slots, Tokens, Turn
from games.room25.model.catalogue import DEFAULT_ORDER, SPECIAL
from games.room25.model.characters import SHEETS, Skill

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


Call = Callable[[Sight, int], bool]
"""Whether a skill may help a piece at all where the pieces stand."""


def _is_called_for(sight: Sight, index: int) -> bool:
    """Whether a special ability may help at all where the pieces stand."""
    skills = SHEETS[sight.seen.pieces[index].name].skills
    return any(_CALLS[skill](sight, index) for skill in skills)


def _near(sight: Sight, index: int) -> set[int]:
    here = sight.places[index]
    return {here, *NEXT[here]}


def _others(sight: Sight, index: int) -> list[int]:
    """Where the others stand."""
    return [where for i, where in enumerate(sight.places) if i != index]


def _company(sight: Sight, index: int) -> bool:
    near = _near(sight, index)
    return any(where in near for where in _others(sight, index))


def _company_soon(sight: Sight, index: int) -> bool:
    near = _near(sight, index)
    wide = near.union(*[NEXT[place] for place in near])
    return any(where in wide for where in _others(sight, index))


def _caught(sight: Sight, index: int) -> bool:
    """In a room that one had better empty."""
    piece = sight.seen.pieces[index]
    caught = piece.armed or piece.wet or sight.kinds[piece.place] == "jail"
    return caught and piece.spares > 0


def _tired(sight: Sight, index: int) -> bool:
    return sight.seen.pieces[index].drained and sight.seen.left > 1


def _shut(sight: Sight, index: int) -> bool:
    """Something to open, or somebody to lock out."""
    doors = NEXT[sight.places[index]]
    sealed = [sight.closed[n] and not sight.seen.locked[n] for n in doors]
    return any(sealed) or index not in sight.seen.crew


def _rivals_near(sight: Sight, index: int) -> bool:
    near = _near(sight, index)
    rivals = [i for i in range(len(sight.places)) if i not in sight.seen.crew]
    return any(sight.places[i] in near for i in rivals if i != index)


def _always(_: Sight, __: int) -> bool:
    return True


def _never(_: Sight, __: int) -> bool:
    return False


_CALLS: Final[dict[Skill, Call]] = {
    "summon": _company_soon,
    "invisibility": _rivals_near,
    "carry": _company,
    "reactivate": _shut,
    "lock": _shut,
    "sabotage_room": _caught,
    "sabotage_robot": _never,
    "hack_building": _always,
    "hack_robot": _always,
    "vitality": _tired,
    "mimic": _company,
}


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


def common_plan(sight: Sight) -> tuple[Tokens, ...]:
    """What the crew will do this turn, by what the sight shows; a third action is adrenaline.

    Rivals are taken to stand still.
    """
    seen = sight.seen
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


def answer(sight: Sight, plan: Sequence[Tokens], me: int, *, foe: bool) -> Tokens:
    """The best programme of a piece that knows what the sight shows, when the others keep the plan.

    ``foe``: the best for one who plays against the crew.
    """
    seen = sight.seen
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
