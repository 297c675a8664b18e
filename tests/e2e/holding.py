"""Answers that a page gets late: they are held until the test lets them go."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route


def holds(page: Page, what: str | re.Pattern[str]) -> Callable[[], None]:
    """Keep the answer to the next request of a page; what lets it go."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(what, hold)
    return lambda: held.pop().continue_()


def heard(page: Page) -> None:
    """Wait until a page has taken in what has come, and has nothing more to do."""
    page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
