"""Variants of browser tests by day, as parameters; the others run by night (decision 66)."""

from __future__ import annotations

from typing import Final

import pytest

from tests.e2e.people import DESKTOP, PHONE

LOOKS: Final = (
    pytest.param(DESKTOP, id="desktop", marks=pytest.mark.nightly),
    pytest.param(PHONE, id="phone"),
)
"""By day a phone, where there is least room."""

LOOKS_AND_LANGUAGES: Final = (
    pytest.param(DESKTOP, "en", id="desktop-en"),
    pytest.param(DESKTOP, "fr", id="desktop-fr"),
    pytest.param(PHONE, "pl", id="phone-pl"),
    pytest.param(DESKTOP, "pl", id="desktop-pl", marks=pytest.mark.nightly),
    pytest.param(PHONE, "en", id="phone-en", marks=pytest.mark.nightly),
    pytest.param(PHONE, "fr", id="phone-fr", marks=pytest.mark.nightly),
)
"""By day each look and each language once, the longest words where there is least room."""
