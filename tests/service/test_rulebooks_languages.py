"""Which language an answer is in (RFC 9110 §12.5.4, RFC 4647 §3.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.words import LANGUAGES
from service.http.languages import language_ranges, negotiate


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("pl", "pl"),
        ("PL", "pl"),
        ("fr-CA", "fr"),
        ("fr-Latn-CA", "fr"),
        ("pl-PL,pl;q=0.9,en-US;q=0.8,en;q=0.7", "pl"),
        ("de, fr;q=0.5", "fr"),
        ("de", "en"),
        ("de, *;q=0.5", "en"),
        ("en;q=0.2, fr;q=0.8, pl;q=0.80", "fr"),
        ("fr;q=0.8, pl;q=0.801", "pl"),
        ("pl, fr", "pl"),
        ("fr, pl", "fr"),
        ("*", "en"),
        ("en;q=0, *", "fr"),
        ("en;q=0, *;q=0", "en"),
        ("en;q=0", "fr"),
        ("en;q=0, fr;q=0, pl;q=0", "en"),
        ("fr;q=0, fr-CA", "en"),
        ("fr;q=0.1, fr-CA, pl;q=0.2", "pl"),
        ("fr-CA;q=0.1, fr-FR;q=0.9, pl;q=0.5", "fr"),
        ("*;q=0.1, pl;q=0", "en"),
        ("fr ; q=0.5 ,\tpl;Q=0.4", "fr"),
        ("fr;q=1.000, pl;q=1", "fr"),
    ],
)
def test_the_best_language_wins(header: str | None, language: str) -> None:
    assert negotiate(header) == language


@pytest.mark.parametrize(
    "header",
    [
        "fr;q=2",
        "fr;q=1.001",
        "fr;q=0.1234",
        "fr;q=-1",
        "fr;q=",
        "fr;q=nan",
        "fr;q=\u0660",
        "fr;level=1",
        "fr pl",
        "fr_FR",
        "français",
        "-fr",
        "fr-",
        "frrrrrrrr",
        "**",
        ";q=1",
        ",,,",
    ],
)
def test_what_is_malformed_wishes_nothing(header: str) -> None:
    assert language_ranges(header) == []
    assert negotiate(header) == "en"
    assert negotiate(f"{header}, pl;q=0.1") == "pl"


def test_it_offers_what_it_is_told_to() -> None:
    assert negotiate("fr, pl;q=0.5", ("pl",)) == "pl"
    assert negotiate("fr", ("pl", "en")) == "pl"


@given(st.text())
def test_no_header_breaks_it(header: str) -> None:
    assert negotiate(header) in LANGUAGES


@given(st.permutations(LANGUAGES), st.lists(st.integers(1, 1000), min_size=3, max_size=3))
def test_the_highest_quality_wins_in_any_order(order: list[str], qualities: list[int]) -> None:
    given_ = dict(zip(order, qualities, strict=True))
    header = ", ".join(f"{lang};q={quality / 1000:.3f}" for lang, quality in given_.items())
    chosen = negotiate(header)
    assert given_[chosen] == max(qualities)
    assert chosen == next(lang for lang in order if given_[lang] == max(qualities))
