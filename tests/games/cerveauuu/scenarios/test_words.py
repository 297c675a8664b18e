"""The words that scenario files may use are those of the game."""

from __future__ import annotations

import msgspec

from games.cerveauuu.decider import RULES
from games.cerveauuu.opening.situation import GivenPiece, Situation
from games.cerveauuu.scenarios.event_words import COMMON, OWN
from games.cerveauuu.scenarios.option_words import ID_FORMS, OPTION_FORMS, with_branches
from games.cerveauuu.scenarios.vocabulary import DECISION_KINDS, vocabulary
from games.cerveauuu.words import WORDS
from games.registry import GAMES
from games.table.events import TABLE_EVENTS
from games.words import ENGLISH, named
from replay.scenario.dialect import BEFORE, dialect_of
from replay.scenario.readings import pattern_of
from replay.scenario.spelling import FACTS, Speller
from tests.games.cerveauuu.rules.card_rows import ROWS
from tests.games.cerveauuu.rules.staging import TOWN
from tests.games.cerveauuu.rules.test_each_card import option

DIALECT = dialect_of(GAMES[RULES.id])


def test_every_field_of_every_event_has_its_words() -> None:
    own = [
        (tag, field)
        for tag, fields in DIALECT.event_fields.items()
        if DIALECT.event_types[tag] not in (*BEFORE, *TABLE_EVENTS)
        for field in fields
    ]
    for tag, field in own:
        DIALECT.words_of(tag, field)
    assert set(OWN) <= set(own)
    assert set(COMMON) == {field for tag, field in own if (tag, field) not in OWN}


def test_every_kind_of_decision_has_its_options_and_ids() -> None:
    kinds = {named(key) for key in WORDS.section(ENGLISH, "decision", game=RULES.id)}
    assert set(DECISION_KINDS) == set(OPTION_FORMS) == set(ID_FORMS) == kinds
    forms = [*ID_FORMS.values(), *(form for forms in OPTION_FORMS.values() for form in forms)]
    told = {term for form in forms for term in pattern_of(form, frozenset())[1]}
    assert {term.rstrip("-.") for term in told} <= set(vocabulary(2, None).terms)


def test_every_fact_of_every_check_is_looked_up_or_typed() -> None:
    """What the format types (cells of any board, phases, switches) needs no look-up."""
    typed = {
        *("viewer", "phase", "media_lock", "swapped", "replacing", "dormant", "then"),
        *("blocked", "doomed", "moved", "activated", "attacked", "must_leave", "prints_back"),
        *("impassable", "opaque", "adjacent", "sees"),
    }
    facts = DIALECT.told.forms.facts
    assert set(facts) == set(DIALECT.told.checks)
    assert not set(facts) & set(FACTS)
    for check in DIALECT.told.checks:
        assert set(facts[check]) <= set(check.__struct_fields__)
        assert set(check.__struct_fields__) - set(facts[check]) <= typed, check


def town() -> Speller:
    pieces = {f"h{n:02}": GivenPiece(cell=f"r0c{n}") for n in range(1, 7)}
    zombies = {f"z{n:02}": GivenPiece(cell=f"r1c{n}", seat=1) for n in range(1, 7)}
    return Speller(DIALECT, vocabulary(3, Situation(pieces={**pieces, **zombies}, map=TOWN)))


def wrong(speller: Speller, kind: str, id_: str) -> list[str]:
    return [each.text for each in speller.option(kind, id_, "")]


def test_a_play_of_every_card_can_be_told() -> None:
    speller = town()
    for row in ROWS:
        assert wrong(speller, "respond", option(row.play)) == [], row.card
        parts = option(row.play).split(".")
        for end in range(1, len(parts)):
            assert wrong(speller, "respond", ".".join(parts[:end])) == [], row.card


def test_paths_can_be_told_and_misspelt_ones_are_found() -> None:
    speller = town()
    for kind, id_ in (
        ("go", "z01.r0c0.r0c1.r0c0.attack-h01"),
        ("go", "swap.k3"),
        ("go", "play.k1.h01"),
        ("replan", "r0c0.end"),
        ("support", "z01-z02.h01-z01.h02-z01"),
        ("wander_turn", "h01.r0c0"),
        ("discard", "k1-k2"),
    ):
        assert wrong(speller, kind, id_) == []
    for kind, id_ in (
        ("go", "z01.r9c9.end"),
        ("go", "h01.end"),
        ("go", "z01.r0c0.stop"),
        ("go", "play.k1.2.z01"),
        ("respond", "play.c031.z01"),
        ("support", "z01-z01"),
        ("discard", "k1-k1"),
    ):
        assert wrong(speller, kind, id_), id_


def test_each_branch_on_the_way_to_a_leaf_has_a_form() -> None:
    assert with_branches(("{zombie}.{cell.}.end", "down")) == (
        *("{zombie}", "{zombie}.{cell.}", "{zombie}.{cell.}.end", "down"),
    )


def test_ids_are_those_that_can_come_to_be() -> None:
    few = Situation(pieces={"h01": GivenPiece(cell="r0c0"), "z07": GivenPiece(cell="r0c1", seat=1)})
    terms = msgspec.to_builtins(vocabulary(2, few).terms)
    assert terms["human"]["words"][-1] == "h04"  # two by a tour guide, one lost hiker
    assert terms["zombie"]["words"][-1] == "z14"  # three by cards, and each human may be eaten
    assert msgspec.to_builtins(vocabulary(2, None).terms)["human"]["words"][-1] == "h23"


def test_a_map_that_is_none_leaves_the_words_of_the_games_own() -> None:
    bad = Situation(pieces={"h01": GivenPiece(cell="r0c0")}, map="+-+")
    assert vocabulary(2, bad).terms["cell"] == vocabulary(2, None).terms["cell"]
