"""An auditor's inspection of a running game: who may begin one, and what its log then tells."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from events import seal
from events.codec import Codec, batch_by
from events.kernel import FULL, PUBLIC, Actor, Event, Viewer, redact
from events.keys import KeyRing
from games.game_registry import installed_games
from games.room25 import RULES
from games.table.checks import TableCode
from games.table.events import (
    AnnulTable,
    HoldTable,
    InspectGame,
    InspectionBegan,
    PauseTable,
)
from games.table.inspections import (
    INSPECTION_MAX_S,
    INSPECTION_REASONS,
    inspection_of,
    may_look,
)
from games.table.state import Inspection
from tests.games.specification import (
    DIRECTOR,
    HOST,
    STRANGER,
    WORKER,
    ZERO,
    Given,
    given,
    live,
    opened,
    taken,
)

AUDITOR = Actor("auditor", "a1")
LOOK = inspection_of("seat:2", "complaint", 900)
CHOICES = [*product(("full", "seat:1", "seat:99"), INSPECTION_REASONS)]


def began(command: InspectGame = LOOK, account: str = "a1", at: int = 0) -> InspectionBegan:
    """What comes of an inspection."""
    return InspectionBegan(
        office="audit",
        account=account,
        at=ZERO + at,
        until=ZERO + at + command.seconds * 1000,
        eyes=command.eyes,
        reason=command.reason,
    )


def inspected() -> Given:
    """A game that an auditor inspects through the second seat."""
    return live().when(LOOK, AUDITOR).then(began())


def test_an_auditor_inspects_a_running_game() -> None:
    assert inspected().state.inspections == (
        Inspection("audit", "a1", ZERO, ZERO + 900_000, "seat:2", "complaint"),
    )


def test_a_game_that_stands_still_is_inspected_too() -> None:
    for stop in (PauseTable(), HoldTable(known=57, kept=5, epoch=2)):
        live().when(stop, DIRECTOR).happened().when(LOOK, AUDITOR).then(began())


def test_a_table_without_inspections_says_nothing_of_them() -> None:
    assert live().state.inspections is UNSET
    assert live().state.inspections_held == ()


@pytest.mark.parametrize("viewer", [PUBLIC, Viewer(kind="seat", seat=2)])
def test_that_somebody_looks_is_public_and_how_is_nobodys(viewer: Viewer) -> None:
    told = redact(began(), viewer)
    assert (told.office, told.account, told.until) == ("audit", "a1", ZERO + 900_000)
    assert (told.eyes, told.reason) == (UNSET, UNSET)
    assert redact(began(), FULL) == began()
    view = inspected().table.evolve(inspected().table.copy(live().state), told)
    assert view.inspections == (Inspection("audit", "a1", ZERO, ZERO + 900_000, None, None),)


@pytest.mark.parametrize("actor", [HOST, DIRECTOR, WORKER, STRANGER])
def test_nobody_else_inspects(actor: Actor) -> None:
    live().when(LOOK, actor).then_rejected(TableCode.NOT_AN_AUDITOR)


def test_who_sits_at_the_table_never_inspects_it() -> None:
    live().when(LOOK, Actor("auditor", "p1")).then_rejected(TableCode.INSPECTION_BY_PLAYER)


def test_only_a_running_game_is_inspected() -> None:
    given(opened(), taken(1)).when(LOOK, AUDITOR).then_rejected(TableCode.GAME_NOT_LIVE)
    over = live().when(AnnulTable(reason="break"), DIRECTOR).happened()
    over.when(LOOK, AUDITOR).then_rejected(TableCode.GAME_OVER)


@pytest.mark.parametrize(
    "change",
    [
        {"eyes": "full"},
        {"eyes": "god".ljust(7)},
        {"eyes": "seat:0 "},
        {"eyes": " seat:2"},
        {"eyes": UNSET},
        {"reason": "complaint"},
        {"reason": "envy".ljust(22)},
        {"reason": UNSET},
        {"seconds": 0},
        {"seconds": INSPECTION_MAX_S + 1},
    ],
    ids=str,
)
def test_what_is_not_padded_or_not_known_is_refused(change: dict[str, object]) -> None:
    live().when(replace(LOOK, **change), AUDITOR).then_rejected(TableCode.BAD_INSPECTION)


def test_there_must_be_somebody_to_look_through() -> None:
    look = inspection_of("seat:99", "complaint", 900)
    live().when(look, AUDITOR).then_rejected(TableCode.UNKNOWN_SEAT)


# --- who may look, and how long ---


def test_the_account_that_began_it_looks_through_these_eyes_until_it_ends() -> None:
    state = inspected().state
    assert may_look(state, "a1", "seat:2", ZERO) == ZERO + 900_000
    assert may_look(state, "a1", "seat:2", ZERO + 899_999) == ZERO + 900_000
    assert may_look(state, "a1", "seat:2", ZERO + 900_000) is None
    for account, eyes in (("a2", "seat:2"), ("a1", "seat:1"), ("a1", "full")):
        assert may_look(state, account, eyes, ZERO) is None


def test_who_may_see_everything_may_see_what_a_seat_sees() -> None:
    look = inspection_of("full", "spot_check", 60)
    state = live().when(look, AUDITOR).then(began(look)).state
    for eyes in ("full", "seat:1", "seat:2"):
        assert may_look(state, "a1", eyes, ZERO) == ZERO + 60_000


def test_the_longest_of_several_counts() -> None:
    again = inspected().at(60_000).when(LOOK, AUDITOR).then(began(at=60_000))
    assert may_look(again.state, "a1", "seat:2", ZERO + 60_000) == ZERO + 960_000
    assert len(again.state.inspections_held) == 2


# --- nothing is told by a length ---


def lengths(command: InspectGame, event: Event) -> tuple[int, int]:
    """The bytes of the public and of the encrypted part of an inspection's entry."""
    keys = KeyRing({"k": b"1" * 32}, "k")
    codec = Codec(installed_games().registry(RULES.id), keys)
    stream = "g00-0123456789abcdefghjkmnpqrs"
    batch = batch_by(AUDITOR, command, "c" * 22, "rules")
    sealed = codec.encode_batch(
        stream, [event], batch, at=ZERO, first_version=7, previous_head=seal.genesis(stream)
    )
    ((public, private),) = sealed.entries
    assert private is not None
    return len(public), len(private)


def test_no_length_tells_what_is_looked_at_or_why() -> None:
    looks = [inspection_of(eyes, reason, 900) for eyes, reason in CHOICES]
    assert len(looks) > 10
    assert len({lengths(look, began(look)) for look in looks}) == 1


def test_without_padding_the_lengths_would_tell() -> None:
    """The planted fault."""
    looks = [InspectGame(seconds=900, eyes=eyes, reason=reason) for eyes, reason in CHOICES]
    assert len({lengths(look, began(look)) for look in looks}) > 5
