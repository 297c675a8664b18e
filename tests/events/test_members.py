"""Members given twice are found wherever they are, and nothing else is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.members import repeated_member

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
LONG = "x" * 99
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | NAMES
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.booleans())
def test_what_a_writer_of_json_writes_has_none(value: Any, escaped: bool) -> None:  # noqa: FBT001
    assert repeated_member(json.dumps(value, ensure_ascii=escaped).encode()) is None


@given(st.dictionaries(NAMES, PLAIN, min_size=1, max_size=4), VALUES, st.data())
def test_one_that_is_added_is_found(
    members: dict[str, Any], more: Any, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(members)))
    spelt = "".join(f"\\u{ord(c):04x}" if ord(c) < 0x10000 else c for c in name)
    text = json.dumps(members)[:-1] + f', "{spelt}": {json.dumps(more)}}}'
    for around in ("{}", "[0, {}]", '{{"x": 1, "y": [{}]}}'):
        assert repeated_member(around.format(text).encode()) is not None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('{"a": 1, "a": 1}', "$.a"),
        ('{"a": {"b": [{}, {"c": 1, "c": 2}]}}', "$.a.b[1].c"),
        ('[{"a": 1}, {"a": 1}]', None),
        ('{"a": {"a": {"a": 1}}}', None),
        ('{"a": "b: c", "b": ":"}', None),
        ('{"a": 1, "A": 1, " a": 1}', None),
        ('{"n": 1e999, "m": %s}' % ("9" * 5000), None),
        (json.dumps({LONG: 1})[:-1] + f', "{LONG}": 2}}', "$." + "x" * 40),
    ],
)  # fmt: skip
def test_it_says_where(text: str, at: str | None) -> None:
    assert repeated_member(text.encode()) == at


@pytest.mark.parametrize("text", ["{:,:", "::", '{"a": 1, "b": 2} {}'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        repeated_member(text.encode())


def test_it_is_not_fooled_by_depth() -> None:
    with pytest.raises(RecursionError):
        repeated_member(b'{"a": 1, "b":' + b"[" * 200_000)
