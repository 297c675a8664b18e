"""What the page says once a game is over: how it ended, who has won, or that it is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.clients import Client, finished_game
from tests.e2e.conftest import Finished
from tests.e2e.people import Look, Person
from tests.e2e.watching import move, replay, root, shows, speaks

PINNED: Final = {"cooperation": 1, "competition": 4}
"""Short games."""

VERDICTS: Final = """async (ends) => {
    const { everything } = await import("/pages/all.js");
    const { verdict, fortune } = await import("/web/watch/verdict.js");
    await everything("en");
    const names = { players: (seats) => seats.map((seat) => `P${seat}`).join(" and ") };
    return ends.map((end) => [verdict(end, names), ...[1, 2].map((seat) => fortune(end, seat))]);
}"""


def game_ending(client: Callable[..., Client], mode: str, *, won: bool) -> str:
    """A game that somebody has won, or nobody: by day the first one."""
    ada, bob = (client(name, pin=f"{mode}, {PINNED[mode]}, {won}") for name in ("Ada", "Bob"))
    for seed in range(100):
        game = finished_game([ada, bob], mode, seed=seed)
        result = ada.state(game)["result"]
        if bool(result["winners"]) is won and result["outcome"] != "draw":
            return game
    raise AssertionError("no game ends in this way any more")


LOST: Final = [
    ("en", "Nobody wins: the game is lost.", r"^Ended in turn \d+ of \d+$", "lost"),
    ("fr", "Personne ne gagne", r"^Finie au tour \d+ sur \d+$", "perdu"),
    ("pl", "Nikt nie wygrywa", r"^Koniec w rundzie \d+ z \d+$", "przegrana"),
]


def test_a_lost_game_is_called_lost(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    game = game_ending(client, "cooperation", won=False)
    page = replay(person("Eve", Look(language=LOST[0][0])), game)
    for language, over, ended, word in LOST:
        speaks(page, language)
        expect(page.locator(".result")).to_contain_text(over)
        expect(page.locator(".b-turn")).to_have_text(re.compile(ended))
        expect(page.locator(".chapter")).not_to_contain_text("·")
        expect(page.locator(".b-clock")).to_be_hidden()
        expect(page.locator(".result[aria-busy]")).to_have_count(0)
        cells = page.locator(".result tbody td:last-child")
        expect(cells.first).to_be_visible()
        assert {word} == set(cells.all_inner_texts()), language


def test_winners_are_told_from_losers(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page = replay(person("Eve"), game_ending(client, "competition", won=True))
    expect(page.locator(".b-turn")).to_have_text(re.compile(r"^Ended in turn \d+ of \d+$"))
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".result[aria-busy]")).to_have_count(0)
    cells = page.locator(".result tbody td:last-child")
    expect(cells.first).to_be_visible()
    assert set(cells.all_inner_texts()) == {"won", "lost"}
    expect(page.locator(".b-seats .b-tag-good").first).to_have_text("winner")


ROLES: Final = ".b-seats .b-role-guard, .b-seats .b-role-prisoner"


def test_at_the_end_players_say_what_they_were_and_before_turns_to_come_are_counted(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = replay(person("Eve"), finished.game)
    expect(page.locator(".result[aria-busy]")).to_have_count(0)
    expect(page.locator(ROLES)).to_have_count(4)
    move(page, "scrubber").fill(str(finished.turns[1]))
    shows(page, finished.turns[1])
    expect(page.locator(ROLES)).to_have_count(0)
    expect(page.locator(".b-seats .b-role-unknown")).to_have_count(4)
    expect(page.locator(".b-turn")).to_have_text(
        re.compile(r"^Turn 2 of \d+ · \d+ more after this$")
    )
    expect(page.locator(".b-clock")).to_be_visible()
    # After the end everything is one button away.
    move(page, "last").click()
    move(page, "viewer").select_option("seat:1")
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    page.locator("[data-move=reveal]").click()
    expect(root(page)).to_have_attribute("data-viewer", "full")
    expect(page.locator("[data-move=reveal]")).to_have_count(0)
    expect(page.locator(".result")).not_to_contain_text("not shown")


def test_every_end_has_its_words(own_modules: Page) -> None:
    ends = [
        {"outcome": "team", "winners": [1]},
        {"outcome": "complex", "winners": []},
        {"outcome": "draw", "winners": [1, 2]},
        {"outcome": "draw", "winners": [2]},
        {"outcome": "draw", "winners": []},
        {"outcome": "annulled", "winners": []},
        {"outcome": "abandoned", "winners": []},
    ]
    assert own_modules.evaluate(VERDICTS, ends) == [
        ["Won by P1.", "won", "lost"],
        ["Nobody wins: the game is lost.", "lost", "lost"],
        ["Drawn between: P1 and P2.", "drew", "drew"],
        ["Drawn between: P2.", "lost", "drew"],
        ["Nobody wins.", "drew", "drew"],
        ["", "annulled", "annulled"],
        ["", "abandoned", "abandoned"],
    ]
