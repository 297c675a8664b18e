"""Cards of Cerveauuu! are played at a moment, at pieces, edges and buildings, in every way."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, lasting, misnamed
from tests.e2e.people import Look, Person
from tests.e2e.town import CHASE, HOUSE, asked, cell, offered, staged, takes, until
from tests.e2e.watching import move, watch


def explains_a_window_of_the_past(page: Page) -> None:
    """Go to where a zombie moved, and see what there is to know of that window."""
    move(page, "scrubber").fill("20")
    term = page.locator("[id^=about-window]")
    expect(term).to_be_visible()
    term.click()
    expect(page.locator("dialog[open]")).to_contain_text("Opens whenever a zombie sets out")
    assert violations(page, "dialog[open]") == []
    page.keyboard.press("Escape")
    expect(term).to_be_focused()


WEIGHED: Final = """
- region "What is about to happen":
  - heading "Before the fight is decided" [level=2]:
    - button "Before the fight is decided"
  - heading "Who answers, in this order" [level=3]
  - list:
    - listitem: Bob to answer
    - listitem: "Ada passes: no cards"
  - heading "If everybody passes" [level=3]
  - list "If everybody passes":
    - listitem: Attackers 1, defenders 1.
    - listitem: As it stands, the attackers win.
  - paragraph: /If somebody plays a card, the first in this order counts/
  - heading "green zombie 1 attacks human 1" [level=2]
  - heading "attackers 1" [level=3]
  - list:
    - listitem: green zombie 1
  - heading "defenders 1" [level=3]
  - list:
    - listitem: human 1
  - status: As it stands, the attackers win.
"""
"""What a screen reader finds in the panel of a window in which a fight is weighed."""


def test_a_cards_moment_is_chosen_on_a_plan_and_a_fight_is_weighed(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, CHASE)
    ada = person("Ada")
    ada.signs_in(own)
    page = watch(ada, game)
    card = card_of(page, asked(own, game))
    for option in ("z01", "z01.r2c3", "z01.r2c3.attack-h01"):
        card.locator(f"[data-option='{option}']").click()
    expect(card).to_have_count(0)  # the service has it
    # The path is a plan now, with the attack at its end; a card may take effect on its way.
    card = card_of(page, asked(own, game))
    expect(card).to_contain_text("goes to D3")
    expect(card).to_contain_text("attacks human 1")
    expect(page.locator(".cv-way")).to_have_count(1)
    expect(page.locator(".cv-attack")).to_have_count(1)
    card.locator("[data-option=play]").click()
    card.locator("[data-option='play.k1']").click()
    card.locator(".cv-anchor input").focus()
    page.keyboard.press("ArrowRight")
    expect(card.locator(".cv-anchor output")).to_contain_text("after step 1: green zombie 1")
    expect(page.locator(".cv-ghost")).to_have_count(1)
    card.get_by_role("button", name="At this moment").click()
    takes(page, "r1c4")  # h01 shoots
    expect(card.locator("[data-option$='.z02']")).to_be_visible()  # until then it is no target
    # The mover is met where it is at that moment.
    expect(cell(page, "r2c1")).to_have_attribute("aria-label", re.compile("^Choose: "))
    takes(page, "r0c4")  # at z02
    # Held for the rest of its slot, which may be over at once, or handed in already.
    expect(page.locator("[data-kind=respond] .p-chosen")).to_contain_text("Rifle")
    bob.chooses(game, "pass")
    # The answer goes with its slot; what it did is seen, and the mover may go on.
    expect(page.locator("[data-piece=z02] .cv-cross")).to_have_count(1)
    replan = asked(own, game)
    assert replan["kind"] == "replan"
    card_of(page, replan).locator("[data-option=keep]").click()
    # Ada has no card left, so only Bob is asked before the attack and in the fight.
    until(bob, game, "respond")
    bob.chooses(game, "pass")
    expect(page.locator(".cv-fight .cv-total")).to_have_text([" 1", " 1"])
    expect(page.locator(".cv-provisional")).to_contain_text("attackers win")
    expect(page.locator("[data-piece=z02]")).to_have_count(0)
    expect(page.locator(".cv-window")).to_match_aria_snapshot(WEIGHED)
    assert violations(page, ".stage, .cv-window") == []
    page.emulate_media(color_scheme="dark")
    page.locator("#standing").check()
    page.reload()  # colours of parts that are out of sight may stay as they were
    expect(page.locator(".cv-provisional")).to_be_visible()
    expect(page.locator("#standing")).to_be_checked()
    assert violations(page) == []
    until(bob, game, "respond")
    bob.chooses(game, "pass")
    expect(page.locator("[data-seat='1'] .cv-score")).to_contain_text("points: 1")
    explains_a_window_of_the_past(page)


def test_doors_walls_and_buildings_are_chosen_by_touch_keys_pointer_and_list(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, HOUSE)
    ada = person("Ada", Look(width=390, height=844, touch=True))
    ada.signs_in(own)
    page = watch(ada, game)

    def plays(card: str) -> Locator:
        """Begin to play a card of the hand in one's go; the decision."""
        go = until(own, game, "go")
        found = card_of(page, go)
        for option in ("play", f"play.{card}"):
            found.locator(f"[data-option='{option}']").click()
        return found

    def edge(name: str) -> Locator:
        return page.locator(f".cv-edge-choice[data-edge='{name}']")

    # By touch: the door; what a finger meets is asked for once more.
    card = plays("k1")
    expect(card.locator("[data-option]")).to_have_text(["open door between C3 and D3"])
    edge("r2c2e").tap()
    expect(card).to_have_count(0)
    # By keys: of the cell's two walls the eastern one. All walls are in the list, too.
    card = plays("k2")
    expect(card.locator("[data-option='play.k2.r0c1s']")).to_have_text("wall between B1 and B2")
    everything = card.locator("[data-option]").count()
    cell(page, "r1c2").focus()
    page.keyboard.press("Enter")
    expect(card.locator("[data-option]")).to_have_count(2)
    expect(card.locator(".p-narrowed")).to_contain_text("C2")
    card.locator(".p-narrowed button").click()
    expect(card.locator("[data-option]")).to_have_count(everything)
    edge("r1c0e").tap()
    expect(card.locator("[data-option]")).to_have_text(["wall between A2 and B2"])
    expect(page.locator(".cv-edge-choice")).to_have_count(1)
    card.locator(".p-narrowed button").click()
    cell(page, "r1c2").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".cv-edge-choice")).to_have_count(2)
    assert violations(page, ".stage, .p-panel") == []
    assert lasting(page, lambda: flaws(page) + misnamed(page)) == []
    edge("r1c2e").focus()
    page.keyboard.press("Enter")
    expect(card).to_have_count(0)
    # By pointer: a building, wherever one clicks in it.
    card = plays("k3")
    expect(card.locator("[data-option]")).to_have_text(["building M"])
    takes(page, "r2c1")
    expect(page.locator("[data-piece=h01] .cv-bar")).to_have_count(1)
    # From the list: the door, and the house. By pointer: a wall. By keys and by touch: the house.
    ways: tuple[tuple[str, Callable[[Locator], None]], ...] = (
        ("k4", lambda card: card.locator("[data-option='play.k4.r2c2e']").click()),
        ("k5", lambda _: edge("r1c0e").click()),
        ("k6", lambda card: card.locator("[data-option='play.k6.m']").click()),
        ("k7", lambda _: offered(page, "r2c1").press("Enter")),
        ("k8", lambda _: offered(page, "r2c1").tap()),
    )
    for number, choose in ways:
        card = plays(number)
        choose(card)
        expect(card).to_have_count(0)
    play = own.state(game)["play"]
    assert {name: [state for state, *_ in list_] for name, list_ in play["edges"].items()} == {
        "r2c2e": ["door_closed", "door_open", "door_open", "door_closed"],
        "r1c2e": ["breach"],
        "r1c0e": ["breach"],
    }
    assert play["pieces"]["h01"]["blocked"]
    assert [each["card"] for each in play["modifiers"]] == ["c108"]
