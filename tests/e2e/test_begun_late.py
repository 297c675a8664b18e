"""Whoever had begun to choose reads why that is gone, also after a reload."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clients import HOUR_S, Client
from tests.e2e.folding import caller, golden, lines
from tests.e2e.people import Person
from tests.e2e.planting import plant_all
from tests.e2e.test_attendance import begins
from tests.e2e.test_connection import CALM
from tests.e2e.watching import watch

MISSED: Final = ("cooperation-6-return", "suspicion-4-absent", "cerveauuu-3-absent")
"""Golden games in which somebody is late, and others are not."""


@pytest.mark.parametrize("stem", MISSED)
def test_the_log_tells_whose_time_ran_out(modules: Page, stem: str) -> None:
    raw = lines(golden(stem))
    late, key = set(), None
    for line in map(json.loads, raw):
        command = line.get("batch", {}).get("command")
        key = key if command is None else command["key"] if command["type"] == "time-out" else None
        if line["event"]["type"] == "seat-timed-out":
            late.add((key, line["event"]["seat"]))
    told = caller(modules)("late", raw)
    assert {(key, seat) for key, seat in told["found"]} == late != set()
    assert told["outside"] == [False, False]


FORGETS: Final = {
    "watch/time-outs.js": {
        'event.type === "clock-started" && event.key !== key': 'event.type === "no-such-type"'
    }
}
"""A planted fault: whoever is late once has been late before."""


@pytest.mark.parametrize("stem", MISSED[:1])
def test_a_later_time_out_that_is_taken_for_an_earlier_one_is_noticed(
    own_modules: Page, stem: str
) -> None:
    plant_all(own_modules, FORGETS)
    with pytest.raises(AssertionError):
        test_the_log_tells_whose_time_ran_out(own_modules, stem)


DRAFTS: Final = "Object.entries(sessionStorage).filter(([key]) => key.includes('.drafts.'))"
"""What has been begun and is kept, by game."""
KEEPS: Final = "([key, value]) => sessionStorage.setItem(key, value)"
UNSAID: Final = {"play/kept.js": {"changing: draft.changing, over, open }": "over }"}}
"""A planted fault: nobody keeps where a decision was open."""


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_whoever_had_begun_reads_why_that_is_gone_after_a_reload(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    """Two games that begin alike: in one time is over, in the other somebody answers elsewhere."""
    players = [client("Ada"), client("Bob")]
    one = person("Ada")
    plant_all(one.page, UNSAID if faulty else {})
    one.signs_in(players[0])
    hurried, calm = (
        begins(players, CALM, limits_s={"programming": s, "decision": HOUR_S}, absent_after=2)
        for s in (1, HOUR_S)
    )
    page = watch(one, hurried)
    expect(page.locator("[data-type=seat-timed-out]").first).to_be_attached()
    watch(one, calm)
    page.locator("section[data-decision] .p-card").first.click()
    expect(page.locator("section[data-decision] .p-laid")).to_have_count(1)
    ((key, draft),) = page.evaluate(DRAFTS)
    page.evaluate(KEEPS, [key.replace(calm, hurried), draft])
    watch(one, hurried)
    gone = page.locator(".p-replaced")
    expect(gone).to_contain_text("decided meanwhile" if faulty else "your time was over")
    page.goto("about:blank")
    for player in players:
        while any(each["kind"] == "program" for each in player.asked(calm)):
            player.chooses(calm, "look")
    watch(one, calm)
    expect(gone).to_contain_text("decided meanwhile")
