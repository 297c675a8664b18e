"""What a stored event, frame or view does not say means the same for ever (§3.11).

Fields that are as usual are left out of logs and views. Were the usual to change, old records and
clients would read something else.
"""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET

from games.room25 import EVENTS
from games.room25.facts.events import Figure, FigureFacts, TileFacts
from games.room25.model import state
from games.room25.model.agenda import AnyFrame
from games.room25.opening.situation import GivenCharacter, GivenTile, Situation
from tests.games.usual import Usual, left_out, publishing, usual

USUAL_IN_EVENTS: dict[str, Usual] = {
    "GameBegan": {"robots": 0, "locks": 0},
    "ComplexLaid": {"kinds": UNSET},
    "RoleDealt": {"role": UNSET},
    "RolesLeftOver": {"roles": UNSET},
    "SituationSet": {
        "tiles": {},
        "markers": {},
        "room25_revealed": False,
        "key_activated": False,
        "robots": None,
        "locks": None,
        "shown": (),
    },
    "ClueChosen": {"cell": UNSET},
    "RoomPeeked": {"kind": UNSET},
    "ProgrammingOpened": {"limited": ()},
    "ProgramSubmitted": {"tokens": UNSET, "adrenaline": UNSET},
    "ProgrammingClosed": {"adrenaline": ()},
    "ActionRevealed": {"drawn": False},
    "GameEnded": {"score": None},
    "ProgramShown": {"adrenaline": False},
    "TokenReplaced": {"tokens": UNSET},
    "ActionPenalised": {"slot": 0, "drawn": False},
    "ParanoiaBegan": {"stack": UNSET},
    "RoomLocked": {"moved_from": None},
    "CharacterReturned": {"locks": None},
    "RolePeeked": {"role": UNSET},
    "DeckShuffled": {"discard": (), "cards": UNSET},
    "CardDrawn": {"stays": False, "character": None},
}
"""Events that may leave something out; a secret is left out for whoever may not know it (§4.11)."""

PUBLISHING = frozenset(
    {"CluesClosed", "RoomPeeked", "ProgrammingClosed", "ActionRevealed", "RoomRevealed"}
    | {"RoleRevealed", "EscapeAttempted", "GameEnded", "ProgramShown", "ActionPenalised"}
    | {"RolePeeked", "CardDrawn"}
)
"""Events that tell what was secret before (§4.11)."""

FRAMES = {
    "turn": "stage",
    "clues": "",
    "programs": "",
    "round": "number queue",
    "slot": "character number",
    "slot-end": "character number",
    "act": "character slot token",
    "action-end": "character armed=0 hidden=False",
    "resolution": "triggered=()",
    "ask": "kind character id='' group=() cell='' way='' about=()",
    "enter": "group cell way='' cause='move' departed=False",
    "effect": "group cell way=''",
    "adrenaline": "queue",
    "boost": "character",
    "flood": "character",
    "draw": "count character='' held=()",
    "card": "card character='' step=0 names=() cell='' held=()",
    "robot-order": "character",
    "carried": "group cell",
    "second-step": "character",
    "second-push": "victim cell",
    "check": "",
}
"""The frames of the agenda: stored by position, so that fields are only ever added at the end."""

USUAL: dict[type[msgspec.Struct], Usual] = {
    Figure: {"adrenaline": "none", "spares": 0},
    TileFacts: {"seal": False, "lock": False, "axis": None, "reminders": ()},
    FigureFacts: {
        "trap": None,
        "flood": None,
        "free": False,
        "lost": (),
        "adrenaline": "none",
        "hidden": False,
        "delayed": False,
        "used": (),
        "passed": False,
        "acted": 0,
        "entry": 0,
        "cold_next": False,
        "spares": 0,
    },
    state.Tile: {
        "kind": None,
        "up": False,
        "seal": False,
        "lock": False,
        "axis": None,
        "reminders": (),
    },
    state.Program: {"tokens": None, "adrenaline": None},
    state.Character: {
        "alive": True,
        "tokens": (),
        "lost": (),
        "program": None,
        "delayed": False,
        "adrenaline": "none",
        "hidden": False,
        "acted": 0,
        "trap": None,
        "flood": None,
        "entry": 0,
        "role": None,
        "role_public": False,
        "free": False,
        "limited": False,
        "used": (),
        "passed": False,
        "cold_next": False,
        "paranoid": False,
        "leaving": False,
        "stacked": 0,
        "stack": None,
        "drawn": (),
        "spares": 0,
        "returned": False,
        "powered": False,
    },
    state.End: {"score": None},
    state.State: {
        "rulebook": "",
        "mode": "",
        "options": {},
        "composition": {},
        "turn": 0,
        "last_turn": 0,
        "phase": "setup",
        "round": 0,
        "actor": None,
        "order": (),
        "characters": {},
        "grid": {},
        "markers": {},
        "dead": (),
        "room25_revealed": False,
        "key_activated": False,
        "clues": {},
        "peeked": {},
        "reminded": {},
        "claims": {},
        "windows": (),
        "withdrawn": (),
        "undealt": None,
        "entries": 0,
        "asked": 0,
        "agenda": (),
        "end": None,
        "robots": (),
        "locks": 0,
        "deck": None,
        "deck_size": 0,
        "discard": (),
        "shown": (),
        "shuffles": 0,
        "tiles_made": 0,
    },
    GivenTile: {
        "face": "up",
        "known": False,
        "seal": False,
        "lock": False,
        "axis": None,
        "reminders": (),
    },
    GivenCharacter: {
        "cell": "r2c2",
        "dead": False,
        "role": None,
        "identity": None,
        "role_public": False,
        "free": False,
        "program": None,
        "delayed": False,
        "lost": (),
        "used": (),
        "passed": False,
        "acted": 0,
        "trap": None,
        "flood": None,
        "looked": (),
        "entry": None,
        "adrenaline": None,
        "hidden": False,
        "cold_next": False,
        "stack": None,
        "next_stack": None,
        "spares": None,
        "locks": None,
        "returned": False,
    },
    Situation: {
        "only_named": False,
        "tiles": {},
        "rest": "empty",
        "turn": 3,
        "last_turn": None,
        "phase": "start",
        "order": (),
        "dead": (),
        "markers": {},
        "undealt": None,
        "room25_revealed": None,
        "key_activated": False,
        "robots": (),
        "deck": None,
        "deck_rest": True,
        "discard": (),
        "shown": (),
        "seed": None,
    },
}
"""The parts of events, views (§3) and situations (§9, Defaults) that leave out what is as usual."""


def test_what_an_event_leaves_out() -> None:
    """§3.11: replay reads old logs, and re-rolls nothing."""
    assert left_out(EVENTS) == USUAL_IN_EVENTS


def test_which_events_publish_a_secret() -> None:
    """§4.11: what only its seat learns is published to that seat; all others see the same bytes."""
    assert publishing(EVENTS) == PUBLISHING


def test_the_frames_of_the_agenda() -> None:
    """§3.11: a game that was stored in the middle goes on from its agenda."""
    found = {}
    for kind in AnyFrame.__args__:
        known = usual(kind)
        words = [f"{n}={known[n]!r}" if n in known else n for n in kind.__struct_fields__]
        found[kind.__struct_config__.tag] = " ".join(words)
    assert found == FRAMES


@pytest.mark.parametrize(
    ("kind", "fields"), USUAL.items(), ids=lambda each: getattr(each, "__name__", "")
)
def test_what_is_as_usual(kind: type[msgspec.Struct], fields: Usual) -> None:
    """§3, §9 (Defaults): see docs/scenarios.md for situations, docs/clients.md for views."""
    assert usual(kind) == fields
