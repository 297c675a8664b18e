"""The log of the page tells every event: each type has a text, a wording and a kind."""

import json
import re

import pytest

from games.room25 import EVENTS, ROOM25
from games.table_events import TABLE_EVENTS
from tests.house import tree
from tests.house.scripts import read_script

LANGUAGES = ("en", "fr", "pl")
TABLE_TYPES = {str(event.__struct_config__.tag) for event in TABLE_EVENTS}
OWN_TYPES = {str(event.__struct_config__.tag) for event in EVENTS}
TYPES = TABLE_TYPES | OWN_TYPES
OTHERS = {"nobody", "nothing", "unknown"}
OWN_OTHERS = {"limits"}
"""What the sentences need besides: they are told of no event."""

OWN = f"{ROOM25.id}/log."
"""How the key of a sentence about an event of Room 25 begins."""

_FORM = re.compile(r"among\(e\.\w+, \[(?P<causes>[\d, ]*)\]")
_NAMED_FORM = re.compile(r"form:[^\n{}]*")
_TYPE = re.compile(r"^  (?P<at>\d+): ", re.MULTILINE)


def texts(language: str) -> dict[str, str]:
    """The texts of the log by what stands after ``log.``, whosever they are."""
    return {**begun_with("log.", language), **begun_with(OWN, language)}


def begun_with(start: str, language: str) -> dict[str, str]:
    """Those whose key begins so, by what stands after it."""
    found: dict[str, str] = json.loads(tree.read(f"web/words/{language}/log.json") or "{}")
    assert all(key.startswith(("log.", OWN)) for key in found)
    return {key.removeprefix(start): found[key] for key in found if key.startswith(start)}


def strings_of(name: str) -> list[str]:
    """All strings of a module."""
    return [text.text for text in read_script(tree.read(name) or "").texts]


def worded() -> list[str]:
    """The types of events that the page's module has a wording for."""
    script = read_script(tree.read("web/watch/log-text.js") or "")
    return [script.texts[int(match["at"])].text for match in _TYPE.finditer(script.code)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_text(language: str) -> None:
    plain = {key for key in begun_with("log.", language) if "." not in key}
    own = {key for key in begun_with(OWN, language) if "." not in key}
    assert plain == TABLE_TYPES | OTHERS
    assert own == OWN_TYPES | OWN_OTHERS


def test_every_event_has_one_wording() -> None:
    assert sorted(worded()) == sorted(TYPES)


def test_every_event_has_a_kind() -> None:
    """What has none counts as the engine's own note, which is not shown unless asked for."""
    named = [text for text in strings_of("web/watch/kinds.js") if text in TYPES]
    assert set(named) == TYPES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_a_text_is_one_that_a_wording_chooses(language: str) -> None:
    """A form is a word that its event's wording names: ``log.line-shifted.card``."""
    strings = set(strings_of("web/watch/log-text.js"))
    forms = [key.split(".", 1) for key in texts(language) if "." in key]
    assert forms
    assert [(kind, form) for kind, form in forms if kind not in TYPES or form not in strings] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_that_a_wording_chooses_has_a_text(language: str) -> None:
    known = texts(language)
    script = read_script(tree.read("web/watch/log-text.js") or "")
    wordings = _TYPE.split(script.code)
    # Code, then number and code in turn.
    chosen = {
        (script.texts[int(number)].text, script.texts[int(at)].text)
        for number, code in zip(wordings[1::2], wordings[2::2], strict=True)
        for at in _chosen(code)
    }
    assert len(chosen) > len(TYPES) // 2
    missing = [(kind, form) for kind, form in chosen if form and f"{kind}.{form}" not in known]
    assert missing == []


def _chosen(code: str) -> list[str]:
    """The numbers of the strings that a wording may choose as its form."""
    causes = [at for match in _FORM.finditer(code) for at in re.findall(r"\d+", match["causes"])]
    for match in _NAMED_FORM.finditer(code.split("\n};", maxsplit=1)[0]):
        text = match[0].split("among(", maxsplit=1)[0]
        causes += re.findall(r"[?:]\s*(\d+)", text)
    return causes
