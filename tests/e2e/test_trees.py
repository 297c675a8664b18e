"""Options that are trees: a person walks down, back, and chooses a leaf, of a game nobody knows."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Page, Route, expect

from events.kernel import Decision
from games.trees import standing
from tests.e2e.acting import pressed
from tests.e2e.tree_server import POLICY
from tests.e2e.windows import LATER_S
from tests.games.toy import Play, Toy
from tests.games.toy_package import TOY_GAME

GAME: Final = "g00-01jdq3v5k8m2n4p6r7s9t0w1xy"
BEGIN: Final = """async ([game, book, language]) =>
    (await import("/pages/play.js")).begin(game, book, language)"""
MOVED: Final = """async () => (await import("/pages/play.js")).moved()"""
LATE: Final = """async ([game, version]) => {
    const { get } = await import("/web/net/api.js");
    const { body } = await get(`/v1/games/${game}/decisions`);
    let drawn = false;
    globalThis.panel.onChange = () => (drawn = true);
    const looked = (at) => {
        drawn = false;
        globalThis.panel.look(null, at);
        return drawn;
    };
    globalThis.panel.update(body, { state: null, at: version - 1 });
    const late = looked(version);
    const again = looked(version + 1);
    globalThis.panel.update(body, { state: null, at: version });
    return { late, again, "in time": looked(version + 1) };
}"""
"""Whether decisions of a version are drawn anew when events come that are in time or late."""
LEFT: Final = """(due) => {
    const decision = (options) => ({
        id: "pick-t1", kind: "pick", seat: 1, deadline: due,
        options: options.map((id) => ({ id })),
    });
    const draw = (...options) =>
        globalThis.panel.update({ version: 20, decisions: [decision(options)] }, { state: null });
    draw("single");
    const left = document.querySelector(".p-left");
    const text = left.firstChild;
    draw("single", "double");
    const found = [left.textContent, left.isConnected && left.firstChild === text];
    return [...found, document.querySelectorAll("[data-option]").length];
}"""
"""What is said of the time that is left, whether that stays through a drawing, and its options."""

GOES: Final = """([version, late]) => {
    globalThis.late = late ? { seat: 1, at: version } : null;
    const told = (decisions, later) =>
        globalThis.panel.update({ version: version + later, decisions }, { state: null });
    const due = Date.now() + 60_000;
    told(globalThis.panel.decisions.map((each) => ({ ...each, deadline: due })), 0);
    told([], 1);
    return document.querySelector(".p-replaced")?.textContent ?? "";
}"""
"""What is said when whatever was asked is asked no longer, and the log says that time was over."""
BESIDE: Final = """(version) => {
    const beside = { id: "beside", kind: "pick", seat: 1, options: [{ id: "single" }] };
    const decisions = [...globalThis.panel.decisions, beside];
    globalThis.panel.update({ version, decisions }, { state: null });
}"""
"""Something else is asked as well."""

PICKING: Final = Play(
    seats=2,
    rounds=2,
    turn=1,
    chosen={1: "2", 2: "2"},
    shown={1: "2", 2: "2"},
    points={1: 0, 2: 0},
)
"""Seat 1 says whether the die counts double, or whom alone it favours."""
STATUS: Final = {"option-not-found": 404, "decision-not-open": 409, "too-busy": 503}


class ToyTable:
    """The toy behind the paths of the service that a player walks and chooses by.

    ``asked`` are the branches that were asked for, ``chosen`` the options that were handed in;
    ``refusing`` is the problem with which everything below a branch is refused.
    """

    def __init__(self, page: Page) -> None:
        self.rules = Toy()
        self.play = PICKING
        self.version = 9
        self.asked: list[str] = []
        self.chosen: list[str] = []
        self.refusing: str | None = None
        page.route("**/v1/games/**", self._answer)

    def moves_on(self, play: Play) -> None:
        """Something happens that nobody at the page did."""
        self.play = play
        self.version += 1

    def _answer(self, route: Route) -> None:
        path = route.request.url.partition(f"/v1/games/{GAME}/decisions")[2].split("/")
        decisions = self.rules.decisions(self.play, 1)
        found = next((d for d in decisions if path[1:2] == [d.id]), None)
        if path == [""]:
            told = {"version": self.version, "decisions": decisions}
        elif found is None:
            return self._refuse(route, "decision-not-open")
        elif route.request.method == "POST":
            return self._choose(route, found, json.loads(route.request.post_data or ""))
        else:
            self.asked.append(path[3])
            below = self.rules.branch(self.play, found, tuple(path[3].split(".")))
            if self.refusing or not below:
                return self._refuse(route, self.refusing or "option-not-found")
            told = {"version": self.version, "option": path[3], "options": below}
        return self._tell(route, told)

    def _choose(self, route: Route, decision: Decision, said: dict[str, str]) -> None:
        option = said["option"]

        def below(path: tuple[str, ...]) -> Any:
            return self.rules.branch(self.play, decision, path)

        assert standing(decision, option, below) == "leaf"
        self.chosen.append(option)
        self.moves_on(replace(self.play, turn=2, shown={}, chosen={}))
        self._tell(route, {"version": self.version, "events": []})

    def _tell(self, route: Route, told: object, status: int = 200) -> None:
        headers = {"content-security-policy": POLICY}
        body = msgspec.json.encode(told)
        kind = "application/json" if status == 200 else "application/problem+json"
        route.fulfill(status=status, content_type=kind, body=body, headers=headers)

    def _refuse(self, route: Route, code: str) -> None:
        status = STATUS[code]
        told = {"type": f"/problems/{code}", "title": code, "status": status, "detail": ""}
        self._tell(route, told, status)


@pytest.fixture
def table(own_modules: Page) -> ToyTable:
    """A table of the toy, and the play panel of seat 1 on the page."""
    return ToyTable(own_modules)


def begins(page: Page, language: str = "en") -> Locator:
    """Show the panel; the decision in which a seat is picked."""
    book = json.loads(msgspec.json.encode(TOY_GAME.published.rulebook("toybook", language)))
    page.evaluate(BEGIN, [GAME, book, language])
    return page.locator("[data-decision='pick-t1']")


def options(card: Locator) -> list[str | None]:
    """The options that are listed."""
    return [each.get_attribute("data-option") for each in card.locator("[data-option]").all()]


def test_a_person_walks_down_a_tree_and_back_and_chooses_a_leaf(
    own_modules: Page, table: ToyTable
) -> None:
    card = begins(own_modules)
    assert options(card) == ["single", "favour", "double"]
    card.locator("[data-option=favour]").focus()
    own_modules.keyboard.press("Enter")
    level = card.locator(".p-trail p")
    expect(level).to_be_focused()
    expect(level).to_have_text("favour")
    expect(own_modules.locator("#live")).to_contain_text("favour")
    assert options(card)[:2] == ["favour.nobody", "favour.s1"]
    card.locator("[data-option='favour.s1-s2']").click()
    expect(level).to_have_text("favour \u203a s1-s2")
    assert options(card) == ["favour.s1-s2.once", "favour.s1-s2.twice"]
    own_modules.keyboard.press("Shift+Tab")
    own_modules.keyboard.press("Enter")
    expect(card.locator("[data-option='favour.s1-s2']")).to_be_focused()
    card.get_by_role("button", name="Back").click()
    expect(card.locator("[data-option=favour]")).to_be_focused()
    assert options(card) == ["single", "favour", "double"]
    for option in ("favour", "favour.s2", "favour.s2.twice"):
        card.locator(f"[data-option='{option}']").click()
    expect(card).to_have_count(0)
    expect(own_modules.locator("#live")).to_contain_text("number")
    expect(own_modules.locator(".p-replaced")).to_have_count(0)
    assert table.chosen == ["favour.s2.twice"]
    # What was listed is not asked for again while the game stands still.
    assert table.asked == ["favour", "favour.s1-s2", "favour", "favour.s2"]


def test_a_walk_follows_the_game_and_a_refusal_leads_back_to_the_beginning(
    own_modules: Page, table: ToyTable
) -> None:
    card = begins(own_modules, "fr")
    card.locator("[data-option=favour]").click()
    expect(card.locator("[data-option]")).to_have_count(4)
    table.moves_on(replace(PICKING, seats=3, points={1: 0, 2: 0, 3: 0}))
    own_modules.evaluate(MOVED)
    expect(card.locator("[data-option]")).to_have_count(8)
    table.refusing = "option-not-found"
    card.locator("[data-option='favour.s3']").click()
    expect(card.get_by_role("alert")).not_to_be_empty()
    expect(card.locator("[data-option]")).to_have_count(3)
    # Where the service is busy, nothing is lost, and one may try again.
    table.refusing = None
    card.locator("[data-option=favour]").click()
    expect(card.get_by_role("alert")).to_have_count(0)
    expect(card.locator(".p-trail")).to_be_visible()
    table.moves_on(replace(table.play, turn=2, shown={}, chosen={}))
    card.locator("[data-option='favour.s3']").click()
    expect(card).to_have_count(0)
    expect(own_modules.locator("[data-kind=number]")).to_be_visible()
    expect(own_modules.locator(".p-panel")).not_to_contain_text(re.compile("favour"))
    # It is said until something is begun or answered.
    gone = own_modules.locator(".p-replaced")
    expect(gone).to_contain_text("a été prise entre-temps")
    own_modules.locator("[data-kind=number] [data-option]").first.click()
    expect(gone).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "decided", "late"),
    [
        ("en", "decided meanwhile", "your time was over"),
        ("fr", "prise entre-temps", "votre temps était écoulé"),
        ("pl", "już podjęto", "skończył się czas"),
    ],
)
def test_whoever_was_on_a_walk_reads_why_it_has_ended(
    own_modules: Page, table: ToyTable, language: str, decided: str, late: str
) -> None:
    for is_late, said in ((False, decided), (True, late)):
        card = begins(own_modules, language)
        card.locator("[data-option=favour]").click()
        expect(card.locator(".p-trail")).to_be_visible()
        assert said in own_modules.evaluate(GOES, [table.version, is_late])
    begins(own_modules, language)
    assert own_modules.evaluate(GOES, [table.version, True]) == ""  # nothing was begun


def test_whoever_ends_a_walk_by_another_answer_is_told_nothing(
    own_modules: Page, table: ToyTable
) -> None:
    def takes(route: Route) -> None:
        table.moves_on(replace(table.play, turn=2, shown={}, chosen={}))
        route.fulfill(json={"version": table.version, "events": []})

    own_modules.route("**/decisions/beside", takes)
    card = begins(own_modules)
    card.locator("[data-option=favour]").click()
    expect(card.locator(".p-trail")).to_be_visible()
    own_modules.evaluate(BESIDE, table.version)
    own_modules.locator("[data-decision=beside] [data-option=single]").click()
    expect(card).to_have_count(0)
    expect(own_modules.locator("[data-kind=number]")).to_be_visible()
    expect(own_modules.locator(".p-replaced")).to_have_count(0)


def test_an_option_is_chosen_although_the_game_moves_on_while_it_is_pressed(
    own_modules: Page, table: ToyTable
) -> None:
    card = begins(own_modules)
    card.locator("[data-option=favour]").click()
    leaf = card.locator("[data-option='favour.s2']")
    with pressed(leaf):
        table.moves_on(replace(PICKING, seats=3, points={1: 0, 2: 0, 3: 0}))
        own_modules.evaluate(MOVED)
        expect(card.locator("[data-option]")).to_have_count(8)
    expect(card.locator(".p-trail p")).to_have_text("favour \u203a s2")


@pytest.mark.usefixtures("table")
def test_the_time_that_is_left_stays_while_all_is_drawn(own_modules: Page) -> None:
    own_modules.clock.install(time=0)
    own_modules.clock.pause_at(LATER_S)
    begins(own_modules)
    due = (LATER_S + 59) * 1000
    assert own_modules.evaluate(LEFT, due) == ["0:59", True, 2]


def test_a_decision_that_came_before_its_events_is_drawn_anew_with_them(
    own_modules: Page, table: ToyTable
) -> None:
    """What is said beside it was told of an older state."""
    begins(own_modules)
    drawn = own_modules.evaluate(LATE, [GAME, table.version])
    assert drawn == {"late": True, "again": False, "in time": False}
