"""How a table comes onto the page: measured once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from tests.e2e.loading import tables
from tests.e2e.people import Person
from tests.e2e.planting import plant_all
from tests.e2e.serving import Service
from tests.e2e.watching import watch

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
