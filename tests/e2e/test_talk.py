"""The intercom: two people in two languages accuse each other, and need not listen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from games.table.state import PHRASES_KEPT
from tests.e2e.axe import violations
from tests.e2e.clients import Client, begun
from tests.e2e.people import Look, Person
from tests.e2e.test_connection import Table
from tests.e2e.watching import root, shows, speaks, turn_to, watch
from tests.jammed import HUSH

LISTEN: Final = """() => {
  globalThis.heard = [];
  new MutationObserver((changes) => {
    for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (added instanceof HTMLElement && added.matches(".talk-bubble")) {
        globalThis.heard.push(`${added.dataset.seat}: ${added.textContent}`);
      }
    }
  }).observe(document, { childList: true, subtree: true });
}"""
"""Keeps what each bubble said: on a busy machine one may have gone before it is looked for."""


@pytest.fixture
def table(client: Callable[..., Client]) -> Table:
    """A live game."""
    return Table(client("Ada"), client("Bob"))


def seated(who: Person, table: Table, seat: int) -> Page:
    """The page of a player, with the intercom open."""
    who.signs_in(table.players[seat - 1])
    page = watch(who, table.game)
    expect(root(page)).to_have_attribute("data-viewer", f"seat:{seat}")
    expect(root(page)).to_have_attribute("data-status", "live")
    shows(page, table.players[seat - 1].version(table.game))  # later the board is drawn anew
    page.locator("#talk-open").press("Enter")  # what comes in later would move it
    expect(page.locator(".talk-phrases button").first).to_be_visible()
    page.evaluate(LISTEN)
    return page


def hears(page: Page, seat: int, text: str) -> None:
    """Wait until a bubble of a seat has said something."""
    said = "([seat, text]) => heard.some((each) => each.startsWith(seat) && each.includes(text))"
    page.wait_for_function(said, arg=[f"{seat}: ", text])


def test_a_pole_and_a_frenchman_accuse_each_other_and_need_not_listen(
    person: Callable[..., Person], table: Table
) -> None:
    ada = seated(person("Ada", Look(language="pl-PL")), table, 1)
    bob = seated(person("Bob", Look(language="fr-FR")), table, 2)
    ada.locator("#talk-accuse").click()
    expect(ada.locator("#talk-target")).to_be_focused()
    ada.locator("#talk-target").select_option("seat:2")
    ada.locator("#talk-say").click()
    hears(bob, 1, "Je te soupçonne → Bob")
    hears(ada, 1, "Oskarżam cię → Bob")
    expect(bob.locator(".log-lines")).to_contain_text("Je te soupçonne")
    assert violations(ada, ".talk, .log-lines") == []
    # A room is tapped, and who is muted is not shown.
    bob.locator("#talk-mute-1").check()
    ada.locator("#talk-safe_here").click()
    ada.locator(".b-board [data-cell='r0c0']").click(force=True)
    hears(ada, 1, "Tu jest bezpiecznie")
    said = bob.locator(".log-lines li", has_text="C’est sûr ici")
    expect(said).to_have_count(1)
    expect(said).to_be_hidden()
    assert [each for each in bob.evaluate("heard") if "C’est sûr ici" in each] == []
    bob.locator("#talk-mute-1").uncheck()
    expect(said).to_be_visible()
    bob.locator("#talk-mute-all").check()
    expect(said).to_be_hidden()
    bob.locator("#talk-laugh").click()
    own = bob.locator(".log-lines li[data-type='phrase-said']").last
    expect(own).to_be_visible()
    expect(own).not_to_contain_text("C’est sûr ici")
    bob.locator("#talk-mute-all").uncheck()
    bob.locator("#talk-mute-1").check()
    # All of it outlasts a reload.
    ada.reload()
    expect(ada.locator(".log-lines")).to_contain_text("Oskarżam cię")
    bob.reload()
    bob.locator("#talk-open").press("Enter")
    expect(bob.locator("#talk-mute-1")).to_be_checked()


def test_who_says_too_much_is_told_why_by_keyboard_alone(
    person: Callable[..., Person], table: Table
) -> None:
    one = person("Ada")
    one.allow("409")
    ada = seated(one, table, 1)

    def says_all_it_may(route: Route) -> None:
        """Fifteen seconds count, and on a busy machine a page takes longer to press a button."""
        for _ in range(PHRASES_KEPT):
            table.players[0].post(f"/games/{table.game}/phrases", {"phrase": "laugh"})
        route.continue_()

    ada.route("**/phrases", says_all_it_may)
    ada.locator("#talk-laugh").focus()
    with ada.expect_response("**/phrases") as refused:
        ada.keyboard.press("Enter")
    assert refused.value.status == 409
    expect(ada.locator(".talk-problem")).to_contain_text("That was a lot at once")
    expect(ada.locator("#talk-laugh")).to_be_focused()


SILENCE: Final = {
    "pl": "Nikt nie może teraz rozmawiać: zabrania tego gra. Nic nie powiedziano.",
    "fr": "Personne ne peut parler maintenant\u00a0: le jeu l’interdit. Rien n’a été dit.",
}
"""What is said to whoever talks all the same."""


def laughs(page: Page) -> None:
    """Open the intercom, laugh, and wait for the answer."""
    expect(root(page)).to_have_attribute("data-status", "live")
    page.locator("#talk-open").press("Enter")
    with page.expect_response("**/phrases"):
        page.locator("#talk-laugh").press("Enter")


def test_in_a_jammed_complex_nobody_is_heard_and_is_told_why(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    players = [client("Ada"), client("Bob")]
    game = begun(players, rulebook="ultimate", scenario=HUSH)
    before = players[0].version(game)
    ada = person("Ada", Look(language="pl-PL"))
    ada.allow("409")
    ada.signs_in(players[0])
    page = watch(ada, game)
    page.evaluate(LISTEN)
    for language, told in SILENCE.items():
        speaks(page, language)
        laughs(page)
        expect(page.locator(".talk-problem")).to_have_text(told)
        expect(page.locator(".log-lines li[data-type='phrase-said']")).to_have_count(0)
        assert page.evaluate("heard") == []
    assert players[0].version(game) == before
    # The control: where nobody jams, the same press is heard.
    turn_to(ada, begun(players, rulebook="ultimate", scenario={**HUSH, "tiles": {}}))
    laughs(page)
    expect(page.locator(".log-lines li[data-type='phrase-said']")).to_have_count(1)
