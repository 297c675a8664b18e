"""The page's own fold (web/fold), in a browser and without a service.

What views must be comes from the vectors of games (docs/vectors.md), and from the service's own
fold for every golden game and for every scenario. By day each vector is told to the public, to who
sees all and to one seat, a few golden games show every kind of event, and each scenario is played
with one of its rulebooks, whose end is compared (decision 66).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from events.kernel import FULL, PUBLIC, Event, Viewer, redact
from events.kernel import fold as fold_log
from games.table.events import CloseTable, Delay, OpenTable
from replay.scenario.engine import HOST, TABLE, EngineTable
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from service.contract.bodies import encode_canonical
from tests.e2e.folding import (
    BY_DAY,
    DAY_AND_NIGHT,
    GAMES,
    Call,
    Json,
    astray,
    caller,
    difference,
    golden,
    kinds,
    lines,
    named,
    sha256,
    unlike,
)
from tests.scenario_files import FILES as SCENARIO_FILES
from tests.scenario_files import scenarios_of
from tools.vectors import VECTORS, Told

FILES: Final = sorted(VECTORS.glob("*.json"))


@pytest.fixture
def fold(modules: Page) -> Call:
    """Calls a function of pages/fold.js."""
    return caller(modules)


# --- vectors, golden games, scenarios ---


def put(document: Any, pointer: str, value: Any) -> Any:
    if pointer == "":
        return value
    first, slash, rest = pointer[1:].partition("/")
    first = first.replace("~1", "/").replace("~0", "~")
    return {**document, first: put(document.get(first), slash + rest, value)}


def views(vector: Json, viewer: str) -> Iterator[Json]:
    """What a viewer sees at each version, as docs/vectors.md says."""
    over = {step["v"]: step for step in vector["viewers"].get(viewer, {"over": []})["over"]}
    public = {step["v"]: step["set"] for step in vector["public"]}
    seen: Any = None
    known: Json = {}
    for version in range(1, len(vector["lines"]) + 1):
        for pointer, value in public.get(version, {}).items():
            seen = put(seen, pointer, value)
        news = over.get(version, {"set": {}})
        known |= news["set"]
        known = {p: v for p, v in known.items() if p not in news.get("drop", [])}
        view = seen
        for pointer, value in known.items():
            view = put(view, pointer, value)
        yield view


def told_to(vector: Json, viewer: str) -> list[str]:
    """The lines of a viewer."""
    opened = vector["viewers"].get(viewer, {"opened": {}})["opened"]
    return [
        f'{line[:-1]},"opened":{opened[str(v)]}}}' if str(v) in opened else line
        for v, line in enumerate(vector["lines"], 1)
    ]


def by_day(vector: Json, number: int) -> set[str]:
    """The viewers of a vector to whom it is told by day: of the seats one, by the ``number``."""
    seats = sorted(viewer for viewer in vector["viewers"] if viewer != "full")
    return {"public", "full", seats[number % len(seats)]}


# By night the other seats: by day seats have their turns.
@pytest.mark.parametrize(
    "night", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["day", "night"]
)
@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_vector_holds_at_every_version_for_every_viewer(
    path: Path, fold: Call, *, night: bool
) -> None:
    vector = json.loads(path.read_text(encoding="utf-8"))
    publics = [sha256(line) for line in vector["lines"]]
    every, few = {"public", *vector["viewers"]}, by_day(vector, FILES.index(path))
    for viewer in sorted(every - few if night else few):
        raw, wanted = told_to(vector, viewer), list(views(vector, viewer))
        found = fold("digests", raw)
        wrong = astray(found["views"], wanted)
        assert wrong == [], told(fold, raw, wanted, wrong[0])
        assert found["publics"] == publics
        opened = vector["viewers"].get(viewer, {"opened": {}})["opened"]
        checked = fold("openings", raw)
        assert checked["wrong"] == []
        assert checked["opened"] == sum(len(json.loads(text)) for text in opened.values())


def told(fold: Call, raw: list[str], wanted: list[Json], version: int) -> str:
    """What is wrong after a line."""
    event = json.loads(raw[version - 1])["event"]
    found = difference(fold("played", raw)[version - 1], wanted[version - 1])
    return f"at version {version}, after {event}:\n{found}"


def test_by_day_golden_games_show_all_that_there_is() -> None:
    assert set().union(*map(kinds, BY_DAY)) == set().union(*map(kinds, GAMES))
    assert 2 * len(BY_DAY) < len(GAMES)
    some = next(path for path in GAMES if path.stem == "bga-X-U22")
    types = {line["event"]["type"] for line in map(json.loads, lines(golden(some.stem)))}
    assert kinds(some) >= {(b"room25", each.encode()) for each in types}
    assert kinds(some) >= {(b"room25", b"bga"), some.parent.name}


# By day the vectors say what the public sees.
@pytest.mark.parametrize(
    "viewer", [FULL, pytest.param(PUBLIC, marks=pytest.mark.nightly)], ids=["full", "public"]
)
@pytest.mark.parametrize("path", DAY_AND_NIGHT)
def test_every_golden_game_folds_as_the_service_folds_it(
    path: Path, viewer: Viewer, fold: Call
) -> None:
    game = Told(path.read_bytes())
    raw = lines(game, viewer)
    wanted = list(folded(redact(each.event, viewer) for each in game.envelopes))
    wrong = unlike(fold("digests", raw)["views"], wanted)
    assert wrong == [], told(fold, raw, [*map(json.loads, wanted)], wrong[0])


SEATS: Final = tuple(Viewer(kind="seat", seat=seat) for seat in range(1, 9))


@pytest.mark.parametrize(
    "night",
    [
        False,
        # By day each in one rulebook, as it ends for who sees all; golden games and vectors say by
        # day what is seen after each event, and by a seat.
        pytest.param(True, marks=pytest.mark.nightly),
    ],
    ids=["day", "night"],
)
@pytest.mark.parametrize("path", SCENARIO_FILES, ids=named)
def test_every_scenario_folds_as_the_service_folds_it(
    path: Path, fold: Call, *, night: bool
) -> None:
    scenarios = scenarios_of(path)
    tables = played(scenarios if night else in_turn(scenarios))
    # By night who sees all is followed event by event; every other view is compared at the end.
    for viewer in (FULL, PUBLIC, *SEATS) if night else (FULL,):
        logs = [
            [redact(event, viewer) for event in table.log]
            for table in tables
            if viewer.seat is None or viewer.seat in table.state.seats
        ]
        every = night and viewer == FULL
        found = fold("folded", [json.loads(msgspec.json.encode(log)) for log in logs], every)
        for log, digests in zip(logs, found, strict=True):
            wanted = list(folded(log)) if every else [at_last(log)]
            assert unlike(digests, wanted) == [], f"{viewer}: {log}"


def in_turn(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """The same, each for one of its rulebooks, the first, the second and so on."""
    return [
        replace(scenario, rulebooks=(scenario.rulebooks[n % len(scenario.rulebooks)],))
        for n, scenario in enumerate(scenarios)
    ]


def test_by_day_every_rulebook_has_scenarios() -> None:
    found: dict[str, Counter[str]] = {"all": Counter(), "by day": Counter()}
    for path in SCENARIO_FILES:
        scenarios = scenarios_of(path)
        for when, those in (("all", scenarios), ("by day", in_turn(scenarios))):
            found[when].update(book for each in those for book in each.rulebooks)
    assert found["all"].total() > found["by day"].total()
    assert all(found["by day"][book] >= many / 4 for book, many in found["all"].items())


def played(scenarios: Iterable[Scenario]) -> list[EngineTable]:
    """The tables of scenarios, each with every rulebook that it is for."""
    tables: list[EngineTable] = []

    def table() -> EngineTable:
        tables.append(EngineTable())
        return tables[-1]

    for scenario in scenarios:
        perform(replace(scenario, seeds=1, sometimes=()), table)
    return [table for table in tables if table.log]  # some are refused, and meant to be


def folded(log: Iterable[Event]) -> Iterator[bytes]:
    """The canonical text of the service's view after each event."""
    state = TABLE.initial()
    for event in log:
        state = TABLE.evolve(state, event)
        yield encode_canonical(state)


def at_last(log: Iterable[Event]) -> bytes:
    """The last of them: to write one takes longer than to fold ten events."""
    return encode_canonical(fold_log(TABLE, log))


@pytest.mark.parametrize(
    "wish",
    [{"delay": Delay(turns=2)}, {"delay": Delay(seconds=90)}, {"tournament": "cup-2026"}],
    ids=["turns", "seconds", "tournament"],
)
def test_a_delay_and_a_tournament_are_told_as_they_were_set(wish: Json, fold: Call) -> None:
    table = EngineTable()
    key = "00" * 32
    opening = OpenTable(
        game="room25", rulebook="first_edition", mode="solo", seats=1, key=key, **wish
    )
    table.give(opening, HOST)
    (text,) = folded(table.log)
    view = json.loads(text)
    assert view.items() >= msgspec.to_builtins(wish).items()
    (digests,) = fold("folded", [json.loads(msgspec.json.encode(table.log))], True)  # noqa: FBT003 (every one)
    assert astray(digests, [view]) == []


def test_a_table_that_is_closed_before_its_game_began_says_so(fold: Call) -> None:
    table = EngineTable()
    opening = OpenTable(
        game="room25", rulebook="first_edition", mode="solo", seats=1, key="00" * 32
    )
    table.give(opening, HOST)
    table.give(CloseTable(), HOST)
    wanted = [json.loads(text) for text in folded(table.log)]
    assert ["unbegun" in view for view in wanted] == [False, True, True]
    (digests,) = fold("folded", [json.loads(msgspec.json.encode(table.log))], True)  # noqa: FBT003 (every one)
    assert astray(digests, wanted) == []


# --- lines ---


def test_only_the_last_member_is_cut(modules: Page) -> None:
    parse = "async (text) => (await import('/web/fold/lines.js')).parseLine(text)"
    seen = """async (text) => {
        const { parseLine, seen } = await import('/web/fold/lines.js');
        return seen(parseLine(text));
    }"""
    event = '{"a":{"x":1,"opened":{"event.b":2}},"type":"t"}'
    inner = f'{{"at":5,"event":{event},"note":",\\"opened\\":{{","v":3'
    value = '{"c":1,"opened":{"d":2}}'
    opened = f'"event.k":{{"salt":"s","value":{value}}},"command.key":{{"salt":"s","value":1}}'
    plain, whole = f"{inner}}}", f'{inner},"opened":{{{opened}}}}}'
    for text in (plain, whole):
        line = modules.evaluate(parse, text)
        assert line["publicText"] == plain
        assert line["event"] == {"a": {"x": 1, "opened": {"event.b": 2}}, "type": "t"}
        assert (line["version"], line["at"], line["batch"], line["shape"]) == (3, 5, None, 1)
    assert modules.evaluate(parse, plain)["opened"] == {}
    assert modules.evaluate(parse, whole)["opened"] == json.loads(f"{{{opened}}}")
    assert modules.evaluate(seen, plain) == json.loads(plain)["event"]
    assert modules.evaluate(seen, whole) == json.loads(plain)["event"] | {
        "k": {"c": 1, "opened": {"d": 2}}
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '{"snapshot":{}}',
        '{"end":{"version":3}}',
        '{"at":1,"event":{"type":"t"}}',
        '{"at":1,"event":{"type":"t"},"v":"1"}',
        '{"at":1,"event":{},"v":1}',
        '{"at":1,"event":{"type":"t"},"v":1,"opened":{},"more":1}',
    ],
)
def test_what_is_no_event_line_is_refused(text: str, fold: Call) -> None:
    assert fold("refused", text) == "SyntaxError"


# --- what this page does not know ---


def test_unknown_events_are_passed_over(fold: Call) -> None:
    told = golden("bga-X-U22")
    raw = lines(told)
    before = json.loads(fold("played", raw)[-1])
    for kind in ("weather-changed", "constructor", "__proto__", ""):
        assert fold("after", raw, {"type": kind, "character": "nobody"}) == before
        assert fold("after", [], {"type": kind})["phase"] == "none"


def test_a_table_of_an_unknown_game_is_a_table_all_the_same(fold: Call) -> None:
    raw = lines(golden("cooperation-2"))
    strange = [raw[0].replace('"game":"room25"', '"game":"chess"'), *raw[1:]]
    found = json.loads(fold("played", strange)[-1])
    assert found["play"] is None
    assert found["phase"] == "finished"
    assert fold("respelt", [found | {"play": {"board": 64}}]) == 0


def test_unknown_members_of_a_view_stay(fold: Call) -> None:
    view = list(golden("bga-X-U22").views(PUBLIC))[-1]
    play = view["play"]
    more = {name: each | {"mood": "calm"} for name, each in play["characters"].items()}
    assert fold("respelt", [view | {"weather": "fog", "play": play | {"characters": more}}]) == 0
