"""The people named in a record: name seals, their openings, and removing an opening (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events.names import NameOpening, is_renamed, opens
from projections.record import Entry, names_line
from replay.lines import NAMES
from replay.sittings import Sitting, sittings
from replay.source import Source, SourceError

_SEAT = "seat:"


def sat_down(entries: Sequence[Entry]) -> list[Sitting]:
    """Everybody who sat down under a name."""
    return list(sittings(entry.public for entry in entries))


def name_fault(entries: Sequence[Entry], names: Mapping[str, NameOpening]) -> str:
    """What is wrong with the openings of names; "" if nothing is. A missing one is no fault."""
    seats = {sitting.name_seal: sitting.seat for sitting in sat_down(entries)}
    for seal, opening in names.items():
        if seal not in seats:
            return "a name is opened that nobody sat down under"
        if not (opens(opening, seal) or is_renamed(opening)):
            return f"the name of seat {seats[seal]} is not the one that was committed to"
    return ""


def without_player(content: bytes, source: Source, who: str) -> bytes:
    """A record file without the names of one player; all else stays as it is, byte for byte.

    Args:
        content: the file.
        source: what was read from it.
        who: the player's id, or ``seat:N`` for the last player there.

    Raises:
        SourceError: the file is broken, or nobody like that sat down.
    """
    if source.broken or source.faults:
        why = source.broken or source.faults[0].text
        raise SourceError(f"nothing can be taken out of a record that is not whole: {why}")
    sat = sat_down(source.entries)
    player = who
    if who.startswith(_SEAT):
        players = {f"{_SEAT}{sitting.seat}": sitting.player for sitting in sat}
        player = players.get(who, "")
    gone = {sitting.name_seal for sitting in sat if sitting.player == player}
    if not gone:
        raise SourceError(f"nobody sat down under a name as {who!r}")
    at = source.places.get(NAMES)
    if at is None:
        return content
    left = {seal: opening for seal, opening in source.names.items() if seal not in gone}
    lines = content.split(b"\n")
    return b"\n".join([*lines[: at - 1], *names_line(left), *lines[at:]])
