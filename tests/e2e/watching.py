"""How a test looks at the page of a game."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.people import Person

PICTURE = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const texts = (selector) => all(selector).map((node) => node.textContent);
    const drawn = all(".b-board [data-cell], .b-board [data-figure]").map((node) =>
        [node.dataset.cell ?? node.dataset.figure, node.ariaLabel, node.style.transform]);
    return JSON.stringify({
        drawn: drawn.sort(),
        table: texts(".text-board table"),
        around: texts(".chapter, .side > *, .result:not([hidden])"),
        log: texts(".log li.current .log-version"),
        version: document.querySelector(".watch").dataset.version,
    });
}"""
"""All that the page says of the version that it shows: two equal texts are equal pages."""

PICTURES = """async (moves) => {
    const picture = (PICTURE);
    const root = document.querySelector(".watch");
    const found = [];
    for (const { key, version } of moves) {
        if (key) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true }));
        } else {
            const range = document.querySelector("[data-move=scrubber]");
            range.value = version;
            range.dispatchEvent(new Event("input"));
        }
        const busy = () => document.querySelector(".result[aria-busy]:not([hidden])");
        while (root.dataset.version !== String(version) || busy()) {
            await new Promise((done) => setTimeout(done));
        }
        found.push(picture());
    }
    return found;
}""".replace("PICTURE", PICTURE)
"""The pictures after each of some moves, each a key or none (the scrubber), to a version."""


def watch(person: Person, game: str, query: str = "", *, place: str = "watch") -> Page:
    """Open a game; the page when it shows something, and is complete."""
    page = person.opens(f"/{place}/{game}{query}")
    complete(page)
    return page


def turn_to(person: Person, game: str, query: str = "") -> Page:
    """Go to a game from another place of the page; the page when the table is complete."""
    page = person.goes_to(f"/watch/{game}{query}")
    complete(page)
    return page


def board_of(person: Person, game: str) -> Page:
    """Open a game; the page as soon as it shows something, with parts that are still to come."""
    page = person.opens(f"/watch/{game}")
    expect(root(page)).to_have_attribute("data-version", any_number())
    return page


def replay(person: Person, game: str, query: str = "") -> Page:
    """Open a finished game; the page when all of the game is there.

    A page shows the version that its address asks for as soon as it has come, and the rest later.
    """
    page = watch(person, game, query)
    expect(root(page)).to_have_attribute("data-status", "ended")
    return page


def complete(page: Page) -> None:
    """Wait until a table is complete: talk, the way back and the end are loaded after the board.

    Until then what comes may move what is there, and the page neither tells of the end nor keeps
    how far its reader has seen.
    """
    expect(root(page)).to_have_attribute("data-version", any_number())
    expect(root(page)).to_have_attribute("data-coming", "")


def root(page: Page) -> Locator:
    """The element that tells the version, the viewer and the state of the stream."""
    return page.locator("article.watch")


def any_number() -> re.Pattern[str]:
    """Whatever the version is."""
    return re.compile(r"^\d+$")


def shows(page: Page, version: int) -> None:
    """Wait until the page shows a version."""
    expect(root(page)).to_have_attribute("data-version", str(version))


def reaches(page: Page, version: int) -> None:
    """Wait until a version is on the page, which may have gone on from there."""
    expect(page.locator(f".log [data-v='{version}']")).to_have_count(1)


def shown(page: Page) -> int:
    """The version that the page shows."""
    return int(root(page).get_attribute("data-version") or 0)


IN_THE_MENU = frozenset({"text", "motion", "copy", "save", "keys", "viewer", "knew"})


def move(page: Page, name: str) -> Locator:
    """A control of the page, as ``first``, ``turn-back``, ``play``, ``scrubber``, ``viewer``.

    What is folded up until somebody comes to it is unfolded before.
    """
    if name in IN_THE_MENU:
        open_tools(page)
    elif page.locator(".watch:not(.watch-embed, .bar-open) > .watch-bar [data-move]").count():
        page.locator(".watch-bar").hover()
    return page.locator(f"[data-move='{name}']")


def open_tools(page: Page) -> None:
    """Unfold the menu of views, proof and sharing, where there is one.

    By the keyboard: what still comes in may move the summary between a press of the mouse and its
    release, and then that was no click.
    """
    tools = page.locator("details.watch-tools")
    if tools.count() and tools.get_attribute("open") is None:
        tools.locator("summary").first.press("Enter")
        expect(tools).to_have_attribute("open", "")


def open_site_menu(page: Page) -> None:
    """Unfold the page's own head, which a table has folded up."""
    menu = page.locator("details.site-menu")
    if menu.count() and menu.get_attribute("open") is None:
        menu.locator("summary").press("Enter")
        expect(menu).to_have_attribute("open", "")


def choose_language(page: Page, language: str) -> None:
    """Choose another language in the page's own head, which is unfolded."""
    page.locator("#top .language select").select_option(language)


def drawn_in(page: Page, language: str) -> None:
    """Choose another language in the page's own head, and wait until all is drawn anew in that.

    Before anything is drawn, a document says that it is in English, whatever it will be in.
    """
    expect(page.locator("main > *")).not_to_have_count(0)
    if page.locator("html").get_attribute("lang") == language:
        return
    page.locator("main > *").first.evaluate("(before) => { before.dataset.before = ''; }")
    open_site_menu(page)
    choose_language(page, language)
    expect(page.locator("main > [data-before]")).to_have_count(0)
    expect(page.locator("main > *")).not_to_have_count(0)
    expect(page.locator("html")).to_have_attribute("lang", language)


def speaks(page: Page, language: str) -> None:
    """The same at a table, which is complete again afterwards."""
    drawn_in(page, language)
    complete(page)


def open_log(page: Page) -> None:
    """Pull the log out, where it is a drawer."""
    button = move(page, "log")
    if button.is_visible():
        button.click()
    expect(page.locator(".log")).to_be_visible()


def badge(page: Page, state: str) -> None:
    """Wait until the integrity badge says something."""
    expect(page.locator("[data-badge]")).to_have_attribute("data-badge", state)


def is_gapless(page: Page, last: int) -> None:
    """The log has every version from the first to ``last`` at least, in order, once."""
    reaches(page, last)
    versions = page.locator(".log [data-v]").evaluate_all("all => all.map((e) => +e.dataset.v)")
    assert versions == list(range(1, len(versions) + 1))
    assert len(versions) >= last
