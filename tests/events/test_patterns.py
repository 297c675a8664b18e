"""Patterns are exact for us and readable for others."""

from __future__ import annotations

import re

import pytest

from events.patterns import ecma, published


@pytest.mark.parametrize("ours", [r"^[a-z]+\Z", r"^(a|b)\Z"])
def test_a_pattern_ends_where_the_text_ends(ours: str) -> None:
    assert re.search(ours, "a")
    assert not re.search(ours, "a\n")
    assert re.search(ecma(ours), "a\n"), "in Python, which is why it is for others alone"


def test_others_read_the_same_end_in_their_words() -> None:
    assert ecma(r"^[a-z]+\Z") == "^[a-z]+$"
    assert ecma("^[a-z]+") == "^[a-z]+"
    assert ecma(r"^a\Z|b") == r"^a\Z|b"


def test_only_patterns_of_a_schema_are_rewritten() -> None:
    schema = {
        "properties": {"pattern": {"pattern": r"^a\Z"}, "b": {"const": r"^a\Z"}},
        "prefixItems": ({"pattern": r"^b\Z"},),
    }
    assert published(schema) == {
        "properties": {"pattern": {"pattern": "^a$"}, "b": {"const": r"^a\Z"}},
        "prefixItems": [{"pattern": "^b$"}],
    }
