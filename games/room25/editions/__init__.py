"""The rulebooks, by id."""

from games.room25.editions.first_edition import FIRST_EDITION
from games.room25.rulebook import Rulebook

RULEBOOKS: dict[str, Rulebook] = {FIRST_EDITION.id: FIRST_EDITION}

__all__ = ["RULEBOOKS"]
