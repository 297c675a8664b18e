"""The judge of feeds finds each kind of flaw, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from events.feed import Pointer
from simulator.feed_history import (
    EARLY,
    FEED_CHECKS,
    INVENTED,
    MISSED,
    SHUFFLED,
    FeedPromise,
    judge_feeds,
)
from simulator.feed_notes import FeedBegan, FeedNote, FeedTold
from simulator.history import FinalStream, Violation
from tests.simulator.test_history import END, GAME

SHARD = 1
FEED = [
    Pointer(SHARD, 1, GAME, 1, 1),
    Pointer(SHARD, 2, GAME, 3, 2),
    Pointer(SHARD, 3, GAME, 4, 1),
    Pointer(SHARD, 4, GAME, 5, 1),
]
"""That of the stream of ``test_history``: four batches."""


def told(seq: int, at: int = 0, *, by: str = "one") -> FeedTold:
    return FeedTold(follower=by, pointer=FEED[seq - 1], at=at or 10 * seq)


def began(after: int, *, by: str = "one") -> FeedBegan:
    return FeedBegan(follower=by, shard=SHARD, after=after)


class Run:
    """Three followers: from the start, from the middle, and one that began anew and left early."""

    def __init__(self) -> None:
        self.notes: list[FeedNote] = [
            *(began(0), told(1), told(2), told(3), told(4)),
            *(began(2, by="two"), told(3, by="two"), told(4, by="two")),
            *(began(0, by="three"), told(1, by="three")),
            *(began(2, by="three"), told(3, by="three")),
        ]
        self.feed = list(FEED)
        self.streams = [END]
        self.promise = FeedPromise(
            kept_at={each: 10 * each.seq for each in FEED},
            stayed={"one": {SHARD: 4}, "two": {SHARD: 4}},
        )

    def judged(self) -> list[Violation]:
        return judge_feeds(self.notes, {SHARD: self.feed}, self.streams, self.promise)


def test_what_holds_is_not_complained_of() -> None:
    run = Run()
    assert run.judged() == []
    run.notes.insert(5, began(4))
    assert run.judged() == [], "it began anew at the end"
    assert judge_feeds([], {}, [], FeedPromise()) == []


def missed(run: Run) -> None:
    del run.notes[2]


def missed_the_first(run: Run) -> None:
    del run.notes[6]


def missed_the_last(run: Run) -> None:
    del run.notes[4]


def missed_everything(run: Run) -> None:
    del run.notes[6:8]


def shuffled(run: Run) -> None:
    run.notes[2], run.notes[3] = run.notes[3], run.notes[2]


def another_entry_of_one_number(run: Run) -> None:
    again = replace(told(2), pointer=Pointer(SHARD, 2, "g01-b", 3, 2))
    run.notes.insert(3, again)


def not_in_the_feed(run: Run) -> None:
    del run.feed[3]


def in_the_feed_otherwise(run: Run) -> None:
    run.feed[2] = Pointer(SHARD, 3, "g01-b", 4, 1)


def no_batch_of_the_stream(run: Run) -> None:
    entries = END.entries[:4]
    run.streams = [FinalStream(GAME, entries, 4, END.head)]


def before_it_was_kept(run: Run) -> None:
    run.notes[3] = told(3, at=29)


def never_kept(run: Run) -> None:
    kept_at = dict.fromkeys(FEED[:3], 0)
    run.promise = replace(run.promise, kept_at=kept_at)


PLANTED: dict[str, list[Callable[[Run], None]]] = {
    MISSED: [missed, missed_the_first, missed_the_last, missed_everything],
    SHUFFLED: [shuffled, another_entry_of_one_number],
    INVENTED: [not_in_the_feed, in_the_feed_otherwise, no_batch_of_the_stream],
    EARLY: [before_it_was_kept, never_kept],
}


def test_something_is_planted_for_each_check() -> None:
    assert PLANTED.keys() == FEED_CHECKS.keys()


@pytest.mark.parametrize(
    ("check", "plant"), [(check, plant) for check, plants in PLANTED.items() for plant in plants]
)
def test_each_check_finds_what_was_planted_for_it(check: str, plant: Callable[[Run], None]) -> None:
    run = Run()
    plant(run)
    found = run.judged()
    assert check in {each.check for each in found}
    assert all(each.line() for each in found)


def test_to_be_told_twice_is_no_flaw() -> None:
    """Who goes on from what it remembers may be told again."""
    run = Run()
    run.notes[3:3] = [told(1), told(2)]
    assert run.judged() == []


def test_what_a_failover_may_take_is_not_missed() -> None:
    run = Run()
    not_in_the_feed(run)
    run.promise = replace(run.promise, survives={"replicated"}, kept_at=None)
    assert run.judged() == []
    run.notes[4] = replace(told(4), level="replicated")
    assert {each.check for each in run.judged()} == {INVENTED}
