"""The oracle of cards: when they are drawn, by whom, what moves and what is lost (§6.4).

Written from the rules, sharing no function with the engine. What madness cards ask is in
``legal_cards``.
"""

from __future__ import annotations

from typing import Final

from events.kernel import Event
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import State
from simulator.room25.position import (
    BACK,
    FAMILY,
    LINES,
    TablePosition,
    has_specials,
    name,
    ways_of,
)
from simulator.run import require

TWICE: Final = {"M02", "M08", "M10", "M16", "M20", "M22", "M28", "M30"}
AGAIN: Final = {"M04", "M06", "M12", "M14", "M18", "M24", "M26", "M32"}

LOSSES: Final = {
    "P1": ("look", {"emmett", "max"}),
    "P2": ("look", {"franck", "sarah"}),
    "P3": ("look", {"jennifer", "bruce"}),
    "P4": ("control", {"kevin", "franck"}),
    "P5": ("control", {"alice", "max"}),
    "P6": ("special", {"emmett", "jennifer"}),
    "P7": ("special", {"kevin", "sarah"}),
}

POWER_FAILURE: Final = "Z01"
BOMBS: Final = {"Z07", "Z08"}
DEACTIVATED: Final = {"Z10": "green", "Z11": "yellow", "Z12": "red"}

BRINGS: Final = {POWER_FAILURE: "empty"} | dict.fromkeys(DEACTIVATED, "down")
"""The words of ``_fact`` for what a card does to as many rooms as it fits."""

STEPS: Final = {False: (2, 2, 2), True: (0, 1, 2)}
"""How many cards a turn has brought by its programming, its first round and its second."""


def movement_of(card: str) -> tuple[str, str]:
    """The line and the direction of a movement card: two cards for each, line by line."""
    number = int(card[1:]) - 1
    line = LINES[number // 4]
    return line, ways_of(line)[number % 4 // 2]


def _fact(event: Event) -> tuple[str, str]:
    """What an event does, if a card may owe it, in two words."""
    if isinstance(event, more.ActionPenalised):
        return event.token, event.character
    if isinstance(event, more.RoomReplaced):
        return "empty", event.cell
    if isinstance(event, more.RoomTurnedDown):
        return "down", event.cell
    if isinstance(event, more.RobotRemoved):
        return "robot", str(event.robot)
    return "dead", event.character if isinstance(event, ev.CharacterEliminated) else ""


class Deck:
    """Follows the cards.

    ``card`` was drawn last; ``drawer`` is who drew it in a M.A.C. room, if anybody did, and
    ``first`` its first player (R74).
    """

    def __init__(self) -> None:
        self.card = ""
        self.first = ""
        self.drawer = ""
        self._entrant = ""
        self._entry = 0
        self._again: str | None = None
        self._shifts: list[tuple[str, str]] = []
        self._moved = False
        self._owed: set[tuple[str, str]] = set()
        self._brings = ""
        self._open: set[str] = set()
        self._bombs = 0
        self._steps = 0
        self._whole = False
        self._last = False

    def begin(self, state: State, *, whole: bool) -> None:
        """A turn begins, or, if not ``whole``, goes on from the middle."""
        self._steps, self._bombs = 0, len(BOMBS & set(state.shown))
        self._whole, self._last = whole, state.turn == state.last_turn

    def before(self, state: State, event: Event) -> None:
        """Judge an event in the position before it, by the cards."""
        if isinstance(event, ev.LineShifted) and (self._shifts or event.cause == "card"):
            due = self._shifts.pop(0) if self._shifts else None
            require((event.line, event.way) == due, f"{event} is not on {self.card}")
            self._moved = True
            return
        require(not self._shifts, f"{self.card} moves nothing")
        if self._is_owed(event) or isinstance(event, more.TokenDiscarded):
            return
        # A shift is checked before its card draws on (§4.8); the identities judge what it shows.
        unmasks = self._moved and isinstance(event, ev.RoleRevealed) and event.cause == "masks"
        if isinstance(event, more.CardDrawn):
            self._draw(state, event.card)
        elif self._again is not None and not unmasks:
            left = state.deck_size + len(set(state.discard) - self._open)
            # It stays beside the new pile; some of the others that seem open may be done with.
            draws = isinstance(event, more.DeckShuffled) and self.card in event.discard
            require(draws or not left, f"{self.card} draws no other card")
            self._again = self._again if draws else None

    def _is_owed(self, event: Event) -> bool:
        """Whether a card brings this; what it owes comes at once, and no more of the kind."""
        fact = _fact(event)
        if self._owed or isinstance(event, more.ActionPenalised) or fact[0] == self._brings:
            beside = isinstance(event, more.TokenDiscarded | more.DeckShuffled)
            owed = beside or fact in self._owed
            require(owed, f"{self.card} brings {sorted(self._owed)}, not {event}")
            self._owed.discard(fact)
            return True
        self._brings = ""
        return False

    def after(self, state: State, event: Event) -> None:
        """Note who has entered a M.A.C. room, and count the cards of a turn."""
        if isinstance(event, ev.CharacterMoved):
            if event.entry != self._entry:
                mac = state.grid[event.cell].kind == "mac"
                self._entrant, self._entry = event.character if mac else "", event.entry
        elif not isinstance(event, ev.RoomRevealed | more.DeckShuffled):
            self._entrant = ""
        if isinstance(event, ev.TurnBegan):
            self.begin(state, whole=True)
        elif isinstance(event, ev.ActionRevealed):
            self._open = set()
        elif isinstance(event, ev.ProgrammingOpened):
            self._count(state, 0)
        elif isinstance(event, ev.SlotBegan) and event.round in {1, 2}:
            self._count(state, event.round)

    def _draw(self, state: State, card: str) -> None:
        """What a card brings, by its first player: the entrant of a M.A.C. room, or the track's."""
        drawer = self._entrant if self._again is None else self._again
        self._steps += not drawer and self._again is None
        # A card that is still being resolved is not among those that are shuffled anew (§6.4).
        self._open = {card} | (self._open if drawer or self._again is not None else set())
        living = [who for who in state.order if state.characters[who].alive]
        self.card, self.first, self._again = card, drawer or living[0], None
        self._moved = False
        self.drawer = drawer
        self._bombs += card in BOMBS
        self._owed = self._effects(state, drawer)
        self._brings = BRINGS.get(card, "")
        if card.startswith("M"):
            line, way = movement_of(card)
            barred = state.markers.get(line) == BACK[way]
            self._shifts = [(line, way)] * (0 if barred else 1 + (card in TWICE))
            self._again = drawer if card in AGAIN else None

    def _effects(self, state: State, drawer: str) -> set[tuple[str, str]]:
        """What a card does at once, in any order: see ``_fact``."""
        p, card = TablePosition(state), self.card
        if card in LOSSES:
            return self._penalties(state, drawer)
        if card == POWER_FAILURE:
            green = {name(n) for n in p.tiles if p.colour(n) == "green" and p.shown(n) != "empty"}
            robots = {str(n) for n, place in enumerate(p.robots) if place is not None}
            return {("empty", cell) for cell in green} | {("robot", robot) for robot in robots}
        if card in DEACTIVATED:
            bare = {n for n, t in p.tiles.items() if p.is_free(n) and not t.seal and not t.lock}
            return {("down", name(n)) for n in bare if p.colour(n) == DEACTIVATED[card]}
        if card in BOMBS and self._bombs > 1:
            living = [c for c in state.characters.values() if c.alive]
            return {("dead", c.id) for c in living if p.colour(p.at(c)) == "red"}
        return set()

    def _penalties(self, state: State, drawer: str) -> set[tuple[str, str]]:
        """Both who are named, or the entrant, named or not; Alice never, nobody twice (R136)."""
        token, named = LOSSES[self.card]
        spared = {"alice"} if has_specials(state) else set()
        wanted = ({drawer} if drawer else named) - spared
        return {
            (token, c.id)
            for c in state.characters.values()
            if c.id in wanted and c.alive and token in set(c.tokens) - set(c.lost)
        }

    def _count(self, state: State, number: int) -> None:
        """Cooperation draws: two at the start, or with madness one before each round (§4.2.3)."""
        together = state.rulebook in FAMILY and state.mode in {"cooperation", "solo"}
        plays = together and not self._last
        due = STEPS[state.options.get("madness") is True][number] if plays else 0
        if not self._whole or (plays and not state.deck_size + len(state.discard)):
            return
        # A turn that becomes the last on its way brings no more cards (R133).
        if state.turn < state.last_turn or self._steps > due:
            require(self._steps == due, f"{self._steps} cards instead of {due}")
