"""The judge of streams finds each kind of flaw, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from msgspec.structs import replace

from simulator.delivery_history import (
    ALTERED,
    CUT_SHORT,
    DELIVERY_CHECKS,
    PUBLIC,
    REPEATED,
    SKIPPED,
    TOO_SOON,
    Listening,
    ReadAfterwards,
    StreamLine,
    judge_deliveries,
    kept_back,
)

GAME, ADA = "g00-a", "ada"
LOGGED = tuple(b'{"at":%d,"v":%d}' % (10 * n, n) for n in range(1, 5))
OPENED = b'{"at":20,"v":2,"opened":{"event.cell":{"salt":"s","value":"r1c2"}}}'
SEEN = (LOGGED[0], OPENED, *LOGGED[2:])
"""What a seat reads: one of the events has something that only it may open."""


def connection(after: int, *versions: int, viewer: str = ADA) -> Listening:
    lines = SEEN if viewer == ADA else LOGGED
    delivered = [StreamLine(version, lines[version - 1]) for version in versions]
    return Listening(viewer=viewer, game=GAME, after=after, delivered=delivered)


Run = tuple[list[Listening], list[ReadAfterwards]]


def run() -> Run:
    """Two viewers, of whom one came back twice, once before anything had come."""
    connections = [
        connection(0, 1, 2),
        connection(2),
        connection(2, 3, 4),
        connection(0, 1, 2, 3, 4, viewer=PUBLIC),
    ]
    connections[-1].has_ended = True
    read = [
        ReadAfterwards(viewer=ADA, game=GAME, lines=SEEN, public=LOGGED),
        ReadAfterwards(viewer=PUBLIC, game=GAME, lines=LOGGED, public=LOGGED),
    ]
    return connections, read


def test_what_holds_is_not_complained_of() -> None:
    assert judge_deliveries(*run()) == []


def test_nor_that_less_came_than_there_is() -> None:
    """A viewer may leave at any time, and a game may go on when all has been read."""
    connections, read = run()
    del connections[2]
    read[0] = replace(read[0], public=(*LOGGED, b'{"at":50,"v":5}'))
    assert judge_deliveries(connections, read) == []


def skipped_at_once(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    del connections[2].delivered[0]


def skipped_between(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    del connections[3].delivered[1]


def repeated(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    connections[0].delivered.append(connections[0].delivered[-1])


def repeated_after_coming_back(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    connections[2] = replace(connection(0, 1, 2, 3, 4), after=2)


def out_of_order(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    connections[2].delivered.reverse()


def vanished(_: list[Listening], read: list[ReadAfterwards]) -> None:
    read[1] = replace(read[1], lines=LOGGED[:3], public=LOGGED[:3])


def unknown_game(_: list[Listening], read: list[ReadAfterwards]) -> None:
    del read[1]


def another_line(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    connections[0].delivered[0] = StreamLine(1, b'{"at":11,"v":1}')


def an_opening_that_is_none(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    connections[3].delivered[1] = StreamLine(2, OPENED)


def an_opening_left_out(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    connections[0].delivered[1] = StreamLine(2, LOGGED[1])


def read_otherwise_than_logged(_: list[Listening], read: list[ReadAfterwards]) -> None:
    read[0] = replace(read[0], public=(b'{"at":9,"v":1}', *LOGGED[1:]))


def read_more_than_logged(_: list[Listening], read: list[ReadAfterwards]) -> None:
    read[0] = replace(read[0], public=LOGGED[:3])


def cut_short(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    del connections[3].delivered[-1]


def cut_short_at_once(connections: list[Listening], _: list[ReadAfterwards]) -> None:
    connections[1].has_ended = True


BEHIND = "g01-b"
DELAYED = (
    b'{"at":10,"event":{"delay":{"seconds":5},"type":"table-opened"},"v":1}',
    b'{"at":20,"event":{"type":"table-started"},"v":2}',
    b'{"at":20,"event":{"type":"turn-began"},"v":3}',
    b'{"at":30,"event":{"type":"turn-ended"},"v":4}',
    b'{"at":9000,"event":{"type":"table-closed"},"v":5}',
)
"""A game that spectators see five seconds late, until it is over."""


def behind(times: tuple[int, ...], log: tuple[bytes, ...] = DELAYED) -> Run:
    """A spectator who got its lines at these times, and a player who got them at once."""
    lines = [
        StreamLine(n, line, at) for n, (line, at) in enumerate(zip(log, times, strict=False), 1)
    ]
    seat = [StreamLine(n, line, 30) for n, line in enumerate(log, 1)]
    connections = [
        Listening(viewer=PUBLIC, game=BEHIND, after=0, delivered=lines),
        Listening(viewer=ADA, game=BEHIND, after=0, delivered=seat),
    ]
    read = [ReadAfterwards(viewer=who, game=BEHIND, lines=log, public=log) for who in (PUBLIC, ADA)]
    return connections, read


@pytest.mark.parametrize("times", [(10, 20, 5020, 5030, 9000), (10, 20, 9000, 9000, 9000), (0, 0)])
def test_a_spectator_may_have_a_line_when_its_delay_or_the_game_is_over(
    times: tuple[int, ...],
) -> None:
    run = behind(times)
    assert judge_deliveries(*run) == []
    assert kept_back(*run) == len(times[2:])


@pytest.mark.parametrize("times", [(10, 20, 5019), (10, 20, 5020, 5029), (10, 20, 0)])
def test_one_that_has_it_sooner_is_found(times: tuple[int, ...]) -> None:
    for log in (DELAYED, DELAYED[:4]):
        assert {each.check for each in judge_deliveries(*behind(times, log))} == {TOO_SOON}


def test_what_came_while_nothing_is_hidden_is_in_time() -> None:
    open_to_all = (DELAYED[0].replace(b'{"seconds":5}', b"null"), *DELAYED[1:])
    run = behind((10, 20, 20, 30, 9000), open_to_all)
    assert judge_deliveries(*run) == []
    assert kept_back(*run) == 0


TURNS: Final = (
    b'{"at":10,"event":{"delay":{"turns":2},"type":"table-opened"},"v":1}',
    b'{"at":20,"event":{"type":"table-started"},"v":2}',
    b'{"at":20,"event":{"type":"laid"},"v":3}',
    b'{"at":30,"event":{"type":"first"},"v":4}',
    b'{"at":40,"event":{"type":"first"},"v":5}',
    b'{"at":50,"event":{"type":"second"},"v":6}',
    b'{"at":70,"event":{"type":"third"},"v":7}',
)
"""A game of which spectators do not see the last two turns; these begin at 4, 6 and 7."""

OVER: Final = b'{"at":99,"event":{"type":"table-closed"},"v":8}'


def turns_behind(times: tuple[int, ...], log: tuple[bytes, ...] = TURNS) -> Run:
    """The same as ``behind``, at a table with a delay in turns."""
    connections, read = behind(times, log)
    return connections, [replace(each, turns=(4, 6, 7)) for each in read]


@pytest.mark.parametrize(
    ("times", "log"),
    [
        ((10, 20, 50), TURNS),  # what was before the first turn, once the second runs
        ((10, 20, 70, 70, 70), TURNS),  # the first turn, once the third runs
        ((10, 20, 50, 70, 70, 99, 99, 99), (*TURNS, OVER)),
    ],
)
def test_a_spectator_may_have_a_line_when_so_many_turns_have_begun_after_its_own(
    times: tuple[int, ...], log: tuple[bytes, ...]
) -> None:
    run = turns_behind(times, log)
    assert judge_deliveries(*run) == []
    assert kept_back(*run) == len(times[2:])


@pytest.mark.parametrize(
    ("times", "log"),
    [
        ((10, 20, 49), TURNS),
        ((10, 20, 70, 69), TURNS),
        ((10, 20, 70, 70, 70, 10**9), TURNS),  # the second turn, which no log lets anybody have
        ((10, 20, 50, 70, 70, 98), (*TURNS, OVER)),
    ],
)
def test_one_that_has_it_while_its_turn_is_hidden_is_found(
    times: tuple[int, ...], log: tuple[bytes, ...]
) -> None:
    found = judge_deliveries(*turns_behind(times, log))
    assert [each.check for each in found] == [TOO_SOON]


def too_soon(connections: list[Listening], read: list[ReadAfterwards]) -> None:
    more, afterwards = behind((10, 20, 5020, 5029))
    connections += more
    read += afterwards


def all_at_once(connections: list[Listening], read: list[ReadAfterwards]) -> None:
    more, afterwards = behind((10, 20, 20, 30, 9000))
    connections += more
    read += afterwards


def a_turn_too_soon(connections: list[Listening], read: list[ReadAfterwards]) -> None:
    more, afterwards = turns_behind((10, 20, 49))
    connections += more
    read += afterwards


PLANTED: dict[str, list[Callable[[list[Listening], list[ReadAfterwards]], None]]] = {
    SKIPPED: [skipped_at_once, skipped_between],
    REPEATED: [repeated, repeated_after_coming_back, out_of_order],
    ALTERED: [
        vanished,
        unknown_game,
        another_line,
        an_opening_that_is_none,
        an_opening_left_out,
        read_otherwise_than_logged,
        read_more_than_logged,
    ],
    CUT_SHORT: [cut_short, cut_short_at_once],
    TOO_SOON: [too_soon, all_at_once, a_turn_too_soon],
}


def test_something_is_planted_for_each_check() -> None:
    assert PLANTED.keys() == DELIVERY_CHECKS.keys()


@pytest.mark.parametrize(
    ("check", "plant"), [(check, plant) for check, plants in PLANTED.items() for plant in plants]
)
def test_each_check_finds_what_was_planted_for_it(
    check: str, plant: Callable[[list[Listening], list[ReadAfterwards]], None]
) -> None:
    connections, read = run()
    plant(connections, read)
    found = judge_deliveries(connections, read)
    assert check in {each.check for each in found}
    assert all(each.line() for each in found)


def test_what_has_been_revealed_since_may_be_more_but_nothing_else() -> None:
    connections, read = run()
    an_opening_left_out(connections, read)
    read[0] = replace(read[0], reveals=True)
    assert judge_deliveries(connections, read) == []
    connections[0].delivered[1] = StreamLine(2, OPENED.replace(b"r1c2", b"r9c9"))
    assert {each.check for each in judge_deliveries(connections, read)} == {ALTERED}
    connections[0].delivered[1] = StreamLine(2, OPENED)
    an_opening_that_is_none(connections, read)
    read[1] = replace(read[1], reveals=True)
    assert {each.check for each in judge_deliveries(connections, read)} == {ALTERED}
