"""What is dealt and what lies on the table is conserved.

Role tiles, action tokens, cards, robots, locks, spares, adrenaline.
"""

from __future__ import annotations

from typing import Final

from events.kernel import Event
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import Character, State
from simulator.room25.run import Run
from simulator.run import RunStep, require

ROBOTS: Final = {"ultimate": 2, "bga": 2}
LOCKS: Final = {"ultimate": 2, "bga": 2}
"""How many robots and locks each box has (§3.7); none where nothing is said."""

EXCITABLE: Final = frozenset({"ultimate", "bga"})
"""Rulebooks with adrenaline."""

PRISONER: Final = "prisoner"
IDENTITIES: Final = ("hacker", "brute", "architect", "killer", "traitor")
"""Who a guard of the prototype may be (§1.4); elsewhere all are the same."""

_EARLY: Final = {4: (4, 1), 5: (4, 2), 6: (4, 2)}
_LATE: Final = {4: (3, 1), 5: (4, 1), 6: (4, 2), 7: (5, 2), 8: (6, 2)}
ROLES: Final = {"prototype": _EARLY, "first_edition": _EARLY, "ultimate": _LATE, "bga": _LATE}
"""Prisoners and guards that are shuffled, by players (§2 row 4).

Where five play the host may wish for one guard more and one prisoner fewer (R12).
"""

FIVE: Final = 5

SPARES: Final = {"sarah": 2, "bruce": 1}
"""Who has spare empty tiles, with special abilities (§3.7)."""

BASE_DECK: Final = frozenset({*(f"M{n:02}" for n in range(1, 33)), *(f"P{n}" for n in range(1, 8))})
MADNESS: Final = frozenset(f"Z{n:02}" for n in range(1, 20))
STAYING: Final = frozenset({"Z02", "Z03", "Z07", "Z08", "Z15", "Z16"})
"""Cards that lie open until the countdown: jamming, time bombs, accelerations (§6.4)."""

RED: Final = frozenset(
    {
        "acid",
        "burning",
        "flooded",
        "illusion",
        "mortal",
        "paranoia",
        "shredder",
        "timer",
        "trap",
    }
)
"""Rooms that destroy robots (§5.3)."""


class Inventory:
    """Counts what the players and the box own; remembers what it has seen at the beginning."""

    def __init__(self) -> None:
        self.tokens: dict[str, tuple[str, ...]] = {}
        self.cards: frozenset[str] = frozenset()
        self.locks = 0
        self.roles: dict[str, str | None] = {}
        self.undealt: tuple[str, ...] | None = None

    def look(self, match: Run, step: RunStep) -> None:
        """Look at the position after a command.

        Raises:
            PropertyBroken: something was lost or made.
        """
        state: State = step.after.play
        before: State = step.before.play
        if not before.grid:
            self._begins(state, match.state.seat_count, scenario=match.state.scenario)
        self._cards(state)
        self._locks(state, step.events)
        _robots(state)
        roles = {name: c.role for name, c in state.characters.items()}
        same = roles == self.roles and state.undealt == self.undealt
        require(same, "a role has changed hands")
        for name, c in state.characters.items():
            old = before.characters.get(name)
            self._tokens(c, whole=not match.state.scenario)
            if old is not None and old is not c:
                require(set(old.lost) <= set(c.lost), f"{name} has a lost action again")
                _excitement(old, c, step.events)
        if state.phase == "programming" and before.phase != "programming":
            _rested(state)

    def _begins(self, state: State, seats: int, *, scenario: bool) -> None:
        """What everybody and the box have at the beginning (§4.1.6)."""
        self.roles = {name: c.role for name, c in state.characters.items()}
        self.undealt = state.undealt
        _dealt(state, seats)
        self.tokens = {name: c.tokens for name, c in state.characters.items()}
        specials = state.options.get("specials") is True
        basic = {"look", "move", "push", "control"}
        owned = basic | ({"special"} if specials else set())
        require(all(set(t) == owned for t in self.tokens.values()), "these are not the actions")
        self.cards = frozenset((*(state.deck or ()), *state.discard, *state.shown))
        self.locks = state.locks + sum(tile.lock for tile in state.grid.values())
        most = LOCKS.get(state.rulebook, 0)
        if scenario:
            require(self.cards <= _deck(state), "cards from another box")
            require(self.locks <= most, "there are too many locks")
            return
        require(self.cards == _deck(state), "this is not the deck")
        require(self.locks == most, "a lock is missing at the beginning")
        boosted = state.rulebook in EXCITABLE and state.options.get("adrenaline", True)
        boosted = boosted and not state.options.get("madness")
        for name, c in state.characters.items():
            usual = {"available", "spent"} if boosted else {"none"}
            require(c.adrenaline in usual, f"{name} begins with adrenaline {c.adrenaline}")
            spares = SPARES.get(name, 0) if specials else 0
            require(c.spares <= spares, f"{name} begins with {c.spares} spares")

    # --- cards ---

    def _cards(self, state: State) -> None:
        """Each card is in the draw pile, discarded or shown, once (§3.8)."""
        deck = state.deck or ()
        everywhere = (*deck, *state.discard, *state.shown)
        require(len(set(everywhere)) == len(everywhere), "a card is there twice")
        require(set(everywhere) == self.cards, "a card was lost or made")
        require(state.deck_size == len(deck), "the draw pile has not the size that is said")
        require(set(state.shown) <= STAYING, f"{state.shown} lie open")

    # --- locks ---

    def _locks(self, state: State, events: tuple[Event, ...]) -> None:
        """Locks lie on tiles or in supply; they leave with Emmett and come back with him."""
        pinned = state.options.get("specials") is True
        for event in events if pinned else ():
            if isinstance(event, ev.CharacterEliminated) and event.character == "emmett":
                self.locks = 0
            elif isinstance(event, more.CharacterReturned) and event.character == "emmett":
                self.locks = LOCKS.get(state.rulebook, 0)
        placed = sum(tile.lock for tile in state.grid.values())
        require(state.locks >= 0, "a lock was taken from an empty supply")
        require(placed + state.locks == self.locks, "a lock was lost or made")

    # --- action tokens ---

    def _tokens(self, c: Character, *, whole: bool) -> None:
        """Tokens are owned, lost, programmed, drawn or stacked, each in one place (§3.5, R68)."""
        owned = self.tokens[c.id]
        require(c.tokens == owned, f"{c.id} owns other tokens now")
        require(len(set(c.lost)) == len(c.lost), f"{c.id} has lost a token twice")
        require(set(c.lost) <= set(owned), f"{c.id} has lost what it never had")
        programmed = [token for token in c.programmed if token]
        require(len(set(programmed)) == len(programmed), f"{c.id} programmed a token twice")
        require(set(programmed) <= set(owned), f"{c.id} programmed what it has not")
        stale = set(programmed) & set(c.lost) - set(c.used)
        require(c.paranoid or not stale, f"{c.id} keeps a lost token in its programme")
        stack = c.stack or ()
        require(len(stack) == c.stacked, f"{c.id} has a stack of another size")
        held = (*stack, *c.drawn)
        require(len(set(held)) == len(held), f"{c.id} has a token twice in its stack")
        require(not set(stack) & set(c.lost), f"{c.id} may draw a lost token")
        require(set(held) <= set(owned), f"{c.id} may draw what it has not")
        if c.paranoid:
            require(
                not whole or {*held, *c.lost} == set(owned), f"{c.id} lost a token in the stack"
            )
        else:
            require(not held, f"{c.id} has a stack and is not paranoid")


def _dealt(state: State, seats: int) -> None:
    """The role tiles are those of so many players; a prototype's guards differ (R11, R13)."""
    if state.mode != "suspicion":
        return
    prisoners, guards = ROLES[state.rulebook][seats]
    if seats == FIVE and state.options.get("guards") == guards + 1:
        prisoners, guards = prisoners - 1, guards + 1
    tiles = [str(c.role) for c in state.characters.values()] + list(state.undealt or ())
    others = [role for role in tiles if role != PRISONER]
    require(len(tiles) == prisoners + guards, "a role was lost or made")
    require(len(others) == guards, f"{len(others)} of {guards} guards")
    if state.rulebook == "prototype":
        named = [role for role in others if role != "guard"]
        fair = set(named) <= set(IDENTITIES) and len(set(named)) == len(named)
        require(fair, "two guards are the same")
    else:
        require(set(others) <= {"guard"}, f"guards are {sorted(others)}")


def _deck(state: State) -> frozenset[str]:
    """The cards of this table: none where nobody ever draws one (§4.1.6, R132)."""
    together = state.mode in {"cooperation", "solo"}
    draws = state.rulebook in ROBOTS and (together or state.composition.get("mac", 0) > 0)
    mad = state.options.get("madness") is True or state.options.get("madness_cards") is True
    return (BASE_DECK | (MADNESS if mad else frozenset())) if draws else frozenset()


def _robots(state: State) -> None:
    """Robots are in supply or stand on face-up rooms that do not destroy them (§3.7, §5.3)."""
    require(len(state.robots) == ROBOTS.get(state.rulebook, 0), "a robot was lost or made")
    for cell in state.robots:
        tile = None if cell is None else state.grid[cell]
        standing = tile is None or (tile.up and tile.kind not in RED)
        require(standing, f"a robot stands in {tile and tile.kind}")


def _excitement(old: Character, new: Character, events: tuple[Event, ...]) -> None:
    """Adrenaline is used once, unless vitality brings it back (§6.1, R22)."""
    was, now = old.adrenaline, new.adrenaline
    require((was == "none") == (now == "none"), f"adrenaline of {new.id}: {was}, then {now}")
    if (was, now) in {("spent", "available"), ("spent", "programmed"), ("programmed", "available")}:
        regained = any(
            isinstance(event, more.SpecialUsed)
            and event.character == new.id
            and event.option == "vitality"
            for event in events
        )
        require(regained, f"{new.id} has adrenaline again")


def _rested(state: State) -> None:
    """When programming opens no third action is left over."""
    for c in state.living():
        require(c.adrenaline != "programmed", f"{c.id} has kept its third action")
