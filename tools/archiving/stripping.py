"""Source without its comments and docstrings: the same program, a third as long.

The text that is left is that of the source, letter for letter, so every version of Python strips a
module to the same bytes.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_CLASS: Final = '"-"'
"""What is left of a class's docstring: types of messages are refused without one."""

_ONLY: Final = "..."
"""What is left of a body that was nothing but a docstring."""


class StrippingError(Exception):
    """What was left of a module is another program."""


@lru_cache(maxsize=256)
def stripped(source: str) -> str:
    """A module's source without comments, docstrings and blank lines.

    Raises:
        StrippingError: it would be another program.
    """
    text = _without_comments(_without_texts(source))
    if _meaning(text) != _meaning(source):
        raise StrippingError("without its comments and docstrings this is another program")
    return text


def _without_texts(source: str) -> str:
    """The source without statements that are nothing but a text."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    for node, instead in sorted(_texts(ast.parse(source)), key=lambda found: -found[0].lineno):
        # Python counts columns in bytes.
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        before, after = lines[first][: node.col_offset], lines[last][node.end_col_offset or 0 :]
        lines[first : last + 1] = [before + instead.encode() + after]
    return b"".join(lines).decode()


def _texts(tree: ast.Module) -> Iterator[tuple[ast.Expr, str]]:
    """Statements that are nothing but a text, and what is left of each."""
    for owner in ast.walk(tree):
        body = getattr(owner, "body", None)
        for node in body if isinstance(body, list) else ():
            if not (isinstance(node, ast.Expr) and _is_text(node)):
                continue
            if isinstance(owner, ast.ClassDef) and node is owner.body[0]:
                yield node, _CLASS
            elif isinstance(body, list) and len(body) == 1 and not isinstance(owner, ast.Module):
                yield node, _ONLY
            else:
                yield node, ""


def _is_text(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _without_comments(source: str) -> str:
    """The source without comments and without lines of blanks, but for those inside texts."""
    lines = source.splitlines(keepends=True)
    ends: set[int] = set()
    for token in _tokens(source):
        row, column = token.start
        if token.type == tokenize.COMMENT:
            line = lines[row - 1]
            end = line[len(line.rstrip("\r\n")) :]
            lines[row - 1] = line[:column].rstrip() + end
        elif token.type == tokenize.NL:
            ends.add(row)
    return "".join(line for row, line in enumerate(lines, 1) if row not in ends or line.strip())


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(source).readline)


def _meaning(source: str) -> str:
    """What a program does, however it is documented."""
    tree = ast.parse(source)
    for owner in ast.walk(tree):
        body = getattr(owner, "body", None)
        if isinstance(body, list):
            owner.body = [  # type: ignore[attr-defined]  # it has one, as has just been seen
                node for node in body if not (isinstance(node, ast.Expr) and _says_nothing(node))
            ]
    return ast.dump(tree)


def _says_nothing(node: ast.Expr) -> bool:
    return _is_text(node) or (isinstance(node.value, ast.Constant) and node.value.value is Ellipsis)
