"""What changed between two versions of a view (pure)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from events import seal
from games.table.state import TableState
from replay.viewing import Show

_ABSENT: Final = object()


def differences(show: Show, first: int, second: int) -> list[str]:
    """One line for each part of the view that changed: where it is, what it was, what it is.

    Raises:
        SourceError: there is no such version.
    """
    before, after = (seal.plain(show.at(version).state) for version in (first, second))
    return [f"{path}: {_word(old)} -> {_word(new)}" for path, old, new in _walk("", before, after)]


def state_json(state: TableState) -> object:
    """A view as JSON values."""
    return seal.plain(state)


def _walk(path: str, old: Any, new: Any) -> Iterator[tuple[str, object, object]]:  # noqa: ANN401 (JSON)
    """The leaves that differ, in the order of their paths."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            inner = f"{path}.{key}" if path else str(key)
            yield from _walk(inner, old.get(key, _ABSENT), new.get(key, _ABSENT))
    elif old is _ABSENT or new is _ABSENT or old != new:
        yield path, old, new


def _word(value: object) -> str:
    if value is _ABSENT:
        return "(absent)"
    return json.dumps(value, ensure_ascii=True)
