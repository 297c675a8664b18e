"""Canonical form, commitments, the chain."""

from __future__ import annotations

import hashlib
import hmac
from enum import Enum
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Struct, UnsetType

from events.seal import (
    LARGEST,
    NotCanonicalError,
    bytes_of,
    canonical,
    canonical_json,
    chain,
    commitment,
    genesis,
    link,
    salt,
    text_of,
)

KEY = b"k" * 32
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | texts,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="ascii"), max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


class Colour(Enum):
    RED = "red"


class Room(Struct):
    z: int
    a: tuple[Colour, ...]
    hidden: str | UnsetType = UNSET


@given(values)
def test_the_canonical_form_is_that_of_rfc_8785(value: Any) -> None:
    assert canonical(value) == canonical_json(value) == rfc8785.dumps(value)


def test_structs_count_as_what_they_encode_to() -> None:
    assert canonical(Room(1, (Colour.RED,))) == b'{"a":["red"],"z":1}'
    assert canonical({2: "b", 10: "a"}) == b'{"10":"a","2":"b"}'


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        [0.5],
        {"a": {"b": 1e9}},
        2**53,
        -(2**53),
        {"é": 1},
        {"a": [{"ü": 1}]},
        b"bytes",
        "\ud800",
        {"a": "\udfff"},
        1j,
    ],
    ids=repr,
)
def test_what_readers_would_not_all_read_alike_is_refused(value: object) -> None:
    for form in (canonical, canonical_json):
        with pytest.raises(NotCanonicalError):
            form(value)


def test_the_largest_integers_pass() -> None:
    assert canonical([LARGEST, -LARGEST, True]) == b"[9007199254740991,-9007199254740991,true]"


@given(st.binary(max_size=40))
def test_texts_of_bytes_come_back(raw: bytes) -> None:
    assert bytes_of(text_of(raw)) == raw
    assert "=" not in text_of(raw)


def test_a_commitment_is_what_its_description_says() -> None:
    path, hidden = "event.room", salt(KEY, 3, "event.room")
    message = b"parlour/seal/1\x00" + bytes([0, 0, 0, 10]) + path.encode() + hidden + b'"tunnel"'
    assert commitment(path, hidden, "tunnel") == text_of(hashlib.sha256(message).digest())


def test_commitments_differ_in_everything_that_goes_in() -> None:
    made = {
        commitment(path, salt(key, version, path), value)
        for path in ("event.a", "event.b", "command.a")
        for key in (KEY, b"l" * 32)
        for version in (1, 2)
        for value in ("x", "y", None, 1, "1")
    }
    assert len(made) == 3 * 2 * 2 * 5


@pytest.mark.parametrize("size", [32, 64, 65])
def test_a_salt_is_the_hmac_of_the_standard_library(size: int) -> None:
    key = bytes(range(size))
    salt_key = hmac.digest(key, b"parlour/salt/1\x00", "sha256")
    for version, path in ((1, "event.a"), (258, "command.b"), (1, "event.a")):
        place = version.to_bytes(8, "big") + path.encode()
        assert salt(key, version, path) == hmac.digest(salt_key, place, "sha256")


def test_salts_are_32_bytes_and_tied_to_their_place() -> None:
    made = {salt(KEY, version, path) for version in range(1, 5) for path in ("event.a", "event.b")}
    assert len(made) == 8
    assert {len(each) for each in made} == {32}
    assert salt(KEY, 1, "event.a") == salt(KEY, 1, "event.a")


def test_the_chain_covers_bytes_order_version_and_stream() -> None:
    start = genesis("g00-a")
    assert start != genesis("g00-b")
    one = link(start, 1, b"a")
    assert (
        one
        == hashlib.sha256(
            b"\x01" + start + (1).to_bytes(8, "big") + hashlib.sha256(b"\x00a").digest()
        ).digest()
    )
    heads = {chain(start, 0, parts) for parts in ([b"a", b"b"], [b"b", b"a"], [b"ab"], [b"a"], [])}
    assert len(heads) == 5
    assert chain(start, 0, [b"a", b"b"]) == link(one, 2, b"b")
    assert chain(one, 1, [b"b"]) == link(one, 2, b"b")
    assert link(start, 2, b"a") != one


def test_a_head_that_was_cut_short_begins_another_chain() -> None:
    """A head goes into the hash as it is, and is never filled up to its length."""
    whole = bytes(32)
    heads = {link(head, 1, b"a") for head in (whole, whole[:31], b"", bytes(33))}
    assert len(heads) == 4
