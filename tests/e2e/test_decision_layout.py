"""Every kind of decision of every rulebook has its room on every screen, next to the board.

By day each kind is looked at in one rulebook and on one screen, rulebooks, screens and languages
taken in turn; at night in every rulebook that has it, on all screens and in all languages. The
names at the tables are as long as names can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import cycle
from typing import Final

import pytest
from msgspec import Struct
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.e2e.answering import Answering, Way
from tests.e2e.clients import Client, Json
from tests.e2e.layout import NEXT_FRAME, flaws, in_view, lasting, moves_the_board, shares
from tests.e2e.on_board import FORMS, NOWHERE, unmet
from tests.e2e.panel_layout import astray, broken_words, crowded, out_of_sight
from tests.e2e.people import Look, Person
from tests.e2e.serving import Service
from tests.e2e.situations import STRIDE, Situation, kinds_of, lay, situations
from tests.e2e.test_layout import AT_ONCE, BARS, DRAWN, ENLARGED, LANGUAGES, RULE, UNRULE
from tests.e2e.watching import complete, shows, speaks, watch

NAMES: Final = (
    "Wolfeschlegelsteinhausenbergerdorff-Abcd",
    "WWWWWWWWWWMMMMMMMMMMWWWWWWWWWWMMMMMMMMMM",
    "Grzegorz Brzęczyszczykiewicz z Chrząszcz",
    "Maximilian-Alexander von und zu Hohenfel",
    "Anne-Charlotte Bernadette de La Rochefou",
    "Świętosława Małgorzata Jędrzejowska-Dębs",
    "Pneumonoultramicroscopicsilicovolcanocon",
    "Donaudampfschifffahrtselektrizitätenhaup",
)
"""Forty letters each."""

BOOKS: Final = [(game, book) for game, package in GAMES.items() for book in package.rules.tags]
PHONE: Final = (390, 844)

FIRST_CARDS: Final = "section[data-decision]:nth-child(1 of .p-decision) .p-card"
"""What the programme that is asked for first is put together from."""

NAMES_OF_ACTIONS: Final = ".p-card > b, .p-laid > span:not(.b-unseen)"
"""On the cards, and in the slots that they have been laid into."""

DESKTOPS: Final = ((1280, 800), (1366, 657), (1440, 900))
ROOMY: Final = {PHONE, *DESKTOPS}
"""The screens with room for all of it; where it is narrow, what actions do is told elsewhere."""

UNFOLD: Final = """(kind) => {
    document.querySelector(".p-more").open = true;
    document.querySelector(`.p-optional[data-kind=${kind}]`).open = true;
}"""


FOLD: Final = f"""(kind) => {{
    const all = document.querySelectorAll(`.p-optional:not([data-kind=${{kind}}])[open]`);
    all.forEach((each) => each.querySelector("summary").click());
    return ({NEXT_FRAME})();
}}"""
"""What one may do besides has the board until the page has heard that it is folded up."""

COVERING: Final = (
    ".p-hand-in:has(:enabled) { padding-top: 20rem !important; }",
    ".p-panel .p-laid { min-height: 24rem !important; }",
)
"""What covers actions as soon as one is laid, and not before."""


class Laid(Struct, frozen=True, kw_only=True):
    """A situation that lies at the service, and the kind of decision for which it does.

    ``unfolded`` are the voluntary decisions that are looked at there, too.
    """

    kind: str
    unfolded: frozenset[str] = frozenset()
    situation: Situation
    game: str
    version: int


class Tables(Struct):
    """The people at the tables, and the tables by game and rulebook.

    The first of the people has whichever seat is asked, so one page can go to all tables.
    """

    players: Sequence[Client]
    laid: dict[tuple[str, str, str, frozenset[str]], Laid]

    def of(self, book: tuple[str, str], kinds: frozenset[str] | None = None) -> list[Laid]:
        """The situations of a rulebook, or of some of its kinds.

        What somebody may do in several of them is looked at in one. None is laid twice.
        """
        every = situations(*book).items()
        found = [(kind, each) for kind, each in every if kinds is None or kind in kinds]
        return [self._laid(book, *each) for each in _shared(found)]

    def forget(self, laid: Laid) -> None:
        """Lay this situation anew for whoever asks next: its game has been played on."""
        self.laid = {key: each for key, each in self.laid.items() if each.game != laid.game}

    def _laid(self, book: tuple[str, str], *each: *tuple[str, Situation, frozenset[str]]) -> Laid:
        key = (*book, each[0], each[2])
        if key not in self.laid:
            self.laid[key] = self._lay(*each)
        return self.laid[key]

    def _lay(self, kind: str, situation: Situation, unfolded: frozenset[str]) -> Laid:
        asked, *others = self.players
        before = situation.seat - 1
        game = lay(situation, [*others[:before], asked, *others[before:]])
        version = self.players[0].version(game)
        return Laid(kind=kind, unfolded=unfolded, situation=situation, game=game, version=version)


def _shared(
    found: Sequence[tuple[str, Situation]],
) -> Iterator[tuple[str, Situation, frozenset[str]]]:
    """Without the situations of voluntary decisions that may be made in another one as well."""
    left = {kind for kind, each in found if each.optional}
    for kind, each in found:
        if not each.optional:
            yield kind, each, frozenset(left & each.kinds)
            left -= each.kinds
    yield from ((kind, each, frozenset({kind})) for kind, each in found if kind in left)


@pytest.fixture(scope="session")
def tables(service: Service) -> Iterator[Tables]:
    """Players with long names; their games are laid when they are asked for."""
    assert {len(name) for name in NAMES} == {40}
    with ExitStack() as stack:
        players = [Client(service.url, name) for name in NAMES]
        for player in players:
            stack.callback(player.close)
        yield Tables(players, {})


class Onlooker:
    """Somebody who goes from table to table, as whoever is ``asked`` there or as a spectator."""

    def __init__(self, person: Person, asked: Client | None) -> None:
        self.person = person
        self.page = person.page
        self._asked_there = asked
        self._opened = False
        if asked is not None:
            person.signs_in(asked)

    def goes_to(self, laid: Laid) -> None:
        """Show a table, of which nothing moves any more."""
        if self._opened:
            # The table before may have come to the same version, and asks for as much.
            self.page.evaluate("document.querySelector('article.watch').dataset.before = ''")
            self.person.goes_to(f"/watch/{laid.game}")
            expect(self.page.locator("article.watch[data-before]")).to_have_count(0)
            complete(self.page)
        else:
            watch(self.person, laid.game)
            self.page.evaluate(RULE, AT_ONCE)
            self._opened = True
        shows(self.page, laid.version)
        if self._asked_there is None:
            expect(self.page.locator(".b-clock-text")).to_be_visible()
            return
        asked = self.page.locator(f"section[data-kind={laid.kind}]")
        folded = self.page.locator(f"details[data-kind={laid.kind}]")
        expect(asked.or_(folded).first).to_be_attached()
        for kind in sorted(laid.unfolded):
            self.page.evaluate(UNFOLD, kind)
            expect(self.page.locator(f"details[data-kind={kind}]")).to_have_attribute("open", "")

    def sees(self, size: tuple[int, int]) -> list[str]:
        """What is wrong with what is shown on a screen of this size."""
        page = self.page
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("document.fonts.ready")
        page.evaluate(DRAWN, list(size))
        return lasting(page, lambda: self._wrong(size))

    def cannot_meet(self, laid: Laid, language: str) -> list[str]:
        """What of a decision cannot be met on the board, though it is about something there."""
        decisions = self._asked(laid, laid.unfolded or {laid.kind})
        return lasting(
            self.page, lambda: unmet(self.page, laid.situation.game, decisions, language)
        )

    def cannot_answer(self, laid: Laid, number: int, way: Way, language: str) -> list[str]:
        """What hinders one from choosing an option, of several another by ``number``."""
        if laid.kind in NOWHERE | FORMS:
            return []
        decision = self._asked(laid, {laid.kind})[0]
        self.page.evaluate(FOLD, laid.kind)
        option = decision["options"][number * STRIDE % len(decision["options"])]
        of = laid.situation.game
        hand = Answering(self.page, self._player, laid.game, of=of, language=language)
        return hand.answers(decision, option, way)

    @property
    def _player(self) -> Client:
        assert self._asked_there is not None
        return self._asked_there

    def _asked(self, laid: Laid, kinds: Iterable[str]) -> list[Json]:
        asked = self._player.get(f"/games/{laid.game}/decisions")["decisions"]
        decisions = [each for each in asked if each["kind"] in kinds and not each["answered"]]
        assert decisions
        return decisions

    def sees_with(
        self, fault: str, size: tuple[int, int], look: Callable[[], list[str]] | None = None
    ) -> list[str]:
        """What is wrong on a screen of the present ``size`` with a rule of style more.

        ``look`` measures what the rule spoils; without it all is measured.
        """
        at = self.page.evaluate(RULE, fault)
        self.page.evaluate(DRAWN, list(size))
        found = look() if look else self._wrong(size)
        self.page.evaluate(UNRULE, at)
        return found

    def hidden_cards(self) -> list[str]:
        """Which cards of the first programme have to be scrolled to."""
        return out_of_sight(self.page, FIRST_CARDS)

    def _wrong(self, size: tuple[int, int]) -> list[str]:
        page = self.page
        enlarged = page.viewport_size in ENLARGED
        found = shares(page, BARS[size]) + flaws(page) + crowded(page)
        found += astray(page)
        if self._asked_there is not None and page.locator("section[data-decision]").count():
            found += in_view(page, whole=not enlarged)
            if size in ROOMY:
                found += self.hidden_cards() + broken_words(page, NAMES_OF_ACTIONS)
        return found


Come = Callable[..., Person]


def _look(size: tuple[int, int], language: str) -> Look:
    return Look(width=size[0], height=size[1], touch=size == PHONE, language=language)


@pytest.mark.parametrize("book", BOOKS, ids="-".join)
def test_every_kind_has_a_situation(book: tuple[str, str]) -> None:
    found = situations(*book)
    assert found.keys() == kinds_of(*book)
    assert all(kind in each.kinds for kind, each in found.items())
    looked_at = [{kind, *unfolded} for kind, _, unfolded in _shared([*found.items()])]
    assert set().union(*looked_at) == kinds_of(*book)


def kinds_by_day(book: tuple[str, str]) -> frozenset[str]:
    """The kinds that are measured in this rulebook by day: each of a game in one of its rulebooks.

    Rulebooks have them in turn; at night each is measured in all of them (decision 66).
    """
    game, _ = book
    having: dict[str, list[tuple[str, str]]] = {}
    for each in (each for each in BOOKS if each[0] == game):
        for kind in kinds_of(*each):
            having.setdefault(kind, []).append(each)
    turns = enumerate(sorted(having))
    return frozenset(kind for n, kind in turns if having[kind][n % len(having[kind])] == book)


@pytest.mark.parametrize("game", sorted({game for game, _ in BOOKS}))
def test_every_kind_is_measured_once_by_day(game: str) -> None:
    books = [book for book in BOOKS if book[0] == game]
    by_day = [kind for book in books for kind in kinds_by_day(book)]
    assert sorted(by_day) == sorted(set().union(*(kinds_of(*book) for book in books)))


@pytest.mark.parametrize("book", BOOKS, ids="-".join)
def test_every_kind_of_decision_has_its_room(
    person: Come, tables: Tables, book: tuple[str, str]
) -> None:
    language = LANGUAGES[BOOKS.index(book) % len(LANGUAGES)]
    wrong: dict[str, list[str]] = {}
    asked = {
        touch: Onlooker(
            person("Ada", _look(PHONE if touch else (1280, 800), language)), tables.players[0]
        )
        for touch in (False, True)
    }
    laid_by_day = tables.of(book, kinds_by_day(book))
    for number, laid in enumerate(laid_by_day):
        size = [*BARS][number * len(BARS) // len(laid_by_day)]  # all of one size in a row
        one = asked[size == PHONE]
        one.goes_to(laid)
        found = one.sees(size) + one.cannot_meet(laid, language)
        way: Way = "finger" if size == PHONE else "pointer" if number % 2 else "keys"
        found += one.cannot_answer(laid, number, way, language)
        tables.forget(laid)
        if found:
            wrong[f"{laid.kind} on {size} by {way}"] = found
    assert wrong == {}


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", BOOKS, ids="-".join)
def test_every_kind_has_its_room_on_every_screen_in_every_language(
    person: Come, tables: Tables, book: tuple[str, str], language: str
) -> None:
    wrong: dict[str, list[str]] = {}
    for touch in (False, True):
        look = _look(PHONE if touch else (1280, 800), language)
        asked = Onlooker(person("Ada", look), tables.players[0])
        spectator = Onlooker(person("Eve", look), None)
        for laid in tables.of(book):
            for who, one in {"asked": asked, "spectator": spectator}.items():
                one.goes_to(laid)
                for size in (each for each in BARS if (each == PHONE) == touch):
                    if found := one.sees(size):
                        wrong[f"{laid.kind} on {size} {who}"] = found
                if moved := moves_the_board(one.page):
                    wrong[f"{laid.kind} {who}"] = moved
    assert wrong == {}


SPOKEN: Final = (
    pytest.param((PHONE,), ("pl",), id="phone-pl"),
    pytest.param(DESKTOPS, ("fr",), id="desktops-fr"),
    # By day the same on the same screens, in the languages with the longest words.
    pytest.param((PHONE,), ("fr", "en"), id="phone-others", marks=pytest.mark.nightly),
    pytest.param(DESKTOPS[::-1], ("en", "pl"), id="desktops-others", marks=pytest.mark.nightly),
)
"""On which screens, and in which languages: the page is loaded in the first of them, and rules that
hide actions are planted on the first screen."""


@pytest.mark.parametrize(("sizes", "languages"), SPOKEN)
def test_all_actions_of_a_programme_are_in_sight(
    person: Come,
    tables: Tables,
    sizes: tuple[tuple[int, int], ...],
    languages: tuple[str, ...],
) -> None:
    """Those of Ultimate are the most; once one is laid, what hands them in is always in sight."""
    (laid,) = tables.of(("room25", "ultimate"), frozenset({"program"}))
    one = Onlooker(person("Ada", _look(sizes[0], languages[0])), tables.players[0])
    one.goes_to(laid)
    there = 0
    for language, counts in zip(languages, cycle((range(3), range(2, -1, -1))), strict=False):
        speaks(one.page, language)
        for count in counts:
            lays(one.page, there, count)
            there = count
            for size in sizes:
                # To look for all that is wrong would take minutes each.
                found = one.sees(size)
                # A rule hides as much in any language, and on any screen of the same kind.
                if (size, language) == (sizes[0], languages[0]):
                    found += hidden_by_a_fault(one, size, covered=count > 0)
                assert found == [], f"{count} laid on {size} in {language}"
    narrow = ".p-card > b { width: 2rem; }"
    assert any("broken" in each for each in one.sees_with(narrow, sizes[-1]))


def lays(page: Page, there: int, count: int) -> None:
    """Where so many cards lie in the first programme that is asked for, lay one more or one less.

    What is ``there`` is waited for: a table that is drawn anew has it from what is kept.
    """
    card = page.locator(".p-decision").first
    expect(card.locator(".p-laid")).to_have_count(there)
    if count > there:
        card.locator(".p-card:not(.p-barred, .p-picked)").first.press("Enter")
    elif count < there:
        card.locator(".p-laid").last.press("Enter")
    expect(card.locator(".p-laid")).to_have_count(count)


def hidden_by_a_fault(one: Onlooker, size: tuple[int, int], *, covered: bool) -> list[str]:
    """Which planted rules hide no action, or hide one all the same.

    ``covered``: whether they have to.
    """
    found = []
    for fault in COVERING:
        hidden = one.sees_with(fault, size, one.hidden_cards)
        if (hidden != []) != covered:
            found.append(f"with {fault}: {hidden}")
    return found


FAULTS: Final = {
    ".watch > .stage { width: 20rem !important; }": "the board has",
    ".stage > svg text { font-size: 6px !important; }": "is written in",
    ".stage > svg text { letter-spacing: 3em !important; }": "on the board",
    ".b-ghosts { transform: translateX(-30rem); }": "off the board",
    ".p-option { margin-bottom: -1.5rem !important; }": "lies over",
    ".p-option { min-height: 24px !important; height: 24px; }": "only 24 high",
    ".p-note { height: 8px; overflow: hidden; }": "cut at 8",
    ".p-option { width: 30px; overflow: hidden; white-space: nowrap; }": "cut at",
    ".watch-scroll { padding-top: 100vh !important; }": "is not in view",
    ".watch > .watch-bar { margin-top: -4rem !important; }": "overlap",
    ".watch > .watch-rest { min-height: 120vh !important; }": "is not all in sight",
}
"""What must be found, and how it is told."""


UNMET: Final = (
    (".b-tile:nth-last-child(1 of .b-choosable)", "class", "b-tile", "cannot be chosen"),
    (".stage", "inert", "", "by a pointer"),
    (".b-tile", "tabindex", None, "by keys"),
    (".p-option", "aria-hidden", "true", "no reader"),
)
"""Which attribute of what is spoilt on a page on which all can be met, and what is told of it."""

SPOIL: Final = """([selector, name, value]) => {
    const set = (node, to) =>
        to === null ? node.removeAttribute(name) : node.setAttribute(name, to);
    const spoilt = [...document.querySelectorAll(selector)].map((node) =>
        [node, node.getAttribute(name)]);
    window.mends = () => spoilt.forEach(([node, before]) => set(node, before));
    spoilt.forEach(([node]) => set(node, value));
}"""


def test_what_cannot_be_met_or_has_no_room_is_found(person: Come, tables: Tables) -> None:
    (laid,) = tables.of(BOOKS[0], frozenset({"move_target"}))
    one = Onlooker(person("Ada", _look((1280, 800), "en")), tables.players[0])
    one.goes_to(laid)
    assert one.cannot_meet(laid, "en") == []
    asked = tables.players[0].asked(laid.game)

    def missed(selector: str, name: str, value: str | None, said: str) -> list[str]:
        # What comes late, as who is connected, draws the board anew, and undoes a fault.
        one.page.evaluate(SPOIL, [selector, name, value])
        told = unmet(one.page, laid.situation.game, asked, "en")
        one.page.evaluate("mends()")
        return [] if any(said in each for each in told) else [selector, *told]

    for fault in UNMET:
        assert lasting(one.page, partial(missed, *fault)) == []
        assert one.cannot_meet(laid, "en") == []
    assert one.sees((1280, 800)) == []
    for rule, said in FAULTS.items():
        assert any(said in each for each in one.sees_with(rule, (1280, 800))), rule


@pytest.mark.nightly  # by day test_all_actions_of_a_programme_are_in_sight plants such rules
def test_actions_out_of_sight_are_found(person: Come, tables: Tables) -> None:
    (laid,) = tables.of(BOOKS[0], frozenset({"program"}))
    other = Onlooker(person("Ada", _look(PHONE, "en")), tables.players[0])
    other.goes_to(laid)
    assert other.sees(PHONE) == []
    fault = ".p-cards { margin-top: 10rem; }"
    assert any("out of sight" in each for each in other.sees_with(fault, PHONE))
