"""Tables of Markdown, and documents with a place for what a program writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

Row = Sequence[object]

NONE: Final = "–"


def table(head: Row, rows: Iterable[Row]) -> list[str]:
    """A Markdown table, and the empty line after it; columns but the first are numbers."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines] + [""]


def percent(part: float, whole: float) -> str:
    """``31 %``, or a dash where there is nothing to take a share of."""
    return f"{100 * part / whole:.0f} %" if whole else NONE


def written(document: str, result: str, marks: tuple[str, str]) -> str:
    """The document with the result between its markers.

    Raises:
        ValueError: a marker is missing.
    """
    head, begin, rest = document.partition(marks[0])
    _, end, tail = rest.partition(marks[1])
    if not (begin and end):
        raise ValueError(f"the document has no {marks[0]} … {marks[1]}")
    return f"{head}{begin}\n\n{result}\n{end}{tail}"
