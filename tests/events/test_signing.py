"""Signed heads: good ones, and every way in which one may be bad."""

from __future__ import annotations

from base64 import b64decode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.seal import genesis
from events.signing import Place, SignatureError, SignedHead, sign_head, verifier_key, verify_head

KEY = Ed25519PrivateKey.from_private_bytes(b"s" * 32)
PUBLIC_KEY = KEY.public_key()
HEAD = genesis("g00-a")
NOTE = sign_head(KEY, "parlour.example", "g00-a", 7, HEAD, 1_700_000_000_000)


def test_a_signed_head_comes_back() -> None:
    said = verify_head(NOTE, PUBLIC_KEY)
    assert said == SignedHead("parlour.example", "g00-a", 7, HEAD, 1_700_000_000_000)


def test_the_form_is_a_signed_note() -> None:
    text, _, rest = NOTE.partition("\n\n")
    assert text.split("\n")[:4] == ["parlour/head/1", "parlour.example", "g00-a", "7"]
    assert rest.startswith("\N{EM DASH} parlour.example ")
    assert rest.endswith("\n")
    signature = b64decode(rest.split(" ")[2])
    name, key_id, encoded = verifier_key("parlour.example", PUBLIC_KEY).split("+", 2)
    assert name == "parlour.example"
    assert signature[:4].hex() == key_id
    assert b64decode(encoded) == b"\x01" + PUBLIC_KEY.public_bytes_raw()
    PUBLIC_KEY.verify(signature[4:], (text + "\n").encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [("g00-a", "g00-b"), ("\n7\n", "\n8\n"), ("1700000000000", "1700000000001")],
    ids=["stream", "version", "time"],
)
def test_an_altered_text_is_found(old: str, new: str) -> None:
    with pytest.raises(SignatureError, match="altered"):
        verify_head(NOTE.replace(old, new), PUBLIC_KEY)


def test_another_key_has_not_signed() -> None:
    other = Ed25519PrivateKey.from_private_bytes(b"t" * 32).public_key()
    with pytest.raises(SignatureError, match="no signature by this key"):
        verify_head(NOTE, other)


def test_another_origin_has_not_signed() -> None:
    with pytest.raises(SignatureError, match="no signature by this key"):
        verify_head(NOTE.replace("\nparlour.example\n", "\nother.example\n"), PUBLIC_KEY)


def test_signatures_of_witnesses_are_passed_over() -> None:
    other = Ed25519PrivateKey.from_private_bytes(b"t" * 32)
    theirs = sign_head(other, "parlour.example", "g00-a", 7, HEAD, 1_700_000_000_000)
    both = NOTE.partition("\n\n")[0] + "\n\n" + theirs.partition("\n\n")[2]
    both += NOTE.partition("\n\n")[2]
    assert verify_head(both, PUBLIC_KEY).version == 7
    assert verify_head(both, other.public_key()).version == 7


@pytest.mark.parametrize(
    "note",
    [
        "",
        "no note",
        NOTE.rstrip("\n"),
        NOTE.replace("parlour/head/1", "parlour/head/2"),
        NOTE.replace("\n7\n", "\n07\n"),
        NOTE.replace("\n7\n", "\nseven\n"),
        NOTE.replace("\n7\n", "\n-7\n"),
        NOTE.replace("\n7\n", "\n7\n7\n"),
        NOTE.replace("\N{EM DASH}", "-"),
        NOTE + "\N{EM DASH} parlour.example !!!!\n",
        NOTE.partition("\n\n")[0] + "\n\n\N{EM DASH} parlour.example AAAA\n",
    ],
)
def test_a_malformed_note_is_refused(note: str) -> None:
    with pytest.raises(SignatureError):
        verify_head(note, PUBLIC_KEY)


def test_a_signature_has_one_spelling() -> None:
    # Its 68 bytes leave two bits of the last letter unused, and decoders do not look at them.
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    last = NOTE[-3]
    assert NOTE.endswith("=\n")
    respelt = NOTE[:-3] + letters[letters.index(last) + 1] + "=\n"
    assert b64decode(respelt.split(" ")[-1]) == b64decode(NOTE.split(" ")[-1])
    with pytest.raises(SignatureError, match="one spelling"):
        verify_head(respelt, PUBLIC_KEY)


def test_a_junk_line_after_a_good_signature_does_no_harm_to_the_text() -> None:
    assert verify_head(NOTE + "\N{EM DASH} other AAAAAAAA\n", PUBLIC_KEY).version == 7


@pytest.mark.parametrize("origin", ["", "two words", "a+b", "line\nbreak"])
def test_an_origin_must_fit_into_a_line(origin: str) -> None:
    with pytest.raises(ValueError, match="origin"):
        sign_head(KEY, origin, "g00-a", 1, HEAD, 1)


def test_what_is_no_head_is_not_signed() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        sign_head(KEY, "o", "g00-a", 1, b"short", 1)


# --- where in a store ---

PLACE = Place("0123456789abcdef", 2, 57)
PLACED = sign_head(KEY, "parlour.example", "g00-a", 7, HEAD, 1_700_000_000_000, PLACE)


def test_a_note_says_where_in_its_store_the_stream_stood() -> None:
    said = verify_head(PLACED, PUBLIC_KEY)
    assert said == SignedHead("parlour.example", "g00-a", 7, HEAD, 1_700_000_000_000, PLACE)
    lines = PLACED.split("\n")
    assert (lines[0], lines[6:9]) == ("parlour/head/2", ["0123456789abcdef", "2", "57"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n57\n", "\n58\n"),
        ("\n57\n", "\n057\n"),
        ("\n57\n", "\n"),
        ("\n2\n", "\n3\n"),
        ("0123456789abcdef", "1123456789abcdef"),
        ("parlour/head/2", "parlour/head/1"),
    ],
)
def test_a_place_that_was_altered_is_found(old: str, new: str) -> None:
    with pytest.raises(SignatureError):
        verify_head(PLACED.replace(old, new), PUBLIC_KEY)
