"""The lobby calls to all tables of its reader, whatever its list knows of them yet."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Route, expect

from tests.e2e.calling import Made, is_asked, is_called, is_left_alone, opens_cerveauuu, wish
from tests.e2e.clients import Client
from tests.e2e.listening_in import hide, recorded, records

LATE_READS: Final = 9
"""So many reads of a list do not know a new table yet: more than notices of it alone lead to."""


def test_the_lobby_calls_to_all_tables_while_nobody_looks_at_it(
    calling: Callable[..., Made], client: Callable[..., Client]
) -> None:
    one, ada, bob, game = calling(opens=False)
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
    calling: Callable[..., Made], client: Callable[..., Client]
) -> None:
    """Notices come at once, and lists a moment later, when nobody may notify of anything more."""
    one, ada, _, game = calling(opens=False)
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
