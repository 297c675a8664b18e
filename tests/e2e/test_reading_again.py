"""What the service cannot tell for a moment, the page asks for again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count
from typing import Final

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.clients import Client
from tests.e2e.people import Person
from tests.e2e.planting import plant, plant_all

OPEN: Final = re.compile(r"/v1/games\?(.*&)?status=open")
OVER: Final = re.compile(r"/v1/games\?(.*&)?status=finished")

ATTEMPTS: Final = 3
"""How often the page asks for the same before it says that it could not be read."""

NOTES: Final = """() => {
    window.troubles = 0;
    new MutationObserver((changes) => {
        troubles += changes.flatMap(({ addedNodes }) => [...addedNodes])
            .filter((node) => node.matches?.(".trouble .note")).length;
    }).observe(document, { childList: true, subtree: true });
}"""
"""Counts how often the lobby says that tables cannot be read."""


def is_unavailable(page: Page, what: re.Pattern[str], times: int) -> None:
    """Let the first answers to a reading be that the store does not answer."""
    numbers = count()

    def answers(route: Route) -> None:
        if next(numbers) >= times:
            route.continue_()
            return
        told = {"type": "/problems/store-unavailable", "title": "Store unavailable", "status": 503}
        route.fulfill(
            status=503,
            content_type="application/problem+json",
            headers={"retry-after": "1"},
            body=json.dumps(told),
        )

    page.route(what, answers)


def troubles(eve: Person, game: str) -> int:
    """How often the lobby has told of trouble when it shows a table; one answer is a 503."""
    eve.allow("503")
    eve.hurries()
    eve.runs_first(f"({NOTES})()")
    is_unavailable(eve.page, OPEN, 1)
    page = eve.opens("/")
    expect(page.locator(f"[data-section=open] [data-game='{game}']")).to_be_visible()
    found: int = page.evaluate("troubles")
    return found


def test_a_list_is_read_again_before_anybody_is_told(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    assert troubles(person("Eve"), client("Ada").opens("suspicion", 4)) == 0


def test_a_list_that_is_read_once_is_noticed(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    eve = person("Eve")
    plant(eve.page, "net/api.js", {" || READ_AGAIN.has(problem.code)": ""})
    assert troubles(eve, client("Ada").opens("suspicion", 4)) == 1


def rounds(eve: Person) -> int:
    """In which round the lobby reads finished games again; in the first these cannot be read."""
    eve.allow("503")
    eve.hurries()
    begun: list[str] = []
    read: list[int] = []

    def note(request: Request) -> None:
        if OPEN.search(request.url):
            begun.append(request.url)
        if OVER.search(request.url):
            read.append(len(begun))

    eve.notes(note)
    is_unavailable(eve.page, OVER, ATTEMPTS)
    page = eve.opens("/")
    # Any: other tests may have finished more games since than the lobby lists.
    expect(page.locator("[data-section=finished] [data-game]").first).to_be_visible()
    expect(page.locator(".trouble .note")).to_have_count(0)
    assert read[:ATTEMPTS] == [1] * ATTEMPTS
    return read[ATTEMPTS]


@pytest.mark.usefixtures("finished")
def test_finished_games_that_could_not_be_read_are_read_in_the_next_round(
    person: Callable[..., Person],
) -> None:
    assert rounds(person("Eve")) == 2


# By day a list that is read once is noticed, and here one sees the very round.
@pytest.mark.nightly
@pytest.mark.usefixtures("finished")
def test_finished_games_that_are_read_much_later_are_noticed(
    person: Callable[..., Person],
) -> None:
    eve = person("Eve")
    plant(eve.page, "lobby/lobby.js", {"Math.min(this.#round, begun)": "this.#round"})
    assert rounds(eve) > 2


RESTS: Final = """async (after) => {
    const { inRounds } = await import("/web/net/rounds.js");
    const { Problem } = await import("/web/net/problem.js");
    const over = new AbortController();
    const rested = [];
    const told = { type: "/problems/-", title: "-", status: 429, retryAfter: after };
    const refused = () => Promise.reject(new Problem(told));
    await inRounds(refused, {
        signal: over.signal,
        every: 5_000,
        tell: () => {},
        rest: async (ms) => rested.push(ms) === 2 && over.abort(),
    });
    return rested;
}"""


@pytest.mark.parametrize(
    ("after", "rested"),
    [(None, [10_000, 20_000]), (1, [10_000, 20_000]), (15, [15_000, 20_000])],
)
def test_nothing_is_read_sooner_than_the_service_asks_for(
    modules: Page, after: int | None, rested: list[int]
) -> None:
    assert modules.evaluate(RESTS, after) == rested


PASSING: Final = (408, 425, 429, 500, 502, 503, 504, 507, 520)
REFUSED: Final = (400, 401, 403, 404, 409, 410, 422, 501)

TELLS: Final = """async (statuses) => {
    const { isPassing, isRefusal, Problem } = await import("/web/net/problem.js");
    const all = statuses.map((status) => new Problem({ type: "/problems/-", title: "-", status }));
    const others = [new TypeError("none of the service")];
    return [...all, ...others].map((each) => [isPassing(each), isRefusal(each)]);
}"""

STREAMS: Final = """async (statuses) => {
    const { listen } = await import("/web/net/stream.js");
    const { fetch } = window;
    const once = async (status) => {
        const over = new AbortController();
        window.fetch = () => Promise.resolve(new Response("{}", { status }));
        let told = null;
        const onStatus = ({ state }) => {
            if (state !== "connecting") {
                told ??= state;
                over.abort();
            }
        };
        await listen({ onNotice: () => {}, onStatus, signal: over.signal });
        return told;
    };
    const found = [];
    for (const status of statuses) {
        found.push(await once(status));
    }
    window.fetch = fetch;
    return found;
}"""
"""What becomes of a stream that is answered so: it waits and asks again, or has been refused."""

OWN_RULES: Final = {
    "as refusals": {
        "WORTH_REPEATING = new Set([408, 425, 429])": "WORTH_REPEATING = new Set([429])"
    },
    "for ever": {" && status !== NOT_IMPLEMENTED": ""},
}


def test_one_rule_says_what_passes_by_itself(modules: Page) -> None:
    told = modules.evaluate(TELLS, [0, *PASSING, *REFUSED])
    passing, refused = len(PASSING) + 1, len(REFUSED)
    assert told == [[True, False]] * passing + [[False, True]] * refused + [[False, False]]


@pytest.mark.parametrize("fault", [None, *OWN_RULES])
def test_a_stream_waits_for_what_passes_and_ends_at_what_does_not(
    own_modules: Page, fault: str | None
) -> None:
    plant_all(own_modules, {"net/problem.js": OWN_RULES[fault]} if fault else {})
    found = dict.fromkeys(PASSING, "waiting") | dict.fromkeys(REFUSED, "refused")
    told = dict(zip(found, own_modules.evaluate(STREAMS, list(found)), strict=True))
    differs = {status for status, state in told.items() if state != found[status]}
    assert differs == {None: set(), "as refusals": {408, 425}, "for ever": {501}}[fault]
