"""Turns, rounds and slots: who acts when, and with which token (§4.2, §4.4, §4.6; pure)."""

from __future__ import annotations

from events.kernel import Option
from games.room25 import events as ev
from games.room25.agenda import Act, Ask, Programs, Round, Slot, SlotEnd, Turn
from games.room25.catalogue import BASIC_ACTIONS, GUARD
from games.room25.checks import end_game
from games.room25.choices import Choice, register
from games.room25.endings import is_last_turn
from games.room25.play import Play
from games.room25.programming import available, open_programming
from games.room25.state import State

FIRST, SECOND = 1, 2


def turn(play: Play, frame: Turn) -> None:
    """Go through the stages of a turn (§4)."""
    stages = {
        "first": _first,
        "start": _start,
        "programming": _programming,
        "round_1": _round_1,
        "round_2": _round_2,
        "end": _end,
        "countdown": _countdown,
    }
    stages[frame.stage](play)


def _first(play: Play) -> None:
    play.emit(ev.TurnBegan(turn=1, order=play.state.order))
    play.push(Turn("start"))


def _start(play: Play) -> None:
    """Guards made public in an earlier turn act freely from now on (§4.2.1)."""
    if play.rulebook.guards_freed:
        for c in play.state.living():
            if c.role_public and c.role == GUARD and not c.free:
                play.emit(ev.GuardFreed(character=c.id))
    play.push(Turn("programming"))


def _programming(play: Play) -> None:
    play.push(Turn("round_1"))
    if open_programming(play):
        play.push(Programs())


def _round_1(play: Play) -> None:
    play.push(Round(FIRST, play.state.order), Turn("round_2"))


def _round_2(play: Play) -> None:
    play.push(Round(SECOND, play.state.order), Turn("end"))


def _end(play: Play) -> None:
    """Safety net: a trap armed in an earlier turn closes if no action came since (R51e)."""
    state = play.state
    caught = [c.id for c in state.living() if c.trap is not None and c.trap.turn < state.turn]
    play.push(Turn("countdown"))
    play.eliminate(caught, "trap")


def _countdown(play: Play) -> None:
    """End the game after the last turn; else the head of the track goes to its end (§4.6)."""
    state = play.state
    if is_last_turn(state):
        end_game(play, play.mode.end_last(state))
        return
    head, *rest = state.order
    order = [*rest, head]
    while not state.characters[order[0]].alive:
        del order[0]
    play.emit(ev.TurnBegan(turn=state.turn + 1, order=tuple(order)))
    play.push(Turn("start"))


def serve_round(play: Play, frame: Round) -> None:
    """Serve the next in the queue (§4.4)."""
    if frame.queue:
        name, *rest = frame.queue
        play.push(Slot(name, frame.number), Round(frame.number, tuple(rest)))


def begin_slot(play: Play, frame: Slot) -> None:
    """Find what a character does in this slot (§4.4.2); an empty slot is not an action."""
    c = play.character(frame.character)
    if not c.alive:
        return
    play.emit(ev.SlotBegan(character=c.id, round=frame.number))
    play.push(SlotEnd(c.id, frame.number))
    if c.free or not play.mode.programs:
        if not (c.limited and c.acted):
            play.ask("free_action", c.id)
        return
    tokens = c.program.tokens if c.program is not None and c.program.tokens else ()
    if len(tokens) == SECOND:
        token = tokens[frame.number - 1]
        if token:
            play.push(Act(c.id, frame.number, token))
    elif tokens and frame.number == FIRST:
        play.ask("delay_single", c.id)
    elif tokens and c.delayed:
        play.push(Act(c.id, frame.number, tokens[0] or ""))


def end_slot(play: Play, frame: SlotEnd) -> None:
    """A flooded room drowns at the end of the second slot of its turn (§4.4.6, R52)."""
    c = play.character(frame.character)
    if frame.number == SECOND and c.alive and c.flood is not None and c.flood <= play.state.turn:
        play.eliminate((c.id,), "flooded")


# --- D3: a single action now or later ---


def _delay_options(_: State, __: Ask) -> list[Option]:
    return [Option("play_now"), Option("delay")]


def _delay(play: Play, ask: Ask, option: str) -> None:
    if option == "delay":
        play.emit(ev.ActionDelayed(character=ask.character))
        return
    program = play.character(ask.character).program
    if program is None or not program.tokens or not program.tokens[0]:
        raise ValueError(f"the truth does not know the programme of {ask.character}")
    play.push(Act(ask.character, FIRST, program.tokens[0]))


# --- D4: acting without a programme ---

PASS = "pass"  # noqa: S105 (an option id, not a password)


def _free_options(state: State, ask: Ask) -> list[Option]:
    """Two different tokens a turn, or one and a pass (R14, R23)."""
    c = state.characters[ask.character]
    tokens = [Option(t, {"token": t}) for t in available(c) if t not in c.used]
    return [*tokens, *([] if c.passed else [Option(PASS)])]


def _free_default(_: State, __: Ask, options: list[Option]) -> str:
    ids = [option.id for option in options]
    return PASS if PASS in ids else next(token for token in BASIC_ACTIONS if token in ids)


def _act_freely(play: Play, ask: Ask, option: str) -> None:
    if option == PASS:
        play.emit(ev.ActionPassed(character=ask.character))
    else:
        play.push(Act(ask.character, play.state.round, option))


register("delay_single", Choice(options=_delay_options, resolve=_delay))
register(
    "free_action",
    Choice(options=_free_options, resolve=_act_freely, default=_free_default),
)
