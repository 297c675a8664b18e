"""Why something cannot be chosen is said where one presses it: by pointer, key and finger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.test_targets import BOTH_AT_B2
from tests.e2e.watching import speaks, watch

AT_B2: Final[Json] = {
    "characters": BOTH_AT_B2,
    "tiles": {"r1c1": "empty", "r1c2": {"kind": "flooded", "seal": True}},
    "markers": {"row1": "right"},
    "phase": "round_1",
}
"""Emmett and Franck stand in B2, beside a sealed room, on a line that has moved to the right."""

BIG_BOX: Final[Json] = {
    "tiles": {**AT_B2["tiles"], "r0c1": {"kind": "empty", "face": "down"}, "r1c0": "vision"},
}
"""The same rooms, with one face-down and one that may be locked."""

SEALED: Final = {
    "en": "You cannot make this push: the room is sealed.",
    "fr": "Vous ne pouvez pas pousser ainsi\u00a0: la salle est scellée.",
    "pl": "Nie możesz tak wypchnąć: pokój jest zaplombowany.",
}

Table = tuple[Page, Client, str]


@pytest.fixture
def acting(
    person: Callable[..., Person], client: Callable[..., Client]
) -> Callable[[str, Look], Table]:
    """Opens a game in which Emmett takes an action and is asked for its aim, before somebody.

    Special actions are taken in the big box, in which there are abilities.
    """

    def opened(action: str, look: Look) -> Table:
        own = [action, "look"]
        programs = {"emmett": own, "kevin": ["look"], "franck": ["look"], "jennifer": ["look"]}
        characters = {
            name: {**AT_B2["characters"][name], "program": program}
            for name, program in programs.items()
        }
        ada, bob = client("Ada"), client("Bob")
        scenario = {**AT_B2, "characters": characters}
        if action == "special":
            game = ada.opens("cooperation", 2, "ultimate", scenario=scenario | BIG_BOX)
        else:
            game = ada.opens("competition", 2, scenario=scenario)
        for number, player in enumerate((ada, bob), 1):
            player.sits(game, seat=number)
        one = person("Ada", look)
        one.signs_in(ada)
        page = watch(one, game)
        (asked, *_) = ada.asked(game)
        assert asked["kind"] in {f"{action}_target", f"{action}_choice"}
        expect(card_of(page, asked)).to_be_visible()
        return page, ada, game

    return opened


def told(page: Page) -> Locator:
    """The window that tells what something is."""
    return page.locator("dialog[data-dialog=place]")


def says(page: Page, why: str) -> None:
    """The window says why something cannot be chosen, and is closed."""
    expect(told(page).locator(".place-why p")).to_have_text([why])
    page.keyboard.press("Escape")
    expect(told(page)).to_have_count(0)


def tile(page: Page, cell: str) -> Locator:
    """A room on the board."""
    return page.locator(f".b-board [data-cell={cell}]")


def test_a_figure_and_a_room_say_why_they_cannot_be_chosen(
    acting: Callable[[str, Look], Table],
) -> None:
    page, ada, game = acting("push", DESKTOP)
    asked = ada.asked(game)
    page.locator(".b-board .b-figure[data-figure=kevin]").click()
    expect(told(page).locator(".place-why p")).to_be_visible()
    assert violations(page, "dialog[open]") == []
    says(page, "You cannot make this push: the character is in another room.")
    # What can be chosen has no reason against it, and none is asked for.
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    tile(page, "r0c1").focus()
    page.keyboard.press("?")
    expect(told(page)).to_be_visible()
    expect(told(page).locator(".place-why")).to_be_empty()
    page.keyboard.press("Escape")
    assert [url for url in requests if url.endswith("/unavailable")] == []
    page.keyboard.press("ArrowRight")
    page.keyboard.press("?")
    says(page, "You cannot make this push: the room is not adjacent.")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    says(page, SEALED["en"])
    for language in ("fr", "pl"):
        speaks(page, language)
        tile(page, "r1c2").click()
        says(page, SEALED[language])
    assert ada.asked(game) == asked
    tile(page, "r0c1").click()
    expect(page.locator(f"section[data-decision='{asked[0]['id']}']")).to_have_count(0)


def test_an_arrow_says_to_a_finger_why_its_line_does_not_move(
    acting: Callable[[str, Look], Table],
) -> None:
    page, ada, game = acting("control", PHONE)
    asked = ada.asked(game)
    reasons = {
        ("row1", "left"): "the line has already moved the other way this turn.",
        ("row3", "left"): "the line does not pass through the character’s room.",
    }
    for (line, way), why in reasons.items():
        page.locator(f".b-arrow[data-line={line}][data-way={way}]").tap()
        says(page, f"You cannot shift this line that way: {why}")
        expect(page.locator(".b-board")).not_to_have_attribute("data-preview", f"{line}:{way}")
    assert ada.asked(game) == asked


def test_keys_reach_arrows_that_cannot_be_chosen_while_a_line_is_asked_for(
    acting: Callable[[str, Look], Table],
) -> None:
    page, ada, game = acting("control", DESKTOP)
    asked = ada.asked(game)
    tile(page, "r1c0").focus()

    def goes(*keys: str, to: str) -> None:
        for key in keys:
            page.keyboard.press(key)
        expect(page.locator(to)).to_be_focused()

    arrow = ".b-arrow[data-line={}][data-way={}]"
    goes("ArrowLeft", to=arrow.format("row1", "left"))
    assert violations(page, ".stage") == []
    page.keyboard.press("Enter")
    says(
        page,
        "You cannot shift this line that way: the line has already moved the other way this turn.",
    )
    goes("ArrowDown", to=arrow.format("row3", "left"))
    page.keyboard.press("?")
    says(
        page,
        "You cannot shift this line that way: the line does not pass through the character’s room.",
    )
    goes("ArrowUp", "ArrowUp", to=arrow.format("row0", "left"))
    goes("ArrowLeft", to=arrow.format("row0", "left"))
    goes("ArrowRight", "ArrowUp", to=arrow.format("col0", "up"))
    goes("ArrowRight", "ArrowDown", to=".b-tile[data-cell=r0c1]")
    goes(*["ArrowDown"] * 5, to=arrow.format("col1", "down"))
    goes("ArrowUp", to=".b-tile[data-cell=r4c1]")
    assert ada.asked(game) == asked


def test_arrows_are_out_of_reach_while_no_line_is_asked_for(
    acting: Callable[[str, Look], Table],
) -> None:
    page, _, _ = acting("push", DESKTOP)
    tile(page, "r0c0").focus()
    page.keyboard.press("ArrowUp")
    expect(tile(page, "r0c0")).to_be_focused()
    expect(page.locator(".b-arrow:not([aria-hidden])")).to_have_count(0)


def test_a_figure_in_a_room_that_cannot_be_entered_says_why(
    acting: Callable[[str, Look], Table],
) -> None:
    page, ada, game = acting("move", DESKTOP)
    asked = ada.asked(game)
    page.locator(".b-board .b-figure[data-figure=kevin]").click()
    says(page, "You cannot move here: the room is not adjacent.")
    assert ada.asked(game) == asked


def test_a_room_says_of_each_ability_why_it_is_no_use_there(
    acting: Callable[[str, Look], Table],
) -> None:
    page, ada, game = acting("special", DESKTOP)
    asked = ada.asked(game)

    def why(cell: str, *reasons: str) -> None:
        tile(page, cell).click()
        expect(told(page).locator(".place-why p")).to_have_text(reasons)
        page.keyboard.press("Escape")
        expect(told(page)).to_have_count(0)

    reactivate, lock = "You cannot reactivate this room: ", "You cannot lock this room: "
    why("r0c1", f"{reactivate}the room is not sealed.", f"{lock}the room is face-down.")
    why("r4c4", f"{reactivate}the room is not adjacent.", f"{lock}the room is out of reach.")
    assert ada.asked(game) == asked
    tile(page, "r1c2").click()
    expect(page.locator(f"section[data-decision='{asked[0]['id']}']")).to_have_count(0)
