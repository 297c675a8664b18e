"""A character, and a card, that combine what others have are each one file changed.

The tree is copied, a sheet is added in the one file and a card in the other, and the ninth
character is seated, programmed and played there: no other module knows of it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
PARTS = ("events", "games", "tests/games")

NINA = """    CharacterSheet(
        id="nina",
        duo=5,
        shape="cross",
        skills=("vitality", "summon"),
        passive=("pin",),
        panic="exhaust",
        later=True,
    ),
"""
SHEETS = ("games/room25/model/characters.py", ')\n"""All characters, in canonical order."""', NINA)
DECK = ("games/room25/model/cards.py", "}\n\nBASE_CARDS: Final", '    "Z20": "rewind",\n')


def add(tree: Path, where: tuple[str, str, str]) -> None:
    """Put a line before another into one file."""
    name, before, line = where
    text = (tree / name).read_text(encoding="utf-8")
    assert text.count(before) == 1
    (tree / name).write_text(text.replace(before, line + before), encoding="utf-8")


def changed(tree: Path) -> set[str]:
    """The modules that are not as they are here."""
    return {
        path.relative_to(tree).as_posix()
        for path in tree.rglob("*.py")
        if path.read_bytes() != (ROOT / path.relative_to(tree)).read_bytes()
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What ``ninth`` finds where both files have one entry more."""
    tree = tmp_path_factory.mktemp("ninth")
    for part in PARTS:
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
    add(tree, SHEETS)
    assert changed(tree) == {SHEETS[0]}
    add(tree, DECK)
    assert changed(tree) == {SHEETS[0], DECK[0]}
    done = subprocess.run(
        [sys.executable, "-B", "-m", "tests.games.room25.ninth"],  # its bytecode serves nobody
        cwd=tree,
        check=True,
        capture_output=True,
        text=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_it_is_offered_the_abilities_of_both_and_they_work(found: dict[str, Any]) -> None:
    abilities = found["abilities"]
    assert abilities["offered"] == ["vitality", "summon:kevin", "summon:alice"]
    assert abilities["adrenaline"] == ["spent", "available"]
    assert abilities["kevin"] == ["r1c0", "r1c1"]
    assert abilities["may enter a locked room"] == {"nina": True, "kevin": False}


def test_a_mimic_imitates_it(found: dict[str, Any]) -> None:
    assert found["abilities"]["imitated"] == ["summon:alice", "vitality", "invisibility"]


def test_it_is_seated_programmed_and_played_to_the_end(found: dict[str, Any]) -> None:
    for game in found["games"]:
        assert game["seat"] == ["nina"]
        assert game["phase"] == "finished"
        assert game["programmes"]
    assert any(game["used"] for game in found["games"])


def test_a_card_that_does_what_another_does_is_drawn_and_done(found: dict[str, Any]) -> None:
    assert found["cards"] == {"deck": 59, "rewound": [["Z20"], "r2c2"]}
