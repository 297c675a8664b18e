"""One player at two seats: what is begun for one of them is kept while the other one decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import Person
from tests.e2e.planting import plant_all
from tests.e2e.programming import lies
from tests.e2e.test_town_answers import OPENED, RICH, passes
from tests.e2e.watching import root, watch
from tests.e2e.windows import LATER_S

FORGETS: Final = {
    "play/asked.js": {"new Set([...this.ids, ...this.#others])": "new Set([...this.ids])"}
}
"""A planted fault: what is not shown is over."""


def looks_through(page: Page, seat: int) -> None:
    page.locator(f".banner-others [data-seat='{seat}']").click()
    expect(root(page)).to_have_attribute("data-viewer", f"seat:{seat}")


def lays(card: Locator) -> str:
    """Put the first card into a programme; its token."""
    card.locator(".p-card").first.click()
    token = card.locator(".p-laid").first.get_attribute("data-card")
    assert token is not None
    return token


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_what_is_begun_at_one_seat_is_kept_while_another_one_decides(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    *,
    faulty: bool,
) -> None:
    maker, one = client("Mia"), person("Mia")
    # In the first turn nobody is dead, so that everybody programmes.
    version = min(v for v in finished.batch_ends if v >= finished.turns[0])
    wish = {"version": version, "seats": [1, 2]}
    game = str(maker.post(f"/games/{finished.game}/branches", wish)["game"])
    first, second = (
        next(each for each in maker.asked(game) if each["seat"] == seat) for seat in (1, 2)
    )
    plant_all(one.page, FORGETS if faulty else {})
    one.signs_in(maker)
    page = watch(one, game)
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    token = lays(card_of(page, first))
    looks_through(page, 2)
    lays(card_of(page, second))
    looks_through(page, 1)
    lies(card_of(page, first), *([] if faulty else [token]))
    looks_through(page, 2)
    program = second["options"][0]
    maker.post(f"/games/{game}/decisions/{second['id']}", {"option": program["id"]})
    expect(page.locator(f".p-answered[data-decision='{second['id']}']")).to_be_visible()
    looks_through(page, 1)
    lies(card_of(page, first), *([] if faulty else [token]))
    if not faulty:
        expect(page.locator(".p-replaced")).to_have_count(0)
        page.reload()
        lies(card_of(page, first), token)


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_an_answer_that_waits_is_sent_while_another_seat_is_on_the_page(
    own_modules: Page, *, faulty: bool
) -> None:
    plant_all(own_modules, FORGETS if faulty else {})
    own_modules.clock.install(time=OPENED / 1000)
    own_modules.clock.pause_at(OPENED / 1000 + LATER_S)
    page = passes(own_modules, RICH)
    page("looksElsewhere", "r1-w1-s1")
    own_modules.clock.run_for(4_500)
    assert page("sentSoFar") == ([] if faulty else [["pass", 4_000]])
