"""The end of a table, whatever the reason (pure)."""

from __future__ import annotations

from events.kernel import Working
from games.table.events import KeyPublished, TableClosed
from games.table.state import TableState


def end_table(work: Working[TableState], event: TableClosed) -> None:
    """Close the table, and publish its key if the state knows it."""
    work.emit(event)
    if work.state.key is not None:
        work.emit(KeyPublished(key=work.state.key))
