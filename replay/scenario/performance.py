"""Playing a scenario at a table, step by step, and judging it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from games.scenarios import Act, Check, SeatChoice, Step
from replay.scenario import format as fm
from replay.scenario.dialect import dialect_of
from replay.scenario.judging import CheckMoment, find_decision, judge, needs_full
from replay.scenario.tables import OpenDecision, ScenarioTable, Settled, TableRefusal

DEFAULTS_MAX: Final = 2000
"""Defaults taken between two steps before a scenario is given up: more than any game has."""

TOLD_MAX: Final = 3
"""The most unscripted decisions listed when a step misses one."""

MakeTable = Callable[[], ScenarioTable]


class Performance(Struct, frozen=True, kw_only=True):
    """How a scenario went with one rulebook; no ``problems``: all is as it should be."""

    scenario: str
    title: str
    rulebook: str
    problems: tuple[str, ...]


class _Stuck(Exception):
    """A step cannot be done."""


def perform(scenario: fm.Scenario, make_table: MakeTable) -> list[Performance]:
    """Play a scenario once for each rulebook, each time at tables of its own."""
    return [_perform(scenario, rulebook, make_table) for rulebook in scenario.rulebooks]


def _perform(scenario: fm.Scenario, rulebook: str, make_table: MakeTable) -> Performance:
    problems: list[str] = []
    seldom = dict.fromkeys(range(len(scenario.sometimes)), "never holds")
    for number in range(scenario.seeds):
        run = _Run(scenario, make_table())
        found = run.play(rulebook, number)
        for i in run.held:
            seldom.pop(i, None)
        if found:
            where = f"try {number}, " if scenario.seeds > 1 else ""
            problems += [f"{where}{problem}" for problem in found]
            break
    else:
        problems += [f"sometimes {i}: {what}" for i, what in seldom.items()]
    return Performance(
        scenario=scenario.id, title=scenario.title, rulebook=rulebook, problems=tuple(problems)
    )


def _version_of(one: Settled) -> int:
    return one.version


class _Run:
    """One playing of a scenario. ``held`` are the numbers of the seldom checks that held."""

    def __init__(self, scenario: fm.Scenario, table: ScenarioTable) -> None:
        self.scenario = scenario
        self.dialect = dialect_of(scenario.game)
        self.table = table
        self.held: list[int] = []
        self.problems: list[str] = []
        self.steps: list[tuple[int, str]] = []
        self.defaults: list[Settled] = []
        self.scripted: dict[tuple[int | None, str | None], int] = {}
        self.postponed: list[tuple[str, Check, CheckMoment]] = []

    def play(self, rulebook: str, number: int) -> list[str]:
        """Play it once, and return what was wrong."""
        if not self._open(rulebook, number):
            return self.problems
        try:
            for i, step in enumerate(self.scenario.when, 1):
                self._step(f"step {i} ({type(step).__name__})", step)
        except _Stuck as stuck:
            self.problems.append(str(stuck))
        else:
            self._check("at the end", self.scenario.then, 0)
            self._seldom()
        if self.postponed:
            self._look_back()
        return self.problems

    def _open(self, rulebook: str, number: int) -> bool:
        try:
            self.table.open(self.scenario, rulebook, number)
        except TableRefusal as refused:
            if refused.code != self.scenario.refused:
                self.problems.append(f"the table was refused: {refused}")
            return False
        if self.scenario.refused is not None:
            self.problems.append(f"the table was not refused ({self.scenario.refused})")
        return self.scenario.refused is None

    # --- steps ---

    def _step(self, where: str, step: Step) -> None:
        before = self.table.version()
        self.steps.append((before, where))
        try:
            self._do(step)
        except TableRefusal as refused:
            raise _Stuck(f"{where}: refused: {refused}") from None
        except _Stuck as stuck:
            raise _Stuck(f"{where}: {stuck}{self._missed(step)}") from None
        self._check(where, step.then, before)

    def _do(self, step: Step) -> None:
        match step:
            case fm.Choose():
                self._choose(step, step.decision)
            case Act():
                self._choose(step.choice())
            case fm.TimeOut():
                if step.seat is not None:
                    self._reach(step.seat, step.kind, step.character)
                self._let_time_pass()
            case fm.Resign():
                self.table.choose(step.seat, self._reach(step.seat, "resign"), "resign")
            case fm.RunUntil():
                by_time = self._let_time_pass if step.by == "time_out" else self._take_default
                self._run(lambda: self._arrived(step), by_time, may_end=step.end)
            case fm.Look():
                pass

    def _choose(self, step: fm.Choose | SeatChoice, named: str | None = None) -> None:
        """Choose as a step says; ``named`` is the decision to try where none is open."""
        if step.refused is not None:
            self._choose_in_vain(step, named, step.refused)
            return
        decision = self._reach(step.seat, step.kind, step.character)
        self.scripted[step.seat, step.kind] = self.table.version()
        self.table.choose(step.seat, decision, step.option)

    def _choose_in_vain(self, step: fm.Choose | SeatChoice, named: str | None, code: str) -> None:
        """Try something where the game stands; it must be refused and change nothing."""
        found = find_decision(self.table, step.seat, step.kind, step.character)
        decision = found.id if found is not None else named
        if decision is None:
            raise _Stuck("no such decision is open: the step must name one by `decision`")
        before = self.table.version()
        try:
            self.table.choose(step.seat, decision, step.option)
        except TableRefusal as refused:
            if refused.code != code:
                raise
        else:
            raise _Stuck(f"it was not refused ({code})")
        if self.table.version() != before:
            raise _Stuck("it was refused, but something has changed")

    def _reach(self, seat: int, kind: str | None, character: str | None = None) -> str:
        """Run on defaults until a decision is open; its id."""
        found = find_decision(self.table, seat, kind, character)
        if found is None:
            self._run(
                lambda: find_decision(self.table, seat, kind, character) is not None,
                self._take_default,
            )
            found = find_decision(self.table, seat, kind, character)
        if found is None:
            raise _Stuck(f"seat {seat} is not asked for {kind}")
        return found.id

    def _run(
        self, arrived: Callable[[], bool], go_on: Callable[[], None], *, may_end: bool = False
    ) -> None:
        for _ in range(DEFAULTS_MAX):
            if arrived():
                return
            if self._over():
                raise _Stuck("the game ended before that" if not may_end else "never so at the end")
            go_on()
        raise _Stuck("that never comes")

    def _take_default(self) -> None:
        """Choose the default of one decision that the game waits for."""
        for seat in range(1, self.scenario.seats + 1):
            found = find_decision(self.table, seat, None)
            if found is not None and found.default is not None:
                self._note_default(seat, found)
                self.table.choose(seat, found.id, found.default)
                return
        raise _Stuck("the game goes on, but waits for nobody")

    def _let_time_pass(self) -> None:
        for seat in range(1, self.scenario.seats + 1):
            for found in self.table.decisions(seat):
                if not (found.optional or found.answered):
                    self._note_default(seat, found)
        self.table.let_time_pass()

    def _note_default(self, seat: int, found: OpenDecision) -> None:
        self.defaults.append(
            Settled(
                version=self.table.version(),
                seat=seat,
                kind=found.kind,
                decision=found.id,
                option=found.default,
                character=found.character,
                asked=True,
            )
        )

    def _arrived(self, step: fm.RunUntil) -> bool:
        turn, phase = self.dialect.told.now(self.table.view("public")["play"])
        if step.end != self._over():
            return False
        if step.turn not in {None, turn} or step.phase not in {None, phase}:
            return False
        if step.seat is None:
            return True
        return find_decision(self.table, step.seat, step.kind, step.character) is not None

    def _over(self) -> bool:
        result: Any = self.table.view("public")["result"]
        return result is not None

    # --- what nobody scripted ---

    def _missed(self, part: Struct) -> str:
        """Whether a decision awaited in vain by a step or check was settled without it, and how.

        Lists such decisions since the seat's last scripted one, in order.
        """
        part = part.choice() if isinstance(part, Act) else part
        seat, kind = getattr(part, "seat", None), getattr(part, "kind", None)
        name = getattr(part, "character", None)
        if seat is None or kind is None:
            return ""
        begun = self.scripted.get((seat, kind), -1)
        found = [
            one
            for one in sorted([*self.table.unasked(), *self.defaults], key=_version_of)
            if (one.seat, one.kind) == (seat, kind)
            and name in {None, one.character}
            and one.version > begun
        ]
        told = [f"; {self._story(one)}" for one in found[:TOLD_MAX]]
        more = f"; and {len(found) - TOLD_MAX} more like it" if len(found) > TOLD_MAX else ""
        return "".join(told) + more

    def _overtaken(self, check: Check) -> str:
        """The same for a decision that a check wants open; a server would have to end the game."""
        if not isinstance(check, fm.OptionsCheck) or self.table.full_at_end:
            return ""
        found = find_decision(self.table, check.seat, check.kind, check.character)
        return self._missed(check) if found is None else ""

    def _story(self, one: Settled) -> str:
        where = next((step for version, step in reversed(self.steps) if version <= one.version), "")
        where = where or "the beginning"
        whose = f"seat {one.seat}" + (f", {one.character}" if one.character else "")
        decision = f"{one.kind} ({one.decision}; {whose})"
        if one.asked:
            return f"its default {one.option} was taken for {decision} in {where}"
        how = (
            f"had one option, {one.option}, which"
            if one.option is not None
            else "had no option and"
        )
        return f"{decision} {how} was settled without asking in {where}"

    # --- checks ---

    def _check(self, where: str, checks: Sequence[Check], before: int) -> None:
        moment = CheckMoment(self.table.version(), before)
        for check in checks:
            if self.table.full_at_end and needs_full(check):
                past = CheckMoment(moment.version, moment.before, past=True)
                self.postponed.append((where, check, past))
                continue
            complaint = judge(check, self.table, moment, self.dialect)
            if complaint is not None:
                self.problems.append(f"{where}: {complaint}{self._overtaken(check)}")

    def _seldom(self) -> None:
        moment = CheckMoment(self.table.version(), 0, past=self.table.full_at_end)
        if self.table.full_at_end and any(map(needs_full, self.scenario.sometimes)):
            self.table.close()
        for i, check in enumerate(self.scenario.sometimes):
            if judge(check, self.table, moment, self.dialect) is None:
                self.held.append(i)

    def _look_back(self) -> None:
        """Judge what could not be seen while the game ran."""
        self.table.close()
        for where, check, moment in self.postponed:
            complaint = judge(check, self.table, moment, self.dialect)
            if complaint is not None:
                self.problems.append(f"{where}: {complaint}")
