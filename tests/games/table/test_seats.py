"""The table before the game: opening, seats, readiness, house bots, invitations, the start."""

from __future__ import annotations

import pytest
from msgspec import UNSET, json
from msgspec.structs import replace

from events.draw import key_hash, seed_of
from events.kernel import Event
from games.table.checks import TableCode
from games.table.events import (
    ClockStarted,
    LeaveSeat,
    SeatLeft,
    SeatReadied,
    StartTable,
    TableStarted,
)
from games.table.state import Entropy
from tests.games.specification import (
    DIRECTOR,
    HOST,
    KEY,
    OPEN,
    P2,
    P3,
    STRANGER,
    TABLE,
    WORKER,
    ZERO,
    Given,
    bot_at,
    given,
    live,
    opened,
    player,
    sit,
    taken,
)
from tests.games.toy import ToyBegan


def began() -> list[Event]:
    """What the beginning of a game for two makes."""
    start = ZERO + 0
    return [
        TableStarted(),
        ToyBegan(seats=2, rounds=9, omen="1"),
        ClockStarted(key="t1-programming", since=start, due=start + 100_000),
    ]


def test_a_table_opens_under_a_commitment_to_its_key() -> None:
    given().when(OPEN, HOST).then(opened())
    assert opened().key_hash == key_hash(KEY)
    assert KEY not in opened().key_hash


def test_what_the_host_leaves_unsaid_is_filled_in_by_the_game() -> None:
    given().when(replace(OPEN, options={}), HOST).then(opened(options={"rounds": 2}))


def test_whoever_opens_is_the_host() -> None:
    given().when(OPEN, P2).then(opened(host="p2"))


def test_a_seat_is_taken_where_wished_or_in_the_first_free_place() -> None:
    given(opened()).when(sit(2), P2).then(taken(2))
    given(opened(), taken(1)).when(sit(2, seat=None), P2).then(taken(2))
    given(opened(), taken(2)).when(sit(1, seat=None), HOST).then(taken(1))
    given(opened(seats=3), taken(2)).when(sit(3), P3).then(taken(3))


def test_the_game_casts_the_seat_or_takes_the_wish() -> None:
    wish = ("queen", "knight")
    given(opened()).when(sit(1, characters=wish), HOST).then(taken(1, characters=wish))


def test_entropy_is_public_and_changes_the_seed() -> None:
    plain = given(opened()).when(sit(1), HOST).happened()
    salted = given(opened()).when(sit(1, entropy="dice"), HOST).then(taken(1, entropy="dice"))
    assert TABLE.seed(plain.state) != TABLE.seed(salted.state)


def test_the_first_entropy_that_a_player_gives_is_theirs_for_good() -> None:
    first = given(opened()).when(sit(1, entropy="dice"), HOST).happened()
    left = first.when(LeaveSeat(seat=1), HOST).happened()
    assert TABLE.seed(left.state) == TABLE.seed(first.state)
    again = left.when(sit(2, entropy="more-dice"), HOST).then(taken(2, player="p1", entropy="dice"))
    assert TABLE.seed(again.state) == TABLE.seed(first.state)


def test_who_gave_no_entropy_may_give_some_later() -> None:
    left = given(opened()).when(sit(1), HOST).happened().when(LeaveSeat(seat=1), HOST).happened()
    again = left.when(sit(1, entropy="dice"), HOST).then(taken(1, entropy="dice"))
    assert again.state.entropy == (Entropy("p1", "dice"),)


def test_entropy_counts_in_the_order_of_events_not_of_seats() -> None:
    one = given(opened()).when(sit(2, entropy="a"), P2).happened()
    both = one.when(sit(1, entropy="b"), HOST).happened()
    assert TABLE.seed(both.state) == seed_of(KEY, ["a", "b"]) != seed_of(KEY, ["b", "a"])


def test_a_house_bot_adds_nothing_to_the_seed() -> None:
    wish = sit(2, bot="random", entropy="dice")
    given(opened()).when(wish, HOST).then_rejected(TableCode.BOT_WITH_ENTROPY)
    plain = given(opened()).when(sit(1), HOST).happened()
    seated = plain.when(sit(2, bot="random"), HOST).happened()
    assert TABLE.seed(seated.state) == TABLE.seed(plain.state)


@pytest.mark.parametrize("text", ["Ada was here", "é", "a" * 65, "a\n", "a=", "\x00"])
def test_entropy_can_say_nothing(text: str) -> None:
    given(opened()).when(sit(1, entropy=text), HOST).then_rejected(TableCode.BAD_ENTROPY)


def test_seats_become_free_sixteen_times_and_no_more() -> None:
    past = given(opened(), taken(1))
    for _ in range(16):
        seated = past.when(sit(2), P2).happened()
        past = seated.when(LeaveSeat(seat=2), P2).then(SeatLeft(seat=2))
    full = past.when(sit(2), P2).happened()
    full.when(LeaveSeat(seat=2), P2).then_rejected(TableCode.TOO_MANY_LEAVINGS)
    full.when(LeaveSeat(seat=1), HOST).then_rejected(TableCode.TOO_MANY_LEAVINGS)
    full.when(StartTable(), HOST).happened()


def test_a_player_leaves_and_the_seat_is_free_again() -> None:
    past = given(opened(), taken(1), taken(2)).when(LeaveSeat(seat=2), P2).then(SeatLeft(seat=2))
    past.when(sit(2), P3).then(taken(2, player="p3"))


def test_the_host_may_free_any_seat() -> None:
    given(opened(), taken(2)).when(LeaveSeat(seat=2), HOST).then(SeatLeft(seat=2))


def test_whoever_leaves_is_no_longer_ready() -> None:
    past = given(opened(start="ready"), taken(1), SeatReadied(seat=1))
    again = past.when(LeaveSeat(seat=1), HOST).happened().when(sit(1), HOST).happened()
    assert not again.state.seats[1].ready


# --- the three ways to begin ---


def test_auto_begins_with_the_last_seat() -> None:
    past = given(opened(start="auto"), taken(1))
    past.when(sit(2), P2).then(taken(2), *began())


def test_host_begins_when_the_host_says_so() -> None:
    past = given(opened()).when(sit(1), HOST).happened().when(sit(2), P2).then(taken(2))
    past.when(StartTable(), HOST).then(*began())


def test_an_automatic_table_that_is_not_full_is_not_begun_by_hand() -> None:
    past = given(opened(start="auto"), taken(1))
    past.when(StartTable(), HOST).then_rejected(TableCode.TABLE_NOT_FULL)


def test_ready_begins_when_everybody_is() -> None:
    past = given(opened(start="ready"), taken(1), taken(2))
    one = past.when(StartTable(), P2).then(SeatReadied(seat=2))
    one.when(StartTable(), HOST).then(SeatReadied(seat=1), *began())


def test_ready_waits_for_free_seats() -> None:
    past = given(opened(start="ready"), taken(1))
    past.when(StartTable(), HOST).then(SeatReadied(seat=1))


def test_ready_house_bots_are_always_ready() -> None:
    past = given(opened(start="ready"), taken(1), bot_at(2))
    past.when(StartTable(), HOST).then(SeatReadied(seat=1), *began())


def test_ready_begins_with_a_house_bot_in_the_last_seat() -> None:
    """Everybody has said to be ready already: nobody is left who could start the game."""
    past = given(opened(start="ready"), taken(1), SeatReadied(seat=1))
    seat_bot = sit(2, bot="random")
    past.when(seat_bot, HOST).then(bot_at(2), *began())


def test_ready_does_not_begin_with_a_person_in_the_last_seat() -> None:
    past = given(opened(start="ready"), taken(1), SeatReadied(seat=1))
    past.when(sit(2), P2).then(taken(2))


@pytest.mark.parametrize("start", ["auto", "ready", "host"])
def test_a_running_table_takes_nobody_in_and_lets_nobody_out(start: str) -> None:
    past = live(start=start) if start == "host" else started(start)
    past.when(sit(2), P3).then_rejected(TableCode.TABLE_NOT_OPEN)
    past.when(LeaveSeat(seat=2), P2).then_rejected(TableCode.TABLE_NOT_OPEN)
    past.when(StartTable(), HOST).then_rejected(TableCode.TABLE_NOT_OPEN)


def started(start: str) -> Given:
    """A table for two that has begun in one of the ways."""
    past = given(opened(start=start), taken(1)).when(sit(2), P2).happened()
    for who in (HOST, P2):
        if past.state.phase == "open":
            past = past.when(StartTable(), who).happened()
    return past


def test_the_seats_entropy_goes_into_the_draws() -> None:
    omens = {
        begun.state.play.omen
        for salt in ("a", "b", "c", "d", "e", "f")
        for begun in [live([taken(1, entropy=salt), taken(2)])]
    }
    assert len(omens) > 1


# --- house bots ---


def test_the_host_seats_house_bots() -> None:
    past = given(opened()).when(sit(2, bot="random"), HOST).then(bot_at(2))
    past.when(LeaveSeat(seat=2), HOST).then(SeatLeft(seat=2))


def test_several_house_bots_sit_at_one_table() -> None:
    past = given(opened(seats=3), bot_at(2))
    past.when(sit(3, bot="random"), HOST).then(replace(bot_at(2), seat=3, characters=("figure-3",)))


def test_only_the_host_seats_them_and_only_those_that_exist() -> None:
    past = given(opened())
    past.when(sit(2, bot="random"), P2).then_rejected(TableCode.NOT_THE_HOST)
    past.when(sit(2, bot="deep thought"), HOST).then_rejected(TableCode.UNKNOWN_BOT)


# --- people and programs ---


def test_what_sat_down_is_marked_and_a_person_is_not() -> None:
    past = given(opened(seats=3), taken(1), bot_at(2))
    full = past.when(sit(3, program=True), P3).then(taken(3, program=True))
    seats = full.state.seats
    assert [seats[n].program for n in (1, 2, 3)] == [UNSET, True, True]
    for silent in ((taken(1), opened(), bot_at(2)), given(opened(), taken(1)).state):
        assert b'"program":' not in json.encode(silent)
        assert b'"programs":' not in json.encode(silent)


def test_a_house_bot_is_a_program_without_saying_so_twice() -> None:
    wish = sit(2, bot="random", program=True)
    given(opened()).when(wish, HOST).then(bot_at(2))


def test_a_table_may_be_for_people_alone() -> None:
    past = given().when(replace(OPEN, programs=False), HOST).then(opened(programs=False))
    past.when(sit(2, program=True), P2).then_rejected(TableCode.NO_PROGRAMS)
    past.when(sit(2, bot="random"), HOST).then_rejected(TableCode.NO_PROGRAMS)
    past.when(sit(2, bot="random"), P2).then_rejected(TableCode.NOT_THE_HOST)
    past.when(sit(2), P2).then(taken(2))


# --- who may come ---


def test_a_private_table_is_for_the_host_and_the_invited() -> None:
    past = given(opened(visibility="private", invited=("p2",)))
    past.when(sit(1), HOST).then(taken(1))
    past.when(sit(2), P2).then(taken(2))
    past.when(sit(2), P3).then_rejected(TableCode.NOT_INVITED)
    past.when(sit(2, bot="random"), HOST).then(bot_at(2))


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_other_tables_are_for_all(visibility: str) -> None:
    past = given(opened(visibility=visibility, invited=("p2",)))
    past.when(sit(2), P3).then(taken(2, player="p3"))


def test_one_player_has_one_seat() -> None:
    past = given(opened(seats=3), taken(1))
    past.when(sit(2), HOST).then_rejected(TableCode.ALREADY_SEATED)


# --- what comes first when several things are wrong ---


def test_the_order_of_refusals_when_sitting_down() -> None:
    """Phase, texts, the person (seated, invited; or host, bot), then the place."""
    bad = sit(9, entropy="a\nb")
    given().when(bad, STRANGER).then_rejected(TableCode.TABLE_NOT_OPEN)
    private = given(opened(visibility="private"), taken(1))
    private.when(bad, STRANGER).then_rejected(TableCode.BAD_ENTROPY)
    private.when(sit(9), STRANGER).then_rejected(TableCode.NOT_INVITED)
    private.when(sit(9), HOST).then_rejected(TableCode.ALREADY_SEATED)
    private.when(sit(9, bot="deep thought"), STRANGER).then_rejected(TableCode.NOT_THE_HOST)
    private.when(sit(9, bot="deep thought"), HOST).then_rejected(TableCode.UNKNOWN_BOT)
    private.when(sit(9, bot="random"), HOST).then_rejected(TableCode.UNKNOWN_SEAT)
    private.when(sit(1, bot="random"), HOST).then_rejected(TableCode.SEAT_TAKEN)
    full = given(opened(), taken(1), taken(2))
    full.when(sit(9), P3).then_rejected(TableCode.NO_FREE_SEAT)


def test_the_order_of_refusals_when_opening() -> None:
    """Phase, game, time control, then the game's own checks."""
    bad = replace(OPEN, game="chess", time=replace(OPEN.time, limits_s={"decision": 0}), mode="x")
    given(opened()).when(bad, HOST).then_rejected(TableCode.TABLE_EXISTS)
    given().when(bad, HOST).then_rejected("unknown-game")
    given().when(replace(bad, game="toy"), HOST).then_rejected(TableCode.BAD_TIME_CONTROL)
    given().when(replace(bad, game="toy", time=OPEN.time), HOST).then_rejected("bad-toy")


def test_the_order_of_refusals_when_beginning() -> None:
    given().when(StartTable(), STRANGER).then_rejected(TableCode.TABLE_NOT_OPEN)
    given(opened()).when(StartTable(), STRANGER).then_rejected(TableCode.NOT_THE_HOST)
    given(opened()).when(StartTable(), HOST).then_rejected(TableCode.TABLE_NOT_FULL)
    ready = given(opened(start="ready"), taken(1), SeatReadied(seat=1))
    ready.when(StartTable(), STRANGER).then_rejected(TableCode.NOT_SEATED)
    ready.when(StartTable(), HOST).then_rejected(TableCode.ALREADY_READY)


def test_leaving_names_a_taken_seat_of_ones_own() -> None:
    past = given(opened(), taken(1), bot_at(2))
    past.when(LeaveSeat(seat=3), STRANGER).then_rejected(TableCode.UNKNOWN_SEAT)
    for who in (STRANGER, player(3), DIRECTOR, WORKER):
        past.when(LeaveSeat(seat=2), who).then_rejected(TableCode.NOT_YOUR_SEAT)
