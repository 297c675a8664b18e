"""Compression: what is the same for everybody, once, by negotiation."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.http.compression import Compressor, takes_gzip
from service.http.replies import Fixed
from tests.service.listening import listen
from tests.service.stage import PLACE, Json, Player, Stage, ok, stage

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT: Json = msgspec.json.decode((ROOT / "openapi/openapi.json").read_bytes())
BASE = "https://games.example"
GZIP = {"accept-encoding": "gzip"}

ALWAYS = {
    *(
        "/v1",
        "/v1/openapi.json",
        "/v1/asyncapi.json",
        "/problems",
        "/v1/rulebooks",
        "/v1/rulebooks/{rulebook}",
    ),
    *("/", "/watch/{game}", "/embed/{game}"),
    *(f"{PLACE}/chunks/main.js", f"{PLACE}/words/fr/common.json"),
}
OF_THE_FINISHED = {
    f"/v1/games/{{game}}{rest}"
    for rest in ("", "/state", "/events", "/log.jsonl", "/record", "/replay.html", "/preview.svg")
}
PAGES = (
    *("/", "/watch/{game}", "/embed/{game}"),
    *(f"{PLACE}/chunks/main.js", f"{PLACE}/words/fr/common.json"),
)


async def bytes_of(who: Player, path: str, headers: Mapping[str, str]) -> tuple[Any, bytes]:
    """An answer, and its body as it was sent."""
    sent = who.headers(headers)
    async with who.http.stream("GET", path, headers=sent) as answer:
        return answer, b"".join([part async for part in answer.aiter_raw()])


async def games(on: Stage) -> tuple[Player, str, str]:
    """A player, a running game of hers and one that is over."""
    ada, bob = await on.player("Ada"), await on.player("Bob")
    live, over = await on.game(ada, bob), await on.game(ada, bob)
    ok(await on.operator.post(f"/v1/games/{over}/annul", {"reason": "other"}))
    await on.list_up()
    return ada, live, over


def filled(path: str, game: str, player: str) -> str:
    values = {"game": game, "player": player, "rulebook": "bga", "problem": "not-found"}
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return f"{path}?url={BASE}/watch/{game}" if path == "/v1/oembed" else path


async def test_what_is_the_same_for_everybody_and_nothing_else_is_compressed(
    store_url: str,
) -> None:
    async with stage(store_url, public_url=BASE) as on:
        ada, live, over = await games(on)
        paths = [path for path, methods in DOCUMENT["paths"].items() if "get" in methods]
        met = set()
        for path in (*(p for p in paths if p != "/v1/stream"), *PAGES):
            for game in (live, over):
                there = filled(path, game, ada.id)
                for who in (ada, on.stranger, Player(on.http, "r25.wrong")):
                    answer, body = await bytes_of(who, there, GZIP)
                    packed = answer.headers.get("content-encoding")
                    public = path in ALWAYS or (game == over and path in OF_THE_FINISHED)
                    expected = who.token is None and public and answer.status_code == 200
                    assert (packed == "gzip") is expected, (there, who.token, answer.status_code)
                    if expected:
                        met.add(path)
                        plain, whole = await bytes_of(who, there, {"accept-encoding": "identity"})
                        assert gzip.decompress(body) == whole
                        assert int(answer.headers["content-length"]) == len(body)
                        assert "content-encoding" not in plain.headers
                        for each in (answer, plain):
                            assert "accept-encoding" in each.headers["vary"].split(", ")
                            assert len(each.headers.get_list("vary")) == 1
                        assert len(body) < len(whole)
        assert met == ALWAYS | OF_THE_FINISHED


async def test_no_stream_is_compressed(on: Stage) -> None:
    ada, live, over = await games(on)
    for who, game in ((on.stranger, live), (on.stranger, over), (ada, live)):
        path = f"/v1/games/{game}/events"
        async with listen(on, who, path, GZIP) as stream:
            await stream.next()
            assert "content-encoding" not in stream.headers
    async with listen(on, ada, "/v1/stream", GZIP) as stream:
        await stream.next()
        assert "content-encoding" not in stream.headers


async def test_each_coding_has_a_tag_of_its_own_and_either_is_known_again(store_url: str) -> None:
    async with stage(store_url, public_url=BASE) as on:
        ada, _, over = await games(on)
        for path in sorted(ALWAYS | OF_THE_FINISHED):
            there = filled(path, over, ada.id)
            plain = await on.stranger.get(there)
            packed = await on.stranger.get(there, GZIP)
            strong, weak = plain.headers["etag"], packed.headers["etag"]
            assert strong.startswith('"')
            assert weak == f'W/{strong[:-1]}-gzip"'
            for known in (strong, weak, f'"other", {weak}', f"W/{strong}", "*"):
                for headers, whole in (({}, plain), (GZIP, packed)):
                    for method in ("GET", "HEAD"):
                        given = {**headers, "if-none-match": known}
                        again = await on.http.request(method, there, headers=given)
                        assert (again.status_code, again.content) == (304, b""), (there, known)
                        for name in ("etag", "vary", "cache-control"):
                            assert again.headers.get(name) == whole.headers.get(name), there
                        assert "content-encoding" not in again.headers
            other = {**GZIP, "if-none-match": '"other-gzip", W/"x-gzip"'}
            assert (await on.stranger.get(there, other)).status_code == 200


async def test_head_says_what_get_says_of_either_coding(on: Stage) -> None:
    _, _, over = await games(on)
    for path in ("/v1/openapi.json", f"{PLACE}/chunks/main.js", f"/v1/games/{over}/log.jsonl"):
        for headers in (GZIP, {"accept-encoding": "identity"}):
            whole = await on.http.get(path, headers=headers)
            bare = await on.http.head(path, headers=headers)
            assert bare.content == b""
            for name in ("content-length", "content-encoding", "etag", "vary", "content-type"):
                assert bare.headers.get(name) == whole.headers.get(name)


@pytest.mark.parametrize(
    ("header", "packed"),
    [
        (None, False),
        ("", False),
        ("gzip", True),
        ("GZip", True),
        ("x-gzip", True),
        ("deflate, br;q=1.0, gzip;q=0.1", True),
        ("gzip ; q=0.5 , identity; q=0.5", True),
        ("gzip;q=0.5, identity;q=0.8", False),
        ("gzip;q=0.001, identity;q=0", True),
        ("*", True),
        ("*;q=0.5, gzip;q=0", False),
        ("*;q=0", False),
        ("identity;q=0", False),
        ("identity;q=0, *", True),
        ("identity, *;q=0.5", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip;q=0.000", False),
        ("gzip;q=2", False),
        ("gzip;q=1.5, br", False),
        ("gzip;quality=1", False),
        ("gzipped, ungzip", False),
        ("br, zstd", False),
        ("gzip\n", False),
        (", ,gzip,", True),
    ],
)
def test_the_client_chooses(header: str | None, packed: bool) -> None:  # noqa: FBT001
    assert takes_gzip(header) is packed


async def test_the_choice_reaches_the_answer(on: Stage) -> None:
    for header, coding in (("gzip;q=0, *", None), ("identity;q=0, gzip", "gzip"), ("br", None)):
        answer = await on.stranger.get("/problems", {"accept-encoding": header})
        assert answer.status_code == 200
        assert answer.headers.get("content-encoding") == coding
    # Neither is taken: it comes as it is, as if nothing had been asked (RFC 9110 §12.4.1).
    answer = await on.stranger.get("/problems", {"accept-encoding": "*;q=0"})
    assert (answer.status_code, "content-encoding" in answer.headers) == (200, False)


# --- kept ---


class Counting:
    """Counts how often something is compressed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        self._real = gzip.compress
        monkeypatch.setattr(gzip, "compress", self)

    def __call__(self, *given: Any, **named: Any) -> bytes:
        self.times += 1
        return self._real(*given, **named)


async def test_each_is_compressed_once(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    count = Counting(monkeypatch)
    _, _, over = await games(on)
    paths = ("/v1/openapi.json", "/v1/rulebooks/bga", f"/v1/games/{over}")
    for path in paths:
        answers = await asyncio.gather(*(on.http.get(path, headers=GZIP) for _ in range(5)))
        assert len({answer.content for answer in answers}) == 1
    assert count.times == len(paths)
    for _ in range(5):
        await on.http.get(f"{PLACE}/chunks/main.js", headers=GZIP)
    assert count.times == len(paths), "the page's files were compressed when it was read"
    assert on.service.app_context.compressor.size > 1000


class Asking:
    """As much of a request as counts here."""

    def __init__(self) -> None:
        self.scope: Json = {"headers": [(b"accept-encoding", b"gzip")]}

    def header(self, name: bytes) -> str | None:
        return {b"accept-encoding": "gzip"}.get(name)


async def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    count, asking = Counting(monkeypatch), Asking()
    compressor, made = Compressor(kept=200), [Fixed.of(b"%d" % n * 50) for n in range(20)]
    for body in made:
        reply = await compressor.fixed(asking, body)  # type: ignore[arg-type]  # enough of a request
        assert gzip.decompress(reply.body) == body.body
        assert compressor.size <= 200
    assert count.times == len(made)
    for body in (made[-1], made[0]):
        await compressor.fixed(asking, body)  # type: ignore[arg-type]  # as above
    assert count.times == len(made) + 1, "the newest was there, the oldest was not"
    large = Fixed.of(bytes(range(256)))
    for times in (1, 2):
        await compressor.fixed(asking, large)  # type: ignore[arg-type]  # as above
        assert count.times == len(made) + 1 + times, "larger than all that is kept"
    assert 0 < compressor.size <= 200
    await compressor.fixed(asking, made[0])  # type: ignore[arg-type]  # as above
    assert count.times == len(made) + 3, "and it drives out nothing"


async def test_who_hangs_up_keeps_nobody_else_waiting() -> None:
    compressor, asking, body = Compressor(), Asking(), Fixed.of(b"x" * 100_000)
    first = asyncio.create_task(compressor.fixed(asking, body))  # type: ignore[arg-type]  # as above
    await asyncio.sleep(0)
    second = asyncio.create_task(compressor.fixed(asking, body))  # type: ignore[arg-type]  # as above
    await asyncio.sleep(0)
    first.cancel()
    assert gzip.decompress((await second).body) == body.body
