"""In which game each planted fault bites: it is played first, so that no test searches each time.

``shown_in.json`` holds, for each search of each test, the place of the first game that was disliked
when somebody last looked. Should it be liked by now, since the engine or its draws have changed,
all games are played in turn as if nothing had been known; the run says so at its end, and
``pytest tests/simulator --pin-games`` looks anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Final, TypeVar

Game = TypeVar("Game")

PINS: Final = Path(__file__).with_name("shown_in.json")

Pins = dict[str, dict[str, int]]
"""For each test what it searches, and at which place it is found."""


class Searches:
    """The searches of the running test.

    Attributes:
        anew: those that had no pin, or one that says nothing any more, and where they ended.
    """

    def __init__(self, known: Mapping[str, int]) -> None:
        self.anew: dict[str, int] = {}
        self._known = known
        self._asked: Counter[str] = Counter()

    def complaint(self, what: str, games: Iterable[Game], judge: Callable[[Game], str]) -> str:
        """What is said of a game in which the fault bites: the first, or the one that is pinned.

        Args:
            what: what is searched, should a test search several things.
            games: the games, in an order that never changes.
            judge: plays a game and tells what somebody dislikes in it; ``""``: nothing.

        Returns:
            The complaint; ``""`` if there is none of any game.
        """
        self._asked[what] += 1
        name, left = f"{what} {self._asked[what]}", iter(games)
        pin = self._known.get(name, 0)
        before = list(islice(left, pin + 1))
        if pin and len(before) > pin and (said := judge(before[pin])):
            return said
        for place, game in enumerate(chain(before, left)):
            if said := judge(game):
                if place:
                    self.anew[name] = place
                return said
        return ""


_running = Searches({})


def begin(known: Mapping[str, int]) -> Searches:
    """Begin the searches of a test."""
    global _running  # noqa: PLW0603 (one test runs at a time)
    _running = Searches(known)
    return _running


def complaint(what: str, games: Iterable[Game], judge: Callable[[Game], str]) -> str:
    """The same in the running test (``Searches.complaint``)."""
    return _running.complaint(what, games, judge)
