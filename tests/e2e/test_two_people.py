"""Two people, one of them on a phone: from an invitation by link to a rematch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, lasting
from tests.e2e.people import RETURNING, Look, Person
from tests.e2e.test_account import sent
from tests.e2e.watching import complete, move, reaches, root, watch


def invitation(page: Page) -> str:
    """The address that a host makes at a private table, for one."""
    page.locator("[data-action=share]").click()
    page.get_by_label("For how many").select_option("1")
    page.locator("[data-action=make-invitation]").click()
    field = page.get_by_label("Link that invites to this table")
    expect(page.locator(".invitation-links li")).to_contain_text("Places: 1.")
    return field.input_value()


def sits_down_by(address: str, bob: Person) -> Page:
    """Come by a link without an account: a name, and nothing else."""
    page = bob.opens(address)
    expect(page.locator(".account")).to_contain_text("Ada zaprasza cię do stołu")
    assert violations(page) == []
    assert lasting(page, lambda: flaws(page)) == []
    # It may be loaded anew, though its address has no secret any more.
    assert "#" not in page.url
    page.reload()
    expect(page.locator(".account")).to_contain_text("Ada zaprasza cię do stołu")
    page.locator("#field-name").fill("Bob")
    page.locator("[data-action=sit]").click()
    expect(page).to_have_url(re.compile("/watch/g"))
    expect(root(page)).to_have_attribute("data-viewer", "seat:2")
    complete(page)
    return page


KEPT: Final = """() => [localStorage, sessionStorage].flatMap((kept) => Object.values(kept))
    .filter((text) => text.includes("plr-table."))"""
"""What the browser keeps that has the secret of a link to a table in it."""


def pause_and_play_on(hers: Page, his: Page) -> None:
    """She asks for a pause, he agrees, and both end it."""
    hers.locator("#pausing-open").click()
    hers.locator("#pausing-ask").click()
    his.locator("#pausing-agree").press("Enter")
    for page in (hers, his):
        expect(page.locator("[data-banner=paused]")).to_be_visible()
        resume = page.locator("#pausing-resume")
        expect(resume).to_be_enabled()  # the pause may be told before one's own vote is answered
        resume.press("Enter")
    for page in (hers, his):
        expect(page.locator("[data-banner=paused]")).to_have_count(0)


def test_two_people_from_an_invitation_to_a_rematch(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    phone = Look(width=390, height=844, language="pl", touch=True, worker=True)
    ada, bob = person("Ada", RETURNING), person("Bob", phone)
    host = client("Ada")
    game = host.opens("cooperation", 2, visibility="private")
    host.sits(game)
    ada.signs_in(host)
    hers = watch(ada, game)
    address, addresses = invitation(hers), sent(bob)
    assert violations(hers, ".share") == []
    secret = address.partition("#invitation=")[2]
    assert secret.startswith(f"plr-table.{game}.")
    his = sits_down_by(address, bob)
    assert [each for each in addresses if secret in each] == []
    assert his.evaluate(KEPT) == [], "nobody needs it any more"

    guest = client("Bob", token=bob.token)
    guest.chooses(game, "r1c2")
    reaches(his, guest.version(game))
    bob.opens("/")  # he is away
    host.chooses(game, "r1c2")
    watch(bob, game)
    expect(his.locator(".away h2")).to_have_text("Pod twoją nieobecność")
    expect(his.locator(".away")).to_contain_text("Możesz teraz działać")
    his.locator("[data-move=away-close]").click()
    pause_and_play_on(hers, his)

    for seat, player in ((2, guest), (1, host)):
        player.post(f"/games/{game}/decisions/resign-s{seat}", {"option": "resign"})
    move(hers, "rematch").click()
    expect(hers).not_to_have_url(re.compile(game))
    expect(his.locator(".rematch")).to_contain_text("Ada")
    move(his, "rematch").click()
    expect(his).not_to_have_url(re.compile(game))  # he had this seat at the old table, too
    for page, seat in ((hers, 1), (his, 2)):
        expect(root(page)).to_have_attribute("data-viewer", f"seat:{seat}")


def test_a_withdrawn_link_is_told_to_whoever_opens_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, eve = person("Ada"), person("Eve")
    host = client("Ada")
    game = host.opens("cooperation", 2, visibility="private")
    ada.signs_in(host)
    hers = watch(ada, game)
    address = invitation(hers)
    hers.locator("[data-action=withdraw-invitation]").click()
    expect(hers.locator(".invitation-links li")).to_have_count(0)
    eve.allow("410")
    page = eve.opens(address)
    expect(page.get_by_role("alert")).to_contain_text("This invitation was withdrawn.")
