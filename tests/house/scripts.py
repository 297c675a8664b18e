"""What a JavaScript module of the page says, as far as the house rules ask: pure, no parser needed.

Modules are split into code, strings, templates and comments; regular expressions count as code.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from tests.house import tree

_TOKEN = re.compile(
    r"""
      (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    | (?P<regex>(?<=[(,=:\[!&|?{};\n])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)
    | (?P<template>`)
    """,
    re.VERBOSE | re.DOTALL,
)
_IMPORT = re.compile(r"^import\s*(?:\{(?P<names>[^}]*)\}\s*from\s*)?(?P<at>\d+)\s*;", re.MULTILINE)
_LATER = re.compile(r"\(\) => import\((?P<at>\d+)\)")
_CALL = re.compile(r"(?<![\w$.])(?P<name>tn?)\(\s*(?P<at>\d+)")


class Text(NamedTuple):
    """A string or a template: its line, and its text with ``*`` for what is put in."""

    line: int
    text: str
    whole: bool


class Script(NamedTuple):
    """A module: its code with every string replaced by its number in ``texts``, and no comments."""

    code: str
    texts: list[Text]


class Import(NamedTuple):
    """An import: the names, as the other module calls them, and the path as it is written."""

    names: tuple[str, ...]
    path: str


@cache
def read_script(source: str) -> Script:
    """Split a module."""
    texts: list[Text] = []
    code, rest = _split(source, 0, texts, closing=False)
    assert rest == len(source), "a template that does not end"
    return Script(code, texts)


class Scripts(Mapping[str, Script]):
    """Those of our files that are modules, by name, each read when it is first asked for.

    Every worker of pytest loads every test, and one of them runs it.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = [name for name in names if name.endswith(".js")]

    def __getitem__(self, name: str) -> Script:
        if name not in self._names:
            raise KeyError(name)
        return read_script(tree.read(name) or "")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def imports(script: Script) -> list[Import]:
    """What a module imports, by static statements at the beginning of a line."""
    return [
        Import(_names(match["names"] or ""), script.texts[int(match["at"])].text)
        for match in _IMPORT.finditer(script.code)
    ]


def later(script: Script) -> list[str]:
    """The specifiers of the modules that a module loads later, by ``() => import("…")``."""
    return [script.texts[int(match["at"])].text for match in _LATER.finditer(script.code)]


def calls(script: Script) -> list[tuple[str, Text]]:
    """Every ``t("…")`` and ``tn("…")``, with templates too: which of the two, and the key."""
    return [(m["name"], script.texts[int(m["at"])]) for m in _CALL.finditer(script.code)]


def resolved(module: str, path: str) -> str:
    """The path that a relative specifier means in a module."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), path))


def _names(listed: str) -> tuple[str, ...]:
    parts = (part.split(" as ")[0].strip() for part in listed.split(","))
    return tuple(part for part in parts if part)


def _split(source: str, start: int, texts: list[Text], *, closing: bool) -> tuple[str, int]:
    """Code from ``start``; with ``closing``, up to the brace that ends a template's expression."""
    code: list[str] = []
    at, depth = start, 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            depth += {"{": 1, "}": -1}.get(source[at], 0)
            if closing and depth < 0:
                return "".join(code), at + 1
            code.append(source[at])
            at += 1
        elif match.lastgroup == "template":
            at = _template(source, at, texts, code)
        else:
            at = match.end()
            code.append(_kept(match, source, texts))
    return "".join(code), at


def _kept(match: re.Match[str], source: str, texts: list[Text]) -> str:
    """What stays of a token in the code: line ends, so that lines can be counted, and numbers."""
    if match.lastgroup == "string":
        line = source.count("\n", 0, match.start()) + 1
        texts.append(Text(line, re.sub(r"\\(.)", r"\1", match[0][1:-1]), whole=True))
        return str(len(texts) - 1)
    return "\n" * match[0].count("\n") if match.lastgroup == "comment" else match[0]


def _template(source: str, start: int, texts: list[Text], code: list[str]) -> int:
    """Take a template with what is inside it; gives where it ends."""
    number, at, text = len(texts), start + 1, ""
    texts.append(Text(source.count("\n", 0, start) + 1, "", whole=False))
    inside = []
    while source[at] != "`":
        if source.startswith("${", at):
            part, at = _split(source, at + 2, texts, closing=True)
            inside.append(part)
            text += "*"
        else:
            step = 2 if source[at] == "\\" else 1
            text += source[at : at + step]
            at += step
    texts[number] = texts[number]._replace(text=text, whole="*" not in text)
    code.append(f"{number} {' '.join(inside)} " if inside else str(number))
    return at + 1
