"""What spectators received is looked for afterwards; what is missing or altered is found."""

from __future__ import annotations

import pytest

from events.codec import Stored
from simulator.faults.received import ReceivedStreams, not_found
from simulator.history import FinalStream

GAME = "g00-a"
END = FinalStream(GAME, [Stored(1, b"one", None), Stored(2, b"two", b"secret")], 2, b"head")


def received(**events: tuple[int, bytes]) -> ReceivedStreams:
    made = ReceivedStreams()
    for version, public in events.values():
        made.events.setdefault((GAME, version), set()).add(public)
    return made


def test_what_is_there_as_it_was_shown_is_found() -> None:
    assert list(not_found(received(a=(1, b"one"), b=(2, b"two")), [END])) == []


@pytest.mark.parametrize(
    ("shown", "what"),
    [
        ((3, b"three"), "a stream showed 3, and it is not there"),
        ((2, b"other"), "a stream showed another event at 2"),
    ],
)
def test_what_has_vanished_or_was_another_is_told(shown: tuple[int, bytes], what: str) -> None:
    found = list(not_found(received(a=(1, b"one"), b=(2, b"two"), c=shown), [END]))
    assert found == [f"vanished: {GAME}: {what}"]
