"""Commands that were made for a version which only incidental events have followed."""

from __future__ import annotations

import pytest

from events.log import Append, StreamLog
from events.transact import Moved
from tests.events.bank import STREAM, Chime, Count, Pay
from tests.events.teller import give, history, open_purse, transactor

PAY = Pay(seat=1, coins=1)


async def test_incidental_events_do_not_stand_between_a_command_and_its_version(
    log: StreamLog, second: StreamLog
) -> None:
    bank, cold = transactor(log), transactor(second)
    await open_purse(bank)
    await give(bank, PAY, "first")
    for hour in (1, 2):
        await give(bank, Chime(hour=hour), f"chime {hour}")
    with pytest.raises(Moved) as refusal:
        await give(bank, PAY, "strict", after=2)
    assert refusal.value.version == 4, "who does not say so insists on the newest version"
    paid = await give(bank, PAY, "warm", after=2, past_incidentals=True)
    assert (paid.first, paid.version) == (5, 5)
    await give(bank, Chime(hour=3), "chime 3")
    assert (await give(cold, PAY, "cold", after=5, past_incidentals=True)).version == 7


async def test_any_other_event_stands_between(log: StreamLog, second: StreamLog) -> None:
    bank, behind = transactor(log), transactor(second)
    await open_purse(bank)
    await behind.load(STREAM)
    await give(bank, Chime(hour=1), "chime 1")
    await give(bank, PAY, "other")
    await give(bank, Chime(hour=2), "chime 2")
    for who, name in ((bank, "warm"), (behind, "behind"), (transactor(second), "cold")):
        for after in (1, 2):
            with pytest.raises(Moved) as refusal:
                await give(who, PAY, f"{name} {after}", after=after, past_incidentals=True)
            assert refusal.value.version == 4
    assert (await give(behind, PAY, "newest", after=3, past_incidentals=True)).version == 5


async def test_a_version_that_has_not_come_is_refused(log: StreamLog) -> None:
    bank = transactor(log)
    await open_purse(bank)
    await give(bank, Chime(hour=1), "chime")
    with pytest.raises(Moved):
        await give(bank, PAY, "early", after=3, past_incidentals=True)
    with pytest.raises(Moved):
        await give(bank, PAY, "before everything", after=0, past_incidentals=True)
    assert len(await history(log)) == 2


async def test_an_event_within_a_batch_counts_whatever_follows_it(log: StreamLog) -> None:
    bank = transactor(log)
    await open_purse(bank)
    counted = await give(bank, Count(), "count")
    assert counted.version == 3
    with pytest.raises(Moved):
        await give(bank, PAY, "between", after=2, past_incidentals=True)
    await give(bank, PAY, "behind both", after=3, past_incidentals=True)


@pytest.mark.parametrize(("faster", "events"), [(Chime(hour=1), 3), (PAY, 2)])
async def test_what_comes_between_deciding_and_appending_is_looked_at_too(
    log: StreamLog,
    second: StreamLog,
    monkeypatch: pytest.MonkeyPatch,
    faster: Chime | Pay,
    events: int,
) -> None:
    bank, rival = transactor(log), transactor(second)
    await open_purse(bank)
    append = log.append

    async def slowed(batch: Append) -> object:
        monkeypatch.undo()
        await give(rival, faster, "faster")
        return await append(batch)

    monkeypatch.setattr(log, "append", slowed)
    if isinstance(faster, Chime):
        paid = await give(bank, PAY, "slower", after=1, past_incidentals=True)
        assert paid.version == events
    else:
        with pytest.raises(Moved):
            await give(bank, PAY, "slower", after=1, past_incidentals=True)
    assert len(await history(log)) == events
