"""The organiser's wall: many tables of both games on one page, with clocks, matters and calls."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Page, Request, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, lasting, misnamed
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.town import CHASE, staged
from tests.e2e.watching import drawn_in, root, watch

TABLET = Look(width=820, height=1180, touch=True)
LANGUAGES = {"en": "Waiting for Bob", "fr": "On attend Bob", "pl": "Gra czeka na: Bob"}
WON = {"en": "Won by", "fr": "Victoire :", "pl": "Zwycięstwo:"}
NO_TABLE = {"en": "no table at the moment", "fr": "aucune table", "pl": "nie ma teraz stołu"}
SIZES = {"desktop": DESKTOP, "tablet": TABLET, "phone": PHONE}
READERS: Final = [
    # By day each size and each language once; other tests here judge the wall of a desktop.
    pytest.param(
        look, language, id=f"{size}-{language}", marks=() if n == m > 0 else pytest.mark.nightly
    )
    for n, (size, look) in enumerate(SIZES.items())
    for m, language in enumerate(LANGUAGES)
]
HURRY = {"limits_s": {"programming": 1, "decision": 3600}, "absent_after": 2}


def entry(page: Page, game: str) -> Locator:
    """A table on the wall."""
    return page.locator(f".wall-table[data-game='{game}']")


def opens_wall(person: Person, *games: str, query: str = "") -> Page:
    return person.opens(f"/?page=wall{query}{'&tables=' if games else ''}{','.join(games)}")


def complexes(host: Client, *players: Client, **more: Any) -> str:
    """A table of Room 25 that its host does not play at; everybody is asked for a clue."""
    game = host.opens("cooperation", len(players), **more)
    for seat, player in enumerate(players, 1):
        player.sits(game, seat=seat)
    return game


def town(host: Client, *players: Client) -> str:
    """A table of Cerveauuu! likewise, in the middle of it."""
    wish = {"game": "cerveauuu", "rulebook": "prototype", "mode": "standard", "seats": 2}
    time = {"limits_s": {"response": 3600, "decision": 3600}, "bot_pace_ms": 0}
    game = str(host.post("/games", {**wish, "time": time, "scenario": CHASE})["game"])
    for seat, player in enumerate(players, 1):
        player.sits(game, seat=seat)
    return game


def test_an_organiser_sees_who_goes_comes_plays_and_lets_time_run_out(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    eve, bob, cleo = client("Eve"), client("Bob"), client("Cleo")
    complex_, streets = complexes(eve, cleo, bob), town(eve, cleo, bob)
    late = complexes(eve, client("Dan"), client("Fay"), time=HURRY)
    organiser, one, two = person("Eve"), person("Bob", PHONE), person("Cleo")
    organiser.signs_in(eve)
    organiser.hurries()
    wall = opens_wall(organiser, complex_, streets, late)
    here, there = entry(wall, complex_), entry(wall, streets)
    for each in (here, there):
        expect(each).to_contain_text("Bob is disconnected.")
        assert each.locator("img.screen").get_attribute("alt") == ""
    # Bob comes: he is at one table, and not away from the other.
    one.signs_in(bob)
    his = watch(one, complex_)
    for each in (here, there):
        expect(each).not_to_contain_text("Bob is disconnected.")
    # Cleo plays: the wall says whom the game waits for now.
    two.signs_in(cleo)
    hers = watch(two, complex_)
    expect(here).to_contain_text("Waiting for Cleo and Bob.")
    hers.locator("[data-kind=starting_clue] button[data-option=r1c2]").click()
    expect(here).to_contain_text("Waiting for Bob.")
    expect(here.locator(".wall-clock")).to_contain_text("left")
    hers.goto(f"/watch/{streets}")
    before = there.locator("img.screen").get_attribute("src")
    asked = cleo.asked(streets)[0]
    cleo.post(f"/games/{streets}/decisions/{asked['id']}", {"option": asked["default"]})
    expect(there.locator("img.screen")).not_to_have_attribute("src", before or "")
    # At the third table time runs out, which calls: it stands before the others.
    clues = entry(wall, late)
    expect(clues).to_contain_text("Dan missed 1 turn.")
    expect(clues).to_have_attribute("data-urgency", "calls")
    # Bob closes his laptop, and opens it again.
    his.goto("about:blank")
    expect(here).to_contain_text("Bob is disconnected.")
    expect(here).to_have_attribute("data-urgency", "calls")
    expect(wall.locator("#live")).to_contain_text("Bob is disconnected.")
    expect(wall).to_have_title(re.compile("^● .* needs? you · Parlour · Wall$"))
    watch(one, complex_)
    expect(here).not_to_contain_text("Bob is disconnected.")
    expect(here).to_have_attribute("data-urgency", "runs")
    # Nobody but their host is told who is connected.
    two.opens(f"/?page=wall&tables={complex_},{streets}")
    expect(entry(hers, streets)).to_be_visible()
    expect(hers.locator(".wall")).not_to_contain_text("disconnected")
    here.locator("a[data-action=open]").press("Enter")
    expect(root(wall)).to_have_attribute("data-viewer", "public")


def test_a_directors_deeds_are_on_the_wall(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    tables = [complexes(ada, client("Cleo"), bob), town(ada, client("Dan"), bob)]
    eve = person("Eve")
    wall = opens_wall(eve, *tables)
    for game in tables:
        each = entry(wall, game)
        bob.post(f"/games/{game}/pause-proposals", {"minutes": 5})
        expect(each).to_contain_text("Bob proposes a pause.")
        bob.post(f"/games/{game}/decisions/resign-s2", {"option": "resign"})
    expect(entry(wall, tables[0])).to_contain_text("Bob gave up.")
    # Of two at a town, whoever is left has won: the table stays on the wall.
    expect(entry(wall, tables[1])).to_contain_text("The last one at the table wins")
    expect(entry(wall, tables[1])).to_have_attribute("data-urgency", "over")
    expect(entry(wall, tables[1])).to_contain_text("Won by Dan.")
    last = entry(wall, tables[1]).locator("img.screen")
    expect(last).to_have_attribute("src", re.compile(rf"at={ada.version(tables[1])}$"))
    assert violations(wall) == []


@pytest.mark.parametrize(("look", "language"), READERS)
def test_a_wall_can_be_read_in_every_language_and_size(
    person: Callable[..., Person], client: Callable[..., Client], look: Look, language: str
) -> None:
    ada, bob = client("Maximiliane-Konstanze von und zu Hohenau"), client("Bob")
    complex_ = complexes(ada, ada, bob, time=HURRY | {"limits_s": {"programming": 3600}})
    streets = staged(ada, bob, CHASE)
    ada.chooses(complex_, "r1c2")
    over = town(ada, ada, bob)
    bob.post(f"/games/{over}/decisions/resign-s2", {"option": "resign"})
    eve = person("Eve", replace(look, language=language))
    page = opens_wall(eve, complex_, streets, over, "g00-" + "0" * 26)
    expect(entry(page, complex_)).to_contain_text(LANGUAGES[language])
    expect(page.locator(".wall-said .note")).to_have_count(1)
    expect(page.locator(".wall img.screen")).to_have_count(3)
    expect(entry(page, over)).to_contain_text(f"{WON[language]} {ada.name}.")
    page.wait_for_function(
        "() => [...document.querySelectorAll('img.screen')].every((e) => e.naturalWidth > 0)"
    )
    assert violations(page) == []
    assert lasting(page, lambda: flaws(page) + misnamed(page)) == []


def test_a_private_table_is_on_no_wall(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    hidden = ada.opens("cooperation", 2, visibility="private", invited=[])
    ada.sits(hidden)
    ada.seats_bot(hidden)
    unlisted = complexes(ada, bob, client("Cleo"), visibility="unlisted")
    shown = complexes(ada, bob, client("Cleo"))
    eve = person("Ada")
    eve.signs_in(ada)
    page = opens_wall(eve, hidden, unlisted)
    expect(entry(page, unlisted)).to_contain_text("Unlisted")
    expect(page.locator(".wall-said")).to_contain_text("1 table cannot be shown")
    expect(entry(page, hidden)).to_have_count(0)
    # Nor are those that only whoever has an address knows of among those of a rulebook or a host.
    page.locator(".wall-chooser > summary").press("Enter")
    page.get_by_label("Only tables that I have opened").check()
    expect(entry(page, shown)).to_be_visible()
    assert {unlisted, hidden}.isdisjoint(
        page.locator(".wall-table").evaluate_all("all => all.map((each) => each.dataset.game)")
    )


def test_an_address_that_says_nothing_is_told_so(person: Callable[..., Person]) -> None:
    eve = person("Eve")
    page = opens_wall(eve, "g00-nothing", "<b>x</b>")
    expect(page.locator(".wall-said")).to_contain_text(
        "no table, no player and no tournament: g00-nothing, <b>x"
    )
    expect(page.locator(".wall-said")).to_contain_text("None of these tables can be shown.")
    opens_wall(eve, query="&host=nobody")
    expect(page.locator(".wall-said")).to_contain_text(
        "no table, no player and no tournament: nobody"
    )
    opens_wall(eve, query="&rulebook=none")
    expect(page.locator(".wall-said")).to_contain_text("No such table is being played")
    page.locator(".wall-chooser > summary").press("Enter")
    field = page.get_by_label("Addresses of tables")
    field.fill("what is this")
    page.get_by_role("button", name="Show these tables").click()
    expect(page.locator(".wall-chooser .error")).to_contain_text("what, is, this")
    expect(page).to_have_url(re.compile("rulebook=none"))
    field.fill("http://elsewhere.example/watch/g00-" + "0" * 26 + "?at=3")
    page.get_by_role("button", name="Show these tables").click()
    expect(page.locator(".wall-said")).to_contain_text("1 table cannot be shown")


def test_many_tables_need_one_request_a_round(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    games = [complexes(ada, ada, bob) for _ in range(12)]
    eve = person("Eve")
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url.partition("/v1/")[2].partition("?")[0])

    page = eve.page
    eve.notes(note)
    opens_wall(eve, *games)
    expect(page.locator(".wall-table")).to_have_count(12)
    for _ in range(2):
        with page.expect_response(lambda answer: "/v1/wall?" in answer.url) as told:
            pass
        assert told.value.status == 304
    boards = [path for path in asked if path.endswith("/preview.svg")]
    assert len(boards) <= len(games)
    assert {*asked} - {*boards, ""} <= {"wall", "rulebooks/first_edition", "rulebooks"}


def test_who_wants_no_calls_is_not_called(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    late = complexes(client("Ada"), client("Dan"), client("Fay"), time=HURRY)
    eve = person("Eve")
    page = opens_wall(eve, late)
    expect(page).to_have_title("● a table needs you · Parlour · Wall")
    page.locator("details.calling-menu > summary").press("Enter")
    page.locator("[data-wish=calls]").uncheck()
    expect(page).to_have_title("Parlour · Wall")
    page.locator("[data-wish=calls]").check()
    expect(page).to_have_title("● a table needs you · Parlour · Wall")
    # Whoever goes on is called no more.
    page.locator("#top .brand").click()
    expect(page).to_have_title("Parlour · Tables")


RUNS: Final[dict[str, Any]] = {
    "status": "live",
    "turn": 2,
    "since": 1,
    "due": 900_000,
    "paused": None,
}
SOUND: Final[dict[str, Any]] = {
    "paused_at": None,
    "pause_proposed": None,
    "result": None,
    "version": 9,
}
GONE: Final[dict[str, Any]] = {"seat": 1, "asked": "move", "connection": "disconnected"}
"""Whoever is waited for and is not there."""


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, "runs"),
        ({"due": 20_000}, "soon"),
        ({"due": None}, "runs"),
        ({"seats": [GONE]}, "calls"),
        ({"seats": [GONE | {"asked": None}]}, "runs"),
        ({"seats": [GONE | {"resigned": True}]}, "runs"),
        ({"seats": [{"seat": 1, "strikes": 1}]}, "calls"),
        ({"seats": [{"seat": 1, "absent": True, "strikes": 2}]}, "calls"),
        ({"paused": "director", "paused_at": 5}, "stands"),
        ({"paused": "players", "paused_at": 5}, "stands"),
        ({"paused": "held", "paused_at": 5}, "calls"),
        ({"pause_proposed": 1}, "runs"),
        ({"status": "open"}, "open"),
        ({"status": "finished", "result": {"reason": "finished"}}, "over"),
        ({"status": "finished", "result": {"reason": "annulled"}}, "over"),
    ],
    ids=str,
)
def test_what_is_urgent(modules: Page, more: dict[str, Any], expected: str) -> None:
    table = {**RUNS, **SOUND, "id": "g", "seats": [], **more}
    told = modules.evaluate(
        """async (table) => (await import("/web/wall/matters.js")).urgencyOf(table, 1000)""", table
    )
    assert told == expected


@pytest.mark.parametrize(("due", "soon"), [(None, False), (31_000, False), (30_999, True)])
def test_time_is_red_when_little_is_left(modules: Page, due: int | None, *, soon: bool) -> None:
    told = modules.evaluate(
        """async (table) => (await import("/web/wall/matters.js")).isDueSoon(table, 1000)""",
        {**RUNS, **SOUND, "due": due},
    )
    assert told is soon


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"outcome": "players", "winners": [2, 3]}, ["Won by Bob and Cleo."]),
        ({"outcome": "players", "winners": []}, ["Nobody wins: the game is lost."]),
        ({"outcome": "draw", "winners": [1, 2]}, ["Drawn between: Ada and Bob."]),
        ({"outcome": "draw", "winners": []}, ["Nobody wins."]),
        ({"outcome": "annulled", "winners": []}, []),
        (None, []),
    ],
    ids=str,
)
def test_an_ended_table_says_who_has_won(
    modules: Page, result: dict[str, Any] | None, said: list[str]
) -> None:
    seats = [{"seat": n, "name": name} for n, name in enumerate(("Ada", "Bob", "Cleo"), 1)]
    table = {**RUNS, **SOUND, "id": "g", "seats": seats, "status": "finished", "result": result}
    told = modules.evaluate(
        """async (table) => {
            const { everything } = await import("/pages/all.js");
            const { drawEntry } = await import("/web/wall/entry.js");
            await everything("en");
            const book = { name: "-", mode: () => ({ name: "-" }), outcome: (id) => id };
            const drawn = drawEntry(table, { book, screen: null, now: 1000 });
            return [...drawn.querySelectorAll(".wall-who")].map((each) => each.textContent);
        }""",
        table,
    )
    assert told == said


def test_the_most_urgent_comes_first_unless_somebody_points_at_one(modules: Page) -> None:
    kinds: dict[str, dict[str, Any]] = {
        "over": {"status": "finished"},
        "later": {"due": 950_000},
        "runs": {},
        "soon": {"due": 10_000},
        "gone": {"seats": [GONE]},
    }
    common = {**RUNS, **SOUND, "seats": []}
    tables = [{**common, "id": name, **more} for name, more in kinds.items()]
    told = modules.evaluate(
        """async (tables) => {
            const { asBefore, byUrgency } = await import("/web/wall/matters.js");
            const ids = (list) => list.map(({ id }) => id);
            return [ids(byUrgency(tables, 1000)), ids(asBefore(tables, ["soon", "over", "runs"]))];
        }""",
        tables,
    )
    assert told == [
        ["gone", "soon", "runs", "later", "over"],
        ["soon", "over", "runs", "later", "gone"],
    ]


def test_nobody_is_called_twice_for_the_same_and_again_for_the_next(modules: Page) -> None:
    def ids(**more: Any) -> list[str]:
        seat: dict[str, Any] = more.pop("seat", {})
        table = {**RUNS, **SOUND, "id": "g", "seats": [GONE | seat], **more}
        found: list[str] = modules.evaluate(
            """async (table) => (await import("/web/wall/matters.js")).mattersOf(table)
                .filter(({ calls }) => calls).map(({ id }) => id)""",
            table,
        )
        return found

    assert ids() == ids(version=12)
    assert set(ids()).isdisjoint(ids(since=2))
    struck = ids(seat={"strikes": 1})
    assert set(struck) - set(ids(seat={"strikes": 2})) != set()
    assert set(ids()) < set(struck)


def test_an_organiser_shows_the_tables_of_a_tournament(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    eve, bob, cleo = client("Eve"), client("Bob"), client("Cleo")
    played = complexes(eve, cleo, bob, tournament="cup-2026")
    streets = town(eve, cleo, bob)
    others = complexes(eve, cleo, bob, tournament="cup")
    strangers = complexes(bob, cleo, client("Dan"), tournament="cup-2026")
    organiser = person("Eve")
    organiser.signs_in(eve)
    wall = opens_wall(organiser)
    expect(entry(wall, streets)).to_be_visible()
    wall.locator(".wall-chooser > summary").press("Enter")
    field = wall.get_by_label("Tournament", exact=True)
    field.fill("Cup 2026")
    wall.get_by_role("button", name="Show its tables").click()
    assert field.evaluate("(input) => input.validationMessage").startswith("The code of a")
    expect(entry(wall, streets)).to_be_visible()
    field.fill("cup-2026")
    field.press("Enter")
    expect(wall.locator("h1")).to_have_text("Tables of the tournament cup-2026")
    expect(wall).to_have_url(re.compile(r"\?page=wall&tournament=cup-2026$"))
    on_it = "all => all.map((each) => each.dataset.game).sort()"
    for game in (played, strangers):
        expect(entry(wall, game)).to_be_visible()
    assert wall.locator(".wall-table").evaluate_all(on_it) == sorted([played, strangers])
    # Whoever opens its address, as at a beamer, sees the same; only the organiser's own if wished.
    wall.locator(".wall-chooser > summary").press("Enter")
    wall.get_by_label("Only tables that I have opened").check()
    expect(wall).to_have_url(re.compile(rf"tournament=cup-2026&host={eve.player}$"))
    expect(entry(wall, strangers)).to_have_count(0)
    fay = person("Fay")
    fay.hurries()
    beamer = fay.opens(f"/?{wall.url.rpartition('?')[2]}")
    expect(entry(beamer, played)).to_be_visible()
    assert beamer.locator(".wall-table").evaluate_all(on_it) == [played]
    # The next table is opened from there, and waits on the wall for its players.
    wall.locator("[data-action=open-another]").click()
    expect(wall.locator("#tournament")).to_have_value("cup-2026")
    wall.locator(".new-table [type=submit]").click()
    expect(root(wall)).to_have_attribute("data-viewer", "seat:1")
    opened = wall.url.rpartition("/")[2]
    assert eve.state(opened)["tournament"] == "cup-2026"
    expect(entry(beamer, opened)).to_have_attribute("data-urgency", "open")
    expect(entry(beamer, played)).to_be_visible()
    assert others not in beamer.locator(".wall-table").evaluate_all(on_it)


def test_chosen_tables_say_which_tournament_they_are_played_for(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    bob, cleo = client("Bob"), client("Cleo")
    played, other = complexes(bob, cleo, bob, tournament="league-7"), complexes(bob, cleo, bob)
    mark = "[data-action=tournament]"
    eve = person("Eve")
    page = opens_wall(eve)
    expect(entry(page, played)).to_be_visible()
    expect(page.locator(mark)).to_have_count(0)
    opens_wall(eve, played, other)
    expect(entry(page, played).locator(mark)).to_have_text("Tournament league-7")
    expect(entry(page, other).locator(mark)).to_have_count(0)
    assert violations(page) == []
    assert lasting(page, lambda: flaws(page)) == []
    page.locator(mark).click()
    expect(page.locator("h1")).to_have_text("Tables of the tournament league-7")
    expect(entry(page, played)).to_be_visible()
    expect(page.locator(mark)).to_have_count(0)


def test_a_tournament_without_tables_is_told_so_in_every_language(
    person: Callable[..., Person],
) -> None:
    eve = person("Eve", replace(PHONE, language="pl"))
    page = opens_wall(eve, query="&tournament=nothing-yet")
    for language in ("pl", "fr", "en"):
        drawn_in(page, language)
        expect(page.locator("h1")).to_contain_text("nothing-yet")
        expect(page.locator(".wall-said .note")).to_contain_text(NO_TABLE[language])
        page.locator(".wall-chooser > summary").press("Enter")
        expect(page.locator("#wall-tournament")).to_have_value("nothing-yet")
        assert lasting(page, lambda: flaws(page) + misnamed(page)) == []
    assert violations(page) == []
    bad = opens_wall(eve, query="&tournament=No%20Code")
    expect(bad.locator(".wall-said")).to_contain_text("no tournament: No Code")
