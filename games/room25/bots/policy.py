"""Where to: the aims of actions, and the choices that rooms, robots and cards ask for (pure).

Most of it is one thing: do each option in thought, play the turn on, and compare.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from events.kernel import Decision, Option
from games.room25.bots import abilities
from games.room25.bots.candidates import Scores, mind_of
from games.room25.bots.evaluation import SEEK
from games.room25.bots.memory import Memory
from games.room25.bots.search import Mind
from games.room25.bots.terrain import AXES, NEXT, PLACE, SHIFTS
from games.room25.bots.turn import Turn
from games.room25.model.agenda import Ask
from games.room25.model.state import State

HOPE: Final = 3.0
"""What it is worth to turn up, by an illusion, the room that is Room 25 for sure."""

Score = Callable[[State, Decision, Memory], Scores]
Deed = Callable[[Mind, Turn, Option, bool], None]
"""Do an option in thought; the flag says that an action is to come that is no move."""


def aim(token: str | None, deed: Deed, known: Mapping[str, object] | None = None) -> Score:
    """Score each option (whose id is ``known``) by doing it in thought and playing the turn on."""

    def score(state: State, decision: Decision, memory: Memory) -> Scores:
        mind = mind_of(state, decision, memory)
        following = mind.next_token()
        tokens = mind.expected(mind.then(following), token)
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


# --- actions ---


def _move(mind: Mind, turn: Turn, option: Option, hasty: bool) -> None:  # noqa: FBT001 (a deed's last word)
    turn.step(mind.me, PLACE[option.id], hasty=hasty)


def _killer(mind: Mind, turn: Turn, option: Option, hasty: bool) -> None:  # noqa: FBT001
    """A second step, or none."""
    if option.id in PLACE:
        _move(mind, turn, option, hasty)


def _push(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    for role in ("character", "second"):
        if role in option.meaning:
            victim = mind.names.index(option.meaning[role])
            turn.step(victim, PLACE[option.meaning["cell"]], hasty=True, eager=False)


def _control(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    shift = SHIFTS[option.id]
    leaves = shift.out == mind.here and turn.layout[mind.here] == turn.sight.goal
    if leaves and turn.ready() and mind.foe is None:
        turn.won = True
    else:
        turn.shift(shift)


def _special(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    """An ability, or an order to a robot."""
    ability, about = abilities.read(option.id, mind.names)
    abilities.use(turn, mind.me, ability, about)


def look(state: State, decision: Decision, memory: Memory) -> Scores:
    """Where there is most to learn; to turn a room down again is left alone."""
    mind = mind_of(state, decision, memory)
    turn = mind.turn()
    cells = [o.id for o in decision.options if o.id in PLACE]
    near = [name for name in cells if PLACE[name] in NEXT[mind.here]]
    return {name: -turn.interest(mind.me, PLACE[name]) for name in near or cells}


# --- rooms ---


def _shift(_: Mind, turn: Turn, option: Option, __: bool) -> None:  # noqa: FBT001
    turn.shift(SHIFTS[option.id])


def _ride(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    """The Moving Chamber goes elsewhere, with everybody in it."""
    turn.swap(mind.here, PLACE[option.id])


def _illusion(mind: Mind, turn: Turn, option: Option, hasty: bool) -> None:  # noqa: FBT001
    """The Illusion goes elsewhere with those who stood in it; the entrant stays, and enters."""
    here = mind.here
    turn.swap(here, PLACE[option.id])
    turn.places[mind.me] = here
    turn.step(mind.me, here, hasty=hasty, eager=False)
    tile = turn.layout[here]
    if tile in turn.sight.suspects:
        turn.toll -= HOPE / len(turn.sight.suspects)


def _tunnel(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    turn.places[mind.me] = PLACE[option.id]


def vision(state: State, decision: Decision, memory: Memory) -> Scores:
    """Any face-down room: rather where Room 25 may be, rather where nobody has looked."""
    sight = mind_of(state, decision, memory).sight
    return {
        o.id: -SEEK * (PLACE[o.id] in sight.suspects) - (PLACE[o.id] in sight.strange)
        for o in decision.options
    }


def pivot(state: State, decision: Decision, memory: Memory) -> Scores:
    """The corridor opens to where one would rather go."""
    mind = mind_of(state, decision, memory)
    turn, here = mind.turn(), mind.here

    def score(axis: str) -> float:
        doors = [d for d in NEXT[here] if AXES[here, d] == axis]
        doors = [d for d in doors if turn.is_open(turn.layout[d], mind.me)]
        values = [mind.sign * turn.with_piece(mind.me, door, ()) for door in doors]
        return min(values, default=mind.sign * turn.value() + 1)

    return {o.id: score(o.id) for o in decision.options}


def secrets(state: State, decision: Decision, _: Memory) -> Scores:
    """Whoever has told most is worth knowing best: all the others lean on it."""
    told = {c.id: len(state.claims.get(c.seat, ())) for c in state.living()}
    return {o.id: -float(told[o.id]) for o in decision.options}


def acid(state: State, decision: Decision, memory: Memory) -> Scores:
    """Of two who come in together the one dies who is not of one's own side."""
    mind, group = mind_of(state, decision, memory), _question(state).group
    own = {name: float(mind.names.index(name) in mind.worth.crew) for name in group}
    if mind.foe is not None:
        own = {name: float(name == mind.names[mind.me]) for name in group}
    return {"carrier": own[group[0]] + 0.1, "passenger": own[group[-1]]}


# --- robots and cards ---


def _question(state: State) -> Ask:
    """The frame that asks."""
    frame = state.agenda[-1]
    if not isinstance(frame, Ask):
        raise TypeError("nobody asks")
    return frame


def _brought(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    """Being pushed or summoned, which one may refuse."""
    ask = _question(mind.state)
    where = ask.cell or mind.state.characters[ask.about[0]].cell or ""
    if option.id == "accept":
        turn.step(mind.me, PLACE[where], hasty=True, eager=False)


def _pushed(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    turn.step(mind.me, PLACE[option.meaning["cell"]], hasty=True, eager=False)


def _lock(_: Mind, turn: Turn, option: Option, __: bool) -> None:  # noqa: FBT001
    places = [PLACE[option.meaning[key]] for key in ("cell", "from") if key in option.meaning]
    abilities.use(turn, 0, "lock", places)


def _swap(_: Mind, turn: Turn, option: Option, __: bool) -> None:  # noqa: FBT001
    turn.swap(PLACE[option.meaning["first"]], PLACE[option.meaning["second"]])


def _carry(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    """Max takes everybody with him, or Bruce pushes them away and stays."""
    here = mind.here
    stays = mind.me if _question(mind.state).kind == "card_scatter" else None
    for piece, place in enumerate(list(turn.places)):
        if place == here and piece != stays:
            turn.step(piece, PLACE[option.meaning["cell"]], hasty=True, eager=False)


def _robot(mind: Mind, turn: Turn, option: Option, _: bool) -> None:  # noqa: FBT001
    turn.robots[option.meaning["robot"] - 1] = mind.here


AIMS: Final[dict[str, Score]] = {
    "look_target": look,
    "move_target": aim("move", _move, PLACE),
    "killer_step": aim(None, _killer),
    "push_target": aim("push", _push),
    "control_target": aim("control", _control, SHIFTS),
    "special_choice": aim("special", _special),
    "control_room": aim(None, _shift),
    "moving_target": aim(None, _ride),
    "illusion_target": aim(None, _illusion),
    "tunnel_target": aim(None, _tunnel),
    "vision_target": vision,
    "pivot_orientation": pivot,
    "secrets_target": secrets,
    "acid_victim": acid,
    "robot_order": aim(None, _special),
    "robot_order_again": aim(None, _special),
    "android": aim(None, _brought),
    "summon_refuse": aim(None, _brought),
    "card_android": aim(None, _brought),
    "card_push": aim(None, _pushed),
    "card_push_other": aim(None, _push),
    "card_lock": aim(None, _lock),
    "card_lock_target": aim(None, _lock),
    "card_robot": aim(None, _robot),
    "card_swap": aim(None, _swap),
    "card_carry": aim(None, _carry),
    "card_scatter": aim(None, _carry),
}
"""What is thought of each kind of decision."""
