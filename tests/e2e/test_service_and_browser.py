"""The fixtures themselves: what they promise the other tests."""

from __future__ import annotations

import inspect
import socket
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright._impl import _connection, _sync_base
from playwright.sync_api import Error, Page, expect

from tests.e2e.call_stacks import stack
from tests.e2e.clients import Client, finished_game
from tests.e2e.people import Person
from tests.e2e.serving import Service
from tests.e2e.watching import turn_to, watch
from tests.e2e.wire import Wire


def test_a_call_of_playwright_still_knows_where_it_was_made(own_modules: Page) -> None:
    """Its stack has the frames that the standard library finds, and errors name the call."""
    kept = [each[1:4] for each in stack(0)]
    theirs = [each[1:4] for each in inspect.stack(0)]
    assert [file for file, _, _ in kept] == [file for file, _, _ in theirs]
    assert kept[1:] == theirs[1:]
    for asking in (_sync_base, _connection):
        assert vars(asking)["inspect"].stack is stack
    with pytest.raises(Error, match=r"Page\.evaluate: Error: thrown"):
        own_modules.evaluate("() => { throw new Error('thrown'); }")


def test_modules_are_imported_where_cryptography_works(own_modules: Page) -> None:
    found = own_modules.evaluate(
        """async () => {
            const { h } = await import("/web/dom.js");
            return [h("b", { class: ["x", false] }, "y").outerHTML, typeof crypto.subtle.digest];
        }"""
    )
    assert found == ['<b class="x">y</b>', "function"]


def test_no_other_files_are_served_to_them(own_modules: Page) -> None:
    paths = {
        "/web/dom.js": 200,
        "/pages/fold.js": 200,
        "/web/none.js": 404,
        "/web/index.html": 404,
        "/web/..%2ftests/e2e/pages/fold.js": 404,
        "/tests/e2e/pages/fold.js": 404,
    }
    asked = "(paths) => Promise.all(paths.map(async (path) => (await fetch(path)).status))"
    assert own_modules.evaluate(asked, list(paths)) == list(paths.values())


def test_whoever_goes_within_the_page_does_not_load_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    """But for the game that is there: what a test looked for then might be what was there."""
    games = [client("Ada").opens("cooperation", 2) for _ in range(2)]
    eve = person("Eve")
    page = watch(eve, games[0])
    page.evaluate("window.kept = true")
    with pytest.raises(Error, match="is here"):
        eve.goes_to(f"/watch/{games[0]}?at=1")
    turn_to(eve, games[1])
    assert page.url.endswith(games[1])
    eve.goes_to("/")
    expect(page.locator(f"[data-game='{games[1]}']")).to_be_visible()
    assert page.evaluate("window.kept")


@pytest.mark.parametrize(
    ("event", "script", "complaint"),
    [
        ("console", "console.error('broken')", "console error: broken"),
        ("weberror", "setTimeout(() => { throw new Error('thrown') })", "exception: thrown"),
        (
            "console",
            "fetch('http://127.0.0.1:9/x').catch(() => 0)",
            "violates the document's Content Security Policy",
        ),
        ("console", "document.body.setAttribute('style', 'color: red')", "inline style"),
    ],
)
def test_what_goes_wrong_in_a_browser_is_noticed(
    person: Callable[..., Person], event: str, script: str, complaint: str
) -> None:
    ada = person("Ada")
    ada.allow(".")
    page = ada.opens("/")

    def noticed(_: object) -> bool:
        return any(complaint in said for said in ada.complaints)

    with ada.context.expect_event(event, noticed):
        page.evaluate(f"() => {{ {script}; }}")


def test_a_request_that_fails_is_noticed(person: Callable[..., Person]) -> None:
    """The browser itself says so; to listen to every request took a fifth of each page."""
    ada = person("Ada")
    ada.allow("ERR_CONNECTION_REFUSED")
    page = ada.opens("/")
    page.route("**/v1/nowhere", lambda route: route.abort("connectionrefused"))
    with ada.context.expect_event("console", lambda _: ada.complaints != []):
        page.evaluate("() => { fetch('/v1/nowhere').catch(() => 0); }")
    assert [each for each in ada.complaints if "console error: Failed to load" in each] != []


def test_a_wire_keeps_what_arrived_and_can_alter_and_cut_it(
    client: Callable[..., Client], wire: Callable[[int], Wire]
) -> None:
    port = int(client("Ada").url.rpartition(":")[2])
    line = wire(port)
    through = client("Grace", line.url)
    assert through.token.encode() in line.arrived
    line.alter = (b'"Grace"', b'"GRACE"')
    game = through.opens("solo", 1)
    through.sits(game)
    assert through.ask(f"/games/{game}").json()["names"] == {"1": {"name": "GRACE"}}
    line.alter = None
    line.cut()
    assert client("Eve").ask(f"/games/{game}").json()["names"] == {"1": {"name": "Grace"}}


def test_a_wire_cuts_what_is_only_half_open(
    service: Service, wire: Callable[[int], Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the browser would go on by it, as if nothing had been cut."""
    line = wire(service.port)
    opened = socket.create_connection

    def opens(address: tuple[str, int], *args: Any, **more: Any) -> socket.socket:
        if address[1] == service.port:
            line.cut()
        return opened(address, *args, **more)

    monkeypatch.setattr(socket, "create_connection", opens)
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{line.url}/health/live")


# By day whoever asks for ``finished`` has such a game.
@pytest.mark.nightly
def test_clients_play_whole_games(client: Callable[..., Client]) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = finished_game([ada, bob], "competition")
    assert ada.state(game)["phase"] == "finished"
    assert len(ada.lines(game)) == ada.version(game)
