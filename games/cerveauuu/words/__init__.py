"""What things of Cerveauuu! are called, beside those that every table has (pure data)."""

from typing import Final

from games.words import WORDS as TABLE_WORDS
from games.words import Catalogue

WORDS: Final = Catalogue("games.cerveauuu.words", TABLE_WORDS)
"""The texts whose keys begin with ``cerveauuu/``, and those of every table."""
