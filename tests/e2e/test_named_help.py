"""Whatever a rulebook explains has its help wherever the page names it, on real screens.

The catalogue is the rulebook in the reader's language; its names are looked for in all that is
written in a place, in all forms that the page's words list (``tests/house/test_named_forms.py``
sees that they list what occurs). By day most is read in Polish, whose names have the most forms,
and something in each language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from tests import mentions
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import DESKTOP, Person
from tests.e2e.situations import lay, situations
from tests.e2e.test_knew import asks
from tests.e2e.test_lesson import begins
from tests.e2e.test_unavailable import tile, told
from tests.e2e.town import CHASE, FROZEN, staged
from tests.e2e.watching import drawn_in, move, open_log, replay, shows, speaks, watch

LANGUAGES: Final = ("en", "fr", "pl")
KINDS: Final = ("rooms", "actions", "roles", "cards")

ALSO_A_PIECE: Final = "Robot"
"""A card that is called as the pieces are, whose numbers follow: `Robot 1` is no card."""

FOUND: Final = r"""([names, places, fault]) => {
    fault && document.querySelectorAll(fault).forEach((sign) => sign.remove());
    const longest = Object.keys(names).sort((a, b) => b.length - a.length);
    const quoted = longest.map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
    const [letter, any] = ["[\\p{L}\\p{N}]", quoted.join("|")];
    const pattern = new RegExp(`(?<!${letter})(?:${any})(?!${letter})`, "gu");
    const controlOf = (node, name) => {
        const own = node.closest(".term, [data-about]");
        const lines = ["li", "tr", "p", "dd", ".caption > span", ".result-said",
            ".finale", "section[data-decision]", ".lesson"];
        const signs = lines.map((line) => node.closest(line)).filter(Boolean)
            .flatMap((line) => [...line.querySelectorAll(".about-sign")]);
        return own ?? signs.find((sign) => sign.ariaLabel.includes(name)) ?? null;
    };
    // What stands on a card, in the legend or in the rules is the explanation itself.
    const explains = (node, name) => {
        const entry = node.closest(`.rules-entry, .cv-card, .cv-legend,
            .b-room-line, .b-card-line, .b-legend li`);
        return entry !== null && entry.textContent.trim().length > name.length + 10;
    };
    document.querySelectorAll("[data-probe]").forEach((node) => node.removeAttribute("data-probe"));
    const found = [];
    for (const [place, selector] of Object.entries(places)) {
        for (const root of document.querySelectorAll(selector)) {
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const { parentElement: node, textContent: text } = walker.currentNode;
                for (const met of new Set(text.match(pattern) ?? [])) {
                    const [name, kind] = names[met];
                    const control = controlOf(node, name);
                    const seen = control?.checkVisibility({ visibilityProperty: true });
                    const tap = Boolean(seen) && !found.some((each) =>
                        each.tap && each.place === place && each.kind === kind);
                    if (tap) control.dataset.probe =
                        `${control.dataset.probe ?? ""} ${place}-${kind}`;
                    const helped = control !== null || explains(node, name);
                    found.push({ place, kind, name, text: text.trim(), helped, tap });
                }
            }
        }
    }
    return found;
}"""
"""Each name in each place: whether its help is there, and which controls are to be tapped.

What a ``fault`` selects is taken away first, with no drawing in between."""

Found = dict[str, str | bool]


def catalogue(
    client: Client, game: str, rulebook: str, language: str
) -> dict[str, tuple[str, str]]:
    """The name and the kind of each thing that a rulebook explains, by all that it is called."""
    book = client.get(f"/rulebooks/{rulebook}", game=game, lang=language)
    entries = [(kind, each) for kind in KINDS for each in book.get(kind, ())]
    abilities = [
        ("abilities", each) for one in book["characters"] for each in one.get("abilities", ())
    ]
    forms = mentions.forms(game, language)
    return {
        spelling: (each["name"], kind)
        for kind, each in [*entries, *abilities]
        if (each.get("about") or each.get("effect")) and each["name"] != ALSO_A_PIECE
        for name in [each["name"], *forms.get((kind, each["id"]), [])]
        for spelling in mentions.spellings(name)
    }


def unhelped(found: list[Found]) -> set[str]:
    """What is named where its help is not within one tap."""
    return {
        f"{each['place']}: {each['name']}: {each['text']}" for each in found if not each["helped"]
    }


def taps(page: Page, found: list[Found]) -> Iterator[str]:
    """Tap one control of each kind in each place; the window says what the name says."""
    window = page.locator("dialog[open]")
    under = window.count()
    for each in [each for each in found if each["tap"]]:
        control = page.locator(f"[data-probe~='{each['place']}-{each['kind']}']").first
        choice = control.get_attribute("data-about") is not None
        control.click(button="right" if choice else "left")
        expect(window).to_have_count(under + 1)
        expect(window.last).to_contain_text(str(each["name"]))
        page.keyboard.press("Escape")
        expect(window).to_have_count(under)
        yield f"{each['place']} {each['kind']}"


class Reader:
    """Somebody who asks what everything is that a page names."""

    def __init__(self, page: Page, book: tuple[Client, str, str], languages: Sequence[str]) -> None:
        self.page = page
        self._names = {each: catalogue(*book, each) for each in languages}
        self.met: set[str] = set()
        self.tapped: set[str] = set()

    def looks(self, language: str, places: Mapping[str, str]) -> set[str]:
        """What has no help in some places, by name of selectors; taps where it did not before."""
        found = self._found(language, places)
        self.met |= {f"{each['place']} {language}" for each in found}
        fresh = [each for each in found if f"{each['place']} {each['kind']}" not in self.tapped]
        self.tapped |= set(taps(self.page, fresh))
        return unhelped(found)

    def misses(self, language: str, place: str, selector: str) -> set[str]:
        """What has no help in a place, if nothing there has a sign: a planted fault."""
        fault = f"{selector} .about-sign"
        assert self.page.locator(fault).count() > 0
        return unhelped(self._found(language, {place: selector}, fault))

    def _found(
        self, language: str, places: Mapping[str, str], fault: str | None = None
    ) -> list[Found]:
        given = [self._names[language], dict(places), fault]
        found: list[Found] = self.page.evaluate(FOUND, given)
        return found


def said(languages: Sequence[str], *places: str) -> set[str]:
    """These places in some languages."""
    return {f"{place} {language}" for place in places for language in languages}


def in_languages(by_day: str) -> pytest.MarkDecorator:
    """By day a test reads one language, and by night each."""
    each = [(by_day,), pytest.param(LANGUAGES, marks=pytest.mark.nightly)]
    return pytest.mark.parametrize("languages", each, ids="-".join)


@in_languages("pl")
def test_a_complex_has_its_help_wherever_something_is_named(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    languages: Sequence[str],
) -> None:
    eve = person("Eve", replace(DESKTOP, language=languages[0]))
    page = replay(eve, finished.game, "?as=full")
    reader = Reader(page, (client("Eve"), "room25", "first_edition"), languages)
    named = next(v for v, line in enumerate(finished.lines, 1) if '"type":"room-revealed"' in line)
    for language in languages:
        speaks(page, language)
        move(page, "scrubber").fill(str(finished.last))
        shows(page, finished.last)
        expect(page.locator(".result")).to_be_visible()
        expect(page.locator(".result[aria-busy]")).to_have_count(0)
        assert reader.looks(language, {"result": ".result"}) == set()
        move(page, "finale").click()
        expect(page.locator(".finale-role")).to_have_count(4)
        assert reader.looks(language, {"finale": ".finale"}) == set()
        expect(page.locator(".finale")).to_have_count(1)  # whoever asks stays in it
        page.keyboard.press("Escape")
        expect(page.locator(".finale")).to_have_count(0)
        move(page, "scrubber").fill(str(named))
        shows(page, named)
        asks(page, 1)
        for summary in page.locator(".knew summary").all():
            summary.press("Enter")
        open_log(page)
        places = {"table": ".side", "log": ".log-lines", "caption": ".caption", "knew": ".knew"}
        assert reader.looks(language, places) == set()
    assert reader.met >= said(languages, "result", "finale", "table", "log", "caption", "knew")
    assert reader.tapped >= {
        *("log rooms", "log actions", "caption rooms", "knew rooms"),
        *("finale roles", "result roles"),
    }
    # The planted faults: each place without its control is found.
    for place, selector in {"caption": ".caption", "knew": ".knew", "log": ".log-lines"}.items():
        assert reader.misses(languages[-1], place, selector) != set()


def whoever_is_asked(
    person: Callable[..., Person],
    client: Callable[..., Client],
    languages: Sequence[str],
    rulebook: str,
    kind: str,
) -> Reader:
    """The reader of a table of Room 25 at which a decision of this kind is theirs."""
    situation = situations("room25", rulebook)[kind]
    players = [client(f"P{seat}") for seat in range(1, situation.seats + 1)]
    game = lay(situation, players)
    one = person("Ada", replace(DESKTOP, language=languages[0]))
    one.signs_in(players[situation.seat - 1])
    return Reader(watch(one, game), (players[0], "room25", rulebook), languages)


@in_languages("pl")
def test_a_decision_has_the_help_of_what_it_names(
    person: Callable[..., Person],
    client: Callable[..., Client],
    languages: Sequence[str],
) -> None:
    reader = whoever_is_asked(person, client, languages, "ultimate", "free_action")
    page = reader.page
    for language in languages:
        speaks(page, language)
        expect(page.locator("section[data-kind=free_action]")).to_be_visible()
        places = {"decision": "section[data-decision]", "log": ".log-lines", "table": ".side"}
        assert reader.looks(language, places) == set()
    assert reader.met >= said(languages, "decision")
    assert "decision actions" in reader.tapped
    assert reader.misses(languages[-1], "decision", "section[data-decision]") != set()


@in_languages("pl")
def test_a_reason_has_the_help_of_what_it_names(
    person: Callable[..., Person],
    client: Callable[..., Client],
    languages: Sequence[str],
) -> None:
    reader = whoever_is_asked(person, client, languages, "first_edition", "starting_clue")
    page = reader.page
    reasons = {"reason": ".place-why"}
    for language in languages:
        speaks(page, language)
        tile(page, "r0c0").click()  # too far to be a clue
        expect(told(page).locator(".place-why p")).to_be_visible()
        assert reader.looks(language, reasons) == set()
        if language == languages[-1]:
            assert reader.misses(language, "reason", ".place-why") != set()
        page.keyboard.press("Escape")
        expect(told(page)).to_have_count(0)
    assert reader.met == said(languages, "reason")
    assert reader.tapped == {"reason rooms"}
    # What the window is about explains itself there.
    tile(page, "r2c2").press("Enter")
    expect(told(page).locator(".place-why p")).to_be_visible()
    expect(told(page).locator(".about-sign")).to_have_count(0)


@in_languages("pl")
def test_a_lesson_has_the_help_of_what_it_names(
    person: Callable[..., Person],
    client: Callable[..., Client],
    languages: Sequence[str],
) -> None:
    ada = person("Ada", replace(DESKTOP, language=languages[0]))
    page = ada.opens("/")
    page.locator("#play-name").fill("Ada")
    begins(page, "room25")
    reader = Reader(page, (client("Eve"), "room25", "first_edition"), languages)
    lesson = {"lesson": ".lesson"}
    for language in languages:
        speaks(page, language)
        expect(page.locator(".lesson")).to_be_visible()
        assert reader.looks(language, lesson) == set()
    assert reader.met == said(languages, "lesson")
    assert reader.tapped == {"lesson actions", "lesson roles"}
    assert reader.misses(languages[-1], "lesson", ".lesson") != set()


@in_languages("fr")
def test_a_town_has_its_help_wherever_a_card_is_named(
    person: Callable[..., Person],
    client: Callable[..., Client],
    languages: Sequence[str],
) -> None:
    own, bob, cleo = client("Ada"), client("Bob"), client("Cleo")
    hands = {"1": ["c031"], "2": ["c022"], "3": ["c044"]}
    over = staged(own, bob, {**FROZEN, "hands": hands, "credits": ["c001", "c002"]}, cleo)
    cleo.post(f"/games/{over}/decisions/resign-s3", {"option": "resign"})
    own.chooses(over, "pass")
    bob.chooses(over, "play.k1")
    game = staged(own, bob, CHASE)
    ada = person("Ada", replace(DESKTOP, language=languages[0]))
    ada.signs_in(own)
    page = watch(ada, game)
    reader = Reader(page, (own, "cerveauuu", "prototype"), languages)
    for language in languages:
        speaks(page, language)
        expect(page.locator(".cv-hand .cv-card").first).to_be_visible()
        places = {"table": ".side", "decision": "section[data-decision]", "log": ".log-lines"}
        assert reader.looks(language, places) == set()
    ada.goes_to(f"/watch/{over}?as=full")
    for language in languages:
        speaks(page, language)
        expect(page.locator(".result")).to_be_visible()
        expect(page.locator(".result[aria-busy]")).to_have_count(0)
        places = {"log": ".log-lines", "caption": ".caption", "result": ".result"}
        assert reader.looks(language, places) == set()
    assert reader.met >= said(languages, "table", "log", "caption")
    assert reader.tapped >= {"log cards", "caption cards"}


@in_languages("pl")
def test_the_rules_explain_whatever_they_name(
    person: Callable[..., Person],
    client: Callable[..., Client],
    languages: Sequence[str],
) -> None:
    eve = client("Eve")
    page = person("Eve", replace(DESKTOP, language=languages[0])).page
    for game, rulebook in (("room25", "ultimate"), ("cerveauuu", "prototype")):
        page.goto(f"/?page=rules&game={game}&rulebook={rulebook}")
        reader = Reader(page, (eve, game, rulebook), languages)
        for language in languages:
            drawn_in(page, language)
            expect(page.locator(".rules-entry").first).to_be_visible()
            names = {name for name, _ in catalogue(eve, game, rulebook, language).values()}
            heads = page.locator(".rules-entry h4").all_inner_texts()
            missing = [n for n in names if not any(n in head for head in heads)]
            assert missing == []
            assert reader.looks(language, {"rules": ".rules-entry h4"}) == set()
