"""The words that scenarios may use are those of the code, and its page tells them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from games.registry import GAMES
from games.room25 import RULES
from games.room25.rules.choices import CHOICES
from games.room25.scenarios.event_words import COMMON, OWN
from games.room25.scenarios.option_words import ID_FORMS, JOINED, OPTION_FORMS
from games.room25.scenarios.vocabulary import CAUSES, DECISION_KINDS
from games.room25.scenarios.vocabulary import vocabulary as words_for
from games.room25.words import WORDS
from games.scenarios import Vocabulary
from games.table.events import TABLE_EVENTS, TableOpened
from games.words import ENGLISH, named
from replay.scenario.dialect import BEFORE, TABLE_FIELDS, dialect_of
from replay.scenario.format import Scenario, ScenarioFile
from replay.scenario.readings import pattern_of
from replay.scenario.spelling import FACTS, Speller
from tests.golden_records import RECORDS, golden
from tools import scenario_words

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "games" / "room25").rglob("*.py"))


ROOM25 = dialect_of(GAMES["room25"])


def vocabulary(*rulebooks: str, seats: int = 4) -> Vocabulary:
    """The words of a table of these rulebooks."""
    return words_for(rulebooks or ("bga",), seats, None)


def test_the_page_has_the_words_of_the_code() -> None:
    assert scenario_words.main(["--check"]) == 0, "python -m tools.scenario_words --write"


def test_the_page_tells_the_words_of_each_game() -> None:
    text = scenario_words.words_text()
    assert re.findall(r"^### (.*)$", text, re.MULTILINE) == [f"`{game}`" for game in GAMES]


def test_a_page_that_differs_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / scenario_words.NAME
    page.parent.mkdir()
    text = (ROOT / scenario_words.NAME).read_text(encoding="utf-8")
    page.write_text(text.replace("`time_bomb`", "`time_bom`"), encoding="utf-8")
    assert scenario_words.main(["--check"], tmp_path) == 1
    assert "tools.scenario_words --write" in capsys.readouterr().err
    assert scenario_words.main(["--write"], tmp_path) == 0
    assert page.read_text(encoding="utf-8") == text


def test_every_field_of_every_event_has_its_words() -> None:
    seen = [
        (tag, field)
        for tag, fields in ROOM25.event_fields.items()
        if ROOM25.event_types[tag] not in BEFORE
        for field in fields
    ]
    for tag, field in seen:
        ROOM25.words_of(tag, field)
    own = [(tag, f) for tag, f in seen if ROOM25.event_types[tag] not in TABLE_EVENTS]
    assert set(OWN) <= set(own)
    assert set(COMMON) == {field for tag, field in own if (tag, field) not in OWN}
    assert set(TABLE_FIELDS) == {field for tag, field in set(seen) - set(own)}


def test_every_kind_of_decision_has_its_options_and_ids() -> None:
    kinds = {named(key) for key in WORDS.section(ENGLISH, "decision", game=RULES.id)}
    assert set(DECISION_KINDS) == kinds
    assert set(OPTION_FORMS) == kinds
    assert set(ID_FORMS) == kinds
    assert set(CHOICES) < kinds
    everything = vocabulary().terms
    forms = [*ID_FORMS.values(), *(form for forms in OPTION_FORMS.values() for form in forms)]
    assert {term for form in forms for term in pattern_of(form, JOINED)[1]} <= set(everything)


def test_every_fact_of_every_check_is_looked_up_or_typed() -> None:
    """What the format types (cells, phases, switches, numbers of seats) needs no look-up."""
    typed = {"viewer", "phase", "round", "robots", "at", "cell", "cells", "within", "since"}
    typed |= {"room25_revealed", "key_activated", "alive", "role_public", "delayed", "free"}
    typed |= {"limited", "passed", "trap", "hidden", "paranoid", "up", "seal", "lock", "optional"}
    typed |= {"secret"}
    asked = {"seat", "kind", "character", "below", "are", "include", "exclude", "default", "of"}
    facts = {**FACTS, **ROOM25.told.forms.facts}
    assert set(facts) <= set(ROOM25.checks)
    for check in ROOM25.checks:
        named = set(facts.get(check, {}))
        assert named <= set(check.__struct_fields__)
        assert set(check.__struct_fields__) - named <= typed | asked, check


SAYS_CAUSE = {
    "CharacterMoved": ("character-moved", 3),
    "Enter": ("character-moved", 3),
    "bring": ("character-moved", 2),
    "_go": ("character-moved", 3),
    "TilesSwapped": ("tiles-swapped", 2),
    "LineShifted": ("line-shifted", 2),
    "shift": ("line-shifted", 3),
    "RoleRevealed": ("role-revealed", 2),
    "show_role": ("role-revealed", 2),
    "eliminate": ("character-eliminated", 1),
}
"""What says a cause: of which event, and the place of the cause among its arguments."""

WORKED_OUT = {
    ("character-eliminated", cause) for cause in ("flooded", "burning", "shredder", "acid")
}
"""Causes that are the kind of the room in which somebody dies."""


def _causes_said() -> Iterator[tuple[str, str]]:
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name not in SAYS_CAUSE:
                continue
            tag, place = SAYS_CAUSE[name]
            said = [k.value for k in node.keywords if k.arg == "cause"] or node.args[
                place : place + 1
            ]
            for value in said:
                if isinstance(value, ast.Constant):
                    yield tag, str(value.value)


def test_causes_are_those_that_the_rules_say() -> None:
    said = set(_causes_said()) | WORKED_OUT
    assert {(tag, cause) for tag, causes in CAUSES.items() for cause in causes} == said


def test_special_ids_are_those_that_the_rules_offer() -> None:
    """Every option whose id is said as it is stands in the forms, and the other way round."""
    offered = set()
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        names = dict(re.findall(r'^([A-Z]+)(?:: Final)? = "(\w+)"', text, re.MULTILINE))
        names |= {"CARRIER": "carrier", "PASSENGER": "passenger"}
        names |= dict(zip(("KEEP", "SWAP", "REPLACE"), ("keep", "swap", "replace"), strict=True))
        offered |= set(re.findall(r'\bOption\("(\w+)"', text))
        offered |= {names[name] for name in re.findall(r"\bOption\(([A-Z]+)[,)]", text)}
    fixed = {form for forms in OPTION_FORMS.values() for form in forms if "{" not in form}
    own = {"nothing", "adrenaline", "resign", "return"}
    assert fixed - own == offered - {"horizontal", "vertical"}, "an axis is a term"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_event_of_the_golden_records_is_spelt_right(path: Path) -> None:
    source = golden(path)
    assert source.header is not None
    envelopes = source.envelopes()
    opened = envelopes[0].event
    assert isinstance(opened, TableOpened)
    dialect = dialect_of(GAMES[opened.game])
    given = None
    if opened.situation is not UNSET and dialect.situation is not None:
        given = msgspec.convert(opened.situation, dialect.situation, str_keys=True)
    words = dialect.told.vocabulary((opened.rulebook,), opened.seats, given)
    speller = Speller(dialect, words)
    for envelope in envelopes:
        if type(envelope.event) not in BEFORE:
            event = msgspec.json.decode(msgspec.json.encode(envelope.event))
            assert list(speller.event(event, "")) == []


def test_a_scenario_file_has_no_other_parts() -> None:
    """A new part of the format needs a look-up, too."""
    assert set(Scenario.__struct_fields__) == {
        "id", "title", "cites", "rulebooks", "mode", "seats", "options", "absent_after", "given",
        "seeds", "characters", "refused", "when", "then", "sometimes",
    }  # fmt: skip
    assert set(ScenarioFile.__struct_fields__) == {
        "game", "about", "rulebooks", "scenarios", "schema",
    }  # fmt: skip
