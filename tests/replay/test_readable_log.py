"""A log is read by people: no sentence of it shows an id or a code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from events.kernel import Event
from games.game_registry import GameRegistry
from games.registry import GAMES
from games.sentences import holes, parse
from games.table.events import (
    InspectionBegan,
    InvitationDeclined,
    PlayerInvited,
    SeatReadied,
    SeatTaken,
)
from games.table.state import SeatState
from games.words import ENGLISH, LANGUAGES
from projections.names import SeatName, seat_name
from replay.viewing import Show, moment_names
from replay.wording import Wording
from simulator.golden_files import ROOT
from tests.golden_records import RECORDS, UNFINISHED, golden

REGISTRY: Final = GameRegistry(GAMES)
READ: Final = ("cerveauuu-2", "cerveauuu-6-return", "ultimate-suspicion-6", "cooperation-2-held")
"""Records that are read aloud; the holes of sentences are looked at in all."""

ID: Final = re.compile(
    r"""
      \b[rt]\d+-              # of a wait
    | \b[hkz]\d+\b            # of a piece, or a card's number
    | \b[gp][0-9a-f]{2}-\w+   # of a table or an account
    | [0-9a-f]{16}            # a key
    | \(\)|[_{}]              # what was to be filled, and was not
    """,
    re.VERBOSE,
)


def at(fields: Any, path: str) -> Any:
    """What a hole's path leads to; None: nothing."""
    for step in path.split("."):
        if isinstance(fields, list):
            index = int(step)
            fields = fields[index] if -len(fields) <= index < len(fields) else None
        else:
            fields = fields.get(step) if isinstance(fields, dict) else None
    return fields


def codes(event: Event, words: dict[str, str], game: str) -> list[str]:
    """The holes of an event's sentence that show a text of the event as it is."""
    fields = msgspec.to_builtins(event, str_keys=True)
    tag = str(type(event).__struct_config__.tag)
    template = words.get(f"{game}/event.{tag}", words.get(f"event.{tag}", ""))
    bare = {hole.path for hole in holes(parse(template)) if hole.kind == ""}
    return [f"{tag}: {path}" for path in sorted(bare) if isinstance(at(fields, path), str)]


def words_of(game: str, rulebook: str) -> dict[str, str]:
    """The words of a rulebook, in which the other languages have the same holes."""
    described: Any = GAMES[game].published.rulebook(rulebook, ENGLISH)
    return dict(described["words"])


@pytest.mark.parametrize("path", [*RECORDS, *UNFINISHED], ids=lambda path: path.stem)
def test_no_sentence_shows_a_code_of_its_event(path: Path) -> None:
    events = [each.event for each in golden(path).envelopes()]
    opened: Any = events[0]
    words = words_of(opened.game, opened.rulebook)
    assert {code for event in events for code in codes(event, words, opened.game)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", READ)
def test_no_line_shows_an_id(name: str, language: str) -> None:
    source = golden(ROOT / f"records/{name}.jsonl")
    wording = Wording(REGISTRY, language, lambda seat, _: SeatName(name=f"Player {seat}"))
    for viewer in ("full", "public"):
        moments = Show(source, REGISTRY, viewer).moments()
        lines = [wording.line(each.event, each.beside, each.state) for each in moments]
        assert [line for line in lines if ID.search(line)] == []


INVITED: Final = {
    "en": ("The host invites {}.", "{} declines the invitation.", "The host invites a player."),
    "fr": ("L’hôte invite {}.", "{} décline l’invitation.", "L’hôte invite une personne."),
    "pl": (
        "Gospodarz zaprasza: {}.",
        "{} odrzuca zaproszenie.",
        "Gospodarz wysyła zaproszenie.",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_was_invited_is_told_by_the_name_that_the_table_knows(language: str) -> None:
    source = golden(ROOT / "records/cooperation-2-inspected.jsonl")
    show = Show(source, REGISTRY, "public", language)
    opening = show.at(1)
    taken = next(each.event for each in show.moments() if isinstance(each.event, SeatTaken))
    name = seat_name(taken.seat, taken, source.names).name
    assert name is not None
    assert opening.state.seats == {}, "they sit down later"
    told = [
        show.wording.line(event, {}, opening.state)
        for event in (
            PlayerInvited(player=taken.player),
            InvitationDeclined(player=taken.player),
            PlayerInvited(player="p00-somebodyelse"),
        )
    ]
    assert told == [each.format(name) for each in INVITED[language]]


CALLED: Final = {"en": "Clever bot", "fr": "Bot malin", "pl": "Sprytny bot"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_house_bot_is_called_as_on_the_page(language: str) -> None:
    show = Show(
        golden(ROOT / "records/cooperation-2-inspected.jsonl"), REGISTRY, "public", language
    )
    opening = show.at(1).state
    sits = SeatTaken(seat=2, player="steady", characters=("franck",), bot="steady")
    place = SeatState(player="steady", characters=("franck",), bot="steady")
    seated = msgspec.structs.replace(opening, seats={2: place})
    told = [
        show.wording.line(sits, {}, opening),
        show.wording.line(SeatReadied(seat=2), {}, seated),
        show.wording.line(SeatReadied(seat=1), {}, seated),
    ]
    assert [f"{CALLED[language]} 2" in line for line in told] == [True, True, False], told


def test_whom_an_auditor_looked_through_is_told_by_name() -> None:
    source = golden(ROOT / "records/cooperation-2-inspected.jsonl")
    show = Show(source, REGISTRY, "full")
    names = {each.name for each in moment_names(show, show.at(show.version)).values()}
    told = [
        show.wording.line(each.event, each.beside, each.state)
        for each in show.moments()
        if isinstance(each.event, InspectionBegan)
    ]
    assert any(f"may see what {name} sees" in line for line in told for name in names), told


def test_a_planted_id_is_found() -> None:
    """A control: a wait's, a card's number, an account's, a key, an empty bracket."""
    planted = (
        "for r1-w4-v1: 0:12",
        "a card (k3).",
        "p00-gggggggg plays",
        "(c74d03c63fb97fc9)",
        "()",
    )
    assert all(ID.search(line) for line in planted)
    assert ID.search("Emmett goes to r1c2, round 1 – in front of the face-down room.") is None
