"""One's own role: on a card that is sealed, then held in a corner, and nowhere else on the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.by_day import LOOKS
from tests.e2e.clients import Client
from tests.e2e.layout import OVERLAP, flaws, in_view, lasting
from tests.e2e.panel_layout import out_of_sight
from tests.e2e.people import PHONE, Look, Person
from tests.e2e.test_layout import AT_ONCE, RULE, sizes
from tests.e2e.watching import move, root, shown, speaks, watch

ROLES: Final = {"prisoner": "Prisoner", "guard": "Guard"}
WINS: Final = {
    "prisoner": "You win if the prisoners get out with Room 25.",
    "guard": "You win if they do not get out.",
}

FAR: Final = 120
"""As far as a thumb goes, in pixels."""

CORNERED: Final = (
    f"() => {{{OVERLAP}"
    """
    const found = [];
    const box = (node) => node.getBoundingClientRect();
    const button = document.querySelector(".b-role-peek");
    const { left, right, top, bottom, width, height } = box(button);
    if (width < 24 || height < 24) {
        found.push(`only ${width} by ${height}`);
    }
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
        found.push("not all in the window");
    }
    for (const [x, y] of [[left, top], [right, top], [left, bottom], [right, bottom]]) {
        const there = document.elementFromPoint(Math.min(Math.max(x, left + 2), right - 2),
            Math.min(Math.max(y, top + 2), bottom - 2));
        if (!button.contains(there)) {
            found.push(`covered by ${there?.getAttribute("class")}`);
        }
    }
    const others = ".b-arrow-hit, .b-face, .now-who, .watch-rest button";
    for (const node of document.querySelectorAll(others)) {
        const other = box(node);
        const { across, down } = overlap(box(button), other);
        if (across > 0.1 && down > 0.1) {
            found.push(`${across} by ${down} over ${node.getAttribute("class")}`);
        }
    }
    return found;
}"""
)
"""What is wrong with where a role's button is: its size, what covers it, what it lies over."""

LEGIBLE: Final = """({ name, about }) => {
    const found = [];
    const face = document.querySelector(".b-role-corner .b-role-face");
    face.querySelector(".b-role-name").textContent = name;
    face.querySelector("p").textContent = about;
    const parts = [face, ...face.querySelectorAll("*")];
    const board = document.querySelector(".stage").getBoundingClientRect();
    if (parts.length < 5) {
        found.push(`nothing but ${face.textContent}`);
    }
    for (const node of parts) {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        const size = parseFloat(getComputedStyle(node).fontSize);
        if (size < 11) {
            found.push(`${node.textContent} is written in ${size} px`);
        }
        if (left < board.left || right > board.right || top < board.top || bottom > board.bottom) {
            found.push(`${node.textContent} is not all over the board`);
        }
        const inline = getComputedStyle(node).display === "inline";
        if (!inline && node.scrollWidth > node.clientWidth + 1) {
            found.push(`${node.textContent} is cut`);
        }
    }
    return found;
}"""
"""What is wrong with a role's face while it is held, with the longest name and text of any."""

CLEAR: Final = """() => {
    const board = document.querySelector(".text-board");
    board.scrollTo(0, board.scrollHeight); // each drawing begins above
    const button = document.querySelector(".b-role-peek").getBoundingClientRect();
    return [...document.querySelectorAll(".text-board td, .text-board th")].filter((cell) => {
        const { right, bottom } = cell.getBoundingClientRect();
        return right > button.left && bottom > button.top;
    }).map((cell) => cell.textContent);
}"""
"""The cells of the board as a table that lie under a role's button, once one has scrolled there."""

MOVES: Final = "(each) => getComputedStyle(each).animationName"


def dealt(ada: Client) -> tuple[str, str]:
    """A game of suspicion that has begun, and the role of its only person."""
    game = ada.opens("suspicion", 4)
    ada.sits(game)
    for _ in range(3):
        ada.seats_bot(game)
    characters = ada.state(game, "seat:1")["play"]["characters"].values()
    return game, next(c["role"] for c in characters if c["seat"] == 1)


def at_a_table(one: Person, ada: Client) -> tuple[Page, str]:
    """The page of somebody who is asked for a programme, and their role; nothing else happens."""
    game, role = dealt(ada)
    one.signs_in(ada)
    page = watch(one, game)
    expect(page.locator(".b-person:not(.b-you)")).to_contain_text(["handed in"] * 3)
    return page, role


def opens_and_shuts(page: Page) -> None:
    """Look at one's role, and let it go to its corner."""
    page.locator(".b-role-seal").click()
    page.locator(".b-role-shut").click()
    expect(page.locator(".b-role-peek")).to_be_visible()


def tells(page: Page, role: str) -> bool:
    """Whether the role stands somewhere beside the board, in whatever case."""
    texts = page.locator(".side").inner_text() + page.locator(".log").inner_text()
    return f"{ROLES[role].lower()}\n" in f"{texts.lower()}\n" or WINS[role] in texts


# By day on a phone, where there is least room; test_beginner.py opens it at a desktop, too.
@pytest.mark.parametrize("look", LOOKS)
def test_a_role_is_sealed_until_it_is_opened_and_then_held(
    person: Callable[..., Person], client: Callable[..., Client], look: Look
) -> None:
    page, role = at_a_table(person("Ada", look), client("Ada"))
    seal, card = page.locator(".b-role-seal"), page.locator(".b-role-card .b-role-face")
    corner, held = page.locator(".b-role-corner"), page.locator(".b-role-corner .b-role-face")
    expect(seal).to_be_visible()
    sought = ".b-role-seal"
    assert lasting(page, lambda: out_of_sight(page, sought) + in_view(page, whole=True)) == []
    expect(page.locator(".b-you .b-role-unknown")).to_have_text("role sealed")
    expect(corner).to_be_hidden()
    assert not tells(page, role)
    assert lasting(page, lambda: flaws(page)) == []
    assert violations(page) == []
    seal.click()
    expect(card).to_contain_text(ROLES[role])
    expect(card).to_contain_text(WINS[role])
    expect(corner).to_be_hidden()
    assert tells(page, role), "this is what was looked for"
    assert violations(page, ".side") == []
    page.emulate_media(reduced_motion="no-preference")
    assert page.locator(".b-role-face > div").evaluate(MOVES) == "role-turns"
    page.locator(".b-role-shut").click()
    expect(page.locator(".b-role-card")).to_be_hidden()
    assert page.locator(".b-role-peek").evaluate(MOVES) == "role-arrives"
    page.emulate_media(reduced_motion="reduce")
    assert lasting(page, lambda: in_view(page, whole=True)) == []
    # From now on it is seen only as long as it is held, by pointer or key.
    peek = page.get_by_role("button", name="Hold to see your role")
    expect(peek).to_be_focused()
    assert violations(page, ".stage") == []
    peek.hover()
    page.mouse.down()
    expect(held).to_contain_text(ROLES[role])
    expect(held).to_contain_text(WINS[role])
    assert lasting(page, lambda: flaws(page)) == []
    assert violations(page, ".stage") == []
    page.mouse.up()
    expect(held).to_have_text("")
    for key in ("Enter", "Space"):
        peek.focus()
        page.keyboard.down(key)
        expect(held).to_contain_text(WINS[role])
        page.keyboard.up(key)
        expect(held).to_have_text("")
    # A screen reader presses without a finger or a key.
    peek.evaluate("button => button.click()")
    expect(held).to_contain_text(WINS[role])
    peek.evaluate("button => button.click()")
    expect(held).to_have_text("")
    page.reload()
    expect(peek).to_be_visible()
    expect(seal).to_be_hidden()
    assert not tells(page, role)


def test_a_finger_holds_a_role_and_steps_through_nothing(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one = person("Ada", PHONE)
    page, role = at_a_table(one, client("Ada"))
    opens_and_shuts(page)
    newest = shown(page)
    page.keyboard.press("j")
    expect(root(page)).not_to_have_attribute("data-version", str(newest))
    before, held = shown(page), page.locator(".b-role-corner .b-role-face")
    box = page.locator(".b-role-peek").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    one.touches("touchStart", (x, y))
    expect(held).to_contain_text(WINS[role])
    one.touches("touchMove", (x - FAR / 2, y))
    one.touches("touchMove", (x - FAR, y))
    expect(held).to_contain_text(WINS[role])
    one.touches("touchEnd")
    expect(held).to_have_text("")
    assert shown(page) == before, "over the board this is a swipe"


# By day in the language with the longest words.
@pytest.mark.parametrize(
    "languages", [("pl",), pytest.param(("en", "fr"), marks=pytest.mark.nightly)], ids="-".join
)
def test_a_role_in_its_corner_is_in_sight_on_every_screen_in_every_language(
    person: Callable[..., Person], client: Callable[..., Client], languages: tuple[str, ...]
) -> None:
    ada = client("Ada")
    page, _ = at_a_table(person("Ada"), ada)
    opens_and_shuts(page)
    page.evaluate(RULE, AT_ONCE)
    peek, table = page.locator(".b-role-peek"), page.locator(".text-board")
    for language in languages:
        speaks(page, language)
        roles = ada.get("/rulebooks/prototype", game="room25", lang=language)["roles"]
        longest = {key: max((role[key] for role in roles), key=len) for key in ("name", "about")}
        expect(peek, language).to_be_visible()
        for _ in sizes(page):
            where = language, page.viewport_size
            assert lasting(page, partial(page.evaluate, CORNERED)) == [], where
            peek.evaluate("button => button.click()")
            held = partial(page.evaluate, LEGIBLE, longest)
            assert lasting(page, held) == [], where
            assert lasting(page, lambda: flaws(page)) == [], where
            peek.evaluate("button => button.click()")
        move(page, "text").click()
        expect(peek, language).to_be_visible()
        assert lasting(page, partial(page.evaluate, CLEAR)) == [], language
        move(page, "text").click()
        expect(table, language).to_be_hidden()


def test_there_is_no_card_where_nothing_is_secret(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one, ada = person("Ada"), client("Ada")
    game, _ = dealt(ada)
    page = watch(one, game)
    expect(page.locator(".b-person")).to_have_count(4)
    expect(page.locator(".b-role-card")).to_be_hidden()
    expect(page.locator(".b-role-corner")).to_be_hidden()
    one.signs_in(ada)
    expect(page.locator(".b-role-seal")).to_be_visible()
    alone = ada.opens("solo", 1)
    ada.sits(alone)
    page = watch(one, alone)
    expect(page.locator(".b-person")).to_have_count(1)
    expect(page.locator(".b-role-card")).to_be_hidden()
    expect(page.locator(".b-role-corner")).to_be_hidden()
