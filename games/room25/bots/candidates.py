"""What to do, and when: clues, programmes, delays, free and boosted actions (pure).

Each function values the options of one kind of decision: the smaller, the better.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from events.kernel import Decision, Option
from games.room25.bots.memory import Memory
from games.room25.bots.observation import snapshot
from games.room25.bots.plans import NOTHING, answer
from games.room25.bots.search import Mind, works_against
from games.room25.bots.turn import Tokens
from games.room25.model.agenda import Round
from games.room25.model.state import State

LATER: Final = 0.01
"""What it costs to put an action off, so that it is not done for nothing; a shift, though, may wait
for the last one to come in."""
SAFE: Final = 0.5
"""What the default programme has for it, should the planned one not be offered."""
BOOST: Final = 0.25
"""What it costs to keep adrenaline against the plan, or to spend it."""
CHANGE: Final = 0.3
"""What a change of programme must bring that can be made but once a turn."""

Scores = dict[str, float]
"""The value of each option by its id: the smaller, the better."""


def mind_of(state: State, decision: Decision, memory: Memory) -> Mind:
    """The thoughts of whoever is asked."""
    foe = works_against(state, decision.seat, memory)
    return Mind(state, decision.seat, decision.subject or "", memory, foe=foe)


def rest(mind: Mind, mine: Tokens, now: str | None, *, hasty: bool = False) -> float:
    """How bad the turn is for the piece when it does ``now``, and then ``mine``."""
    tokens = mind.expected(mine, now)
    turn = mind.turn()
    if now:
        turn.act(mind.me, now, hasty=hasty)
    return mind.sign * turn.outcome(tokens, mind.slots)


def clue(state: State, decision: Decision, _: Memory) -> Scores:
    """Every seat looks at another room, if there are enough."""
    mine = state.seats().index(decision.seat) % len(decision.options)
    return {o.id: float(i != mine) for i, o in enumerate(decision.options)}


def program(state: State, decision: Decision, memory: Memory) -> Scores:
    """The best answer, by what the seat knows, to the plan that everybody can make.

    One who is alone, against rivals or in all, and a seat that alone knows where Room 25 is, makes
    the plan by what the seat knows.
    """
    private = snapshot(state, decision.seat, private=True)
    public = snapshot(state, decision.seat, private=False)
    rivals = len(private.crew) < len(private.pieces) and state.mode != "suspicion"
    agreed = memory.sight(private).goal == memory.sight(public).goal
    me = [piece.name for piece in private.pieces].index(decision.subject or "")
    foe = works_against(state, decision.seat, memory)
    together = agreed and not rivals and len(state.seats()) > 1
    plan = memory.plan(public if together else private)
    if foe:
        private = replace(private, crew=tuple(i for i in private.crew if i != me))
    knows_more = together and private != public
    mine = answer(memory.sight(private), plan, me, foe=foe) if foe or knows_more else plan[me]
    tokens = [token for token in mine[:2] if token]

    def score(option: Option) -> float:
        boosted = bool(option.meaning.get("adrenaline"))
        other = float(list(option.meaning["tokens"]) != tokens)
        wish = len(mine) > 2  # noqa: PLR2004 (two actions, and adrenaline)
        return other - SAFE * (option.id == decision.default) + BOOST * (boosted != wish)

    return {o.id: score(o) for o in decision.options}


def delay(state: State, decision: Decision, memory: Memory) -> Scores:
    """A single action now, or after everybody's first."""
    mind = mind_of(state, decision, memory)
    known = state.characters[decision.subject or ""].program
    token = known.tokens[0] if known is not None and known.tokens else None
    later = -LATER if token == "control" else LATER  # noqa: S105 (an action)
    return {
        "play_now": rest(mind, mind.then(None), token),
        "delay": rest(mind, mind.then(token), None) + later,
    }


def free(state: State, decision: Decision, memory: Memory) -> Scores:
    """Acting without a programme: any token, or a pass; in round 1, with the best one to follow.

    Whatever room one enters, one may still pass: so nothing is done in haste.
    """
    mind = mind_of(state, decision, memory)
    limited = state.characters[decision.subject or ""].limited
    tokens: list[str | None] = [o.meaning.get("token") for o in decision.options]

    def score(token: str | None) -> float:
        if mind.round or (limited and token):
            return rest(mind, NOTHING, token)
        others = [t for t in tokens if t is None or t != token]
        return min(rest(mind, (None, t), token) for t in others)

    return {o.id: score(o.meaning.get("token")) for o in decision.options}


def adrenaline(state: State, decision: Decision, memory: Memory) -> Scores:
    """A third action, any of them; there is nothing after it this turn."""
    mind = mind_of(state, decision, memory)
    return {o.id: rest(mind, NOTHING, o.id) for o in decision.options}


def next_character(state: State, decision: Decision, memory: Memory) -> Scores:
    """Who goes first: each in turn is tried before the rest, as they stand."""
    frame = next(f for f in reversed(state.agenda) if isinstance(f, Round))
    scores: Scores = {}
    for option in decision.options:
        mind = Mind(state, decision.seat, option.id, memory, foe=False)
        order = [option.id, *[name for name in frame.queue if name != option.id]]
        later = [name for name in mind.names if mind.round == 0]
        mind.slots = [(mind.names.index(n), mind.round) for n in order if n in mind.names]
        mind.slots += [(mind.names.index(n), 1) for n in later]
        tokens = mind.expected(mind.possible(mind.me)[0])
        scores[option.id] = mind.turn().outcome(tokens, mind.slots)
    return scores


def traitor(state: State, decision: Decision, memory: Memory) -> Scores:
    """Keep the programme, turn it round, or put another token into it (§6.5)."""
    mind = mind_of(state, decision, memory)
    known = state.characters[decision.subject or ""].program
    tokens = list(known.tokens) if known is not None and known.tokens else []

    def score(option: Option) -> float:
        changed = list(tokens)
        if option.id == "swap":
            changed.reverse()
        elif option.meaning:
            changed[option.meaning["slot"] - 1] = option.meaning["token"]
        slot = min(mind.round, len(changed) - 1)
        later = changed[1] if mind.round == 0 and len(changed) > 1 else None
        return rest(mind, (None, later), changed[slot]) + CHANGE * (option.id != "keep")

    return {o.id: score(o) for o in decision.options}
