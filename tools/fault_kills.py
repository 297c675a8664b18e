"""``python -m tools.faults kills``: a thousand kill -9 over all parts, counted, and resumed.

What the rounds came to is kept in ``tests/faults/kills.json`` and told in ``docs/faults.md`` after
each of them; a run goes on from there until there are as many kills as were asked for.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, get_args

import msgspec
from msgspec import Struct

from runtime.embedded.children import ChildError
from runtime.embedded.store import StoreError
from simulator.faults.checks import FaultDamage
from simulator.faults.kills import PROGRESS_S, KillRound, Where, kill_round
from tools.documents import table

PLACE: Final = "tests/faults/kills.json"
DOCUMENT: Final = "docs/faults.md"
COUNT: Final = 1000
_TITLE: Final = "## Kill -9"


class KillTally(Struct, forbid_unknown_fields=True):
    """What all rounds on one kind of store came to; the fields of ``KillRound``, added up.

    ``seeds`` are those of the rounds in which all held, ``broken`` says of the others what did not.
    """

    kills: dict[str, int] = {}
    in_flight: int = 0
    accepted: dict[str, int] = {}
    unknown: int = 0
    failovers: int = 0
    holds: int = 0
    received: int = 0
    kept_back: int = 0
    events: int = 0
    took_s: dict[str, list[float]] = {}
    gone_s: dict[str, list[float]] = {}
    slowest_s: float = 0.0
    late: int = 0
    lates: list[str] = []
    seeds: list[int] = []
    broken: list[str] = []

    @property
    def count(self) -> int:
        """How many kills there were."""
        return sum(self.kills.values())

    def add(self, found: KillRound) -> None:
        """Count one more round."""
        self.kills = _sum(self.kills, found.kills)
        self.accepted = _sum(self.accepted, found.accepted)
        self.in_flight += found.in_flight
        self.unknown += found.unknown
        self.failovers += found.failovers
        self.holds += found.holds
        self.received += found.received
        self.kept_back += found.kept_back
        self.events += found.events
        self.took_s = _sorted(self.took_s, found.took_s)
        self.gone_s = _sorted(self.gone_s, found.gone_s)
        self.slowest_s = max(self.slowest_s, found.slowest_s)
        self.late += found.late
        self.lates += [f"seed {found.seed}, {line}" for line in found.lates]
        self.seeds.append(found.seed)


class KillRecord(Struct, forbid_unknown_fields=True):
    """All tallies, by the kind of store, and the commits on which the rounds ran."""

    tallies: dict[Where, KillTally] = {}
    commits: list[str] = []

    @property
    def count(self) -> int:
        """How many kills there were."""
        return sum(each.count for each in self.tallies.values())

    def of(self, where: Where) -> KillTally:
        """The tally of a kind of store; a new one if there is none."""
        return self.tallies.setdefault(where, KillTally())


def load_record(root: Path) -> KillRecord:
    """The record as far as it has come; an empty one where there is none.

    Raises:
        msgspec.ValidationError: the file is no record.
    """
    path = root / PLACE
    if not path.exists():
        return KillRecord()
    record = msgspec.json.decode(path.read_bytes(), type=KillRecord)
    # The file has them by their names, and they are told as ``Where`` has them.
    kinds: tuple[Where, ...] = get_args(Where)
    record.tallies = {kind: record.tallies[kind] for kind in kinds if kind in record.tallies}
    return record


def save_record(root: Path, record: KillRecord) -> None:
    """Write the record; a reader sees the one before or this one."""
    path = root / PLACE
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(record, order="sorted")) + b"\n")
    new.replace(path)


def tell_kills(root: Path, record: KillRecord) -> None:
    """Write the section that tells of the kills anew, and leave the rest of the page as it is.

    Raises:
        ValueError: the page has no such section.
    """
    page = root / DOCUMENT
    before, title, rest = page.read_text(encoding="utf-8").partition(f"\n{_TITLE}\n")
    if not title:
        raise ValueError(f"{DOCUMENT} has no section {_TITLE!r}")
    _, heading, after = rest.partition("\n## ")
    section = "\n".join(line.rstrip() for line in lines_of_kills(record))
    page.write_text(f"{before}\n{section}\n{heading}{after}", encoding="utf-8")


def lines_of_kills(record: KillRecord) -> Iterator[str]:
    """The section that tells of them."""
    yield _TITLE
    yield ""
    if not record.count:
        yield "Not run yet: `make kills`."
        return
    flights = sum(each.in_flight for each in record.tallies.values())
    yield (
        f"`make kills`: {record.count:,} kills of all parts, {flights:,} of them"
        " at named points with a command in flight, on"
        f" {', '.join(f'`{commit}`' for commit in record.commits)}. Each round is a service in use;"
        " after it everything that was acknowledged is there once, where its receipt says; each"
        " command that is sent again has its first answer; everything that spectators received over"
        " live streams is there, byte for byte; and the whole store verifies. After each failover"
        " what had been acknowledged is looked for at once."
    )
    yield ""
    yield from table(
        ("", *record.tallies),
        (
            (name, *(_told(value) for value in values))
            for name, *values in _rows(list(record.tallies.values()))
        ),
    )
    kinds = sorted({kind for each in record.tallies.values() for kind in each.kills})
    yield from table(
        ("killed", *record.tallies),
        (
            (kind, *(_told(each.kills.get(kind, 0)) for each in record.tallies.values()))
            for kind in kinds
        ),
    )
    yield from _times_told(
        record,
        "From the moment at which a part was back until two more commands were acknowledged, in"
        " seconds, since rounds note it:",
        lambda each: each.took_s,
    )
    yield from _times_told(
        record,
        "The same from the moment at which it was killed, with the failover or the start of the"
        " part, since rounds note that too:",
        lambda each: each.gone_s,
    )
    for where, each in record.tallies.items():
        yield from (f"- **Broken**, {where}: {line}" for line in each.broken)
        yield from (f"- Late, {where}: {line}" for line in each.lates)
        if untold := each.late - len(each.lates):
            yield f"- Late, {where}: {untold} times before it was noted after what, and why."


def _rows(tallies: Sequence[KillTally]) -> Iterator[tuple[object, ...]]:
    yield "rounds in which all held", *(len(each.seeds) for each in tallies)
    yield "rounds in which something did not", *(len(each.broken) for each in tallies)
    yield "kills", *(each.count for each in tallies)
    yield "at named points with a command in flight", *(each.in_flight for each in tallies)
    levels = sorted({level for each in tallies for level in each.accepted})
    for level in levels:
        yield f"acknowledged as {level}", *(each.accepted.get(level, 0) for each in tallies)
    yield "sendings without an answer", *(each.unknown for each in tallies)
    yield "failovers", *(each.failovers for each in tallies)
    yield "holds told, and decided by an operator", *(each.holds for each in tallies)
    yield "events received by spectators, and found", *(each.received for each in tallies)
    yield (
        "of these from tables with a delay, and not too soon",
        *(each.kept_back for each in tallies),
    )
    yield "events in the stores at the end", *(each.events for each in tallies)
    yield "slowest progress after a part was back, in s", *(each.slowest_s for each in tallies)
    yield f"progress later than {PROGRESS_S:g} s", *(each.late for each in tallies)


def _times_told(
    record: KillRecord, what: str, of: Callable[[KillTally], dict[str, list[float]]]
) -> Iterator[str]:
    """A table of times, if there are any."""
    if not any(map(of, record.tallies.values())):
        return
    yield what
    yield ""
    yield from table(
        ("after", "store", "kills", "in the middle", "9 of 10 within", "slowest"),
        (
            (kind, where, len(times), *_spread(times))
            for where, each in record.tallies.items()
            for kind, times in sorted(of(each).items())
        ),
    )


def _sorted(one: dict[str, list[float]], other: dict[str, list[float]]) -> dict[str, list[float]]:
    """All times of both, by what was killed."""
    names = sorted({*one, *other})
    return {name: sorted([*one.get(name, ()), *other.get(name, ())]) for name in names}


def _spread(times: Sequence[float]) -> tuple[str, ...]:
    """Of sorted times that in the middle, that of nine in ten, and the last."""
    places = (len(times) // 2, len(times) * 9 // 10, -1)
    return tuple(f"{times[place]:.2f}" for place in places)


def _told(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _sum(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in sorted({*one, *other})}


def run_kills(root: Path, commit: str, arguments: Sequence[str]) -> int:
    """Kill until there are enough; 0 if all held."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults kills", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="in all (default: %(default)s)")
    parser.add_argument("--minutes", type=float, help="begin no round later than that")
    parser.add_argument("--where", choices=get_args(Where), help="one kind of store only")
    parser.add_argument("--seed", type=int, help="one round by this seed, of which nothing is kept")
    said = parser.parse_args(arguments)
    kinds: tuple[Where, ...] = get_args(Where) if said.where is None else (said.where,)
    if said.seed is not None:
        for where in kinds:
            print(kill_round(where, said.seed))
        return 0
    record, end = load_record(root), time.monotonic() + 60 * (said.minutes or 60 * 24)
    broken = 0
    while record.count < said.count and time.monotonic() < end:
        where = min(kinds, key=lambda each: record.of(each).count)
        broken += _one_more(record, where, secrets.randbits(32))
        record.commits = list(dict.fromkeys([*record.commits, commit]))
        save_record(root, record)
        tell_kills(root, record)
    return int(bool(broken))


def _one_more(record: KillRecord, where: Where, seed: int) -> bool:
    """One more round, counted; whether something did not hold."""
    began = time.monotonic()
    try:
        found = kill_round(where, seed)
    except (FaultDamage, ChildError, StoreError) as error:
        record.of(where).broken.append(f"seed {seed}: {str(error).splitlines()[0]}")
        print(f"BROKEN, {where}, seed {seed}: {error}", file=sys.stderr)
        return True
    record.of(where).add(found)
    seconds = time.monotonic() - began
    print(f"{where}: {found.count} kills in {seconds:.0f} s, {record.count} in all", flush=True)
    return False
