"""A table that is closed before its game begins: there is nothing to look back at."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from runtime.embedded.secret_file import kept_secrets
from tests.e2e.axe import violations
from tests.e2e.by_day import WHOLE
from tests.e2e.clients import Client
from tests.e2e.folding import golden, lines
from tests.e2e.people import Person
from tests.e2e.planting import plant_all
from tests.e2e.serving import Service
from tests.e2e.watching import drawn_in, open_tools, speaks, watch

LOOKED_BACK_AT: Final = {"ends.js": {"return table?.unbegun === true;": "return false;"}}
"""Every table that is over counts as one that was played."""

LANGUAGES: Final = {
    "en": ("The game had not begun", "Open a table", "To the table", "Replay"),
    "fr": ("La partie n’avait pas commencé", "Ouvrir une table", "Voir la table", "Revoir"),
    "pl": ("Gra jeszcze się nie zaczęła", "Załóż stół", "Do stołu", "Odtwórz"),
}

IS_PLAYED: Final = ", ".join(
    f"[data-move={name}]"
    for name in ("replay", "share", "record", "reveal", "finale", "turning", "rematch", "what-if")
)

BEGAN: Final = """async (tables) => {
    const { neverBegan } = await import("/web/ends.js");
    return tables.map((table) => !neverBegan(table));
}"""

FOLDED: Final = f"""async (games) => {{
    const {{ parseLine, seen }} = await import("/web/fold/lines.js");
    const {{ tables }} = await import("/web/tables.js");
    await (await import("/pages/all.js")).games();
    const fold = (texts) => texts.map((text) => seen(parseLine(text)))
        .reduce((state, event) => tables.evolve(state, event), tables.initial());
    const told = games.map(fold);
    const shown = told.map((state) => tables.fromView(tables.toView(state)));
    return Promise.all([told, shown].map({BEGAN}));
}}"""


def called_off(host: Client, guest: Client, played: str) -> str:
    """A table at which two sat down, and a seat was free."""
    wishes = {"rulebook": "prototype", "game": "cerveauuu"} if played == "cerveauuu" else {}
    game = host.opens("standard" if wishes else "cooperation", 3, **wishes)
    for one in (host, guest):
        one.sits(game)
    host.post(f"/games/{game}/close")
    return game


# By day each game once; the lists below are those of a table of Room 25.
@pytest.mark.parametrize(
    ("played", "faulty"),
    [
        pytest.param("cerveauuu", False, id="cerveauuu-whole"),
        pytest.param("room25", True, id="room25-faulty"),
        pytest.param("room25", False, id="room25-whole", marks=pytest.mark.nightly),
        pytest.param("cerveauuu", True, id="cerveauuu-faulty", marks=pytest.mark.nightly),
    ],
)
def test_a_table_that_was_called_off_leads_to_another_one(
    person: Callable[..., Person], client: Callable[..., Client], played: str, *, faulty: bool
) -> None:
    ada, one = client("Ada"), person("Ada")
    plant_all(one.page, LOOKED_BACK_AT if faulty else {})
    game = called_off(ada, client("Bob"), played)
    one.signs_in(ada)
    page = watch(one, game)
    expect(page.locator(".result h2")).to_be_visible()
    open_tools(page)
    offered = page.locator(IS_PLAYED).locator("visible=true")
    if faulty:
        expect(offered).not_to_have_count(0)
        return
    expect(page.locator("[data-move=tour-begin], [data-move=knew]:visible")).to_have_count(0)
    for language, (why, new, *_) in LANGUAGES.items():
        speaks(page, language)
        expect(page.locator(".result")).to_contain_text(why)
        expect(page.locator(".result a.primary")).to_have_text(new)
        expect(offered).to_have_count(0)
    expect(page.locator(".watch.bar-open")).to_have_count(0)
    assert violations(page, ".result") == []
    page.locator(".result a.primary").click()
    expect(page.locator(".new-table")).to_be_visible()


def annulled(service: Service, host: Client, guest: Client, start: str) -> str:
    """A full table of Cerveauuu! that the operator annuls, before its game or in its set-up."""
    game = host.opens("standard", 2, "prototype", game="cerveauuu", start=start)
    for one in (host, guest):
        one.sits(game)
    token = kept_secrets(service.home / "var/secrets.json").operator_token
    operator = Client(service.url, "operator", token)
    operator.post(f"/games/{game}/annul", {"reason": "other"})
    operator.close()
    return game


# By day the test before this one finds the same fault.
@pytest.mark.parametrize("faulty", WHOLE)
def test_lists_offer_no_replay_of_it_and_no_seat(
    service: Service,
    person: Callable[..., Person],
    client: Callable[..., Client],
    *,
    faulty: bool,
) -> None:
    ada, bob, one = client("Ada"), client("Bob"), person("Ada")
    plant_all(one.page, LOOKED_BACK_AT if faulty else {})
    game = called_off(ada, bob, "room25")
    full, in_set_up = (annulled(service, ada, bob, start) for start in ("host", "auto"))
    one.signs_in(ada)
    for address in ("/", f"/?page=finished&player={ada.player}"):
        page = one.opens(address)
        rows = [page.locator(f"[data-game='{each}']").first for each in (game, full, in_set_up)]
        unbegun, (begun,) = rows[:2], rows[2:]
        expect(rows[0].locator(".chip")).to_have_count(2)
        if faulty:
            for row in rows:
                expect(row.locator("[data-action=go]")).to_have_text("Replay")
            continue
        for language, (*_, go, replay) in LANGUAGES.items():
            drawn_in(page, language)
            for row in unbegun:
                expect(row.locator("[data-action=go]")).to_have_text(go)
            expect(begun.locator("[data-action=go]")).to_have_text(replay)


def test_what_a_row_says_counts_and_not_its_turns_or_its_end(own_modules: Page) -> None:
    """A game that is annulled in its first set-up has no turn yet."""

    def row(reason: str, **more: object) -> dict[str, object]:
        return {"result": {"reason": reason}, "turn": 0, **more}

    rows = [
        row("finished"),
        row("annulled"),
        row("annulled", unbegun=True),
        row("cancelled", unbegun=True),
        {"result": None, "turn": 0},
        None,
    ]
    assert own_modules.evaluate(BEGAN, rows) == [True, True, False, False, True, True]


NEVER_NOTED: Final = {"fold/table.js": {"state.unbegun = true;": ""}}
"""What comes of a log says of no table that its game never began."""


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_a_full_table_that_is_annulled_before_its_game_has_never_begun(
    own_modules: Page, *, faulty: bool
) -> None:
    """By the log and by a view alike."""
    plant_all(own_modules, NEVER_NOTED if faulty else {})
    whole = lines(golden("suspicion-4-annulled"))
    types = [json.loads(line)["event"]["type"] for line in whole]
    begins, ends = types.index("table-started"), types.index("table-closed")
    games = [whole, whole[:begins] + whole[ends:]]
    assert own_modules.evaluate(FOLDED, games) == [[True, faulty]] * 2
