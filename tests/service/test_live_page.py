"""The page and the limit of streams in a process of its own, over real connections."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest

from service.page.static_files import WEB, read_site
from tests.service.live import LONG, Live, live
from tests.service.stage import PLACE, fresh

pytestmark = pytest.mark.slow
SSE = {"accept": "text/event-stream"}


@pytest.fixture
def running(store_url: str) -> Iterator[Live]:
    """A service that lets strangers have two streams."""
    with live(store_url, streams_per_address=2) as found:
        yield found


def opened(url: str) -> str:
    """A table that anybody may look at."""
    made = httpx.post(
        f"{url}/v1/players", json={"name": "Ada"}, headers={"idempotency-key": fresh()}
    ).json()
    headers = {
        "idempotency-key": fresh(),
        "authorization": f"Bearer {made['token']['token']}",
    }
    wish = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}
    game: str = httpx.post(f"{url}/v1/games", json=wish, headers=headers).json()["game"]
    return game


def test_every_way_to_break_a_connection_gives_the_place_back(running: Live) -> None:
    path = f"/v1/games/{opened(running.url)}/events"
    head = f"GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n".encode()
    with httpx.stream("GET", running.url + path, headers=SSE, timeout=LONG) as first:
        assert first.status_code == 200
        for _ in range(5):  # each is broken off, rudely, before the next
            _until_open(running, head)
        for _ in range(5000):
            with httpx.stream("GET", running.url + path, headers=SSE, timeout=LONG) as second:
                if second.status_code == 200:
                    refused = httpx.get(running.url + path, headers=SSE, timeout=LONG)
                    assert refused.status_code == 429
                    assert refused.headers["retry-after"] == "10"
                    assert refused.json()["type"] == "/problems/too-many-streams"
                    break
        else:
            pytest.fail("the place was never given back")
    for _ in range(5000):
        if "parlour_streams 0.0" in httpx.get(f"{running.url}/metrics").text:
            break
    else:
        pytest.fail("a place was never given back")
    assert "parlour_stream_callers 0.0" in httpx.get(f"{running.url}/metrics").text


def _until_open(running: Live, head: bytes) -> None:
    """Open the second stream, as soon as its place is free, and cut it off."""
    for _ in range(5000):
        with socket.create_connection(("127.0.0.1", running.port), LONG) as connection:
            connection.sendall(head)
            answer = connection.recv(100)
            if answer.startswith(b"HTTP/1.1 200"):
                return
            assert answer.startswith(b"HTTP/1.1 429")
    pytest.fail("the place was never given back")


def test_the_page_is_there_and_nothing_above_it(running: Live) -> None:
    index = read_site(WEB).document("lobby", "en").body
    assert httpx.get(running.url).content == index
    head = httpx.head(running.url, headers={"accept-encoding": "identity"})
    assert (head.content, head.headers["content-length"]) == (b"", str(len(index)))
    for path in (
        *(f"{PLACE}/../pyproject.toml", f"{PLACE}/%2e%2e/pyproject.toml", f"{PLACE}/", PLACE),
        *("/assets/", "/assets", "/assets/../pyproject.toml", "/web/main.js"),
    ):
        with socket.create_connection(("127.0.0.1", running.port), LONG) as connection:
            connection.sendall(
                f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode()
            )
            with connection.makefile("rb") as file:
                answer = file.read()
        assert answer.startswith(b"HTTP/1.1 404")
        assert b"[build-system]" not in answer
