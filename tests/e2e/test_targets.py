"""Targets are chosen on the board in every way, and ghosts and previews show what comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json
from tests.e2e.layout import flaws, lasting, misnamed, shares
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.test_accessibility import reach
from tests.e2e.test_layout import DRAWN, RULE, UNRULE
from tests.e2e.watching import turn_to, watch

BOTH_AT_B2: Final[Json] = {
    "emmett": {"seat": 1, "cell": "r1c1"},
    "kevin": {"seat": 1},
    "franck": {"seat": 2, "cell": "r1c1"},
    "jennifer": {"seat": 2},
}
"""A figure of each player stands in B2, and the others in the Central Room."""

AT_B2: Final[Json] = {
    "characters": BOTH_AT_B2,
    "tiles": {"r1c1": "empty"},
    "turn": 2,
}
NEXT: Final = {"r0c1", "r1c0", "r1c2", "r2c1"}
NAMED: Final = AT_B2 | {
    "tiles": {"r1c1": "empty", "r0c1": "vision", "r1c0": "dark", "r1c2": "cold", "r2c1": "tunnel"}
}
"""The same, and all rooms around are face-up."""


class Table(Struct, frozen=True):
    """A page of a player whose Emmett stands in B2, in the company of Franck, and has to choose."""

    ada: Client
    bob: Client
    one: Person
    game: str

    @property
    def page(self) -> Page:
        """The page."""
        return self.one.page

    @property
    def asked(self) -> Json:
        """What Ada is asked first."""
        return self.ada.asked(self.game)[0]

    @property
    def card(self) -> Locator:
        """Its card."""
        return card_of(self.page, self.asked)

    def programmes(self, first: str) -> Json:
        """All programmes are in, Emmett's begins with an action; its target is asked for."""
        for player in (self.ada, self.bob):
            for decision in player.asked(self.game):
                own = f"{first}+look" if decision["subject"] == "emmett" else "look+push"
                path = f"/games/{self.game}/decisions/{decision['id']}"
                player.post(path, {"option": own})
        asked = self.asked
        assert asked["kind"] == f"{first}_target"
        expect(self.card).to_be_visible()
        return asked


@pytest.fixture
def table(person: Callable[..., Person], client: Callable[..., Client]) -> Callable[..., Table]:
    """Opens such a game before somebody with a screen of some kind, or who has played another."""

    def opened(look: Look = DESKTOP, scenario: Json = AT_B2, one: Person | None = None) -> Table:
        ada, bob = client("Ada"), client("Bob")
        game = ada.opens("competition", 2, scenario=scenario)
        for number, player in enumerate((ada, bob), 1):
            player.sits(game, seat=number)
        come = turn_to if one else watch
        one = one or person("Ada", look)
        one.signs_in(ada)
        come(one, game)
        made = Table(ada, bob, one, game)
        expect(made.card).to_be_visible()
        return made

    return opened


def ghosts(page: Page, who: str) -> Locator:
    """Where the board shows somebody who is not there yet."""
    return page.locator(f".b-board .b-ghost[data-ghost={who}]")


def places(found: Locator) -> set[str | None]:
    """The cells of ghosts."""
    return {each.get_attribute("data-to") for each in found.all()}


def arrow(page: Page, key: str) -> Locator:
    """What meets pointers of an arrow in the margin."""
    line, way = key.split(":")
    return page.locator(f".b-arrow[data-line={line}][data-way={way}] .b-arrow-hit")


def tabs_to(page: Page, selector: str) -> None:
    """Press Tab until something on the board has the focus; its frame shows that, no outline."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Tab does not come to {selector}")


def slides(page: Page, key: str | None) -> None:
    """Wait until the board shows how a line would move, or none; nothing else has slid."""
    board = page.locator(".b-board")
    if key is None:
        expect(board).not_to_have_attribute("data-preview", "row1:left")
        expect(page.locator(".b-slid")).to_have_count(0)
        return
    expect(board).to_have_attribute("data-preview", key)
    row = [f"r1c{column}" for column in range(5)]
    slid = page.locator(".b-tile.b-slid").evaluate_all("all => all.map((t) => t.dataset.cell)")
    assert sorted(slid) == row
    shifts = page.locator(".b-slid").evaluate_all("all => all.map((t) => t.style.translate)")
    assert set(shifts) == {"-36px"}
    assert len(shifts) == len(row) + 2  # and Emmett and Franck, who stand on it


def chosen(table: Table, before: Json) -> None:
    """The page has handed something in, and the game has moved on."""
    expect(table.page.locator(f"section[data-decision='{before['id']}']")).to_have_count(0)
    assert before["id"] not in [each["id"] for each in table.ada.asked(table.game)]


def test_a_programme_shows_where_it_may_lead_to_its_player_alone(
    table: Callable[..., Table], person: Callable[..., Person]
) -> None:
    it = table()
    assert ghosts(it.page, "emmett").count() == 0
    for token in ("push", "move"):
        it.card.locator(f".p-card[data-card={token}]").click()
    expect(ghosts(it.page, "emmett")).to_have_count(4)
    assert places(ghosts(it.page, "emmett")) == NEXT == places(ghosts(it.page, "franck"))
    expect(ghosts(it.page, "emmett").locator(".b-is-emmett .b-bust")).to_have_count(4)
    expect(it.page.locator(".b-slot.b-laid")).to_have_count(2)
    assert violations(it.page) == []
    it.page.reload()
    expect(ghosts(it.page, "emmett")).to_have_count(4)
    other = person("Bob")
    other.signs_in(it.bob)
    watch(other, it.game)
    expect(card_of(other.page, it.bob.asked(it.game)[0])).to_be_visible()
    expect(other.page.locator(".b-ghost, .b-planned, .b-laid")).to_have_count(0)
    it.card.locator(".p-laid").first.click()
    it.card.locator(".p-laid").first.click()
    it.card.locator(".p-card[data-card=control]").click()
    expect(it.page.locator(".b-ghost")).to_have_count(0)
    expect(it.page.locator(".b-arrow.b-may-move")).to_have_count(4)


FAULTS: Final = {
    ".b-ghost text { font-size: 6px !important; }": "is written in",
    ".p-place { position: static !important; }": "scrolls",
}
"""What must not go unnoticed; the second only where the form is longer than the screen."""


@pytest.mark.parametrize(
    ("language", "look"),
    [
        # By day where there is least room; test_decision_layout.py sees desktops in French.
        pytest.param("fr", PHONE, id="fr-phone"),
        pytest.param("pl", DESKTOP, id="pl-desktop", marks=pytest.mark.nightly),
        pytest.param("en", DESKTOP, id="en-desktop", marks=pytest.mark.nightly),
        pytest.param("fr", DESKTOP, id="fr-desktop", marks=pytest.mark.nightly),
        pytest.param("en", PHONE, id="en-phone", marks=pytest.mark.nightly),
        pytest.param("pl", PHONE, id="pl-phone", marks=pytest.mark.nightly),
    ],
)
def test_what_a_form_and_its_ghosts_say_can_be_read(
    table: Callable[..., Table], look: Look, language: str
) -> None:
    it = table(replace(look, language=language))
    for token in ("look", "push"):
        it.card.locator(f".p-card[data-card={token}]").click()
    expect(ghosts(it.page, "franck")).to_have_count(4)
    page = it.page
    assert lasting(page, lambda: shares(page, 0) + flaws(page) + misnamed(page)) == []
    for fault, found in list(FAULTS.items())[: 2 if look.touch else 1]:
        at = page.evaluate(RULE, fault)
        page.evaluate(DRAWN, [look.width, look.height])
        assert any(found in each for each in shares(page, 0)), fault
        page.evaluate(UNRULE, at)


COVERED: Final = """() => {
    const boxes = (selector) => [...document.querySelectorAll(`.b-board ${selector}`)]
        .map((each) => [each, each.getBoundingClientRect()]);
    const drawn = boxes(":is(.b-ghost-figure, .b-ghost-arrow)");
    return boxes(".b-name").flatMap(([name, box]) => drawn
        .filter(([, it]) => it.left < box.right && box.left < it.right
            && it.top < box.bottom && box.top < it.bottom)
        .map(([it]) => `${name.textContent} lies below ${it.getAttribute("class")}`));
}"""


def test_where_somebody_may_go_its_name_can_be_read(table: Callable[..., Table]) -> None:
    it = table(scenario=NAMED)
    it.programmes("move")
    expect(ghosts(it.page, "emmett")).to_have_count(4)
    assert lasting(it.page, lambda: list(it.page.evaluate(COVERED))) == []
    at = it.page.evaluate(RULE, ".b-ghosts { transform: translateY(-24px); }")
    assert any("b-ghost-figure" in each for each in it.page.evaluate(COVERED))
    it.page.evaluate(UNRULE, at)


PROGRAMMED: Final = """async (cases) => {
    const { programmed } = await import("/web/games/room25/board/prospects.js");
    const grid = Object.fromEntries([0, 1, 2, 3, 4].flatMap((r) => [0, 1, 2, 3, 4].map((c) =>
        [`r${r}c${c}`, { up: true, seal: false, lock: false }])));
    return cases.map(([cell, tokens, tiles, markers = {}]) => {
        const emmett = { id: "emmett", cell };
        const play = { grid: { ...grid }, characters: { emmett }, markers };
        Object.entries(tiles).forEach(([at, t]) => play.grid[at] = { ...grid[at], ...t });
        const found = programmed({ tokens }, emmett, play);
        return found.map(({ kind, to, slot }) => `${slot} ${kind} ${to}`);
    });
}"""


def test_ghosts_go_where_the_terrain_lets_them(modules: Page) -> None:
    """No look at what lies open, no way into what is sealed, nothing after an unknown place."""
    assert modules.evaluate(
        PROGRAMMED,
        [
            ["r0c0", ["look"], {"r0c1": {"up": False}}],
            ["r0c0", ["move", "look"], {"r0c1": {"seal": True}, "r1c0": {"up": False}}],
            ["r0c0", ["push", ""], {}],
            ["r2c2", ["control", "move"], {"r1c2": {"lock": True}}],
            ["r0c2", ["control", ""], {}, {"row0": "left"}],
            [None, ["move"], {}],
        ],
    ) == [
        ["1 look r0c1"],
        ["1 walk r1c0"],
        [],
        ["2 walk r2c1", "2 walk r2c3", "2 walk r3c2"],
        ["1 line row0:left"],
        [],
    ]


@pytest.mark.parametrize(
    "way",
    [
        "keyboard",
        "list",
        # By day test_decision_layout.py chooses on the board by pointer and finger.
        pytest.param("pointer", marks=pytest.mark.nightly),
        pytest.param("finger", marks=pytest.mark.nightly),
    ],
)
def test_where_to_go_is_chosen_in_every_way(table: Callable[..., Table], way: str) -> None:
    it = table(PHONE if way == "finger" else DESKTOP)
    asked = it.programmes("move")
    page = it.page
    expect(ghosts(page, "emmett")).to_have_count(len(asked["options"]))
    assert places(ghosts(page, "emmett")) == {each["id"] for each in asked["options"]} == NEXT
    option = it.card.locator("button[data-option=r0c1]")
    tile = page.locator(".b-board [data-cell=r0c1]")
    match way:
        case "pointer":
            option.hover()
            expect(tile).to_have_class("b-tile b-choosable b-pointed")
            page.locator(".now").hover()
            expect(tile).to_have_class("b-tile b-choosable")
            tile.click()
        case "finger":
            tile.tap()
        case "keyboard":
            tabs_to(page, ".b-board [data-cell=r0c1]")
            page.keyboard.press("Enter")
        case _:
            reach(page, "button[data-option=r0c1]")
            expect(tile).to_have_class("b-tile b-choosable b-pointed")
            page.keyboard.press("Enter")
    chosen(it, asked)
    expect(page.locator(".b-board [data-figure=emmett]")).to_be_visible()
    assert it.ada.state(it.game)["play"]["characters"]["emmett"]["cell"] == "r0c1"


STUCK: Final = """async () => {
    const { Pointing } = await import("/web/play/pointing.js");
    const list = document.body.appendChild(document.createElement("div"));
    const [told, pointing] = [[], new Pointing(list, (_, option) => told.push(option))];
    const button = document.createElement("button");
    button.className = "p-option";
    list.append(button);
    button.focus();
    pointing.at("d", "o");
    pointing.look();
    list.replaceChildren();
    pointing.look();
    pointing.look();
    return told;
}"""
"""Point at what is there, and is there no more; what is told of it."""


def test_what_is_gone_is_pointed_at_no_more(modules: Page) -> None:
    assert modules.evaluate(STUCK) == ["o", None]


def test_a_line_slides_a_third_as_a_preview(table: Callable[..., Table]) -> None:
    it = table()
    asked = it.programmes("control")
    page = it.page
    arrow(page, "row1:left").hover()
    slides(page, "row1:left")
    page.locator(".now").hover()
    slides(page, None)
    it.card.locator("button[data-option='row1:left']").hover()
    slides(page, "row1:left")
    page.locator(".now").hover()
    slides(page, None)
    tabs_to(page, ".b-arrow[data-line=row1][data-way=left]")
    slides(page, "row1:left")
    assert violations(page, ".stage") == []
    page.keyboard.press("Enter")
    chosen(it, asked)
    slides(page, None)


def test_a_line_is_chosen_by_a_click_or_from_the_list(table: Callable[..., Table]) -> None:
    it = table()
    asked = it.programmes("control")
    arrow(it.page, "col1:down").click()
    chosen(it, asked)
    assert it.ada.state(it.game)["play"]["markers"] == {"col1": "down"}
    other = table(one=it.one)
    asked = other.programmes("control")
    other.card.locator("button[data-option='row1:right']").click()
    chosen(other, asked)
    assert other.ada.state(other.game)["play"]["markers"] == {"row1": "right"}


def test_a_finger_sees_how_a_line_would_move_before_it_does(table: Callable[..., Table]) -> None:
    it = table(PHONE)
    asked = it.programmes("control")
    page = it.page
    arrow(page, "col1:up").tap()
    expect(it.card.locator(".p-meant")).to_have_attribute("data-option", "col1:up")
    expect(page.locator(".b-board")).to_have_attribute("data-preview", "col1:up")
    arrow(page, "row1:left").tap()
    expect(it.card.locator(".p-meant")).to_have_attribute("data-option", "row1:left")
    expect(it.card.locator(".p-meant")).to_contain_text("tap again to choose")
    slides(page, "row1:left")
    assert it.asked == asked
    arrow(page, "row1:left").tap()
    chosen(it, asked)
    assert it.ada.state(it.game)["play"]["markers"] == {"row1": "left"}


RUNS: Final = """() => document.querySelector(".b-board").getAnimations({ subtree: true })
    .filter(({ transitionProperty }) => transitionProperty === "translate").length"""


def test_a_preview_moves_only_where_that_is_welcome(table: Callable[..., Table]) -> None:
    it = table()
    it.programmes("control")
    page = it.page
    page.evaluate(
        "document.querySelector('.b-board').addEventListener('transitionrun', "
        "({ propertyName: it }) => { window.ran = it === 'translate' ? it : window.ran; })"
    )
    arrow(page, "row1:left").hover()
    slides(page, "row1:left")
    assert page.evaluate(RUNS) == 0
    assert page.evaluate("window.ran ?? null") is None
    page.locator(".now").hover()
    slides(page, None)
    page.emulate_media(reduced_motion="no-preference")
    arrow(page, "row1:left").hover()
    page.wait_for_function("window.ran === 'translate'")
