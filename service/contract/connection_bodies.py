"""The bodies of answers about who is connected to a table."""

from __future__ import annotations

from msgspec import Struct

from events.kernel import Seat
from runtime.connections import Connection


class SeatConnection(Struct, frozen=True, kw_only=True):
    """How the player of a seat is connected, as seen from one table."""

    seat: Seat
    connection: Connection


class TableConnections(Struct, frozen=True, kw_only=True):
    """How the people at a table are connected now; seats of programs are not listed."""

    game: str
    seats: tuple[SeatConnection, ...]
