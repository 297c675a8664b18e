"""Branches of recorded games: at any version all see what they saw, and the record verifies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from events.kernel import PUBLIC, Decision, Event, Rejected, Viewer, fold, redact
from games.game_registry import installed_games
from games.table.branching import Branch, branch_of, settled_before
from games.table.checks import TableCode
from games.table.events import OpenTable, TableOpened, TableStarted, TakeSeat
from games.table.state import TableState
from replay.memory import MemoryTable
from replay.source import read_file
from replay.verify import audit
from simulator.cerveauuu import golden_recipes as cerveauuu
from simulator.golden_files import ROOT
from simulator.golden_games import new_table, player, whole_game
from simulator.option_trees import below_of, random_leaf
from simulator.room25 import golden_recipes as room25
from tests.golden_records import RECORDS, a_third_by_day, golden
from tests.replay.forging import failures

TABLE = installed_games().table
HOST = player(8)


def read(path: Path) -> MemoryTable:
    return MemoryTable.of(golden(path))


def state_at(table: MemoryTable, version: int) -> TableState:
    return fold(TABLE, (each.event for each in table.envelopes[:version]))


def branch_at(table: MemoryTable, version: int) -> Branch:
    """What a branch is opened from, at the beginning of what was decided at a version."""
    settled = settled_before(table.envelopes, version)
    rules = TABLE.rules[table.state.game]
    return branch_of(table.stream, rules, table.envelopes, settled, state_at(table, settled))


def begun(branch: Branch, name: str) -> MemoryTable:
    """A table that has begun with a branch: its host plays the first two seats, bots the rest."""
    table = opened_as(branch, name)
    for seat in range(1, branch.opened.seats + 1):
        table.now += 1000
        bot = None if seat <= 2 else "random"
        seal = "" if bot else table.name("Hana")
        table.give(TakeSeat(seat=seat, bot=bot, name_seal=seal), HOST)
    return table


def opened_as(branch: Branch, name: str) -> MemoryTable:
    """A table that is opened as a branch, with nobody at it."""
    table, opened = new_table(name), branch.opened
    command = OpenTable(
        game=opened.game,
        rulebook=opened.rulebook,
        mode=opened.mode,
        seats=opened.seats,
        options=opened.options,
        time=opened.time,
        key=table.game_key(),
        origin=branch.origin,
        laid=branch.laid,
    )
    table.give(command, HOST)
    return table


def versions(table: MemoryTable, lots: random.Random, count: int) -> list[int]:
    """Versions at which something was being decided, by lot."""
    types = [type(each.event) for each in table.envelopes]
    first, last = types.index(TableStarted) + 1, table.version
    found = range(first, last + 1)
    return [v for v in lots.sample(found, min(count, len(found))) if _is_live(table, v)]


def _is_live(table: MemoryTable, version: int) -> bool:
    return state_at(table, settled_before(table.envelopes, version)).phase == "live"


def undecided(found: list[Decision]) -> list[Decision]:
    """Decisions of the game without deadlines, which are new."""
    return [replace(each, deadline=None) for each in found if each.kind != "return"]


def assert_as_it_was(table: MemoryTable, version: int) -> MemoryTable:
    """A branch at a version shows every viewer what the game showed there."""
    branch = branch_at(table, version)
    made = begun(branch, f"{table.stream} {version}")
    settled, game = branch.origin.version, TABLE.games[table.state.game]
    void = game.void([each.event for each in table.envelopes])
    events = [e.event for e in table.envelopes[:settled]]
    counted = [event for number, event in enumerate(events) if number not in void]
    was, now = fold(TABLE, counted), made.state
    assert (now.phase, now.scenario) == ("live", True)
    assert now.play == was.play
    for seat, viewer in viewers(table, was):
        assert seen(made, viewer).play == fold(TABLE, redacted(counted, viewer)).play
        if seat and not now.seats[seat].resigned:
            asked = undecided(TABLE.decisions(replace_pause(was), seat))
            assert undecided(TABLE.decisions(now, seat)) == asked
    assert {n for n, s in now.seats.items() if s.resigned} == {
        n for n, s in was.seats.items() if s.resigned
    }
    assert [s.characters for s in now.seats.values()] == [
        s.characters for _, s in sorted(was.seats.items())
    ]
    if (halt := game.halt(was.play)) is not None and halt.wait != "response":
        assert now.play == fold(TABLE, events).play, "all was decided, so nothing is asked anew"
    return made


def replace_pause(state: TableState) -> TableState:
    """The same table, if it is paused as well."""
    twin = TABLE.copy(state)
    twin.paused_at = None
    return twin


def viewers(table: MemoryTable, state: TableState) -> Iterator[tuple[int, Viewer]]:
    yield 0, PUBLIC
    yield 0, Viewer(kind="full")
    for seat in sorted(state.seats):
        own = TABLE.games[table.state.game].viewer(state.play, seat)
        yield seat, own
        yield seat, replace(own, owner=False)


def redacted(events: list[Event], viewer: Viewer) -> Iterator[Event]:
    return (redact(event, viewer) for event in events)


def seen(table: MemoryTable, viewer: Viewer) -> TableState:
    return fold(TABLE, redacted([each.event for each in table.envelopes], viewer))


@pytest.mark.slow
@pytest.mark.parametrize("path", a_third_by_day(RECORDS), ids=lambda path: path.name)
def test_a_branch_shows_every_viewer_what_the_game_showed(path: Path) -> None:
    table = read(path)
    for version in versions(table, random.Random(path.name), 1):
        assert_as_it_was(table, version)


PLAYED = [
    room25.RECIPES[0],
    next(r for r in room25.RECIPES if r.upset == "resign"),
    next(r for r in room25.RECIPES if r.situation is not None),
    next(iter(cerveauuu.RECIPES)),
    next(r for r in cerveauuu.RECIPES if r.upset == "resign"),
]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", a_third_by_day(PLAYED), ids=lambda recipe: recipe.name)
def test_a_branch_of_a_random_game_is_played_on_and_its_record_verifies(
    recipe: room25.Recipe,
) -> None:
    lots = random.Random(recipe.name)
    game = whole_game(replace(recipe, name=f"{recipe.name}-branched", seed=lots.randrange(10**6)))
    for version in versions(game, lots, 8)[:2]:
        table = assert_as_it_was(game, version)
        play_on(table, lots)
        record = table.record()
        found = audit(read_file(record), installed_games())
        assert failures(found) == {}, "\n".join(found.lines())
        assert {f.status for f in found.findings if f.name != "signature"} == {"ok"}
        # And a branch can be branched.
        again = MemoryTable.of(read_file(record))
        assert_as_it_was(again, versions(again, lots, 8)[0])


def play_on(table: MemoryTable, lots: random.Random) -> None:
    """Play a table by lot to its end."""
    while table.pending():
        clock = table.state.clock
        later = table.now + lots.randrange(3000)
        table.now = later if clock is None else max(table.now, min(later, clock.due))
        decision = lots.choice(table.pending())
        below = below_of(TABLE, table.state, decision)
        table.choose(decision, random_leaf(lots, decision.options, below))
    assert table.state.result is not None


def test_draws_after_a_branch_are_new_and_its_key_is_its_own() -> None:
    game = read(ROOT / "records" / "suspicion-5.jsonl")
    version = versions(game, random.Random(5), 1)[0]
    one, other = (begun(branch_at(game, version), name) for name in ("one", "other"))
    assert one.state.key_hash != other.state.key_hash != game.state.key_hash
    assert len({TABLE.seed(each.state) for each in (one, other, game)}) == 3


def test_within_what_one_command_made_a_branch_begins_before_it() -> None:
    game = read(ROOT / "records" / "suspicion-5.jsonl")
    heads = [each.version for each in game.envelopes if each.batch is not None]
    begins, ends = next((a, b) for a, b in pairwise(heads[9:]) if b - a > 2)
    assert settled_before(game.envelopes, begins) == begins - 1
    assert settled_before(game.envelopes, ends - 2) == begins - 1
    assert settled_before(game.envelopes, ends - 1) == ends - 1
    assert settled_before(game.envelopes, game.version) == game.version


def test_before_the_game_and_after_it_there_is_nothing_to_play_on_from() -> None:
    game = read(ROOT / "records" / "suspicion-5.jsonl")
    for version in (1, 2, game.version):
        with pytest.raises(Rejected) as refusal:
            branch_at(game, version)
        assert refusal.value.code == "nothing-to-branch"


def test_what_never_counted_is_nowhere_in_a_branch() -> None:
    """Voided answers stay secret for ever: not even the store of the branch has them."""
    game = whole_game(replace(next(iter(cerveauuu.RECIPES)), name="void", seed=77))
    decider = TABLE.games["cerveauuu"]
    void = decider.void([each.event for each in game.envelopes])
    given = [n for n, each in enumerate(game.envelopes) if each.event.withheld]
    assert void, "some have not counted"
    assert set(given) - void, "and some have"
    last = next(v for v in range(game.version, 0, -1) if _is_live(game, v))
    laid = branch_at(game, last).laid
    answers = [fields for fields in laid if fields["type"] == "answer-given"]
    settled = settled_before(game.envelopes, last)
    assert len(answers) == len([n for n in given if n not in void and n < settled])
    assert all("choice" in fields for fields in answers)


def test_who_sealed_an_answer_that_never_counted_is_asked_again() -> None:
    game = whole_game(replace(next(iter(cerveauuu.RECIPES)), name="void", seed=77))
    void = TABLE.games["cerveauuu"].void([each.event for each in game.envelopes])
    for number in sorted(void):
        version = number + 1
        was = state_at(game, version)
        seat = was.seats and game.envelopes[number].event.seat  # type: ignore[attr-defined]
        if settled_before(game.envelopes, version) != version or was.play.window is None:
            continue
        assert seat in was.play.window.answers
        made = begun(branch_at(game, version), f"again {version}")
        assert seat not in made.state.play.window.answers
        assert any(d.seat == seat and not d.answered for d in made.pending())
        return
    raise AssertionError("there is such an answer")


def test_a_planted_fault_in_what_is_laid_is_found() -> None:
    game = read(ROOT / "records" / "suspicion-5.jsonl")
    branch = branch_at(game, game.version // 2)
    fields = next(f for f in reversed(branch.laid) if f["type"] == "character-moved")
    wrong = replace(branch, laid=tuple(f for f in branch.laid if f is not fields))
    assert begun(wrong, "wrong").state.play != state_at(game, branch.origin.version).play


def test_only_its_maker_takes_several_seats_and_characters_are_those_of_the_game() -> None:
    branch = branch_at(read(ROOT / "records" / "suspicion-5.jsonl"), 100)
    table = opened_as(branch, "seating")
    table.give(TakeSeat(seat=2, name_seal=table.name("Hana")), HOST)
    table.give(TakeSeat(seat=3, name_seal=table.name("Hana")), HOST)
    guest = player(1)
    table.give(TakeSeat(seat=1, name_seal=table.name("Ada"), characters=("max",)), guest)
    with pytest.raises(Rejected) as refusal:
        table.give(TakeSeat(seat=4, name_seal=table.name("Ada")), guest)
    assert refusal.value.code == TableCode.ALREADY_SEATED
    taken = {n: place.characters for n, place in table.state.seats.items()}
    assert taken == {n: branch.origin.characters[n - 1] for n in (1, 2, 3)}


def test_the_log_tells_the_origin_and_keeps_the_position_for_the_end() -> None:
    branch = branch_at(read(ROOT / "records" / "suspicion-5.jsonl"), 100)
    table = opened_as(branch, "seating")
    opened = table.envelopes[0].event
    assert isinstance(opened, TableOpened)
    shown = redact(opened, PUBLIC)
    assert (shown.scenario, shown.origin) == (True, branch.origin)
    assert shown.laid is UNSET
    assert b'"origin"' in table.stored[0].public
    assert b"character-moved" not in table.stored[0].public
