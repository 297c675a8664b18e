"""Prints how long pages take to load: ``python -m tests.e2e.loading_times``, or ``make loading``.

Requests over the network, those of the service worker beside them, bytes, round trips one after
another, what these alone take, and the seconds that went by, all until the page showed what it is
for, without what the board of a table does not wait for. What the seconds are worth depends on the
machine, so no test looks at them; docs/performance.md has those of one run.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.conftest import launched
from tests.e2e.front import Front
from tests.e2e.loading import (
    AFTERWARDS,
    FAST_3G,
    NEAR,
    Shown,
    least_seconds,
    round_trips,
    shows_board,
    shows_lobby,
    tables,
    visit,
)
from tests.e2e.serving import Service

HEAD: Final = (
    "| page | by | network | visit | requests | beside | kB | round trips | network alone "
    "| seconds |"
)


def main() -> None:
    """Print a table."""
    with ExitStack() as stack:
        service = stack.enter_context(Service())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        front = stack.enter_context(Front(service.port, folder))
        driver = stack.enter_context(sync_playwright())
        browser = launched(driver, front.trust)
        stack.callback(browser.close)
        places: dict[str, tuple[str, Shown]] = {"lobby": ("/", shows_lobby)}
        for name, game in tables(service.url).items():
            places[f"table of {name}"] = (f"/watch/{game}", shows_board)
        _say(HEAD, f"|{'---|' * HEAD.count('|')}"[:-4])
        for by, url in (("HTTP/2", front.url), ("HTTP/1.1", service.url)):
            for name, (path, shown) in places.items():
                _measure(browser, f"| {name} | {by}", url + path, shown)


def _measure(browser: Browser, begin: str, url: str, shown: Shown) -> None:
    for network in (NEAR, FAST_3G):
        context = browser.new_context()
        for name in ("first", "second"):
            made = visit(context, url, network, shown)
            asked = [e for e in made.needed if not AFTERWARDS.fullmatch(e.path)]
            size = sum(each.size for each in asked) / 1000
            alone = least_seconds(asked, network)
            _say(
                f"{begin} | {network.name} | {name} | {len(asked)} | "
                f"{len(made.beside)} | {size:.0f} | "
                f"{round_trips(asked)} | {alone:.2f} s | {made.seconds:.1f} s |"
            )
        context.close()


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
