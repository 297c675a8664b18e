"""``replay step`` in the terminal and the page tell the same of the same games."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct
from playwright.sync_api import Page, expect

from tests.e2e.clients import Client, Json
from tests.e2e.conftest import Finished
from tests.e2e.people import Person
from tests.e2e.serving import ROOT
from tests.e2e.watching import move, replay, root, shows

_WALL = re.compile(r"^ {4}\+(-+\+){5}$")
_CELL = 15
_FACES = {"b-text-up": "up", "b-text-known": "known", "b-text-hidden": "hidden"}


class Square(Struct, frozen=True):
    """A room as both tell it: its face, its name, and who is in it."""

    face: str
    room: str
    figures: frozenset[str]


def screens(record: Path, versions: list[int], viewer: str) -> list[str]:
    """What ``replay step`` prints at some versions."""
    done = subprocess.run(
        [sys.executable, "-m", "replay", "step", str(record), "--as", viewer],
        cwd=ROOT,
        input="".join(f"g {version}\n" for version in versions) + "q\n",
        capture_output=True,
        check=True,
        text=True,
    )
    found = re.split(r"^(?=g[0-9a-f]{2}-\S+, version )", done.stdout, flags=re.MULTILINE)
    return found[2:]  # before them stand nothing and the first version


def in_the_terminal(screen: str, book: Json) -> list[Square]:
    """The rooms of a screen, row by row."""
    rooms = {room["id"]: room["name"] for room in book["rooms"]}
    names = {who["id"]: who["name"] for who in book["characters"]}
    figures = re.findall(r"^([A-Z]\w) (\w+) +seat", screen, re.MULTILINE)
    shorts = {short: names[who] for short, who in figures}
    lines = screen.splitlines()
    walls = [number for number, line in enumerate(lines) if _WALL.match(line)]
    found: list[Square] = []
    for wall in walls[:-1]:
        columns = range(5, 5 + 5 * _CELL, _CELL)
        for column in columns:
            cell = [
                line[column : column + _CELL - 1].strip() for line in lines[wall + 1 : wall + 5]
            ]
            _, _, word = cell[0].partition(" ")
            face = "hidden" if cell[0] == "....." else "known" if word.startswith("(") else "up"
            room = rooms[word.strip("()").lower()] if word else ""
            inside = {shorts[each] for each in " ".join(cell[1:3]).split() if each in shorts}
            found.append(Square(face, room, frozenset(inside)))
    return found


def on_the_page(page: Page, book: Json) -> list[Square]:
    """The rooms of the board as a table, row by row."""
    names = [who["name"] for who in book["characters"]]
    told = page.locator(".text-board td").evaluate_all(
        """all => all.map((td) => [td.className, td.querySelector("b").textContent,
            [...td.querySelectorAll("li")].map((li) => li.textContent)])"""
    )
    return [
        Square(
            _FACES[face],
            "" if face == "b-text-hidden" else text.partition(" (")[0],
            frozenset(name for name in names for item in items if re.match(rf"{name}\b", item)),
        )
        for face, text, items in told
    ]


def agree(page: Page, record: Path, viewer: str, book: Json, last: int) -> None:
    """Compare some twenty versions, the last one among them."""
    versions = [*range(last, 1, -max(1, last // 20))][::-1]
    expect(root(page)).to_have_attribute("data-viewer", viewer)
    for version, screen in zip(versions, screens(record, versions, viewer), strict=True):
        assert f", version {version} of {last}, as {viewer}" in screen
        move(page, "scrubber").fill(str(version))
        shows(page, version)
        assert on_the_page(page, book) == in_the_terminal(screen, book), version


@pytest.mark.parametrize(
    "viewer",
    [
        "seat:2",  # who sees more than the public and less than all
        # What these two see is folded by day as the replay tool folds it (test_fold.py).
        pytest.param("public", marks=pytest.mark.nightly),
        pytest.param("full", marks=pytest.mark.nightly),
    ],
)
def test_they_agree_on_a_game_that_was_played(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    tmp_path: Path,
    viewer: str,
) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(finished.record)
    book = client("Eve").get("/rulebooks/first_edition", lang="en")
    page = replay(person("Eve"), finished.game, f"?as={viewer}")
    page.keyboard.press("t")
    expect(page.locator(".text-board table")).to_be_visible()
    agree(page, record, viewer, book, finished.last)


def test_a_difference_would_be_seen(
    client: Callable[..., Client], finished: Finished, tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(finished.record)
    book = client("Eve").get("/rulebooks/first_edition", lang="en")
    versions = [finished.turns[0], finished.last]  # in the first turn nobody has died yet
    begin, end = (in_the_terminal(screen, book) for screen in screens(record, versions, "full"))
    assert len(begin) == 25
    assert begin != end
    assert {square.face for square in begin} == {"up", "known"}
    assert sum(len(square.figures) for square in begin) == 4
