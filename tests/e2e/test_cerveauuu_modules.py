"""Cerveauuu! as the page works it out: its fold, sight and reach, sentences, and when answers go.

Everything is compared with the service's own in games played in process.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Page, expect

from events import seal
from events.kernel import FULL, PUBLIC, Event, Viewer, redact
from games.cerveauuu import EVENTS
from games.cerveauuu.board.maps import DEFAULT20
from games.cerveauuu.decider import CERVEAUUU
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
from games.cerveauuu.telling.texts import CerveauuuTexts
from games.sentences import Sentences
from games.words import LANGUAGES
from service.contract.bodies import encode
from simulator.cerveauuu.bare_game import BareGame
from tests.e2e.folding import Call, Json, caller
from tests.e2e.windows import LATER_S
from tests.games.cerveauuu.telling.logs import played, seen_by, tag_of

WEB: Final = Path(__file__).parents[2] / "web"
CALL: Final = """async ([name, given]) => {
    const found = await (await import("/pages/cerveauuu.js"))[name](...JSON.parse(given));
    return JSON.stringify(found ?? null);
}"""
LAST_PLACED: Final = "cerveauuu/play.placing.last"
EYES: Final = (FULL, PUBLIC, Viewer(kind="seat", seat=2))


def calls(modules: Page) -> Call:
    """Calls functions of pages/cerveauuu.js by name, at a page that imports from ``/web``."""
    return lambda name, *given: json.loads(modules.evaluate(CALL, [name, json.dumps(given)]))


@pytest.fixture
def page(modules: Page) -> Call:
    """Calls a function of pages/cerveauuu.js."""
    return calls(modules)


@cache
def log(seats: int = 3, seed: int = 1) -> tuple[Event, ...]:
    """What happens in a whole game, in which many cards are played."""
    return tuple(played(seats, seed).events)


def plain(events: Sequence[Event]) -> list[Json]:
    """Events as they are written."""
    found: list[Json] = json.loads(msgspec.json.encode(events))
    return found


def views(events: Sequence[Event], every: int = 1) -> list[State]:
    """The states after the last of the events and after each so many of them."""
    state, found = CERVEAUUU.initial(), []
    for i, event in enumerate(events):
        state = CERVEAUUU.evolve(state, event)
        if i % every == 0 or i == len(events) - 1:
            found.append(CERVEAUUU.copy(state))
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


def test_the_page_folds_a_game_as_the_service_does(page: Call) -> None:
    assert set(page("types")) == {tag_of(kind) for kind in EVENTS}
    """Who sees all is followed most closely; what others see comes of the same code."""
    for eyes in EYES:
        seen = [redact(event, eyes) for event in log()]
        assert astray(page, seen, every=5 if eyes == FULL else 40) == []
    assert astray(page, log(6, 5), every=60) == []


def test_an_event_that_the_page_would_not_fold_is_found(page: Call) -> None:
    """A control."""
    for kind in ("phase-began", "version-began", "card-drawn"):
        first = log()[:120]
        assert tag_of(type(first[astray(page, first, kind)[0]])) == kind


def test_the_page_knows_when_a_card_has_a_mover_plan_anew(page: Call) -> None:
    """Then nobody is to answer, and what comes if everybody passes is not known (§4.7.3)."""
    frames = [state.agenda[-1:] for state in views(log())]
    wanted = [each[0].seat if each and isinstance(each[0], Replan) else None for each in frames]
    assert set(wanted) > {None}
    assert page("replans", plain(log())) == wanted


# By day with five seats, where not all place as many.
@pytest.mark.parametrize("seats", [pytest.param(2, marks=pytest.mark.nightly), 5])
def test_whoever_places_pieces_reads_how_many_are_still_to_come(page: Call, seats: int) -> None:
    """With five seats some place a human more than others (§3.4)."""
    sitting = BareGame(seats, {"placement": "alternate"}, b"placing").begin()
    placed: list[tuple[str, int]] = []
    read: list[str] = []
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", "en")))
    while (asked := sitting.pending()[0]).kind.startswith("place_"):
        play = json.loads(encode(sitting.truth))
        placed.append((asked.kind.removeprefix("place_"), asked.seat))
        read.append(page("besideAsked", book, WORDS, asked.kind, play))
        sitting.choose(asked, "random")
    assert read == list(_told_in_advance(placed))
    assert page("besideAsked", book, WORDS, "go", json.loads(encode(sitting.truth))) is None


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


def test_whoever_has_won_is_listed_first(page: Call) -> None:
    """With as many points more cards decide (§4.12); who has resigned cannot win (C71)."""
    play = {"seats": [1, 2, 3, 4], "scores": {"1": 4, "2": 4, "4": 5}, "played": {"1": 7, "2": 9}}
    assert page("ranked", play, [2]) == [2, 4, 1, 3]
    assert page("ranked", play, [4]) == [4, 2, 1, 3]


def test_rare_events_are_folded_too(page: Call) -> None:
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
        assert astray(page, seen, every=len(seen)) == []


def test_pieces_reach_and_see_on_the_page_what_they_do_by_the_rules(page: Call) -> None:
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
    assert page("reaches", given, DEFAULT20) == wanted
    last = states[-1]
    grid = grids.of(last)
    sources = list(range(0, grid.size, 13))
    seen = [
        "".join("01"[grid.sees(source, target)] for target in range(grid.size))
        for source in sources
    ]
    edges, cells = (msgspec.to_builtins(each) for each in (last.edges, last.cells))
    assert page("sights", DEFAULT20, edges, cells, sources) == seen
    # A control: a door that is shut takes something out of sight.
    shut = {**edges, "r3c4e": [["door_closed", "round"]]}
    assert page("sights", DEFAULT20, shut, cells, list(range(grid.size))) != page(
        "sights", DEFAULT20, edges, cells, list(range(grid.size))
    )


def _ends(state: State, grids: Grids, name: str) -> tuple[int, ...]:
    grid = grids.of(state)
    return reach_of(state, grid, name, stat(state, grid, name, "move")).ends


def page_name(cell: str) -> str:
    """What the page's board calls a cell."""
    row, column = cell[1:].split("c")
    return f"{chr(65 + int(column))}{int(row) + 1}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_piece_has_one_name_and_the_number_that_the_board_shows(
    page: Call, language: str
) -> None:
    state = views(log(), every=200)[-2]
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", language)))
    spell = CerveauuuTexts().spell["piece"]
    found = page("named", book, json.loads(encode(state)), words(language))
    assert len(found) == len(state.pieces) > 20
    for piece, (told, option, row, number) in zip(state.pieces.values(), found, strict=True):
        assert told == spell(piece.id, book)
        assert told.split() == [told.split()[0], number]
        colour = state.colours.get(piece.controller) if piece.controller else None
        named = {each["id"]: each["name"] for each in book["characters"]}.get(colour, "")
        assert told in option
        assert named in option
        assert row.partition(" (")[0] in option
        assert piece.id not in f"{told} {option} {row}"
    assert len({told for told, *_ in found}) == len(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_has_no_name_is_an_error_and_what_is_secret_is_hidden(
    page: Call, language: str
) -> None:
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", language)))
    spoken = words(language)
    hidden = spoken["cerveauuu/board.card.hidden"]
    assert page("unnamed", book, spoken) == {
        "hidden": hidden,
        "held": hidden,
        "card": "Error: prototype has nothing called c999 among its cards",
        "colour": "Error: prototype has nothing called mauve among its characters",
        "answer": "Error: prototype has no text for answer.c999",
        "plain": "Error: prototype has no text for answer.c999",
    }


def test_the_page_tells_a_game_as_the_replay_tool_does(modules: Page) -> None:
    texts = CerveauuuTexts(page_name)
    call: Callable[..., Any] = caller(modules)
    events = log(seed=5)
    choices = [each.choice for each in events if isinstance(each, CardPlayed)]
    assert any(re.search(r"\.[a-z]\b", choice) for choice in choices), "one is at a building"
    for language in LANGUAGES:
        book = PublishedCerveauuu().rulebook("prototype", language)
        sentences = Sentences(book, texts.spell)
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


def words(language: str) -> dict[str, str]:
    """What the page says at a table."""
    own = WEB / "games/cerveauuu/words" / f"{language}.json"
    files = (*sorted((WEB / "words" / language).glob("*.json")), own)
    texts = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    return {key: text for part in texts for key, text in part.items()}


WORDS: Final = words("en")
OPENED: Final = 1_800_000_000_000

CLOCK: Final = {"key": "w", "since": OPENED, "due": OPENED + 12_000}
THINKING: Final = (0, 1, 900, 3_999, 4_000, 4_001, 7_000, 9_000, 11_100, 11_900)
"""How long after the opening of a window somebody answers, in milliseconds."""


POOR: Final[list[Json]] = [{"id": "pass"}]
RICH: Final[list[Json]] = [{"id": "pass"}, {"id": "play", "branch": True}]


def times(page: Call, options: list[Json], limit: int = 12_000, by: str = "sendings") -> list[int]:
    """When the answers of a seat go that has these options, from the opening of the window."""
    due = OPENED + limit
    decision = {"kind": "respond", "options": options, "deadline": due}
    clock = {**CLOCK, "due": due}
    nows = [OPENED + each for each in THINKING]
    return [sent - OPENED for sent in page(by, decision, clock, nows)]


def test_the_moment_of_an_answer_tells_nothing_of_a_hand(page: Call) -> None:
    found = times(page, POOR)
    assert found == [4000, 4000, 4000, 4000, 4000, 8000, 8000, 11_200, 11_200, 11_900]
    assert times(page, RICH) == found
    # Before the page knows of the window's clock, the limit says when it opened.
    clock = {**CLOCK, "due": OPENED - 5}
    late = {"kind": "respond", "options": POOR, "deadline": OPENED + 12_000}
    assert page("sendings", late, clock, [OPENED + 1]) == [OPENED + 4000]
    # Short limits have short slots, and long ones none that anybody would wait for.
    assert times(page, POOR, limit=6000)[:4] == [2000, 2000, 2000, 4000]
    assert times(page, RICH, limit=43_200_000)[0] == 4000


def test_a_pass_that_goes_early_is_found(page: Call) -> None:
    """A control: a page that lets whoever has nothing to play pass at once."""
    assert times(page, POOR, by="hasty") != times(page, RICH, by="hasty")


def passes(modules: Page, options: list[Json]) -> Call:
    """Open a window for a seat that has these options, which passes; how to ask what is sent."""
    page = calls(modules)
    since = modules.evaluate("Date.now()")
    clock = {"key": "w", "since": since, "due": since + 12_000}
    decision = {
        "id": "r1-w1-s1",
        "kind": "respond",
        "seat": 1,
        "options": options,
        "deadline": clock["due"],
        "secret": True,
        "answered": False,
        "optional": False,
    }
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", "en")))
    assert page("passes", decision, clock, WORDS, book)
    return page


def test_the_panel_sends_an_answer_at_the_end_of_its_slot(own_modules: Page) -> None:
    own_modules.clock.install(time=OPENED / 1000)
    own_modules.clock.pause_at(OPENED / 1000 + LATER_S)
    sent = []
    for options in (POOR, RICH):
        page = passes(own_modules, options)
        own_modules.clock.run_for(3_500)
        assert page("sentSoFar") == []
        own_modules.clock.run_for(1_000)
        sent.append(page("sentSoFar"))
    poor, rich = sent
    assert poor == [["pass", 4_000]]
    assert rich == poor
    # A standing pass is public: it goes at once, and instead of what was held.
    page = passes(own_modules, RICH)
    assert page("yields") == 1
    own_modules.clock.run_for(9_000)
    assert [option for option, _ in page("sentSoFar")] == ["round"]


def standing(modules: Page, *, fault: bool = False) -> Call:
    """The panel of a seat that has windows passed by its page, before the first window."""
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", "en")))
    page = calls(modules)
    page("standing", WORDS, book, fault)
    return page


ODD: Final = """(text) => {
    const key = Object.keys(sessionStorage).find((each) => each.includes("standing"));
    sessionStorage.setItem(key, text);
}"""
"""Writes something in place of what the tab keeps of answers that are left to the page."""


def passed(modules: Page, page: Call, number: int, options: list[Json]) -> list[Any]:
    """What the page does in a window of the zombies' phase, in its whole time."""
    page("windowOpens", "zombies", number, options)
    modules.clock.run_for(12_000)
    return list(page("sentSoFar"))[-1:]


@pytest.fixture
def stopped(own_modules: Page) -> Page:
    """A page whose time runs only as a test lets it."""
    own_modules.clock.install(time=OPENED / 1000)
    own_modules.clock.pause_at(OPENED / 1000 + LATER_S)
    return own_modules


def test_every_window_of_a_phase_is_passed_at_its_slot_whatever_is_in_the_hand(
    stopped: Page,
) -> None:
    page = standing(stopped)
    page("windowOpens", "zombies", 1, RICH)
    box = stopped.get_by_role("switch", name="Pass every window of this phase")
    box.focus()
    stopped.keyboard.press("Space")
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    expect(stopped.locator("#live")).to_contain_text("passes by itself")
    expect(stopped.locator(".p-held")).to_contain_text("pass")
    stopped.clock.run_for(3_500)
    assert page("sentSoFar") == []
    stopped.clock.run_for(8_500)
    assert page("sentSoFar") == [["r1-w1-v1-s1", "pass", 4_000]]
    poor, rich = (passed(stopped, page, n, each) for n, each in ((2, POOR), (3, RICH)))
    assert poor == [["r1-w2-v1-s1", "pass", 4_000]]
    assert rich == [["r1-w3-v1-s1", "pass", 4_000]]
    # A page that hears late of a window passes it when it does; before, the phase may be another.
    page("windowOpens", "zombies", 4, RICH, "late")
    stopped.clock.run_for(4_500)
    page("hears")
    stopped.clock.run_for(4_500)
    assert page("sentSoFar")[-1] == ["r1-w4-v1-s1", "pass", 8_000]
    # Whoever begins to play a card sees to that window alone.
    page("windowOpens", "zombies", 5, RICH)
    stopped.locator("[data-option=play]").click()
    stopped.clock.run_for(12_000)
    assert len(page("sentSoFar")) == 4
    # With the phase it ends, and the next window is the player's own.
    page("windowOpens", "end", 6, POOR)
    expect(box).not_to_be_checked()
    expect(stopped.locator("#live")).to_contain_text("Play a card or pass")
    stopped.clock.run_for(12_000)
    assert len(page("sentSoFar")) == 4
    # What has not gone yet does not go once it is off.
    page("windowOpens", "end", 7, POOR)
    stopped.locator("#standing").click()
    stopped.locator("#standing").click()
    stopped.clock.run_for(12_000)
    assert len(page("sentSoFar")) == 4


def test_what_is_left_to_the_page_outlives_a_reload_and_ends_with_its_phase(stopped: Page) -> None:
    page = standing(stopped)
    box = stopped.get_by_role("switch", name="Pass every window of this phase")
    page("windowOpens", "zombies", 1, RICH)
    box.check()
    page("windowOpens", "zombies", 2, RICH)
    stopped.locator("[data-option=play]").click()  # this window its player sees to
    page("reloads")
    page("windowOpens", "zombies", 2, RICH)
    expect(box).to_be_checked()
    stopped.clock.run_for(12_000)
    assert page("sentSoFar") == []
    assert passed(stopped, page, 3, POOR) == [["r1-w3-v1-s1", "pass", 4_000]]
    # Whoever comes back in another phase finds it off, and nothing is kept.
    page("reloads")
    page("windowOpens", "end", 4, POOR)
    expect(box).not_to_be_checked()
    stopped.clock.run_for(12_000)
    assert len(page("sentSoFar")) == 1
    assert page("keptStanding") == []
    # Whoever has given up has nothing to switch.
    page("givesUp")
    expect(box).to_have_count(0)
    # What lies in a browser may have been written by anybody.
    page("windowOpens", "end", 4, POOR)
    for odd in ('"zombies"', '{"scope": 1, "own": []}', '{"scope": "1.end"}', "{"):
        box.check()
        assert [each["scope"] for each in page("keptStanding")] == ["1.end"]
        stopped.evaluate(ODD, odd)
        page("reloads")
        page("windowOpens", "end", 4, POOR)
        expect(box).not_to_be_checked()


@pytest.mark.nightly  # by day test_a_pass_that_goes_early_is_found shows the same of one window
def test_a_standing_pass_that_goes_early_is_found(stopped: Page) -> None:
    """A control: a page that passes at once for whoever has nothing to play."""
    page = standing(stopped, fault=True)
    page("windowOpens", "zombies", 1, RICH)
    stopped.locator("#standing").click()
    poor, rich = (passed(stopped, page, n, each) for n, each in ((2, POOR), (3, RICH)))
    assert rich[0][1:] == ["pass", 4_000]
    assert poor[0][1:] != rich[0][1:]


def test_what_is_no_answer_to_a_window_goes_at_once(page: Call) -> None:
    decision = {"kind": "go", "options": [], "deadline": OPENED + 12_000}
    assert page("sendings", decision, CLOCK, [OPENED]) == [None]
    assert page("sendings", {**decision, "kind": "respond", "deadline": None}, CLOCK, [1]) == [None]


def without_help(found: Json, book: Json) -> list[str]:
    """The things of a rulebook of which the page does not say enough where it names them."""
    cards = [
        f"{place} {card['id']}"
        for place in ("seats", "log", "table")
        for card in book["cards"]
        if not card["effect"] or any(card[key] not in found[place][card["id"]] for key in KEYS)
    ]
    kinds = [
        f"{part} {kind}"
        for part, word in (("phases", "phase"), ("windows", "window"))
        for kind, text in found[part].items()
        if not text.startswith(name := book["words"][f"cerveauuu/{word}.{kind}"])
        or len(text.removeprefix(name)) < ENOUGH
    ]
    pieces = [f"pieces {kind}" for kind, text in found["pieces"].items() if len(text) < ENOUGH]
    unlisted = [card["id"] for card in book["cards"] if card["effect"] not in found["legend"]]
    return [*cards, *kinds, *pieces, *unlisted]


KEYS: Final = ("name", "effect")
ENOUGH: Final = 60
"""So many letters say something."""


def test_each_card_phase_window_and_piece_is_explained_where_it_is_named(page: Call) -> None:
    told = []
    for language in LANGUAGES:
        book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", language)))
        assert len(book["cards"]) == 140
        found = page("help", language, words(language), book)
        assert without_help(found, book) == []
        told += [*found["phases"].values(), *found["windows"].values(), *found["pieces"].values()]
    # Nothing is said twice, nor in a language that is not the reader's.
    assert len(told) == len(set(told)) == 14 * len(LANGUAGES)


def test_help_that_is_missing_is_found(page: Call) -> None:
    """A control: a card that says nothing, and a window that nobody has explained."""
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", "en")))
    book["cards"][7] |= {"effect": ""}
    short = {**WORDS, "cerveauuu/about.window.open": "", "cerveauuu/board.help.windows_text": ""}
    card = book["cards"][7]["id"]
    assert without_help(page("help", "en", short, book), book) == [
        *(f"{place} {card}" for place in ("seats", "log", "table")),
        "windows open",
    ]


@pytest.mark.parametrize(
    ("meanings", "told"),
    [
        ([{"piece": "h01"}, {"card": "c001"}], True),
        ([{"invited": ["z01"]}], True),
        ([{"human": "h01", "eater": "z01"}], True),
        ([{"card": "c001"}], False),
        ([{"seat": 1}], False),
        ([{"attack": "h01"}, {"cell": "r0c0"}], False),
        ([{"edge": "r0c0e"}], False),
        ([], False),
    ],
)
def test_an_empty_cell_says_that_nobody_stands_there_where_pieces_are_asked_for(
    page: Call, *, meanings: list[Json], told: bool
) -> None:
    """Of nothing else, and not while cells have reasons of their own."""
    play = {"pieces": {"h01": {"id": "h01", "cell": "r0c0"}}}
    targets = ["r0c0", "r0c1", "h01", "r0c0e", "card:c001", "seat:1"]
    assert page("blanks", targets, meanings, play) == (["r0c1"] if told else [])
