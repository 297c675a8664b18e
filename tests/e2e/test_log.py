"""The log: its filter by kind of event and by player, and the line of the moment in sight."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.by_day import LOOKS
from tests.e2e.clients import Client, Json
from tests.e2e.conftest import Finished
from tests.e2e.holding import holds
from tests.e2e.people import PHONE, Look, Person
from tests.e2e.programming import Programming
from tests.e2e.watching import move, open_log, replay, root, shows, watch

LINE: Final = ".log li[data-v]"
SEEN: Final = f"{LINE}:not([hidden])"
LOOKED_AT: Final = """() => {
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "hidden");
    window.lookedAt = [];
    Object.defineProperty(HTMLElement.prototype, "hidden", {
        configurable: true,
        get,
        set(value) {
            if (this.localName === "li" && this.dataset.v) window.lookedAt.push(+this.dataset.v);
            set.call(this, value);
        },
    });
}"""
"""Notes of which lines, by their versions, the page says from now on whether they are hidden."""

KINDS: Final = (
    *("turn", "program", "action", "board", "card", "secret"),
    *("danger", "end", "table", "clock", "engine"),
)


def unfold(page: Page) -> None:
    """Open the filter."""
    open_log(page)
    page.locator(".log-filter summary").click()
    expect(page.locator("[data-filter=turn]")).to_be_visible()


def only(page: Page, *kinds: str) -> None:
    """Let the filter pass some kinds of events."""
    for kind in KINDS:
        page.locator(f"[data-filter={kind}]").set_checked(kind in kinds)


def versions(found: Locator) -> list[int]:
    """The versions of lines."""
    read: list[int] = found.evaluate_all("all => all.map((line) => +line.dataset.v)")
    return read


SAID: Final = {
    "slot-began": {"action-revealed", "action-delayed", "action-passed", "special-used"},
    "action-revealed": {"action-lost"},
}
"""After which events it need not be said whose turn it was, or which action was turned up."""


def said_again(told: list[Json]) -> list[Json]:
    """Events of which the next one that is told says all, of the same character and action."""
    return [
        one
        for one, two in pairwise(told)
        if two["type"] in SAID.get(one["type"], ())
        and one["character"] == two["character"]
        and one.get("token", two.get("token")) == two.get("token")
    ]


def test_what_is_hidden_is_shown_when_asked_for_and_left_out_by_headings_and_arrows(
    person: Callable[..., Person], finished: Finished, client: Callable[..., Client]
) -> None:
    over = replay(person("Eve"), finished.game)
    unfold(over)
    notes_are_hidden_until_asked_for(over, finished)
    only(over, *KINDS)
    a_player_is_followed(over, finished, client("Fay").state(finished.game)["seats"])
    what_is_hidden_is_left_out(over, finished)


def notes_are_hidden_until_asked_for(over: Page, finished: Finished) -> None:
    """Those of the engine, and what is said again."""
    events = [json.loads(line)["event"] for line in finished.lines]

    def told() -> list[Json]:
        return [events[version - 1] for version in versions(over.locator(SEEN))]

    notes = over.locator(f"{LINE}[data-kind=engine]")
    expect(notes.first).to_be_hidden()
    expect(over.locator(SEEN)).to_have_count(finished.last - notes.count())
    assert said_again(told()) == []
    over.locator("[data-filter=engine]").check()
    expect(over.locator(SEEN)).to_have_count(finished.last)
    expect(over.locator(f"{SEEN}[data-kind=engine]")).to_have_count(notes.count())
    silent = {"agenda-set", "clock-started", "programming-opened", "key-published"}
    assert said_again([each for each in told() if each["type"] not in silent]) != []


@pytest.mark.parametrize("look", LOOKS)
def test_kinds_go_and_come_back(
    person: Callable[..., Person], finished: Finished, look: Look
) -> None:
    page = replay(person("Eve", look), finished.game)
    unfold(page)
    moves = page.locator(f"{LINE}[data-kind=program]")
    assert moves.count() > 0
    usual = page.locator(SEEN).count()
    page.locator("[data-filter=program]").uncheck()
    expect(page.locator(SEEN)).to_have_count(usual - moves.count())
    expect(page.locator(f"{SEEN}[data-kind=program]")).to_have_count(0)
    page.locator("[data-filter=program]").check()
    expect(page.locator(SEEN)).to_have_count(usual)


FILLED: Final = """() => {
    const lines = [...document.querySelectorAll(".log li:not([hidden])")];
    const frame = document.querySelector(".log-lines").getBoundingClientRect();
    const last = lines.at(-1).getBoundingClientRect();
    const above = lines.filter((each) => each.getBoundingClientRect().bottom <= frame.top).at(-1);
    const [free, height] = [frame.bottom - last.bottom, above.getBoundingClientRect().height];
    const heading = above.closest("section").querySelector("h3").offsetHeight;
    return free > -2 && free < height + heading;
}"""
"""Whether the newest line is all there, and there is no room for the last that is out of sight."""


def what_is_hidden_is_left_out(over: Page, finished: Finished) -> None:
    """By headings, by the line that is shown, and by the arrows."""
    # The newest line has others above it.
    only(over, "turn", "program")
    over.wait_for_function(FILLED)
    only(over, "turn")
    # Headings stand over something.
    begins = over.locator(f"{SEEN}[data-type=turn-began]")
    expect(begins).to_have_count(len(finished.turns))
    assert versions(begins) == finished.turns
    empty = over.locator(f".log-chapter:not([hidden]):not(:has({SEEN.removeprefix('.log ')}))")
    expect(empty).to_have_count(0)
    # The line that is shown is the last that passes.
    seen = versions(over.locator(SEEN))
    current = over.locator(".log li.current")
    expect(current).to_have_attribute("data-v", str(seen[-1]))
    second = finished.turns[1]
    move(over, "scrubber").fill(str(second - 1))
    shows(over, second - 1)
    passed = max(version for version in seen if version < second)
    expect(current).to_have_attribute("data-v", str(passed))
    move(over, "scrubber").fill(str(second))
    expect(current).to_have_attribute("data-v", str(second))
    # The arrows pass over what is hidden.
    *_, before, last = seen
    over.locator(f"{LINE}[data-v='{last}'] a").focus()
    over.keyboard.press("ArrowUp")
    expect(over.locator(f"{LINE}[data-v='{before}'] a")).to_be_focused()
    over.keyboard.press("ArrowDown")
    expect(over.locator(f"{LINE}[data-v='{last}'] a")).to_be_focused()
    # Nor is there a heading over nothing.
    only(over)
    expect(over.locator(SEEN)).to_have_count(0)
    expect(over.locator(".log-chapter:not([hidden])")).to_have_count(0)


def a_player_is_followed(over: Page, finished: Finished, seats: Json) -> None:
    """Through all of the game, one after another; then everything is shown again."""
    menu = over.locator(".log-filter .by-seat select")
    shares = []
    for seat, taken in seats.items():
        menu.select_option(seat)
        about = [
            version
            for version, line in enumerate(finished.lines, 1)
            if names(json.loads(line)["event"], int(seat), taken["characters"])
        ]
        expect(over.locator(SEEN)).to_have_count(len(about))
        assert versions(over.locator(SEEN)) == about
        shares.append(len(about))
    assert 0 < min(shares) <= max(shares) < finished.last
    menu.select_option("")
    expect(over.locator(SEEN)).to_have_count(finished.last)


def names(event: Json, seat: int, characters: list[str]) -> bool:
    """Whether an event is about a seat or one of its characters."""
    many = [each for key in ("winners", "order", "limited") for each in event.get(key) or []]
    one = [event.get("seat"), event.get("character")]
    return any(who in [*one, *many] for who in [seat, *characters])


def four_sit_down(client: Callable[..., Client]) -> tuple[list[Client], str]:
    """A game of suspicion in which nobody has chosen anything yet, and its players."""
    players = [client(name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    game = players[0].opens("suspicion", 4)
    for player in players:
        player.sits(game)
    return players, game


def reads(one: Person, game: str, newest: int, *kinds: str) -> Page:
    """The page of a game for somebody who has only these kinds of events shown.

    It has come to the ``newest`` version: what came later would be looked at by itself.
    """
    page = watch(one, game)
    shows(page, newest)
    unfold(page)
    only(page, *kinds)
    return page


def test_what_comes_later_is_filtered_too(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    players, game = four_sit_down(client)
    begin = players[0].version(game)
    page = reads(person("Eve"), game, begin, "turn", "engine")
    for player in players:  # nothing is carried out yet, so nobody can lose
        player.chooses(game, player.asked(game)[0]["options"][0]["id"])
    newest = players[0].version(game)
    shows(page, newest)
    expect(page.locator(LINE)).to_have_count(newest)
    expect(page.locator(f"{SEEN}[data-kind=program]")).to_have_count(0)
    expect(root(page)).to_have_attribute("data-status", "live")
    page.locator("[data-filter=program]").check()
    chosen = page.locator(f"{SEEN}[data-type=clue-chosen]")
    expect(chosen).to_have_count(len(players))
    assert min(versions(chosen)) > begin
    expect(page).not_to_have_url(re.compile("at="))  # it goes on following the game


def test_an_event_costs_one_look_at_the_filter(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    players, game = four_sit_down(client)
    begin = players[0].version(game)
    page = reads(person("Eve"), game, begin, *KINDS)
    menu = page.locator(".log-filter .by-seat select")
    page.evaluate(LOOKED_AT)
    menu.select_option("2")
    looked_at = "() => window.lookedAt.splice(0)"
    assert page.evaluate(looked_at) == list(range(1, begin + 1))
    for player in players[:2]:  # as long as somebody is asked, nothing is carried out
        player.chooses(game, player.asked(game)[0]["options"][0]["id"])
    newest = players[0].version(game)
    expect(page.locator(LINE)).to_have_count(newest)
    assert page.evaluate(looked_at) == list(range(begin + 1, newest + 1))
    chosen = page.locator(f"{LINE}[data-type=clue-chosen]")
    assert [line.is_visible() for line in chosen.all()] == [False, True]


def test_who_filters_by_a_seat_that_is_left_sees_everything(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, ben = client("Ada"), client("Ben")
    game = ada.opens("cooperation", 4)
    ada.sits(game, seat=1)
    ben.sits(game, seat=2)
    page = reads(person("Eve"), game, ada.version(game), *KINDS)
    menu = page.locator(".log-filter .by-seat select")
    menu.select_option("2")
    expect(page.locator(SEEN)).to_have_count(1)
    ben.leaves(game, 2)
    expect(page.locator(SEEN)).to_have_count(ben.version(game))
    expect(menu).to_have_value("")


def test_who_is_invited_is_told_by_name_once_they_sit_there(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 3, visibility="private")
    ada.sits(game, seat=1)
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    open_log(page)
    ada.post(f"/games/{game}/invitations", {"players": [bob.player]})
    line = page.locator(".log li[data-type=player-invited] .log-text")
    expect(line).to_have_text("The host invites a player.")
    bob.sits(game, seat=2)
    expect(line).to_have_text("The host invites Bob.")
    page.reload()
    open_log(page)
    expect(line).to_have_text("The host invites Bob.")


def test_the_line_by_which_a_game_begins_says_a_name_that_comes_after_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("standard", 2, game="cerveauuu", rulebook="prototype")
    ada.sits(game, seat=1)
    page = watch(person("Ada"), game)
    open_log(page)
    names = re.compile(r"/names$")
    let_go = holds(page, names)
    with page.expect_request(names):
        bob.sits(game, seat=2)
    line = page.locator(".log li[data-type='game-began'] .log-text")
    expect(line).to_contain_text("seat 2 plays")
    let_go()
    expect(line).to_contain_text("Bob plays")


AT_REST: Final = """async () => {
    const list = document.querySelector(".log-lines");
    for (let [still, high] = [0, 0]; still < 10; ) {
        await new Promise(requestAnimationFrame);
        still = list.scrollHeight === high ? still + 1 : 0;
        high = list.scrollHeight;
    }
}"""
"""Wait until lines of the log have their heights, which they get when they are drawn first."""


def test_the_drawer_opens_at_the_line_that_is_shown(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = replay(person("Eve", PHONE), finished.game, f"?at={finished.last}")
    open_log(page)
    page.evaluate(AT_REST)
    expect(page.locator(".log li.current")).to_be_in_viewport(ratio=1)


STANDS_ALONE: Final = """() => {
    const text = document.querySelector(".log li.current .log-text");
    const { left, top } = text.getBoundingClientRect();
    const frame = text.closest(".log-lines").getBoundingClientRect();
    const headings = [...document.querySelectorAll(".log-chapter h3")]
        .map((each) => each.getBoundingClientRect())
        .filter(({ height, top }) => height > 0 && top >= frame.top - 1 && top < frame.bottom);
    return text.contains(document.elementFromPoint(left + 4, top + 6)) && headings.length === 1;
}"""
"""Whether nothing lies over the beginning of the line that is shown, below a single heading."""


def test_a_low_log_shows_the_line_of_the_moment(programming: Callable[..., Programming]) -> None:
    page = programming(Look(width=1280, height=800)).page
    assert page.locator(".log-lines").evaluate("(log) => log.clientHeight") < 100
    page.wait_for_function(STANDS_ALONE)
