"""The page and its files: which addresses give it, with which headers, and what they keep quiet."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from events.log import StreamLog
from events.scripts import LogUnavailable
from service.app import create_service
from service.http.replies import content_tag
from service.page.static_files import (
    INDEX,
    MEDIA_TYPES,
    WEB,
    File,
    SiteError,
    StaticFiles,
    read_site,
)
from tests.service.stage import Stage, ok, problem, settings_for, stage

DOCUMENT = (
    b'<!doctype html>\n<html lang="en">\n  <head>\n    <title>x</title>\n  </head>\n</html>\n'
)
NOBODYS = "g00-00000000000000000000000000"
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FILES = {
    "main.js": b"export const a = 1;\n",
    "style/base.css": b"body { color: black; }\n",
    "words/en/common.json": b"{}",
    "icon.svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "licence.txt": "née\n".encode(),
}
MAIN = "chunks/main.js"
SERVED = {name: body for name, body in FILES.items() if name != "main.js"} | {
    MAIN: b"// main.js\nconst $main = (() => {\n"
    b"const a = 1;\n\nreturn { a };\n})();\nexport { $main };\n"
}
RELEASE = StaticFiles(
    DOCUMENT, {name: File(body, "", content_tag(body)) for name, body in sorted(FILES.items())}
).digest
FILES_AT = f"/assets/{RELEASE}"
SENT = DOCUMENT.replace(
    b"</head>",
    b'  <link rel="preload" as="fetch" crossorigin href="%b/words/en/common.json" />\n  </head>'
    % FILES_AT.encode(),
)
"""The document of this page for a reader of English: it has words, and its module imports none."""


def folder(at: Path) -> Path:
    """A page of our own, with a few things beside it that are none of its business."""
    web = at / "web"
    for name, content in {INDEX: DOCUMENT, **FILES}.items():
        (web / name).parent.mkdir(parents=True, exist_ok=True)
        (web / name).write_bytes(content)
    (web / ".hidden.js").write_bytes(b"planted")
    (web / ".git").mkdir()
    (web / ".git" / "config.txt").write_bytes(b"planted")
    (web / "notes.md").write_bytes(b"planted")
    (at / "secret.txt").write_bytes(b"planted")
    (web / "link.txt").symlink_to(at / "secret.txt")
    return web


@pytest.fixture
async def page(store_url: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """A service with a page of its own."""
    async with stage(store_url, web=folder(tmp_path)) as made:
        yield made


def policy(answer: httpx.Response) -> dict[str, str]:
    """The directives of an answer's only content security policy."""
    (found,) = answer.headers.get_list("content-security-policy")
    pairs = (each.strip().partition(" ") for each in found.split(";"))
    return {name: value for name, _, value in pairs}


@pytest.mark.parametrize("path", ["/", f"/watch/{NOBODYS}", f"/embed/{NOBODYS}", "/watch/anything"])
async def test_the_document_is_what_every_address_of_the_page_gives(page: Stage, path: str) -> None:
    answer = await page.stranger.get(path)
    assert (answer.status_code, answer.content) == (200, SENT)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert "set-cookie" not in answer.headers
    again = await page.stranger.get(path, {"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert policy(again) == policy(answer)


async def test_the_policy_lets_the_page_run_its_own_files_and_nothing_else(page: Stage) -> None:
    found = policy(await page.stranger.get("/"))
    assert found == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "worker",
    }


async def test_only_the_embedded_page_may_stand_in_a_frame_and_that_is_all(page: Stage) -> None:
    alone = await page.stranger.get(f"/watch/{NOBODYS}")
    framed = await page.stranger.get(f"/embed/{NOBODYS}")
    assert policy(framed) == policy(alone) | {"frame-ancestors": "*"}
    different = {"x-request-id", "content-security-policy"}
    headers = [
        {name: value for name, value in each.headers.items() if name not in different}
        for each in (alone, framed)
    ]
    assert headers[0] == headers[1]
    for path in (f"{FILES_AT}/{MAIN}", "/v1/rulebooks", f"/v1/games/{NOBODYS}"):
        assert policy(await page.stranger.get(path))["frame-ancestors"] == "'none'"


async def test_the_page_does_not_tell_whether_a_game_exists(store_url: str, tmp_path: Path) -> None:
    web = folder(tmp_path)
    async with stage(store_url, web=web, public_url="https://games.example") as on:
        ada = await on.player()
        game = await on.table(ada, visibility="private")
        problem(await on.stranger.get(f"/v1/games/{game}"), "game-not-found")
        for kind in ("watch", "embed"):
            seen = []
            for who in (on.stranger, ada):
                for name in (game, NOBODYS):
                    answer = await who.get(f"/{kind}/{name}")
                    headers = dict(answer.headers) | {"x-request-id": "", "etag": ""}
                    text = answer.text.replace(name, "")
                    seen.append((answer.status_code, headers, text))
            assert all(each == seen[0] for each in seen)


async def test_the_document_of_a_table_names_its_game_and_all_that_a_board_of_it_needs(
    on: Stage,
) -> None:
    ada = await on.player()
    game = await on.table(ada)
    state = ok(await on.stranger.get(f"/v1/games/{game}"))["state"]
    table = f'<meta name="table" content="{state["game"]} {state["rulebook"]}" />'
    board = f'chunks/games/{state["game"]}/game.js" />'
    for path in (f"/watch/{game}", f"/embed/{game}"):
        answer = await on.stranger.get(path)
        now = re.sub(r"<template.*?</template>", "", answer.text)
        assert table in now
        assert board in now
        assert f"games/{state['game']}/style.css" in now
        again = await on.stranger.get(path, {"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
    other = (await on.stranger.get(f"/watch/{NOBODYS}")).text
    assert 'name="table"' not in other
    assert board not in re.sub(r"<template.*?</template>", "", other)


async def test_a_document_comes_without_its_table_while_the_store_does_not_answer(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await on.table(await on.player())

    async def silent(*_: object) -> None:
        raise LogUnavailable

    with monkeypatch.context() as patched:
        patched.setattr(StreamLog, "read", silent)
        answer = await on.stranger.get(f"/watch/{game}")
        assert answer.status_code == 200
        assert 'name="table"' not in answer.text
    assert 'name="table"' in (await on.stranger.get(f"/watch/{game}")).text


async def test_a_link_to_a_game_has_a_preview_where_the_service_knows_its_address(
    store_url: str, tmp_path: Path
) -> None:
    web = folder(tmp_path)
    async with stage(store_url, web=web, public_url="https://games.example") as on:
        text = (await on.stranger.get(f"/watch/{NOBODYS}")).text
        image = f"https://games.example/v1/games/{NOBODYS}/preview.png?lang=en"
        assert f'<meta property="og:image" content="{image}" />' in text
        for name, said in (
            ("image:type", "image/png"),
            ("image:width", 1200),
            ("image:height", 630),
        ):
            assert f'<meta property="og:{name}" content="{said}" />' in text
        assert f'content="https://games.example/watch/{NOBODYS}"' in text
        assert text.index("og:image") < text.index("</head>")
        other = (await on.stranger.get("/watch/g00-1")).headers["etag"]
        assert other == (await on.stranger.get("/")).headers["etag"]
        for strange in ('"><script>', f"{NOBODYS}%0A", f"{NOBODYS}x"):
            assert (await on.stranger.get(f"/watch/{strange}")).content == SENT


@pytest.mark.parametrize("name", sorted(SERVED))
async def test_files_come_as_they_are(page: Stage, name: str) -> None:
    answer = await page.stranger.get(f"{FILES_AT}/{name}")
    assert (answer.status_code, answer.content) == (200, SERVED[name])
    assert answer.headers["content-type"] == MEDIA_TYPES[Path(name).suffix]
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert policy(answer)["default-src"] == "'none'"
    tag = answer.headers["etag"]
    assert tag.startswith('"')
    for known in (tag, f'"other", W/{tag}', "*"):
        again = await page.stranger.get(f"{FILES_AT}/{name}", {"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert (
        await page.stranger.get(f"{FILES_AT}/{name}", {"if-none-match": '"x"'})
    ).status_code == 200


async def test_the_service_worker_is_asked_for_anew_and_may_ask_nobody_else(on: Stage) -> None:
    answer = await on.stranger.get("/service-worker.js")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == MEDIA_TYPES[".js"]
    assert answer.headers["cache-control"] == "no-cache"
    assert policy(answer) == {"default-src": "'none'", "connect-src": "'self'"}
    again = await on.stranger.get("/service-worker.js", {"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert "service-worker" not in " ".join(read_site(WEB).files)


async def test_a_page_may_have_no_service_worker(page: Stage) -> None:
    problem(await page.stranger.get("/service-worker.js"), "not-found")


async def test_different_files_have_different_tags(page: Stage) -> None:
    tags = {(await page.stranger.get(f"{FILES_AT}/{name}")).headers["etag"] for name in SERVED}
    assert len(tags) == len(SERVED)


@pytest.mark.parametrize("path", ["/", f"/watch/{NOBODYS}", f"{FILES_AT}/{MAIN}"])
async def test_head_gives_the_headers_alone(page: Stage, path: str) -> None:
    whole = await page.stranger.get(path)
    answer = await page.http.head(path)
    assert (answer.status_code, answer.content) == (200, b"")
    for name in ("content-length", "content-type", "etag", "content-security-policy"):
        assert answer.headers[name] == whole.headers[name]
    allowed = await page.http.options(path)
    assert allowed.headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    "name",
    [
        *("nothing.js", "", "style", "style/", "index.html", "notes.md"),
        *(".hidden.js", ".git/config.txt", "link.txt", "../secret.txt", "style/../../secret.txt"),
        *("%2e%2e/secret.txt", "..%2fsecret.txt", "style/..%2F..%2Fsecret.txt", "main.js%00"),
        *("/etc/passwd", "%2fetc%2fpasswd", "..\\secret.txt", "MAIN.JS"),
    ],
)
async def test_nothing_but_the_files_of_the_page_is_given(page: Stage, name: str) -> None:
    url = httpx.URL("http://localhost").copy_with(raw_path=f"{FILES_AT}/{name}".encode())
    answer = await page.http.get(url)
    assert "planted" not in answer.text
    problem(answer, "not-found")


async def test_who_browses_outside_of_the_api_gets_a_plain_word(page: Stage) -> None:
    for path in (
        "/nothing",
        f"{FILES_AT}/nothing.js",
        "/web/main.js",
        f"{FILES_AT}/main.js",
        "/watch",
        "/watch/a/b",
        "/problems/nothing",
    ):
        answer = await page.stranger.get(path, BROWSER)
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert "not found" in answer.text
        assert "<" not in answer.text
    problem(await page.stranger.get("/v1/nothing", BROWSER), "not-found")
    problem(await page.stranger.get("/nothing"), "not-found")
    problem(await page.http.post("/", headers=BROWSER), "method-not-allowed")


async def test_the_page_costs_no_budget_and_asks_for_no_token(
    store_url: str, tmp_path: Path
) -> None:
    async with stage(store_url, web=folder(tmp_path), reads_per_minute=4) as on:
        for _ in range(20):
            for path in ("/", f"/watch/{NOBODYS}", f"{FILES_AT}/{MAIN}"):
                wrong = {"authorization": "Bearer of nothing"}
                assert (await on.stranger.get(path, wrong)).status_code == 200
        ok(await on.stranger.get("/v1/games"))


async def test_pages_are_logged_and_counted_by_their_template(page: Stage) -> None:
    for path in (
        "/",
        f"/watch/{NOBODYS}",
        f"/embed/{NOBODYS}",
        f"{FILES_AT}/{MAIN}",
        f"{FILES_AT}/no",
    ):
        await page.stranger.get(path, as_="planted")
    routes = [(line["route"], line.get("game"), line["status"]) for line in page.lines]
    assert routes == [
        ("/", None, 200),
        ("/watch/{game}", NOBODYS, 200),
        ("/embed/{game}", NOBODYS, 200),
        ("/assets/{release}/{file}", None, 200),
        ("/assets/{release}/{file}", None, 404),
    ]
    assert "planted" not in str(page.lines)
    text = (await page.stranger.get("/metrics")).text
    assert (
        'parlour_requests_total{method="GET",route="/assets/{release}/{file}",status="200"} 1.0'
        in text
    )
    assert "main.js" not in text
    assert FILES_AT not in text


async def test_no_page_is_an_operation_of_the_api(page: Stage) -> None:
    paths = ok(await page.stranger.get("/v1/openapi.json"))["paths"]
    assert not [path for path in paths if path == "/" or path.startswith(("/w", "/e"))]


async def test_files_are_read_once_unless_somebody_works_on_them(
    store_url: str, tmp_path: Path
) -> None:
    web = folder(tmp_path)
    for reload_pages, expected in ((False, b"const a = 1;"), (True, b"const changed = 2;")):
        (web / "main.js").write_bytes(FILES["main.js"])
        async with stage(store_url, web=web, reload_pages=reload_pages) as on:
            (web / "main.js").write_bytes(b"export const changed = 2;\n")
            at = f"/assets/{read_site(web).digest}" if reload_pages else FILES_AT
            assert f"{at}/words".encode() in (await on.stranger.get("/")).content
            assert expected in (await on.stranger.get(f"{at}/{MAIN}")).content


@pytest.mark.parametrize("release", ["0" * 24, RELEASE[:-1], RELEASE.upper() + "x", "main.js"])
async def test_a_release_that_is_not_there_has_no_files(page: Stage, release: str) -> None:
    """A page of an earlier release asks for its own files and must not get others of their name."""
    for headers in ({}, {"if-none-match": "*"}):
        answer = await page.stranger.get(f"/assets/{release}/{MAIN}", headers)
        assert "load it anew" in problem(answer, "not-found")["detail"]
        assert answer.headers["cache-control"] == "no-store"


async def test_a_document_is_made_of_its_path_and_of_the_page_that_is_asked_for(on: Stage) -> None:
    """By these the service worker keeps it (web/worker/service-worker.js)."""
    table = f"/watch/{await on.table(await on.player())}"
    for path, page in (("/", "lobby"), ("/", "new"), (table, "lobby")):
        plain = await on.stranger.get(path, page=page)
        other = await on.stranger.get(path, page=page, at="7", seat="1", lang="fr")
        assert plain.content == other.content
    plain, other = await on.stranger.get(table), await on.stranger.get(table, page="new")
    assert plain.content == other.content


async def test_a_document_asks_for_the_words_of_its_reader(page: Stage) -> None:
    french = await page.stranger.get("/", {"accept-language": "fr"})
    assert "accept-language" in french.headers["vary"]
    assert b"preload" not in french.content, "there are none in French"
    assert french.headers["etag"] != (await page.stranger.get("/")).headers["etag"]
    wished = await page.stranger.get(f"/embed/{NOBODYS}", lang="fr")
    assert wished.content == french.content
    assert (await page.stranger.get(f"/watch/{NOBODYS}", lang="fr")).content == SENT


def test_a_service_without_a_page_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=INDEX):
        create_service(settings_for("redis://localhost:1"), web=tmp_path)


def test_the_page_is_found_from_any_folder(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_site(WEB).index.startswith(b"<!doctype html>")
