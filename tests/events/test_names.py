"""Name seals: what opens them, what does not, and what stands where they belong."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events import names
from events.names import NameOpening

SALT = bytes(range(16))
OPENING = names.new_opening("Ada", SALT)


def test_a_seal_is_opened_by_its_name_and_salt_alone() -> None:
    seal = names.seal_of(OPENING)
    assert names.opens(OPENING, seal)
    for other in (
        replace(OPENING, name="ada"),
        replace(OPENING, name="Ada "),
        names.new_opening("Ada", SALT[::-1]),
    ):
        assert not names.opens(other, seal)


def test_salt_and_name_do_not_run_into_one_another() -> None:
    longer = NameOpening("da", OPENING.salt)
    assert names.seal_of(longer) != names.seal_of(OPENING)
    with pytest.raises(ValueError, match="16 bytes"):
        names.new_opening("da", SALT + b"A")


@pytest.mark.parametrize("salt", ["", "AAEC", "AAECAwQFBgcICQoLDA0ODx", "=" * 22, "é" * 22])
def test_a_malformed_opening_opens_nothing(salt: str) -> None:
    """The fourth is another spelling of a right salt: there is one only."""
    assert not names.opens(NameOpening("Ada", salt), names.seal_of(OPENING))


def test_half_a_surrogate_pair_opens_nothing() -> None:
    assert not names.opens(NameOpening("\ud800", OPENING.salt), names.seal_of(OPENING))


def test_a_seal_or_nothing_stands_where_a_seal_belongs() -> None:
    assert names.require_seal("") == ""
    assert names.require_seal(names.seal_of(OPENING)) == names.seal_of(OPENING)
    for text in ("Ada", "x" * 42, "x" * 44, " " * 43, "é" * 43):
        with pytest.raises(ValueError, match="expected the seal of a name, not a name"):
            names.require_seal(text)
