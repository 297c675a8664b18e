"""Where two worlds that differ in a secret may part: what viewers may be told by."""

from __future__ import annotations

from collections.abc import Sequence

from events.kernel import PUBLIC, Event, Viewer, redact


def may_tell(a: Event | None, b: Event | None) -> bool:
    """Whether two events are where worlds may part.

    An event with secret fields tells their owner and nobody else: its public fields must agree.
    """
    if a is None or b is None or type(a) is not type(b) or not a.publishes:
        return False
    return not a.secrets or redact(a, PUBLIC) == redact(b, PUBLIC)


def parting(ours: Sequence[Event], theirs: Sequence[Event], viewer: Viewer) -> str | None:
    """Where a viewer can tell by two batches which world it is in, though it may not.

    Args:
        ours: what happened in one world.
        theirs: what happened in the other by the same command.
        viewer: who looks on.

    Returns:
        What it sees; None if it sees the same, or what an event may tell that publishes.
    """
    for a, b in zip(ours, theirs, strict=False):
        here, there = redact(a, viewer), redact(b, viewer)
        if here != there:
            return None if may_tell(a, b) else f"{here} and {there}"
    if len(ours) != len(theirs):
        return f"{len(ours)} events and {len(theirs)}"
    return None
