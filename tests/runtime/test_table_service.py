"""The table service: choices, late moves, views, turns, events."""

from __future__ import annotations

import pytest

from events.kernel import FULL, PUBLIC, Rejected, Viewer
from events.transact import NoSuchStream
from projections.views import NoSuchVersion
from runtime.table_service import NotFinished
from tests.runtime.stage import ANN, BEN, KEYS, Stage


async def test_a_choice_goes_secretly_where_the_decision_asks_for_it(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    await stage.choose(game, 1, "number-t1-s1", "3")
    own = await stage.tables.view(game, Viewer(kind="seat", seat=1))
    other = await stage.tables.view(game, Viewer(kind="seat", seat=2))
    assert own.state.play.chosen == {1: "3"}
    assert other.state.play.chosen == {1: None}


async def test_a_public_choice_is_made_in_public(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    receipt = await stage.choose(game, 2, "wave-t1-s2", "wave")
    assert receipt.count == 1
    assert (await stage.tables.view(game, PUBLIC)).state.play.waved == (2,)


async def test_a_decision_that_is_not_open_is_refused_by_its_code(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    with pytest.raises(Rejected, match="decision-not-open"):
        await stage.choose(game, 1, "number-t9-s1", "3")


async def test_a_repeated_choice_gets_its_first_answer_after_the_decision_has_gone(
    stage: Stage,
) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    first = await stage.choose(game, 1, "number-t1-s1", "3", name="mine")
    await stage.choose(game, 2, "number-t1-s2", "3")
    await stage.choose(game, 1, "pick-t1", "single")
    again = await stage.choose(game, 1, "number-t1-s1", "3", name="mine")
    assert (again.first, again.version, again.again) == (first.first, first.version, True)


async def test_a_desk_that_is_behind_still_chooses_rightly(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN,))
    behind = stage.twin()
    await behind.tables.load(game)
    await stage.sit(game, (BEN,))
    receipt = await behind.choose(game, 1, "number-t1-s1", "3", name="elsewhere")
    assert not receipt.again


async def test_a_late_move_runs_the_time_out_and_is_refused(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    clock = (await stage.tables.load(game)).state.clock
    assert clock is not None
    stage.clock.now = clock.due + 250
    with pytest.raises(Rejected, match="deadline-passed"):
        await stage.choose(game, 1, "number-t1-s1", "3")
    state = (await stage.tables.load(game)).state
    assert {seat: s.strikes for seat, s in state.seats.items()} == {1: 1, 2: 1}
    assert state.play.shown == {1: "1", 2: "1"}
    assert not await stage.tables.time_out(game)


async def test_in_the_grace_after_the_deadline_a_late_move_changes_nothing(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    before = await stage.tables.load(game)
    assert before.state.clock is not None
    stage.clock.now = before.state.clock.due + 249
    with pytest.raises(Rejected, match="deadline-passed"):
        await stage.choose(game, 1, "number-t1-s1", "3")
    assert (await stage.tables.load(game)).version == before.version


async def test_a_time_out_runs_once_however_many_call(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    assert not await stage.tables.time_out(game)
    stage.clock.now += 11_000
    other = stage.twin()
    assert [await stage.tables.time_out(game), await other.tables.time_out(game)] == [True, False]


async def test_nothing_is_due_at_a_table_that_is_paused_or_open(stage: Stage) -> None:
    game = await stage.open()
    stage.clock.now += 10**6
    assert not await stage.tables.time_out(game)


async def test_open_decisions_of_several_seats(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    found, version = await stage.tables.decisions(game, (1, 2))
    assert [d.kind for d in found] == ["number", "wave", "resign"] * 2
    assert version == (await stage.tables.load(game)).version


async def test_events_are_the_stored_bytes_for_the_public(stage: Stage) -> None:
    game = await stage.finished()
    stored = await stage.log.read(game)
    assert await stage.tables.events(game, PUBLIC) == [s.public for s in stored]
    page = await stage.tables.events(game, PUBLIC, after=3, limit=2)
    assert page == [s.public for s in stored[3:5]]


async def test_a_seat_gets_the_openings_of_its_own_secrets(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    receipt = await stage.choose(game, 1, "number-t1-s1", "3")
    for seat, opened in ((1, True), (2, False)):
        viewer = Viewer(kind="seat", seat=seat)
        [line] = await stage.tables.events(game, viewer, after=receipt.first - 1)
        assert (b'"opened"' in line) is opened


async def test_views_of_the_past_are_those_that_were_seen_then(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    viewers = (PUBLIC, Viewer(kind="seat", seat=1), FULL)
    seen = {}
    for turn in (1, 2):
        await stage.play_round(game, turn)
        for viewer in viewers:
            view = await stage.tables.view(game, viewer)
            seen[view.version, viewer] = view
    for (version, viewer), view in seen.items():
        assert await stage.tables.view(game, viewer, at=version) == view


async def test_a_version_that_does_not_exist_is_named(stage: Stage) -> None:
    game = await stage.open()
    for version in (0, -1, 2):
        with pytest.raises(NoSuchVersion, match="the last one is 1"):
            await stage.tables.view(game, PUBLIC, at=version)
    with pytest.raises(NoSuchStream):
        await stage.tables.view(stage.game("nowhere"), PUBLIC)


async def test_turns_are_found_by_their_first_version(stage: Stage) -> None:
    game = await stage.finished(rounds=3)
    for turn in (1, 2, 3):
        version = await stage.tables.version_of_turn(game, PUBLIC, turn)
        assert version is not None
        view = await stage.tables.view(game, PUBLIC, at=version)
        before = await stage.tables.view(game, PUBLIC, at=version - 1)
        assert view.state.play.turn == turn
        assert before.state.play is None or before.state.play.turn == turn - 1
    assert await stage.tables.version_of_turn(game, PUBLIC, 9) is None


async def test_a_running_game_gives_no_record(stage: Stage) -> None:
    game = await stage.open()
    with pytest.raises(NotFinished):
        await stage.tables.record(game)


async def test_the_key_of_a_table_is_that_of_its_stream(stage: Stage) -> None:
    game = await stage.finished()
    assert (await stage.tables.load(game)).state.key == KEYS.game_key(game).hex()


async def test_what_a_process_has_appended_is_kept_as_it_would_be_read(stage: Stage) -> None:
    game = await stage.open()
    await stage.tables.views.reading(game)  # from here on it grows by what is appended
    await stage.sit(game, (ANN, BEN))
    await stage.play_round(game, 1)
    grown = await stage.tables.views.reading(game, 1)
    read = await stage.twin().tables.views.reading(game)
    assert grown.version == read.version
    assert grown.stored == read.stored
    assert grown.heads == read.heads
    assert grown.envelopes == read.envelopes
    assert grown.course == read.course


async def test_events_of_others_are_not_taken_for_the_next_ones_of_a_process(stage: Stage) -> None:
    game = await stage.open()
    before = await stage.tables.views.reading(game)
    twin = stage.twin()
    twin.names = stage.names  # commands of other names
    await twin.sit(game, (ANN,))
    await stage.sit(game, (BEN,))  # decided on what the other process has appended
    assert before.version == 1
    assert (await stage.tables.views.reading(game)).version > 2
