"""The house bot ``steady``: what it answers to each kind of decision (pure).

It sees only its seat's view and remembers nothing: the view holds what it has looked at, what was
claimed and what everybody did. Each option is played through in thought to the end of the turn and
the best one is taken; only between equals the seed decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Decision, Option, Seat
from games.room25.bots.mind import Mind
from games.room25.bots.plans import NOTHING, common_plan
from games.room25.bots.sight import Snapshot, sight_of, snapshot
from games.room25.bots.terrain import NEXT, PLACE, SHIFTS
from games.room25.bots.turn import Tokens, Turn
from games.room25.bots.worth import SEEK, START, Worth
from games.room25.catalogue import is_guard
from games.room25.state import State

EQUAL: Final = 1e-9
"""Values that differ by less are equal."""
LATER: Final = 0.01
"""What it costs to put an action off, so that it is not done for nothing; a shift, though, may wait
for the last one to come in."""
SAFE: Final = 0.5
"""What the default programme has for it, should the planned one not be offered."""
BOOST: Final = 0.25
"""What it costs to keep adrenaline when one is in a hurry, or to spend it when one is not."""
FEW: Final = 1.5
"""Moves that one takes without hurry."""
HOPE: Final = 3.0
"""What it is worth to turn up, by an illusion, the room that is Room 25 for sure."""

Scores = dict[str, float]
"""The value of each option by its id: the smaller, the better."""


def steady(view: Any, decision: Decision, seed: str) -> str:  # noqa: ANN401 (the view of a table, which knows no game)
    """The best option, as far as the seat can see; ``view`` is its table, ``seed`` breaks ties.

    A kind of decision that it has no opinion on gets its default; options that it does not
    understand (powers of later editions) are left alone.

    Raises:
        ValueError: the decision is voluntary; for those there is ``volunteer``.
    """
    if decision.optional:
        raise ValueError(f"nobody asked for a voluntary act: {decision.kind}")
    score = _SCORES.get(decision.kind)
    scores = score(view.play, decision) if score is not None else {}
    if not scores:
        return decision.default or decision.options[0].id
    least = min(scores.values()) + EQUAL
    best = [name for name, value in scores.items() if value <= least]
    return best[0] if len(best) == 1 else Draw(bytes.fromhex(seed)).choice(best, decision.id)


def works_against(state: State, seat: Seat) -> bool:
    """Whether a seat hinders the crew: a guard, once everybody may know where Room 25 is.

    Before, it plays as if it were a prisoner, because that is how one is trusted.
    """
    if not any(is_guard(c.role) for c in state.of_seat(seat)):
        return False
    return sight_of(snapshot(state, seat, private=False)).goal is not None


# --- programming ---


def _clue(state: State, decision: Decision) -> Scores:
    """Every seat looks at another room, if there are enough."""
    mine = state.seats().index(decision.seat) % len(decision.options)
    return {o.id: float(i != mine) for i, o in enumerate(decision.options)}


def _position(state: State, decision: Decision) -> tuple[Snapshot, int, int | None]:
    """The position to plan by, and the piece that is asked; it is a foe, or None is.

    Mates plan by what everybody knows, so that they plan alike; against rivals, and while a seat
    alone knows where Room 25 is, by what the seat knows.
    """
    seat = decision.seat
    private = snapshot(state, seat, private=True)
    public = snapshot(state, seat, private=False)
    alone = len(private.crew) < len(private.pieces) and state.mode != "suspicion"
    agreed = sight_of(private).goal == sight_of(public).goal
    seen = public if agreed and not alone else private
    me = [piece.name for piece in seen.pieces].index(decision.character or "")
    if not works_against(state, seat):
        return seen, me, None
    return replace(seen, crew=tuple(i for i in seen.crew if i != me)), me, me


def _program(state: State, decision: Decision) -> Scores:
    """The piece's part of the common plan."""
    seen, me, foe = _position(state, decision)
    mine = [token for token in common_plan(seen, foe)[me] if token]
    hurry = sight_of(seen).goal is not None and _way_in(seen, me) > FEW

    def score(option: Option) -> float:
        boosted = bool(option.meaning.get("adrenaline"))
        other = float(list(option.meaning["tokens"]) != mine)
        return other - SAFE * (option.id == decision.default) + BOOST * (boosted != hurry)

    return {o.id: score(o) for o in decision.options}


def _way_in(seen: Snapshot, piece: int) -> float:
    """How far a piece is from Room 25, which is known."""
    return Worth(sight_of(seen)).ways(START)[seen.pieces[piece].place]


def _delay(state: State, decision: Decision) -> Scores:
    mind = _mind(state, decision)
    program = state.characters[decision.character or ""].program
    token = program.tokens[0] if program is not None and program.tokens else None
    later = -LATER if token == "control" else LATER  # noqa: S105 (an action)
    return {
        "play_now": mind.sign * _rest(mind, NOTHING, token, hasty=False),
        "delay": mind.sign * _rest(mind, (None, token), None, hasty=False) + later,
    }


def _free(state: State, decision: Decision) -> Scores:
    """Acting without a programme: any token, or a pass; in round 1, with the best one to follow.

    Whatever room one enters, one may still pass: so nothing is done in haste.
    """
    mind = _mind(state, decision)
    limited = state.characters[decision.character or ""].limited
    tokens: list[str | None] = [o.meaning.get("token") for o in decision.options]

    def score(token: str | None) -> float:
        if mind.round or (limited and token):
            return _rest(mind, NOTHING, token, hasty=False)
        others = [t for t in tokens if t is None or t != token]
        return min(_rest(mind, (None, t), token, hasty=False) for t in others)

    return {o.id: mind.sign * score(o.meaning.get("token")) for o in decision.options}


# --- aiming ---


def _mind(state: State, decision: Decision) -> Mind:
    foe = works_against(state, decision.seat)
    return Mind(state, decision.seat, decision.character or "", foe=foe)


def _rest(mind: Mind, mine: Tokens, now: str | None, *, hasty: bool) -> float:
    """The value of the turn when the piece does ``now``, and then ``mine``."""
    tokens = mind.expected(mine, now)
    turn = mind.turn()
    if now:
        turn.act(mind.me, now, hasty=hasty)
    return turn.outcome(tokens, mind.slots)


def _adrenaline(state: State, decision: Decision) -> Scores:
    """A third action, any of them; there is nothing after it this turn."""
    mind = _mind(state, decision)
    return {o.id: mind.sign * _rest(mind, NOTHING, o.id, hasty=False) for o in decision.options}


def _aim(token: str | None, known: Mapping[str, object] | None, deed: _Deed) -> _Score:
    """Score each option whose id is ``known`` by doing it in thought and playing the turn on."""

    def score(state: State, decision: Decision) -> Scores:
        mind = _mind(state, decision)
        following = mind.next_token()
        tokens = mind.expected((None, following), token)
        hasty = following not in {None, "move"}
        scores: Scores = {}
        for option in decision.options:
            if known is not None and option.id not in known:
                continue
            turn = mind.turn()
            deed(mind, turn, option, hasty)
            scores[option.id] = mind.sign * turn.outcome(tokens, mind.slots)
        return scores

    return score


def _do_move(mind: Mind, turn: Turn, option: Option, hasty: bool) -> None:  # noqa: FBT001 (a deed's last word)
    turn.step(mind.me, PLACE[option.id], hasty=hasty)


def _do_push(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    for role in ("character", "second"):
        if role in option.meaning:
            victim = mind.names.index(option.meaning[role])
            turn.step(victim, PLACE[option.meaning["cell"]], hasty=True, eager=False)


def _do_control(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    shift = SHIFTS[option.id]
    leaves = shift.out == mind.here and turn.layout[mind.here] == turn.sight.goal
    if leaves and turn.ready() and mind.foe is None:
        turn.won = True
    else:
        turn.shift(shift)


def _do_shift(_: Mind, turn: Turn, option: Option, __: bool) -> None:  # noqa: FBT001
    turn.shift(SHIFTS[option.id])


def _do_swap(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    """The Moving Chamber goes elsewhere, with everybody in it."""
    turn.swap(mind.here, PLACE[option.id])


def _do_illusion(mind: Mind, turn: Turn, option: Option, hasty: bool) -> None:  # noqa: FBT001
    """The Illusion goes elsewhere with those who stood in it; the entrant stays, and enters."""
    here = mind.here
    turn.swap(here, PLACE[option.id])
    turn.places[mind.me] = here
    turn.step(mind.me, here, hasty=hasty, eager=False)
    tile = turn.layout[here]
    if tile in turn.sight.suspects:
        turn.toll -= HOPE / len(turn.sight.suspects)


def _look(state: State, decision: Decision) -> Scores:
    mind = _mind(state, decision)
    turn = mind.turn()
    near = [o.id for o in decision.options if PLACE.get(o.id) in NEXT[mind.here]]
    return {name: -turn.interest(mind.me, PLACE[name]) for name in near}


def _vision(state: State, decision: Decision) -> Scores:
    """Any face-down room: rather where Room 25 may be, rather where nobody has looked."""
    sight = _mind(state, decision).sight
    return {
        o.id: -SEEK * (PLACE[o.id] in sight.suspects) - (PLACE[o.id] in sight.strange)
        for o in decision.options
    }


_Score = Callable[[State, Decision], Scores]
_Deed = Callable[[Mind, Turn, Option, bool], None]

_SCORES: Final[dict[str, _Score]] = {
    "starting_clue": _clue,
    "program": _program,
    "delay_single": _delay,
    "free_action": _free,
    "look_target": _look,
    "adrenaline_action": _adrenaline,
    "move_target": _aim("move", PLACE, _do_move),
    "push_target": _aim("push", None, _do_push),
    "control_target": _aim("control", SHIFTS, _do_control),
    "control_room": _aim(None, SHIFTS, _do_shift),
    "moving_target": _aim(None, PLACE, _do_swap),
    "illusion_target": _aim(None, PLACE, _do_illusion),
    "vision_target": _vision,
}
