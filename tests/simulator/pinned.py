"""In which game each planted fault bites: it is played first, so that no test searches each time.

``shown_in.json`` holds, for each search of each test, the place of the first game that was disliked
when somebody last looked, or of games in which all that is wanted is met. Should that be so no
longer, since the engine or its draws have changed, all games are played in turn as if nothing had
been known; the run says so at its end, and ``pytest tests/simulator --pin-games`` looks anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Final, TypeVar

Game = TypeVar("Game")

PINS: Final = Path(__file__).with_name("shown_in.json")

Pins = dict[str, dict[str, list[int]]]
"""For each test what it searches, and at which places it is found."""


class Searches:
    """The searches of the running test.

    Attributes:
        anew: those that had no pin, or one that says nothing any more, and where they ended.
    """

    def __init__(self, known: Mapping[str, Sequence[int]]) -> None:
        self.anew: dict[str, list[int]] = {}
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
        name, left = self._name(what), iter(games)
        (pin,) = self._known.get(name, (0,))
        before = list(islice(left, pin + 1))
        if pin and len(before) > pin and (said := judge(before[pin])):
            return said
        for place, game in enumerate(chain(before, left)):
            if said := judge(game):
                if place:
                    self.anew[name] = [place]
                return said
        return ""

    def meet(
        self,
        what: str,
        games: Iterable[Game],
        wanted: frozenset[str],
        met: Callable[[Game], Iterable[str]],
    ) -> frozenset[str]:
        """Play games until all that is wanted has been met: those that are pinned, or all.

        Returns:
            What has been met of it.
        """
        name, left = self._name(what), iter(games)
        pins = self._known.get(name, ())
        before = list(islice(left, max(pins, default=-1) + 1))
        found = {place: wanted & frozenset(met(before[place])) for place in pins}
        if pins and wanted <= frozenset[str]().union(*found.values()):
            return wanted
        for place, game in enumerate(chain(before, left)):
            if place not in found:
                found[place] = wanted & frozenset(met(game))
            if wanted <= frozenset[str]().union(*found.values()):
                break
        for place in sorted(found):  # the later ones meet what is rare, and much else beside
            others = frozenset[str]().union(*(found[p] for p in found if p != place))
            if found[place] <= others:
                del found[place]
        self.anew[name] = sorted(found)
        return frozenset[str]().union(*found.values())

    def _name(self, what: str) -> str:
        self._asked[what] += 1
        return f"{what} {self._asked[what]}"


_running = Searches({})


def begin(known: Mapping[str, Sequence[int]]) -> Searches:
    """Begin the searches of a test."""
    global _running  # noqa: PLW0603 (one test runs at a time)
    _running = Searches(known)
    return _running


def complaint(what: str, games: Iterable[Game], judge: Callable[[Game], str]) -> str:
    """The same in the running test (``Searches.complaint``)."""
    return _running.complaint(what, games, judge)


def meet(
    what: str,
    games: Iterable[Game],
    wanted: frozenset[str],
    met: Callable[[Game], Iterable[str]],
) -> frozenset[str]:
    """The same in the running test (``Searches.meet``)."""
    return _running.meet(what, games, wanted, met)
