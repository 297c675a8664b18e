"""The speed "as it was": a replay takes the pauses that the game took, up to eight seconds."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Finished
from tests.e2e.folding import golden, lines
from tests.e2e.people import Person
from tests.e2e.watching import move, replay, root, shows
from tests.e2e.windows import LATER_S

SHORTEST_MS: Final = 120
LONGEST_MS: Final = 8_000
GAPS_MS: Final = (3, SHORTEST_MS, 1_700, LONGEST_MS, 3_600_000)
"""Pauses between one command and the next, as a game may have them."""

PLAY: Final = """async (lines) => {
    const { Controller } = await import("/web/watch/controller.js");
    await (await import("/pages/all.js")).games();
    window.shows = [];
    const onChange = () => shows.push([Date.now(), controller.shown]);
    const place = { at: 1, as: null, speed: "real" };
    const archive = { lines, head: null };
    const known = { game: "g", viewer: "public", newest: lines.length, embed: false };
    window.controller = new Controller({ ...known, place, archive, onChange });
    controller.start();
}"""
"""Opens a log in the page's controller, without any page around it."""


def respaced(raw: list[str]) -> tuple[list[str], dict[int, int]]:
    """A log with other pauses between its commands; and how long each last version of one stays."""
    gaps = itertools.cycle(GAPS_MS)
    at, pauses, told = 0, {}, []
    for version, line in enumerate(map(json.loads, raw)):
        if version > 0 and line.get("batch") is not None:
            pauses[version] = next(gaps)
            at += pauses[version]
        told.append(json.dumps(line | {"at": at}))
    return told, pauses


def test_it_pauses_as_long_as_the_game_did(own_modules: Page) -> None:
    raw, pauses = respaced(lines(golden("suspicion-4")))
    assert set(pauses.values()) == set(GAPS_MS)
    own_modules.clock.install(time=0)
    own_modules.clock.pause_at(LATER_S)
    own_modules.evaluate(PLAY, raw)
    own_modules.clock.run_for(100)  # it draws once a frame
    begin = own_modules.evaluate(
        "() => { shows.length = 0; controller.play(); return Date.now(); }"
    )
    own_modules.clock.run_for(sum(min(LONGEST_MS, pause) for pause in pauses.values()) * 2)
    drawn: dict[int, int] = {}
    for now, version in own_modules.evaluate("shows"):
        drawn.setdefault(version, now - begin)
    ends = [1, *(end for end in pauses if end > 1), len(raw)]
    assert list(drawn) == ends
    stays = [after - before for before, after in itertools.pairwise(drawn.values())]
    assert stays == [min(LONGEST_MS, max(SHORTEST_MS, pauses[end])) for end in ends[:-1]]


def test_as_it_was_is_a_speed_of_the_menu(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = replay(person("Ada"), finished.game, f"?at={finished.batch_ends[-3]}")
    speed = move(page, "speed")
    expect(speed).to_have_value("1")
    speed.select_option(label="as it was")
    expect(page).to_have_url(re.compile(r"speed=real\b"))
    page.reload()
    expect(speed).to_have_value("real")
    shows(page, finished.batch_ends[-3])
    expect(root(page)).to_have_attribute("data-status", "ended")
    move(page, "play").click()
    shows(page, finished.last)
    expect(move(page, "play")).to_have_attribute("data-shows", "play")
    page.keyboard.press("<")  # from the usual speed
    expect(speed).to_have_value("0.5")
    expect(page).to_have_url(re.compile(r"speed=0\.5\b"))
