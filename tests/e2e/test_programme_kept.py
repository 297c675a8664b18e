"""What is begun of a programme is kept, and goes when its decision does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.by_day import WHOLE
from tests.e2e.clients import Client
from tests.e2e.people import Person
from tests.e2e.planting import plant_all
from tests.e2e.programming import Programming, lies

KEPT: Final = "Object.values(sessionStorage).flatMap((each) => Object.keys(JSON.parse(each)))"
"""The ids of decisions of which something that was begun outlives a reload."""


def test_what_is_begun_outlives_a_reload_and_ends_with_its_decision(
    programming: Callable[..., Programming],
) -> None:
    it = programming()
    it.card(0).locator(".p-card[data-card=push]").click()
    it.card(1).locator(".p-card[data-card=move]").click()
    it.page.reload()
    lies(it.card(0), "push")
    lies(it.card(1), "move")
    it.card(1).locator(".p-send").click()
    expect(it.card(1)).to_have_count(0)
    it.card(0).locator(".p-send").click()
    changed = it.changes("move")
    it.page.reload()
    expect(it.page.locator(".p-answered")).to_have_count(2)
    lies(changed, "push", "move")
    assert it.page.evaluate(KEPT) == [it.decisions[0]["id"]]
    while decisions := it.bob.asked(it.game):
        first = decisions[0]
        option = "look" if first["kind"] == "program" else first["options"][0]["id"]
        it.bob.post(f"/games/{it.game}/decisions/{first['id']}", {"option": option})
        if first["kind"] != "program":
            break
    expect(it.page.locator(".p-answered")).to_have_count(0)
    it.page.wait_for_function(f"{KEPT}.length === 0")


def test_what_is_begun_gives_way_to_what_is_handed_in_elsewhere(
    programming: Callable[..., Programming],
) -> None:
    """In a second tab, or by a program of the same player."""
    it = programming()
    answered = it.page.locator(f".p-answered[data-decision='{it.decisions[0]['id']}']")
    it.card().locator(".p-card[data-card=push]").click()
    lies(it.card(), "push")
    it.hands_in("look")
    expect(answered.locator(".p-chosen")).to_contain_text("Look")
    it.page.wait_for_function(f"{KEPT}.length === 0")
    changed = it.changes("move")
    lies(changed, "look", "move")
    it.hands_in("push")
    expect(answered.locator(".p-chosen")).to_contain_text("Push")
    expect(answered.locator("details[open]")).to_have_count(0)
    # The same while the page is elsewhere.
    it.changes("move")
    it.page.goto("about:blank")
    it.hands_in("look+push")
    it.page.go_back()
    expect(answered.locator(".p-chosen")).to_contain_text("Look + Push")
    expect(answered.locator("details[open]")).to_have_count(0)
    it.page.wait_for_function(f"{KEPT}.length === 0")


UNSAID: Final = {"play/decision-card.js": {"draft.replaced &&": "!draft &&"}}
"""What was begun goes without a word."""


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_it_is_said_once_that_what_was_begun_is_gone(
    programming: Callable[..., Programming], person: Callable[..., Person], *, faulty: bool
) -> None:
    one = person("Ada")
    plant_all(one.page, UNSAID if faulty else {})
    it = programming(one=one)
    it.card().locator(".p-card[data-card=push]").click()
    lies(it.card(), "push")
    it.hands_in("look")
    answered = it.page.locator(f".p-answered[data-decision='{it.decisions[0]['id']}']")
    expect(answered.locator(".p-chosen")).to_contain_text("Look")
    gone = answered.get_by_role("alert")
    if faulty:
        expect(gone).to_have_count(0)
        return
    expect(gone).to_contain_text("what you had begun here is gone")
    it.changes("move")
    expect(gone).to_have_count(0)


FORGETS: Final = {
    "play/asked.js": {"!state?.paused_at && (at === Infinity || at === this.#version)": "true"}
}
"""What is not asked during a pause is over."""


# By day test_it_is_said_once_that_what_was_begun_is_gone shows that what is gone is missed.
@pytest.mark.parametrize("faulty", WHOLE)
def test_what_is_begun_outlives_a_pause(
    programming: Callable[..., Programming], person: Callable[..., Person], *, faulty: bool
) -> None:
    one = person("Ada")
    plant_all(one.page, FORGETS if faulty else {})
    it = programming(one=one)
    it.card().locator(".p-card[data-card=push]").click()
    lies(it.card(), "push")
    it.ada.post(f"/games/{it.game}/pause-proposals", {"minutes": 10})
    it.bob.post(f"/games/{it.game}/pause-votes", {"vote": "agree"})
    expect(it.page.locator("[data-banner=paused]")).to_be_visible()
    expect(it.card()).to_have_count(0)
    for player in (it.ada, it.bob):
        player.post(f"/games/{it.game}/pause-votes", {"vote": "resume"})
    expect(it.card()).to_be_visible()
    lies(it.card(), *([] if faulty else ["push"]))


def test_what_is_begun_is_its_players_alone(
    programming: Callable[..., Programming], client: Callable[..., Client]
) -> None:
    it = programming()
    it.card().locator(".p-card[data-card=push]").click()
    keys = "Object.keys(sessionStorage)"
    assert len(it.page.evaluate(keys)) == 1
    it.one.signs_in(client("Eve"))
    assert it.page.evaluate(keys) == []


PLANS: Final = """async (kept) => {
    const { planKept } = await import("/web/games/room25/forms/plan.js");
    const plan = (...tokens) => ({ id: tokens.join("+"), meaning: { tokens } });
    const options = [plan("look"), plan("move"), plan("look", "move"), plan("move", "look")];
    return kept.map((each) => planKept(options, each)?.tokens ?? null);
}"""


def test_what_was_kept_is_held_to_the_options(modules: Page) -> None:
    """Whatever lies in a browser may have been written by another release, or by hand."""
    assert modules.evaluate(
        PLANS,
        [
            {"tokens": ["move", "look"]},
            {"tokens": ["", "look"]},
            {"tokens": ["look", "look"]},
            {"tokens": ["look", "special"]},
            {"tokens": ["look"]},
            {"tokens": "look"},
            "look",
            None,
            7,
        ],
    ) == [["move", "look"], ["look", ""], ["look", ""], *[None] * 6]


WALKS: Final = """async (kept) => {
    const { walkFrom } = await import("/web/play/walk.js");
    const decision = { options: [{ id: "a", branch: true }, { id: "b" }] };
    return kept.map((each) => walkFrom(decision, each).map(({ branch }) => branch.id));
}"""


def test_a_walk_that_was_kept_goes_as_far_as_its_branches_lead(modules: Page) -> None:
    first = {"branch": {"id": "a"}, "options": [{"id": "a.c", "branch": True}], "version": 3}
    second = {"branch": {"id": "a.c"}, "options": [{"id": "a.c.d"}], "version": 3}
    assert modules.evaluate(
        WALKS,
        [
            [first, second],
            [second],
            [first, first],
            [{**first, "options": None}],
            [{**first, "version": "3"}],
            [{**first, "branch": {"id": "b"}}],
            [None],
            "a",
            None,
        ],
    ) == [["a", "a.c"], [], ["a"], [], [], [], [], [], []]
