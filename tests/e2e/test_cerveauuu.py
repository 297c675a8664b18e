"""A table of Cerveauuu! as people have it: opened, looked at, played by pointer and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of, choose_a_name, unfold
from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json
from tests.e2e.holding import heard, holds
from tests.e2e.layout import flaws, lasting, misnamed
from tests.e2e.people import Look, Person
from tests.e2e.test_layout import DRAWN
from tests.e2e.watching import choose_language, move, shows, speaks, turn_to, watch

ANSWERS: Final = "**/decisions/*"
"""Where the answer to a decision goes."""


def opens(ada: Person) -> str:
    """Open a table for two by the form, with humans placed by chance and a bot; its id."""
    page = ada.page
    page.locator("#top a[href='/?page=new']").click()
    unfold(page, "new-time")
    for choice in ("rulebook-cerveauuu-prototype", "seats-2", "pace-days"):
        page.locator(f"label[for={choice}]").click()
    page.get_by_text("5 options").click()
    page.get_by_label("Placing of humans").select_option(label="by chance")
    # Two players may draw the end of a shuffled game in its first round.
    page.get_by_label("End credits in the deck").select_option(label="spread evenly")
    page.locator("#bots").select_option("1")
    page.locator("#bot-pace").select_option("0")
    page.locator(".new-table [type=submit]").click()
    expect(page.locator(".cv-board [data-piece]").first).to_be_visible()
    found = re.search(r"/watch/(g[0-9a-z-]+)", page.url)
    assert found
    return found[1]


def asked(client: Client, game: str) -> Json:
    """What is asked next; the bot answers by itself."""
    while not (found := client.asked(game)):
        assert client.state(game)["phase"] == "live"
    return found[0]


def until(client: Client, game: str, kind: str) -> Json:
    """Let defaults be, until such a decision is asked."""
    while (decision := asked(client, game))["kind"] != kind:
        default = decision["default"]
        client.post(f"/games/{game}/decisions/{decision['id']}", {"option": default})
    return decision


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


def offered(page: Page, name: str) -> Locator:
    """A cell, as soon as there is something to be chosen on it."""
    found = cell(page, name)
    expect(found).to_have_attribute("aria-label", re.compile("^Choose: "))
    return found


def takes(page: Page, name: str) -> None:
    """Click on a cell as soon as there is something to be chosen on it."""
    offered(page, name).click()


def on_a_phone(page: Page) -> None:
    """Make the screen a phone's, and wait until the page is drawn for it."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(DRAWN, [390, 844])


def walk(client: Client, game: str, go: Json) -> tuple[str, str]:
    """A zombie that can walk, and the option by which it walks somewhere."""
    zombies = [each["id"] for each in go["options"] if each["id"].startswith("z")]
    below = (client.get(f"/games/{game}/decisions/{go['id']}/options/{each}") for each in zombies)
    ways = (each["id"] for level in below for each in level["options"] if each.get("branch"))
    way = next(ways)
    return way.split(".")[0], way


def cell(page: Page, name: str) -> Locator:
    """A cell of the board."""
    return page.locator(f".cv-board [data-cell='{name}']")


def opens_and_places(
    person: Callable[..., Person], client: Callable[..., Client]
) -> tuple[Page, Client, str]:
    """Open a table, and place a zombie by pointer where one clicks; its page, player and id."""
    ada = person("Ada")
    page = ada.opens("/")
    choose_a_name(ada)
    game = opens(ada)
    own = client("Ada", token=ada.token)
    placing = until(own, game, "place_zombie")
    expect(card_of(page, placing)).to_be_visible()
    takes(page, next(each["id"] for each in placing["options"] if each["id"].startswith("r0")))
    return page, own, game


def test_a_table_is_opened_and_played_on_the_board_by_keys_and_in_words(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page, own, game = opens_and_places(person, client)
    expect(page.locator(".cv-piece.cv-own")).to_have_count(1)
    # A window says who answers and what comes, and asks no more than everybody else is asked.
    window = until(own, game, "respond")
    card = card_of(page, window)
    expect(card).to_contain_text("If everybody passes")
    expect(page.locator(".cv-window .cv-answer")).to_have_count(2)
    expect(page.locator(".cv-hand .cv-card").first).to_be_visible()
    # A page that is told to pass does so with the window's slot; a public order goes at once.
    # It ends the phase, and the switch with it: so it is held while these are looked at.
    let_go = holds(page, ANSWERS)
    with page.expect_request(ANSWERS):
        page.locator("#standing").check()
    assert violations(page, ".p-panel") == []
    let_go()
    page.unroute(ANSWERS)
    expect(card).to_have_count(0)
    # The next window is one of another phase: the page does not pass that.
    rest = card_of(page, until(own, game, "respond")).locator("[data-shortcut=round]")
    expect(rest).to_have_text(re.compile(r"^[A-Z]"))  # as answers begin
    rest.click()
    expect(page.locator(".cv-yield")).to_contain_text("pass for the whole round")
    # By keys: a zombie is opened on the board, then one of the cells that it reaches.
    go = until(own, game, "go")
    card = card_of(page, go)
    expect(card).to_be_visible()
    expect(page.locator("#standing")).not_to_be_checked()
    zombie, end = walk(own, game, go)
    stands = own.state(game)["play"]["pieces"][zombie]["cell"]
    offered(page, stands).focus()
    page.keyboard.press("Enter")
    expect(card.locator(".p-trail")).to_contain_text(f"green zombie {int(zombie[1:])}")
    target = end.split(".")[-1]
    offered(page, target).focus()
    page.keyboard.press("Enter")
    expect(card.locator(".p-trail b")).to_have_count(2)
    card.locator(f"[data-option='{end}.end']").click()
    expect(card).to_have_count(0)
    # In words, and on a phone.
    move(page, "text").click()
    row = page.locator(".cv-text-board [data-piece]").first  # of whom the bot has not shot
    expect(row).to_contain_text(re.compile(r"\b[A-T]\d"))
    move(page, "text").click()
    on_a_phone(page)
    expect(page.locator(".cv-board")).to_be_visible()
    page.wait_for_function("() => document.documentElement.scrollWidth <= 390")
    assert violations(page) == []


def staged(own: Client, bob: Client, position: Json, *more: Client) -> str:
    """A table for two, or more, without hurry that begins with a position; its id."""
    players = (own, bob, *more)
    wish = {"game": "cerveauuu", "rulebook": "prototype", "mode": "standard"}
    time = {"limits_s": {"response": 3600, "decision": 3600}, "bot_pace_ms": 0}
    table = {**wish, "seats": len(players), "time": time, "scenario": position}
    game = str(own.post("/games", table)["game"])
    for seat, player in enumerate(players, 1):
        player.sits(game, seat=seat)
    return game


_EDGE: Final = "+-+-+-+-+-+-+-+"
_ROW: Final = "|. . . . . . .|"
_BETWEEN: Final = "\n+             +\n"
FIELD: Final = f"{_EDGE}\n{_BETWEEN.join([_ROW] * 4)}\n{_EDGE}"
"""Seven cells by four, without a wall."""
CHASE: Final = {
    "map": FIELD,
    "stage": "zombies",
    "pieces": {
        "h01": {"cell": "r1c4"},
        "h02": {"cell": "r0c6"},
        "z01": {"cell": "r2c0", "seat": 1},
        "z02": {"cell": "r0c4", "seat": 2},
        "z03": {"cell": "r3c6", "seat": 2},
    },
    "hands": {"1": ["c031"], "2": ["c044"]},
}
"""Seat 1 has a rifle, seat 2 a bat; z01 can reach h01, beside which z02 stands."""


ROUNDS: Final = {
    "en": ("Round 2", "Round 2, zombies", "Previous round", "Next round", "rounds"),
    "fr": ("Tour 2", "Tour 2, zombies", "Tour précédent", "Tour suivant", "tours"),
    "pl": ("Runda 2", "Runda 2, zombie", "Poprzednia runda", "Następna runda", "rundy"),
}


def test_lobby_head_log_and_buttons_say_round(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    game = staged(client("Ada"), client("Bob"), {**CHASE, "round": 2})
    cleo = person("Cleo", Look(language="pl"))
    page = cleo.opens("/")
    for language in ("pl", "en", "fr"):
        choose_language(page, language)
        row, *_ = ROUNDS[language]
        told = page.locator(f"[data-game={game}] .meta")
        expect(told, language).to_contain_text(re.compile(rf"^{row} ·"))
        name = "Cerveauuu !" if language == "fr" else "Cerveauuu!"
        expect(page.locator(".invitation h2").last, language).to_have_text(name)
    turn_to(cleo, game)
    for language in ("fr", "pl", "en"):
        speaks(page, language)
        _, head, back, on, kind = ROUNDS[language]
        expect(page.locator(".chapter"), language).to_have_text(head)
        expect(move(page, "turn-back"), language).to_have_attribute("aria-label", back)
        expect(move(page, "turn-on"), language).to_have_attribute("aria-label", on)
        expect(page.locator("h3").get_by_text(head), language).to_have_count(1)
        turns = page.locator(".log-filter label:has([data-filter=turn])")
        expect(turns, language).to_have_text(kind)


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
    assert violations(page) == []
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


# By day the first test here lets the page answer by itself, in one view.
@pytest.mark.nightly
def test_what_the_page_answers_by_itself_outlasts_a_change_of_view(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    """Though what is asked comes while nothing of the other view is there yet."""
    page, own, game = opens_and_places(person, client)
    until(own, game, "respond")
    holds(page, ANSWERS)  # a pass would end the phase, and the switch with it
    with page.expect_request(ANSWERS):
        page.locator("#standing").check()
    asking, seeing = re.compile(r"/decisions$"), re.compile(r"/events\?as=public")
    come, see = holds(page, asking), holds(page, seeing)
    with page.expect_request(asking):
        own.post(f"/games/{game}/phrases", {"phrase": "laugh"})
    with page.expect_request(seeing):
        move(page, "viewer").select_option("public")
    with page.expect_response(asking):
        come()
    heard(page)
    see()
    expect(page.locator("[data-viewer=public][data-version]")).to_be_visible()
    expect(page.locator("#standing")).to_be_checked()


def test_who_talks_points_at_a_cell_of_the_town_and_chooses_nothing_by_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, CHASE)
    ada = person("Ada", Look(language="fr-FR"))
    ada.signs_in(own)
    page = watch(ada, game)
    go = card_of(page, asked(own, game))
    expect(go).to_be_visible()
    shows(page, own.version(game))  # later the town is drawn anew
    page.locator("#talk-open").press("Enter")  # what still comes in would move it under a pointer
    page.locator("#talk-hunting_here").click()
    cell(page, "r2c0").click(force=True)  # where one's own zombie could be sent off
    expect(page.locator(".talk-bubble[data-seat='1']")).to_contain_text("A3")
    expect(page.locator(".log-lines")).to_contain_text("A3")
    expect(go.locator(".p-trail b")).to_have_count(0)


HOUSE: Final = {
    "map": """+-+-+-+-+-+-+-+
|. . . . . . .|
+ +-+-+       +
|.|m m|. . . .|
+ +   +       +
|.|m mD. . . .|
+ +-+-+       +
|. . . . . . .|
+-+-+-+-+-+-+-+""",
    "stage": "zombies",
    "pieces": {
        "h01": {"cell": "r1c1"},
        "z01": {"cell": "r3c0", "seat": 1},
        "z02": {"cell": "r3c6", "seat": 2},
    },
    "hands": {"1": ["c075", "c121", "c125", "c123", "c067", "c108", "c073", "c098"]},
}
"""Seat 1 can shut the door, break a wall, fill the house with gas, open the door, break a wall, arm
the people in the house, and open or shut all its doors."""


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
    assert violations(page) == []
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


FROZEN: Final = {
    **CHASE,
    "stage": "pre_zombies",
    "weather": {"card": "c012", "seat": 2},
    "hands": {"1": ["c022", "c031"], "2": ["c024", "c044"]},
    "deck": ["c006", "c043", "c045"],
}
"""Black ice; seat 1 can play the viral video, by which it draws end credits."""

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
    expect(in_force).to_have_text(["Black ice", "credits 0/2"])
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
    "en": "credits 0/2",
    "fr": "générique 0/2",
    "pl": "napisy 0/2",
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
    game = staged(own, bob, {**FROZEN, "weather": None})
    ada = person("Ada", Look(width=width, height=844, touch=True))
    ada.signs_in(own)
    page = watch(ada, game)
    for language, text in CREDITS.items():
        speaks(page, language)
        in_force = page.locator(".in-force")
        expect(in_force).to_contain_text(text)
        assert in_force.evaluate(LINES) == [1, False], language
    assert lasting(page, lambda: flaws(page)) == []
