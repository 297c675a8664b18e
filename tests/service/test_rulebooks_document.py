"""``docs/rules/rulebooks.md`` is what the code says, and says all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.room25 import RULEBOOKS
from games.room25.model.cards import ALL_CARDS
from games.room25.model.catalogue import ROOM_KINDS
from games.room25.model.characters import EVERYBODY
from games.room25.rules.abilities import ABILITIES
from games.room25.words import WORDS
from tools.room25 import rulebooks_doc as document

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / document.NAME).read_text(encoding="utf-8")


def rows(title: str) -> list[list[str]]:
    """The cells of all rows of the tables under a heading."""
    _, _, part = TEXT.partition(f"\n## {title}\n")
    part = part.partition("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in part.splitlines()
        if line.startswith("|")
    ]


def test_the_file_is_what_the_code_says() -> None:
    assert document.main(["--check"]) == 0


def test_a_drift_is_noticed_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert document.main(["--check"], tmp_path) == 1
    assert document.main(["--write"], tmp_path) == 0
    assert document.main(["--check"], tmp_path) == 0
    path = tmp_path / document.NAME
    path.write_text(path.read_text(encoding="utf-8").replace("Acid Bath", "Hot Tub"))
    assert document.main(["--check"], tmp_path) == 1
    assert "rulebooks.md is not what the code says" in capsys.readouterr().err


def test_every_table_is_straight() -> None:
    widths: set[int] = set()
    for line in TEXT.splitlines():
        if not line.startswith("|"):
            widths = set()
            continue
        widths.add(line.count("|"))
        assert len(widths) == 1, line


def test_a_copy_of_every_room_is_counted() -> None:
    counted = dict.fromkeys(RULEBOOKS, 0)
    names = set()
    for row in rows("Rooms")[2:-1]:
        names.add(row[1].strip("`"))
        for book, copies in zip(RULEBOOKS, row[4:], strict=True):
            counted[book] += int(copies or 0)
    assert names == set(ROOM_KINDS)
    assert counted == {name: sum(book.box.values()) for name, book in RULEBOOKS.items()}
    assert rows("Rooms")[-1][4:] == [str(n) for n in counted.values()]


def test_every_rule_is_marked_once_for_each_rulebook() -> None:
    found: dict[str, list[int]] = {}
    for row in rows("Rules that differ")[2:]:
        marks = found.setdefault(row[0], [0] * len(RULEBOOKS))
        for i, cell in enumerate(row[2:]):
            marks[i] += cell == document.HERE
    assert found
    assert all(marks == [1] * len(RULEBOOKS) for marks in found.values())


def test_every_figure_ability_and_card_is_there() -> None:
    for name in EVERYBODY:
        assert WORDS.word("en", f"room25/character.{name}.name") in TEXT
    assert all(f"(`{ability}`)" in TEXT for ability in ABILITIES)
    listed = [card for row in rows("Cards")[2:] for card in row[0].split(", ")]
    assert sorted(listed) == sorted(ALL_CARDS)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, ""),
        ({1: 8}, "1: 8"),
        ({4: 10, 5: 10, 6: 10, 7: 9}, "4–6: 10, 7: 9"),
        ({6: 9, 4: 9}, "4: 9, 6: 9"),
        ({2: 1, 3: 2, 4: 1}, "2: 1, 3: 2, 4: 1"),
    ],
)
def test_player_counts_are_put_together(values: dict[int, object], text: str) -> None:
    assert document.by_seats(values) == text
