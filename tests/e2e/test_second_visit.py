"""What a browser keeps of the page for a second visit: its documents, and how they come to an end.

A document that is kept is given a mark, by which it is told from what the service gives. One in a
cache of another name is one of another release to the service worker.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.holding import heard
from tests.e2e.loading import KEPT, tables, waits_until
from tests.e2e.people import Person
from tests.e2e.serving import ROOT, Service
from tests.e2e.windows import RESTING
from tests.e2e.wire import Wire

RELEASING: Final = ROOT / "docs/releasing.md"
MARK: Final = "meta[name=marked]"
EARLIER: Final = "parlour.documents /assets/earlier/"
"""The cache of a release before this one."""

_MARKS: Final = """async ([address, earlier, place]) => {
    const kept = await caches.match(address);
    const [now] = await caches.keys();
    const text = (await kept.text()).replace("<title>", '<meta name="marked" /><title>');
    const placed = place ? text.replaceAll(/[/]assets[/]\\w+[/]/g, place) : text;
    const document = new Response(placed, kept);
    earlier && (await caches.delete(now));
    await (await caches.open(earlier ?? now)).put(address, document);
}"""
_ADDRESSES: Final = """async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const kept = await Promise.all(opened.map((cache) => cache.keys()));
    return kept.flat().map(({ url }) => url.slice(location.origin.length));
}"""
_TEXTS: Final = """async (addresses) =>
    Promise.all(addresses.map(async (address) => (await caches.match(address)).text()))"""
_WATCHES: Final = """
    navigation.addEventListener("navigate", (event) => { window.goes = event.navigationType; });
    navigator.serviceWorker.addEventListener("message", () => { window.told = true; });
"""
_TOUCHES: Final = """
    addEventListener("DOMContentLoaded", () => dispatchEvent(new Event("pointerdown")));
"""
"""A hand on the page as soon as its first script has run, before any message is heard."""


_PAGE: Final = '<!doctype html><meta name="files" content="/assets/x/" /><title>x</title>'
_KEEPS: Final = """async () => {
    await navigator.serviceWorker.register("/service-worker.js");
    (await navigator.serviceWorker.ready).active.postMessage(location.href);
}"""
_HAS_NOTHING: Final = """async () => {
    const workers = await navigator.serviceWorker.getRegistrations();
    return workers.length === 0 && (await caches.keys()).length === 0;
}"""


def left(person: Person, path: str = "/") -> Page:
    """A browser that was at an address and has kept its document, and is not there any more."""
    page = person.opens(path)
    waits_until(page, KEPT, path)
    page.goto(RESTING)
    return page


def marked(page: Page, path: str = "/", earlier: str | None = None, place: str = "") -> None:
    """Give what is kept of an address a mark, another release and another place of its files."""
    page.evaluate(_MARKS, [path, earlier, place])


def stands(page: Page) -> None:
    """Wait until there is a page."""
    expect(page.locator("h1")).to_be_visible()


def test_a_second_visit_shows_what_is_kept_and_a_reload_asks_the_service(
    returning: Callable[..., Person],
) -> None:
    page = left(returning("Ada"))
    marked(page)
    page.goto("/?at=7#live")
    stands(page)
    expect(page.locator(MARK)).to_have_count(1)
    page.goto(RESTING)
    waits_until(page, "async () => !/marked/.test(await (await caches.match('/')).text())")
    marked(page)
    page.goto("/")
    stands(page)
    expect(page.locator(MARK)).to_have_count(1)
    page.reload()
    stands(page)
    expect(page.locator(MARK)).to_have_count(0)


# By day a table that was opened by its address is kept, with other documents.
@pytest.mark.nightly
def test_a_table_that_was_reached_by_a_link_is_kept_too(
    returning: Callable[..., Person], finished: Finished
) -> None:
    ada = returning("Ada")
    page = left(ada)
    path = f"/watch/{finished.game}"
    page.goto("/")
    stands(page)
    ada.goes_to(f"{path}?at=12")
    waits_until(page, KEPT, path)
    assert set(page.evaluate(_ADDRESSES)) == {"/", path}


def test_a_page_of_an_earlier_release_is_loaded_anew_at_once(
    returning: Callable[..., Person],
) -> None:
    page = left(returning("Ada"))
    marked(page, earlier=EARLIER)
    page.goto("/")
    expect(page.locator(MARK)).to_have_count(0)
    stands(page)
    waits_until(page, "async (name) => !(await caches.keys()).includes(name)", EARLIER)


def test_who_has_begun_something_keeps_their_page_and_has_the_new_one_next_time(
    returning: Callable[..., Person],
) -> None:
    ada = returning("Ada")
    page = left(ada)
    marked(page, earlier=EARLIER)
    ada.runs_first(_WATCHES + _TOUCHES)
    page.goto("/")
    page.wait_for_function("window.told")
    assert page.evaluate("window.goes ?? null") is None
    stands(page)
    expect(page.locator(MARK)).to_have_count(1)
    page.goto(RESTING)
    page.goto("/")
    stands(page)
    expect(page.locator(MARK)).to_have_count(0)


def test_a_document_whose_files_have_all_gone_is_replaced(returning: Callable[..., Person]) -> None:
    ada = returning("Ada")
    ada.allow("404|MIME type")
    page = left(ada)
    marked(page, earlier=EARLIER, place=f"/assets/{'0' * 24}/")
    page.goto("/")
    stands(page)
    expect(page.locator(MARK)).to_have_count(0)


def test_without_the_service_a_page_that_is_kept_says_so_itself_and_one_that_is_no_more_is_dropped(
    returning: Callable[..., Person], wire: Callable[[int], Wire], service: Service
) -> None:
    line = wire(service.port)
    ada = returning("Ada", url=line.url)
    ada.allow(".")  # nothing is found
    page = left(ada)
    marked(page)
    with line.down():
        page.goto("/")
        expect(page.locator("#top nav")).to_be_visible()
        assert page.evaluate(_ADDRESSES) == ["/"]
    line.alter = (b"HTTP/1.1 200 ", b"HTTP/1.1 404 ")
    page.goto("/")
    expect(page.locator(MARK)).to_have_count(1)
    waits_until(page, f"async (address) => !(await ({KEPT})(address))", "/")


def test_nothing_is_kept_but_documents_and_nothing_of_anybody(
    returning: Callable[..., Person], client: Callable[..., Client], service: Service
) -> None:
    ada, own = returning("Ada"), client("Ada")
    ada.signs_in(own)
    table = next(iter(tables(service.url).values()))
    paths = ["/", f"/watch/{table}", "/?page=account"]
    for path in paths:
        left(ada, path)
    page = ada.page
    assert set(page.evaluate(_ADDRESSES)) == set(paths)
    found = " ".join(page.evaluate(_TEXTS, paths))
    assert found.count("<!doctype html>") == len(paths)
    for secret in (own.token, own.player, own.name):
        assert not re.search(rf"\b{re.escape(secret)}\b", found)
    # A planted fault: an answer of the service that is kept.
    page.evaluate("""async () =>
        (await caches.open("x")).put("/v1/rulebooks", new Response("{}"))""")
    assert "/v1/rulebooks" in page.evaluate(_ADDRESSES)


def test_of_many_documents_those_that_were_not_asked_for_longest_go(
    returning: Callable[..., Person],
) -> None:
    page = left(returning("Ada"))
    page.evaluate("""async () => {
        const cache = await caches.open((await caches.keys())[0]);
        const kept = await cache.match("/");
        for (let number = 0; number < 50; number += 1) {
            await cache.put(`/watch/g${number}`, kept.clone());
        }
        const { active } = await navigator.serviceWorker.ready;
        active.postMessage(new URL("/watch/last", location.href).href);
    }""")
    waits_until(page, KEPT, "/watch/last")
    waits_until(page, f"async () => (await ({_ADDRESSES})()).length === 50")
    kept = page.evaluate(_ADDRESSES)
    assert {"/", "/watch/g0"}.isdisjoint(kept)
    assert {"/watch/g1", "/watch/last"} <= set(kept)


class Releases(BaseHTTPRequestHandler):
    """A page and its service worker: ours, and later the one that takes it back."""

    script: ClassVar[str] = (ROOT / "web/worker/service-worker.js").read_text()

    def do_GET(self) -> None:
        """Send either."""
        is_page = self.path == "/"
        self.send_response(200)
        self.send_header("content-type", "text/html" if is_page else "text/javascript")
        self.send_header("cache-control", "no-cache")
        self.end_headers()
        self.wfile.write((_PAGE if is_page else self.script).encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_a_release_takes_the_service_worker_back(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Releases) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page(base_url=f"http://127.0.0.1:{server.server_port}")
        page.goto("/")
        page.evaluate(_KEEPS)
        waits_until(page, KEPT, "/")
        (script,) = re.findall(r"```js\n(.*?)```", RELEASING.read_text(), re.DOTALL)
        monkeypatch.setattr(Releases, "script", script)
        page.evaluate("async () => { await (await navigator.serviceWorker.ready).update(); }")
        waits_until(page, _HAS_NOTHING)
        page.context.close()
        server.shutdown()


# By day nearly all other tests are in a browser that keeps nothing.
@pytest.mark.nightly
def test_where_nothing_can_be_kept_the_page_is_as_it_was(person: Callable[..., Person]) -> None:
    ada = person("Ada")
    for _ in range(2):
        stands(ada.opens("/"))
        heard(ada.page)
        assert ada.page.evaluate(_ADDRESSES) == []
        ada.page.goto(RESTING)
