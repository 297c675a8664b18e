"""French writes a space before some signs, and no line may break there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from tests.house.tree import ROOT

FILES: Final = sorted(
    [
        *ROOT.glob("games/**/words/fr.json"),
        *ROOT.glob("web/**/fr.json"),
        *ROOT.glob("web/words/fr/*"),
    ]
)

BREAKS: Final = re.compile(r"[^\s{,] [:;!?»]|« ")
"""A space that may break, before a sign or behind the first quotation mark."""

MISSING: Final = re.compile(r"[a-zéèà)]\?|«\S(?<!\u00a0)|[a-zéèà)]»")
"""No space at all; colons, semicolons and exclamation marks are also parts of codes and names."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_line_breaks_before_a_french_sign(path: Path) -> None:
    texts = json.loads(path.read_text(encoding="utf-8"))
    found = {
        key: text for key, text in texts.items() if BREAKS.search(text) or MISSING.search(text)
    }
    assert found == {}


def test_there_are_french_texts() -> None:
    """A control: the patterns find what they are for, in files that are there."""
    assert len(FILES) > len(("the table's", "two games'", "two games' on the page"))
    assert BREAKS.search("À vous : {text}")
    assert BREAKS.search("{cell} : {text}")
    assert BREAKS.search("« oui »")
    assert MISSING.search("Qui?")
    assert MISSING.search("«oui\u00a0»")
    assert not BREAKS.search("À vous\u00a0: «\u00a0oui\u00a0»\u00a0; quoi\u00a0?")
    assert not MISSING.search("À vous\u00a0: «\u00a0oui\u00a0»\u00a0; quoi\u00a0?")
