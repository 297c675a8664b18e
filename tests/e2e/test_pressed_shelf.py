"""A press that was begun before somebody asked for a pause never answers that."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.clients import Client, begun
from tests.e2e.people import PHONE, Person
from tests.e2e.planting import plant_all
from tests.e2e.watching import watch

Faults = dict[str, dict[str, str]]
WAITS_FOR_NOBODY: Final[Faults] = {
    "watch/pressing.js": {"pressed ? released()": "false ? released()"}
}
"""A planted fault: the panel comes although something is pressed."""
HEARS_STRAYED: Final[Faults] = {"play/pausing.js": {"    refuseStrayed(this.element);\n": ""}}
"""A planted fault: the panel hears whatever click lands on it."""

BELOW: Final = """(button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const y = (top + bottom) / 2;
    return [left + 4, right - 4, y];
}"""
"""From where to where, and at which height, a button can be pressed."""
ANSWER_AT: Final = """([left, right, y]) => {
    const column = document.querySelector(".watch-scroll");
    for (let top = 0; top <= column.scrollHeight; top += 4) {
        column.scrollTop = top;
        for (let x = left; x <= right; x += 4) {
            const there = document.elementFromPoint(x, y);
            if (there?.closest("section[data-decision] button[data-option]")) {
                return [x, y];
            }
        }
    }
    return null;
}"""
"""Scroll until an answer stands where a button stood, and say where to press it."""


class Asked:
    """Ada is asked where her clue is, and will be asked for a pause where one of the answers is."""

    def __init__(self, one: Person, client: Callable[..., Client], faults: Faults) -> None:
        ada, self.bob = client("Ada"), client("Bob")
        self.game = begun([ada, self.bob])
        plant_all(one.page, faults)
        one.signs_in(ada)
        self.page: Page = watch(one, self.game)
        self.agree = self.page.locator("#pausing-agree")
        self.bob_asks()
        expect(self.agree).to_be_in_viewport(ratio=1)
        there = self.agree.evaluate(BELOW)
        self.bob.post(f"/games/{self.game}/pause-votes", {"vote": "decline"})
        expect(self.page.locator(".shelf")).to_be_empty()
        found = self.page.evaluate(ANSWER_AT, there)
        assert found is not None
        self.x, self.y = found
        self.posts: list[str] = []
        one.notes(self._note)

    def _note(self, request: Request) -> None:
        if request.method == "POST" and "/games/" in request.url:
            (what,) = re.findall(r"/(decisions|pause-votes)\b", request.url)
            self.posts.append(what)

    def bob_asks(self) -> None:
        self.bob.post(f"/games/{self.game}/pause-proposals", {"minutes": 20})

    def page_has_heard(self, times: int) -> None:
        """Wait until what Bob has asked for is on the page."""
        lines = self.page.locator(".log-lines li", has_text="proposes a pause")
        expect(lines).to_have_count(times)

    def answers_by_a_key(self) -> None:
        """Wait until all that has been handed in before has gone out."""
        answer = self.page.locator("section[data-decision] button[data-option]").first
        with self.page.expect_response("**/decisions/*"):
            answer.press("Enter")


@pytest.mark.parametrize(
    ("faults", "posted"),
    [
        pytest.param({}, ["decisions"], id="whole"),
        # By day the next test shows what waits for nobody.
        pytest.param(WAITS_FOR_NOBODY, [], id="faulty", marks=pytest.mark.nightly),
    ],
)
def test_an_answer_counts_although_a_pause_is_asked_for_below_the_press(
    person: Callable[..., Person],
    client: Callable[..., Client],
    faults: Faults,
    posted: list[str],
) -> None:
    """The answer of a mouse that was pressed on it before the shelf took its place."""
    asked = Asked(person("Ada", PHONE), client, faults)
    mouse = asked.page.mouse
    mouse.move(asked.x, asked.y)
    mouse.down()
    asked.bob_asks()
    asked.page_has_heard(2)
    if not faults:
        expect(asked.page.locator(".shelf")).to_be_empty()
    expect(asked.agree).to_be_attached()
    mouse.up()
    expect(asked.agree).to_be_in_viewport(ratio=1)
    if not posted:
        asked.answers_by_a_key()
        posted = ["decisions"]
    expect(asked.page.locator("section[data-decision]:not(.p-answered)")).to_have_count(0)
    assert asked.posts == posted


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_a_pause_is_not_agreed_to_by_a_finger_that_was_put_on_something_else(
    person: Callable[..., Person],
    client: Callable[..., Client],
    *,
    faulty: bool,
) -> None:
    """Even where the shelf has come below it: the click of a finger is heard by what lies there.

    The events are those of Chromium after ``touchStart`` and ``touchEnd``, in their order: a press
    of more than half a second would have no click at all.
    """
    faults = WAITS_FOR_NOBODY | (HEARS_STRAYED if faulty else {})
    asked = Asked(person("Ada", PHONE), client, faults)
    finger = {"pointerType": "touch", "isPrimary": True}
    asked.page.evaluate(
        """([x, y]) => document.elementFromPoint(x, y).dispatchEvent(new PointerEvent(
            "pointerdown", { pointerType: "touch", isPrimary: true, bubbles: true }))""",
        [asked.x, asked.y],
    )
    asked.bob_asks()
    expect(asked.agree).to_be_in_viewport(ratio=1)
    asked.agree.dispatch_event("pointerup", finger)
    asked.agree.dispatch_event("click", {"detail": 1})
    if faulty:
        expect(asked.page.locator("[data-banner=paused]")).to_be_visible()
    else:
        asked.answers_by_a_key()
    assert asked.posts == ["pause-votes" if faulty else "decisions"]


FINGERS: Final = """async (click) => {
    const { calmed } = await import("/web/watch/pressing.js");
    const told = [];
    const tell = (type, detail) => document.body.dispatchEvent(
        type === "click" ? new MouseEvent(type, { bubbles: true, detail: 1 })
            : new PointerEvent(type, { bubbles: true, pointerType: "touch" }));
    tell("pointerdown");
    const came = new Promise((done) => calmed(() => done(told.push("came"))));
    tell("pointerup");
    await new Promise((done) => setTimeout(done));
    told.push("lifted");
    click && tell("click");
    await came;
    return told;
}"""


@pytest.mark.parametrize("click", [True, False], ids=["tap", "long press"])
@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_what_waits_for_a_finger_comes_after_its_click(
    own_modules: Page, *, click: bool, faulty: bool
) -> None:
    if faulty:
        forgets = {"(late = setTimeout(release, TAP_MS))": "release()"}
        plant_all(own_modules, {"watch/pressing.js": forgets})
    told = own_modules.evaluate(FINGERS, click)
    assert told == (["came", "lifted"] if faulty else ["lifted", "came"])
