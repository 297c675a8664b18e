"""Cerveauuu!: bands of zombies compete for innocent people, and cards upset their plans (pure).

Python runs this module before any other of the folder, so that an archive of rules holds whatever
it imports.
"""

from games.cerveauuu.decider import CERVEAUUU, RULES, Cerveauuu
from games.cerveauuu.facts.events import EVENTS
from games.cerveauuu.model.codes import Code

__all__ = ["CERVEAUUU", "EVENTS", "RULES", "Cerveauuu", "Code"]
