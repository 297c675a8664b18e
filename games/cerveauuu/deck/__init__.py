"""The deck of Cerveauuu! as data: what each card asks for and does (pure)."""

from games.cerveauuu.deck.cards import CARDS

__all__ = ["CARDS"]
