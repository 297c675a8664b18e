"""The names of things in texts, as the page finds them (``web/mentions.js``), once more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final

from tests.house import tree

BETWEEN: Final = " | "
"""Stands between the forms of a name in the page's words."""


def forms(game: str, language: str) -> dict[tuple[str, str], list[str]]:
    """The other forms of names that the page's words of a game list, by kind and id."""
    path = f"web/games/{game}/words/{language}.json"
    words: Mapping[str, str] = json.loads(tree.read(path) or "")
    found = {}
    for key, text in words.items():
        if listed := re.fullmatch(rf"{game}/forms\.(\w+)\.(\w+)", key):
            found[listed[1], listed[2]] = text.split(BETWEEN)
    return found


def spellings(name: str) -> set[str]:
    """How a name may begin: of several words, or one with a small letter, with either letter."""
    if " " in name or name[0].islower():
        return {name[0].lower() + name[1:], name[0].upper() + name[1:]}
    return {name}


def pattern(names: Iterable[str]) -> re.Pattern[str]:
    """What finds names in a text: the longest first, and none within a word."""
    written = {spelling for name in names for spelling in spellings(name)}
    longest = "|".join(map(re.escape, sorted(written, key=len, reverse=True)))
    return re.compile(rf"(?<![^\W_])(?:{longest})(?![^\W_])")
