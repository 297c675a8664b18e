"""Why an event does not fit the events before it, for people."""

from __future__ import annotations


def misfit(error: Exception) -> str:
    """The sentence for an ``error`` with which a fold has refused an event."""
    what = error.args[0] if error.args else None
    why = "no such event belongs to this table" if isinstance(what, type) else _told(error)
    return f"it does not fit the events before it: {why}"


def _told(error: Exception) -> str:
    """What kind of error it is, and what it is about; not every one says that."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
