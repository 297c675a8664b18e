"""The end of a table, for whatever reason (pure)."""

from __future__ import annotations

from events.kernel import Working
from games.table_events import KeyPublished, TableClosed
from games.table_state import TableState


def end_table(work: Working[TableState], event: TableClosed) -> None:
    """Close the table, and publish its key where the state knows it."""
    work.emit(event)
    if work.state.key is not None:
        work.emit(KeyPublished(key=work.state.key))
