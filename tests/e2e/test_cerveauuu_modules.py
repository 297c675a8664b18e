"""Cerveauuu! as the page works it out: its fold, sight and reach, and its sentences.

Everything is compared with the service's own in games played in process.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Page

from events import seal
from events.kernel import FULL, PUBLIC, Event, Viewer, redact
from games.cerveauuu import EVENTS
from games.cerveauuu.board.maps import DEFAULT20
from games.cerveauuu.facts.card_events import CardPlayed, HandDealt
from games.cerveauuu.facts.events import (
    ExitDemanded,
    ScoreChanged,
    SeatWithdrew,
    SituationSet,
    ZombieReadied,
)
from games.cerveauuu.model.agenda import Replan
from games.cerveauuu.model.state import Piece, State
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.rules.pieces import reach_of
from games.cerveauuu.rules.stats import stat
from games.cerveauuu.telling.published import PublishedCerveauuu
from games.sentences import Sentences
from games.words import LANGUAGES
from service.contract.bodies import encode
from simulator.cerveauuu.bare_game import BareGame
from tests.e2e.folding import Call, Json, caller
from tests.e2e.page_texts import TEXTS
from tests.e2e.town_modules import WORDS, log, views
from tests.games.cerveauuu.telling.logs import seen_by, tag_of

LAST_PLACED: Final = "cerveauuu/play.placing.last"


EYES: Final = (FULL, PUBLIC, Viewer(kind="seat", seat=2))


def plain(events: Sequence[Event]) -> list[Json]:
    """Events as they are written."""
    found: list[Json] = json.loads(msgspec.json.encode(events))
    return found


def canonical(state: State) -> str:
    """The text by which a play is compared."""
    return seal.canonical_plain(json.loads(encode(state))).decode()


def astray(page: Call, events: Sequence[Event], *but: str, every: int = 1) -> list[int]:
    """After which of the events that are looked at the page's play is not the service's."""
    found = page("plays", plain(events), but, every)
    wanted = map(canonical, views(events, every))
    pairs = enumerate(zip(found, wanted, strict=True))
    return [i for i, (mine, theirs) in pairs if mine != theirs]


def test_the_page_folds_a_game_as_the_service_does(town_page: Call) -> None:
    assert set(town_page("types")) == {tag_of(kind) for kind in EVENTS}
    """Who sees all is followed most closely; what others see comes of the same code."""
    for eyes in EYES:
        seen = [redact(event, eyes) for event in log()]
        assert astray(town_page, seen, every=5 if eyes == FULL else 40) == []
    assert astray(town_page, log(6, 5), every=60) == []


def test_an_event_that_the_page_would_not_fold_is_found(town_page: Call) -> None:
    """A control."""
    for kind in ("phase-began", "version-began", "card-drawn"):
        first = log()[:120]
        assert tag_of(type(first[astray(town_page, first, kind)[0]])) == kind


def test_the_page_knows_when_a_card_has_a_mover_plan_anew(town_page: Call) -> None:
    """Then nobody is to answer, and what comes if everybody passes is not known (§4.7.3)."""
    frames = [state.agenda[-1:] for state in views(log())]
    wanted = [each[0].seat if each and isinstance(each[0], Replan) else None for each in frames]
    assert set(wanted) > {None}
    assert town_page("replans", plain(log())) == wanted


# By day with five seats, where not all place as many.
@pytest.mark.parametrize("seats", [pytest.param(2, marks=pytest.mark.nightly), 5])
def test_whoever_places_pieces_reads_how_many_are_still_to_come(
    town_page: Call, seats: int
) -> None:
    """With five seats some place a human more than others (§3.4)."""
    sitting = BareGame(seats, {"placement": "alternate"}, b"placing").begin()
    placed: list[tuple[str, int]] = []
    read: list[str] = []
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", "en")))
    while (asked := sitting.pending()[0]).kind.startswith("place_"):
        play = json.loads(encode(sitting.truth))
        placed.append((asked.kind.removeprefix("place_"), asked.seat))
        read.append(town_page("besideAsked", book, WORDS, asked.kind, play))
        sitting.choose(asked, "random")
    assert read == list(_told_in_advance(placed))
    assert town_page("besideAsked", book, WORDS, "go", json.loads(encode(sitting.truth))) is None


def _told_in_advance(placed: Sequence[tuple[str, int]]) -> Iterator[str]:
    """What each reads who places a piece, by all that were placed, of which kind and by whom."""
    kinds = Counter(kind for kind, _ in placed)
    left, number = Counter(placed), Counter[str]()
    for kind, seat in placed:
        left[kind, seat] -= 1
        number[kind] += 1
        rest = left[kind, seat]
        after = f"After this one you place {rest} more." if rest else WORDS[LAST_PLACED]
        yield f"{kind.capitalize()} {number[kind]} of {kinds[kind]}. {after}"


def test_whoever_has_won_is_listed_first(town_page: Call) -> None:
    """With as many points more cards decide (§4.12); who has resigned cannot win (C71)."""
    play = {"seats": [1, 2, 3, 4], "scores": {"1": 4, "2": 4, "4": 5}, "played": {"1": 7, "2": 9}}
    assert town_page("ranked", play, [2]) == [2, 4, 1, 3]
    assert town_page("ranked", play, [4]) == [4, 2, 1, 3]


def test_rare_events_are_folded_too(town_page: Call) -> None:
    """Those of scenarios and of resignations, and of cards that few games see."""
    first = log()[: len(log()) // 2]
    human = Piece(id="h77", cell="r3c3")
    zombie = Piece(id="z78", cell="r4c4", controller=2, activated=True, attacked=True)
    rare = (
        SituationSet(round=2, pieces=(human, zombie), scores={1: 3}, credits=("c001",)),
        HandDealt(seat=2, numbers=(41, 42), cards=("c031", "c032")),
        ExitDemanded(piece="h77", must_leave=True),
        ZombieReadied(piece="z78"),
        ScoreChanged(seat=1, points=-1),
        SeatWithdrew(seat=3),
    )
    assert {type(event) for event in (*log(), *log(6, 5), *rare)} == set(EVENTS)
    for eyes in EYES:
        seen = [redact(event, eyes) for event in (*first, *rare)]
        assert astray(town_page, seen, every=len(seen)) == []


def test_pieces_reach_and_see_on_the_page_what_they_do_by_the_rules(town_page: Call) -> None:
    grids = Grids()
    states = [state for state in views(log(), every=150) if state.pieces]
    wanted = [
        [
            [
                name,
                stat(state, grids.of(state), name, "move"),
                list(_ends(state, grids, name)),
            ]
            for name in state.pieces
        ]
        for state in states
    ]
    given = [json.loads(encode(state)) for state in states]
    assert town_page("reaches", given, DEFAULT20) == wanted
    last = states[-1]
    grid = grids.of(last)
    sources = list(range(0, grid.size, 13))
    seen = [
        "".join("01"[grid.sees(source, target)] for target in range(grid.size))
        for source in sources
    ]
    edges, cells = (msgspec.to_builtins(each) for each in (last.edges, last.cells))
    assert town_page("sights", DEFAULT20, edges, cells, sources) == seen
    # A control: a door that is shut takes something out of sight.
    shut = {**edges, "r3c4e": [["door_closed", "round"]]}
    assert town_page("sights", DEFAULT20, shut, cells, list(range(grid.size))) != town_page(
        "sights", DEFAULT20, edges, cells, list(range(grid.size))
    )


def _ends(state: State, grids: Grids, name: str) -> tuple[int, ...]:
    grid = grids.of(state)
    return reach_of(state, grid, name, stat(state, grid, name, "move")).ends


def test_the_page_tells_a_game_as_the_replay_tool_does(modules: Page) -> None:
    call: Callable[..., Any] = caller(modules)
    events = log(seed=5)
    choices = [each.choice for each in events if isinstance(each, CardPlayed)]
    assert any(re.search(r"\.[a-z]\b", choice) for choice in choices), "one is at a building"
    for language in LANGUAGES:
        book = PublishedCerveauuu().rulebook("prototype", language)
        sentences = Sentences(book, TEXTS["cerveauuu"].spell)
        for eyes in (FULL, PUBLIC):
            seen = list(seen_by(eyes, events))
            wanted = [
                sentences.tell({**fields, **beside}, lambda seat: f"?{seat}")
                for fields, beside in seen
            ]
            told = json.loads(encode(book))
            found = call("toldEvents", told, [fields for fields, _ in seen])
            pairs = zip(wanted, found, strict=True)
            assert [pair for pair in pairs if pair[0] != pair[1]] == []
