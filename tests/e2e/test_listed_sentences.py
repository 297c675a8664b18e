"""A sentence with a list in it has a line for each entry, wherever the page says it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.clients import Client
from tests.e2e.layout import lasting, moves_the_board
from tests.e2e.people import Look, Person
from tests.e2e.situations import lay, situations
from tests.e2e.test_layout import RULE
from tests.e2e.watching import open_log, watch

DEALT: Final = "batch-dealt"
"""The event whose sentence lists what each seat has got."""

SEEN: Final = "([key, seen]) => localStorage.setItem(key, seen)"
"""How a browser keeps how far games have been seen (web/watch/last-seen.js)."""

RUN_ON: Final = ".listing { white-space: normal !important; }"

LAST_LINES: Final = """async ([texts, most]) =>
    (await import("/web/watch/log-text.js")).lastLines(texts, most)"""


def said(what: Locator) -> list[str]:
    """The lines of a text as they stand on the page."""
    return what.inner_text().strip().split("\n")


def unlike_one_another(page: Page, lines: int) -> list[str]:
    """What has been dealt as each place tells it, unless all tell it alike, in so many lines."""
    entry, *others = told = stands(page)
    alike = len(entry) == lines and others == [entry, entry]
    return [] if alike else [str(each) for each in told]


def stands(page: Page) -> list[list[str]]:
    """What has been dealt, as the log, the way back and the caption say it."""
    entry = page.locator(f".log li[data-type={DEALT}] .log-text")
    away = page.locator(".away li").last
    return [said(entry), said(away), said(page.locator(".caption .listing"))]


# By day in the language with the longest sentences.
@pytest.mark.parametrize(
    "language", ["pl", *(pytest.param(each, marks=pytest.mark.nightly) for each in ("en", "fr"))]
)
def test_what_is_dealt_stands_in_lines(
    person: Callable[..., Person], client: Callable[..., Client], language: str
) -> None:
    found = situations("cerveauuu", "prototype")["wander_batch"]
    players = [client(name) for name in ("Ada", "Bob", "Cleo", "Dan")[: found.seats]]
    game = lay(found, players)
    asked = players[found.seat - 1]
    events = [json.loads(line)["event"]["type"] for line in asked.lines(game)]
    before = events.index(DEALT)
    one = person("Ada", Look(width=1280, height=800, language=language))
    one.signs_in(asked)
    seen = json.dumps([[f"{asked.player}/{game}", before]])
    one.page.evaluate(SEEN, ["parlour.seen", seen])
    page = watch(one, game)
    open_log(page)
    expect(page.locator(".away li").last).to_be_visible()
    expect(page.locator(".caption .listing")).to_be_visible()
    assert lasting(page, lambda: unlike_one_another(page, 1 + found.seats)) == []
    assert moves_the_board(page) == []
    page.evaluate(RULE, RUN_ON)
    assert [len(each) for each in stands(page)] == [1 + found.seats, 1, 1]


@pytest.mark.parametrize(
    ("texts", "most", "told"),
    [
        ([], 4, []),
        (["a", "b"], 4, ["a", "b"]),
        (["a", "b", "c"], 2, ["b", "c"]),
        (["a", "b\n1\n2", "c"], 4, ["b\n1\n2", "c"]),
        (["a", "b\n1\n2", "c"], 3, ["c"]),
        (["a", "b\n1\n2"], 2, ["b\n1\n2"]),
    ],
)
def test_lines_are_counted_and_not_sentences(
    modules: Page, texts: list[str], most: int, told: list[str]
) -> None:
    assert modules.evaluate(LAST_LINES, [texts, most]) == told
