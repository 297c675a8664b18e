"""What if: from a moment of a finished game to a table that plays on, with a friend."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import PHONE, Look, Person
from tests.e2e.watching import replay, root, watch


def test_a_moment_is_played_on_by_its_maker_and_a_friend_while_somebody_watches(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    maker, friend = client("Mia"), client("Finn")
    ada, bob, eve = person("Mia"), person("Finn", PHONE), person("Eve", Look(language="pl"))
    ada.signs_in(maker)
    # In the first turn nobody is dead, so that everybody programmes.
    version = min(v for v in finished.batch_ends if v >= finished.turns[0])
    page = replay(ada, finished.game, f"?at={version}")
    page.locator("[data-move=what-if]").click()
    asked = page.locator("[data-dialog=what-if]")
    asked.locator("[data-seat='1']").select_option("bot")
    asked.locator("[data-move=branch]").click()
    expect(asked.get_by_role("alert")).to_contain_text("at least one seat")
    for seat, who in (("1", "me"), ("2", "me"), ("3", "guest")):
        asked.locator(f"[data-seat='{seat}']").select_option(who)
    asked.locator("[data-move=branch]").click()
    page.wait_for_url(re.compile(rf"/watch/(?!{finished.game})"))
    new = page.url.rpartition("/")[2]
    expect(page.locator(".branch-mark")).to_be_visible()
    bob.signs_in(friend)
    seats = bob.opens(f"/watch/{new}")
    friend.sits(new, seat=3)
    expect(root(seats)).to_have_attribute("data-viewer", "seat:3")
    watched = watch(eve, new)
    expect(watched.locator("[data-banner=branch]")).to_contain_text("Co by było, gdyby")
    # The maker is asked for both seats, and answers for the second one.
    expect(page.locator("[data-decision]").first).to_be_visible()
    asked_of = {decision["seat"] for decision in maker.asked(new)}
    assert asked_of == {1, 2}
    page.locator(".banner-others [data-seat='2']").click()
    expect(root(page)).to_have_attribute("data-viewer", "seat:2")
    expect(page.locator(".banner-others [data-seat='1']")).to_be_visible()
    branched = maker.state(new)["origin"]
    assert (branched["game"], branched["version"]) == (finished.game, version)
    watched.locator("[data-banner=branch] button").click()
    watched.wait_for_url(re.compile(rf"/watch/{finished.game}\?at={version}"))


def test_from_the_end_one_plays_on_before_the_turning_point(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    ada = person("Mia")
    ada.signs_in(client("Mia"))
    page = replay(ada, finished.game)
    page.locator("[data-move=what-if]").click()
    asked = page.locator("[data-dialog=what-if]")
    expect(asked).to_contain_text("just before the turning point")
    asked.locator("[data-move=branch]").click()
    expect(page.locator(".branch-mark")).to_be_visible()


def test_whoever_plays_on_alone_may_look_through_all_eyes(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    maker = client("Mia")
    wish = {"version": finished.turns[1], "seats": [1]}
    new = maker.post(f"/games/{finished.game}/branches", wish)["game"]
    ada = person("Mia")
    ada.signs_in(maker)
    page = watch(ada, new)
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    # How a branch begins is no change: nothing is ringed of all that had happened before.
    expect(page.locator(".b-tile[data-cell], .b-figure").first).to_be_visible()
    expect(page.locator(".b-changed")).to_have_count(0)
    page.keyboard.press("9")
    expect(root(page)).to_have_attribute("data-viewer", "full")
    expect(page.locator("[data-banner=full]")).to_be_visible()
