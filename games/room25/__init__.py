"""Room 25: one engine for all its rulebooks, which are data and small strategies (pure)."""

from games.room25.codes import Code
from games.room25.editions import RULEBOOKS
from games.room25.events import EVENTS
from games.room25.game import ROOM25, Room25

__all__ = ["EVENTS", "ROOM25", "RULEBOOKS", "Code", "Room25"]
