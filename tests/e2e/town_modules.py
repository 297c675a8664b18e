"""The page's modules for Cerveauuu! under test: how to call them, and games to give them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from events.kernel import Event
from games.cerveauuu.decider import CERVEAUUU
from games.cerveauuu.model.state import State
from tests.e2e.folding import Call
from tests.games.cerveauuu.telling.logs import played

WEB: Final = Path(__file__).parents[2] / "web"
CALL: Final = """async ([name, given]) => {
    const found = await (await import("/pages/cerveauuu.js"))[name](...JSON.parse(given));
    return JSON.stringify(found ?? null);
}"""


def calls(modules: Page) -> Call:
    """Calls functions of pages/cerveauuu.js by name, at a page that imports from ``/web``."""
    return lambda name, *given: json.loads(modules.evaluate(CALL, [name, json.dumps(given)]))


@cache
def log(seats: int = 3, seed: int = 1) -> tuple[Event, ...]:
    """What happens in a whole game, in which many cards are played."""
    return tuple(played(seats, seed).events)


def views(events: Sequence[Event], every: int = 1) -> list[State]:
    """The states after the last of the events and after each so many of them."""
    state, found = CERVEAUUU.initial(), []
    for i, event in enumerate(events):
        state = CERVEAUUU.evolve(state, event)
        if i % every == 0 or i == len(events) - 1:
            found.append(CERVEAUUU.copy(state))
    return found


def words(language: str) -> dict[str, str]:
    """What the page says at a table."""
    own = WEB / "games/cerveauuu/words" / f"{language}.json"
    files = (*sorted((WEB / "words" / language).glob("*.json")), own)
    texts = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    return {key: text for part in texts for key, text in part.items()}


WORDS: Final = words("en")
