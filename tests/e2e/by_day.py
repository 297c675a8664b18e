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

WHOLE: Final = (
    pytest.param(False, id="whole"),
    pytest.param(True, id="faulty", marks=pytest.mark.nightly),
)
"""By night with a planted fault: whoever takes this names the test that shows one by day."""
