"""Audiences: declared where a field is, checked at import, obeyed by redaction."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import UNSET, UnsetType

from events.kernel import (
    FULL,
    PUBLIC,
    AtEnd,
    Audience,
    AudienceError,
    Command,
    Event,
    OnlySeat,
    OnlyTeam,
    Public,
    Seat,
    Viewer,
    fold,
    may_read,
    redact,
    require_unset_defaults,
)
from tests.events.bank import Bank, Opened, Paid, Purse


class Whispered(Event, frozen=True, kw_only=True, tag="whispered"):
    """Every audience there is."""

    seat: Public[Seat]
    team: Public[str]
    word: OnlySeat[str] = UNSET
    sign: OnlyTeam[tuple[int, ...]] = UNSET
    answer: AtEnd[str] = UNSET


WHOLE = Whispered(seat=2, team="red", word="w", sign=(1, 2), answer="a")


def test_a_field_without_an_audience_stops_the_import() -> None:
    with pytest.raises(AudienceError, match=r"Bare\.room"):

        class Bare(Event, frozen=True, tag="bare"):
            seat: Public[Seat]
            room: str


def test_commands_are_held_to_the_same() -> None:
    with pytest.raises(AudienceError, match=r"Naked\.option"):

        class Naked(Command, frozen=True, tag="naked"):
            option: str


def test_a_nested_marker_is_refused() -> None:
    with pytest.raises(AudienceError, match=r"Nested\.rooms"):

        class Nested(Event, frozen=True, tag="nested"):
            rooms: tuple[Public[str], ...]


def test_a_marker_inside_a_marked_field_is_refused() -> None:
    with pytest.raises(AudienceError, match=r"Doubled\.rooms"):

        class Doubled(Event, frozen=True, tag="doubled"):
            seat: Public[Seat]
            rooms: Public[list[OnlySeat[str]]]


def test_two_audiences_are_refused() -> None:
    with pytest.raises(AudienceError, match=r"Torn\.room"):

        class Torn(Event, frozen=True, tag="torn"):
            room: Annotated[str, Audience.EVERYONE, Audience.END]


def test_a_field_for_a_seat_needs_a_public_seat() -> None:
    with pytest.raises(AudienceError, match="no public field 'seat'"):

        class Unowned(Event, frozen=True, tag="unowned"):
            word: OnlySeat[str] = UNSET


def test_a_field_for_a_team_needs_a_public_team() -> None:
    with pytest.raises(AudienceError, match="no public field 'team'"):

        class Teamless(Event, frozen=True, tag="teamless"):
            word: OnlyTeam[str] = UNSET


def test_a_hidden_owner_is_refused() -> None:
    with pytest.raises(AudienceError, match="seat"):

        class Masked(Event, frozen=True, kw_only=True, tag="masked"):
            seat: AtEnd[Seat] = UNSET
            word: OnlySeat[str] = UNSET


def test_secret_fields_must_be_able_to_be_absent() -> None:
    class Fixed(Event, frozen=True, kw_only=True, tag="fixed"):
        seat: Public[Seat]
        word: OnlySeat[str]

    with pytest.raises(AudienceError, match=r"Fixed\.word"):
        require_unset_defaults(Fixed)
    require_unset_defaults(Whispered)


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [
        (PUBLIC, set()),
        (Viewer("seat", seat=1), set()),
        (Viewer("seat", seat=2), {"word"}),
        (Viewer("seat", seat=1, team="red"), {"sign"}),
        (Viewer("seat", seat=2, team="blue"), {"word"}),
        (Viewer("seat", seat=2, team="red"), {"word", "sign"}),
        (FULL, {"word", "sign", "answer"}),
    ],
    ids=["public", "other", "owner", "team-mate", "other-team", "owner-and-team", "full"],
)
def test_redaction_obeys_the_declaration(viewer: Viewer, seen: set[str]) -> None:
    view = redact(WHOLE, viewer)
    assert (view.seat, view.team) == (2, "red")
    for name in ("word", "sign", "answer"):
        assert may_read(WHOLE, name, viewer) is (name in seen)
        expected = getattr(WHOLE, name) if name in seen else UNSET
        assert getattr(view, name) == expected
    assert not isinstance(WHOLE.word, UnsetType), "the truth is left as it was"


def test_redacting_twice_changes_nothing() -> None:
    view = redact(WHOLE, PUBLIC)
    assert redact(view, PUBLIC) == view
    assert redact(view, FULL) == view, "nothing comes back"


def test_a_fold_leaves_the_state_it_starts_from() -> None:
    bank, state = Bank(), Purse(coins=5)
    after = fold(bank, [Opened(owner="a"), Paid(seat=1, coins=3)], state)
    assert (after.owner, after.coins) == ("a", 8)
    assert state == Purse(coins=5)
    assert fold(bank, []) == Purse()
