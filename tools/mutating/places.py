"""Where a change lies in a module: its statement, and what is no rule anyway."""

from __future__ import annotations

import ast
from collections.abc import Sequence

Span = tuple[int, int]
"""The first and the last line, from 1."""


def changed_lines(before: Sequence[str], after: Sequence[str]) -> Span | None:
    """The lines of ``before`` that another text has not; None if they are the same."""
    if before == after:
        return None
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    tail = next(
        (i for i in range(shorter - head) if before[-1 - i] != after[-1 - i]), shorter - head
    )
    return head + 1, max(len(before) - tail, head + 1)


def statement(tree: ast.Module, line: int) -> tuple[Span, bool]:
    """The innermost statement about a line (of a compound one, its head), and if a function has it.

    What a ``def`` evaluates itself (decorators, defaults) is not in the function.
    """
    span, inside = (line, line), False
    body: Sequence[ast.stmt] = tree.body
    while found := next((s for s in body if _start(s) <= line <= (s.end_lineno or 0)), None):
        blocks = _blocks(found)
        inner = next((b for b in blocks if b[0].lineno <= line <= (b[-1].end_lineno or 0)), None)
        inner = inner or next((b for b in blocks if _start(b[0]) <= line <= b[0].lineno), None)
        if inner is None:
            last = _start(blocks[0][0]) - 1 if blocks else found.end_lineno or line
            return (_start(found), max(last, line)), inside
        inside = inside or isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef)
        body = inner
    return span, inside


def _start(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def _blocks(node: ast.stmt) -> list[list[ast.stmt]]:
    parts: list[ast.AST] = [node, *getattr(node, "handlers", []), *getattr(node, "cases", [])]
    return [
        block
        for part in parts
        for name in ("body", "orelse", "finalbody")
        if isinstance(block := getattr(part, name, None), list) and block
    ]


def shapes(tree: ast.Module) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where no rule stands: annotations, aliases of types, and how a record is made.

    Positions are (line from 1, column from 0), from the first to behind the last character.
    """
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            found.append(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            found.append(node.returns)
        elif isinstance(node, ast.ClassDef):
            found += [keyword.value for keyword in node.keywords]
    found += [s.value for s in tree.body if isinstance(s, ast.Assign) and _is_union(s.value)]
    return [
        ((e.lineno, e.col_offset), (e.end_lineno or e.lineno, e.end_col_offset or 0)) for e in found
    ]


def _is_union(value: ast.expr) -> bool:
    """``A | B`` of names, at the top of a module."""
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.BitOr) and _is_union(value.left) and _is_union(value.right)
    return isinstance(value, ast.Name | ast.Attribute | ast.Subscript)
