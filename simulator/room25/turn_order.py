"""The oracle of whose turn it is: programmes, slots, lost actions, the track (§4.2-§4.6).

It follows the events and says what must come next: who programmes, in which order the slots are
served, which token is turned up there, when an action is lost, and what a turn must not end
without. It keeps its own notes of the prototype's cold, of windows and of adrenaline.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from events.kernel import Event
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import Character, State
from games.table.state import TableState
from simulator.room25.deck import Deck
from simulator.room25.legal_editions import aims, owned
from simulator.room25.position import PROTOTYPE, TOKENS, TablePosition, is_guard
from simulator.room25.questions import DueQuestion, Options, Prompts
from simulator.room25.run import Run
from simulator.run import RunStep, require

FIRST, SECOND, THIRD = 1, 2, 3
"""The rounds of a turn; the third is that of adrenaline."""

OF_THE_GAME: Final = frozenset(ev.EVENTS) - {ev.AgendaSet}
"""What happens on the board; seats and clocks are the table's."""

SLOT_QUESTIONS: Final = {"delay_single", "free_action", "traitor_change"}

ACTS: Final = (ev.ActionRevealed, ev.ActionLost, ev.ActionDelayed, ev.ActionPassed)


class TurnOrder:
    """Follows a game and complains of whatever comes out of turn.

    ``deck`` follows the cards; ``windows`` are the seats that may act unasked (R115),
    ``exit_seen`` says whether Room 25 has ever been open (R27).
    """

    def __init__(self, options: Mapping[str, Options]) -> None:
        self.deck = Deck()
        self._prompts = Prompts(options, self.deck)
        self.windows: set[int] = set()
        self.exit_seen = False
        self._whole = False
        self._round = FIRST
        self._served: dict[int, list[str]] = {FIRST: [], SECOND: [], THIRD: []}
        self._cold: dict[str, int] = {}
        self._boosted: set[str] = set()
        self._mirrored: set[str] = set()
        self._due: DueQuestion | None = None
        self._play = State()
        self._limited: set[str] | None = None
        self._hidden = ""
        self._moved = False
        self._notes: dict[type[Event], Callable[[State, Any], None]] = {
            ev.TurnBegan: self._turn_begins,
            ev.SlotBegan: self._slot_begins,
            ev.ActionRevealed: self._acts,
            ev.CharacterMoved: self._enters,
            ev.RoomRevealed: self._turns_up,
            ev.CharacterEliminated: self._has_none,
            more.RobotPlaced: self._robot_comes,
            more.CardDrawn: self._draws,
            more.PowerUsed: self._steps_again,
            more.SpecialUsed: self._uses,
            more.AdrenalineChanged: self._has_none,
        }

    def follow(self, match: Run, step: RunStep) -> None:
        """See the events of a step, each in the position in which it happened."""
        table = match.table.copy(step.before)
        for event in step.events:
            if type(event) not in OF_THE_GAME:
                table = match.table.evolve(table, event)
                continue
            self._meet(table, event)
            self._heed(table.play, event)
            self.deck.before(table.play, event)
            table = match.table.evolve(table, event)
            self._then(table.play, event)
            self.deck.after(table.play, event)
            if isinstance(event, ev.SituationSet):
                self._placed(table.play, match)
        if step.after.phase == "live":
            self._settle(match, step.after)

    def to_come(self) -> tuple[str, ...]:
        """The living whose slot of the running round is still to come, in track order (D18)."""
        living = [n for n in self._play.order if self._play.characters[n].alive]
        left = [[n for n in living if n not in self._served[k]] for k in (FIRST, SECOND)]
        return tuple(left[0] or left[1])

    # --- what an event must be, given what was due ---

    def _meet(self, table: TableState, event: Event) -> None:
        """Whether the next thing that a character does is what was due."""
        due = self._due
        if due is None or type(event) not in _HEEDED:
            return
        if isinstance(event, more.AdrenalineChanged):
            return
        if isinstance(event, ev.CharacterMoved) and self._prompts.is_companion(event):
            return
        self._due = None
        self._prompts.settle()
        mine = isinstance(event, ACTS) and event.character == due.character
        who = f"{due.character} in turn {table.play.turn}"
        if due.asked:
            place = table.seats[table.play.characters[due.character].seat]
            require(place.absent or place.resigned, f"{who} was not asked {due.asked}")
        elif due.lost:
            require(isinstance(event, ev.ActionLost) and mine, f"{who} should lose its action")
        elif due.token:
            turned = isinstance(event, ev.ActionRevealed) and event.token == due.token
            require(turned and mine, f"{who} should turn up {due.token}, not {event}")
        elif due.aimed:
            require(not (isinstance(event, ev.ActionLost) and mine), f"{who} lost a legal action")
        else:
            require(not mine, f"{who} acts out of turn: {event}")

    def _settle(self, match: Run, state: TableState) -> None:
        """At the end of a batch: what was due is what is asked."""
        wait = match.wait()
        asked = [(d.subject, d.kind) for d in (() if wait is None else wait.pending)]
        due, self._due = self._due, None
        self._prompts.settle()
        if due is not None:
            who = f"{due.character} in turn {state.play.turn}"
            if due.asked:
                # For who is gone the default is taken, and it need not make an event (R19).
                gone = match.is_gone(state.play.characters[due.character].seat)
                open_now = (due.character, due.asked) in asked
                require(open_now or gone, f"{who} is not asked {due.asked}")
            else:
                require(not due.token, f"{who} does not turn up {due.token}")
                require(not due.lost, f"{who} does not lose its action")
                idle = {(due.character, kind) for kind in SLOT_QUESTIONS}
                aim = (due.character, _question(due.aimed)) if due.aimed else None
                require(not (idle | {aim}) & set(asked), f"{who} is asked for nothing")
        if asked and asked[0][1] == "program":
            self._programming(state.play, {name or "" for name, _ in asked})

    def _programming(self, state: State, asked: set[str]) -> None:
        """Everybody who programmes has handed in or is asked, and nobody else (§4.3.1)."""
        wanted = {c.id for c in state.characters.values() if self._programmes(state, c)}
        missing = {n for n in wanted if state.characters[n].program is None}
        require(asked == missing, f"{sorted(asked)} programme, not {sorted(missing)}")

    def _programmes(self, state: State, c: Character) -> bool:
        if not c.alive or c.free or (state.rulebook, state.mode) == ("first_edition", "solo"):
            return False
        return not c.stacked or c.adrenaline == "available"

    # --- what events mean ---

    def _heed(self, state: State, event: Event) -> None:
        """Check an event in the position before it."""
        if isinstance(event, ev.TurnBegan):
            self._countdown(state, event)
        elif isinstance(event, ev.ProgrammingOpened):
            self._opened(state, event)
        elif isinstance(event, ev.ProgrammingClosed):
            self._boosted = set(event.adrenaline)
        elif isinstance(event, ev.SlotBegan):
            self._in_order(state, event)
        elif isinstance(event, ev.ActionRevealed):
            self._is_right(state, event)
            self._hides(state, event.character)
        elif isinstance(event, ev.ActionLost) and self._round == THIRD:
            # No token is turned up for a third action without an aim; it is one all the same (R31).
            self._hides(state, event.character)
        elif isinstance(event, more.CharacterShowed):
            require(event.character == self._hidden, f"{event.character} shows too early")
        elif isinstance(event, more.ParanoiaBegan):
            stack = sorted(event.stack or ())
            wanted = sorted(owned(state.characters[event.character]))
            # One that was laid out may have drawn before.
            require(stack == wanted or not self._moved, f"{event.character} draws from {stack}")

    def _hides(self, state: State, name: str) -> None:
        """Somebody acts: who is hidden now shows afterwards, if it does not hide anew (§4.4.5)."""
        self._hidden = name if state.characters[name].hidden else ""

    def _then(self, state: State, event: Event) -> None:
        """Note what an event has changed, in the position after it."""
        self._play = state
        note = self._notes.get(type(event))
        if note is not None:
            note(state, event)

    def _turn_begins(self, _: State, __: ev.TurnBegan) -> None:
        self._whole, self.windows, self._round = True, set(), FIRST
        self._mirrored, self._limited = set(), None
        self._served = {FIRST: [], SECOND: [], THIRD: []}

    def _slot_begins(self, state: State, event: ev.SlotBegan) -> None:
        c = state.characters[event.character]
        self.windows.add(c.seat)
        self._round = event.round
        self._served[event.round].append(c.id)
        self._due = self._due_in_slot(state, c, event.round)

    def _acts(self, state: State, event: ev.ActionRevealed) -> None:
        self._prompts.begin()
        self._due = self._due_of_token(state, event)

    def _steps_again(self, _: State, __: more.PowerUsed) -> None:
        self._prompts.begin()

    def _uses(self, _: State, event: more.SpecialUsed) -> None:
        """Hiding anew keeps one hidden (§4.4.5)."""
        if event.character == self._hidden and event.option == "invisibility":
            self._hidden = ""

    def _turns_up(self, state: State, event: ev.RoomRevealed) -> None:
        self.exit_seen = self.exit_seen or event.kind == "room25"
        self._due = self._prompts.shown(state, self._due)

    def _robot_comes(self, state: State, event: more.RobotPlaced) -> None:
        self._due = self._prompts.placed(state, event, self._due)

    def _draws(self, state: State, _: more.CardDrawn) -> None:
        self._due = self._prompts.drawn(state)

    def _has_none(self, _: State, event: more.AdrenalineChanged | ev.CharacterEliminated) -> None:
        self._boosted.discard(event.character)

    def _placed(self, state: State, match: Run) -> None:
        """A game laid out: what went before is taken as it is said."""
        phase = str((match.plan.situation or {}).get("phase", "start"))
        if phase == "round_2":
            self._served[FIRST] = list(state.order)
        self._whole = phase == "start"
        self.deck.begin(state, whole=self._whole)
        shown = any(t.up and t.kind == "room25" for t in state.grid.values())
        self.exit_seen = state.room25_revealed or shown
        bound = state.turn + phase.startswith("round")
        self._cold = {c.id: bound for c in state.characters.values() if c.cold_next}

    def _enters(self, state: State, event: ev.CharacterMoved) -> None:
        """What a room does to the turns to come, and whether it asks.

        The prototype's cold binds everybody inside in the next turn (R58, R61); a mirror takes the
        programme and the adrenaline (R67).
        """
        self._moved = True
        kind = state.grid[event.cell].kind
        if state.rulebook == PROTOTYPE and kind == "cold":
            for c in state.characters.values():
                if c.cell == event.cell:
                    self._cold[c.id] = state.turn + 1
        elif kind == "mirror":
            self._mirrored.add(event.character)
            self._boosted.discard(event.character)
        if not self._prompts.is_companion(event):
            self._due = self._prompts.entered(state, event)

    def _countdown(self, state: State, event: ev.TurnBegan) -> None:
        """The head of the track goes to its end; dead heads leave it (§4.6.3, R95)."""
        if event.turn == 1 and not self._whole:
            return
        self._shown_again(state)
        require(event.turn == state.turn + 1, f"turn {event.turn} follows turn {state.turn}")
        require(state.turn < state.last_turn, "a turn after the last one")
        self._all_served(state)
        track = [*state.order[1:], state.order[0]]
        while not state.characters[track[0]].alive:
            track = track[1:]
        require(list(event.order) == track, f"the track is {event.order}, not {track}")

    def _shown_again(self, state: State) -> None:
        """Whoever was hidden before an action is visible after it (§4.4.5, R31)."""
        hidden = self._hidden and state.characters[self._hidden].hidden
        require(not hidden, f"{self._hidden} stays hidden")
        self._hidden = ""

    def _all_served(self, state: State) -> None:
        """What a turn must not end without."""
        if not self._whole:
            return
        for c in state.characters.values():
            if c.alive and not c.returned:
                for number in (FIRST, SECOND):
                    served = c.id in self._served[number]
                    require(served, f"{c.id} had no slot in round {number} of turn {state.turn}")
        require(not self._boosted, f"{sorted(self._boosted)} had no adrenaline action")

    def _opened(self, state: State, event: ev.ProgrammingOpened) -> None:
        """Who is limited to one action (R58), and who acts freely (§4.2.1)."""
        p = TablePosition(state)
        living = [c for c in state.characters.values() if c.alive]
        if state.rulebook == PROTOTYPE:
            cold = {c.id for c in living if self._cold.get(c.id) == state.turn}
        else:
            cold = {c.id for c in living if p.shown(p.at(c)) == "cold"}
        require(set(event.limited) == cold, f"{event.limited} are cold, not {sorted(cold)}")
        self._limited = cold
        for c in living if self._whole else ():
            free = is_guard(c) and c.role_public and state.rulebook != PROTOTYPE
            require(c.free == free, f"{c.id} is {'not ' * free}free in turn {state.turn}")
            # Vitality may give it back later; a free guard cannot programme it any more.
            spent = c.adrenaline in {"none", "spent"} or c.id in {"franck", "bruce"}
            require(not free or spent, f"{c.id} is free and has adrenaline")
            draws = not c.paranoid or (c.stacked and not c.leaving)
            require(draws, f"{c.id} is out of its paranoia and still draws")

    def _in_order(self, state: State, event: ev.SlotBegan) -> None:
        """Rounds follow one another, and slots the track; the prototype's solo chooses (R14)."""
        require(event.round >= self._round, f"round {event.round} after round {self._round}")
        before = self._served[event.round]
        require(event.character not in before, f"{event.character} is served twice")
        c = state.characters[event.character]
        self._shown_again(state)
        require(c.alive, f"{c.id} is dead and has a slot")
        drawn = c.returned or c.paranoid
        if self._whole and not drawn and self._programmes(state, c):
            require(c.program is not None, f"{c.id} has not programmed")
        if (state.rulebook, state.mode) == (PROTOTYPE, "solo"):
            left = set(self.to_come()) if self._whole else {c.id}
            require(c.id in left, f"{c.id} acts before its time")
        elif before:
            behind = state.order.index(before[-1]) < state.order.index(c.id)
            require(behind, f"{c.id} acts after {before[-1]}")
        if event.round == THIRD:
            require(c.id in self._boosted, f"{c.id} has no adrenaline left")

    # --- what is due ---

    def _due_in_slot(self, state: State, c: Character, number: int) -> DueQuestion:
        """What a slot brings: a question, a token, or nothing (§4.4.2)."""
        if number == THIRD:
            fit = [t for t in TOKENS if aims(TablePosition(state), c, t)]
            if len(fit) > 1:
                return DueQuestion(c.id, asked="adrenaline_action")
            return DueQuestion(c.id, token=fit[0]) if fit else DueQuestion(c.id, lost=True)
        if c.returned:
            return DueQuestion(c.id)
        if c.paranoid:
            return DueQuestion(c.id, token=c.stack[0]) if c.stack else DueQuestion(c.id)
        if c.free or (state.rulebook, state.mode) == ("first_edition", "solo"):
            limited = c.limited if self._limited is None else c.id in self._limited
            stopped = limited and c.acted
            return DueQuestion(c.id) if stopped else DueQuestion(c.id, asked="free_action")
        return DueQuestion(c.id) if c.id in self._mirrored else self._due_of_program(c, number)

    def _due_of_program(self, c: Character, number: int) -> DueQuestion:
        tokens = c.programmed
        single = len(tokens) == 1
        if not tokens or (single and number == SECOND and not c.delayed):
            return DueQuestion(c.id)
        token = tokens[0 if single else number - 1]
        if single and number == FIRST:
            return DueQuestion(c.id, asked="delay_single") if token else DueQuestion(c.id)
        if c.role_public and c.role == "traitor" and not c.powered:
            return DueQuestion(c.id, asked="traitor_change")
        return DueQuestion(c.id, token=token) if token else DueQuestion(c.id)

    def _is_right(self, state: State, event: ev.ActionRevealed) -> None:
        """Whether a token may be turned up at all: it is owned, unspent, and its own slot's."""
        c = state.characters[event.character]
        token, who = event.token, f"{event.character} in turn {state.turn}"
        require(c.alive and not c.returned, f"{who} cannot act")
        require(event.slot == self._round, f"{who} acts in slot {event.slot} of {self._round}")
        require(event.drawn == (c.paranoid and event.slot < THIRD), f"{who} draws or does not")
        if event.slot == THIRD:
            require(token in TOKENS, f"{who} has {token} for adrenaline")
            return
        require(token in owned(c), f"{who} does not have {token}")
        if event.drawn:
            require(c.stack and c.stack[0] == token, f"{who} draws {token} from below")
        elif c.free or (state.rulebook, state.mode) == ("first_edition", "solo"):
            require(token not in c.used, f"{who} uses {token} twice")
        else:
            tokens = c.programmed
            wanted = tokens[0 if len(tokens) == 1 else event.slot - 1] if tokens else None
            require(token == wanted, f"{who} turns up {token}, not {wanted}")

    def _due_of_token(self, state: State, event: ev.ActionRevealed) -> DueQuestion:
        """Lost without an aim, done with one, asked with several (§4.4.4)."""
        c = state.characters[event.character]
        count = len(aims(TablePosition(state), c, event.token))
        if count > 1:
            return DueQuestion(c.id, asked=_question(event.token))
        return DueQuestion(c.id, aimed=event.token) if count else DueQuestion(c.id, lost=True)


def _question(token: str) -> str:
    return "special_choice" if token == "special" else f"{token}_target"  # noqa: S105 (an action)


_HEEDED: Final = {
    ev.TurnBegan,
    ev.ProgrammingOpened,
    ev.ProgrammingClosed,
    ev.SlotBegan,
    *ACTS,
    ev.CharacterMoved,
    ev.CharacterEliminated,
    ev.RoomPeeked,
    ev.LineShifted,
    ev.TilesSwapped,
    ev.EscapeAttempted,
    more.TokenReplaced,
    more.SpecialUsed,
    more.PowerUsed,
    more.AdrenalineChanged,
}
"""The events by which one sees what has come; the others come beside them."""
