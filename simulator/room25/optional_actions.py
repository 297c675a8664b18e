"""What a seat may do without being asked, for the oracle of what is legal (§4.7)."""

from __future__ import annotations

from typing import Final, Protocol

from simulator.room25.position import FAMILY, PROTOTYPE, TablePosition, is_guard, name

CLAIMS: Final = ("green", "yellow", "red", "blue")
JAMMING_CARDS: Final = {"Z02", "Z03"}


class Remembered(Protocol):
    """What must be remembered of the game so far."""

    windows: set[int]
    exit_seen: bool


def unasked(p: TablePosition, seat: int, course: Remembered) -> dict[str, list[str]]:
    """The options by kind of all that is open to a seat, but for leaving the game."""
    found = {
        "reveal_guard": _reveal(p, seat, course),
        "place_reminder": _remind(p, seat, course),
        "claim_color": _claim(p, seat),
    }
    return {kind: options for kind, options in found.items() if options}


def _in_window(p: TablePosition, seat: int, course: Remembered) -> bool:
    """R115: since the seat's first slot of this turn, as long as somebody of it lives."""
    mine = [c for c in p.state.characters.values() if c.seat == seat]
    return seat in course.windows and any(c.alive for c in mine)


def _reveal(p: TablePosition, seat: int, course: Remembered) -> list[str]:
    """A living guard: at any time, in its window, or there once Room 25 has been seen (R24-R27)."""
    if p.book != PROTOTYPE and not _in_window(p, seat, course):
        return []
    if p.book in FAMILY and not course.exit_seen:
        return []
    mine = [c for c in p.state.characters.values() if c.seat == seat and c.alive]
    return ["reveal"] if any(is_guard(c) and not c.role_public for c in mine) else []


def _remind(p: TablePosition, seat: int, course: Remembered) -> list[str]:
    """On a face-down room; there is one token, and only the prototype takes it up again (R97)."""
    off = p.state.options.get("reminders") is False or p.state.options.get("madness") is True
    placed = [place for place, tile in p.tiles.items() if seat in tile.reminders]
    if off or not _in_window(p, seat, course) or (placed and p.book != PROTOTYPE):
        return []
    return [cell for cell in p.down() if cell not in map(name, placed)]


def _claim(p: TablePosition, seat: int) -> list[str]:
    """About face-down rooms that one has looked at, in company, while talk is free (H1, H7)."""
    alone = len({c.seat for c in p.state.characters.values()}) == 1
    if alone or not p.state.peeked.get(seat) or is_jammed(p):
        return []
    seen = p.state.peeked.get(seat, ())
    cells = [name(place) for place, t in p.tiles.items() if not t.up and t.id in seen]
    return [f"{cell}:{colour}" for cell in cells for colour in CLAIMS]


def is_jammed(p: TablePosition) -> bool:
    """Somebody lives in a jamming room, or a jamming card lies open (R71, R132)."""
    rooms = [place for place in p.tiles if p.shown(place) == "jamming"]
    return bool(JAMMING_CARDS & set(p.state.shown)) or any(p.standing(place) for place in rooms)
