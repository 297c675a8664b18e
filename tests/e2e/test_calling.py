"""The page calls whoever it waits for: on the tab, and by sound and notices for who wants these."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json
from tests.e2e.holding import holds
from tests.e2e.listening_in import CALL, RECORDERS, hide, record, recorded, records
from tests.e2e.people import Look, Person
from tests.e2e.test_pressed import EXTRAS
from tests.e2e.watching import any_number, board_of, open_site_menu, root, watch
from tests.e2e.windows import LATER_S

MARKED: Final = {
    "en": re.compile(r"^● your turn · "),
    "fr": re.compile(r"^● à vous de jouer · "),
    "pl": re.compile(r"^● twoja kolej · "),
}
ICON: Final = "link[rel=icon]"

Made = tuple[Person, Client, Client, str]


@pytest.fixture
def table(person: Callable[..., Person], client: Callable[..., Client]) -> Callable[..., Made]:
    """Makes a table at which Bob is to come, and Ada sits, in a browser that records."""

    def make(look: Look | None = None, *, opens: bool = True) -> Made:
        ada, bob = client("Ada"), client("Bob")
        game = ada.opens("cooperation", 2)
        ada.sits(game, seat=1)
        one = person("Ada", look or Look())
        record(one)
        one.signs_in(ada)
        if opens:
            watch(one, game)
        return one, ada, bob, game

    return make


def wish(page: Page, *names: str) -> None:
    """Turn switches over, and close what they are in."""
    expect(page.locator(f"[data-wish={names[0]}]")).to_have_count(1)  # the head has been drawn
    open_site_menu(page)
    if page.locator("details.calling-menu").count():
        page.locator("details.calling-menu > summary").press("Enter")
    for name in names:
        page.locator(f"[data-wish={name}]").click()
    page.keyboard.press("Escape")


def is_called(page: Page, language: str = "en") -> None:
    expect(page).to_have_title(MARKED[language])
    expect(page.locator(ICON)).to_have_attribute("href", re.compile("icon-called"))


def is_left_alone(page: Page) -> None:
    expect(page).not_to_have_title(re.compile("●"))
    expect(page.locator(ICON)).to_have_attribute("href", re.compile(r"/icon\.svg"))


@pytest.mark.parametrize(
    "language",
    ["pl", *(pytest.param(name, marks=pytest.mark.nightly) for name in sorted({*MARKED} - {"pl"}))],
)
def test_the_tab_calls_and_nothing_sounds_before_it_is_switched_on(
    table: Callable[..., Made], language: str
) -> None:
    one, ada, bob, game = table(Look(language=language, motion="no-preference"))
    page = one.page
    page.locator("h1").click()  # the browser would let it sound from here on
    is_left_alone(page)
    bob.sits(game, seat=2)
    is_called(page, language)
    hide(page)
    ada.chooses(game, "r1c2")
    bob.chooses(game, "r1c2")
    expect(page.locator("[data-kind=program]").first).to_be_visible()
    is_called(page, language)
    assert recorded(page, "contexts") == 0
    assert recorded(page, "tones") == recorded(page, "pulses") == recorded(page, "shown") == []
    assert recorded(page, "asked") == 0


def test_what_is_switched_on_sounds_and_is_remembered(table: Callable[..., Made]) -> None:
    one, ada, bob, game = table(Look(motion="no-preference"))
    page = one.page
    wish(page, "sound")
    assert recorded(page, "tones") == CALL  # what it will sound like
    page.reload()
    expect(page.locator("[data-wish=sound]")).to_be_checked()
    expect(root(page)).to_have_attribute("data-version", any_number())
    page.locator("h1").click()
    bob.sits(game, seat=2)
    is_called(page)
    records(page, "tones", 2)
    assert recorded(page, "tones") == CALL
    assert recorded(page, "pulses") == [[120, 80, 200]]
    ada.chooses(game, "r1c2")
    is_left_alone(page)
    bob.chooses(game, "r1c2")
    is_called(page)
    records(page, "tones", 4)
    assert recorded(page, "tones") == CALL + CALL
    assert recorded(page, "shown") == []


def test_who_wants_less_motion_is_not_shaken(table: Callable[..., Made]) -> None:
    one, _, bob, game = table(Look(motion="reduce"))
    page = one.page
    wish(page, "sound")
    bob.sits(game, seat=2)
    records(page, "tones", 4)
    assert recorded(page, "pulses") == []


def test_one_switch_turns_everything_off(table: Callable[..., Made]) -> None:
    one, _, bob, game = table(Look(motion="no-preference"))
    page = one.page
    wish(page, "sound", "notices")
    wish(page, "calls")
    expect(page.locator("[data-wish=sound]")).to_be_disabled()
    expect(page.locator("[data-wish=notices]")).to_be_disabled()
    before = recorded(page, "tones"), recorded(page, "pulses"), recorded(page, "shown")
    hide(page)
    bob.sits(game, seat=2)
    expect(page.locator("section[data-decision]").first).to_be_attached()
    is_left_alone(page)
    after = recorded(page, "tones"), recorded(page, "pulses"), recorded(page, "shown")
    assert after == before
    page.reload()
    expect(page.locator("section[data-decision]").first).to_be_visible()
    is_left_alone(page)
    wish(page, "calls")
    is_called(page)


def test_the_browser_notifies_whoever_asked_for_it_and_looks_elsewhere(
    table: Callable[..., Made],
) -> None:
    one, ada, bob, game = table()
    page = one.page
    wish(page, "notices")
    assert recorded(page, "asked") == 1
    (sample,) = recorded(page, "shown")
    assert sample["tag"] == "sample"
    bob.sits(game, seat=2)
    is_called(page)
    assert len(recorded(page, "shown")) == 1, "who looks at the page sees it there"
    ada.chooses(game, "r1c2")
    is_left_alone(page)
    hide(page)
    bob.chooses(game, "r1c2")
    records(page, "open", 2)
    notice = recorded(page, "shown")[1]
    assert (notice["tag"], notice["title"]) == (game, "It is your turn")
    assert "Bob" in notice["body"]
    hide(page, hidden=False)
    records(page, "open", 1)  # the sample alone


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
    table: Callable[..., Made],
) -> None:
    one, ada, bob, game = table(opens=False)
    bob.sits(game, seat=2)
    ada.chooses(game, "r1c2")
    page = watch(one, game)
    wish(page, "sound", "notices")
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
def test_what_others_do_after_a_vote_of_ones_own_is_called_for(table: Callable[..., Made]) -> None:
    """Also where the stream tells what the vote did before the service has answered it."""
    one, ada, bob, game = table(opens=False)
    bob.sits(game, seat=2)
    ada.chooses(game, "r1c2")
    page = watch(one, game)
    wish(page, "sound")
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


# By day a table calls once all of it has come; here that comes late.
@pytest.mark.nightly
def test_what_is_asked_before_the_page_can_call_is_called_for(table: Callable[..., Made]) -> None:
    """Calls are among the last things that a page loads."""
    one, _, bob, game = table(opens=False)
    come = holds(one.page, EXTRAS)
    with one.page.expect_request(EXTRAS):
        page = board_of(one, game)
    wish(page, "sound")
    records(page, "tones", 2)
    bob.sits(game, seat=2)
    expect(page.locator("section[data-decision]").first).to_be_visible()
    come()
    is_called(page)
    records(page, "tones", 4)


LATE_READS: Final = 9
"""So many reads of a list do not know a new table yet: more than notices of it alone lead to."""


def test_a_browser_that_refuses_is_told_of(table: Callable[..., Made]) -> None:
    one, *_ = table()
    page = one.page
    page.evaluate("localStorage.setItem('test.answer', 'denied')")
    wish(page, "notices")
    open_site_menu(page)
    expect(page.locator("[data-wish=notices]")).not_to_be_checked()
    expect(page.locator(".calling .error")).to_contain_text("shows no notifications")
    assert violations(page, ".site-menu") == []
    assert recorded(page, "shown") == []


def test_the_lobby_calls_to_all_tables_while_nobody_looks_at_it(
    table: Callable[..., Made], client: Callable[..., Client]
) -> None:
    one, ada, bob, game = table(opens=False)
    page = one.opens("/")
    wish(page, "sound", "notices")
    records(page, "tones", 2)
    # What waits when the lobby is read for the first time is shown, and not called for.
    expect(page.locator(f"[data-section=mine] [data-game='{game}']")).to_be_visible()
    hide(page)
    bob.sits(game, seat=2)
    is_called(page)
    records(page, "tones", 4)
    records(page, "shown", 2)
    ada.chooses(game, "r1c2")
    is_left_alone(page)
    records(page, "open", 1)  # the sample
    cleo = client("Cleo")
    other = opens_cerveauuu(ada, cleo, start="host")
    # A call does not wait for the list to know the table, and then names nobody.
    expect(page.locator(f"[data-section=mine] [data-game='{other}']")).to_contain_text("Cleo")
    ada.post(f"/games/{other}/start")
    is_asked(ada, other, cleo)
    records(page, "shown", 3)
    assert [each["tag"] for each in recorded(page, "shown")][1:] == [game, other]
    assert "Cleo" in recorded(page, "shown")[2]["body"]
    bob.chooses(game, "r1c2")
    expect(page).to_have_title(re.compile("^● your turn at 2 tables · "))


def test_a_hidden_lobby_waits_until_its_list_knows_a_table(
    table: Callable[..., Made], client: Callable[..., Client]
) -> None:
    """Notices come at once, and lists a moment later, when nobody may notify of anything more."""
    one, ada, _, game = table(opens=False)
    one.hurries()
    page = one.opens("/")
    expect(page.locator(f"[data-section=mine] [data-game='{game}']")).to_be_visible()
    hide(page)
    read: list[str] = []

    def knows_late(route: Route) -> None:
        answer = route.fetch(headers={**route.request.headers, "if-none-match": ""})
        body = answer.json()
        if len(read) < LATE_READS:
            body["games"] = [row for row in body["games"] if row["id"] == game]
        read.append(route.request.url)
        kept = {name: value for name, value in answer.headers.items() if name != "etag"}
        route.fulfill(response=answer, headers=kept, json=body)

    page.route(re.compile(r"/v1/games\?.*player="), knows_late)
    other = opens_cerveauuu(ada, client("Cleo"), start="host")
    expect(page.locator(f"[data-section=mine] [data-game='{other}']")).to_contain_text("Cleo")
    assert len(read) > LATE_READS


# By day a table calls for pauses, the lobby to all tables, and what pauses call for is told below.
@pytest.mark.nightly
def test_the_lobby_calls_for_pauses_at_all_tables(
    table: Callable[..., Made], client: Callable[..., Client]
) -> None:
    one, ada, bob, game = table(opens=False)
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


def begins_cerveauuu(*players: Client) -> str:
    """A game that asks the first of these players, and then the others."""
    first, second = players
    game = opens_cerveauuu(first, second)
    is_asked(first, game, second)
    return game


def opens_cerveauuu(*players: Client, start: str = "auto") -> str:
    """A table at which these players sit."""
    time = {"limits_s": {"response": 3600, "decision": 3600}, "bot_pace_ms": 0}
    seats = len(players)
    game = players[0].opens(
        "standard", seats, "prototype", game="cerveauuu", time=time, start=start
    )
    for player in players:
        player.sits(game)
    return game


def is_asked(player: Client, game: str, before: Client) -> None:
    """Let the other one choose until the game asks this player."""
    while not player.asked(game):
        before.chooses(game, before.asked(game)[0]["options"][0]["id"])


NEVER_READ: Final = """const own = Storage.prototype.getItem;
Storage.prototype.getItem = function (key) {
    return key === "parlour.called" ? null : own.call(this, key);
};"""
"""What one tab keeps another reads later, and here never."""


NO_LOCKS: Final = "delete Navigator.prototype.locks;"
"""A fault: nothing says whose call it is."""


@pytest.mark.parametrize(
    ("planted", "sounded"),
    [("", {(4, 0), (2, 2)}), (NO_LOCKS, {(4, 2)})],
    ids=["once", "without locks"],
)
def test_two_tabs_call_once(
    table: Callable[..., Made], planted: str, sounded: set[tuple[int, int]]
) -> None:
    one, _, bob, game = table(opens=False)
    one.context.add_init_script(NEVER_READ + planted)
    page = watch(one, game)
    wish(page, "sound")
    lobby = one.context.new_page()
    lobby.add_init_script(f"({RECORDERS})()")
    lobby.goto("/")
    lobby.locator("h1").click()
    expect(lobby.locator(f"[data-game='{game}']")).to_be_visible()
    bob.sits(game, seat=2)
    is_called(page)
    is_called(lobby)
    for tab in (page, lobby):  # until it is settled whose call it is
        tab.evaluate("navigator.locks?.query()")
    tones = len(recorded(page, "tones")), len(recorded(lobby, "tones"))
    assert tones in sounded  # two as a sample


def test_the_last_ten_seconds_are_counted_and_no_others(own_modules: Page) -> None:
    own_modules.clock.install(time=0)
    counted = """async (due) => {
        const { LastSeconds } = await import("/web/calling/last-seconds.js");
        window.heard = [];
        window.countdown = new LastSeconds({ now: Date.now, onSecond: (left) => heard.push(left) });
        countdown.set(due);
    }"""
    own_modules.clock.pause_at(LATER_S)
    own_modules.evaluate(counted, 1_000 * (LATER_S + 60))
    own_modules.clock.run_for(49_999)
    assert own_modules.evaluate("heard") == []
    own_modules.clock.run_for(3_000)
    assert own_modules.evaluate("heard") == [10, 9, 8]
    own_modules.evaluate("countdown.set(null)")
    own_modules.clock.run_for(20_000)
    assert own_modules.evaluate("heard") == [10, 9, 8]
    own_modules.evaluate("heard.length = 0; countdown.set(Date.now() + 4_500)")
    own_modules.clock.run_for(20_000)
    assert own_modules.evaluate("heard") == [4, 3, 2, 1]


def test_it_ticks_for_whoever_looks_and_wants_it(own_modules: Page) -> None:
    page = own_modules
    page.evaluate("navigator.userActivation.hasBeenActive")
    page.mouse.click(5, 5)
    words = {"calling.tab.one": "your turn", "calling.tab.other": "{count}"}
    page.evaluate(
        """async (words) => {
            (await import("/web/words.js")).useWords("en", { x: words });
            const { Caller } = await import("/web/calling/caller.js");
            window.caller = new Caller({ navigate: () => {} });
            window.wish = (await import("/web/calling/wishes.js")).wish;
        }""",
        words,
    )
    page.evaluate(f"({RECORDERS})()")
    page.clock.install(time=0)
    page.clock.pause_at(LATER_S)
    call = "caller.update([{ game: 'g', why: 'turn', decisions: ['a'], others: [], due: DUE }])"
    page.evaluate(call.replace("DUE", "Date.now() + 12_500"))
    page.clock.run_for(4_500)
    assert recorded(page, "tones") == []
    page.evaluate("wish({ sound: true })")
    page.clock.run_for(2_000)
    assert recorded(page, "tones") == [[1320, 0]] * 2
    hide(page)
    page.clock.run_for(2_000)
    assert len(recorded(page, "tones")) == 2
    hide(page, hidden=False)
    page.clock.run_for(1_000)
    assert len(recorded(page, "tones")) == 3
    page.evaluate("caller.close()")
    page.clock.run_for(5_000)
    assert len(recorded(page, "tones")) == 3
