"""``python -m tools.mutating.trial learn|try``: the tests that a mutant must get past.

It runs inside a copy of the tree (see ``tools.mutating.tree``). ``learn`` plays every test once
unchanged and notes which lines of the rules it runs through. ``try`` finds out what is changed and
plays the tests that run through it, until one fails; its last line says how it went, and its exit
code is 1 if the mutant was noticed.
"""

from __future__ import annotations

import ast
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

import msgspec

from tools.mutating.baseline import Test
from tools.mutating.footprint import Footprint, Lines
from tools.mutating.places import changed_lines, statement
from tools.mutating.tree import rules

PRISTINE: Final = Path("../pristine")
LEARNED: Final = Path("../learned")
KILLERS: Final = LEARNED / "killers.json"
SCENARIO: Final = "scenario "
START_S: Final = 20
"""Processor time for starting up."""
MEMORY: Final = 4 << 30
SPEECH: Final = os.dup(1)
"""Where the verdict goes, whatever pytest does with the standard output."""


def say(verdict: str) -> None:
    """Write the verdict as a line of its own."""
    os.write(SPEECH, f"\n{verdict}\n".encode())


def hurry(what: str, seconds: float) -> None:
    """From now on: give up on what is done next after so much processor time."""

    def give_up(_: int, __: FrameType | None) -> NoReturn:
        say(f"timed out: {what}")
        os._exit(1)

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)


# --- learn ---


def learn() -> None:
    """Note what each test runs through.

    Raises:
        SystemExit: a test fails without any change.
    """
    footprint = Footprint(Path(rules()).resolve())
    with footprint.follow() as started:
        from tools.mutating import stories, units  # noqa: PLC0415 (to see what the import runs through)

    walked: list[tuple[Test, Lines]] = []

    def note(name: str, seconds: float) -> None:
        walked.append((Test(name, seconds), footprint.lines))

    failed = stories.learn(footprint, note) or units.learn(footprint, note)
    if failed:
        raise SystemExit(f"fails without any change: {failed}")
    through: defaultdict[str, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, (_, lines) in enumerate(walked):
        for module, line in sorted(lines):
            through[module][line].append(number)
    LEARNED.mkdir(exist_ok=True)
    (LEARNED / "tests.json").write_bytes(msgspec.json.encode([test for test, _ in walked]))
    (LEARNED / "started.json").write_bytes(msgspec.json.encode(sorted(started)))
    for module, numbers in through.items():
        (LEARNED / f"{_flat(module)}.json").write_bytes(msgspec.json.encode(numbers))


def _flat(module: str) -> str:
    return module.replace("/", "-")


# --- try ---


def attempt() -> str:
    """Play the tests against what is changed; the verdict."""
    module, candidates = select()
    if not candidates:
        return "not covered"
    try:
        from tools.mutating import stories  # noqa: PLC0415 (a mutant may not even start)
    except Exception as error:  # noqa: BLE001 (whatever a mutant raises)
        return f"killed by starting up ({type(error).__name__})"
    counts = _killers(module)
    candidates.sort(key=lambda test: (-counts[test.name], test.seconds))
    told = [test for test in candidates if test.name.startswith(SCENARIO)]
    killer = stories.play(told, hurry)
    rest = [test for test in candidates if not test.name.startswith(SCENARIO)]
    if killer is None and rest:
        from tools.mutating import units  # noqa: PLC0415 (pytest is not worth its start for most)

        killer = units.play(rest, hurry)
    if killer is None:
        return f"survived {len(candidates)} tests"
    counts[killer] += 1
    with suppress(OSError):  # only a hint of where to begin
        KILLERS.write_bytes(msgspec.json.encode({**_all_killers(), module: dict(counts)}))
    return f"killed by {killer}"


def select() -> tuple[str, list[Test]]:
    """The module that is changed, and the tests that run through the change.

    Raises:
        SystemExit: nothing is changed.
    """
    tests = msgspec.json.decode((LEARNED / "tests.json").read_bytes(), type=list[Test])
    for path in sorted(PRISTINE.rglob("*.py")):
        module = path.relative_to(PRISTINE).as_posix()
        text = path.read_text(encoding="utf-8")
        after = (Path(rules()) / module).read_text(encoding="utf-8")
        span = changed_lines(text.splitlines(), after.splitlines())
        if span is not None:
            return module, _through(module, ast.parse(text), range(span[0], span[1] + 1), tests)
    raise SystemExit("nothing is changed")


def _through(module: str, tree: ast.Module, lines: Iterable[int], tests: list[Test]) -> list[Test]:
    learned = LEARNED / f"{_flat(module)}.json"
    numbers = (
        msgspec.json.decode(learned.read_bytes(), type=dict[int, list[int]])
        if learned.exists()
        else {}
    )
    read = (LEARNED / "started.json").read_bytes()
    started = {line for name, line in msgspec.json.decode(read, type=Lines) if name == module}
    found: set[int] = set()
    for line in lines:
        (first, last), inside = statement(tree, line)
        spanned = range(first, last + 1)
        if not inside or not started.isdisjoint(spanned):
            return list(tests)  # runs at the import: any test may depend on it
        for each in spanned:
            found.update(numbers.get(each, ()))
    return [tests[number] for number in sorted(found)]


def _all_killers() -> dict[str, dict[str, int]]:
    try:
        return msgspec.json.decode(KILLERS.read_bytes(), type=dict[str, dict[str, int]])
    except (OSError, msgspec.DecodeError):
        return {}


def _killers(module: str) -> Counter[str]:
    return Counter(_all_killers().get(module, {}))


def main() -> None:
    """Learn or try, as the only argument says."""
    if sys.argv[1:] == ["learn"]:
        learn()
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    hurry("starting up", START_S)
    begun = time.process_time()
    verdict = attempt()
    say(f"{verdict} ({time.process_time() - begun:.1f} s)")
    sys.stdout.flush()
    os._exit(0 if verdict.startswith(("survived", "not covered")) else 1)


if __name__ == "__main__":
    main()
