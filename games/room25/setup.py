"""Setting a game up: options, composition, complex, roles, order (§4.1; pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events.kernel import Rejected, Seat
from games.contract import JsonValue, Opening, Roster
from games.room25 import events as ev
from games.room25.agenda import Clues, Turn
from games.room25.board import CELLS, CENTRE, EXIT_ZONES, INNER_CELLS
from games.room25.casting import team_of
from games.room25.catalogue import GUARD, PRISONER
from games.room25.codes import Code
from games.room25.editions import RULEBOOKS
from games.room25.play import Play
from games.room25.rulebook import Mode, Rulebook

CUSTOM = "custom"
TILES = len(CELLS)


def mode_wished(wish: Opening) -> tuple[Rulebook, Mode]:
    """The rulebook and mode that a host asks for.

    Raises:
        Rejected: unknown-rulebook, unknown-mode or bad-seat-count, in that order.
    """
    rulebook = RULEBOOKS.get(wish.rulebook)
    if rulebook is None:
        raise Rejected(Code.UNKNOWN_RULEBOOK, "there is no such rulebook")
    mode = rulebook.modes.get(wish.mode)
    if mode is None:
        raise Rejected(Code.UNKNOWN_MODE, "this rulebook has no such mode")
    if wish.seats not in mode.seats:
        counts = ", ".join(map(str, mode.seats))
        raise Rejected(Code.BAD_SEAT_COUNT, f"this mode is for {counts} players")
    return rulebook, mode


def complete_options(wish: Opening, rulebook: Rulebook, mode: Mode) -> dict[str, JsonValue]:
    """The options with every default filled in.

    Raises:
        Rejected: unknown-option, bad-option or bad-composition.
    """
    for name, value in wish.options.items():
        if name not in mode.options:
            raise Rejected(Code.UNKNOWN_OPTION, f"this mode has no option {name!r:.40}")
        allowed = rulebook.options[name].values
        if allowed and not any(type(value) is type(v) and value == v for v in allowed):
            raise Rejected(Code.BAD_OPTION, f"the option {name} does not take this value")
    options = {name: rulebook.options[name].default for name in mode.options}
    options["composition"] = mode.default_composition
    options.update(wish.options)
    composition_of(options, rulebook, mode)
    return options


def composition_of(
    options: Mapping[str, JsonValue], rulebook: Rulebook, mode: Mode
) -> dict[str, int]:
    """How many rooms of each kind are laid out (§2.1, D20).

    Raises:
        Rejected: bad-composition.
    """
    name, rooms = options["composition"], options.get("rooms")
    if name != CUSTOM:
        if rooms is not None:
            raise Rejected(Code.BAD_COMPOSITION, "rooms are given for the composition custom only")
        known = rulebook.compositions[name]
        if mode.id not in known.modes:
            raise Rejected(Code.BAD_COMPOSITION, "this composition is not for this mode")
        return dict(known.rooms)
    if not isinstance(rooms, dict) or not all(type(n) is int and n >= 0 for n in rooms.values()):
        raise Rejected(Code.BAD_COMPOSITION, "rooms says how many of each kind there are")
    if any(n > rulebook.box.get(kind, 0) for kind, n in rooms.items()):
        raise Rejected(Code.BAD_COMPOSITION, "the box does not hold so many rooms of a kind")
    if sum(rooms.values()) != TILES or rooms.get("central") != 1 or rooms.get("room25") != 1:
        raise Rejected(Code.BAD_COMPOSITION, "25 rooms with one central and one room25")
    return {kind: n for kind, n in rooms.items() if n}


def order_track(roster: Roster, mode: Mode, first: Seat) -> tuple[str, ...]:
    """Seats clockwise from the first player, once for each character of a seat (§4.1.3, R9)."""
    seats = sorted(roster.characters)
    start = seats.index(first)
    clockwise = seats[start:] + seats[:start]
    passes = mode.per_seat[roster.opening.seats]
    return tuple(roster.characters[seat][i] for i in range(passes) for seat in clockwise)


def _figures(roster: Roster, rulebook: Rulebook) -> tuple[ev.Figure, ...]:
    return tuple(
        ev.Figure(id=name, seat=seat, team=team_of(roster.opening, seat), tokens=rulebook.actions)
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
        )
    )


def set_up(play: Play, roster: Roster) -> None:
    """Set a game up by the rulebook (§4.1) and put its beginning on the agenda."""
    opening = roster.opening
    rulebook = RULEBOOKS[opening.rulebook]
    mode = rulebook.modes[opening.mode]
    draw = play.context.draw
    first = draw.choice(sorted(roster.characters), "first-player")
    rooms = composition_of(opening.options, rulebook, mode)
    begin_game(play, roster, order_track(roster, mode, first), rooms)
    _lay(play, rooms, rulebook)
    _deal(play, mode)
    begin_first_turn(play, rulebook)


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
        if kind != "central" and kind not in rulebook.outer
        for _ in range(count)
    ]
    shuffled = play.context.draw.shuffled(others, "complex/inner")
    count = len(INNER_CELLS)
    outer = play.context.draw.shuffled(shuffled[count:] + apart, "complex/outer")
    placed = dict(zip(INNER_CELLS, shuffled[:count], strict=True))
    placed.update(zip(EXIT_ZONES, outer, strict=True))
    placed[CENTRE] = "central"
    kinds = tuple(placed[where] for where in CELLS)
    play.emit(ev.ComplexLaid(shown={CENTRE: "central"}, kinds=kinds))


def _deal(play: Play, mode: Mode) -> None:
    """Deal roles in secret; those left over stay secret until the end (§4.1.5, R13)."""
    seats = len(play.state.seats())
    if seats not in mode.roles:
        return
    prisoners, guards = mode.roles[seats]
    tiles = play.context.draw.shuffled([PRISONER] * prisoners + [GUARD] * guards, "roles")
    for c in play.state.characters.values():
        play.emit(ev.RoleDealt(seat=c.seat, character=c.id, role=tiles.pop()))
    play.emit(ev.RolesLeftOver(count=len(tiles), roles=tuple(tiles)))
