"""What comes over a live stream is taken apart as it is read in a page."""

from __future__ import annotations

from simulator.delivery_history import PUBLIC, Listening, StreamLine
from simulator.faults.received import ReceivedStreams, take_message

GAME = "g00-a"


def taken(*messages: str) -> Listening:
    """A connection over which these messages came."""
    connection = Listening(viewer=PUBLIC, game=GAME, after=0)
    for message in messages:
        fields = [line.partition(": ") for line in message.splitlines()]
        take_message(connection, [(name, value) for name, _, value in fields])
    return connection


def test_an_event_is_the_line_of_a_page() -> None:
    found = taken(
        "retry: 2000",
        'id: 1\ndata: {"v":1}',
        ": still here",
        'id: 2\ndata: {"v":2}\ndata: {"opened":{"event.cell":{"value":"r1c2"}}}',
        'event: asked\ndata: {"version":2}',
    )
    opened = b'{"v":2,"opened":{"event.cell":{"value":"r1c2"}}}'
    assert found.delivered == [StreamLine(1, b'{"v":1}'), StreamLine(2, opened)]
    assert not found.has_ended


def test_a_snapshot_is_no_event_and_an_end_is_noted() -> None:
    found = taken(
        'event: snapshot\nid: 4\ndata: {"game":"g00-a"}', 'event: end\ndata: {"version":4}'
    )
    assert found.delivered == []
    assert found.has_ended


def test_an_event_counts_once_however_often_it_came() -> None:
    received = ReceivedStreams()
    received.connections += [taken('id: 1\ndata: {"v":1}'), taken('id: 1\ndata: {"v":1}')]
    assert received.events == 1
