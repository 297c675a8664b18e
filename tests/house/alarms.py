"""What the code logs at warning or above, and what it counts: pure, from its text."""

import ast
from typing import NamedTuple

_LOUD = frozenset({"warning", "error", "exception", "critical", "awarning", "aerror"})
_LOGGERS = frozenset({"_log", "log", "logger"})
METRIC = "parlour_"


class Alarm(NamedTuple):
    """A call that logs: its line, and the name of the event; None: it is no constant."""

    line: int
    event: str | None


def alarms(text: str) -> list[Alarm]:
    """Every call of a logger that is loud, in order of lines."""
    found = [
        Alarm(node.lineno, _constant(node.args[0]) if node.args else None)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _LOUD
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in _LOGGERS
    ]
    return sorted(found)


def hidden(text: str) -> list[int]:
    """Lines where a loud method of a logger is taken without being called on the spot."""
    tree = ast.parse(text)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return sorted(
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in _LOUD
        and isinstance(node.value, ast.Name)
        and node.value.id in _LOGGERS
        and id(node) not in called
    )


def metrics(text: str) -> set[str]:
    """The names of metrics, without what Prometheus adds to them."""
    return {
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith(METRIC)
        and node.value.replace("_", "").isalnum()
    }


def _constant(node: ast.expr) -> str | None:
    """A text; of one for ``%``, what stands before its colon."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.partition(":")[0]
    return None
