"""The secret simultaneous choices: the starting clue and the programmes (§4.1.7, §4.3; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from events.kernel import Decision, Option, Seat
from games.contract import Asked, Halt
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import TakeAction
from games.room25.model.board import CLUE_CELLS
from games.room25.model.catalogue import DEFAULT_ORDER
from games.room25.model.meanings import stands_in
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.context import Play, mode_of
from games.room25.rules.moves import cell_options

JOIN = "+"
"""Between the tokens of a programme's option id, as in ``look+move``."""

ADRENALINE = "adrenaline"
NOTHING = "nothing"


# --- starting clue ---


def clue_id(seat: Seat) -> str:
    """The id of a seat's D1."""
    return f"clue-s{seat}"


def clue_decision(state: State, seat: Seat) -> Decision:
    """D1: which of the four rooms round the centre to look at."""
    return Decision(
        id=clue_id(seat),
        kind="starting_clue",
        seat=seat,
        options=tuple(cell_options(list(CLUE_CELLS))),
        default=CLUE_CELLS[0],
        secret=True,
        answered=seat in state.clues,
    )


def choose_clue(play: Play, seat: Seat, option: str) -> None:
    """Take a choice in; it may be replaced until all are in."""
    play.emit(ev.ClueChosen(seat=seat, cell=option))


def close_clues(play: Play) -> bool:
    """Once all have chosen, everybody looks (§4.1.7); False while somebody has not."""
    state = play.state
    if len(state.clues) < len(state.seats()):
        return False
    play.pop()
    cells = {seat: cell or CLUE_CELLS[0] for seat, cell in sorted(state.clues.items())}
    play.emit(ev.CluesClosed(cells=cells))
    for seat, cell in cells.items():
        play.peek(state.of_seat(seat)[0].id, cell)
    return True


# --- programmes ---


def is_programming(state: State, character: Character) -> bool:
    """Whether a character hands in a programme this turn (§4.3.1).

    One whose actions come from the paranoia stack may at most programme its adrenaline; one that
    has come back to life in this turn programmes in the next (R108).
    """
    return mode_of(state).programs and _hands_in(character)


def programmers(state: State) -> list[Character]:
    """All characters that hand in a programme this turn."""
    if not mode_of(state).programs:  # asked once for all, with every command
        return []
    return [c for c in state.characters.values() if _hands_in(c)]


def _hands_in(character: Character) -> bool:
    """Whether it would hand in a programme where programmes are made."""
    if not character.alive or character.returned or character.free:
        return False
    return not character.stacked or character.adrenaline == "available"


def available(character: Character) -> list[str]:
    """The tokens that a character owns and has not lost (§3.5)."""
    return [token for token in character.tokens if token not in character.lost]


def why_no_token(character: Character, token: str) -> Why | None:
    """Why a character cannot program a token that it owns; None: it can (§4.3.2)."""
    if character.stacked:
        return Why.DRAWN
    return Why.LOST if token in character.lost else None


def why_no_adrenaline(state: State, character: Character) -> Why | None:
    """Why a character cannot program adrenaline; None: it can (§4.3.2)."""
    if character.adrenaline != "available":
        return Why.SPENT
    return Why.CHILLED if stands_in(state, character, "chilling") else None


def plan_options(tokens: tuple[str, ...], most: int, *, adrenaline: bool) -> tuple[Option, ...]:
    """Every single token, and every ordered pair where ``most`` allows two actions (§4.3.2).

    With ``most`` 0 only nothing; with ``adrenaline`` each of these once more with a third action.
    """
    plans = [p for count in range(min(most, 1), most + 1) for p in permutations(tokens, count)]
    options = [Option(JOIN.join(p) or NOTHING, {"tokens": p}) for p in plans]
    if adrenaline:
        options += [
            Option(JOIN.join((*p, ADRENALINE)), {"tokens": p, "adrenaline": True}) for p in plans
        ]
    return tuple(options)


Hand = tuple[tuple[str, ...], int, bool]
"""The tokens at hand, how many may be programmed, and whether adrenaline may be."""


class ProgramOptions:
    """The programmes of characters; what each hand allows is worked out once.

    There are some hundred hands: a hand is what is left of the tokens of one rulebook.
    """

    def __init__(self) -> None:
        self._known: dict[Hand, tuple[Option, ...]] = {}

    def of(self, state: State, character: Character) -> tuple[Option, ...]:
        """A character's programmes (§4.3.2)."""
        hand = hand_of(state, character)
        known = self._known.get(hand)
        if known is None:
            tokens, most, adrenaline = hand
            known = self._known[hand] = plan_options(tokens, most, adrenaline=adrenaline)
        return known


def hand_of(state: State, character: Character) -> Hand:
    """What a character may program: paranoia leaves only adrenaline, the cold none of it."""
    most = 0 if character.stacked else 1 if character.limited else 2
    boosted = why_no_adrenaline(state, character) is None
    return tuple(available(character)), most, boosted


def program_id(state: State, character: str | None) -> str:
    """The id of a character's D2 in this turn."""
    return f"t{state.turn}-program-{character}"


def program_decision(state: State, character: Character, options: ProgramOptions) -> Decision:
    """D2: a character's programme; by default the one token that harms least (R18)."""
    tokens = available(character)
    lightest = next(token for token in DEFAULT_ORDER if token in tokens)
    return Decision(
        id=program_id(state, character.id),
        kind="program",
        seat=character.seat,
        subject=character.id,
        options=options.of(state, character),
        default=NOTHING if character.stacked else lightest,
        secret=True,
        answered=character.program is not None,
    )


class ProgramHalts:
    """What the table waits for while programmes are made; the last that was asked for is kept.

    A command asks for it twice of one state: for the clock of the wait, and for when to wake up.
    States that do not differ in their characters share the very mapping of them, which is never
    changed.
    """

    def __init__(self) -> None:
        self._known: tuple[Mapping[str, Character], tuple[int, str, str], Halt] | None = None

    def of(self, state: State) -> Halt:
        """Those who have not handed in their programme yet, by seat."""
        known, rest = self._known, (state.turn, state.mode, state.rulebook)
        if known is None or known[0] is not state.characters or known[1] != rest:
            known = self._known = state.characters, rest, _program_halt(state)
        return known[2]


def _program_halt(state: State) -> Halt:
    turn = program_id(state, "")
    missing = [
        Asked(turn + c.id, c.seat, "program", c.id) for c in programmers(state) if c.program is None
    ]
    if len(missing) > 1:
        missing.sort(key=_seat_of)
    return Halt(f"t{state.turn}-program", "programming", tuple(missing))


def _seat_of(asked: Asked) -> Seat:
    return asked.seat


def open_programming(play: Play) -> bool:
    """Fix who is limited to one action now (R58); False if nobody programmes this turn."""
    for c in play.state.living():
        if c.paranoid and not c.stacked:
            play.emit(more.ParanoiaEnded(character=c.id, now=True))
    state = play.state
    lingers = play.rulebook.cold_lingers
    limited = [
        c.id
        for c in state.living()
        if (c.cold_next if lingers else stands_in(state, c, "chilling"))
    ]
    play.emit(ev.ProgrammingOpened(limited=tuple(limited)))
    return any(is_programming(play.state, c) for c in play.state.living())


def choose_program(play: Play, name: str, option: str) -> None:
    """Take a programme in; it may be replaced until the phase closes (§4.3.3)."""
    seat = play.character(name).seat
    parts = option.split(JOIN)
    tokens = tuple(part for part in parts if part not in {ADRENALINE, NOTHING})
    play.emit(
        ev.ProgramSubmitted(
            seat=seat, character=name, tokens=tokens, adrenaline=ADRENALINE in parts
        )
    )
    if play.mode.open_programs:
        boosted = ADRENALINE in parts
        play.emit(more.ProgramShown(character=name, tokens=tokens, adrenaline=boosted))


def close_programs(play: Play) -> bool:
    """Close the phase once all programmes are in (§4.3.3); False while one is missing."""
    state = play.state
    if any(c.program is None and is_programming(state, c) for c in state.characters.values()):
        return False
    play.pop()
    programs = {c.id: c.program for c in state.living() if is_programming(state, c)}
    counts = {name: len(p.tokens or ()) for name, p in programs.items() if p is not None}
    adrenaline = tuple(name for name, p in programs.items() if p is not None and p.adrenaline)
    play.emit(ev.ProgrammingClosed(actions=counts, adrenaline=adrenaline))
    return True


def reveal(play: Play, name: str, number: int) -> None:
    """Turn up the token of a slot, if there is one."""
    tokens = play.character(name).programmed
    token = tokens[min(number, len(tokens)) - 1] if tokens else None
    if token:
        play.push(TakeAction(name, number, token))
