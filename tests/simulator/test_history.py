"""The judge of a history finds each kind of violation, and nothing in a history without any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from events import seal
from events.codec import Stored
from simulator.history import (
    CHECKS,
    Attempt,
    FinalBatch,
    FinalStream,
    History,
    Read,
    Violation,
    batches_of,
    judge,
)

GAME = "g01-a"


def entry(version: int, command_id: str = "", by: str = "player:ada") -> Stored:
    """An event; with a command it begins a batch."""
    batch = f',"batch":{{"by":"{by}","id":"{command_id}","rules":"r"}}' if command_id else ""
    return Stored(version, f'{{"at":1{batch},"event":{{}},"v":{version}}}'.encode())


def stream(*entries: Stored, name: str = GAME, **changes: Any) -> FinalStream:
    """A stream that is in itself as it should be, but for the changes."""
    head = seal.chain(seal.genesis(name), 0, [each.public for each in entries])
    return replace(FinalStream(name, entries, len(entries), head), **changes)


def accepted(command_id: str, first: int, version: int, sent: int, **changes: Any) -> Attempt:
    """Answered 5 after it was sent."""
    made = Attempt(
        client="ada",
        stream=GAME,
        command_id=command_id,
        sent=sent,
        answered=sent + 5,
        outcome="accepted",
        first=first,
        version=version,
    )
    return replace(made, **changes)


def read(version: int, began: int, end: FinalStream, **changes: Any) -> Read:
    """A read of what is there."""
    publics = [each.public for each in end.entries[:version]]
    head = seal.chain(seal.genesis(GAME), 0, publics)
    made = Read(client="bob", stream=GAME, version=version, head=head, began=began)
    return replace(made, **changes)


ENTRIES = (entry(1, "open"), entry(2, "pay"), entry(3), entry(4, "late"), entry(5, "more"))
END = stream(*ENTRIES)


def history() -> History:
    """Four commands: one twice, one without an answer; and two reads."""
    attempts = [
        accepted("open", 1, 1, 0),
        Attempt(client="ada", stream=GAME, command_id="pay", sent=10),
        accepted("pay", 2, 3, 20),
        Attempt(client="bob", stream=GAME, command_id="late", sent=12),
        accepted("more", 5, 5, 30),
        Attempt(
            client="bob", stream=GAME, command_id="no", sent=31, answered=40, outcome="refused"
        ),
    ]
    return History(attempts, [read(1, 8, END), read(5, 36, END)])


def checks(found: Sequence[Violation]) -> set[str]:
    return {violation.check for violation in found}


def test_what_holds_is_not_complained_of() -> None:
    assert judge(history(), [END]) == []


def test_a_batch_is_what_one_command_did() -> None:
    by = "player:ada"
    assert list(batches_of(END)) == [
        FinalBatch(GAME, 1, 1, "open", by),
        FinalBatch(GAME, 2, 3, "pay", by),
        FinalBatch(GAME, 4, 4, "late", by),
        FinalBatch(GAME, 5, 5, "more", by),
    ]
    assert list(batches_of(stream())) == []


Plant = Callable[[History], list[FinalStream]]


def lost(_: History) -> list[FinalStream]:
    return [stream(*ENTRIES[:4])]


def moved(told: History) -> list[FinalStream]:
    told.attempts[4] = accepted("more", 6, 6, 30)
    return [END]


def doubled(_: History) -> list[FinalStream]:
    return [stream(*ENTRIES, entry(6, "pay"))]


def doubled_elsewhere(_: History) -> list[FinalStream]:
    return [END, stream(entry(1, "open"), name="g02-b")]


def answered_apart(told: History) -> list[FinalStream]:
    told.attempts.append(accepted("pay", 4, 4, 50))
    return [END]


def refused(_: History) -> list[FinalStream]:
    return [stream(*ENTRIES, entry(6, "no"))]


def gap(_: History) -> list[FinalStream]:
    return [stream(*ENTRIES[:2], *ENTRIES[3:])]


def longer_than_its_head(_: History) -> list[FinalStream]:
    return [stream(*ENTRIES, version=4)]


def altered(_: History) -> list[FinalStream]:
    return [stream(*ENTRIES, head=b"\0" * 32)]


def fork(told: History) -> list[FinalStream]:
    told.attempts.append(accepted("other", 5, 5, 33))
    return [END]


def unasked(told: History) -> list[FinalStream]:
    told.attempts = [a for a in told.attempts if a.command_id != "late"]
    return [END]


def out_of_order(told: History) -> list[FinalStream]:
    """The first was answered at 5, and there is something before it that was sent at 6."""
    told.attempts[0] = accepted("open", 2, 3, 0)
    told.attempts[1:3] = [accepted("pay", 1, 1, 6)]
    return [stream(entry(1, "pay"), entry(2, "open"), entry(3), *ENTRIES[3:])]


def stale(told: History) -> list[FinalStream]:
    told.reads.append(read(3, 40, END))
    return [END]


def vanished(told: History) -> list[FinalStream]:
    told.reads.append(replace(read(5, 36, END), version=6))
    return [END]


def vanished_otherwise(told: History) -> list[FinalStream]:
    told.reads.append(read(5, 36, END, head=b"\1" * 32))
    return [END]


PLANTED: dict[str, list[Plant]] = {
    "lost": [lost],
    "moved": [moved],
    "doubled": [doubled, doubled_elsewhere],
    "answers": [answered_apart],
    "refused": [refused],
    "versions": [gap, longer_than_its_head],
    "chain": [altered],
    "fork": [fork],
    "unasked": [unasked],
    "order": [out_of_order],
    "stale": [stale],
    "vanished": [vanished, vanished_otherwise],
}


def test_something_is_planted_for_each_check() -> None:
    assert PLANTED.keys() == CHECKS.keys()


@pytest.mark.parametrize(
    ("check", "plant"), [(check, plant) for check, plants in PLANTED.items() for plant in plants]
)
def test_each_check_finds_what_was_planted_for_it(check: str, plant: Plant) -> None:
    told = history()
    found = judge(told, plant(told))
    assert check in checks(found)
    assert all(violation.line() for violation in found)


def test_what_a_failover_may_take_is_not_missed() -> None:
    """A level that does not survive promises nothing; all else is judged as ever."""
    told, kept = history(), stream(*ENTRIES[:4])
    told.reads.pop()
    told.attempts[0] = accepted("open", 1, 1, 0, level="replicated")
    told.attempts[2] = accepted("pay", 2, 3, 20, level="replicated")
    assert checks(judge(told, [kept])) == {"lost"}
    assert judge(told, [kept], survives={"replicated"}) == []
    told.reads.append(read(5, 36, END))
    assert judge(told, [kept], survives={"replicated"}) == []
    told.reads.append(read(5, 36, END, level="replicated"))
    assert checks(judge(told, [kept], survives={"replicated"})) == {"vanished"}
    told.reads.pop()
    assert checks(judge(told, [stream(*ENTRIES[:1])], survives={"replicated"})) == {"lost"}


def test_what_a_failover_took_may_come_again_elsewhere() -> None:
    told = history()
    told.reads.pop()
    told.attempts.append(accepted("more", 6, 6, 50, level="replicated"))
    end = stream(*ENTRIES[:4], entry(5, "late 2"), entry(6, "more"))
    told.attempts.append(Attempt(client="bob", stream=GAME, command_id="late 2", sent=45))
    assert checks(judge(told, [end])) >= {"moved", "answers"}
    assert judge(told, [end], survives={"replicated"}) == []


def test_the_service_itself_need_not_be_asked() -> None:
    end = stream(*ENTRIES, entry(6, "time", by="worker:clock"))
    assert checks(judge(history(), [end])) == {"unasked"}
    assert judge(history(), [end], is_house=lambda batch: batch.by == "worker:clock") == []
