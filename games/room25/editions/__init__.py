"""The rulebooks, by id."""

from games.room25.editions.first_edition import FIRST_EDITION
from games.room25.editions.prototype import PROTOTYPE
from games.room25.editions.ultimate import BGA, ULTIMATE
from games.room25.model.rulebook import Rulebook

RULEBOOKS: dict[str, Rulebook] = {
    book.id: book for book in (PROTOTYPE, FIRST_EDITION, BGA, ULTIMATE)
}

__all__ = ["RULEBOOKS"]
