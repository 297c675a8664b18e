"""Answers that no place of the board stands for: buttons over it, near whom they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from msgspec import Struct
from playwright.sync_api import Page, expect

from tests.e2e.answering import Answering, Way
from tests.e2e.clients import Client, Json
from tests.e2e.layout import OVERLAP, lasting
from tests.e2e.on_board import button, targets, unmet
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.planting import plant
from tests.e2e.situations import lay, situations
from tests.e2e.test_layout import RULE
from tests.e2e.watching import watch

ROOM25: Final = ("room25", "ultimate")
TOWN: Final = ("cerveauuu", "prototype")

BY_NIGHT: Final = pytest.mark.nightly
"""By day test_decision_layout.py answers every kind in one way, of a button over the board too."""

ANSWERED: Final = (
    pytest.param(ROOM25, "summon_refuse", DESKTOP, "pointer", id="of a figure", marks=BY_NIGHT),
    pytest.param(ROOM25, "free_action", PHONE, "finger", id="of actions by finger"),
    # By day test_after_an_answer_the_keyboard_stays_with_the_board answers by keys.
    pytest.param(TOWN, "support", DESKTOP, "keys", id="of a principal by keys", marks=BY_NIGHT),
    pytest.param(ROOM25, "android", DESKTOP, "keys", id="of a robot by keys", marks=BY_NIGHT),
    pytest.param(TOWN, "consent", PHONE, "finger", id="of a zombie by finger", marks=BY_NIGHT),
    pytest.param(TOWN, "wander_batch", DESKTOP, "pointer", id="of a human", marks=BY_NIGHT),
)


class Asked(Struct, frozen=True):
    """Somebody at a table of a game who is asked something."""

    of: str
    page: Page
    client: Client
    game: str
    decision: Json

    @property
    def option(self) -> Json:
        """The last that no place of the board stands for."""
        options: list[Json] = self.decision["options"]
        return [each for each in options if not targets(self.of, each)][-1]

    def hand(self, **more: int) -> Answering:
        """Who answers."""
        return Answering(self.page, self.client, self.game, of=self.of, language="en", **more)

    def unmet(self) -> list[str]:
        """What of the decision cannot be met on the board."""
        return unmet(self.page, self.of, [self.decision], "en")

    def is_shown(self) -> None:
        """Wait until the answers stand on the board."""
        name = button(self.decision, self.option)[1]
        expect(self.page.locator(f".answers [id='{name}']")).to_be_visible()


@pytest.fixture
def asks(person: Callable[..., Person], client: Callable[..., Client]) -> Callable[..., Asked]:
    """Lays a situation and shows it to whoever is asked, with a screen of some kind."""

    def laid(
        book: tuple[str, str], kind: str, look: Look = DESKTOP, fault: tuple[str, str] | None = None
    ) -> Asked:
        situation = situations(*book)[kind]
        players = [client(f"Player {number}") for number in range(1, situation.seats + 1)]
        game = lay(situation, players)
        asked = players[situation.seat - 1]
        one = person("Ada", look)
        one.signs_in(asked)
        if fault is not None:
            plant(one.page, "watch/answers.js", dict([fault]))
        page = watch(one, game)
        decision = next(each for each in asked.asked(game) if each["kind"] == kind)
        made = Asked(book[0], page, asked, game, decision)
        made.is_shown()
        return made

    return laid


@pytest.mark.parametrize(("book", "kind", "look", "way"), ANSWERED)
def test_one_answers_on_the_board(
    asks: Callable[..., Asked], book: tuple[str, str], kind: str, look: Look, way: Way
) -> None:
    it = asks(book, kind, look)
    assert lasting(it.page, it.unmet) == []
    assert it.hand().answers(it.decision, it.option, way) == []


def test_after_an_answer_the_keyboard_stays_with_the_board(asks: Callable[..., Asked]) -> None:
    it = asks(ROOM25, "summon_refuse")
    assert it.hand().answers(it.decision, it.option, "keys") == []
    expect(it.page.locator(f".answers [data-key='{it.decision['id']}']")).to_have_count(0)
    assert it.page.evaluate("document.activeElement.closest('.stage') !== null")


COVERED: Final = (
    f"(those) => {{{OVERLAP}"
    """
    const boxes = (css) => [...document.querySelectorAll(css)].map((each) =>
        each.getBoundingClientRect());
    return boxes(".answer-group").flatMap((one) => boxes(those)
        .filter((other) => Math.min(...Object.values(overlap(one, other))) > 1)).length;
}"""
)
"""How many of some things answers cover."""

MISPLACED: Final = f"""(those) => {{
    const place = (css) => document.querySelector(css).getBoundingClientRect();
    const [from, to] = [place(".answer-group"), place(".cv-choice")];
    const group = document.querySelector(".answer-group");
    group.style.translate = `${{to.x - from.x}}px ${{to.y - from.y}}px`;
    return ({COVERED})(those);
}}"""
"""The same where answers stand on a choice, a planted fault: no drawing comes in between."""

CHOICES: Final = ".cv-choice"
SPARED: Final = f"{CHOICES}, .cv-piece"


@pytest.mark.parametrize(
    ("kind", "look", "those"),
    [
        # By day the same on a phone, where there is less room.
        pytest.param("wander_batch", DESKTOP, SPARED, id="desktop", marks=BY_NIGHT),
        pytest.param("wander_batch", PHONE, SPARED, id="phone"),
        # Twenty humans leave room between them for small answers alone.
        pytest.param("place_zombie", PHONE, SPARED, id="at each edge of a phone's board"),
    ],
)
def test_answers_cover_nobody_and_nothing_that_can_be_chosen(
    asks: Callable[..., Asked], kind: str, look: Look, those: str
) -> None:
    it = asks(TOWN, kind, look)
    assert it.page.locator(CHOICES).count() > 2
    it.page.wait_for_function(f"(those) => ({COVERED})(those) === 0", arg=those)
    assert it.page.evaluate(MISPLACED, those) > 0


AS_LARGE_AS_EVER: Final = (
    "const SHAPES = [\n  { small: false, columnsOf: usual },",
    "const SHAPES = [{ small: false, columnsOf: usual }];\nexport const UNUSED = [",
)
"""A planted fault: answers get no smaller where nobody has left a place for them."""
SIZES: Final = """() => [...document.querySelectorAll(".answer")].map((each) =>
    [each.offsetHeight, parseFloat(getComputedStyle(each).fontSize)])"""
"""How high answers are, and how large their letters, in pixels."""


@pytest.mark.parametrize("fault", [None, AS_LARGE_AS_EVER], ids=["whole", "faulty"])
def test_where_no_place_is_free_answers_get_smaller_and_cover_nobody(
    asks: Callable[..., Asked], fault: tuple[str, str] | None
) -> None:
    """Twenty humans stand in a town, on phones of two heights; at a desktop there is room."""
    it = asks(TOWN, "place_zombie", PHONE, fault)
    assert it.page.locator(".cv-piece").count() == 20
    if fault is not None:
        it.page.wait_for_function(f"() => ({COVERED})('.cv-piece') > 0")
        return
    it.page.wait_for_function(f"() => ({COVERED})('.cv-piece') === 0")
    small = it.page.locator(".answer-small")
    expect(small).to_have_count(1)
    assert all(high >= 24 and letters >= 11 for high, letters in it.page.evaluate(SIZES))
    it.page.set_viewport_size({"width": PHONE.width, "height": 640})
    it.page.wait_for_function(f"(those) => ({COVERED})(those) === 0", arg=SPARED)
    it.page.set_viewport_size({"width": DESKTOP.width, "height": DESKTOP.height})
    expect(small).to_have_count(0)


STANDS: Final = """() => {
    const { left, width, bottom } = document.querySelector(".answer-group").getBoundingClientRect();
    const board = document.querySelector(".stage > svg");
    const matrix = board.getScreenCTM().inverse();
    const piece = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const at = new DOMPoint(left + width / 2, bottom - 6).matrixTransform(matrix);
    const size = { x: at.x, y: at.y, width: 6 * matrix.a, height: 12 * matrix.d };
    Object.entries(size).forEach(([name, value]) => piece.setAttribute(name, value));
    piece.classList.add("cv-piece");
    board.append(piece);
}"""
"""Somebody stands half below the answers at the head of a town."""


def test_answers_go_farther_away_rather_than_hide_a_part_of_somebody(
    asks: Callable[..., Asked],
) -> None:
    it = asks(TOWN, "replan", PHONE)
    it.page.wait_for_function(f"() => ({COVERED})('.cv-piece') === 0")
    it.page.evaluate(STANDS)
    assert it.page.evaluate(COVERED, ".cv-piece") == 1
    it.page.set_viewport_size({"width": PHONE.width + 8, "height": PHONE.height})
    it.page.wait_for_function(f"() => ({COVERED})('.cv-piece') === 0")


BARE: Final = """() => [...document.querySelectorAll(".answer-group")].map((group) => {
    const right = (node) => node.getBoundingClientRect().right;
    const rest = right(group) - right(group.lastElementChild);
    return Math.round(rest - parseFloat(getComputedStyle(group).paddingRight));
})"""
"""How many pixels of each group's last row no answer stands on."""


def test_the_last_row_of_answers_is_as_wide_as_the_others(asks: Callable[..., Asked]) -> None:
    it = asks(("room25", "first_edition"), "free_action")
    left = it.page.evaluate("""() => {
        const group = document.querySelector(".answer-group");
        return group.children.length % Number(group.style.getPropertyValue("--columns"));
    }""")
    assert left != 0
    it.page.wait_for_function(f"() => String(({BARE})()) === '0'")
    # A planted fault, which the next drawing would take from an element: the last is one of many.
    it.page.evaluate(RULE, ".answer-group { --rest: 1 !important; }")
    (bare,) = it.page.evaluate(BARE)
    assert bare > 10


DEAD: Final = ("onclick: () => choose()", "onclick: () => {}")
CROSSED: Final = (
    "options.map((option) => button(decision, option))",
    "options.map((option) => button(decision, { ...option, choose: options[0].choose }))",
)


def test_a_dead_button_is_noticed(asks: Callable[..., Asked]) -> None:
    it = asks(ROOM25, "summon_refuse", fault=DEAD)
    # Nothing can come of it, however long one waits.
    (found,) = it.hand(patience_ms=200).answers(it.decision, it.option, "pointer")
    assert "nothing comes of pressing" in found


@pytest.mark.nightly  # by day a button that is dead is noticed
def test_a_button_for_something_else_is_noticed(asks: Callable[..., Asked]) -> None:
    it = asks(ROOM25, "summon_refuse", fault=CROSSED)
    (found,) = it.hand().answers(it.decision, it.option, "pointer")
    assert "was sent instead of" in found


def test_a_board_of_words_has_no_buttons_over_it_and_a_drawn_one_without_them_is_found(
    asks: Callable[..., Asked],
) -> None:
    it = asks(ROOM25, "summon_refuse")
    it.page.keyboard.press("t")
    expect(it.page.locator(".text-board")).to_be_visible()
    expect(it.page.locator(".answers")).to_be_hidden()
    it.page.keyboard.press("t")
    it.is_shown()
    assert lasting(it.page, it.unmet) == []
    it.page.evaluate("document.querySelector('.answers').remove()")  # no drawing brings it back
    assert any("cannot be chosen on the board" in each for each in it.unmet())
