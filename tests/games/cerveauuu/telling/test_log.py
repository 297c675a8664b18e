"""What happens, in sentences: complete, readable, and silent about what a reader may not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import PUBLIC, Event, Viewer
from games.cerveauuu import EVENTS
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts.card_events import AnswerGiven, CardDrawn, CardPlayed
from games.cerveauuu.facts.evolve import evolve
from games.cerveauuu.facts.zombie_events import BatchDealt, BatchJudged
from games.cerveauuu.model.state import State, Wandering
from games.cerveauuu.telling.texts import CerveauuuTexts
from games.cerveauuu.words import WORDS
from games.sentences import NOTHING
from games.words import LANGUAGES
from simulator.cerveauuu.bare_game import eyes_of
from tests.games.cerveauuu.telling.examples import EXAMPLES, SEEN
from tests.games.cerveauuu.telling.logs import Reader, played, seen, seen_by, tag_of

EYES = {"public": PUBLIC, "seat": eyes_of(1), "full": Viewer(kind="full")}
UNNAMED = re.compile(
    r"[{}_]|\bc\d{3}\b|\b[hkz]\d+\b|\(\)|\b(None|True|False)\b",
)
"""What no sentence has: a hole, an id of a card, piece or word, a card number, a Python value."""


class Logs:
    """What happened in some games, and how it is seen."""

    def __init__(self) -> None:
        games = [played(seats, seed).events for seats, seed in ((2, 4), (3, 1), (6, 5))]
        self.types = {type(event) for events in games for event in events}
        self.seen = {
            name: [each for events in games for each in seen_by(eyes, events)]
            for name, eyes in EYES.items()
        }


@pytest.fixture(scope="module")
def logs() -> Logs:
    """The same games for all tests."""
    return Logs()


@pytest.fixture(scope="module", params=LANGUAGES)
def reader(request: pytest.FixtureRequest) -> Reader:
    """Readers of all languages."""
    return Reader(request.param)


def unreadable(line: str) -> bool:
    """Whether something in a line is no sentence."""
    return (
        NOTHING in line
        or UNNAMED.search(line) is not None
        or line != line.strip()
        or "  " in line
        or line[-1] not in ".!"
        or line[0] != line[0].upper()
    )


def strings(told: Any) -> Iterator[str]:
    """All texts in an event."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict | list | tuple):
        for value in told.values() if isinstance(told, dict) else told:
            yield from strings(value)


def betrayed(fields: dict[str, Any], line: str, reader: Reader) -> set[str]:
    """The cards that a sentence names though its event, as it was seen, does not."""
    known = {reader.names[card] for card in set(strings(fields)) & CARDS.keys()}
    return set(reader.named.findall(line)) - known


@pytest.mark.parametrize("eyes", EYES)
def test_every_event_of_a_game_is_a_sentence_for_every_reader(
    logs: Logs, reader: Reader, eyes: str
) -> None:
    lines = [reader.line(each) for each in logs.seen[eyes]]
    assert len(lines) > 5000
    assert [line for line in lines if unreadable(line)] == []


@pytest.mark.parametrize(
    "line",
    [
        "It is –.",
        "A card: c031.",
        "Blocked: h04.",
        "Zombie z112 may act once more.",
        "It is {seat}.",
        "a word.",
        "It is my_go.",
        "Two  spaces.",
        "No end",
        "It is None.",
    ],
)
def test_a_planted_hole_is_found(line: str) -> None:
    assert unreadable(line)
    assert not unreadable("It is what it is.")


def test_the_games_and_the_examples_have_all_types_of_events(logs: Logs) -> None:
    assert logs.types | {type(example[0]) for example in EXAMPLES} == set(EVENTS)
    assert len(logs.types) >= len(EVENTS) - 8


def test_the_public_log_names_no_secret_card(logs: Logs, reader: Reader) -> None:
    for each in logs.seen["public"]:
        assert betrayed(each[0], reader.line(each), reader) == set(), each


def test_a_planted_secret_is_found(logs: Logs, reader: Reader) -> None:
    """What who sees all is told, beside what the public sees."""
    pairs = zip(logs.seen["public"], logs.seen["full"], strict=True)
    found = {
        public["type"] for (public, _), full in pairs if betrayed(public, reader.line(full), reader)
    }
    assert found >= {tag_of(CardDrawn), "deck-shuffled", "discard-chosen"}
    assert {tag_of(CardPlayed), tag_of(AnswerGiven)}.isdisjoint(found), "answers are kept"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{n}-{tag_of(type(each[0]))}" for n, each in enumerate(EXAMPLES)]
)
def test_an_event_is_told_just_so(example: tuple[Event, str, str, str], language: str) -> None:
    event, *lines = example
    firm = re.sub(r" (?=[:;»])|(?<=«) ", "\u00a0", lines[LANGUAGES.index(language)])
    assert Reader(language).line(seen(event, SEEN)) == firm


DEALT = BatchDealt(humans={"h02": 2, "h04": 1, "h05": 2, "h07": 1, "h08": 2})
JUDGED = BatchJudged(
    choices={"h02": "r3c4", "h04": "r3c4", "h05": "stay", "h07": "r9c9"},
    paths={"h02": ("r3c4",), "h07": ("r9c8", "r9c9")},
)
BATCHES = {
    "en": (
        [
            "The other humans are dealt out:",
            "Player 1 gets human 4 and human 7.",
            "Player 2 gets human 2, human 5 and human 8.",
        ],
        [
            "Everybody has decided:",
            "Player 1: human 4 stays (can no longer get to r3c4), human 7 goes to r9c9.",
            "Player 2: human 2 goes to r3c4, human 5 stays, human 8 stays.",
        ],
    ),
    "fr": (
        [
            "Les autres humains sont répartis :",
            "Player 1 reçoit humain 4 et humain 7.",
            "Player 2 reçoit humain 2, humain 5 et humain 8.",
        ],
        [
            "Tous ont décidé :",
            "Player 1 : humain 4 reste (ne peut plus aller en r3c4), humain 7 va en r9c9.",
            "Player 2 : humain 2 va en r3c4, humain 5 reste, humain 8 reste.",
        ],
    ),
    "pl": (
        [
            "Pozostali ludzie są rozdzieleni:",
            "Player 1 dostaje: człowiek 4 i człowiek 7.",
            "Player 2 dostaje: człowiek 2, człowiek 5 i człowiek 8.",
        ],
        [
            "Są wszystkie decyzje:",
            "Player 1: człowiek 4 zostaje (nie może już wejść na r3c4), człowiek 7 idzie na r9c9.",
            "Player 2: człowiek 2 idzie na r3c4, człowiek 5 zostaje, człowiek 8 zostaje.",
        ],
    ),
}
"""What is dealt and what is decided, line by line."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_batch_has_a_line_for_each_seat(language: str) -> None:
    state = evolve(State(wandering=Wandering()), DEALT)
    reader = Reader(language)
    dealt, judged = ([x.replace(" :", "\u00a0:") for x in lines] for lines in BATCHES[language])
    assert reader.line(seen(DEALT, State())).split("\n") == dealt
    assert reader.line(seen(JUDGED, state)).split("\n") == judged


def test_a_batch_in_which_nobody_moves_is_one_sentence() -> None:
    state = evolve(State(wandering=Wandering()), DEALT)
    none = BatchJudged(choices={"h02": "stay"}, paths={})
    assert Reader("en").line(seen(none, state)) == "Everybody has decided: no human wanders."


def test_cells_may_be_called_as_the_reader_knows_them() -> None:
    reader = Reader("en", CerveauuuTexts(lambda cell: f"<{cell}>"))
    for choice, told in {
        "play.k5.h02.r3c4": " on human 2 and <r3c4>",
        "play.k5.7.h02.k3-k5": " on human 2, dropping no. 3 and no. 5",
        "play.k5.m": " on building M",
        "play.k5.s2.k4": " on seat 2, dropping no. 4",
        "play.k5.r3c4e": " on <r3c4>/<r3c5>",
        "play.k5.0.r3c4s": " on <r3c4>/<r4c4>",
        "play.k5": "",
    }.items():
        card = CardPlayed(seat=1, number=5, card="c063", choice=choice)
        assert reader.line(seen(card, SEEN)) == f"Player 1 plays Ambulance (no. 5){told}."


CHURCH = {"en": "the church", "fr": "l’église", "pl": "kościół"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_building_is_called_by_its_name_on_the_map(language: str) -> None:
    reader = Reader(language)
    card = CardPlayed(seat=1, number=5, card="c063", choice="play.k5.h02.c")
    answer = AnswerGiven(seat=1, choice="play.k5.c")
    own = replace(SEEN, map="somebody’s own")
    for event in (card, answer):
        assert CHURCH[language] in reader.line(seen(event, replace(SEEN, map="default20")))
        assert CHURCH[language] not in reader.line(seen(event, own)), "it has letters alone"


def test_what_is_no_edge_is_no_edge() -> None:
    with pytest.raises(ValueError, match="no edge: r1c1"):
        CerveauuuTexts().spell["edge"]("r1c1", {})


def test_the_phase_is_that_of_the_state_and_has_a_word() -> None:
    texts = CerveauuuTexts()
    assert texts.phase(State()) == "setup"
    assert texts.phase(State(phase="panic")) == "panic"
    assert texts.word("pl", "cerveauuu/phase.panic") == WORDS.word("pl", "cerveauuu/phase.panic")
    assert texts.word("en", "cerveauuu/problem.colour-taken") == "Colour taken"
