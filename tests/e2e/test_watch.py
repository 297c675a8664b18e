"""A finished game on the page: the address, the transport, the keys, the log, the viewpoints."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clients import Client, Json, begun
from tests.e2e.conftest import Finished
from tests.e2e.people import Person
from tests.e2e.watching import (
    PICTURES,
    badge,
    is_gapless,
    move,
    open_tools,
    replay,
    root,
    shows,
    watch,
)

PRESSED = """() => {
    const button = document.querySelector("[data-move=play]");
    const note = () => {
        const { pressed = "" } = document.body.dataset;
        document.body.dataset.pressed = `${pressed} ${button.dataset.shows}`.trim();
    };
    new MutationObserver(note).observe(button, { attributeFilter: ["data-shows"] });
}"""
"""Keeps what the button for playing shows, one thing after another: it may be over in a moment."""

SOUGHT: Final = 60
"""Of all versions so many are sought: ``test_timeline`` seeks every one, without drawing it."""


def test_the_address_is_the_state(person: Callable[..., Person], finished: Finished) -> None:
    page = replay(person("Ada"), finished.game, "?at=40")
    shows(page, 40)
    move(page, "step").click()
    later = next(version for version in finished.batch_ends if version > 40)
    shows(page, later)
    expect(page).to_have_url(re.compile(rf"at={later}\b"))
    move(page, "last").click()
    shows(page, finished.last)
    page.go_back()
    shows(page, later)
    page.go_back()
    shows(page, 40)
    page.go_forward()
    shows(page, later)
    page.reload()
    shows(page, later)


def test_without_a_version_it_shows_the_newest_and_a_badge_that_tells_how_to_verify(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = watch(person("Ada"), finished.game)
    shows(page, finished.last)
    is_gapless(page, finished.last)
    badge(page, "verified")
    expect(page.locator(".result")).to_be_visible()
    open_tools(page)
    page.locator("[data-badge]").click()
    dialog = page.locator("dialog[data-dialog=badge]")
    expect(dialog).to_contain_text("parlour replay verify")
    record = finished.record.splitlines()
    expect(dialog).to_contain_text(json.loads(record[-1])["seal"]["head"])
    move(page, "record-check").click()
    expect(dialog.locator("output")).to_contain_text("the very same last fingerprint")
    badge(page, "verified")


def test_keys_the_transport_and_marks_move_as_they_say(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = replay(person("Ada"), finished.game, "?at=1")
    moves_by_keys(page, finished)
    moves_by_steps_and_turns(page, finished)
    move(page, "first").click()
    shows(page, 1)
    moves_by_marks(page, finished)


def moves_by_keys(page: Page, finished: Finished) -> None:
    """From the first version on; there one is in the end, with the board drawn again."""
    ends, turns = finished.batch_ends, finished.turns
    for key, version in (
        ("l", ends[1]),
        ("ArrowRight", ends[2]),
        ("j", ends[1]),
        ("Shift+ArrowRight", ends[1] + 1),
        ("Shift+ArrowLeft", ends[1]),
        ("ArrowDown", turns[0]),
        ("ArrowDown", turns[1]),
        ("ArrowUp", turns[0]),
        ("End", finished.last),
        ("Home", 1),
        ("Shift+L", finished.last),
        ("Shift+J", 1),
    ):
        page.keyboard.press(key)
        shows(page, version)
    page.keyboard.press("t")
    expect(page.locator(".text-board table")).to_be_visible()
    page.keyboard.press("t")
    expect(page.locator(".text-board table")).to_be_hidden()
    page.keyboard.press("9")
    expect(root(page)).to_have_attribute("data-viewer", "full")
    page.keyboard.press("0")
    expect(root(page)).to_have_attribute("data-viewer", "public")
    page.keyboard.press("?")
    help_ = page.locator("dialog[open][data-dialog=keys]")
    expect(help_).to_be_visible()
    page.keyboard.press("End")  # nothing happens behind a window
    page.keyboard.press("Escape")
    expect(help_).to_have_count(0)
    shows(page, 1)


def moves_by_steps_and_turns(page: Page, finished: Finished) -> None:
    """From the first version on, by the buttons and the scrubber."""
    ends = finished.batch_ends
    for version in ends[1:4]:
        move(page, "step").click()
        shows(page, version)
    move(page, "back").click()
    shows(page, ends[2])
    for version in finished.turns[:2]:
        move(page, "turn-on").click()
        shows(page, version)
    move(page, "turn-back").click()
    shows(page, finished.turns[0])
    move(page, "last").click()
    shows(page, finished.last)
    move(page, "first").click()
    shows(page, 1)
    move(page, "scrubber").fill("33")
    shows(page, 33)


def moves_by_marks(page: Page, finished: Finished) -> None:
    """From the first version on, each time to the next moment of a kind."""
    page.locator(".legend summary").click()
    turn = page.locator(".legend [data-mark=turn]")
    expect(page.locator(".legend [data-mark=ruling]")).to_be_disabled()  # nobody stepped in
    for version in (*finished.turns, finished.turns[0]):
        turn.click()
        shows(page, version)
    page.locator(".legend [data-mark=end]").click()
    expect(page.locator(".log li.current")).to_have_attribute("data-type", "table-closed")
    page.go_back()
    shows(page, finished.turns[0])


def test_it_plays_to_the_end_by_itself(person: Callable[..., Person], finished: Finished) -> None:
    begin = finished.batch_ends[-6]
    page = replay(person("Ada"), finished.game, f"?at={begin}&speed=2")
    page.evaluate(PRESSED)
    move(page, "play").click()
    shows(page, finished.last)
    body = page.locator("body")
    expect(body).to_have_attribute("data-pressed", "pause play")
    page.keyboard.press("k")  # from the end it begins again
    page.keyboard.press("k")
    expect(body).to_have_attribute("data-pressed", "pause play pause play")
    expect(root(page)).not_to_have_attribute("data-version", str(finished.last))


def first_of_each_type(finished: Finished) -> list[int]:
    """The version of the first event of each type, but for the one that opens the table."""
    firsts: dict[str, int] = {}
    for version, line in enumerate(finished.lines, 1):
        firsts.setdefault(json.loads(line)["event"]["type"], version)
    return [version for version in firsts.values() if version > 1]


# By day an event of each type.
@pytest.mark.parametrize(
    "every",
    [False, pytest.param(True, marks=pytest.mark.nightly)],
    ids=["each-type", "every-version"],
)
def test_a_seek_shows_what_playing_had_shown(
    person: Callable[..., Person], finished: Finished, *, every: bool
) -> None:
    page = replay(person("Ada"), finished.game, "?at=1")
    page.keyboard.press("t")
    expect(page.locator(".text-board table")).to_be_visible()
    versions = [*range(2, finished.last + 1)] if every else first_of_each_type(finished)
    played = dict(zip(versions, plays(page, versions), strict=True))
    chosen = random.Random(7).sample(versions, min(SOUGHT, len(versions)))
    sought = page.evaluate(PICTURES, [{"version": version} for version in chosen])
    assert [v for v, it in zip(chosen, sought, strict=True) if it != played[v]] == []
    assert len({*played.values()}) == len(played)  # each tells its version: none was stale


def plays(page: Page, versions: Sequence[int]) -> list[str]:
    """Come to each version by a step from the one before; the pictures there."""
    moves: list[Json] = []
    for before, version in pairwise([1, *versions]):
        if before < version - 1:
            moves.append({"version": version - 1})
        moves.append({"key": {"key": "ArrowRight", "shiftKey": True}, "version": version})
    pictures = page.evaluate(PICTURES, moves)
    return [each for each, made in zip(pictures, moves, strict=True) if "key" in made]


def test_what_tells_of_a_moment_leads_there(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = replay(person("Ada"), finished.game)
    # A line of the log.
    line = page.locator(".log li[data-type=turn-began]").nth(1)
    version = int(line.get_attribute("data-v") or 0)
    line.locator("a").click()
    shows(page, version)
    expect(page).to_have_url(re.compile(rf"at={version}\b"))
    expect(line).to_have_class(re.compile(r"\bcurrent\b"))
    # A room, which tells when it changed.
    move(page, "last").click()
    shows(page, finished.last)
    # Whoever stands there stands further down. A room may be drawn anew meanwhile, in its place.
    place = page.wait_for_function("""() => {
        const drawn = document.querySelector(".b-board [data-cell=r0c0] rect");
        const { x, y, width } = drawn?.getBoundingClientRect() ?? { width: 0 };
        return width && [x + 40, y + 8];
    }""").json_value()
    page.mouse.click(*place)
    changes = page.locator("dialog[data-dialog=place]")
    changes.locator("summary").click()
    first = changes.locator("li button").first
    version = int(first.locator(".log-version").inner_text())
    first.click()
    expect(changes).to_have_count(0)
    shows(page, version)
    # What a seat knew then.
    move(page, "knew").click()
    page.locator("dialog[data-dialog=knew] [data-viewer='seat:2']").click()
    expect(root(page)).to_have_attribute("data-viewer", "seat:2")
    shows(page, version)


def test_the_turning_point_has_a_mark_once_a_game_is_over(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    page = replay(person("Ada"), finished.game)
    link = move(page, "turning").get_attribute("href") or ""
    page.locator(".legend summary").click()
    page.locator(".legend [data-mark=turning]").click()
    shows(page, int(link.removeprefix("?at=")))
    expect(page.locator(".scrubber .mark-turning path")).to_have_count(1)
    # Of a game that goes on nobody knows.
    players = [client("Ada"), client("Bob")]
    game = begun(players)
    while not players[0].state(game)["play"]["turn"]:
        for each in players:
            each.moves(game, random.Random(1))
    page = watch(person("Eve"), game, "?at=1")
    page.locator(".legend summary").click()
    expect(page.locator(".legend [data-mark=turn]")).to_be_enabled()
    expect(page.locator(".legend [data-mark=turning]")).to_be_disabled()
    expect(page.locator(".scrubber .mark-turn path")).not_to_have_count(0)
    expect(page.locator(".scrubber .mark-turning")).to_have_count(0)


def test_every_view_is_open_after_the_end_and_carries_a_banner(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = replay(person("Ada"), finished.game, "?at=30")
    expect(page.locator("[data-banner=seat], [data-banner=full]")).to_have_count(0)
    for viewer in ("seat:1", "full"):
        move(page, "viewer").select_option(viewer)
        expect(root(page)).to_have_attribute("data-viewer", viewer)
        shows(page, 30)
        name = viewer.partition(":")[0]
        expect(page.locator(f"[data-banner={name}]")).to_be_visible()
        expect(page).to_have_url(re.compile(f"as={viewer}"))
        badge(page, "verified")
        page.go_back()
        expect(root(page)).to_have_attribute("data-viewer", "public")
        expect(page.locator(f"[data-banner={name}]")).to_have_count(0)


def test_a_game_that_is_not_there(person: Callable[..., Person], finished: Finished) -> None:
    ada = person("Ada")
    ada.allow("404")
    ada.opens(f"/watch/{finished.game[:-4]}0000")
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    expect(root(ada.page)).to_have_count(0)
