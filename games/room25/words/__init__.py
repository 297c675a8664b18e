"""What things of Room 25 are called, beside those that every table has (pure data)."""

from typing import Final

from games.words import WORDS as TABLE_WORDS
from games.words import Catalogue

WORDS: Final = Catalogue("games.room25.words", TABLE_WORDS)
"""The texts whose keys begin with ``room25/``, and those of every table."""
