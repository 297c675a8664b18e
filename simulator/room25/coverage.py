"""What happened in a game, thing by thing: rooms, deaths, abilities, robots, cards, powers.

Each event is looked at in the position in which it happened, each choice in the position in which
it was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from events.kernel import Event
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import Ask
from games.room25.model.board import CENTRE, NEIGHBOURS, lines_through
from games.room25.model.cards import MADNESS, MOVEMENTS, PENALTIES
from games.room25.model.catalogue import color_of, is_guard, kinds_with
from games.room25.model.meanings import talk_is_blocked
from games.room25.model.state import State
from games.table.events import Choose, ChooseSecretly
from simulator.room25.run import Run
from simulator.run import RunStep

Note = tuple[str, str]
"""A heading and a name below it; headings of rulebooks have their id put before the name."""

GENERAL: Final = ("mark", "ability", "robot", "card", "power")
"""Headings that are counted over all rulebooks, since those that have these things share them."""

CARDED: Final = "card_"
"""So begin the questions of cards, which are counted over all rulebooks too."""


def notes_of(match: Run) -> Iterator[Note]:
    """All that is to be counted of a game's events and choices."""
    for heading, name in _all_notes(match):
        shared = heading in GENERAL or name.startswith(CARDED)
        yield heading, name if shared else f"{match.plan.rulebook} {name}"


def _all_notes(match: Run) -> Iterator[Note]:
    follower = Follower()
    state = match.table.initial()
    for event in match.log:
        if state.play is not None:
            yield from follower.note(state.play, event)
        state = match.table.evolve(state, event)
    for step in match.steps:
        if not isinstance(step.command, Choose | ChooseSecretly):
            continue
        if step.refusal is None:
            yield from _of_choice(step)
        elif step.command.decision.startswith("claim-") and talk_is_blocked(step.before.play):
            carded = any(MADNESS[card] == "jamming_card" for card in step.before.play.shown)
            yield "mark", f"talk blocked by a {'card' if carded else 'room'}"


class Follower:
    """Looks at the events of a game one after the other."""

    def __init__(self) -> None:
        self.card = ""
        self.entrant: str | None = None
        self.shifts = 0
        self.last: Event | None = None
        self.removed: str | None = None
        self.pushed = ""

    def note(self, state: State, event: Event) -> Iterator[Note]:
        """What an event is worth noting for, in the position before it."""
        look = _LOOKS.get(type(event))
        if look is not None:
            yield from look(self, state, event)
        self.last = event

    # --- rooms and deaths ---

    def moved(self, state: State, e: ev.CharacterMoved) -> Iterator[Note]:
        """Somebody entered a room, perhaps pushed by a robot."""
        self.pushed = e.character if e.cause == "robot" else ""
        tile = state.grid[e.cell]
        yield "room", tile.kind or ""
        if tile.lock and e.character == "emmett":
            yield "mark", "Emmett enters a locked room"

    def died(self, state: State, e: ev.CharacterEliminated) -> Iterator[Note]:
        """Somebody died."""
        yield "death", e.cause
        c = state.characters[e.character]
        if c.hidden:
            yield "mark", "somebody hidden dies"
        gone = isinstance(self.last, more.RobotRemoved | ev.RoomSealed) and self.removed == c.cell
        if gone and e.cause in kinds_with("kills_with_robot"):
            yield "robot", f"kills in {e.cause}"
        pushed = isinstance(self.last, ev.CharacterMoved | ev.RoomRevealed)
        if pushed and self.pushed == e.character:
            yield "mark", "a robot pushes to death"

    def locks_gone(self, state: State, _: more.LocksGone) -> Iterator[Note]:
        """Emmett died."""
        if any(tile.lock for tile in state.grid.values()):
            yield "mark", "Emmett's locks go with him"

    def returned(self, state: State, e: more.CharacterReturned) -> Iterator[Note]:
        """Somebody came back to life."""
        if is_guard(state.characters[e.character].role):
            yield "mark", "the dead return and one is a guard"

    def calmed(self, state: State, e: more.ParanoiaEnded) -> Iterator[Note]:
        """Paranoia ended: by running out, or by leaving the room."""
        c = state.characters[e.character]
        if e.now:
            if not c.leaving:
                yield "mark", "paranoia ends by an empty stack"
        elif isinstance(self.last, more.RoomReplaced):
            yield "mark", "paranoia ends by sabotage"
        else:
            yield "mark", "paranoia ends by a step"

    # --- lines ---

    def shifted(self, _: State, e: ev.LineShifted) -> Iterator[Note]:
        """A line moved; a second step of one control follows the first."""
        same = isinstance(self.last, ev.LineShifted) and e.cause == self.last.cause == "action"
        if same:
            yield "mark", "a control moves two steps"
        if e.cause == "card":
            self.shifts += 1

    def escaped(self, state: State, e: ev.EscapeAttempted) -> Iterator[Note]:
        """Room 25 was pushed to an exit."""
        out = e.outcome is not None
        if out and isinstance(self.last, ev.LineShifted):
            yield "mark", "a control moves two steps and out"
        if out and state.round == 3:  # noqa: PLR2004 (the adrenaline round)
            yield "mark", "escape by adrenaline"
        everybody = list(state.characters.values())
        inside = all(c.cell == state.characters[e.character].cell for c in everybody)
        if not out and inside and state.mode in {"cooperation", "solo"}:
            yield "mark", "escape refused for want of the key"

    # --- abilities and robots ---

    def special(self, _: State, e: more.SpecialUsed) -> Iterator[Note]:
        """An ability was used."""
        ability, *rest = e.option.split(":")
        mimic = e.character == "bruce"
        yield "ability", f"{ability} by bruce" if mimic else ability
        if ability == "hack_robot":
            yield "robot", f"{'mimic' if mimic else 'hack'} {rest[1]}"

    def robot(self, state: State, e: more.RobotPlaced) -> Iterator[Note]:
        """A robot came to a cell."""
        tile = state.grid[e.cell]
        if not tile.up and tile.kind == "room25":
            yield "mark", "a robot turns Room 25 up"
        if not tile.up and tile.kind == "flooded":
            yield "mark", "a robot turns a flooded room up"

    def robot_gone(self, state: State, e: more.RobotRemoved) -> Iterator[Note]:
        """A robot went back to supply."""
        self.removed = state.robots[e.robot]
        kind = state.grid[self.removed or ""].kind or ""
        if color_of(kind) == "red":
            yield "robot", f"destroyed in {kind}"

    def refused(self, _: State, e: more.OfferRefused) -> Iterator[Note]:
        """Somebody would not be moved."""
        jennifer = e.character == "jennifer"
        yield "mark", "Jennifer refuses Bruce" if jennifer else "Alice refuses a robot"

    # --- cards ---

    def shuffled(self, state: State, _: more.DeckShuffled) -> Iterator[Note]:
        """A draw pile was made."""
        if state.shuffles:
            yield "mark", "the discard is shuffled again"

    def drawn(self, state: State, e: more.CardDrawn) -> Iterator[Note]:
        """A card was turned up."""
        yield "card", e.card
        yield from self._ignored(state)
        self.card, self.shifts, self.entrant = e.card, 0, e.character
        if e.character is not None:
            yield "mark", "a card concerns the entrant"
        first = e.character or state.living()[0].id
        if MADNESS.get(e.card) == "panic":
            yield "card", f"panic of {first}"
        if MADNESS.get(e.card) == "rewind" and first == "alice":
            yield "mark", "Alice spared by a rewind"
        penalty = PENALTIES.get(e.card)
        named = () if penalty is None else (e.character,) if e.character else penalty.characters
        alice = state.characters.get("alice")
        if "alice" in named and alice is not None and alice.alive and state.options.get("specials"):
            yield "mark", "Alice spared by a penalty"

    def _ignored(self, state: State) -> Iterator[Note]:
        """A movement card that its marker forbade has moved nothing."""
        if self.card in MOVEMENTS and not self.shifts and state.turn:
            yield "mark", "a movement card is ignored"
        self.card = ""

    def agenda(self, state: State, _: ev.AgendaSet) -> Iterator[Note]:
        """A batch has ended: what a card was to do at once is done."""
        yield from self._ignored(state)


_LOOKS: Final[dict[type[Event], Callable[[Follower, State, Any], Iterator[Note]]]] = {
    ev.CharacterMoved: Follower.moved,
    ev.CharacterEliminated: Follower.died,
    more.LocksGone: Follower.locks_gone,
    more.CharacterReturned: Follower.returned,
    more.ParanoiaEnded: Follower.calmed,
    ev.LineShifted: Follower.shifted,
    ev.EscapeAttempted: Follower.escaped,
    more.SpecialUsed: Follower.special,
    more.RobotPlaced: Follower.robot,
    more.RobotRemoved: Follower.robot_gone,
    more.OfferRefused: Follower.refused,
    more.DeckShuffled: Follower.shuffled,
    more.CardDrawn: Follower.drawn,
    ev.AgendaSet: Follower.agenda,
}


# --- choices ---


def kind_of(decision: str) -> str:
    """The kind of a decision by its id."""
    parts = decision.split("-")
    head = {"clue": "starting_clue", "reveal": "reveal_guard", "claim": "claim_color"}
    head |= {"reminder": "place_reminder", "return": "return", "resign": "resign"}
    if parts[0] in head:
        return head[parts[0]]
    return "program" if parts[1] == "program" else "_".join(parts[2:])


def _of_choice(step: RunStep) -> Iterator[Note]:
    """The kind of a decision that somebody made, and which power it used."""
    command = step.command
    if not isinstance(command, Choose | ChooseSecretly):
        return
    kind, option = kind_of(command.decision), str(command.option)
    yield "decision", kind
    play: State = step.before.play
    if kind in {"robot_order", "robot_order_again"}:
        yield "robot", f"room {option.split(':')[1]}"
    use = _USES.get(kind)
    top = play.agenda[-1] if play.agenda else None
    if use is not None and isinstance(top, Ask):
        yield from (("power", name) for name in use(step, play, top, option))


def _controlled(_: RunStep, state: State, ask: Ask, option: str) -> Iterator[str]:
    c = state.characters[ask.character]
    line = option.split(":", maxsplit=1)[0]
    if c.cell == CENTRE:
        yield "hacker shift from the centre"
    elif line not in lines_through(c.cell or ""):
        yield "hacker shift elsewhere"


def _pushed(step: RunStep, _: State, __: Ask, option: str) -> Iterator[str]:
    if "+" not in option:
        return
    yield "brute double push"
    second = option.split(":", maxsplit=1)[0].split("+")[1]
    moved = any(isinstance(e, ev.CharacterMoved) and e.character == second for e in step.events)
    if not moved and not any(isinstance(e, ev.GameEnded) for e in step.events):
        yield "brute second victim stays"


def _looked(_: RunStep, state: State, ask: Ask, option: str) -> Iterator[str]:
    near = NEIGHBOURS[state.characters[ask.character].cell or ""].values()
    if option.startswith("hide:"):
        yield "architect hide"
    elif option not in near and option != "lose":
        yield "architect far look"


def _stepped(_: RunStep, __: State, ___: Ask, option: str) -> Iterator[str]:
    yield "killer stop" if option == "stop" else "killer second step"


def _changed(_: RunStep, __: State, ___: Ask, option: str) -> Iterator[str]:
    yield f"traitor {option.split(':', maxsplit=1)[0]}"


_USES: Final[dict[str, Callable[[RunStep, State, Ask, str], Iterator[str]]]] = {
    "control_target": _controlled,
    "push_target": _pushed,
    "look_target": _looked,
    "killer_step": _stepped,
    "traitor_change": _changed,
}
