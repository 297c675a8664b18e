"""The message types of games' streams, and the rules that their batches record (pure)."""

from __future__ import annotations

from collections.abc import Mapping

from events.registry import Registry
from games.contract import Rules
from games.table.decider import TABLE_RULES
from games.table.events import TABLE_COMMANDS, TABLE_EVENTS


def types_of(game: Rules | None) -> Registry:
    """All message types of a game's streams; without a game, those of every table.

    Raises:
        CodecError: a game's types do not fit together, or beside those of the table.
    """
    own = () if game is None else game.events
    return Registry((*TABLE_EVENTS, *own), TABLE_COMMANDS)


def tags_of(games: Mapping[str, Rules]) -> dict[tuple[str, str], str]:
    """The present rules as batches record them, by game and rulebook."""
    return recorded_tags(TABLE_RULES, {id_: game.tags for id_, game in games.items()})


def recorded_tags(table: str, games: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], str]:
    """Rules as batches record them, by game and rulebook: the table's tag and the rulebook's.

    Args:
        table: the tag of the table's rules.
        games: the tags of the rulebooks, by game and rulebook.
    """
    return {
        (game, rulebook): f"{table} {tag}"
        for game, tags in games.items()
        for rulebook, tag in tags.items()
    }
