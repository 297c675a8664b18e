"""How long somebody stays invisible: the log says it, and it is so in each case of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final

import msgspec
import pytest

from events.kernel import Event
from games.registry import GAMES
from games.room25.facts.edition_events import CharacterHid, CharacterShowed
from games.room25.facts.events import ActionRevealed
from games.room25.telling.texts import Room25Texts
from games.sentences import Sentences
from games.words import LANGUAGES
from tests.scenario_files import named, played

HIDES: Final = {
    "en": "{} stays invisible until the end of their next action.",
    "fr": "{} reste invisible jusqu’à la fin de sa prochaine action.",
    "pl": "{} pozostaje w ukryciu do końca swojej następnej akcji.",
}
SHOWS: Final = {
    "en": "{} can be seen again.",
    "fr": "On voit de nouveau {}.",
    "pl": "{} znów jest na widoku.",
}
ACTS: Final = "an action"

CASES: Final[list[tuple[str, str, Sequence[Any]]]] = [
    # Her next action is one of the next turn; it is lost, and was an action (R31).
    ("X-HIDE", "alice", [HIDES, ACTS, SHOWS]),
    # Her next action makes her invisible again, until the end of the one after it (§4.4.5).
    ("X-HIDEAGAIN", "alice", [HIDES, ACTS, HIDES, ACTS, SHOWS]),
    # Her next action is that of adrenaline, in the same turn (§4.6.1).
    ("X-HIDEADRENALINE", "alice", [HIDES, ACTS, SHOWS]),
    # Bruce imitates her; what Alice does to him is no action of his (§6.1).
    ("X-MIMICHIDE", "bruce", [HIDES]),
]
"""Scenarios, who becomes invisible there, and what is told of that from then on."""


def told(log: Sequence[Event], name: str, language: str) -> list[str]:
    """What is said of a character's being invisible, with their actions, from its beginning on."""
    book = GAMES["room25"].published.rulebook("ultimate", language)
    sentences = Sentences(book, Room25Texts().spell)
    found: list[str] = []
    for event in log:
        if isinstance(event, CharacterHid | CharacterShowed) and event.character == name:
            said = sentences.tell(msgspec.to_builtins(event, str_keys=True), "seat {}".format)
            assert said is not None
            found.append(said)
        elif isinstance(event, ActionRevealed) and event.character == name and found:
            found.append(ACTS)
    shown = SHOWS[language].format(name.capitalize())
    hidden = [*takewhile(lambda said: said != shown, found)]
    return found[: len(hidden) + 1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("scenario", "name", "said"), CASES)
def test_whoever_is_invisible_stays_so_for_as_long_as_the_log_says(
    scenario: str, name: str, said: Sequence[Any], language: str
) -> None:
    who = name.capitalize()
    expected = [each if each == ACTS else each[language].format(who) for each in said]
    for table in played(named(scenario)):
        assert told(table.log, name, language) == expected
