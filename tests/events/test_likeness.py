"""Which names people take for one another, and which spoil the lines around them."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from events import likeness
from events.lookalikes import PROTOTYPES


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ada", "ada"),
        ("Ada", " Ada\u00a0"),
        ("ﬁn", "FIN"),
        ("\uff21\uff44\uff41", "Ada"),
        ("Straße", "STRASSE"),
        ("A\u034fda", "Ada"),
        ("\u3164Ada\ufe0f", "Ada"),
        ("e\u034f\u0301", "é"),
        ("Ada  B", "Ada B"),
        ("\u0410d\u0430", "Ada"),
        ("\u0410D\u0430", "ada"),
        ("\u0421\u041e\u041d\u042f", "COH\u042f"),
        ("\u0412\u043e\u0432\u0430", "\u0432\u043e\u0432\u0430"),
        ("N\u03bfra", "Nora"),
        ("No\u0308el", "N\u043e\u0308el"),
        ("\u0406an", "ian"),
        ("Al", "AI"),
        ("Player 1", "Player l"),
        ("Ann0", "AnnO"),
        ("B\u0131rd", "Bird"),
    ],
)
def test_names_that_people_take_for_one(first: str, second: str) -> None:
    assert first in likeness.TakenNames([second])
    assert second in likeness.TakenNames(["Somebody", first])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ada", "Adah"),
        ("Ada", "A da"),
        ("e", "é"),
        ("Ian", "Lan"),
        ("IAN", "LAN"),
        ("\u0410\u043d\u043d\u0430", "Anna"),
        ("\u0414\u0430\u043d\u0430", "Dana"),
        ("Player 1", "Player 2"),
        ("Ada", "Ad\u0430m"),
    ],
)
def test_names_that_people_tell_apart(first: str, second: str) -> None:
    assert first not in likeness.TakenNames([second])
    assert second not in likeness.TakenNames([first])
    assert first not in likeness.TakenNames([])


def test_what_shows_nothing_is_ignored_if_it_counts_as_printable() -> None:
    unseen = [chr(code) for code in range(sys.maxunicode + 1) if not likeness.is_visible(chr(code))]
    ignored = [each for each in unseen if not each.isspace()]
    assert ignored
    assert "".join(ignored).isprintable()


@pytest.mark.parametrize(
    "name",
    [
        "Zoe\u0308",
        "Nguye\u0302\u0303n Vie\u0302\u0323t",
        "\u0e1b\u0e39\u0e48",
        "\u05d3\u05bc\u05b8\u05e0\u05b4\u05d9",
        "1\ufe0f\u20e3 Ada",
        "\u2764\ufe0f",
        "\U0001f44d\U0001f3fd",
    ],
)
def test_what_people_write_has_few_marks_in_a_row(name: str) -> None:
    assert not likeness.is_piled_up(name)


@pytest.mark.parametrize(
    "name", ["A\u030d\u030d\u030d\u030dda", "\u0301Ada", "Z\u0337\u0321\u0322\u0324"]
)
def test_marks_are_piled_up_or_have_nothing_to_sit_on(name: str) -> None:
    assert likeness.is_piled_up(name)


def test_the_table_leads_from_single_characters_to_ascii_and_is_at_an_end_there() -> None:
    assert len(PROTOTYPES) > 300
    for code, to in PROTOTYPES.items():
        assert code > 127
        assert to.isascii()
        assert to.isalnum()
        assert unicodedata.normalize("NFKD", chr(code)) == chr(code)
