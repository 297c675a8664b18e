"""Who sat down at a table under which name seal, read off the hashed bytes (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from events.kernel import Seat
from games.table.events import SeatTaken


class Sitting(Struct, frozen=True):
    """Somebody sat down, as far as the event can be read."""

    type: str = ""
    seat: Seat = 0
    player: str = ""
    name_seal: str = ""
    bot: str | None = None


class _Line(Struct):
    event: Sitting


_decode = msgspec.json.Decoder(_Line).decode


def sittings(publics: Iterable[bytes]) -> Iterator[Sitting]:
    """Everybody who sat down under a name, in order; unreadable events are skipped."""
    for public in publics:
        if b'"name_seal"' not in public:
            continue
        try:
            event = _decode(public).event
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        if event.type == SeatTaken.__struct_config__.tag and event.name_seal:
            yield event
