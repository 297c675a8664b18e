"""What a stored event, frame or view does not say means the same for ever (§12).

Fields that are as usual are left out of logs and views. Were the usual to change, old records and
clients would read something else.
"""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET

from games.cerveauuu import EVENTS
from games.cerveauuu.model import state
from games.cerveauuu.model.agenda import AnyFrame
from games.cerveauuu.opening.situation import GivenPiece
from tests.games.cerveauuu.scenes import scene
from tests.games.usual import Usual, left_out, publishing, usual

USUAL_IN_EVENTS: dict[str, Usual] = {
    "DeckShuffled": {"cards": UNSET},
    "SituationSet": {
        "credits": (),
        "credits_need": 0,
        "piles": {},
        "scores": {},
        "played": {},
        "weather": None,
        "bans": (),
        "replacing": {},
        "media_lock": False,
    },
    "PieceAppeared": {"controller": None, "blocked": False, "cause": "placed"},
    "StepsTaken": {"moved": (), "panic": None},
    "PieceSaved": {"undoomed": False},
    "CardDrawn": {"number": None, "credits": None, "card": UNSET},
    "HandDealt": {"cards": UNSET},
    "YieldChosen": {"order": None},
    "AnswerGiven": {"choice": UNSET},
    "VersionJudged": {"seat": None, "number": None, "card": None, "choice": None},
    "CardPlayed": {
        "anchor": None,
        "designated": (),
        "side": None,
        "weather": False,
        "media": False,
    },
    "CardTaken": {"card": UNSET},
    "CardReceived": {"card": UNSET},
    "HandSeen": {"cards": UNSET},
    "DiscardChosen": {"numbers": UNSET},
    "EffectsEnded": {"card": None},
    "BatchDealt": {"asked": ()},
    "BatchAnswered": {"choice": UNSET},
    "ZombieActivated": {"path": (), "attack": None},
    "PathChanged": {"attack": None},
    "FightJoined": {"by_card": False},
    "ConsentGiven": {"accepts": UNSET},
    "FightWeighed": {"winner": None},
    "FightResolved": {"winner": None, "killed": ()},
}
"""The fields that some events leave out."""

PUBLISHING = {
    "BatchJudged",
    "CardDrawn",
    "CardPlayed",
    "CardReceived",
    "CardSwapped",
    "CardTaken",
    "CardsDropped",
    "ConsentsJudged",
    "DiscardsJudged",
    "GameEnded",
    "HandSeen",
    "VersionJudged",
}
"""§12.3: what is judged, drawn, seen, or leaves a hand. The deck is opened with the game's end."""

FRAMES = {
    "stage": "stage",
    "wanderers": "",
    "goes": "",
    "go-end": "",
    "ask-again": "seat",
    "activated": "",
    "reopen": "seat",
    "combat": "",
    "place-human": "seat id",
    "place-zombie": "seat id",
    "wander-turn": "seat id",
    "wander-batch": "",
    "go": "seat id",
    "answers": "",
    "replan": "seat id",
    "support": "seat id",
    "consents": "id",
    "discards": "",
}
"""What a game that was stored in the middle goes on from; none leaves anything out."""

UNMARKED: Usual = {"blocked": False, "moved": False, "activated": False, "attacked": False}

USUAL: dict[type[msgspec.Struct], Usual] = {
    state.Piece: {
        **UNMARKED,
        "controller": None,
        "doomed": False,
        "must_leave": False,
        "protections": (),
        "touched_by": (),
    },
    GivenPiece: {**UNMARKED, "seat": None, "touched_by": ()},
    state.Modifier: {
        "value": 0,
        "absolute": False,
        "area": None,
        "seat": None,
        "pieces": (),
        "seats": (),
    },
    state.YieldOrder: {"deep": False, "window": False},
    state.CardWindow: {
        "version": 0,
        "floor": 0,
        "order": (),
        "passed": {},
        "answers": {},
        "timeline": (),
        "last": None,
        "suspended": (),
    },
    state.Panic: {"runner": None, "taken": 0, "seen": (), "trail": ()},
    state.Wandering: {"turns": 0, "passes": 0, "batch": {}, "asked": (), "answers": {}},
    state.Activation: {
        "rest": (),
        "attack": None,
        "trail": (),
        "halted": False,
        "stopped": False,
        "owes": False,
    },
    state.Fight: {
        "share": {},
        "exempt": {},
        "asked": 0,
        "proposal": None,
        "consents": {},
        "last_side": None,
        "totals": (0, 0),
        "winner": None,
    },
}
"""The parts of views and situations that leave out what is as usual."""


def test_what_an_event_leaves_out() -> None:
    """A replay reads old logs."""
    assert left_out(EVENTS) == USUAL_IN_EVENTS


def test_which_events_publish_a_secret() -> None:
    """§12.3: whatever branches on a secret goes by one of these."""
    assert publishing(EVENTS) == PUBLISHING


def test_the_frames_of_the_agenda() -> None:
    found = {}
    for kind in AnyFrame.__args__:
        assert usual(kind) == {}
        found[kind.__struct_config__.tag] = " ".join(kind.__struct_fields__)
    assert found == FRAMES


@pytest.mark.parametrize(
    ("kind", "fields"), USUAL.items(), ids=lambda each: getattr(each, "__name__", "")
)
def test_what_is_as_usual(kind: type[msgspec.Struct], fields: Usual) -> None:
    assert usual(kind) == fields


def test_the_agenda_is_recorded_once_by_a_batch_that_changes_it_and_by_no_other() -> None:
    """A sealed answer that others have still to join leaves it as it was (§12.5)."""
    found = scene("h1 4,4; zA 0,0; zB 8,8", hands={"A": "c054", "B": "c055"}, stage="pre_zombies")
    before = found.state.agenda
    answered = found.answer("A", "pass").sitting.last
    assert [type(event).__name__ for event in answered] == ["AnswerGiven"]
    assert found.state.agenda == before
    closed = found.answer("B", "pass").sitting.last
    assert [type(event).__name__ for event in closed].count("AgendaSet") == 1
    assert type(closed[-1]).__name__ == "AgendaSet"
    assert found.state.agenda != before
