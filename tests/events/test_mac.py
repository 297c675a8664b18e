"""Keyed hashes are HMAC-SHA256."""

from __future__ import annotations

import hmac

import pytest

from events.mac import Mac


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_it_is_the_hmac_of_the_standard_library(length: int) -> None:
    key = bytes(range(length))
    mac = Mac(key)
    for message in (b"", b"a message", bytes(1000)):
        assert mac(message) == hmac.digest(key, message, "sha256")
    assert mac(b"") == hmac.digest(key, b"", "sha256")


def test_it_is_the_hmac_of_rfc_4231() -> None:
    first = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    assert Mac(b"\x0b" * 20)(b"Hi There").hex() == first
