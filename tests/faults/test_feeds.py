"""Feeds of processes that append in turn: each is told of everything, once, in order."""

from __future__ import annotations

import pytest

from events.feed import Following, Pointer
from simulator.feed_history import SHUFFLED, FeedPromise, judge_feeds
from tests.conftest import Sometimes
from tests.faults.load import RealLedger, checks, judged, playing
from tests.runtime.stage import until

COMMANDS = 100


async def told(store_url: str, *, patient: bool) -> tuple[set[str], int]:
    """What is amiss of what two processes were told, and how often they told it themselves."""
    services = [RealLedger(store_url), RealLedger(store_url)]
    async with playing(services, patient=patient) as load:
        await load.more(COMMANDS)
    found = checks(await judged(store_url, load.history))
    return found, load.counts["told by its own process"]


async def test_who_appends_and_who_looks_on_are_told_of_everything(
    store_url: str, sometimes: Sometimes
) -> None:
    found, own = await told(store_url, patient=True)
    assert found == set()
    sometimes("appends told by their own process", own)


async def test_a_process_that_tells_its_own_appends_out_of_turn_misses_others(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: what others have appended in between is not waited for."""

    def out_of_turn(following: Following, pointer: Pointer) -> bool:
        if following.seen[pointer.shard] is None:
            return False  # it does not know yet from where it follows
        following.seen[pointer.shard] = pointer.seq
        return True

    monkeypatch.setattr(Following, "appended", out_of_turn)
    found, _ = await told(store_url, patient=False)
    assert "missed" in found


async def test_one_that_tells_them_before_what_others_have_appended_shuffles(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: what lies before is read all the same, but after it."""

    def at_once(following: Following, pointer: Pointer) -> bool:
        return following.seen.get(pointer.shard) is not None

    monkeypatch.setattr(Following, "appended", at_once)
    services = [RealLedger(store_url), RealLedger(store_url)]

    def is_shuffled() -> bool:
        notes = [note for service in services for note in service.follower.notes]
        found = judge_feeds(notes, {}, [], FeedPromise(survives=()))
        return SHUFFLED in checks(found)

    async with playing(services) as load:
        await until(is_shuffled)
    assert checks(await judged(store_url, load.history)) == {SHUFFLED}
