"""What makes a situation impossible in its rulebook (pure).

Raises throughout: Rejected, impossible-scenario.
"""

from __future__ import annotations

from collections.abc import Mapping

from events.kernel import Rejected
from games.contract import TableOpening
from games.room25.model.board import CENTRE, LINE_WAYS
from games.room25.model.cards import deck_of
from games.room25.model.catalogue import (
    CENTRAL,
    EMPTY,
    EXIT,
    GUARD,
    PRISONER,
    SPECIAL,
    Trait,
    color_of,
    is_kind,
    kinds_with,
)
from games.room25.model.characters import SHEETS, may_hide, owns
from games.room25.model.codes import Code
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.opening.setup import has_deck, roles_of
from games.room25.opening.situation import (
    GivenCharacter,
    GivenTile,
    Situation,
    order_of,
    tiles_of,
)

SEALABLE = kinds_with("sealable")
"""The kinds of room that are ever sealed (§5.5)."""


def require(holds: object, detail: str) -> None:
    """Refuse the situation unless something holds."""
    if not holds:
        raise Rejected(Code.IMPOSSIBLE_SCENARIO, detail)


def check_situation(s: Situation, opening: TableOpening, rulebook: Rulebook, mode: Mode) -> None:
    """Check a situation against the rulebook, its box, the mode and the options."""
    _check_features(s, opening, rulebook, mode)
    _check_tiles(s, rulebook)
    _check_locks(s, opening, rulebook)
    _check_known(s, opening, rulebook, mode)
    _check_characters(s, opening, rulebook, mode)
    _check_returned(s, rulebook, mode)
    _check_roles(s, opening, rulebook, mode)


def rooms_of(s: Situation) -> dict[str, int]:
    """How many rooms of each kind lie there."""
    rooms: dict[str, int] = {}
    for tile in tiles_of(s).values():
        rooms[tile.kind] = rooms.get(tile.kind, 0) + 1
    return rooms


def _copies(rooms: Mapping[str, int], trait: Trait) -> int:
    """How many rooms have a trait."""
    return sum(count for kind, count in rooms.items() if is_kind(kind, trait))


def _check_features(s: Situation, opening: TableOpening, rulebook: Rulebook, mode: Mode) -> None:
    """What the rulebook, the mode or the options do not have is refused."""
    strange = set(s.characters) - set(rulebook.characters)
    require(not strange, "this rulebook has no such character")
    require(len(s.robots) <= rulebook.robots, "this rulebook has not so many robots")
    cards = s.deck is not None or s.discard or s.shown or not s.deck_rest
    drawing = has_deck(mode, rooms_of(s))
    require(drawing or not cards, "this game has no cards")
    named = [*(s.deck or ()), *s.discard, *s.shown]
    known = set(deck_of(opening.options)) if drawing else set()
    require(set(named) <= known and len(set(named)) == len(named), "each card is there once")
    require(mode.needs_key or not s.key_activated, "this mode has no key")
    specials = bool(opening.options.get("specials"))
    for name, c in s.characters.items():
        require(rulebook.identities or c.identity is None, "this rulebook's guards are all alike")
        require(rulebook.cold_lingers or not c.cold_next, "the cold does not linger here")
        require(
            c.stack is None or kinds_with("deranging") & rulebook.box.keys(),
            "this rulebook has no paranoia",
        )
        own = c.hidden or c.spares is not None or c.locks is not None
        require(specials or not own, "this game has no special abilities")
        _check_belongings(name, c)
        boosted = rulebook.adrenaline or c.adrenaline in {None, "none"}
        require(boosted, "this rulebook has no adrenaline")


def _check_belongings(name: str, c: GivenCharacter) -> None:
    """What only some characters have (§3.7)."""
    require(not c.hidden or may_hide(name), "only Alice and Bruce hide")
    require((c.spares or 0) <= SHEETS[name].spares, "nobody has more spares than at the beginning")
    require(c.locks is None or owns(name, "locksmith"), "the locks are Emmett's")


def _check_locks(s: Situation, opening: TableOpening, rulebook: Rulebook) -> None:
    """There are so many locks, on tiles and in hand; with the pin they are gone (§6.1, R96)."""
    dead = [name for name, c in s.characters.items() if c.dead]
    lost = bool(opening.options.get("specials")) and any(owns(name, "pin") for name in dead)
    placed = sum(tile.lock for tile in tiles_of(s).values())
    in_hand = sum(c.locks or 0 for c in s.characters.values())
    require(placed + in_hand <= (0 if lost else rulebook.locks), "there are not so many locks")


def _check_tiles(s: Situation, rulebook: Rulebook) -> None:
    tiles = tiles_of(s)
    for kind, count in rooms_of(s).items():
        require(kind in rulebook.box, f"this rulebook has no room {kind!r:.40}")
        enough = kind in {s.rest, EMPTY} or count <= rulebook.box[kind]
        require(enough, f"the box does not hold so many {kind} rooms")
    centre = tiles[CENTRE]
    require(centre.kind == CENTRAL and centre.face == "up", "the centre is the Central Room")
    require(rooms_of(s)[CENTRAL] == 1, "there is one Central Room")
    require(rooms_of(s).get(EXIT) == 1, "there is one Room 25")
    for tile in tiles.values():
        _check_tile(tile, rulebook)
    for robot in s.robots:
        tile = tiles[robot]
        standing = tile.face == "up" and color_of(tile.kind) != "red"
        require(standing, "robots stand on face-up rooms that are not red")
    for line, way in s.markers.items():
        require(rulebook.direction_lock, "this rulebook has no markers")
        require(way in LINE_WAYS.get(line, ()), "markers lie on movable lines, along them")


def _check_tile(tile: GivenTile, rulebook: Rulebook) -> None:
    require(not tile.seal or tile.kind in SEALABLE, "rooms of this kind are never sealed")
    require(not tile.seal or tile.face == "up", "sealed rooms lie face-up")
    require(
        tile.axis is None or is_kind(tile.kind, "corridor"), "only pivoting rooms have a corridor"
    )
    require(tile.axis is None or tile.face == "up", "a face-down room shows no corridor")
    lockable = tile.face == "up" and not tile.seal and color_of(tile.kind) != "blue"
    require(not tile.lock or (rulebook.locks and lockable), "this room cannot be locked")
    require(not tile.reminders or tile.face == "down", "reminders lie on face-down rooms")


def _check_known(s: Situation, opening: TableOpening, rulebook: Rulebook, mode: Mode) -> None:
    """What all know of a face-down room they know because something has turned it down."""
    known = {tile.kind for tile in tiles_of(s).values() if tile.known}
    up = any(tile.known and tile.face == "up" for tile in tiles_of(s).values())
    require(not up, "only of a face-down room it is said whether all know it")
    require(
        known <= _turned_down(s, opening, rulebook, mode), "nothing turns such a room down here"
    )
    hidden = s.room25_revealed is False and EXIT in known
    require(not hidden, "a Room 25 that all know has been face-up")


def _turned_down(s: Situation, opening: TableOpening, rulebook: Rulebook, mode: Mode) -> set[str]:
    """Kinds that may lie face-down again: by architects, by Emmett's hand, by cards (R107, §6)."""
    kinds = set(rulebook.box) - {CENTRAL}
    if rulebook.identities and mode.roles:
        return kinds
    found = kinds & SEALABLE if opening.options.get("specials") else set()
    mad = opening.options.get("madness") or opening.options.get("madness_cards")
    if mad and has_deck(mode, rooms_of(s)):
        found = {kind for kind in kinds if color_of(kind) != "blue"}
    return found | {EXIT} if found else set()  # Room 25 by the words of R27


def _check_returned(s: Situation, rulebook: Rulebook, mode: Mode) -> None:
    """Who came back in round 1 has no programme, and has used the room up (§5.4, R63, R108)."""
    back = [c for c in s.characters.values() if c.returned]
    if not back:
        return
    rooms = _copies(rulebook.box, "restoring")
    require(rooms and mode.roles, "nobody comes back to life in this game")
    require(_copies(rooms_of(s), "restoring") < rooms, "the room that brought them back is gone")
    require(s.phase == "round_2", "nobody has come back before round 2")
    living = [c for c in s.characters.values() if not c.dead]
    require(all(not c.dead for c in back), "who has come back is alive")
    require(len(living) > len(back), "somebody has brought them back")
    prisoners = sum(c.role == PRISONER for c in back)
    require(prisoners <= 1, "two dead prisoners would have ended the game")
    for c in back:
        idle = c.program is None and not c.hidden
        require(idle, "who has come back does not act in this turn")
        fresh = c.trap in {None, s.turn} and c.flood in {None, s.turn + 1} and c.entry is None
        require(fresh, "what befell who has come back befell it since")


def _check_characters(s: Situation, opening: TableOpening, rulebook: Rulebook, mode: Mode) -> None:
    tiles = tiles_of(s)
    names = set(s.characters)
    counts = [sum(c.seat == n for c in s.characters.values()) for n in range(1, opening.seats + 1)]
    per_seat = mode.per_seat[opening.seats]
    require(sum(counts) == len(names), f"the table has {opening.seats} seat(s)")
    require(max(counts) <= per_seat, f"no seat has more than {per_seat} character(s)")
    each = f"each of the {opening.seats} seats has {per_seat} character(s)"
    whole = s.only_named or set(counts) == {per_seat}
    require(whole, f"{each}, unless only_named says that these are all")
    living = {name for name, c in s.characters.items() if not c.dead}
    require(living, "somebody is alive")
    order = order_of(s)
    require(len(set(order)) == len(order), "nobody is twice in the order")
    require(living <= set(order) <= names, "the order holds all the living")
    require(order[0] in living, "the first in the order is alive")
    dead = sorted(s.dead) == sorted(names - living)
    require(dead or not s.dead, "the list of the dead names each of them once")
    last = s.last_turn or mode.turns[opening.seats]
    require(s.turn <= last, "the turn is not after the last one")
    require(s.phase != "clue" or (s.turn == 1 and rulebook.clue), "clues come before turn 1")
    tokens = {*rulebook.actions, *((SPECIAL,) if opening.options.get("specials") else ())}
    paranoia = _copies(rooms_of(s), "deranging") > 0
    for c in s.characters.values():
        require(c.next_stack is None or paranoia, "no paranoia room is there to be entered")
        _check_character(c, tiles, tokens)
        _check_program(c, tiles[c.cell].kind, s, rulebook)
    holders = [seat for tile in tiles.values() for seat in tile.reminders]
    require(len(set(holders)) == len(holders), "each player has one reminder")
    require(set(holders) <= set(range(1, opening.seats + 1)), "reminders belong to players")


def _check_character(c: GivenCharacter, tiles: Mapping[str, GivenTile], tokens: set[str]) -> None:
    tile = tiles[c.cell]
    require(c.dead or tile.face == "up", "characters stand on face-up rooms")
    require(c.trap is None or is_kind(tile.kind, "trapped"), "a trap is armed on a trapped room")
    drowning = is_kind(tile.kind, "drowns")
    require(c.flood is None or drowning, "a deadline belongs to a flooded or burning room")
    # Only an unoccupied room is unsealed (§6.1), so the seal of the water stays with who is in it.
    shut = tile.seal or not is_kind(tile.kind, "sealable")
    require(c.flood is None or shut, "a flooded room in which somebody has a deadline is sealed")
    named = (*(c.program or ()), *c.lost, *c.used, *(c.stack or ()))
    require(set(named) <= tokens, "tokens are actions of this game")
    require(
        c.stack is None or is_kind(tile.kind, "deranging"), "a stack belongs to a paranoia room"
    )
    stack = c.stack or ()
    whole = len(set(stack)) == len(stack) and not set(stack) & set(c.lost)
    require(whole, "a stack holds each token once")
    hand = sorted(tokens - set(c.lost))
    require(c.next_stack is None or sorted(c.next_stack) == hand, "a new stack holds every token")
    for where in c.looked:
        require(tiles[where].face == "down", "looked-at rooms lie face-down")


def _check_program(c: GivenCharacter, kind: str, s: Situation, rulebook: Rulebook) -> None:
    program = c.program
    require(c.adrenaline != "programmed" or program is not None, "adrenaline is programmed with it")
    require(not c.delayed or len(program or ()) == 1, "only a single action is delayed")
    if program is None:
        return
    # Who came into the cold after the phase has two actions: it binds when programming opens.
    cold = c.cold_next if rulebook.cold_lingers else is_kind(kind, "chilling")
    most = 1 if cold and s.phase != "round_2" else 2
    most = 0 if c.stack else most
    require(min(most, 1) <= len(program) <= most, "a programme has one or two actions")
    require(len(set(program)) == len(program), "a programme's actions differ")
    require(not set(program) & set(c.lost), "lost actions cannot be programmed")


def undealt(s: Situation, opening: TableOpening, mode: Mode) -> tuple[str, ...]:
    """The role tiles that nobody got: as given, or what is missing of the mode's."""
    if s.undealt is not None:
        return s.undealt
    prisoners, guards = roles_of(mode, opening.seats, opening.options)
    roles = [c.role for c in s.characters.values()]
    left = prisoners - roles.count(PRISONER), guards - roles.count(GUARD)
    return (PRISONER,) * left[0] + (GUARD,) * left[1]


def _check_roles(s: Situation, opening: TableOpening, rulebook: Rulebook, mode: Mode) -> None:
    everybody = s.characters.values()
    roles = [c.role for c in everybody]
    if not mode.roles:
        shown = any(c.role_public or c.free for c in everybody)
        require(not any(roles) and not shown and not s.undealt, "this mode has no roles")
        return
    prisoners, guards = roles_of(mode, opening.seats, opening.options)
    require(all(role in {PRISONER, GUARD} for role in roles), "everybody has a role")
    whole = sorted([*map(str, roles), *undealt(s, opening, mode)])
    require(
        whole == [GUARD] * guards + [PRISONER] * prisoners,
        "all roles are dealt or left over, each once",
    )
    known = all(c.role_public and c.role == GUARD for c in everybody if c.free)
    require(known, "only guards who have shown themselves act freely")
    identities = [c.identity for c in everybody if c.role == GUARD]
    named = set(identities) <= set(rulebook.identities) and len(set(identities)) == len(identities)
    require(not rulebook.identities or named, "each guard has an identity of its own")
    alike = all(c.identity is None for c in everybody if c.role != GUARD)
    require(alike, "only guards have an identity")
