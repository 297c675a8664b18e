"""Pictures as PNG: their size, their letters, and that each is drawn once."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Final

import pytest

from service.api.pictures import PNG_READS
from service.http import rasterizing
from service.http.rasterizing import Rasterizer, draw
from service.http.replies import PNG
from tests.service.stage import Stage, problem, stage

_START: Final = b"\x89PNG\r\n\x1a\n"


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height, from the first chunk (PNG, 11.2.1)."""
    assert png.startswith(_START)
    assert png[12:16] == b"IHDR"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def written(text: str, weight: int = 400) -> str:
    style = f"font-family:ui-sans-serif,system-ui,sans-serif;font-weight:{weight}"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40">'
        f'<text x="4" y="30" style="{style}">{text}</text></svg>'
    )


def test_it_has_its_own_size() -> None:
    assert size_of(draw(written("A"))) == (80, 40)


def test_letters_are_drawn_in_the_font_that_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = "AaÉéŁłŻżĞŠß5?"
    drawn = {letter: draw(written(letter)) for letter in letters}
    assert len({*drawn.values(), draw(written(""))}) == len(letters) + 1, "each looks different"
    assert draw(written("A", 700)) != drawn["A"], "bold letters are"
    monkeypatch.setattr(rasterizing, "_FONTS", [])
    monkeypatch.setattr(rasterizing, "_FAMILY", "a font that no machine has")
    assert draw(written("A")) != drawn["A"], "without the font"


def test_what_is_no_image_is_refused() -> None:
    with pytest.raises(ValueError, match="root node"):
        draw("<nothing")


async def test_each_is_drawn_once_and_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    now = most = 0

    def noted(svg: str) -> bytes:
        drawn.append(svg)
        return svg.encode()

    async def slowly(make: Callable[[], bytes]) -> bytes:
        """In place of a thread: whoever else may draw meanwhile begins."""
        nonlocal now, most
        now += 1
        most = max(most, now)
        for _ in range(5):
            await asyncio.sleep(0)
        now -= 1
        return make()

    monkeypatch.setattr(rasterizing, "draw", noted)
    monkeypatch.setattr(asyncio, "to_thread", slowly)
    rasterizer = Rasterizer()
    wanted = ["one", "two", "one", "three", "two"]
    found = await asyncio.gather(*map(rasterizer.png, wanted))
    assert found == [each.encode() for each in wanted]
    assert await rasterizer.png("one") == b"one"
    assert sorted(drawn) == ["one", "three", "two"]
    assert most == 1


async def test_a_preview_is_the_same_picture_as_png(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada)
    path = f"/v1/games/{game}/preview.png"
    before = await on.stranger.get(path)
    assert before.headers["content-type"] == PNG
    assert size_of(before.content) == (1200, 630)
    await on.sit(game, ada, bob)
    after = await on.stranger.get(path)
    assert after.content != before.content
    picture = (await on.stranger.get(f"/v1/games/{game}/preview.svg")).text
    assert after.content == draw(picture)
    assert (await ada.get(path)).content == after.content, "a player's is the public's"


async def test_a_preview_as_png_weighs_as_much_as_it_costs(store_url: str) -> None:
    # A quarter of what a minute allows may be asked for at once.
    async with stage(store_url, reads_per_minute=4 * (PNG_READS + 1)) as on:
        game = await on.table(await on.player("Ada"))
        path = f"/v1/games/{game}/preview.png"
        who = await on.player("Bob")
        answer = await who.get(path)
        assert answer.headers["ratelimit"].startswith('"reads";r=1;')
        problem(await who.get(path), "rate-limited")
