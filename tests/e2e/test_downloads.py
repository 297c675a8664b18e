"""What one can take away, and the replay that needs no network."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.by_day import LOOKS
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import Look, Person
from tests.e2e.test_no_ids import ID
from tests.e2e.watching import badge, is_gapless, move, replay, root, shows, watch


def saved(person: Person, name: str, folder: Path) -> Path:
    """Download one of the files of the dialog that is open."""
    with person.page.expect_download() as started:
        person.page.locator(f"[data-download={name}]").click()
    file = folder / started.value.suggested_filename
    started.value.save_as(file)
    return file


def test_the_files_are_what_the_service_has(
    person: Callable[..., Person], finished: Finished, tmp_path: Path
) -> None:
    eve = person("Eve")
    page = replay(eve, finished.game, "?at=60")
    move(page, "save").click()
    log = saved(eve, "log", tmp_path)
    assert log.read_text().splitlines() == list(finished.lines)
    assert saved(eve, "record", tmp_path).read_text() == finished.record
    assert saved(eve, "picture", tmp_path).read_text().startswith("<svg")
    card = saved(eve, "card", tmp_path).read_bytes()
    assert card.startswith(b"\x89PNG")
    size = [int.from_bytes(card[at : at + 4], "big") for at in (16, 20)]
    assert size == [1200, 630], "what sites show whole"
    colours = page.evaluate(COLOURS, base64.b64encode(card).decode())
    assert len(colours) > 40, "the board of the page, and not one plain colour"


COLOURS: Final = """async (card) => {
    const bytes = Uint8Array.from(atob(card), (each) => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]), 0, 0, 630, 630);
    const pen = new OffscreenCanvas(630, 630).getContext("2d");
    pen.drawImage(image, 0, 0);
    return [...new Set(new Uint32Array(pen.getImageData(0, 0, 630, 630).data.buffer))];
}"""
"""The colours of the left half of a card."""

SAID: Final = """(() => {
    window.said = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        said.push(text);
        fillText.call(this, text, ...at);
    };
    const { serializeToString } = XMLSerializer.prototype;
    XMLSerializer.prototype.serializeToString = function (node) {
        window.drawn = serializeToString.call(this, node);
        return drawn;
    };
})()"""
"""Notes what is written on a card, and the board that it shows."""


def test_a_card_speaks_the_readers_language_and_tells_no_secret(
    person: Callable[..., Person], client: Callable[..., Client], tmp_path: Path
) -> None:
    ada = client("Ada")
    game = ada.opens("cooperation", 2)
    ada.sits(game)
    ada.seats_bot(game)
    ada.chooses(game, ada.asked(game)[0]["options"][0]["id"])
    version = ada.version(game)  # of before the question: what the bot does now counts
    while not ada.asked(game):
        ada.waits(game, version)
        version = ada.version(game)
    own = person("Ada", Look(language="fr"))
    own.signs_in(ada)
    page = watch(own, game)
    named = page.locator(".stage .b-board .b-name")
    expect(named).to_have_count(2)  # the centre, and what only Ada has seen
    assert own.context.pages == [page]  # what follows alters the window for good
    page.evaluate(SAID)
    move(page, "save").click()
    saved(own, "card", tmp_path)
    said = " ".join(page.evaluate("said"))
    assert "Room 25, première édition" in said
    assert "Ada et Bot aléatoire 2" in said
    assert ID.search(said) is None
    assert page.evaluate("drawn.match(/b-name/g).length") == 1


def handed_out(page: Page) -> str:
    """All that the dialog to share a game shows, and all that its buttons copy."""
    expect(page.locator("[data-dialog=save] [data-copy]").first).to_be_visible()
    return str(
        page.evaluate("""async () => {
            const found = [document.querySelector("[data-dialog=save]").outerHTML];
            navigator.clipboard.writeText = async (text) => found.push(text);
            for (const button of document.querySelectorAll("[data-copy]")) {
                button.click();
                await new Promise((done) => setTimeout(done));
            }
            return found.join("\\n");
        }""")
    )


def test_what_is_shared_of_a_game_holds_no_token(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    ada = person("Ada")
    ada.signs_in(client("Ada"))
    page = watch(ada, finished.game)
    move(page, "save").click()
    token = ada.token
    told = handed_out(page)
    assert told.count(f"/watch/{finished.game}") > 2
    assert token.rpartition(".")[2] not in told
    page.locator("[data-dialog=save] h2").evaluate("(h2, token) => h2.append(token)", token)
    assert token in handed_out(page), "what was planted is not found"


# By day on a phone, where there is least room.
@pytest.mark.parametrize("look", LOOKS)
def test_the_saved_page_replays_from_disk_without_a_network(
    person: Callable[..., Person], finished: Finished, tmp_path: Path, look: Look
) -> None:
    eve = person("Eve")
    move(watch(eve, finished.game), "save").click()
    file = saved(eve, "page", tmp_path)
    reader = person("Reader", look, url="file://")
    reader.context.set_offline(True)
    page = reader.page
    page.goto(f"{file.as_uri()}#at=40")
    shows(page, 40)
    badge(page, "verified")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"#at=\d+"))
    page.keyboard.press("End")
    shows(page, finished.last)
    is_gapless(page, finished.last)
    page.go_back()
    expect(root(page)).not_to_have_attribute("data-version", str(finished.last))
