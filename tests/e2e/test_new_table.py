"""The form for a new table while a rulebook is on its way: no press is lost, and no wish."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.acting import pressed, unfold
from tests.e2e.clients import Client
from tests.e2e.people import Person
from tests.e2e.watching import any_number, drawn_in, root

USUAL: Final = "rulebook-room25-ultimate"
TOWN: Final = "rulebook-cerveauuu-prototype"
NAMES: Final = "(all) => all.map(({ name, id }) => name || id)"
FIRST: Final = "rulebook-room25-first_edition"


def opens_the_form(one: Person, player: Client) -> Page:
    """The form, with the rulebook that it begins with."""
    one.signs_in(player)
    page = one.opens("/?page=new")
    expect(page.locator(f"#{USUAL}")).to_be_checked()
    return page


def label(page: Page, choice: str) -> Locator:
    """What one presses to choose something."""
    return page.locator(f"label[for={choice}]")


@contextmanager
def on_its_way(page: Page, book: str) -> Iterator[Callable[[], None]]:
    """Choose a rulebook that the page does not get before it is let through."""
    held: list[Route] = []
    path = re.compile(f"/v1/rulebooks/{book}")

    def holds(route: Route) -> None:
        held.append(route)

    page.route(path, holds)

    def lets_through() -> None:
        with page.expect_response(path):
            held.pop().continue_()

    with page.expect_request(path):
        yield lets_through


def test_what_need_not_be_chosen_is_folded_away_and_told(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page = opens_the_form(person("Ada"), client("Ada"))
    asked = {*page.locator(".part :is(input, select):visible").evaluate_all(NAMES)}
    assert asked == {"rulebook", "mode", "seats", "sit", "bots"}
    expect(page.locator("#new-time > summary")).to_have_text("Time · In one sitting")
    # Whoever plays alone is not asked for bots, and keeps nobody waiting; nor does one among bots.
    label(page, "mode-solo").click()
    expect(page.locator("#bots")).to_have_count(0)
    expect(page.locator("#new-time > summary")).to_have_text("Time · Over days")
    label(page, "mode-suspicion").click()
    expect(page.locator("#new-time > summary")).to_have_text("Time · In one sitting")
    page.locator("#bots").select_option("3")
    expect(page.locator("#new-time > summary")).to_have_text("Time · Over days")
    page.locator("#bots").select_option("0")
    expect(page.locator("#new-time > summary")).to_have_text("Time · In one sitting")
    unfold(page, "new-time")
    label(page, "pace-days").click()
    expect(page.locator("#new-time > summary")).to_have_text("Time · Over days")
    expect(page.locator("#new-time")).to_have_attribute("open", "")


def test_whoever_presses_the_usual_pace_has_chosen_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page = opens_the_form(person("Ada"), client("Ada"))
    page.locator("#bots").select_option("3")
    unfold(page, "new-time")
    expect(page.locator("#pace-days")).to_be_checked()
    label(page, "pace-days").click()
    page.locator("#bots").select_option("0")
    expect(page.locator("#bot-pace")).to_have_count(0)
    expect(page.locator("#new-time > summary")).to_have_text("Time · Over days")


def test_a_press_is_not_lost_to_the_rulebook_that_comes_in_between(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page = opens_the_form(person("Ada"), client("Ada"))
    with on_its_way(page, "prototype") as lets_through:
        label(page, TOWN).click()
    with pressed(label(page, FIRST)):
        lets_through()
        expect(page.locator("#mode-standard")).to_be_attached()  # it has been drawn by then
    expect(page.locator(f"#{FIRST}")).to_be_checked()
    expect(page.locator("#mode-suspicion")).to_be_attached()


def test_the_rulebook_that_was_chosen_last_counts_whichever_comes_last(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = client("Ada")
    page = opens_the_form(person("Ada"), ada)
    with on_its_way(page, "prototype") as lets_through:
        label(page, TOWN).click()
    label(page, FIRST).click()
    label(page, "mode-cooperation").click()
    label(page, "seats-3").click()
    lets_through()
    page.locator(".new-table [type=submit]").click()
    expect(root(page)).to_have_attribute("data-version", any_number())
    state = ada.state(page.url.rpartition("/")[2])
    opened = [state[key] for key in ("game", "rulebook", "mode")]
    assert opened == ["room25", "first_edition", "cooperation"]


def test_a_wish_outlasts_another_language(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one = person("Ada")
    page = opens_the_form(one, client("Ada"))
    label(page, TOWN).click()
    page.locator("#bots").select_option("1")
    drawn_in(page, "fr")
    expect(page.locator("h1")).to_have_text("Ouvrir une table")
    expect(page.locator(f"#{TOWN}")).to_be_checked()
    expect(page.locator("#bots")).to_have_value("1")
    # Another address asks for something else, and so does whoever has opened what was wished for.
    one.goes_to("/")
    one.goes_to("/?page=new&game=room25")
    expect(page.locator(f"#{USUAL}")).to_be_checked()
    page.locator("#bots").select_option("1")
    page.locator(".new-table [type=submit]").click()
    expect(page.locator(".seats")).to_be_visible()
    one.goes_to("/?page=new&game=room25")
    expect(page.locator("#bots")).to_have_value("0")
