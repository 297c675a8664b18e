"""What moves and sounds at a table: in order, caught up with, not at all where nobody wants it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from games.room25.package import GAME
from tests.e2e.axe import violations
from tests.e2e.conftest import Finished
from tests.e2e.people import Look, Person
from tests.e2e.watching import move, open_tools, replay, root, shows

MOVING: Final = Look(motion="no-preference")

QUEUE: Final = """async (given) => {
    const { EffectQueue, latest, LONGEST_MS, BEHIND_MS } =
        await import("/web/watch/effect-queue.js");
    let now = 0;
    const heard = [];
    const queue = new EffectQueue({ now: () => now, sound: (name) => heard.push(name) });
    const node = () => document.body.appendChild(document.createElement("i"));
    const frames = [{ opacity: 0 }, { opacity: 1 }];
    const effect = (name, ms, temporary = false) =>
        ({ name, ms, sound: null, movements: [{ node: node(), frames, temporary }] });
    const running = () =>
        document.getAnimations().map(({ id, effect }) => [id, effect.getTiming().delay]);
    const left = () => document.querySelectorAll("i").length;
    const found = {};
    queue.add([effect("a", 400), effect("b", 300)], { still: false });
    now = 100;
    queue.add([effect("c", 500)], { still: false });
    found.order = running();
    found.behind = queue.behind;
    now = 200;
    queue.add([effect("d", BEHIND_MS + 100)], { still: false });
    queue.add([effect("e", 300)], { still: false });
    found.caughtUp = running();
    queue.skip();
    found.skipped = running();
    const before = left();
    queue.add([effect("f", 300, true)], { still: true });
    found.still = [running(), left() - before];
    queue.add([effect("g", 300, true), effect("h", LONGEST_MS, true)], { still: false });
    found.longest = [running(), left() - before];
    queue.skip();
    found.none = left() - before;
    const thrice = ["i", "j", "k"].map((name) => effect(name, 100));
    thrice.forEach((each) => (each.movements = thrice[0].movements));
    queue.add(thrice, { still: false });
    found.thrice = running();
    queue.skip();
    found.held = running();
    const three = [1, 2, 3].map((ms) => ({ ms }));
    found.latest = [latest(three, 5), latest([{ ms: 9 }], 5), latest([], 5)];
    return found;
}"""


def test_effects_follow_one_another_and_whoever_is_behind_skips(modules: Page) -> None:
    assert modules.evaluate(QUEUE) == {
        "order": [["a", 0], ["b", 400], ["c", 600]],
        "behind": 1100,
        "caughtUp": [["e", 0]],  # the page was too far behind: what was missed is not shown
        "skipped": [],
        "still": [[], 0],
        "longest": [[["h", 300]], 1],  # "f" moves nothing, but it may be heard
        "none": 0,
        "thrice": [["i", 0], ["j", 100], ["k", 200]],
        "held": [],  # whatever moves again is held by what moved it before
        "latest": [[{"ms": 2}, {"ms": 3}], [{"ms": 9}], []],
    }


STEP: Final = """([key, shiftKey]) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
    const named = document.getAnimations().filter(({ id }) => id !== "");
    return [...new Map(named.map(({ id, effect }) => [id, effect.getTiming().delay]))];
}"""
"""Make a step by a key; what moves then, in its order, and after how long."""

STANDS: Final = """() => [...document.querySelectorAll(".b-tile, .b-figure")]
    .map((node) => [node.dataset.about, node.style.transform])"""
TWO_STEPS: Final = f"""(move) => {{
    const [step, stands] = [{STEP}, {STANDS}];
    const now = performance.now();
    performance.now = () => now;
    const told = {{ first: step(move), stands: stands(), second: step(move) }};
    delete performance.now;
    return told;
}}"""
"""Two steps, between which no time passes, and what stands where after the first."""
BOX: Final = "JSON.stringify(document.querySelector('.b-board').getBoundingClientRect())"


def where(finished: Finished, *types: str) -> int:
    """The version of the first of some events that follow one another."""
    found = [json.loads(line)["event"]["type"] for line in finished.lines]
    return next(i for i in range(len(found)) if tuple(found[i : i + len(types)]) == types)


def steps(page: Page, key: str = "ArrowRight") -> Any:
    """One event on, or back; what moves."""
    return page.evaluate(STEP, [key, True])


def test_a_step_is_at_its_place_at_once_and_shows_how_it_got_there(
    person: Callable[..., Person], finished: Finished
) -> None:
    before = where(finished, "character-moved", "room-revealed")
    page = replay(person("Ada", MOVING), finished.game, f"?at={before}")
    expect(page.locator(".stage")).to_have_attribute("data-effects", "ready")
    box = page.evaluate(BOX)
    told = page.evaluate(TWO_STEPS, ["ArrowRight", True])
    assert [name for name, _ in told["first"]] == ["walk"]
    # What comes next does not wait, and stands behind it in the queue.
    assert [name for name, _ in told["second"]] == ["walk", "open"]
    assert told["second"][1][1] > 0
    shows(page, before + 2)
    assert page.evaluate(BOX) == box
    page.wait_for_function("() => document.getAnimations().every(({ id }) => id === '')")
    assert page.evaluate(STANDS) == told["stands"]
    expect(page.locator(".b-cover, .b-effects > *")).to_have_count(0)
    # One switch turns it off, and is remembered.
    open_tools(page)
    move(page, "motion").click()
    page.keyboard.press("Escape")
    assert steps(page, "ArrowLeft") == steps(page, "ArrowLeft") == steps(page) == []
    page.reload()
    expect(page.locator(".stage")).to_have_attribute("data-effects", "ready")
    assert steps(page) == []
    assert (
        page.evaluate("document.querySelector('.stage').getAnimations({ subtree: true }).length")
        == 0
    )


LASTING: Final = """() => [...document.querySelectorAll("*")].map(getComputedStyle)
    .filter(({ animationName }) => animationName !== "none")
    .map(({ animationName, animationDuration, animationIterationCount: times }) =>
        [animationName, times === "infinite" ? null : parseFloat(animationDuration) * times])"""
"""What moves by its style, and for how many seconds; null: for ever."""


def test_whoever_acts_is_pointed_at_for_five_seconds_at_most(
    person: Callable[..., Person], finished: Finished
) -> None:
    """WCAG 2.2.2; and a board that never stands still takes half a core to draw."""
    moved = where(finished, "character-moved")
    page = replay(person("Ada", MOVING), finished.game, f"?at={moved}")
    expect(page.locator(".b-acts")).to_have_count(1)
    (found,) = page.evaluate(LASTING)
    assert found == ["b-breathe", pytest.approx(4.8)]


HEARD: Final = """() => {
    window.heard = 0;
    const { start } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (...when) {
        window.heard += 1;
        return start.apply(this, when);
    };
}"""


FADING: Final = """() => [...document.querySelectorAll("*")]
    .filter((element) => getComputedStyle(element).transitionDuration !== "0s")
    .map((element) => element.outerHTML)"""
"""What would move as soon as its style changes: a duration is enough, as any property may."""


def test_where_less_motion_is_wanted_nothing_moves_and_sound_is_asked_for(
    person: Callable[..., Person], finished: Finished
) -> None:
    before = where(finished, "character-moved", "room-revealed")
    page = replay(person("Ada"), finished.game, f"?at={before}")
    expect(page.locator(".stage")).to_have_attribute("data-effects", "ready")
    page.evaluate(HEARD)
    page.locator("h1").click()  # a page that nobody has touched may not be heard
    assert steps(page) == []
    shows(page, before + 1)
    assert page.evaluate("heard") == 0
    open_tools(page)
    move(page, "sound").click()
    expect(move(page, "sound")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    assert steps(page) == []
    page.wait_for_function("() => heard > 0")
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate(FADING) == []


def test_a_sound_that_is_not_there_is_a_mistake(modules: Page) -> None:
    with pytest.raises(Exception, match="no sound is called"):
        modules.evaluate("async () => (await import('/web/watch/sounds.js')).soundOf('moo')")


TURNING: Final = {
    *("character-eliminated", "alarm-raised", "role-revealed"),
    *("key-turned", "escape-attempted", "room-revealed"),
}
"""What may turn a game of Room 25: all that its ``weight`` (``log/kinds.js``) names."""


def test_what_may_turn_a_game_is_what_has_a_weight(modules: Page) -> None:
    weighed = """async (types) => {
        const { weight } = await import("/web/games/room25/log/kinds.js");
        return types.filter((type) => weight({ type, kind: "room25" }) > 0);
    }"""
    types = [event.__struct_config__.tag for event in GAME.rules.events]
    assert set(modules.evaluate(weighed, types)) == TURNING


def test_the_last_scene_is_a_still_that_a_click_leaves(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = replay(person("Ada"), finished.game)
    move(page, "finale").click()
    scene = page.locator(".finale.finale-still")
    expect(scene.locator(".finale-role")).to_have_count(4)
    expect(scene.locator(".finale-dark .finale-role")).to_have_text("Guard")
    assert violations(page, ".finale") == []
    assert page.evaluate("document.getAnimations().length") == 0
    page.keyboard.press("Escape")
    expect(scene).to_have_count(0)
    move(page, "finale").click()
    scene.click()
    expect(scene).to_have_count(0)
    # The turning point is a moment at which somebody died, or something came to light.
    move(page, "turning").click()
    expect(root(page)).not_to_have_attribute("data-version", str(len(finished.lines)))
    shown = int(root(page).get_attribute("data-version") or 0)
    assert shown in finished.batch_ends
    begun = max(end for end in finished.batch_ends if end < shown)
    kinds = {json.loads(line)["event"]["type"] for line in finished.lines[begun:shown]}
    assert kinds & TURNING


def test_fonts_are_fetched_for_the_next_page_and_change_none_that_is_read(
    person: Callable[..., Person],
) -> None:
    ada = person("Ada")
    page = ada.page
    page.clock.install()
    faces = "() => [...document.fonts].filter(({ family }) => /^.?Parlour/.test(family)).length"
    # The clock goes on by itself as well: the answer may come before it is moved.
    with page.expect_response("**/fonts/stencil-polish.woff2") as answer:
        ada.opens("/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate(faces) == 0
        page.clock.run_for(20_000)
    assert answer.value.headers["content-type"] == "font/woff2"
    page.wait_for_function("() => localStorage.getItem('parlour.fonts') !== null")
    assert page.evaluate(faces) == 0
    page.reload()
    page.wait_for_function(
        f"{faces} === 4 && [...document.fonts].every((f) => f.status === 'loaded')"
    )
