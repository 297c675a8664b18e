"""Games to keep: the whole log in one answer, and a page that replays a game from a disk."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events import seal
from events.scripts import LogUnavailable
from service.api import export
from tests.service.small_page import write_page
from tests.service.stage import Json, Player, Stage, ok, problem, stage

ARCHIVE = re.compile(r'<script type="application/json" id="archive">(.*?)</script>', re.DOTALL)
NDJSON = {"accept": "application/x-ndjson"}


@pytest.fixture
async def on(store_url: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """A service with a small page."""
    async with stage(store_url, web=write_page(tmp_path)) as made:
        yield made


async def running(on: Stage, name: str = "Ada", **more: Any) -> tuple[Player, Player, str]:
    """A game of two in which the first has chosen a clue."""
    ada, bob = await on.player(name), await on.player("Bob")
    game = await on.game(ada, bob, **more)
    ok(await ada.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"}))
    return ada, bob, game


async def finished(on: Stage, name: str = "Ada", **more: Any) -> tuple[Player, Player, str]:
    """The same, over."""
    ada, bob, game = await running(on, name, **more)
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    return ada, bob, game


async def lines(who: Player, game: str, **more: Any) -> list[str]:
    """All events as pages have them."""
    answer = await who.get(f"/v1/games/{game}/events", NDJSON, limit=1000, **more)
    return answer.text.split("\n")[:-1]


def archive(text: str) -> Json:
    """What a page from a disk replays."""
    (found,) = ARCHIVE.findall(text)
    result: Json = msgspec.json.decode(found)
    return result


# --- the page ---


async def test_a_finished_game_is_one_file_that_holds_all_it_needs(on: Stage) -> None:
    _, _, game = await finished(on)
    answer = await on.stranger.get(f"/v1/games/{game}/replay.html")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    disposition = f'attachment; filename="parlour-{game}.html"'
    assert answer.headers["content-disposition"] == disposition
    found = archive(answer.text)
    assert (found["game"], found["viewer"], found["language"]) == (game, "public", "en")
    assert found["lines"] == await lines(on.stranger, game)
    for language in ("en", "fr", "pl"):
        book = await on.stranger.get("/v1/rulebooks/first_edition", lang=language)
        assert found["books"][language] == ok(book)
    assert found["words"] == {
        "en": {
            "common": {"common.title": "Room 25"},
            "watch": {},
            "games/halma": {"halma/name.game": "Halma"},
        },
        "fr": {"common": {"common.title": "La pièce 25"}},
    }
    assert "/web/" not in answer.text
    again = await on.stranger.get(
        f"/v1/games/{game}/replay.html", {"if-none-match": answer.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


async def test_the_lines_of_the_file_lead_to_the_head_of_the_game(on: Stage) -> None:
    _, _, game = await finished(on)
    answer = await on.stranger.get(f"/v1/games/{game}/replay.html")
    public = (line.encode() for line in archive(answer.text)["lines"])
    loaded = await on.service.app_context.tables.load(game)
    assert seal.chain(seal.genesis(game), 0, public) == loaded.head


@pytest.mark.parametrize("viewer", ["public", "seat:1", "seat:2", "full"])
async def test_after_the_end_everybody_may_keep_every_view(on: Stage, viewer: str) -> None:
    ada, _, game = await finished(on)
    expected = await lines(on.stranger, game, as_=viewer)
    for who in (on.stranger, ada):
        answer = await who.get(f"/v1/games/{game}/replay.html", as_=viewer)
        found = archive(answer.text)
        assert (found["viewer"], found["lines"]) == (viewer, expected)


async def test_a_player_keeps_the_public_view_unless_it_wishes_otherwise(on: Stage) -> None:
    ada, _, game = await finished(on)
    answer = await ada.get(f"/v1/games/{game}/replay.html")
    assert archive(answer.text)["viewer"] == "public"
    assert '"opened"' not in answer.text


async def test_a_running_game_has_no_such_file(on: Stage) -> None:
    ada, _, game = await running(on)
    path = f"/v1/games/{game}/replay.html"
    problem(await on.stranger.get(path), "game-not-finished")
    problem(await ada.get(path, as_="seat:1"), "game-not-finished")
    for viewer in ("seat:1", "full"):
        problem(await on.stranger.get(path, as_=viewer), "view-not-yours")


async def test_a_private_game_is_no_game_to_others(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada, visibility="private", invited=[bob.id])
    await on.sit(game, ada, bob)
    problem(await on.stranger.get(f"/v1/games/{game}/log.jsonl"), "game-not-found")
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    for what in ("replay.html", "log.jsonl"):
        problem(await on.stranger.get(f"/v1/games/{game}/{what}"), "game-not-found")
        assert (await bob.get(f"/v1/games/{game}/{what}")).status_code == 200


async def test_the_file_speaks_the_language_that_is_asked_for(on: Stage) -> None:
    _, _, game = await finished(on)
    path = f"/v1/games/{game}/replay.html"
    french = await on.stranger.get(path, {"accept-language": "fr-CA"})
    polish = await on.stranger.get(path, {"accept-language": "fr"}, lang="pl")
    assert [archive(each.text)["language"] for each in (french, polish)] == ["fr", "pl"]
    assert french.headers["etag"] != polish.headers["etag"]


async def test_no_name_of_a_player_can_break_out_of_the_archive(on: Stage) -> None:
    name = "</script><!--<script>&é"
    _, _, game = await finished(on, name)
    answer = await on.stranger.get(f"/v1/games/{game}/replay.html")
    text = answer.text
    assert name in str(archive(text)["names"])
    assert "</script><!--" not in text
    assert "\\u003c/script>" in text


async def test_the_same_game_makes_the_same_file(on: Stage) -> None:
    _, _, game = await finished(on)
    path = f"/v1/games/{game}/replay.html"
    assert (await on.stranger.get(path)).content == (await on.stranger.get(path)).content


# --- the log ---


@pytest.mark.parametrize("page", [1, 3, 512])
async def test_the_log_is_all_pages_in_one(on: Stage, page: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(export, "PAGE", page)
    ada, bob, game = await running(on)
    seen = set()
    for who, name in ((ada, "seat-1"), (bob, "seat-2"), (on.stranger, "public")):
        answer = await who.get(f"/v1/games/{game}/log.jsonl")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/x-ndjson"
        file = f'attachment; filename="parlour-{game}.{name}.jsonl"'
        assert answer.headers["content-disposition"] == file
        assert answer.headers["cache-control"] == "private, no-cache"
        assert answer.text.split("\n")[:-1] == await lines(who, game)
        seen.add(answer.content)
        tag = {"if-none-match": answer.headers["etag"]}
        assert (await who.get(f"/v1/games/{game}/log.jsonl", tag)).status_code == 304
    assert len(seen) == 2  # Bob has no secret yet, so he sees what the public does
    problem(await bob.get(f"/v1/games/{game}/log.jsonl", as_="seat:1"), "view-not-yours")
    problem(await bob.get(f"/v1/games/{game}/log.jsonl", as_="full"), "view-not-yours")


async def test_the_log_of_a_finished_game_opens_all_to_who_wishes(on: Stage) -> None:
    _, _, game = await finished(on)
    answer = await on.stranger.get(f"/v1/games/{game}/log.jsonl", as_="full")
    assert answer.text.split("\n")[:-1] == await lines(on.stranger, game, as_="full")
    assert '"opened"' in answer.text


async def test_a_log_that_cannot_be_read_is_a_problem(on: Stage, monkeypatch: Any) -> None:
    _, _, game = await running(on)

    async def broken(*_: Any, **__: Any) -> Any:
        raise LogUnavailable("gone")

    monkeypatch.setattr(on.service.app_context.tables, "events", broken)
    problem(await on.stranger.get(f"/v1/games/{game}/log.jsonl"), "store-unavailable")


async def test_records_have_a_name_to_keep_them_under(on: Stage) -> None:
    _, _, game = await finished(on)
    answer = await on.stranger.get(f"/v1/games/{game}/record")
    file = f'attachment; filename="parlour-{game}.record.jsonl"'
    assert answer.headers["content-disposition"] == file
