"""A pause by agreement: one asks, the other, on a phone and in another language, agrees."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client, begun
from tests.e2e.people import Look, Person
from tests.e2e.watching import watch


def test_two_agree_on_a_pause_and_play_on(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    players = [client("Ada"), client("Bob")]
    game = begun(players)  # both are asked where their clue is
    ada, bob = (
        person("Ada", Look(language="en-GB")),
        person("Bob", Look(width=390, height=844, language="pl-PL")),
    )
    for who, seat in ((ada, 1), (bob, 2)):
        who.signs_in(players[seat - 1])
        watch(who, game)
    one, two = ada.page, bob.page
    one.set_viewport_size({"width": 390, "height": 844})
    one.locator("#pausing-open").click()
    expect(one.locator("#pausing-ask")).to_be_in_viewport(ratio=1)  # below the edge otherwise
    one.set_viewport_size({"width": 1280, "height": 860})
    one.locator("#pausing-length").select_option("20")
    one.locator("#pausing-ask").click()
    expect(one.locator("#pausing-decline")).to_have_text("Take it back")
    expect(two.locator(".pausing")).to_contain_text("Ada prosi o przerwę (20 minut).")
    # Beside all there is to decide, and on a phone, nobody has to look for it.
    expect(two.locator("section[data-decision]").first).to_be_visible()
    expect(two.locator("#pausing-agree")).to_be_in_viewport(ratio=1)
    two.locator("#pausing-agree").press("Enter")
    expect(two.locator("[data-banner=paused]")).to_contain_text("Gracze zrobili przerwę")
    expect(one.locator("[data-banner=paused]")).to_contain_text("The players have paused")
    # The log tells both lengths alike, and no clock's minutes beside minutes.
    expect(one.locator(".log")).to_contain_text("Ada proposes a pause of 20\u00a0min.")
    expect(one.locator(".log")).to_contain_text("stand still, for 20\u00a0min at most.")
    expect(two.locator(".pausing-asked")).to_have_count(0)
    assert violations(two) == []
    two.locator("#pausing-resume").click()
    expect(one.locator(".pausing")).to_contain_text("Ready to play on: Bob.")
    one.locator("#pausing-resume").click()
    expect(one.locator("[data-banner=paused]")).to_have_count(0)
    expect(two.locator("#pausing-length")).to_be_visible()
