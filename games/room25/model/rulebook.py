"""What a rulebook is: data, and a few small strategies named by the data (pure).

The engine asks a rulebook questions ("is there a starting clue?", "who may escape now?"); it never
asks which rulebook it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from games.room25.model.characters import SIX
from games.room25.model.state import Character, End, State

Escape = Callable[[State, Character], End | None]
"""The end of the game if Room 25 may leave now by this character's action, else None (§7.4)."""

EndNow = Callable[[State], End | None]
"""The end that eliminations have brought about, if any (§4.10, rows marked *now*)."""

EndLast = Callable[[State], End]
"""The end of a game that runs out of turns (§4.10)."""

Masks = Callable[[State], list[str]]
"""Who must show their role because of who stands in Room 25, in turn order (§4.8.3)."""

Identity = Callable[[State], list[str]]
"""Which dead characters must show their role next, given what is public already (§4.9)."""


class OptionRule(Struct, frozen=True, kw_only=True):
    """An option that a host may set: its default and the values allowed (none: see its words)."""

    default: object
    values: tuple[object, ...] = ()


class Composition(Struct, frozen=True):
    """A named multiset of 25 rooms and the modes in which it may be used (§2.1).

    ``guards``: only for so many guards. ``fill``: so many rooms of a colour are drawn from what
    the box holds of it beside the kinds named in ``rooms`` and in ``never`` (R5b).
    """

    rooms: Mapping[str, int]
    modes: tuple[str, ...]
    guards: int | None = None
    fill: Mapping[str, int] = {}
    never: tuple[str, ...] = ()


class Mode(Struct, frozen=True, kw_only=True):
    """A way to play.

    ``per_seat`` characters by number of seats (seats are players); ``turns`` by number of seats;
    ``escape``, ``end_now`` and ``end_last``: its row of §4.10; ``roles`` by number of seats: how
    many prisoners and guards are shuffled, of which each character gets one; ``other_roles``: what
    the option ``guards`` may choose instead; ``default_composition`` is used if the host names
    none, unless ``compositions`` picks another by the options; ``duos``: a seat with several
    characters holds a duo; ``teams`` by number of seats: seats alternate between so many;
    ``team_casting``: whom a seat may have depends on its team (§4.1.2); ``needs_key``: the
    composition holds one key room; ``cards`` two are drawn at the start of a turn;
    ``open_programs``: programmes lie open; ``free_order``: the player chooses who is next in a
    round (R14); ``looks_reveal``: a room that is looked at is turned up (R120); ``alarm``: entering
    Room 25 may raise it (R70); ``programs``: programmes are made (R14); ``options``: those that the
    host may set; ``removes_withdrawn``: a team that has resigned is eliminated (R19).
    """

    id: str
    per_seat: Mapping[int, int]
    turns: Mapping[int, int]
    default_composition: str
    escape: Escape
    end_now: EndNow
    end_last: EndLast
    roles: Mapping[int, tuple[int, int]] = {}
    other_roles: Mapping[int, tuple[int, int]] = {}
    compositions: Callable[[Mapping[str, object]], str] | None = None
    duos: bool = False
    teams: Mapping[int, int] = {}
    team_casting: bool = False
    needs_key: bool = False
    cards: bool = False
    open_programs: bool = False
    free_order: bool = False
    looks_reveal: bool = False
    alarm: bool = False
    programs: bool = True
    options: tuple[str, ...] = ()
    removes_withdrawn: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """The player counts that the mode allows."""
        return tuple(self.per_seat)


class Rulebook(Struct, frozen=True, kw_only=True):
    """An edition: its box, its modes, and where it differs in a rule.

    ``box`` copies of each kind; ``outer`` the kinds laid only into the exit zones (§4.1.4);
    ``direction_lock`` whether control markers bind (§7.2); ``jail_to_centre`` whether the jail
    opens to the Central Room (§5.2.3); ``guards_freed`` whether revealed guards act without
    programming; ``movable_reminders`` whether a token on the table may be moved (R97).
    ``reveal_any_time`` / ``reveal_needs_room25``: when a guard may show itself (R25, R27);
    ``identities`` the guards dealt, if they differ (R11); ``cold_lingers``: the Cold Chamber binds
    the next turn wherever one is (R58); ``acts_on_all`` kinds that act on everybody inside (R61);
    ``dead_show_last_turn`` (R87); ``robots`` and ``locks`` how many there are; ``adrenaline``
    whether there is any; ``words`` the suffixes of texts in ``games.words`` that are its own, the
    nearest first.
    """

    id: str
    version: int
    box: Mapping[str, int]
    outer: tuple[str, ...]
    actions: tuple[str, ...]
    modes: Mapping[str, Mode]
    compositions: Mapping[str, Composition]
    options: Mapping[str, OptionRule]
    clue: bool
    masks: Masks
    identity: Identity
    direction_lock: bool = True
    jail_to_centre: bool = True
    guards_freed: bool = True
    movable_reminders: bool = False
    characters: tuple[str, ...] = SIX
    reveal_any_time: bool = False
    reveal_needs_room25: bool = False
    identities: tuple[str, ...] = ()
    cold_lingers: bool = False
    acts_on_all: tuple[str, ...] = ()
    dead_show_last_turn: bool = False
    robots: int = 0
    locks: int = 0
    adrenaline: bool = False
    words: tuple[str, ...] = ()


ALARM_TURNS: Final = 5
"""Entering Room 25 in a turn up to this one raises the alarm (§5.4, R70)."""
