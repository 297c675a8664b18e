"""The deck as it is typed says the same as the deck as it is written."""

from __future__ import annotations

import msgspec
import pytest

from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.language import Card
from tests.games.cerveauuu.deck.rows import TEXT, rows


def differences(text: str) -> list[str]:
    """The ids of the cards that the table and the deck tell otherwise, or that only one has."""
    read: dict[str, Card] = {row.card.id: row.card for row in rows(text)}
    return sorted(each for each in read | CARDS if read.get(each) != CARDS.get(each))


def test_the_deck_is_that_of_the_table() -> None:
    assert differences(TEXT) == []
    assert [row.card.id for row in rows(TEXT)] == list(CARDS)


@pytest.mark.parametrize(
    ("card", "written", "planted"),
    [
        ("c008", "mod(all(Z),combat,+1,lasting)", "mod(all(Z),combat,+2,lasting)"),
        ("c009", "sight,=3", "sight,3"),
        ("c013", "weather | PZOE", "weather | PZO"),
        ("c031", "r:1:8", "r:1:7"),
        ("c034", "kill($2); block($1)", "block($1); kill($2)"),
        ("c042", "firearm", "weapon"),
        ("c060", "H[out]", "H"),
        ("c080", "Z[other]", "Z[own]"),
        ("c084", "lure($1,3,$2)", "lure($1,3,$1)"),
        ("c096", "spawn(human,$2)", "spawn(human,$1)"),
        ("c122", "round", "lasting"),
    ],
)
def test_a_fault_in_one_row_is_found(card: str, written: str, planted: str) -> None:
    lines = TEXT.splitlines()
    (at,) = (n for n, line in enumerate(lines) if line.startswith(f"{card} "))
    assert written in lines[at]
    lines[at] = lines[at].replace(written, planted)
    assert differences("\n".join(lines)) == [card]


def test_a_row_that_is_missing_or_too_many_is_found() -> None:
    first, *rest = TEXT.splitlines()
    assert differences("\n".join(rest)) == ["c001"]
    assert differences("\n".join([*rest, first, first.replace("c001", "c141")])) == ["c141"]


@pytest.mark.parametrize(
    ("written", "planted"),
    [
        ("kill($2)", "maim($2)"),
        ("halt($1)", "halt(spent)"),
        ("Z[mover]", "Z[moved]"),
        ("combat,+3,combat", "courage,+3,combat"),
        ("| PZOM |", "| PZOX |"),
        ("| vehicle |", "| tram |"),
    ],
)
def test_what_is_not_in_the_language_is_not_read(written: str, planted: str) -> None:
    assert written in TEXT
    with pytest.raises((KeyError, msgspec.ValidationError)):
        list(rows(TEXT.replace(written, planted)))
