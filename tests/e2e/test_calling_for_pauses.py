"""The page calls for pauses, as for turns: when one is asked for, begins and ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.calling import Made, begins_cerveauuu, is_called, is_left_alone, wish
from tests.e2e.clients import Client, Json
from tests.e2e.listening_in import hide, recorded, records
from tests.e2e.watching import watch


def waits_for_bob(calling: Callable[..., Made], *wishes: str) -> tuple[Page, Client, Client, str]:
    """A game in which Bob has still to choose, before Ada, who wishes to be called by these."""
    one, ada, bob, game = calling(opens=False)
    bob.sits(game, seat=2)
    ada.chooses(game, "r1c2")
    page = watch(one, game)
    wish(page, *wishes)
    return page, ada, bob, game


def votes(game: str, vote: str, *players: Client) -> None:
    """Let players vote on a pause, one after another."""
    for player in players:
        player.post(f"/games/{game}/pause-votes", {"vote": vote})


def hears_of_a_pause(page: Page, game: str, reader: Client, other: Client) -> None:
    """A pause is asked for, agreed on elsewhere, and ended; a hidden page calls for each."""
    other.post(f"/games/{game}/pause-proposals", {"minutes": 20})
    expect(page).to_have_title(re.compile(r"^● a pause\? · "))
    records(page, "tones", 4)
    votes(game, "agree", reader)
    expect(page).to_have_title(re.compile("^● pause · "))
    records(page, "tones", 6)
    votes(game, "resume", other, reader)
    expect(page).to_have_title(re.compile("^● the game goes on · "))
    records(page, "tones", 8)
    told = [(each["tag"], each["title"]) for each in recorded(page, "shown")[1:]]
    pauses = f"{game}/pause"
    assert told == [
        (pauses, "A pause is asked for"),
        (pauses, "The game has paused"),
        (pauses, "The game goes on"),
    ]


def test_a_pause_calls_like_a_turn_when_it_is_asked_for_begins_and_ends(
    calling: Callable[..., Made],
) -> None:
    page, ada, bob, game = waits_for_bob(calling, "sound", "notices")
    hide(page)
    hears_of_a_pause(page, game, ada, bob)
    hide(page, hidden=False)
    is_left_alone(page)
    records(page, "open", 1)  # the sample alone
    # Nobody is told of what they have just done themselves.
    bob.post(f"/games/{game}/pause-proposals", {"minutes": 20})
    records(page, "tones", 10)
    page.locator("#pausing-agree").click()
    expect(page.locator("[data-banner=paused]")).to_be_visible()
    is_left_alone(page)
    votes(game, "resume", bob)
    page.locator("#pausing-resume").click()
    expect(page.locator("[data-banner=paused]")).to_have_count(0)
    # What is called for next comes after a call that the page would have made of this.
    bob.chooses(game, "r1c2")
    is_called(page)
    records(page, "tones", 12)
    page.evaluate("navigator.locks?.query()")  # until it is settled whose calls they are
    assert len(recorded(page, "tones")) == 12


# By day the test before this one calls for a pause and its end; here answers come late.
@pytest.mark.nightly
def test_what_others_do_after_a_vote_of_ones_own_is_called_for(
    calling: Callable[..., Made],
) -> None:
    """Also where the stream tells what the vote did before the service has answered it."""
    page, ada, bob, game = waits_for_bob(calling, "sound")
    bob.post(f"/games/{game}/pause-proposals", {"minutes": 20})
    records(page, "tones", 4)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/pause-votes", hold)
    with page.expect_request("**/pause-votes"):
        page.locator("#pausing-agree").click()
    expect(page.locator("[data-banner=paused]")).to_have_count(0)
    (route,) = held
    answer = route.fetch()
    expect(page.locator("[data-banner=paused]")).to_be_visible()
    route.fulfill(response=answer)
    expect(page.locator("#pausing-resume")).to_be_enabled()
    votes(game, "resume", bob, ada)
    records(page, "tones", 6)


# By day a table calls for pauses, the lobby to all tables, and what pauses call for is told below.
@pytest.mark.nightly
def test_the_lobby_calls_for_pauses_at_all_tables(
    calling: Callable[..., Made], client: Callable[..., Client]
) -> None:
    one, ada, bob, game = calling(opens=False)
    cleo = client("Cleo")
    other = begins_cerveauuu(cleo, ada)
    bob.sits(game, seat=2)
    ada.chooses(game, "r1c2")
    cleo.post(f"/games/{other}/pause-proposals", {"minutes": 5})
    page = one.opens("/")
    wish(page, "sound", "notices")
    # What was asked before is shown, and not called for.
    expect(page).to_have_title(re.compile(r"^● a pause\? · "))
    records(page, "tones", 2)  # the sample
    votes(other, "decline", ada)
    expect(page).not_to_have_title(re.compile("a pause"))
    hide(page)
    hears_of_a_pause(page, game, ada, bob)
    assert "Bob" in recorded(page, "shown")[1]["body"]
    hide(page, hidden=False)
    expect(page).not_to_have_title(re.compile("goes on"))


PAUSES: Final = """async ([notices, now]) => {
    const { PauseCalls } = await import("/web/lobby/pauses.js");
    const calls = new PauseCalls();
    notices.forEach(([name, body]) => calls.hear(name, body));
    return {
        waiting: calls.waiting([], null, now).map(({ game, decisions }) => [game, ...decisions]),
        lapse: calls.nextLapse(now),
        news: calls.takeNews([], null).map(({ game, name }) => [game, name]),
        again: calls.takeNews([], null),
    };
}"""


def stands(call: Json | None = None, running: Json | None = None) -> Json:
    """A live game as the stream tells it in its first message."""
    return {"game": "g", "status": "live", "pauses": {"call": call, "running": running}}


ASKED: Final[Json] = {"seat": 2, "minutes": 5, "until": 900}
OURS: Final[Json] = {"by": "players", "number": 1, "until": 900}
DIRECTORS: Final[Json] = {"by": "director", "number": 1, "until": None}
PAUSED: Final = ["g", "paused-1"]
RESUMED: Final = ["g", "resumed-1"]
ANSWER: Final = [["g", "pause-2-900"]]
HEARD: Final[dict[str, tuple[list[Any], list[Any], list[Any]]]] = {
    "asked": ([("games", [stands(ASKED)])], ANSWER, []),
    "asked later": (
        [("games", []), ("pause-proposed", {"game": "g", "proposed": ASKED})],
        ANSWER,
        [],
    ),
    "settled": ([("games", [stands(ASKED)]), ("pause-settled", {"game": "g"})], [], []),
    "lapsed": ([("games", [stands(ASKED | {"until": 100})])], [], []),
    "ended": ([("games", [stands(ASKED)]), ("game-ended", {"game": "g", "result": {}})], [], []),
    "paused before": ([("games", [stands(None, OURS)])], [], []),
    "paused meanwhile": ([("games", [stands()]), ("games", [stands(None, OURS)])], [], [PAUSED]),
    "resumed meanwhile": ([("games", [stands(None, OURS)]), ("games", [stands()])], [], [RESUMED]),
    "ended meanwhile": ([("games", [stands(None, OURS)]), ("games", [])], [], []),
    "paused anew meanwhile": (
        [("games", [stands(None, OURS)]), ("games", [stands(None, OURS | {"number": 2})])],
        [],
        [RESUMED, ["g", "paused-2"]],
    ),
    "taken over meanwhile": (
        [("games", [stands(None, OURS)]), ("games", [stands(None, DIRECTORS)])],
        [],
        [],
    ),
    "the director's": (
        [
            ("games", []),
            ("game-paused", {"game": "g", "pause": DIRECTORS}),
            ("game-resumed", {"game": "g", "pause": DIRECTORS}),
        ],
        [],
        [],
    ),
}
"""Notices, and for what the reader is called and what they are told after them."""


@pytest.mark.parametrize(("notices", "waiting", "news"), HEARD.values(), ids=HEARD)
def test_what_is_told_of_pauses(
    modules: Page, notices: list[Any], waiting: list[Any], news: list[Any]
) -> None:
    """By what the stream says, also after it has broken: a director's pause calls nobody."""
    told = modules.evaluate(PAUSES, [notices, 100])
    lapse = 900 if waiting else None
    assert told == {"waiting": waiting, "lapse": lapse, "news": news, "again": []}
