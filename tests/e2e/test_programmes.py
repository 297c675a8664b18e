"""What the page tells of programmes: who has handed in, what is under way, and what is done."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of
from tests.e2e.clients import Client, Json, begun
from tests.e2e.people import Person
from tests.e2e.watching import speaks, watch


def seat(page: Page, number: int) -> Locator:
    """A player in the list of players."""
    return page.locator(f".b-person[data-seat='{number}']")


def asked_for_a_target(ada: Client, bob: Client) -> tuple[str, Json]:
    """A game in which Ada has turned an action up and chooses its target, and that decision."""
    choice = random.Random(2)
    while True:
        game = begun([ada, bob])
        while ada.state(game)["phase"] != "finished":
            for player in (ada, bob):
                for decision in player.asked(game)[:1]:
                    if player is ada and decision["kind"] in {"look_target", "move_target"}:
                        return game, decision
                    player.chooses(game, choice.choice(decision["options"])["id"])


def test_one_sees_who_has_handed_in(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun([ada, bob])
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    for each in (1, 2):
        expect(seat(page, each)).to_contain_text("choosing")
    bob.chooses(game, "r1c2")
    expect(seat(page, 2)).to_contain_text("handed in")
    expect(seat(page, 1)).to_contain_text("choosing")
    ada.chooses(game, "r1c2")
    expect(seat(page, 2)).to_contain_text("choosing")
    for decision in bob.asked(game):
        name = decision["subject"]
        slots = seat(page, 2).locator(f"[data-character={name}] .b-slot")
        expect(slots).to_have_class(["b-slot b-slot-choosing"])
        bob.post(f"/games/{game}/decisions/{decision['id']}", {"option": "look+move"})
        expect(slots).to_have_class(["b-slot b-slot-locked"])
        expect(slots).to_have_text(["handed in"])


def test_an_action_is_done_when_it_has_had_its_effect(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game, decision = asked_for_a_target(ada, bob)
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    mine = seat(page, 1).locator(f"[data-character={decision['subject']}]")
    expect(mine.locator(".b-slot-open")).to_have_count(1)
    done = mine.locator(".b-slot-done").count()
    ada.chooses(game, decision["options"][0]["id"])
    expect(mine.locator(".b-slot-open")).to_have_count(0)
    expect(mine.locator(".b-slot-done")).to_have_count(done + 1)


COLD: Final[Json] = {
    "characters": {
        "emmett": {"seat": 1, "cell": "r1c1"},
        "kevin": {"seat": 1, "cell": "r1c2"},
        "franck": {"seat": 2},
        "jennifer": {"seat": 2},
    },
    "tiles": {"r1c1": "cold"},
    "turn": 2,
}


LIMITED: Final = [
    ("en", "Programme one action", "Programme one or two actions", "Cold Chamber"),
    ("fr", "Programmez une action", "Programmez une ou deux actions", "Salle froide"),
    ("pl", "Zaprogramuj jedną akcję", "Zaprogramuj jedną lub dwie akcje", "Komora chłodu"),
]


def test_a_programme_says_how_many_actions_it_may_have_and_why(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun([ada, bob], "competition", scenario=COLD)
    who = person("Ada")
    who.signs_in(ada)
    page = watch(who, game)
    cold, warm = (card_of(page, decision) for decision in ada.asked(game))
    for language, one, usual, why in LIMITED:
        speaks(page, language)
        expect(cold.get_by_role("heading")).to_contain_text(one)
        expect(cold.locator(".p-limit")).to_contain_text(why)
        expect(warm.get_by_role("heading")).to_contain_text(usual)
        expect(warm.locator(".p-limit")).to_have_count(0)


SMALL_PROGRAMMES: Final = """async (limits) => {
    const { everything } = await import("/pages/all.js");
    const { titleOf, limitOf } = await import("/web/games/room25/words/titles.js");
    await everything("en");
    const book = { decision: () => "usual", room: () => ({ name: "Cold" }) };
    const plan = (...tokens) => ({ meaning: { tokens } });
    return limits.map(([character, ...plans]) => {
        const options = plans.map((p) => plan(...p));
        const decision = { kind: "program", subject: "max", options };
        const state = { play: { characters: { max: character } } };
        return [titleOf(decision, book), limitOf(decision, book, state)];
    });
}"""


def test_each_reason_for_a_small_programme_is_told(own_modules: Page) -> None:
    told = own_modules.evaluate(
        SMALL_PROGRAMMES,
        [
            [{}, ["look"], ["look", "move"]],
            [{"limited": True}, ["look"], ["move"]],
            [{"stacked": 3}, []],
            [{"lost": ["look"]}, ["move"]],
        ],
    )
    assert told == [
        ["usual", None],
        ["Programme one action", "One action only, because of the cold: Cold."],
        [
            "Programme adrenaline or nothing",
            "Actions are drawn at random while the paranoia lasts.",
        ],
        ["Programme one action", "One action only: there is no other token left."],
    ]


FREE_ACTIONS: Final = """async (cases) => {
    const { everything } = await import("/pages/all.js");
    const { limitOf } = await import("/web/games/room25/words/titles.js");
    await everything("en");
    const book = { action: (token) => ({ name: token.toUpperCase() }) };
    return cases.map(([max, ...ids]) => limitOf(
        { kind: "free_action", subject: "max", options: ids.map((id) => ({ id })) },
        book, { play: { characters: { max } } }));
}"""


TAKEN: Final = "Already done this turn: LOOK."


def test_each_reason_for_a_missing_action_is_told(own_modules: Page) -> None:
    fresh = {"used": [], "lost": [], "passed": False}
    told = own_modules.evaluate(
        FREE_ACTIONS,
        [
            [fresh, "look", "move", "pass"],
            [{**fresh, "used": ["look"]}, "move", "pass"],
            [{**fresh, "used": ["look"], "lost": ["push"], "passed": True}, "move"],
        ],
    )
    assert told == [
        None,
        TAKEN,
        f"{TAKEN} Lost for the rest of the game: PUSH. You have passed once in this turn.",
    ]


BOOSTS: Final = """async (cases) => {
    const { everything } = await import("/pages/all.js");
    const { limitOf } = await import("/web/games/room25/words/titles.js");
    await everything("en");
    const listed = (ids) => ids.map((id) => ({ id }));
    const actions = listed(["look", "move", "push", "control", "special", "adrenaline"]);
    const book = { json: { actions }, action: (token) => ({ name: token.toUpperCase() }) };
    const kind = "adrenaline_action";
    return cases.map((ids) => limitOf({ kind, options: listed(ids) }, book, null));
}"""


def test_what_adrenaline_has_no_target_for_is_told(own_modules: Page) -> None:
    told = own_modules.evaluate(BOOSTS, [["look", "move", "push", "control"], ["move", "control"]])
    assert told == [None, "No possible target: LOOK and PUSH."]


def test_open_programmes_are_called_open(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = client("Ada")
    game = ada.opens("solo", 1, "ultimate")
    ada.sits(game)
    choice = random.Random(5)
    while (decision := ada.asked(game)[0])["kind"] != "program":
        ada.chooses(game, choice.choice(decision["options"])["id"])
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    card = card_of(page, decision)
    expect(card.locator(".p-secrecy")).to_have_text("Open: everybody sees it once it is handed in.")
    panel = page.locator(".p-panel")
    expect(panel).not_to_contain_text(re.compile("secret", re.IGNORECASE))


def test_other_programmes_are_called_secret(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun([ada, bob])
    for each in (ada, bob):
        each.chooses(game, "r1c2")
    one = person("Ada")
    one.signs_in(ada)
    card = card_of(watch(one, game), ada.asked(game)[0])
    expect(card.locator(".p-secrecy")).to_have_text("Secret until everybody has chosen.")
