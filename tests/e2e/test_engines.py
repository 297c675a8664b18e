"""What other engines than Chromium made us change, as far as Chromium can hold it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.people import Person


def test_the_page_draws_its_menus(person: Callable[..., Person]) -> None:
    """WebKit drew its own: white letters of the dark head on a white ground."""
    page = person("Ada").opens("/")
    menu = page.locator(".language select")
    expect(menu).to_have_css("appearance", "none")
    expect(menu).to_have_css("background-image", re.compile("gradient"))
    expect(menu).to_have_css("background-color", "rgb(23, 25, 28)")
