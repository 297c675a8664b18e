"""The page checks what it is given: one altered byte, and the badge says where."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import Person
from tests.e2e.serving import Service
from tests.e2e.watching import badge, move, shows, watch
from tests.e2e.wire import Wire


# By day the next test alters an event; test_chain.py finds every kind of alteration.
@pytest.mark.nightly
def test_an_altered_opening_diverges_where_it_is(
    person: Callable[..., Person],
    client: Callable[..., Client],
    wire: Callable[[int], Wire],
    service: Service,
    finished: Finished,
) -> None:
    lines = [json.loads(line) for line in client("Eve").lines(finished.game, "full")]
    secret = [line for line in lines if line.get("opened")][5]
    salt = next(iter(secret["opened"].values()))["salt"].encode()
    line = wire(service.port)
    line.alter = (salt, salt[::-1])
    page = watch(person("Eve", url=line.url), finished.game, "?as=full")
    badge(page, "diverged")
    expect(page.locator("[data-badge]")).to_contain_text(str(secret["v"]))


def test_an_altered_event_diverges_where_it_is(
    person: Callable[..., Person],
    wire: Callable[[int], Wire],
    service: Service,
    finished: Finished,
) -> None:
    moment = f'"at":{json.loads(finished.lines[40])["at"]},'
    first = next(v for v, line in enumerate(finished.lines, 1) if moment in line)
    other = f"{moment[:-2]}{9 - int(moment[-2])},"
    line = wire(service.port)
    line.alter = (moment.encode(), other.encode())
    page = watch(person("Eve", url=line.url), finished.game)
    shows(page, finished.last)
    badge(page, "diverged")
    expect(page.locator("[data-badge]")).to_contain_text(str(first))


def test_an_altered_file_diverges(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    tmp_path: Path,
) -> None:
    text = client("Eve").ask(f"/games/{finished.game}/replay.html").text
    told = r"\"type\":\"turn-began\""
    assert text.count(told) > 2
    for name, content in (("told", text), ("altered", text.replace(told, told + " ", 1))):
        file = tmp_path / f"{name}.html"
        file.write_text(content)
        reader = person("Reader", url="file://")
        reader.page.goto(file.as_uri())
        badge(reader.page, "verified" if name == "told" else "diverged")


def test_the_log_is_checked_again_for_each_viewer(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = watch(person("Eve"), finished.game)
    for viewer in ("seat:1", "full", "public"):
        move(page, "viewer").select_option(viewer)
        expect(page.locator("article.watch")).to_have_attribute("data-viewer", viewer)
        badge(page, "verified")
