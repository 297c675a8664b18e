"""Setting a game up: options, composition, complex, roles, order (§4.1; pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from events.kernel import Rejected, Seat
from games.contract import JsonValue, Roster, TableOpening
from games.room25.editions import RULEBOOKS
from games.room25.facts import events as ev
from games.room25.model.agenda import Clues, Turn
from games.room25.model.board import CELLS, CENTRE, EXIT_ZONES, INNER_CELLS
from games.room25.model.cards import deck_of
from games.room25.model.catalogue import (
    CENTRAL,
    EMPTY,
    EXIT,
    GUARD,
    KEY,
    PRISONER,
    SPECIAL,
    color_of,
    is_kind,
)
from games.room25.model.characters import SET_ASIDE, SHEETS
from games.room25.model.codes import Code
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.opening.casting import team_of
from games.room25.rules.cards import shuffle_deck
from games.room25.rules.context import Play

CUSTOM = "custom"
TILES = len(CELLS)


def mode_wished(wish: TableOpening) -> tuple[Rulebook, Mode]:
    """The rulebook and mode that a host asks for.

    Raises:
        Rejected: unknown-rulebook, unknown-mode or bad-seat-count, in that order.
    """
    rulebook = RULEBOOKS.get(wish.rulebook)
    if rulebook is None:
        raise Rejected(Code.UNKNOWN_RULEBOOK, f"the rulebooks are {', '.join(RULEBOOKS)}")
    mode = rulebook.modes.get(wish.mode)
    if mode is None:
        known = ", ".join(rulebook.modes)
        raise Rejected(Code.UNKNOWN_MODE, f"the modes of {rulebook.id} are {known}")
    if wish.seats not in mode.seats:
        counts = ", ".join(map(str, mode.seats))
        raise Rejected(Code.BAD_SEAT_COUNT, f"this mode is for {counts} players")
    return rulebook, mode


def complete_options(wish: TableOpening, rulebook: Rulebook, mode: Mode) -> dict[str, JsonValue]:
    """The options with every default filled in.

    Raises:
        Rejected: unknown-option, bad-option or bad-composition.
    """
    for name, value in wish.options.items():
        if name not in mode.options:
            known = ", ".join(mode.options)
            raise Rejected(Code.UNKNOWN_OPTION, f"no option {name!r:.40}; this mode has {known}")
        allowed = rulebook.options[name].values
        if allowed and not any(type(value) is type(v) and value == v for v in allowed):
            values = ", ".join(msgspec.json.encode(each).decode() for each in allowed)
            raise Rejected(Code.BAD_OPTION, f"the option {name} takes one of {values}")
    options = {name: rulebook.options[name].default for name in mode.options}
    options.update(wish.options)
    if options.get("madness"):
        options["specials"] = True
    if "guards" in options:
        options["guards"] = _guards(options["guards"], mode, wish.seats)
    if options["composition"] is None:
        options["composition"] = default_composition(options, mode)
    check_composition(options, rulebook, mode)
    return options


def _guards(wish: JsonValue, mode: Mode, seats: int) -> int:
    """How many guards are dealt; the host may choose only where the rulebook has two ways."""
    usual = mode.roles[seats][1]
    other = mode.other_roles.get(seats)
    if wish in {None, usual}:
        return usual
    if other is None or wish != other[1]:
        raise Rejected(Code.BAD_OPTION, "so many players have another number of guards")
    return other[1]


def roles_of(mode: Mode, seats: int, options: Mapping[str, JsonValue]) -> tuple[int, int]:
    """How many prisoners and guards are shuffled; (0, 0) in a mode without roles."""
    usual, other = mode.roles.get(seats, (0, 0)), mode.other_roles.get(seats)
    return other if other is not None and options.get("guards") == other[1] else usual


def default_composition(options: Mapping[str, JsonValue], mode: Mode) -> str:
    """The rooms of a table whose host names none (§2.1)."""
    return mode.compositions(options) if mode.compositions else mode.default_composition


def check_composition(options: Mapping[str, JsonValue], rulebook: Rulebook, mode: Mode) -> None:
    """Check a composition against the box, the mode and the number of guards (§2.1, D20).

    Raises:
        Rejected: bad-composition.
    """
    name, rooms = options["composition"], options.get("rooms")
    if name != CUSTOM:
        known = rulebook.compositions[name]
        if rooms is not None:
            raise Rejected(Code.BAD_COMPOSITION, "rooms are given for the composition custom only")
        if mode.id not in known.modes or known.guards not in {None, options.get("guards")}:
            raise Rejected(Code.BAD_COMPOSITION, "this composition is not for this mode")
        return
    if not isinstance(rooms, dict) or not all(type(n) is int and n >= 0 for n in rooms.values()):
        raise Rejected(Code.BAD_COMPOSITION, "rooms says how many of each kind there are")
    for kind, n in rooms.items():
        copies = rulebook.box.get(kind, 0)
        if n > copies:
            raise Rejected(Code.BAD_COMPOSITION, f"the box has only {copies} of {kind!r:.40}")
    if sum(rooms.values()) != TILES or rooms.get(CENTRAL) != 1 or rooms.get(EXIT) != 1:
        raise Rejected(Code.BAD_COMPOSITION, "25 rooms with one central and one room25")
    if rooms.get(KEY, 0) != int(mode.needs_key):
        raise Rejected(Code.BAD_COMPOSITION, "one key room where it is needed, else none")


def composition_of(
    play: Play, options: Mapping[str, JsonValue], rulebook: Rulebook
) -> dict[str, int]:
    """How many rooms of each kind are laid out; what the list leaves open is drawn (R5b)."""
    name = options["composition"]
    if name == CUSTOM:
        return {kind: n for kind, n in options["rooms"].items() if n}
    known = rulebook.compositions[name]
    rooms = dict(known.rooms)
    for color, count in known.fill.items():
        pool = [
            kind
            for kind, copies in sorted(rulebook.box.items())
            if color_of(kind) == color and kind not in known.rooms and kind not in known.never
            for _ in range(copies - (SET_ASIDE if kind == EMPTY else 0))
        ]
        for kind in play.context.draw.shuffled(pool, f"composition/{color}")[:count]:
            rooms[kind] = rooms.get(kind, 0) + 1
    return rooms


def order_track(roster: Roster, mode: Mode, first: Seat) -> tuple[str, ...]:
    """Seats clockwise from the first player, once for each character of a seat (§4.1.3, R9)."""
    seats = sorted(roster.characters)
    start = seats.index(first)
    clockwise = seats[start:] + seats[:start]
    passes = mode.per_seat[roster.opening.seats]
    return tuple(roster.characters[seat][i] for i in range(passes) for seat in clockwise)


def _figures(roster: Roster, rulebook: Rulebook) -> tuple[ev.Figure, ...]:
    options = roster.opening.options
    specials = bool(options.get("specials"))
    boosted = rulebook.adrenaline and options.get("adrenaline", True) and not options.get("madness")
    return tuple(
        ev.Figure(
            id=name,
            seat=seat,
            team=team_of(roster.opening, seat),
            tokens=(*rulebook.actions, SPECIAL) if specials else rulebook.actions,
            adrenaline="available" if boosted else "none",
            spares=SHEETS[name].spares if specials else 0,
        )
        for seat, names in sorted(roster.characters.items())
        for name in names
    )


def begin_game(play: Play, roster: Roster, order: Sequence[str], rooms: Mapping[str, int]) -> None:
    """Say who plays what, in which order, with which rooms."""
    opening = roster.opening
    rulebook = RULEBOOKS[opening.rulebook]
    play.emit(
        ev.GameBegan(
            rulebook=opening.rulebook,
            mode=opening.mode,
            options=opening.options,
            composition=rooms,
            figures=_figures(roster, rulebook),
            order=tuple(order),
            last_turn=rulebook.modes[opening.mode].turns[opening.seats],
            robots=rulebook.robots,
            locks=rulebook.locks,
        )
    )


def set_up(play: Play, roster: Roster) -> None:
    """Set a game up by the rulebook (§4.1) and put its beginning on the agenda."""
    opening = roster.opening
    rulebook = RULEBOOKS[opening.rulebook]
    mode = rulebook.modes[opening.mode]
    first = play.context.draw.choice(sorted(roster.characters), "first-player")
    rooms = composition_of(play, opening.options, rulebook)
    begin_game(play, roster, order_track(roster, mode, first), rooms)
    _lay(play, rooms, rulebook)
    _deal(play, rulebook, mode)
    if has_deck(mode, rooms):
        shuffle_deck(play, deck_of(opening.options))
    begin_first_turn(play, rulebook)


def has_deck(mode: Mode, rooms: Mapping[str, int]) -> bool:
    """Whether cards may be drawn: by the mode, or in a M.A.C. room (§4.1.6)."""
    return mode.cards or any(is_kind(kind, "draws") for kind, count in rooms.items() if count)


def begin_first_turn(play: Play, rulebook: Rulebook) -> None:
    """The starting clue, where the rulebook has one, then the first turn."""
    if rulebook.clue:
        play.push(Clues(), Turn("first"))
    else:
        play.push(Turn("first"))


def _lay(play: Play, rooms: Mapping[str, int], rulebook: Rulebook) -> None:
    """Twelve tiles round the centre, the rest with those set aside into the corners (§4.1.4)."""
    apart = [kind for kind in rulebook.outer for _ in range(rooms.get(kind, 0))]
    others = [
        kind
        for kind, count in sorted(rooms.items())
        if kind != CENTRAL and kind not in rulebook.outer
        for _ in range(count)
    ]
    shuffled = play.context.draw.shuffled(others, "complex/inner")
    count = len(INNER_CELLS)
    outer = play.context.draw.shuffled(shuffled[count:] + apart, "complex/outer")
    placed = dict(zip(INNER_CELLS, shuffled[:count], strict=True))
    placed.update(zip(EXIT_ZONES, outer, strict=True))
    placed[CENTRE] = CENTRAL
    kinds = tuple(placed[where] for where in CELLS)
    play.emit(ev.ComplexLaid(shown={CENTRE: CENTRAL}, kinds=kinds))


def _deal(play: Play, rulebook: Rulebook, mode: Mode) -> None:
    """Deal roles in secret; those left over stay secret until the end (§4.1.5, R13)."""
    if not mode.roles:
        return
    prisoners, guards = roles_of(mode, len(play.state.seats()), play.state.options)
    draw = play.context.draw
    kinds = [GUARD] * guards
    if rulebook.identities:
        kinds = draw.shuffled(rulebook.identities, "guards")[:guards]
    tiles = draw.shuffled([PRISONER] * prisoners + kinds, "roles")
    for c in play.state.characters.values():
        play.emit(ev.RoleDealt(seat=c.seat, character=c.id, role=tiles.pop()))
    play.emit(ev.RolesLeftOver(count=len(tiles), roles=tuple(tiles)))
