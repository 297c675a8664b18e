"""For each kind of decision of each rulebook a game in which somebody is asked for it.

The scenario files have one for every kind: ``asked_in.json`` names it, and this module plays it in
process until the question comes, and then at the service, choice by choice. What draws the service
makes is in a situation's own seed, so it comes there too. ``python -m tests.e2e.situations`` looks
through all scenario files and writes ``asked_in.json`` anew.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.kernel import Decision
from games.registry import GAMES
from games.room25.editions import RULEBOOKS
from replay.scenario.engine import EngineTable
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from simulator.room25.expected import DECISIONS, UNREACHABLE
from tests.e2e.clients import Client
from tests.scenario_files import named, of_game

PINS: Final = Path(__file__).with_name("asked_in.json")
HOUR_S: Final = 3600
SHORT_S: Final = 1
"""The limit of a wait that is to run out: the shortest that there is."""

STRIDE: Final = 29
"""How far apart in a list are the options that are taken one after another."""

RETURN: Final = "return"
"""The kind of decision that only somebody has who has missed a limit."""


class Step(Struct, frozen=True):
    """A choice of a seat; without an ``option`` the time of all that is open runs out."""

    seat: int = 0
    decision: str = ""
    option: str = ""


class Situation(Struct, frozen=True, kw_only=True):
    """A game in which ``seat`` is asked something: how its table is opened, and the way there.

    ``kinds`` are those of all decisions that the seat has then. ``optional``: the one for which the
    situation is there need not be made; ``options`` is how many options it has. ``hurried`` are the
    classes of waits of which one runs out.
    """

    game: str
    rulebook: str
    scenario: str
    mode: str
    seats: int
    settings: Mapping[str, Any]
    given: Mapping[str, Any] | None
    characters: tuple[tuple[str, ...], ...]
    steps: tuple[Step, ...]
    hurried: frozenset[str]
    seat: int
    kinds: frozenset[str]
    optional: bool
    options: int


class _Met(Exception):
    """What was looked for is there."""


class _Way(EngineTable):
    """A table that keeps the way to the first question of each kind, to ``wanted`` at most.

    A situation that fixes no draws gets a seed of its own, so that the service draws the same.
    Without a situation nothing fixes them, and nothing is left to chance that could be chosen.
    """

    def __init__(self, wanted: str | None = None) -> None:
        super().__init__()
        self.wanted = wanted
        self.met: dict[str, Situation] = {}
        self._steps: list[Step] = []
        self._hurried: frozenset[str] = frozenset()

    def open(self, scenario: Scenario, rulebook: str, number: int) -> None:
        """Open the table as usual."""
        given: Any = scenario.given
        if given is not None and given.seed is None:
            scenario = replace(scenario, given=replace(given, seed=self.key(scenario, number)))
        self._scenario, self._rulebook = scenario, rulebook
        super().open(scenario, rulebook, number)
        self._look()

    def choose(self, seat: int, decision: str, option: str) -> None:
        """Choose, unless it is refused."""
        if self._scenario.given is None:
            ids = [o.id for d in self.pending(seat) if d.id == decision for o in d.options]
            option = ids[STRIDE * (1 + len(self._steps)) % len(ids)] if ids else option
        super().choose(seat, decision, option)
        self._steps.append(Step(seat, decision, option))
        self._look()

    def let_time_pass(self) -> None:
        """Time out what is open."""
        halt = self.decider.games[self.state.game].halt(self.state.play)
        assert halt is not None
        self._hurried |= {halt.wait}
        super().let_time_pass()
        self._steps.append(Step())
        self._look()

    def _look(self) -> None:
        for seat in range(1, self._scenario.seats + 1):
            for decision in self.pending(seat):
                if not decision.answered and decision.kind not in self.met:
                    self.met[decision.kind] = self._here(seat, decision)
        if self.wanted in self.met:
            raise _Met

    def _here(self, seat: int, asked: Decision) -> Situation:
        scenario = self._scenario
        given = scenario.given
        return Situation(
            game=scenario.game.rules.id,
            rulebook=self._rulebook,
            scenario=scenario.id,
            mode=scenario.mode,
            seats=scenario.seats,
            settings=scenario.options,
            given=None if given is None else msgspec.to_builtins(given),
            characters=scenario.characters,
            steps=tuple(self._steps),
            hurried=self._hurried,
            seat=seat,
            kinds=frozenset(d.kind for d in self.pending(seat) if not d.answered),
            # Whoever missed a turn is asked about it like about anything else.
            optional=asked.optional and asked.kind != RETURN,
            options=len(asked.options),
        )


def kinds_of(game: str, rulebook: str) -> frozenset[str]:
    """The kinds of decisions that players of a rulebook are asked for."""
    if game != "room25":
        return frozenset(GAMES[game].scenarios.forms.options)
    book = RULEBOOKS[rulebook]
    found = {kind for kind, has in DECISIONS.items() if has(book)}
    return frozenset(kind for kind in found if ("decision", kind) not in UNREACHABLE)


@cache
def situations(game: str, rulebook: str) -> Mapping[str, Situation]:
    """Those that are kept for a rulebook, by the kind that they are for."""
    pins: Mapping[str, str] = msgspec.json.decode(PINS.read_bytes())[game][rulebook]
    return {kind: _situation(named(name), rulebook, kind) for kind, name in pins.items()}


def _situation(scenario: Scenario, rulebook: str, kind: str) -> Situation:
    """Where a scenario comes to the first question of a kind.

    Raises:
        LookupError: it never does.
    """
    found = _ways(scenario, rulebook, kind).get(kind)
    if found is None:
        raise LookupError(f"{scenario.id} asks nobody of {rulebook} for {kind}")
    return found


def _ways(scenario: Scenario, rulebook: str, wanted: str | None = None) -> Mapping[str, Situation]:
    made = _Way(wanted)
    with contextlib.suppress(_Met):
        perform(replace(scenario, rulebooks=(rulebook,)), lambda: made)
    return made.met


def lay(found: Situation, players: Sequence[Client]) -> str:
    """Play a situation at the service; the game's id.

    Args:
        found: the situation.
        players: one for each seat, who need not be at the service of any other situation.
    """
    waits = GAMES[found.game].rules.waits
    limits = {wait: SHORT_S if wait in found.hurried else HOUR_S for wait in waits}
    more = {} if found.given is None else {"scenario": found.given}
    game = players[0].opens(
        found.mode,
        found.seats,
        found.rulebook,
        game=found.game,
        options=found.settings,
        time={"limits_s": limits, "absent_after": 100},
        visibility="unlisted",
        **more,
    )
    for seat, player in enumerate(players[: found.seats], 1):
        wish = {"characters": found.characters[seat - 1]} if found.characters else {}
        player.sits(game, seat=seat, **wish)
    for step in found.steps:
        _take(game, step, players)
    return game


def _take(game: str, step: Step, players: Sequence[Client]) -> None:
    if step.option:
        at = f"/games/{game}/decisions/{step.decision}"
        players[step.seat - 1].post(at, {"option": step.option})
        return
    one = players[0]
    while True:
        view = one.get(f"/games/{game}", as_="public")
        clock = view["state"]["clock"]
        if clock["due"] - clock["since"] > SHORT_S * 1000:
            return
        one.waits(game, view["version"])


# --- looking for them ---


def _is_steady(found: Situation, kind: str) -> bool:
    """Whether the service comes there for certain, and stays.

    Somebody must have missed a limit to return, and in no other situation does time run out.
    """
    timed = any(not step.option for step in found.steps)
    return timed == (kind == RETURN)


def _best(game: str, rulebook: str) -> Mapping[str, Situation]:
    """Of each kind the situation with the most options, and of these the nearest."""
    best: dict[str, Situation] = {}
    for _, scenario in of_game(game):
        if rulebook not in scenario.rulebooks or scenario.refused:
            continue
        for kind, found in _ways(scenario, rulebook).items():
            if _is_steady(found, kind):
                best[kind] = min(best.get(kind, found), found, key=_order)
    return best


def _order(found: Situation) -> tuple[bool, bool, int, int, str]:
    """Those that are laid before those that are dealt, and those on a board that is played on."""
    given = found.given or {}
    on_a_map_of_its_own = "map" in given
    steps = len(found.steps)
    return found.given is None, on_a_map_of_its_own, -found.options, steps, found.scenario


def main() -> int:
    """Write ``asked_in.json`` anew; 1 if a kind is asked for in no scenario."""
    pins: dict[str, dict[str, dict[str, str]]] = {}
    missing: list[str] = []
    for game, package in GAMES.items():
        for rulebook in package.rules.tags:
            best = _best(game, rulebook)
            wanted = kinds_of(game, rulebook)
            missing += sorted(wanted - best.keys())
            pins.setdefault(game, {})[rulebook] = {
                kind: best[kind].scenario for kind in sorted(wanted & best.keys())
            }
    PINS.write_bytes(msgspec.json.format(msgspec.json.encode(pins)) + b"\n")
    for kind in missing:
        sys.stderr.write(f"no situation of {kind}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
