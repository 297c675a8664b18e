"""The words of the games that scenarios may use, so that a misspelt one is noticed.

A check of something that does not happen would hold for a word that does not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from games.room25 import EVENTS
from games.room25.catalogue import ROOM_KINDS
from games.room25.choices import CHOICES
from games.table_events import TABLE_EVENTS
from replay.scenario import format as fm

EVENT_FIELDS: Final[dict[str, frozenset[str]]] = {
    str(kind.__struct_config__.tag): frozenset({"type", *kind.__struct_fields__})
    for kind in (*TABLE_EVENTS, *EVENTS)
}
"""The fields of each type of event."""

DECISION_KINDS: Final[frozenset[str]] = frozenset(CHOICES) | {
    "starting_clue",
    "program",
    "reveal_guard",
    "place_reminder",
    "claim_color",
    "resign",
    "return",
}
"""Every kind of decision, voluntary acts too."""


def strange_words(scenario: fm.Scenario) -> list[str]:
    """What a scenario says that no game knows."""
    found: list[str] = []
    for step in scenario.when:
        kind = getattr(step, "kind", None)
        if kind not in {None, *DECISION_KINDS}:
            found.append(f"no decision is of the kind {kind!r}")
    for check in _checks(scenario):
        found += _strange(check)
    return [f"{scenario.id}: {what}" for what in found]


def _checks(scenario: fm.Scenario) -> Iterator[fm.AnyCheck]:
    for step in scenario.when:
        yield from _flat(step.then)
    yield from _flat(scenario.then)
    yield from _flat(scenario.sometimes)


def _flat(checks: Iterable[fm.AnyCheck]) -> Iterator[fm.AnyCheck]:
    for check in checks:
        yield check
        if isinstance(check, fm.OneOfCheck):
            yield from _flat(check.of)


def _strange(check: fm.AnyCheck) -> list[str]:
    match check:
        case fm.OptionsCheck(kind=kind) | fm.NoDecisionCheck(kind=kind):
            known = kind in {None, *DECISION_KINDS}
            return [] if known else [f"no decision is of the kind {kind!r}"]
        case fm.TileCheck(kind=str() as room) | fm.RoomsCheck(kind=str() as room):
            return [] if room in ROOM_KINDS else [f"no room is of the kind {room!r}"]
        case fm.EventsCheck(include=include, exclude=exclude):
            return [what for pattern in (*include, *exclude) for what in _strange_event(pattern)]
        case _:
            return []


def _strange_event(pattern: fm.Pattern) -> list[str]:
    fields = EVENT_FIELDS.get(pattern.get("type", ""))
    if fields is None:
        return [f"no event is of the type {pattern.get('type')!r}"]
    return [f"{pattern['type']} has no field {name!r}" for name in sorted(set(pattern) - fields)]
