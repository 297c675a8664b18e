"""Fault 22: keys that rotate, a witness that is away, a head that does not fit its record.

There is no log of finished games yet, so the checkpoint that may be older or newer than what it
vouches for is a signed head, and the heads that somebody has kept beside a record.
"""

from __future__ import annotations

import pytest
import structlog

from events.keys import KeyRing, SecretError
from events.log import StreamLog
from events.transact import Transactor
from ops.witness import Witness
from runtime.settings import NO_MARKS
from tests.conftest import Sometimes
from tests.events.bank import RULES, STREAM, Bank, Pay, codec
from tests.events.teller import give, open_purse, transactor
from tests.lossy import Lossy
from tests.ops.test_witness import play, settings


async def test_a_process_without_the_older_key_opens_nothing_of_the_stream(log: StreamLog) -> None:
    """The control of a rotation: the ring has to keep what it has begun streams with."""
    begun = await open_purse(transactor(log))
    alone = KeyRing({"k2": b"2" * 32}, "k2")
    turned = Transactor(Bank(), codec(alone), log, rules=lambda _: RULES)
    with pytest.raises(SecretError, match="k1"):
        await give(turned, Pay(seat=1, coins=1, note="note"), "pay")
    head = await log.head(STREAM)
    assert head is not None
    assert head.version == begun.version, "nothing was written"


def told_of(lossy: Lossy, marks: str) -> list[str]:
    """The errors of a witness that was away while its store was set back."""
    before = Witness(settings(lossy, marks))
    lossy.mark()
    play(lossy)
    before.look()
    before.close()
    lossy.lose()
    after = Witness(settings(lossy, marks))
    with structlog.testing.capture_logs() as lines:
        after.look()
    after.close()
    return [line["event"] for line in lines if line["log_level"] == "error"]


def test_a_witness_that_was_away_tells_what_happened_meanwhile(
    lossy: Lossy, sometimes: Sometimes
) -> None:
    told = told_of(lossy, "marks")
    assert told == ["store_behind"]
    sometimes("losses told by a witness that was away", len(told))


def test_one_that_keeps_nothing_does_not(lossy: Lossy) -> None:
    """The control."""
    assert told_of(lossy, NO_MARKS) == []
