"""Room 25: one engine for all its rulebooks, which are data and small strategies (pure).

The whole game is ``games.room25.package.GAME``. It is not exported here: Python runs this module
before any other of the folder, so that an archive of rules would hold whatever it imports.
"""

from games.room25.decider import ROOM25, RULES, Room25
from games.room25.editions import RULEBOOKS
from games.room25.facts.events import EVENTS
from games.room25.model.codes import Code

__all__ = ["EVENTS", "ROOM25", "RULEBOOKS", "RULES", "Code", "Room25"]
