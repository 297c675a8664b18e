"""Files of the repository that the code writes: how each of their writers is called.

Every writer is a module with one of two tasks: ``--write`` writes its files, ``--check`` exits with
1 and names the files that are not what the code says.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

Documents = Mapping[str, bytes]
"""The content of files, by their paths in the repository."""

Row = Sequence[object]
"""The cells of a line of a table."""


def table(head: Row, rows: Iterable[Row]) -> list[str]:
    """A Markdown table, and the empty line after it."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines] + [""]


def task_parser(module: str, about: str | None) -> argparse.ArgumentParser:
    """Reads a command line with one of the two tasks: ``write`` is true, or ``check`` is.

    Args:
        module: who is called, such as ``tools.openapi``.
        about: what it does.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--write", action="store_true", help="write the files")
    task.add_argument("--check", action="store_true", help="fail if they differ")
    return parser


def differing(documents: Documents, root: Path) -> list[str]:
    """The files below ``root`` that are missing or have other content."""
    return [
        name
        for name, content in documents.items()
        if not (root / name).is_file() or (root / name).read_bytes() != content
    ]


def write(documents: Documents, root: Path) -> None:
    """Write all files below ``root``, and the folders that they need."""
    for name, content in documents.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


def write_or_check(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str],
    documents: Callable[[], Documents],
    root: Path,
    remedy: str,
) -> int:
    """Do what a command line asks for; the exit code.

    Args:
        parser: reads the command line (``task_parser``).
        arguments: the command line.
        documents: what the files should be; called once the command line is understood.
        root: where the repository is.
        remedy: what to do if a file differs.
    """
    task = parser.parse_args(arguments)
    if task.write:
        write(documents(), root)
        return 0
    names = differing(documents(), root)
    for name in names:
        print(f"{name} is not what the code says: {remedy}", file=sys.stderr)
    return 1 if names else 0
