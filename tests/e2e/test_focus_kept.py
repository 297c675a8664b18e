"""Whoever uses the keyboard keeps the focus, whatever a press or somebody else draws anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of
from tests.e2e.by_day import WHOLE
from tests.e2e.clients import Client, begun
from tests.e2e.conftest import Finished
from tests.e2e.people import Person
from tests.e2e.planting import plant_all
from tests.e2e.test_account import account_page
from tests.e2e.test_knew import asks
from tests.e2e.test_rematch import given_up, sits_at_the_end
from tests.e2e.test_two_people import invitation
from tests.e2e.watching import move, open_tools, replay, root, shows, watch

LET_GO: Final = {
    "redraw.js": {
        "  patch(panel, children);": "panel.replaceChildren(...children.flat(9).filter(Boolean));",
        "if (here && !panel.contains(document.activeElement))": "if (here === null)",
    },
    "watch/handing-on.js": {"if (here && ": "if (here === null && "},
}
"""A panel is replaced as a whole, and nobody looks after the focus."""

ROWS_LET_GO: Final = {"redraw.js": {"if (at < 0) {": "if (at >= -1) {"}}
"""Nobody looks after the focus of a list that is drawn anew."""

LISTED_ANEW: Final = {
    "watch/viewpoint.js": {"patch(menu, viewers": "menu.replaceChildren(...viewers"},
    "watch/log-filter.js": {
        "patch(\n      menu,": "menu.replaceChildren(",
        "seats().map": "...seats().map",
    },
}
"""The entries of the two menus are new ones each time."""

FOLDED_AWAY: Final = {
    "play/focus.js": {": firstHeading(element);": ': element.querySelector("h3");'}
}
"""Nobody asks whether what is to have the focus is in sight."""

OPENER_GONE: Final = {"dialog.js": {"document.activeElement === document.body": "false"}}
"""Nobody asks whether a window has left the focus anywhere."""

MARK: Final = "all => all.forEach((each) => { each.dataset.marked = 'yes'; })"


# By day this one shows that a focus which is lost is noticed, and by night all of them do.
@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_a_tour_is_led_by_the_keyboard(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    *,
    faulty: bool,
) -> None:
    one = person("Ada")
    plant_all(one.page, LET_GO if faulty else {})
    one.signs_in(client("Ada"))
    page = replay(one, finished.game, "?at=30")
    move(page, "tour-begin").press("Enter")
    arrow = move(page, "tour-arrow")
    expect(arrow).to_have_attribute("aria-pressed", "false")
    keeps(page, page.locator(".tour :focus"), faulty=faulty)
    arrow.press("Enter")
    expect(arrow).to_have_attribute("aria-pressed", "true")
    keeps(page, page.locator("[data-move=tour-arrow]:focus"), faulty=faulty)


def keeps(page: Page, what: Locator, *, faulty: bool) -> None:
    """Something has the focus, unless the page is ``faulty``: then nothing has it."""
    expect(page.locator("body:focus, :focus")).to_have_count(0 if faulty else 1)
    expect(what).to_have_count(0 if faulty else 1)


@pytest.mark.parametrize("faulty", WHOLE)
def test_who_knew_what_is_followed_by_the_keyboard(
    person: Callable[..., Person], finished: Finished, *, faulty: bool
) -> None:
    one = person("Eve")
    plant_all(one.page, LET_GO if faulty else {})
    page = replay(one, finished.game, "?as=full&at=50")
    panel = asks(page, 2)
    for each in panel.locator("details:not([open]) > summary").all()[::-1]:
        each.press("Enter")
    panel.locator("[data-since]:not([data-since='50'])").first.press("Enter")
    expect(root(page)).not_to_have_attribute("data-version", "50")
    keeps(page, panel.locator(":focus"), faulty=faulty)
    assert panel.locator("details[open]").count() > 0 or faulty


@pytest.mark.parametrize("faulty", WHOLE)
def test_a_rematch_is_agreed_to_by_whoever_was_about_to_propose_it(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    ada, bob, one = client("Ada"), client("Bob"), person("Ada")
    plant_all(one.page, LET_GO if faulty else {})
    game = given_up(ada, bob)
    page = sits_at_the_end(one, ada, game)
    move(page, "rematch").focus()
    bob.post(f"/games/{game}/rematch", {})
    expect(page.locator(".rematch p")).to_contain_text("Bob")
    keeps(page, page.locator("[data-move=rematch]:focus"), faulty=faulty)


@pytest.mark.parametrize("faulty", WHOLE)
def test_menus_keep_their_entries_while_somebody_chooses(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    ada, bob, cleo, one = client("Ada"), client("Bob"), client("Cleo"), person("Ada")
    plant_all(one.page, LISTED_ANEW if faulty else {})
    game = begun([ada, bob, cleo])
    one.signs_in(ada)
    page = watch(one, game)
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    before = ada.version(game)
    shows(page, before)  # what came later would pass for what follows here
    open_tools(page)
    page.locator(".log-filter > summary").press("Enter")
    menus = {"[data-move=viewer]": "seat:1", ".by-seat select": "2"}
    page.locator(".by-seat select").select_option("2")
    for menu in menus:
        page.locator(f"{menu} option").evaluate_all(MARK)
    cleo.post(f"/games/{game}/decisions/resign-s3", {"option": "resign"})
    expect(root(page)).not_to_have_attribute("data-version", str(before))
    for menu, chosen in menus.items():
        entries = page.locator(f"{menu} option")
        left = entries.evaluate_all("all => all.filter((each) => each.dataset.marked).length")
        assert left == (0 if faulty else entries.count()), menu
        assert faulty or page.locator(menu).input_value() == chosen


@pytest.mark.parametrize("faulty", WHOLE)
def test_one_token_after_the_other_is_revoked_by_the_keyboard(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    ada, one = client("Ada"), person("Ada")
    plant_all(one.page, ROWS_LET_GO if faulty else {})
    for name in ("the first", "the second"):
        ada.post("/tokens", {"scopes": ["bot"], "label": name})
    one.signs_in(ada)
    page = account_page(one)
    tokens = page.locator("[data-token]")
    first, second = (tokens.filter(has_text=name) for name in ("the first", "the second"))
    first.locator("[data-action=revoke]").press("Enter")
    expect(first).to_have_count(0)
    keeps(page, tokens.locator("[data-action=revoke]:focus"), faulty=faulty)
    second.locator("[data-action=revoke]").press("Enter")
    expect(tokens).to_have_count(1)
    keeps(page, tokens.locator("summary:focus"), faulty=faulty)
    # What is called something is folded up again, and what has been opened has the focus.
    tokens.locator("summary").press("Enter")
    tokens.get_by_label("Name of this sign-in").fill("The tablet")
    tokens.get_by_label("Name of this sign-in").press("Enter")
    expect(tokens.locator("strong")).to_have_text("The tablet")
    keeps(page, tokens.locator("summary:focus"), faulty=faulty)


@pytest.mark.parametrize("faulty", WHOLE)
def test_where_no_link_is_left_another_is_made(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    host, one = client("Ada"), person("Ada")
    plant_all(one.page, ROWS_LET_GO if faulty else {})
    game = host.opens("cooperation", 2, visibility="private")
    one.signs_in(host)
    page = watch(one, game)
    invitation(page)
    page.locator("[data-action=withdraw-invitation]").press("Enter")
    expect(page.locator(".invitation-links li")).to_have_count(0)
    keeps(page, page.locator("[data-action=make-invitation]:focus"), faulty=faulty)


@pytest.mark.parametrize("faulty", WHOLE)
def test_whoever_has_answered_waits_in_the_panel_for_what_is_asked_next(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    """At its heading while nothing is asked, and then at the heading of what is."""
    one = person("Ada")
    plant_all(one.page, FOLDED_AWAY if faulty else {})
    game, players = programmed(client)
    first = asked_first(players, game)
    one.signs_in(first)
    page = watch(one, game)
    while found := first.asked(game):
        card = card_of(page, found[0])
        card.locator("button[data-option]").first.press("Enter")
        expect(card).to_have_count(0)
    expect(page.locator(".p-idle")).to_be_visible()
    keeps(page, page.locator("#play-heading:focus"), faulty=faulty)
    while (each := asked_first(players, game)) is not first:
        each.chooses(game, each.asked(game)[0]["options"][0]["id"])
    expect(card_of(page, first.asked(game)[0])).to_be_visible()
    keeps(page, card_of(page, first.asked(game)[0]).locator("h3:focus"), faulty=faulty)


@pytest.mark.parametrize("faulty", WHOLE)
def test_a_window_whose_opener_has_gone_leaves_the_focus_on_the_page(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    """As when time runs out while somebody reads what is asked."""
    one = person("Ada")
    plant_all(one.page, OPENER_GONE if faulty else {})
    game, players = programmed(client)
    first = asked_first(players, game)
    one.signs_in(first)
    first.chooses(game, "play_now")
    page = watch(one, game)
    card = card_of(page, first.asked(game)[0])
    card.locator(".about-sign").press("Enter")
    window = page.locator("dialog[open]")
    expect(window).to_be_visible()
    first.chooses(game, first.asked(game)[0]["options"][0]["id"])
    expect(card).to_have_count(0)
    page.keyboard.press("Escape")
    expect(window).to_have_count(0)
    keeps(page, page.locator("main h1:focus"), faulty=faulty)


def programmed(client: Callable[..., Client]) -> tuple[str, list[Client]]:
    """A game in which all four have programmed one action, and who they are."""
    players = [client(name) for name in ("Ada", "Bob", "Cleo", "Dan")]
    game = begun(players)
    for _ in ("a clue", "a programme of one action"):
        for each in players:
            each.chooses(game, each.asked(game)[0]["options"][0]["id"])
    return game, players


def asked_first(players: Sequence[Client], game: str) -> Client:
    """Whoever the game waits for, the first of them in the order of seats."""
    return next(each for each in players if each.asked(game))
