"""Nothing is lost and nothing is made (§3, §5–§7): rooms, figures and the turns that are left.

What lies on the table beside them (tokens, cards, robots, locks, adrenaline) is counted in
``belongings``.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from events.kernel import fold
from games.room25.editions import RULEBOOKS
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import Ask
from games.room25.model.board import CELLS, CENTRE
from games.room25.model.state import Character, State, Tile
from simulator.room25.inventory import Inventory
from simulator.room25.run import Run
from simulator.run import RunStep, require

BATCH_MAX: Final = 160
"""A batch never has more events: 64, then at most what follows from one choice."""

SEALABLE: Final = frozenset({"flooded", "shredder", "condemned"})
"""Rooms that nobody may enter any more after something has happened there (§5.5)."""

BLUE: Final = frozenset({"central", "room25", "key"})
"""Rooms that never carry a lock (§6.1)."""

USED_UP: Final = frozenset({"key", "regeneration", "timer"})
"""Rooms that are gone once they have acted (§5.4)."""

POWER_FAILURE: Final = "Z01"
"""The card that makes green rooms empty (§6.4)."""

SHUT: Final = frozenset({"flooded", "condemned"})
"""Rooms that close behind who enters: those inside have come as one group (§5.4, §5.5).

Groups are carried (§6.1, R77) or come along from the prototype's Illusion (R61).
"""

DROWNING: Final = frozenset({"flooded", "burning"})
"""Rooms that must be left by a deadline."""


class Conservation:
    """Rooms, figures, tokens, cards and robots are neither lost nor made.

    ``kinds`` are all tiles that have ever been on the board, by id; ``laid`` is the last entry
    number that a situation has given.
    """

    def __init__(self) -> None:
        self.kinds: dict[int, str] = {}
        self.laid = 0
        self.belongings = Inventory()

    def accepted(self, match: Run, step: RunStep) -> None:
        """Look at the position after a command."""
        require(len(step.events) <= BATCH_MAX, f"a batch of {len(step.events)} events")
        state: State = step.after.play
        if not state.grid:
            return
        before: State = step.before.play
        for event in step.events:
            if isinstance(event, ev.SituationSet):
                self.laid = max(f.entry for f in event.figures.values())
        if state.grid is not before.grid or state.characters is not before.characters:
            self._tiles(before, state, step)
            _rooms(match, state)
            _figures(state, self.laid)
        self.belongings.look(match, step)
        self._turns(match, before, state)

    def ended(self, match: Run) -> None:
        """The whole log, folded at once, gives the same end."""
        require(fold(match.table, match.log) == match.state, "the log does not give the state")

    def _tiles(self, before: State, state: State, step: RunStep) -> None:
        """Tiles keep their kind; one that is replaced is gone for ever, and paid for."""
        replaced = 0
        for event in step.events:
            if isinstance(event, ev.ComplexLaid):
                self.kinds = dict(enumerate(event.kinds or ()))
                found = Counter(self.kinds.values())
                require(found == dict(state.composition), "the rooms are not the ones laid out")
            elif isinstance(event, more.RoomReplaced):
                self.kinds[len(self.kinds)] = "empty"
                replaced += 1
        here = {tile.id: tile.kind for tile in state.grid.values()}
        require(len(here) == len(CELLS), "tile ids are not unique")
        for number, kind in here.items():
            require(self.kinds.get(number) == kind, f"tile {number} has become {kind}")
        old = {tile.id for tile in before.grid.values()} or set(self.kinds) - {
            len(self.kinds) - n - 1 for n in range(replaced)
        }
        require(len(old - here.keys()) == len(here.keys() - old), "a tile came or went by itself")
        require(set(here) - old <= set(range(len(CELLS), len(self.kinds))), "an old tile came back")
        self._gone(before, state, step, [self.kinds[n] for n in old - here.keys()])

    def _gone(self, before: State, state: State, step: RunStep, gone: list[str]) -> None:
        """A room is used up, sabotaged with a spare, or made empty by a power failure."""
        require(not {"central", "room25"} & set(gone), "a blue room is gone")
        turned = state.key_activated and bool(before.grid) and not before.key_activated
        turns = "key" in gone
        require(turns or not turned, "the key turned and its room is still there")
        require(state.key_activated or not turns, "the key room is gone, its key was not turned")
        spent = _spares(before) - _spares(state) if before.grid else 0
        paid = sum(kind not in USED_UP for kind in gone)
        failed = any(
            isinstance(event, more.CardDrawn) and event.card == POWER_FAILURE
            for event in step.events
        )
        require(spent >= 0, "a spare tile was made")
        require(paid <= spent or failed or not before.grid, "a room was replaced for nothing")

    def _turns(self, match: Run, before: State, state: State) -> None:
        most = RULEBOOKS[state.rulebook].modes[state.mode].turns[match.plan.seats]
        require(before.turn <= state.turn, "a turn ran backwards")
        require(state.turn <= state.last_turn <= most, "a turn after the last one")
        if before.last_turn:
            require(state.last_turn <= before.last_turn, "the game became longer")


def _spares(state: State) -> int:
    return sum(c.spares for c in state.characters.values())


# --- rooms ---


def _rooms(match: Run, state: State) -> None:
    require(tuple(state.grid) == CELLS, "the cells are not the 25, row-major")
    centre = state.grid[CENTRE]
    require(centre.kind == "central" and centre.up, "the Central Room is not in the middle")
    for tile in state.grid.values():
        _lies(state, tile)
    reminders = [seat for tile in state.grid.values() for seat in tile.reminders]
    require(len(set(reminders)) == len(reminders), "a seat has two reminders on the table")
    used = state.options.get("reminders", True) and not state.options.get("madness")
    given = used or match.state.scenario
    require(given or not reminders, "reminders are on the table and not in the game")
    shown = any(tile.kind == "room25" and tile.up for tile in state.grid.values())
    require(state.room25_revealed or not shown, "Room 25 is face-up, yet not revealed")


def _lies(state: State, tile: Tile) -> None:
    """What lies on a tile may lie there."""
    require(not tile.seal or (tile.up and tile.kind in SEALABLE), f"a seal on {tile.kind}")
    require(not tile.lock or (tile.up and tile.kind not in BLUE), f"a lock on {tile.kind}")
    require(not tile.reminders or not tile.up, "a reminder on a face-up room")
    corridor = tile.up and tile.kind == "pivoting"
    require(tile.axis is None or corridor, f"a corridor in {tile.kind}")
    asked = state.end is not None or _asks(state, "pivot_orientation")
    require(not corridor or tile.axis or asked, "a pivoting room without a corridor")


def _asks(state: State, kind: str) -> bool:
    """Whether a question of a kind is open or waits."""
    return any(isinstance(frame, Ask) and frame.kind == kind for frame in state.agenda)


# --- figures ---


def _figures(state: State, laid: int) -> None:
    dead = {name for name, c in state.characters.items() if not c.alive}
    require(sorted(state.dead) == sorted(dead), "the list of the dead is not who is dead")
    require(len(set(state.order)) == len(state.order), "somebody is on the track twice")
    living = {c.id for c in state.living()}
    require(living | dead == set(state.characters), "somebody living is not on the track")
    for c in state.characters.values():
        if c.alive:
            _lives(state, c, laid)
        else:
            _is_gone(c)


def _is_gone(c: Character) -> None:
    """The dead leave nothing on the board (R96), and dying spends a third action (R22)."""
    still = (c.cell, c.program, c.trap, c.flood, c.stack)
    require(still == (None,) * len(still), f"{c.id} is dead and still has something on the board")
    bound = c.hidden or c.paranoid or c.stacked or c.delayed or c.cold_next
    require(not bound, f"{c.id} is dead and still bound")
    require(c.adrenaline != "programmed", f"{c.id} is dead and has a third action to come")
    require(c.adrenaline != "programmed", f"{c.id} is dead and still excited")


def _lives(state: State, c: Character, laid: int) -> None:
    require(c.cell in state.grid, f"{c.id} lives nowhere")
    tile = state.grid[c.cell or ""]
    require(tile.up, f"{c.id} stands on a face-down room")
    trapped = c.trap is None or (c.trap.tile == tile.id and tile.kind == "trap")
    require(trapped, f"{c.id} has a trap elsewhere")
    dry = c.flood is not None and tile.kind not in DROWNING
    require(not dry, f"{c.id} drowns on dry land")
    leaking = c.flood is not None and tile.kind == "flooded" and not tile.seal
    require(not leaking, f"{c.id} drowns in a room that is not sealed")
    able = c.id in {"alice", "bruce"} and state.options.get("specials")
    require(able or not c.hidden, f"{c.id} hides without being able to")
    settled = state.end is None and not _asks(state, "acid_victim")
    company = state.occupants(c.cell or "")
    alone = len(company) == 1 or tile.kind != "acid" or not settled
    require(alone, f"two live in one {tile.kind} room")
    shut = tile.kind in SHUT and c.entry > laid
    together = all(other.entry == c.entry for other in company)
    require(together or not shut, f"{c.id} has followed somebody into a {tile.kind} room")
