"""What is in force in a town, what was played last and who is still to answer is in sight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, lasting
from tests.e2e.people import Look, Person
from tests.e2e.town import FROZEN, asked, on_a_phone, staged
from tests.e2e.watching import speaks, watch

BLOOD: Final = "rgb(179, 23, 12)"
DEAD: Final = """() => {
    const fill = (piece) => {
        const gone = piece.cloneNode(true);
        gone.setAttribute("class", "cv-gone");
        piece.parentNode.append(gone);
        const { fill } = getComputedStyle(gone.querySelector(".cv-body"));
        gone.remove();
        return fill;
    };
    return [...document.querySelectorAll(".cv-piece")].map(fill);
}"""
"""The colour of each piece as it stands there for a moment when it has died."""


def test_what_is_in_force_and_what_was_played_last_is_in_sight_while_one_decides(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, FROZEN)
    ada = person("Ada", Look(width=1280, height=800))
    ada.signs_in(own)
    page = watch(ada, game)
    in_force = page.get_by_role("list", name="In force for everybody").get_by_role("listitem")
    # The end is not in sight yet; what it takes is told beside the board.
    expect(in_force).to_have_text(["Black ice"])
    expect(page.locator(".side")).to_contain_text("End credits")
    expect(page.locator(".cv-last")).to_have_count(0)
    card = card_of(page, asked(own, game))
    expect(card).to_contain_text("If everybody passes")
    expect(card).not_to_contain_text("Last card played")
    own.chooses(game, "play.k1")
    bob.chooses(game, "pass")
    card = card_of(page, asked(own, game))
    expect(card).to_contain_text("Last card played: Viral video (green). If everybody passes")
    expect(page.locator(".cv-last")).to_have_text("Last card played: Viral video (green).")
    expect(in_force).to_have_text(["Black ice", "credits 1/2", "media card played"])
    assert violations(page) == []
    assert lasting(page, lambda: flaws(page)) == []
    assert set(page.evaluate(DEAD)) == {BLOOD}
    on_a_phone(page)
    expect(in_force.filter(visible=True)).to_have_text(["Black ice"])
    assert violations(page, ".in-force, .p-panel") == []
    assert lasting(page, lambda: flaws(page)) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # A card that was aimed at somebody says at whom; in another window nothing is left of it.
    own.chooses(game, "pass")
    bob.chooses(game, "pass")
    expect(page.locator(".cv-last")).to_have_count(0)
    card = card_of(page, asked(own, game))
    for option in ("z01", "z01.r2c3", "z01.r2c3.attack-h01"):
        card.locator(f"[data-option='{option}']").click()
    expect(card).to_have_count(0)  # the service has it
    own.chooses(game, "play.k2.1.h01.z02")
    bob.chooses(game, "pass")
    aimed = "Last card played: Rifle (green), aimed at human 1 and purple zombie 2."
    expect(page.locator(".cv-last")).to_have_text(aimed)


def test_who_resigns_in_a_window_is_asked_no_more_and_the_end_of_the_game_ends_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    own, bob, cleo = client("Ada"), client("Bob"), client("Cleo")
    hands = {"1": ["c031"], "2": ["c022"], "3": ["c044"]}
    position = {**FROZEN, "hands": hands, "credits": ["c001", "c002"]}
    game = staged(own, bob, position, cleo)
    page = watch(person("Dan"), game)
    status = page.locator(".cv-window .cv-status")
    expect(status).to_have_text(["to answer", "to answer", "to answer"])
    cleo.post(f"/games/{game}/decisions/resign-s3", {"option": "resign"})
    expect(status).to_have_text(["to answer", "to answer", "has given up"])
    own.chooses(game, "pass")
    bob.chooses(game, "play.k1")  # the viral video: Bob draws first, and it is the last end credits
    expect(page.locator(".cv-window")).to_be_hidden()
    assert own.state(game)["phase"] == "finished"


CREDITS: Final = {
    "en": "credits 1/2",
    "fr": "générique 1/2",
    "pl": "napisy 1/2",
}
LINES: Final = """(list) => {
    const text = document.createRange();
    text.selectNodeContents(list);
    const { right, left } = list.parentElement.getBoundingClientRect();
    const all = [...text.getClientRects()];
    const cut = all.some((each) => each.right > right + 1 || each.left < left - 1);
    return [new Set(all.map(({ bottom }) => Math.round(bottom))).size, cut];
}"""
"""In how many lines a text stands, and whether any of it is out of what it is in."""


# By day on the narrower one.
@pytest.mark.parametrize("width", [360, pytest.param(390, marks=pytest.mark.nightly)])
def test_on_a_phone_the_end_credits_are_one_line(
    person: Callable[..., Person], client: Callable[..., Client], width: int
) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, {**FROZEN, "weather": None, "credits": ["c001"]})
    ada = person("Ada", Look(width=width, height=844, touch=True))
    ada.signs_in(own)
    page = watch(ada, game)
    for language, text in CREDITS.items():
        speaks(page, language)
        in_force = page.locator(".in-force")
        expect(in_force).to_contain_text(text)
        assert in_force.evaluate(LINES) == [1, False], language
    assert lasting(page, lambda: flaws(page)) == []
