"""One catalogue, two formatters: the page tells every golden game as the replay tool does.

By day it tells a few games, of which every kind of event is one (``tests.e2e.folding``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from events.kernel import FULL, PUBLIC
from games.game_registry import GameRegistry
from games.registry import GAMES as PACKAGES
from games.room25.facts.events import RoleDealt
from games.sentences import Sentences
from games.table.events import TableClosed, TableOpened
from games.words import LANGUAGES
from projections.names import SeatName
from replay.source import Source, examine
from replay.viewing import Show
from replay.wording import Wording
from service.contract.bodies import encode
from service.contract.rulebook_answers import described
from tests.e2e.folding import DAY_AND_NIGHT, GAMES, Call, Json, caller, golden, lines
from tests.e2e.page_texts import TEXTS
from tests.games.room25.test_story_told import EVENTS, fields
from tests.games.test_sentences import BOOK, EVENT, NONE, TOLD

FOLDERS: Final = Path(__file__).parents[2] / "web/games"
VIEWERS: Final = {"public": PUBLIC, "full": FULL}


PAGE_GAMES: Final = GameRegistry(
    {game: replace(package, texts=TEXTS[game]) for game, package in PACKAGES.items()}
)
"""The games, with cells as the page calls them."""


@pytest.fixture
def fold(modules: Page) -> Call:
    """Calls a function of pages/fold.js."""
    return caller(modules)


WORDINGS: Final = {
    language: Wording(PAGE_GAMES, language, lambda seat, _: SeatName(name=f"?{seat}"))
    for language in LANGUAGES
}
"""The replay tool's, but for names: nobody asks for them here."""


def sentences(source: Source, viewer: str) -> dict[str, list[str]]:
    """Every event as the replay tool tells it, in each language."""
    told: dict[str, list[str]] = {language: [] for language in WORDINGS}
    for moment in Show(source, PAGE_GAMES, viewer).moments():
        for language, wording in WORDINGS.items():
            told[language].append(wording.line(moment.event, moment.beside, moment.state))
    return told


def told_by_page(source: Source, viewer: str) -> dict[str, list[str]]:
    """The same as the page has to tell it.

    While a game runs, a role stands on its player's card alone, which may be sealed.
    """
    told = sentences(source, viewer)
    if viewer == "public" or is_over(source):
        return told
    public = sentences(source, "public")
    roles = [type(each.event) is RoleDealt for each in source.envelopes()]
    return {
        language: [
            plain if role else line
            for role, line, plain in zip(roles, own, public[language], strict=True)
        ]
        for language, own in told.items()
    }


def is_over(source: Source) -> bool:
    """Whether a game has come to its end."""
    return any(isinstance(each.event, TableClosed) for each in source.envelopes())


def opened(source: Source) -> TableOpened:
    """How the table of a game was opened."""
    first = source.envelopes()[0].event
    assert isinstance(first, TableOpened)
    return first


def words(source: Source, language: str) -> Json:
    """What the page says of a game by itself."""
    file = FOLDERS / opened(source).game / "words" / f"{language}.json"
    read: Json = json.loads(file.read_text(encoding="utf-8"))
    return read


def served_book(source: Source, language: str) -> Json:
    """The rulebook of a game as the API serves it."""
    first = opened(source)
    published = PACKAGES[first.game].published
    book: Json = json.loads(encode(described(published, first.rulebook, language)))
    return book


@pytest.mark.parametrize("path", DAY_AND_NIGHT)
def test_the_page_tells_every_golden_game_as_the_replay_tool_does(path: Path, fold: Call) -> None:
    source, game = examine(path.read_bytes()), golden(path.stem)
    books = {language: served_book(source, language) for language in LANGUAGES}
    for viewer, eyes in VIEWERS.items():
        raw = lines(game, eyes)
        for language, wanted in told_by_page(source, viewer).items():
            found = fold("told", books[language], raw, words(source, language))
            pairs = zip(wanted, found, strict=True)
            assert [pair for pair in pairs if pair[0] != pair[1]] == []


def test_the_page_reads_templates_as_the_replay_tool_does(fold: Call) -> None:
    templates = [*TOLD, *NONE]
    found = dict(zip(templates, fold("filled", templates, BOOK, EVENT), strict=True))
    assert {template: found[template] for template in TOLD} == TOLD
    assert {found[template] for template in NONE} == {"SyntaxError"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_of_every_deed_as_the_replay_tool_does(fold: Call, language: str) -> None:
    """No golden game has all of them."""
    published = PACKAGES["room25"].published
    book: Json = json.loads(encode(described(published, "ultimate", language)))
    events = [event for event, _ in EVENTS]
    sentences = Sentences(book, TEXTS["room25"].spell)
    wanted = [sentences.tell(fields(event), "?{}".format) for event in events]
    assert fold("toldAlone", book, [msgspec.to_builtins(event) for event in events]) == wanted
    assert None not in wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_may_die_is_called_by_name(fold: Call, language: str) -> None:
    """Max has carried Sarah into the acid. Without a state they are named as well."""
    path = next(path for path in GAMES if path.stem == "ultimate-acid_victim")
    source = examine(path.read_bytes())
    book = served_book(source, language)
    parts = ["passenger", "carrier"]
    people = ["sarah", "max"]
    options = [
        {"id": part, "meaning": {"character": person}}
        for part, person in zip(parts, people, strict=True)
    ]
    asked = {"kind": "acid_victim", "subject": "max", "options": options}
    given = (book, lines(golden(path.stem)), words(source, language), asked)
    called = [book["words"][f"room25/answer.{part}"] for part in parts]
    assert fold("answers", *given) == [[f"Sarah ({called[0]})", f"Max ({called[1]})"]] * 2


def test_a_planted_difference_is_found(fold: Call) -> None:
    """A control: another sentence on one side would be seen."""
    source = examine(next(path for path in GAMES if path.stem == "solo-1").read_bytes())
    book = served_book(source, "en")
    book["words"]["room25/event.turn-began"] += "!"
    found = fold("told", book, lines(golden("solo-1")), words(source, "en"))
    wanted = sentences(source, "public")["en"]
    strayed = [mine for mine, theirs in zip(found, wanted, strict=True) if mine != theirs]
    assert strayed
    assert all(text.endswith("!") for text in strayed)
