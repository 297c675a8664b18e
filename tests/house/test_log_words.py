"""The log of the page has a kind for every event; what it says are the rulebook's words."""

import json
from collections.abc import Iterable

import pytest

from games.room25 import EVENTS, RULES
from games.table.events import TABLE_EVENTS
from games.words import LANGUAGES, WORDS
from tests.house import tree
from tests.house.scripts import read_script

TYPES = {str(event.__struct_config__.tag) for event in (*TABLE_EVENTS, *EVENTS)}

KINDS = ("web/watch/kinds.js", f"web/games/{RULES.id}/log/kinds.js")
"""The modules that say them: of every table, and of Room 25."""

SAID_TWICE = {
    "player.deleted": ("common", "player.deleted"),
    "player.nameless": ("common", "player.nameless"),
    "part.end": ("watch", "watch.part.end"),
    "part.play": ("watch", "watch.part.play"),
    "part.round": ("watch", "watch.chapter.in.round"),
    "part.table": ("watch", "watch.part.table"),
    "part.turn": ("watch", "watch.chapter.in.turn"),
}
"""What the page has to say before it has a rulebook, and a log of ``parlour replay`` says too."""


def strings_of(names: Iterable[str]) -> list[str]:
    """All strings of some modules."""
    return [text.text for name in names for text in read_script(tree.read(name) or "").texts]


def test_every_event_has_a_kind() -> None:
    """What has none counts as the engine's own note, which is not shown unless asked for."""
    named = [text for text in strings_of(KINDS) if text in TYPES]
    assert set(named) == TYPES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_keeps_no_sentence_of_an_event(language: str) -> None:
    """It has those of the rulebook: a second one would soon say something else."""
    for name in (f"web/words/{language}/log.json", f"web/games/{RULES.id}/words/{language}.json"):
        keys = json.loads(tree.read(name) or "{}")
        assert keys
        assert [key for key in keys if set(key.split(".")[1:]) & TYPES] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", SAID_TWICE)
def test_what_the_page_says_too_it_says_alike(language: str, key: str) -> None:
    section, own = SAID_TWICE[key]
    assert json.loads(tree.read(f"web/words/{language}/{section}.json") or "{}")[own] == (
        WORDS.word(language, key)
    )
