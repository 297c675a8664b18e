"""A programme is put together by pointer, finger, keyboard or list, and what is begun is kept."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec import Struct
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of, draws_all_anew, pressed
from tests.e2e.axe import violations
from tests.e2e.by_day import LOOKS, WHOLE
from tests.e2e.clients import Client, Json
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.planting import plant_all
from tests.e2e.test_accessibility import reach
from tests.e2e.watching import root, shows, watch

WANTED: Final = ("push", "look")

SMALL_DESKTOP: Final = Look(width=1366, height=657)
"""With room for what actions are called, and not for what they do."""

CUT: Final = """(all) => all.filter((each) => {
    const box = each.getBoundingClientRect();
    const around = each.closest("dialog").getBoundingClientRect();
    const parts = [...each.children].map((part) => part.getBoundingClientRect());
    const told = parts.reduce((sum, { height }) => sum + height, 0);
    return box.left < around.left || box.right > around.right || box.height > told + 40
        || each.scrollWidth > each.clientWidth + 1;
}).map((each) => each.dataset.card)"""
"""Of what explains actions in a window: what runs out of it, or has more room than it fills."""

WIDEST: Final = "(all) => Math.max(...all.map((each) => each.getBoundingClientRect().width))"

WIDE: Final = Look(width=1920, height=1080)


KEPT: Final = "Object.values(sessionStorage).flatMap((each) => Object.keys(JSON.parse(each)))"
"""The ids of decisions of which something that was begun outlives a reload."""


class Programming(Struct, frozen=True):
    """A page that asks for the first programme of two characters."""

    ada: Client
    bob: Client
    one: Person
    game: str
    decisions: list[Json]

    @property
    def page(self) -> Page:
        """The page."""
        return self.one.page

    def card(self, number: int = 0) -> Locator:
        """The card of the first decision, or of a further one."""
        return card_of(self.page, self.decisions[number])

    def slots(self, number: int = 0) -> Locator:
        """The slots below the figure of the first decision, or of a further one."""
        return self.page.locator(f".b-slots [data-decision='{self.decisions[number]['id']}'] > g")

    def changes(self, token: str) -> Locator:
        """Add a card to what is handed in of the first decision; its card on the page."""
        answered = self.page.locator(f".p-answered[data-decision='{self.decisions[0]['id']}']")
        answered.locator(".p-change > summary").click()
        answered.locator(f".p-card[data-card={token}]").click()
        return answered

    def hands_in(self, option: str) -> None:
        """Answer the first decision elsewhere than on the page."""
        self.ada.post(f"/games/{self.game}/decisions/{self.decisions[0]['id']}", {"option": option})

    def handed_in(self) -> list[str]:
        """The tokens that the service has of the first decision."""
        character = self.decisions[0]["subject"]
        program = self.ada.state(self.game, "seat:1")["play"]["characters"][character]["program"]
        return list(program["tokens"])


@pytest.fixture
def asked(
    person: Callable[..., Person], client: Callable[..., Client]
) -> Callable[..., Programming]:
    """Opens a game at its first programmes, before somebody with a screen of some kind."""

    def opened(look: Look = DESKTOP, one: Person | None = None, **more: Any) -> Programming:
        ada, bob = client("Ada"), client("Bob")
        game = ada.opens("competition", 2, **more)
        for number, player in enumerate((ada, bob), 1):
            player.sits(game, seat=number)
        while ada.asked(game)[0]["kind"] != "program":
            for player in (ada, bob):
                player.chooses(game, "r1c2")
        one = one or person("Ada", look)
        one.signs_in(ada)
        watch(one, game)
        made = Programming(ada, bob, one, game, ada.asked(game))
        expect(made.card()).to_be_visible()
        return made

    return opened


def laid(card: Locator) -> list[str | None]:
    """What lies in the slots of a card, in their order."""
    return [each.get_attribute("data-card") for each in card.locator(".p-laid").all()]


def lies(card: Locator, *tokens: str) -> None:
    """Wait until these lie in the slots."""
    places = card.locator(".p-laid")
    expect(places).to_have_count(len(tokens))
    for at, token in enumerate(tokens):
        expect(places.nth(at)).to_have_attribute("data-card", token)


def is_handed_in(it: Programming, *tokens: str) -> None:
    """The page has handed these in."""
    expect(it.card()).to_have_count(0)
    assert it.handed_in() == list(tokens)


def drag(page: Page, what: Locator, where: Locator) -> None:
    """Drag by the mouse from the middle of one to the middle of the other."""
    what.hover()  # it is in sight, and has come to rest
    start, end = what.bounding_box(), where.bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    for part in (0.3, 0.7, 1):
        page.mouse.move(
            start["x"] + (end["x"] + end["width"] / 2 - start["x"]) * part,
            start["y"] + (end["y"] + end["height"] / 2 - start["y"]) * part,
        )
    page.mouse.up()


def test_by_a_pointer_that_clicks(asked: Callable[..., Programming]) -> None:
    it = asked()
    card = it.card()
    for token in WANTED:
        card.locator(f".p-card[data-card={token}]").click()
    lies(card, *WANTED)
    card.locator(".p-place").first.locator(".p-laid").click()
    lies(card, "look")
    card.locator(".p-card[data-card=push]").click()
    lies(card, "look", "push")
    card.locator(".p-swap").click()
    lies(card, *WANTED)
    assert violations(it.page, ".p-panel") == []
    card.locator(".p-send").click()
    is_handed_in(it, *WANTED)


def test_by_a_pointer_that_drags(asked: Callable[..., Programming]) -> None:
    it = asked()
    card, places = it.card(), it.card().locator(".p-place")
    drag(it.page, card.locator(".p-card[data-card=look]"), places.nth(0))
    lies(card, "look")
    drag(it.page, card.locator(".p-card[data-card=push]"), places.nth(1))
    lies(card, "look", "push")
    drag(it.page, places.nth(1).locator(".p-laid"), places.nth(0))
    lies(card, *WANTED)
    # In place of another, out again, and to the slots of another figure, which are not its own.
    drag(it.page, card.locator(".p-card[data-card=move]"), places.nth(1))
    lies(card, "push", "move")
    drag(it.page, places.nth(1).locator(".p-laid"), it.page.locator(".now"))
    lies(card, "push")
    drag(it.page, places.nth(0).locator(".p-laid"), it.card(1).locator(".p-place").first)
    lies(card)
    assert laid(it.card(1)) == []
    expect(it.page.locator(".dragged")).to_have_count(0)


SIDES: Final = """() => [".b-tile[data-cell=r2c2] .b-face", ".b-slots [data-decision] > g"]
    .flatMap((css) => [...document.querySelectorAll(css)])
    .map((each) => each.getBoundingClientRect())
    .map(({ left, right }) => [left, right])"""
"""Where the Central Room begins and ends from left to right, and then each slot."""


def lie_side_by_side(page: Page) -> None:
    """The slots of all figures of a room lie below it, and none over another."""
    (left, right), *slots = page.evaluate(SIDES)  # all at one moment: a board may grow
    assert len(slots) == 4
    ordered = sorted(slots)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ordered))
    assert ordered[0][0] >= left - 8
    assert ordered[-1][1] <= right + 8


def test_in_the_slots_below_the_figures(asked: Callable[..., Programming]) -> None:
    it = asked()
    card, slots = it.card(), it.slots()
    for at in (0, 1):
        expect(it.slots(at)).to_have_count(2)
    lie_side_by_side(it.page)
    assert [each.text_content() for each in slots.all()] == [
        "Action 1 (empty)1",
        "Action 2 (empty)2",
    ]
    drag(it.page, card.locator(".p-card[data-card=push]"), slots.nth(0))
    lies(card, "push")
    card.locator(".p-card[data-card=look]").click()
    lies(card, "push", "look")
    drag(it.page, slots.nth(1), slots.nth(0))
    lies(card, "look", "push")
    drag(it.page, slots.nth(0), card.locator(".p-place").nth(1))
    lies(card, *WANTED)
    # Pressed, let go elsewhere, and let go below another figure, whose slots are not its own.
    slots.nth(0).click()
    lies(card, "look")
    drag(it.page, slots.nth(0), it.slots(1).nth(0))
    lies(card)
    assert laid(it.card(1)) == []
    drag(it.page, it.card(1).locator(".p-card").first, it.slots(1).nth(1))
    lies(it.card(1), "look")
    lies(card)
    it.card(1).locator(".p-send").click()
    expect(it.slots(1)).to_have_count(0)
    expect(it.page.locator(".b-planned .b-pictogram")).to_have_count(1)
    expect(slots).to_have_count(2)
    expect(it.page.locator(".dragged")).to_have_count(0)


def holds(it: Programming, what: Locator) -> None:
    """Press the mouse on something, and let it go when what stands below has been answered."""
    with pressed(what):
        other = it.decisions[1]
        option = {"option": other["options"][0]["id"]}
        it.ada.post(f"/games/{it.game}/decisions/{other['id']}", option)
        expect(it.page.locator(f".p-answered[data-decision='{other['id']}']")).to_be_visible()
        shows(it.page, it.ada.version(it.game))


def test_a_press_counts_although_something_happens_before_it_ends(
    asked: Callable[..., Programming],
) -> None:
    it = asked()
    card = it.card()
    holds(it, card.locator(".p-card[data-card=push]"))
    lies(card, "push")


@pytest.mark.nightly  # by day test_pressed.py loses a phrase in the same way
def test_a_press_that_is_lost_where_all_is_drawn_anew_is_noticed(
    asked: Callable[..., Programming], person: Callable[..., Person]
) -> None:
    one = person("Ada")
    draws_all_anew(one)
    it = asked(one=one)
    card = it.card()
    holds(it, card.locator(".p-card[data-card=push]"))
    # What is pressed afterwards comes second, so the first was lost. This press takes no time in
    # which another drawing could come.
    card.locator(".p-card[data-card=look]").dispatch_event("click")
    lies(card, "look")


def test_by_a_finger(asked: Callable[..., Programming]) -> None:
    it = asked(PHONE)
    card = it.card()
    for token in WANTED:
        card.locator(f".p-card[data-card={token}]").tap()
    lies(card, *WANTED)
    it.slots().nth(1).tap()
    lies(card, "push")
    card.locator(".p-card[data-card=look]").tap()
    lies(card, *WANTED)
    card.locator(".p-send").tap()
    is_handed_in(it, *WANTED)


def test_what_is_left_comes_into_sight_once_the_first_is_handed_in(
    asked: Callable[..., Programming],
) -> None:
    it = asked(PHONE)
    card, heading = it.card(), it.card(1).locator("h3")
    expect(heading).not_to_be_in_viewport()
    card.locator(".p-card[data-card='look']").tap()
    card.locator(".p-send").tap()
    is_handed_in(it, "look")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()


def test_by_the_keyboard_alone(asked: Callable[..., Programming]) -> None:
    it = asked()
    card, press = it.card(), it.page.keyboard.press
    expect(card.locator("kbd").first).to_be_visible()
    # Keys go to the figure that has the focus, and else to the first.
    it.card(1).locator(".p-card").first.focus()
    press("2")
    lies(it.card(1), "move")
    lies(card)
    press("Backspace")
    lies(it.card(1))
    it.page.evaluate("document.activeElement.blur()")
    for key in ("2", "4", "Backspace", "1"):
        press(key)
    lies(card, "move", "look")
    for key in ("2", "3"):
        press(key)
    lies(card, "look", "push")
    expect(root(it.page)).to_have_attribute("data-viewer", "seat:1")
    press("4")
    lies(card, "look", "push")
    expect(it.page.locator("#live")).to_have_text("Every slot is taken: take a card back first.")
    reach(it.page, f"[data-decision='{it.decisions[0]['id']}'] .p-swap")
    press("Enter")
    lies(card, *WANTED)
    reach(it.page, f"[data-decision='{it.decisions[0]['id']}'] .p-send")
    press("Enter")
    is_handed_in(it, *WANTED)
    # The keys go on to the next figure, and wherever the focus is.
    press("3")
    lies(it.card(1), "push")


# By day by a finger: test_decision_layout.py presses such buttons by a pointer.
@pytest.mark.parametrize("look", LOOKS)
def test_handed_in_where_the_figure_stands(asked: Callable[..., Programming], look: Look) -> None:
    it = asked(look)
    hand_in = it.page.locator(f".answers [data-key='{it.decisions[0]['id']}'] button")
    expect(hand_in).to_have_count(0)
    for token in WANTED:
        it.card().locator(f".p-card[data-card={token}]").click()
    expect(hand_in).to_have_text(["Hand in"])
    hand_in.tap() if look.touch else hand_in.click()
    is_handed_in(it, *WANTED)
    expect(hand_in).to_have_count(0)


def test_by_the_list(asked: Callable[..., Programming]) -> None:
    it = asked()
    card = it.card()
    reach(it.page, f"[data-decision='{it.decisions[0]['id']}'] .p-listed summary")
    it.page.keyboard.press("Enter")
    card.get_by_role("group", name="Action 1").get_by_role("radio", name="Push").check()
    card.get_by_role("group", name="Action 2").get_by_role("radio", name="Look").check()
    lies(card, *WANTED)
    assert violations(it.page, ".p-panel") == []
    card.get_by_role("button", name="Hand in: Push + Look").click()
    is_handed_in(it, *WANTED)


def test_what_is_begun_outlives_a_reload_and_ends_with_its_decision(
    asked: Callable[..., Programming],
) -> None:
    it = asked()
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
    asked: Callable[..., Programming],
) -> None:
    """In a second tab, or by a program of the same player."""
    it = asked()
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
    asked: Callable[..., Programming], person: Callable[..., Person], *, faulty: bool
) -> None:
    one = person("Ada")
    plant_all(one.page, UNSAID if faulty else {})
    it = asked(one=one)
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
    asked: Callable[..., Programming], person: Callable[..., Person], *, faulty: bool
) -> None:
    one = person("Ada")
    plant_all(one.page, FORGETS if faulty else {})
    it = asked(one=one)
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
    asked: Callable[..., Programming], client: Callable[..., Client]
) -> None:
    it = asked()
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


LINES: Final = """(all) => all.map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
})"""
"""In how many lines texts stand."""


def explains(page: Page) -> dict[str, str]:
    """What the open window says of each action."""
    told = page.locator("dialog .p-explained [data-card]")
    return {str(each.get_attribute("data-card")): each.inner_text() for each in told.all()}


# By day on a phone, where there is least room.
@pytest.mark.parametrize(
    "look",
    [
        pytest.param(SMALL_DESKTOP, id="desktop", marks=pytest.mark.nightly),
        pytest.param(PHONE, id="phone"),
    ],
)
def test_what_actions_do_is_one_tap_away_where_cards_have_no_room_for_it(
    asked: Callable[..., Programming], look: Look
) -> None:
    it = asked(look)
    card, page = it.card(), it.page
    cards = card.locator(".p-card").all()
    assert card.locator(".p-card-text").evaluate_all(WIDEST) <= 1
    # In a few words each card says it itself, in one line.
    briefs = card.locator(".p-card-brief")
    expect(briefs).to_have_count(len(cards))
    assert briefs.evaluate_all(WIDEST) > 40
    assert briefs.evaluate_all(LINES) == [1] * len(cards)
    button = card.get_by_role("button", name="What the actions do")
    button.tap() if look.touch else button.press("Enter")
    expect(page.locator("dialog .p-explained")).to_be_visible()
    told = explains(page)
    assert told.keys() == {each.get_attribute("data-card") for each in cards}
    for each in cards:
        token = str(each.get_attribute("data-card"))
        assert each.locator("b").inner_text() in told[token]
        assert str(each.get_attribute("title")) in told[token]
    assert violations(page, "dialog[open]") == []
    assert page.locator("dialog .p-explained [data-card]").evaluate_all(CUT) == []
    page.keyboard.press("Escape")
    expect(page.locator("dialog .p-explained")).to_have_count(0)
    expect(button).to_be_focused()
    lies(card)  # nothing has been chosen by asking


def test_cards_that_explain_themselves_need_no_button(asked: Callable[..., Programming]) -> None:
    it = asked(WIDE)
    texts = it.card().locator(".p-card-text")
    assert texts.evaluate_all(WIDEST) > 40
    expect(it.card().locator(".p-card-brief").first).to_be_hidden()
    expect(it.card().locator(".p-explain")).to_be_hidden()
    expect(it.card().locator(".about-sign")).to_have_count(0)  # each card has its own


STANDS_ALONE: Final = """() => {
    const text = document.querySelector(".log li.current .log-text");
    const { left, top } = text.getBoundingClientRect();
    const frame = text.closest(".log-lines").getBoundingClientRect();
    const headings = [...document.querySelectorAll(".log-chapter h3")]
        .map((each) => each.getBoundingClientRect())
        .filter(({ height, top }) => height > 0 && top >= frame.top - 1 && top < frame.bottom);
    return text.contains(document.elementFromPoint(left + 4, top + 6)) && headings.length === 1;
}"""
"""Whether nothing lies over the beginning of the line that is shown, below a single heading."""


def test_a_low_log_shows_the_line_of_the_moment(asked: Callable[..., Programming]) -> None:
    page = asked(Look(width=1280, height=800)).page
    assert page.locator(".log-lines").evaluate("(log) => log.clientHeight") < 100
    page.wait_for_function(STANDS_ALONE)


EDGES: Final = """(pressed) => [...document.querySelectorAll(`[aria-pressed="${pressed}"]`)]
    .filter((each) => each.checkVisibility())
    .map((each) => getComputedStyle(each).borderTopWidth)"""
"""How wide the edge of each button is that is pressed, or of each that is not."""


def test_what_is_pressed_is_told_to_screen_readers_and_in_forced_colours(
    asked: Callable[..., Programming],
) -> None:
    it = asked()
    card = it.card()
    card.locator(".p-card[data-card=look]").click()
    lies(card, "look")
    expect(card).to_match_aria_snapshot("""
      - list "Slots":
        - listitem:
          - 'button "Action 1: Look (take back)"'
        - listitem: Action 2 (empty)
      - group "Action cards":
        - button /Look See an adjacent/ [pressed]
        - button /Move/
        - button /Push/
        - button /Control/
    """)
    it.page.emulate_media(forced_colors="active")
    wide, others = it.page.evaluate(EDGES, "true"), it.page.evaluate(EDGES, "false")
    assert wide
    assert others
    assert not set(wide) & set(others)
