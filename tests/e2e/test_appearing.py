"""How a table comes onto the page: when there is something to see, and measured once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.holding import heard, holds
from tests.e2e.loading import tables
from tests.e2e.people import Person
from tests.e2e.planting import plant, plant_all
from tests.e2e.serving import Service
from tests.e2e.watching import any_number, complete, root, watch

EVENTS: Final = re.compile(r"/events\?")

PATIENT: Final = """{
    const own = window.setTimeout;
    window.setTimeout = (act, ms = 0, ...given) => own(act, ms * 1000, ...given);
}"""
"""Whatever the page does after a while it puts off for good."""

MEASURED: Final = """{
    window.measured = [];
    const own = CSSStyleDeclaration.prototype.setProperty;
    CSSStyleDeclaration.prototype.setProperty = function (name, value, ...more) {
        if (name === "--unit") {
            measured.push([value, document.querySelector(".log [data-v]") !== null]);
        }
        own.call(this, name, value, ...more);
    };
}"""
"""Notes each scale that a board is given, and whether the log was drawn before."""

UNMEASURED: Final = {
    "watch/page.js": {"    this.stage.fit(); // before there is more to lay out\n": ""},
    "watch/stage.js": {"    this.fit();\n": ""},
}


@pytest.mark.parametrize("played", ["room25", "cerveauuu"])
def test_a_board_is_drawn_for_its_size_at_once(
    service: Service, person: Callable[..., Person], played: str
) -> None:
    """Otherwise it is drawn for no size, laid out with all the rest, measured and drawn again."""
    one = person()
    one.runs_first(MEASURED)

    page = watch(one, tables(service.url)[played])

    found: list[tuple[str, bool]] = page.evaluate("measured")
    assert len({value for value, _ in found}) == 1
    assert not found[0][1]


def test_that_it_is_measured_too_late_would_be_seen(
    service: Service, person: Callable[..., Person]
) -> None:
    """Once it lies there a browser tells its size, whoever forgot to ask for it."""
    one = person()
    one.runs_first(MEASURED)
    plant_all(one.page, UNMEASURED)

    page = watch(one, tables(service.url)["room25"])
    page.wait_for_function("measured.length > 0")

    assert page.evaluate("measured[0][1]")


def opens_held(one: Person, service: Service) -> tuple[Page, Callable[[], None]]:
    """Open a table whose log does not come yet; its page, and what lets the log come."""
    let_go = holds(one.page, EVENTS)
    return one.opens(f"/watch/{tables(service.url)['room25']}"), let_go


def test_the_frame_of_a_table_waits_a_moment_for_what_is_in_it(
    service: Service, person: Callable[..., Person]
) -> None:
    """Whatever comes in that moment is laid out and drawn once."""
    one = person()
    one.runs_first(PATIENT)

    page, let_go = opens_held(one, service)
    heard(page)

    expect(page.locator(".loading")).to_be_visible()
    expect(root(page)).to_have_count(0)
    let_go()
    expect(root(page)).to_have_attribute("data-version", any_number())


def test_that_it_does_not_wait_would_be_seen(
    service: Service, person: Callable[..., Person]
) -> None:
    """The same with a frame that comes at once."""
    one = person()
    one.runs_first(PATIENT)
    plant(one.page, "watch/appearing.js", {"(ready || ": "(true || "})

    page, let_go = opens_held(one, service)

    expect(root(page)).to_have_count(1)
    let_go()
    expect(root(page)).to_have_attribute("data-version", any_number())


def test_the_frame_of_a_table_stands_while_its_log_is_on_its_way(
    service: Service, person: Callable[..., Person]
) -> None:
    """Whoever waits sees for what, and can go elsewhere by what is in the frame."""
    one = person()

    page, let_go = opens_held(one, service)

    expect(root(page)).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)
    expect(root(page)).not_to_have_attribute("data-version", any_number())
    let_go()
    complete(page)
