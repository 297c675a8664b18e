"""What one can take away, and the replay that needs no network."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Finished
from tests.e2e.people import DESKTOP, PHONE, Look, Person
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


@pytest.mark.parametrize("look", [DESKTOP, PHONE])
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
