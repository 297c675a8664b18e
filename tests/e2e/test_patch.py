"""What is drawn anew on the page stays the same elements, and nobody who uses them notices."""

from __future__ import annotations

import random
from typing import Any, Final, TypeAlias

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.planting import plant

CALL: Final = """async ([name, ...given]) => (await import("/pages/patch.js"))[name](...given)"""

Drawn: TypeAlias = str | list[Any]
"""A text, or a list of a tag, properties and children."""


def call(page: Page, name: str, *given: object) -> Any:
    """Call a function of pages/patch.js."""
    return page.evaluate(CALL, [name, *given])


def draws(page: Page, *drawn: Drawn) -> None:
    """Draw over what is there."""
    call(page, "draw", drawn)


def begins(page: Page, *drawn: Drawn) -> None:
    """Draw where nothing was."""
    call(page, "begin", drawn)


def row(*names: str) -> list[Drawn]:
    """Buttons that are known by their ids."""
    return [["button", {"id": name, "type": "button"}, name] for name in names]


TAGS: Final = ("p", "b", "section", "svg:g", "button", "a")


def some_drawing(choice: random.Random, depth: int = 3) -> list[Drawn]:
    """A list of nodes, of which some are known by what they are and others by their place."""
    made: list[Drawn] = []
    for name in choice.sample("abcdefgh", choice.randint(0, 6)):
        tag = choice.choice(TAGS)
        props: dict[str, Any] = {"class": choice.sample(["one", "two", "three"], 2)}
        if choice.random() < 0.5:
            props["id" if choice.random() < 0.5 else "data-option"] = f"{name}{depth}"
        if choice.random() < 0.3:
            props["title"] = name
        below = some_drawing(choice, depth - 1) if depth and choice.random() < 0.6 else []
        made += [[tag, props, *below], *([name] if choice.random() < 0.3 else [])]
    return made


# By day one walk through forty random drawings.
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(each, marks=pytest.mark.nightly) for each in (1, 2))]
)
def test_the_page_is_as_if_it_were_drawn_anew(modules: Page, seed: int) -> None:
    choice = random.Random(seed)
    drawings = [some_drawing(choice) for _ in range(40)]
    after = call(modules, "drawings", drawings)
    assert [i for i, each in enumerate(after) if not each["fresh"]] == []


def kept(page: Page, *orders: str) -> bool:
    """Whether the elements of rows that are drawn one after another are the same by their names."""
    known: dict[str, int] = {}
    for each in call(page, "drawings", [row(*order) for order in orders]):
        for name, number, _ in each["elements"]:
            if known.setdefault(name, number) != number:
                return False
        known = {name: number for name, number, _ in each["elements"]}
    return True


ORDERS: Final = ("abc", "xabc", "cxba", "bc", "cdb")


def test_what_is_known_by_its_name_stays_wherever_it_goes(modules: Page) -> None:
    assert kept(modules, *ORDERS)


def faulty(page: Page, before: str, after: str) -> None:
    """Plant a fault in the module."""
    plant(page, "patch.js", {before: after})


def test_a_patch_that_goes_by_place_alone_is_noticed(own_modules: Page) -> None:
    faulty(own_modules, "const kind = kindOf(node);", "const kind = node.nodeName;")
    assert not kept(own_modules, *ORDERS)


NOTES_BLUR: Final = """() => {
    globalThis.blurred = 0;
    addEventListener("blur", () => (globalThis.blurred += 1), { capture: true });
}"""


@pytest.mark.parametrize("order", ["bac", "acb", "cab", "bca", "xbya", "b"])
def test_what_has_the_focus_keeps_it_wherever_others_go(own_modules: Page, order: str) -> None:
    own_modules.evaluate(NOTES_BLUR)
    begins(own_modules, *row(*"abc"))
    own_modules.locator("#b").focus()
    draws(own_modules, *row(*order))
    expect(own_modules.locator("#b")).to_be_focused()
    assert own_modules.evaluate("blurred") == 0


def test_a_patch_that_moves_what_has_the_focus_is_noticed(own_modules: Page) -> None:
    faulty(
        own_modules, "const fitting = held === undefined ? old :", "const fitting = true ? old :"
    )
    own_modules.evaluate(NOTES_BLUR)
    begins(own_modules, *row(*"abc"))
    own_modules.locator("#b").focus()
    draws(own_modules, *row(*"acb"))
    draws(own_modules, *row(*"bac"))
    draws(own_modules, *row(*"cab"))
    assert own_modules.evaluate("blurred") > 0


HEARS: Final = """() => {
    globalThis.pressed = [];
    addEventListener("click", ({ target }) => pressed.push(target.id || target.nodeName));
}"""


@pytest.mark.parametrize(
    ("drawn", "pressed"),
    [
        pytest.param([["button", {"id": "a", "class": "marked"}, "other words"]], ["a"], id="same"),
        pytest.param([["p", {}, ""], *row("a")], ["a"], id="behind another"),
        pytest.param(row("b"), [], id="another choice"),
        pytest.param([["button", {"data-option": "a"}, "a"]], [], id="another meaning"),
    ],
)
def test_a_press_is_of_what_it_began_on(
    own_modules: Page, drawn: list[Drawn], pressed: list[str]
) -> None:
    own_modules.evaluate(HEARS)
    begins(own_modules, *row("a"))
    box = own_modules.locator("button").bounding_box()
    assert box
    own_modules.mouse.move(box["x"] + 3, box["y"] + box["height"] / 2)
    own_modules.mouse.down()
    draws(own_modules, *drawn)
    own_modules.mouse.up()
    found = own_modules.evaluate("pressed")
    assert [each for each in found if each != "DIV"] == pressed


def test_a_button_without_a_name_is_known_by_its_text_and_a_link_by_its_address(
    modules: Page,
) -> None:
    def same(first: Drawn, second: Drawn) -> bool:
        one, other = call(modules, "drawings", [[first], [second]])
        return bool(one["elements"][0] == other["elements"][0])

    assert same(["button", {}, "Go"], ["button", {"class": ""}, "Go"])
    assert not same(["button", {}, "Go"], ["button", {}, "Stay"])
    assert same(["a", {"href": "/a"}, "Ada"], ["a", {"href": "/a"}, "Ada L."])
    assert not same(["a", {"href": "/a"}, "Ada"], ["a", {"href": "/b"}, "Ada"])
    assert not same(["p", {"class": "note"}, "Go"], ["p", {"class": "problem"}, "Go"])
    assert same(["p", {"class": "note"}, "Go"], ["p", {"class": "note new"}, "Stay"])


def test_the_last_drawing_hears_what_happens_and_no_other(modules: Page) -> None:
    heard = call(modules, "clicks")
    assert heard == ["first", "second", "third", "there after all"]


def test_what_others_have_set_stays_until_the_drawing_changes_it(modules: Page) -> None:
    box: Drawn = ["div", {"id": "box", "class": "a b"}, "text"]
    begins(modules, box)
    found = modules.locator("#box")
    found.evaluate(
        "(e) => { e.classList.add('mark'); e.setAttribute('aria-busy', 'true'); e.title = 't'; }"
    )
    draws(modules, box)
    expect(found).to_have_attribute("class", "a b mark")
    expect(found).to_have_attribute("aria-busy", "true")
    found.evaluate("(e) => { e.textContent = 'other'; }")
    draws(modules, ["div", {"id": "box", "class": "b c", "title": "drawn"}, "text"])
    expect(found).to_have_attribute("class", "b mark c")
    expect(found).to_have_attribute("title", "drawn")
    expect(found).to_have_text("text")
    draws(modules, ["div", {"id": "box"}])
    expect(found).to_have_attribute("class", "mark")
    assert found.get_attribute("title") is None
    expect(found).to_be_empty()


def details(**props: object) -> Drawn:
    """Something that unfolds."""
    return ["details", {"id": "more", **props}, ["summary", {}, "more"], "told"]


def test_what_its_reader_has_just_unfolded_is_not_folded_up(modules: Page) -> None:
    more = modules.locator("#more")
    begins(modules, details())
    more.locator("summary").click()
    draws(modules, details())
    expect(more).to_have_attribute("open", "")
    draws(modules, details(open=True))
    expect(more).to_have_attribute("open", "")
    draws(modules, details())
    expect(more).not_to_have_attribute("open", "")


def search(value: str, **props: object) -> list[Drawn]:
    """A field that says what has been typed, behind a heading."""
    return [["h2", {}, "x"], ["input", {"id": "search", "type": "search", "value": value, **props}]]


CARET: Final = "(e) => [e.selectionStart, e.selectionEnd]"


def test_a_caret_stays_where_it_is_and_what_is_drawn_otherwise_is_written(modules: Page) -> None:
    field = modules.locator("#search")
    begins(modules, *search(""))
    field.press_sequentially("tower")
    field.evaluate("(e) => e.setSelectionRange(1, 3)")
    draws(modules, *search("tower"))
    draws(modules, ["p", {}, "new"], *search("tower", title="t"))
    expect(field).to_be_focused()
    assert field.evaluate(CARET) == [1, 3]
    draws(modules, *search(""))
    expect(field).to_have_value("")
    unsaid: Drawn = ["input", {"id": "own"}]
    begins(modules, unsaid)
    modules.locator("#own").fill("mine")
    draws(modules, unsaid)
    expect(modules.locator("#own")).to_have_value("mine")


def ticks(*ticked: str, kind: str = "checkbox") -> list[Drawn]:
    """Boxes of a group, of which some are drawn ticked."""
    one: dict[str, Any] = {"type": kind, "name": "group"}
    return [["input", {"id": name, "checked": name in ticked, **one}] for name in "abc"]


@pytest.mark.parametrize("kind", ["checkbox", "radio"])
def test_what_is_ticked_is_what_was_drawn_last(modules: Page, kind: str) -> None:
    def ticked() -> list[str]:
        found: list[str] = modules.locator("input:checked").evaluate_all("a => a.map((e) => e.id)")
        return found

    begins(modules, *ticks("b", kind=kind))
    modules.locator("#a").check()
    draws(modules, *ticks("a", kind=kind))
    assert ticked() == ["a"]
    draws(modules, *ticks("c", kind=kind))
    assert ticked() == ["c"]
    modules.locator("#a").check()
    draws(modules, *ticks("c", kind=kind))
    assert ticked() == ["c"]


def test_a_menu_has_what_was_drawn_last(modules: Page) -> None:
    def menu(*values: str, chosen: str | None = None) -> Drawn:
        options = [["option", {"value": v, "selected": v == chosen}, v] for v in values]
        return ["select", {"id": "menu"}, *options]

    found = modules.locator("#menu")
    begins(modules, menu("a", "b", chosen="b"))
    expect(found).to_have_value("b")
    draws(modules, menu("a", "b", "c", chosen="c"))
    expect(found).to_have_value("c")
    draws(modules, menu("a", "c", chosen="a"))
    expect(found).to_have_value("a")
    begins(modules, menu("a", "b"))
    found.select_option("b")
    draws(modules, menu("a", "b", "c"))
    expect(found).to_have_value("b")


def test_a_drawing_is_patched_as_what_it_is(modules: Page) -> None:
    def figure(x: int) -> Drawn:
        return ["svg:svg", {"id": "figure"}, ["svg:circle", {"class": "dot", "cx": x, "r": 2}]]

    begins(modules, figure(1))
    draws(modules, figure(5))
    circle = modules.locator("#figure circle")
    assert circle.evaluate("(e) => [e instanceof SVGCircleElement, e.cx.baseVal.value]") == [
        True,
        5,
    ]


def test_a_patch_that_forgets_what_is_drawn_as_it_is_already_is_noticed(own_modules: Page) -> None:
    faulty(own_modules, "DRAWN.set(each, drawn[i]);", "")
    more = own_modules.locator("#more")
    begins(own_modules, details())
    more.locator("summary").click()
    draws(own_modules, details(open=True))
    draws(own_modules, details())
    expect(more).to_have_attribute("open", "")


def test_a_patch_that_keeps_old_listeners_where_nothing_has_changed_is_noticed(
    own_modules: Page,
) -> None:
    faulty(own_modules, "takeListeners(each, drawn[i]);", "")
    assert call(own_modules, "clicks")[:3] == ["first", "first", "first"]
