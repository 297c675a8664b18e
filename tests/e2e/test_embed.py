"""A game in a frame of somebody else's page: there, and only there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

import pytest
from playwright.sync_api import FrameLocator, Locator, Page, expect

from tests.e2e.clients import Client
from tests.e2e.conftest import LONG, Finished
from tests.e2e.layout import OVERLAP, lasting
from tests.e2e.loading import waits_until
from tests.e2e.people import RETURNING, Look, Person
from tests.e2e.test_connection import Table
from tests.e2e.test_layout import DRAWN, RULE, UNRULE
from tests.e2e.watching import any_number, badge, move, shows, watch

_BLOG = """<!doctype html><title>A blog</title><script>
    window.told = [];
    addEventListener("message", (event) => told.push(event.data));
    </script><iframe src="{address}" width="480" height="640"></iframe>"""


class Blog(BaseHTTPRequestHandler):
    """Somebody's page, at an origin of its own: it frames what its address asks for."""

    def do_GET(self) -> None:
        """Send the page."""
        body = _BLOG.format(address=self.path.removeprefix("/?frame=")).encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def blog(person: Person, address: str) -> Iterator[Page]:
    """Somebody's page with a frame in it, which keeps what the frame tells."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Blog) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        try:
            person.page.goto(f"{url}/?frame={address}")
            yield person.page
        finally:
            server.shutdown()


def inside(page: Page) -> FrameLocator:
    """What is in the frame."""
    return page.frame_locator("iframe")


LATE_MS: Final = 20_000
"""After so long a page has fetched the fonts for the next one, and keeps that it has them."""
KEPT: Final = """async () =>
    [localStorage.length, sessionStorage.length, (await caches.keys()).length]"""
FONTS: Final = "link[href*='/fonts.js']"
"""What a page asks for as soon as it wants its fonts, before anything of them has come."""


def test_a_frame_shows_the_game_and_obeys_its_page(
    person: Callable[..., Person], finished: Finished
) -> None:
    eve = person("Eve", RETURNING)
    with blog(eve, f"{eve.url}/embed/{finished.game}?at=30") as page:
        shown = inside(page).locator("article.watch")
        expect(shown).to_have_attribute("data-version", "30")
        page.evaluate("frames[0].postMessage({ target: 'parlour', type: 'seek', at: 77 }, '*')")
        expect(shown).to_have_attribute("data-version", "77")
        expected = {"source": "parlour", "game": finished.game, "type": "position", "at": 77}
        page.wait_for_function("told.at(-1)?.at === 77")
        assert expected.items() <= page.evaluate("told.at(-1)").items()
        assert eve.context.cookies() == []
        assert page.frames[1].evaluate(KEPT) == [0, 0, 0]


def wants_fonts(person: Person, place: FrameLocator | Page) -> Locator:
    """Let a page stand for long; what it asks for then."""
    expect(place.locator("article.watch")).to_have_attribute("data-version", any_number())
    person.page.clock.run_for(LATE_MS)
    return place.locator(FONTS)


def test_a_frame_keeps_nothing_however_long_it_stands(
    person: Callable[..., Person], finished: Finished
) -> None:
    eve = person("Eve", RETURNING)
    eve.context.clock.install()
    with blog(eve, f"{eve.url}/embed/{finished.game}") as page:
        expect(wants_fonts(eve, inside(page))).to_have_count(0)
        assert page.frames[1].evaluate(KEPT) == [0, 0, 0]
    # The control: a page of ours keeps where it has its fonts from.
    page = eve.opens(f"/watch/{finished.game}")
    expect(wants_fonts(eve, page).first).to_be_attached()
    waits_until(page, f"async () => (await ({KEPT})()).every((count, at) => count > 0 || at === 1)")


def test_a_frame_of_a_running_game_is_checked_since_it_joined(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    table = Table(client("Ada"), client("Bob"))
    joined = table.players[0].version(table.game)
    page = watch(person("Eve"), table.game, place="embed")
    badge(page, "since")
    expect(page.locator("[data-badge]")).to_contain_text(str(joined))
    expect(page.locator(".watch-names .chapter")).to_contain_text("Turn 1")
    shows(page, table.moves())
    badge(page, "since")
    move(page, "first").click()  # then it asks for the beginning too
    shows(page, 1)
    badge(page, "verified")


@pytest.mark.parametrize("path", ["/", "/watch/{game}"])
def test_no_other_page_of_ours_stands_in_a_frame(
    person: Callable[..., Person], finished: Finished, path: str
) -> None:
    eve = person("Eve")
    eve.allow("frame-ancestors|ERR_BLOCKED_BY_RESPONSE")
    with (
        eve.context.expect_console_message(lambda said: "frame-ancestors" in said.text) as refused,
        blog(eve, eve.url + path.format(game=finished.game)) as page,
    ):
        assert "frame-ancestors" in refused.value.text  # the frame has what it will ever have
        expect(inside(page).locator("#page")).to_have_count(0)


SMALL_FRAMES: Final = ((640, 480), (480, 320), (390, 844), (320, 480))
"""Sizes of frames, in pixels, as others put them into their pages."""

FITS: Final = (
    f"() => {{{OVERLAP}"
    """
    const shown = (css) => [...document.querySelectorAll(css)].filter((each) =>
        each.checkVisibility()).map((each) => [css, each.getBoundingClientRect()]);
    const parts = [".watch-names", ".tools", ".stage > svg", ".caption", ".watch-bar"]
        .flatMap(shown);
    const out = [...parts, ...[".moves button", ".where"].flatMap(shown)].filter(([, box]) =>
        box.left < 0 || box.top < 0 || box.height < 10
        || box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
    const over = parts.filter(([, one], i) => parts.slice(i + 1).some(([, box]) =>
        Math.min(...Object.values(overlap(one, box))) > 1));
    return [...out, ...over].map(([css]) => css);
}"""
)
"""What of a frame is beyond its edge or lies over something else of it."""


def test_everything_fits_into_a_frame(person: Callable[..., Person], finished: Finished) -> None:
    first = SMALL_FRAMES[0]
    look = Look(width=first[0], height=first[1], language="fr-FR")
    page = watch(person("Eve", look), finished.game, f"?at={LONG - 40}", place="embed")
    for width, height in SMALL_FRAMES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN, [width, height])
        assert lasting(page, lambda: list(page.evaluate(FITS))) == [], f"{width} by {height}"
        # A planted fault: the board is as high as it likes.
        at = page.evaluate(RULE, ".stage { flex: 0 0 100vh !important; }")
        assert ".watch-bar" in page.evaluate(FITS), f"{width} by {height}"
        page.evaluate(UNRULE, at)
