"""A game that the page does not know: shown plainly, and nothing breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.e2e.acting import unfold
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import Person
from tests.e2e.watching import move, shows

KNOWN = '"game":"room25"'
STRANGE = '"game":"halma"'
ARCHIVE = re.compile(r'(<script type="application/json" id="archive">)(.*?)(</script>)', re.DOTALL)


def estranged(text: str, *, worded: bool) -> str:
    """A replay page whose game is called by a name that the page has never heard.

    ``worded``: its rulebook has words for what happens.
    """

    def changed(match: re.Match[str]) -> str:
        found: dict[str, Any] = json.loads(match[2])
        assert KNOWN in found["lines"][0]
        found["lines"][0] = found["lines"][0].replace(KNOWN, STRANGE)
        for book in found["books"].values():
            assert book["game"] == "room25"
            book["game"] = "halma"
            if worded:
                book["words"] = {
                    key.replace("room25/", "halma/"): text for key, text in book["words"].items()
                }
        return match[1] + json.dumps(found).replace("<", "\\u003c") + match[3]

    return ARCHIVE.sub(changed, text)


def strange_replay(
    person: Callable[..., Person],
    client: Callable[..., Client],
    game: str,
    folder: Path,
    *,
    worded: bool = False,
) -> Page:
    """The replay page of a game, as that of a game that nobody here knows."""
    file = folder / "strange.html"
    text = client("Eve").ask(f"/games/{game}/replay.html").text
    file.write_text(estranged(text, worded=worded))
    reader = person("Reader", url="file://")
    reader.page.goto(file.as_uri())
    return reader.page


def test_a_strange_game_shows_seats_types_and_the_result_and_one_moves_through_it_by_every_means(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    tmp_path: Path,
) -> None:
    page = strange_replay(person, client, finished.game, tmp_path)
    shows(page, finished.last)
    expect(page.locator(".stranger")).to_contain_text("halma")
    first = json.loads(finished.lines[0])["event"]
    expect(page.locator(".b-person")).to_have_count(first["seats"])
    types = [json.loads(line)["event"]["type"] for line in finished.lines]
    expect(page.locator(".log li")).to_have_count(len(types))
    told = page.locator(".log li[data-type=turn-began]").first
    expect(told).to_be_visible()
    expect(told).to_contain_text("turn-began")
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".result h2")).not_to_be_empty()
    page.keyboard.press("Home")
    shows(page, 1)
    page.keyboard.press("Shift+ArrowRight")
    shows(page, 2)
    page.keyboard.press("t")
    expect(page.locator(".text-board .stranger")).to_be_visible()
    page.keyboard.press("ArrowDown")
    shows(page, finished.last)
    page.locator(".log-filter summary").click()
    page.locator("[data-filter=action]").uncheck()
    expect(told).to_be_hidden()
    move(page, "save").click()
    expect(page.locator("dialog[open]")).to_be_visible()


def test_a_strange_game_is_told_in_the_words_of_its_rulebook(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    tmp_path: Path,
) -> None:
    page = strange_replay(person, client, finished.game, tmp_path, worded=True)
    shows(page, finished.last)
    told = page.locator(".log li[data-type=turn-began]").first
    expect(told).to_contain_text("Turn 1 begins, in the order")
    # Of what only the game itself could name, the id is shown.
    expect(page.locator(".log li[data-type=character-moved]").first).to_contain_text(
        re.compile(r"\br\dc\d\b")
    )
    expect(page.locator(".log")).not_to_contain_text("{")


def test_a_table_of_a_strange_game_is_opened_with_its_own_limits(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    def estrange(route: Route) -> None:
        answer = route.fetch(url=route.request.url.replace("game=halma", "game=room25"))
        route.fulfill(response=answer, body=answer.text().replace(KNOWN, STRANGE))

    def befriend(route: Route) -> None:
        body = route.request.post_data
        route.continue_(post_data=body and body.replace(STRANGE, KNOWN))

    ada = person("Ada")
    ada.signs_in(client("Ada"))
    ada.context.route("**/v1/rulebooks**", estrange)
    ada.context.route("**/v1/games", befriend)
    page = ada.opens("/?page=new")
    page.locator("label[for=rulebook-halma-ultimate]").click()
    expect(page.locator("#option-madness_cards")).to_have_count(1)  # no other rulebook has it
    expect(page.locator("#pace-sitting")).to_be_checked()  # its rulebook's own
    unfold(page, "new-time")
    page.locator("label[for=pace-own]").click()
    expect(page.locator("#programming_s")).to_have_value("120")
    with page.expect_request(lambda r: r.method == "POST" and r.url.endswith("/v1/games")) as sent:
        page.get_by_role("button", name="Open the table").click()
    request: dict[str, Any] = json.loads(sent.value.post_data or "")
    assert request["time"]["limits_s"] == {"programming": 120, "decision": 60}
    expect(page.locator(".watch .seats")).to_be_visible()
