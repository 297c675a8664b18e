"""Turns, rounds and slots: who acts when, and with which token (§4.2, §4.4, §4.6; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.kernel import Option
from games.room25.editions.endings import is_last_turn
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import (
    ActionEnd,
    Adrenaline,
    Ask,
    Boost,
    DrawCard,
    FloodRoom,
    Programs,
    Question,
    Round,
    Slot,
    SlotEnd,
    TakeAction,
    Turn,
)
from games.room25.model.catalogue import BASIC_ACTIONS, is_guard
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.actions import ACTIONS
from games.room25.rules.asking import ChoiceKind
from games.room25.rules.checks import end_game, show_the_dead
from games.room25.rules.context import Play
from games.room25.rules.guard_powers import has_power
from games.room25.rules.programming import open_programming, reveal

FIRST, SECOND, ADRENALINE_SLOT = 1, 2, 3
CARDS_A_TURN = 2


def turn(play: Play, frame: Turn) -> None:
    """Go through the stages of a turn (§4)."""
    stages = {
        "first": _first,
        "start": _start,
        "programming": _programming,
        "round_1": _round_1,
        "round_2": _round_2,
        "adrenaline": _adrenaline,
        "end": _end,
        "countdown": _countdown,
    }
    stages[frame.stage](play)


def _first(play: Play) -> None:
    play.emit(ev.TurnBegan(turn=1, order=play.state.order))
    play.push(Turn("start"))


def _start(play: Play) -> None:
    """Revealed guards act freely from now on, the dead show, cards are drawn (§4.2)."""
    for c in play.state.living():
        if c.leaving:
            play.emit(more.ParanoiaEnded(character=c.id, now=True))
        if play.rulebook.guards_freed and c.role_public and is_guard(c.role) and not c.free:
            play.emit(ev.GuardFreed(character=c.id))
            if c.adrenaline not in {"none", "spent"}:
                play.emit(more.AdrenalineChanged(character=c.id, adrenaline="spent"))
    show_the_dead(play)
    play.push(Turn("programming"))
    if play.mode.cards and not play.state.options.get("madness"):
        _draw(play, CARDS_A_TURN)


def _draw(play: Play, count: int) -> None:
    """A card step, skipped once the turn is the last (R133)."""
    if not is_last_turn(play.state):
        play.push(DrawCard(count))


def _programming(play: Play) -> None:
    play.push(Turn("round_1"))
    if open_programming(play):
        play.push(Programs())


def _round_1(play: Play) -> None:
    play.push(Round(FIRST, play.state.order), Turn("round_2"))
    if play.state.options.get("madness"):
        _draw(play, 1)


def _round_2(play: Play) -> None:
    then = "adrenaline" if play.rulebook.adrenaline else "end"
    play.push(Round(SECOND, play.state.order), Turn(then))
    if play.state.options.get("madness"):
        _draw(play, 1)


def _adrenaline(play: Play) -> None:
    play.push(Adrenaline(play.state.order), Turn("end"))


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
    """Serve the next in the queue, or whom the player chooses (§4.4, R14)."""
    queue = play.living(frame.queue) if play.mode.free_order else frame.queue
    if not queue:
        return
    if play.mode.free_order:
        play.push(Round(frame.number, queue))
        play.ask("next_character", queue[0])
        return
    play.push(Slot(queue[0], frame.number), Round(frame.number, queue[1:]))


def _next_options(state: State, _: Ask) -> list[Option]:
    """D18: those who have not had their slot of this round (R122)."""
    return [Option(name, {"character": name}) for name in queued(state)]


def queued(state: State) -> tuple[str, ...]:
    """Whose slots of the running round are still to come."""
    return next(f.queue for f in reversed(state.agenda) if isinstance(f, Round))


def _next(play: Play, _: Ask, name: str) -> None:
    frame = play.pop()
    if not isinstance(frame, Round):
        raise TypeError("the round lies under its question")
    rest = tuple(other for other in frame.queue if other != name)
    play.push(Slot(name, frame.number), Round(frame.number, rest))


def begin_slot(play: Play, frame: Slot) -> None:
    """Find what a character does in this slot (§4.4.2); an empty slot is not an action."""
    c = play.character(frame.character)
    if not c.alive:
        return
    play.emit(ev.SlotBegan(character=c.id, round=frame.number))
    play.push(SlotEnd(c.id, frame.number))
    if c.returned:
        return
    if c.paranoid:
        if c.stack:
            play.push(TakeAction(c.id, frame.number, c.stack[0]))
        return
    if c.free or not play.mode.programs:
        if not (c.limited and c.acted):
            play.ask("free_action", c.id)
        return
    _programmed_slot(play, c, frame.number)


def _programmed_slot(play: Play, c: Character, number: int) -> None:
    """A pair serves its n-th token; a single one is asked for in round 1 (D3)."""
    tokens = c.programmed
    if len(tokens) == 1 and number == FIRST:
        if tokens[0]:
            play.ask("delay_single", c.id)
    elif len(tokens) > 1 or c.delayed:
        change_or_reveal(play, c, number)


def change_or_reveal(play: Play, c: Character, number: int) -> None:
    """A traitor may change its programme before a token is revealed, once a turn (R118)."""
    if has_power(c, "change_of_mind") and not c.powered:
        play.ask("traitor_change", c.id)
    else:
        reveal(play, c.id, number)


def end_slot(play: Play, frame: SlotEnd) -> None:
    """After the second slot the water rises, unless adrenaline is still to come (§4.4.6, R52)."""
    if frame.number == SECOND and play.character(frame.character).adrenaline != "programmed":
        flood(play, FloodRoom(frame.character))


def flood(play: Play, frame: FloodRoom) -> None:
    """Drown who is still on the tile that must be left by this turn (§4.4.6)."""
    c = play.character(frame.character)
    if c.alive and c.flood is not None and c.flood <= play.state.turn:
        play.eliminate((c.id,), play.tile_under(c.id).kind or "")


# --- adrenaline (§4.6.1) ---


def serve_adrenaline(play: Play, frame: Adrenaline) -> None:
    """Serve the next who has programmed adrenaline."""
    for i, name in enumerate(frame.queue):
        c = play.character(name)
        if c.alive and c.adrenaline == "programmed":
            play.push(Boost(name), Adrenaline(frame.queue[i + 1 :]))
            return


def boost(play: Play, frame: Boost) -> None:
    """One basic action more, also one already used or lost to a penalty; then the flood."""
    c = play.character(frame.character)
    if not c.alive:
        return
    play.emit(ev.SlotBegan(character=c.id, round=ADRENALINE_SLOT))
    play.emit(more.AdrenalineChanged(character=c.id, adrenaline="spent"))
    play.push(FloodRoom(c.id))
    play.ask("adrenaline_action", c.id)


# --- D3: a single action now or later ---


def _delay_options(_: State, __: Ask) -> list[Option]:
    return [Option("play_now"), Option("delay")]


def _delay(play: Play, ask: Ask, option: str) -> None:
    if option == "delay":
        play.emit(ev.ActionDelayed(character=ask.character))
        return
    change_or_reveal(play, play.character(ask.character), FIRST)


# --- D4: acting without a programme ---

PASS = "pass"  # noqa: S105 (an option id, not a password)


def why_no_free_action(c: Character, token: str) -> Why | None:
    """Why a token that a character owns is not to be taken now; None: it is (R14, R23)."""
    if token in c.lost:
        return Why.LOST
    return Why.USED if token in c.used else None


def _free_options(state: State, ask: Ask) -> list[Option]:
    """Two different tokens a turn, or one and a pass (R14, R23)."""
    c = state.characters[ask.character]
    tokens = [Option(t, {"token": t}) for t in c.tokens if why_no_free_action(c, t) is None]
    return [*tokens, *([] if c.passed else [Option(PASS)])]


def _free_default(_: State, __: Ask, options: list[Option]) -> str:
    ids = [option.id for option in options]
    return PASS if PASS in ids else next(token for token in BASIC_ACTIONS if token in ids)


def _act_freely(play: Play, ask: Ask, option: str) -> None:
    if option == PASS:
        play.emit(ev.ActionPassed(character=ask.character))
    else:
        play.push(TakeAction(ask.character, play.state.round, option))


def _nothing_left(play: Play, ask: Ask) -> None:
    """A lost action is an action all the same (R31): who was hidden shows."""
    play.push(ActionEnd(ask.character, hidden=play.character(ask.character).hidden))
    play.emit(ev.ActionLost(character=ask.character, token="adrenaline"))  # noqa: S106 (a token of the game)


def why_no_boost(state: State, c: Character, token: str) -> Why | None:
    """Why adrenaline takes no such basic action; None: it may (D6)."""
    return None if ACTIONS[token].options(state, c) else Why.NO_AIM


def _adrenaline_options(state: State, ask: Ask) -> list[Option]:
    """D6: the basic actions that have a legal aim, in canonical order."""
    c = state.characters[ask.character]
    return [Option(t, {"token": t}) for t in BASIC_ACTIONS if why_no_boost(state, c, t) is None]


def _boosted(play: Play, ask: Ask, option: str) -> None:
    play.push(TakeAction(ask.character, ADRENALINE_SLOT, option))


CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    "adrenaline_action": ChoiceKind(
        options=_adrenaline_options, resolve=_boosted, nothing=_nothing_left
    ),
    "next_character": ChoiceKind(options=_next_options, resolve=_next),
    "delay_single": ChoiceKind(options=_delay_options, resolve=_delay),
    "free_action": ChoiceKind(options=_free_options, resolve=_act_freely, default=_free_default),
}
"""The decisions that it asks for, by kind."""
