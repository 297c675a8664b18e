"""What somebody has and what holds at a table, asked by meaning and never by name (pure)."""

from __future__ import annotations

from typing import Final, get_args

from games.room25.model.cards import MADNESS, CardEffect
from games.room25.model.catalogue import Trait, is_kind
from games.room25.model.characters import Meaning, Quirk, owns
from games.room25.model.state import Character, State, Tile

_QUIRKS: Final = frozenset(get_args(Quirk))


def has(state: State, character: Character, meaning: Meaning) -> bool:
    """Whether a character has something, and the table plays with it."""
    played = meaning in _QUIRKS or bool(state.options.get("specials"))
    return played and owns(character.id, meaning)


def shows(tile: Tile, trait: Trait) -> bool:
    """Whether a tile lies face-up and its room has a trait."""
    return tile.up and is_kind(tile.kind, trait)


def stands_in(state: State, character: Character, trait: Trait) -> bool:
    """Whether a character stands in a face-up room with a trait."""
    return character.cell is not None and shows(state.grid[character.cell], trait)


def corridor(tile: Tile) -> str | None:
    """The axis along which alone one leaves a room; None: every way is open."""
    return tile.axis if shows(tile, "corridor") else None


def copies_in_force(state: State, effect: CardEffect) -> int:
    """How many cards of an effect lie open this turn."""
    return sum(MADNESS.get(card) == effect for card in state.shown)


def in_force(state: State, effect: CardEffect) -> bool:
    """Whether a card of an effect lies open this turn."""
    return copies_in_force(state, effect) > 0


def talk_is_blocked(state: State) -> bool:
    """Whether nobody may talk now (R71): somebody is on such a room, or a card lies open."""
    jammed = any(stands_in(state, c, "silencing") for c in state.characters.values())
    return jammed or in_force(state, "jamming_card")
