"""Pictures: what they show, to whom, and that they are safe to show anywhere."""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from tests.service.stage import Player, Stage, ok, problem

SVG: Final = {"accept": "image/svg+xml"}
HOSTILE: Final = "<script>alert(1)</script>&\"'"
OUTWARD: Final = re.compile(r"\b(?:href|src)\s*=|url\((?!#)")
"""With its sign: the letters alone may stand in any id."""


async def pair(on: Stage) -> tuple[Player, Player, str]:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    return ada, bob, await on.game(ada, bob)


def shape(image: str) -> tuple[str | None, str | None, str | None]:
    root = ET.fromstring(image)  # noqa: S314 (our own image)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return root.get("width"), root.get("height"), root.get("viewBox")


async def test_a_state_is_drawn_for_who_asks_for_an_image(on: Stage) -> None:
    ada, _, game = await pair(on)
    path = f"/v1/games/{game}/state"
    answer = await ada.get(path, SVG)
    version = ok(await ada.get(path))["version"]
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["etag"] == f'"{version}-seat:1-svg"'
    assert answer.headers["vary"] == "authorization, accept, origin"
    assert answer.headers["cache-control"] == "private, no-cache"
    assert f"version {version}, as seat:1" in answer.text
    shape(answer.text)
    early = await on.stranger.get(path, SVG, at=2)
    assert "version 2, as public" in early.text
    assert early.headers["etag"] == '"2-public-svg"'
    public = await ada.get(path, SVG, as_="public", at=version)
    assert (await on.stranger.get(path, SVG)).text == public.text != answer.text
    problem(await ada.get(path, SVG, as_="seat:2"), "view-not-yours")
    problem(await ada.get(path, SVG, at=99), "version-not-found")
    for accept in ("image/avif,image/*,*/*;q=0.8", "image/svg+xml;q=0.9, application/json;q=0.1"):
        assert (await ada.get(path, {"accept": accept})).text == answer.text
    for accept in ("*/*", "text/html,*/*;q=0.8", "application/json", "text/html"):
        assert ok(await ada.get(path, {"accept": accept}))["version"] == version


async def test_a_picture_that_is_known_is_not_sent_again(on: Stage) -> None:
    ada, _, game = await pair(on)
    for path, headers in (
        ("state", SVG),
        ("state?at=3", SVG),
        ("preview.svg", {}),
        ("preview.png", {}),
    ):
        first = await ada.get(f"/v1/games/{game}/{path}", headers)
        known = headers | {"if-none-match": first.headers["etag"]}
        again = await ada.get(f"/v1/games/{game}/{path}", known)
        assert (again.status_code, again.content) == (304, b"")
        for name in ("etag", "cache-control", "vary", "content-security-policy"):
            assert again.headers[name] == first.headers[name]
    view = await ada.get(f"/v1/games/{game}/state")
    known = SVG | {"if-none-match": view.headers["etag"]}
    assert (await ada.get(f"/v1/games/{game}/state", known)).status_code == 200, "another form"


async def test_a_preview_shows_what_the_public_sees_to_everybody(on: Stage) -> None:
    players = [await on.player(name) for name in ("Ada", "Bob", "Cy", "Di")]
    game = await on.table(players[0], mode="suspicion", seats=4)
    path = f"/v1/games/{game}/preview.svg"
    assert "Free seats: 4 of 4" in (await on.stranger.get(path)).text
    await on.sit(game, *players)
    answer = await on.stranger.get(path)
    assert shape(answer.text) == ("1200", "630", "0 0 1200 630")
    assert answer.headers["cache-control"] == "public, max-age=30"
    assert answer.headers["vary"] == "authorization, accept-language, origin"
    assert [(await each.get(path)).text for each in players] == [answer.text] * 4
    assert (await players[0].get(path, as_="seat:1")).status_code == 400, "it has no other eyes"
    for role in ("prisoner", "guard"):
        assert role not in answer.text
    hidden = (await players[0].get(f"/v1/games/{game}/state", SVG)).text
    assert "prisoner" in hidden or "guard" in hidden


@pytest.mark.parametrize("kind", ["svg", "png"])
async def test_a_preview_speaks_the_language_that_is_asked_for(on: Stage, kind: str) -> None:
    game = await on.table(await on.player("Ada"))
    path = f"/v1/games/{game}/preview.{kind}"
    french = await on.stranger.get(path, {"accept-language": "fr-CA, en;q=0.5"})
    polish = await on.stranger.get(f"{path}?lang=pl", {"accept-language": "fr"})
    assert [each.headers["content-language"] for each in (french, polish)] == ["fr", "pl"]
    assert french.headers["etag"] != polish.headers["etag"]
    assert french.content != polish.content
    known = {"if-none-match": french.headers["etag"]}
    assert (await on.stranger.get(f"{path}?lang=fr", known)).status_code == 304
    assert (await on.stranger.get(f"{path}?lang=pl", known)).status_code == 200
    problem(await on.stranger.get(f"{path}?lang=tlh"), "invalid-parameter")
    if kind == "svg":
        assert "Places libres" in french.text
        assert "Wolne miejsca" in polish.text


async def test_a_preview_shows_any_moment_that_everybody_may_see(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, delay={"turns": 1})
    path = f"/v1/games/{game}"
    newest, seen = ok(await ada.get(path))["version"], ok(await on.stranger.get(path))["version"]
    first = await on.stranger.get(f"{path}/preview.svg", at=1)
    assert first.headers["etag"] == '"1-preview-en"'
    assert "Free seats: 2 of 2" in first.text
    for kind in ("svg", "png"):
        assert (await on.stranger.get(f"{path}/preview.{kind}", at=seen)).status_code == 200
        for who in (on.stranger, ada):
            late = await who.get(f"{path}/preview.{kind}", at=newest)
            assert problem(late, "version-not-found")["detail"] == f"the newest version is {seen}"
        problem(await on.stranger.get(f"{path}/preview.{kind}", at=0), "invalid-parameter")


async def test_pictures_run_nothing_and_may_stand_on_any_page(on: Stage) -> None:
    ada = await on.player("Ada")
    game = await on.table(ada)
    ok(await ada.post(f"/v1/games/{game}/seats", {"name": HOSTILE}), 201)
    for path in ("state", "preview.svg"):
        answer = await on.stranger.get(f"/v1/games/{game}/{path}", SVG)
        policies = answer.headers.get_list("content-security-policy")
        assert policies == ["default-src 'none'; style-src 'unsafe-inline'"]
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "&lt;script&gt;" in answer.text
        assert "<script" not in answer.text
        assert not OUTWARD.search(answer.text)
        assert not re.search(r"\son\w+=", answer.text)


async def test_pictures_of_a_private_table_are_for_its_people(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada, visibility="private")
    for path in ("state", "preview.svg", "preview.png"):
        for who in (on.stranger, bob):
            hidden = await who.get(f"/v1/games/{game}/{path}", SVG)
            nowhere = await who.get(f"/v1/games/{game[:-1]}0/{path}", SVG)
            problem(hidden, "game-not-found")
            assert hidden.content == nowhere.content
        own = await ada.get(f"/v1/games/{game}/{path}", SVG)
        assert own.status_code == 200
        assert own.headers["cache-control"] == "private, no-cache"


async def test_a_picture_of_a_delayed_game_shows_what_may_be_seen(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, delay={"turns": 1})
    path = f"/v1/games/{game}"
    version = ok(await on.stranger.get(path))["version"]
    newest = ok(await ada.get(path))["version"]
    assert version < newest
    drawn = await on.stranger.get(f"{path}/state", SVG)
    assert drawn.headers["etag"] == f'"{version}-public-svg"'
    assert "in the middle of a command" in drawn.text
    assert (await ada.get(f"{path}/preview.svg")).headers["etag"] == f'"{version}-preview-en"'
    assert (await ada.get(f"{path}/preview.png")).headers["etag"] == f'"{version}-preview-png-en"'
    assert (await ada.get(f"{path}/state", SVG)).headers["etag"] == f'"{newest}-seat:1-svg"'
    problem(await on.stranger.get(f"{path}/state", SVG, at=newest), "version-not-found")
