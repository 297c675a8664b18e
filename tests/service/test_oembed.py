"""oEmbed: how other sites frame a game, without a word about whether it exists."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from tests.service.stage import Json, Stage, ok, problem, stage

BASE = "https://games.example"
NOBODYS = "g00-00000000000000000000000000"
PATH = "/v1/oembed"


class Frame(HTMLParser):
    """The attributes of the only element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


async def embedding(on: Stage, **queries: Any) -> Json:
    """The answer about a game."""
    return ok(await on.stranger.get(PATH, url=f"{BASE}/watch/{NOBODYS}", **queries))


async def test_a_game_is_framed_by_its_embedded_page(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        found = await embedding(on)
        assert (found["version"], found["type"], found["provider_url"]) == ("1.0", "rich", BASE)
        ((tag, attributes),) = Frame(found["html"]).found
        assert (tag, attributes["src"]) == ("iframe", f"{BASE}/embed/{NOBODYS}")
        sizes = (str(found["width"]), str(found["height"]))
        assert (attributes["width"], attributes["height"]) == sizes
        for page in (f"{BASE}/embed/{NOBODYS}", f"{BASE}/watch/{NOBODYS}?at=4&as=public#x"):
            assert ok(await on.stranger.get(PATH, url=page, format="json")) == found


async def test_a_frame_is_as_large_as_is_allowed_and_never_too_small(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        for wish, expected in (({}, (800, 640)), ({"maxwidth": 500}, (500, 640))):
            found = await embedding(on, **wish)
            assert (found["width"], found["height"]) == expected
        found = await embedding(on, maxwidth=1, maxheight=9999)
        assert (found["width"], found["height"]) == (320, 640)
        problem(await on.stranger.get(PATH, url=BASE, maxwidth=0), "invalid-parameter")


async def test_a_thumbnail_is_named_where_its_size_is_allowed(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        for allowed in ({}, {"maxwidth": 1200, "maxheight": 630}, {"maxheight": 9999}):
            found = await embedding(on, **allowed)
            assert found["thumbnail_url"] == f"{BASE}/v1/games/{NOBODYS}/preview.png"
            assert (found["thumbnail_width"], found["thumbnail_height"]) == (1200, 630)
        for less in ({"maxwidth": 1199}, {"maxheight": 629}):
            assert not [name for name in await embedding(on, **less) if "thumbnail" in name]


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", BASE, f"{BASE}/", f"{BASE}/watch/", f"{BASE}/watch/{NOBODYS}x"),
        f"https://games.example.org/watch/{NOBODYS}",
        f"http://games.example/watch/{NOBODYS}",
        f'{BASE}/watch/{NOBODYS}"><script>',
        f"{BASE}/v1/games/{NOBODYS}",
        f"{BASE}/watch/../embed/{NOBODYS}",
    ],
)
async def test_other_addresses_are_none_of_ours(store_url: str, url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        problem(await on.stranger.get(PATH, url=url), "not-found")


async def test_a_service_that_does_not_know_its_address_embeds_nothing(on: Stage) -> None:
    problem(await on.stranger.get(PATH, url=f"http://test/watch/{NOBODYS}"), "not-found")


async def test_an_address_is_needed_and_json_is_all_there_is(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        problem(await on.stranger.get(PATH), "invalid-parameter")
        url = f"{BASE}/watch/{NOBODYS}"
        problem(await on.stranger.get(PATH, url=url, format="xml"), "invalid-parameter")


async def test_private_games_and_none_are_answered_alike(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        game = await on.table(await on.player(), visibility="private")
        answers = [
            await on.stranger.get(PATH, url=f"{BASE}/watch/{name}") for name in (game, NOBODYS)
        ]
        assert answers[0].text.replace(game, "") == answers[1].text.replace(NOBODYS, "")
