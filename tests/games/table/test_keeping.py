"""Which kept fields a record opens: those of what has counted, as the game tells."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from events.envelope import Envelope, Line, batch_by
from events.kernel import Actor, Event, Kept, Public, Seat
from games.table.events import Choose, ChooseSealed
from games.table.keeping import released
from tests.games.specification import opened
from tests.games.toy import Toy

BOTH, EVENT, NOTHING = frozenset({"event", "command"}), frozenset({"event"}), frozenset[str]()


class Answered(Event, frozen=True, tag="answered"):
    """A seat has answered; ``late`` tells whether it is void."""

    seat: Public[Seat]
    late: Public[bool] = False
    choice: Kept[str] = UNSET


class Keeping(Toy):
    """The toy, where late answers are void."""

    def void(self, events: Sequence[Event]) -> frozenset[int]:
        return frozenset(n for n, e in enumerate(events) if isinstance(e, Answered) and e.late)


def answered(seat: Seat, *, late: bool = False) -> Answered:
    return Answered(seat=seat, late=late, choice="any")


def batch(first: int, seat: Seat, *events: Event, sealed: bool = True) -> list[Envelope]:
    """The events of one choice."""
    kind = ChooseSealed if sealed else Choose
    command = kind(seat=seat, decision="d", option="any")
    head = batch_by(Actor("player", f"p{seat}"), command, "id", "rules")
    return [
        Line(number, 0, event, None if number > first else head)
        for number, event in enumerate(events, first)
    ]


def found(*batches: list[Envelope]) -> dict[int, frozenset[str]]:
    past: list[Envelope] = [Line(1, 0, opened()), *(each for batch in batches for each in batch)]
    return released({"toy": Keeping()}, past)


def test_what_has_counted_is_opened_with_its_command_and_what_is_void_is_not() -> None:
    assert found(batch(2, 1, answered(1)), batch(3, 2, answered(2, late=True))) == {
        2: BOTH,
        3: NOTHING,
    }


def test_a_void_default_of_an_absent_seat_withholds_nothing_of_who_has_chosen() -> None:
    both = batch(2, 1, answered(1), answered(2, late=True))
    assert found(both) == {2: BOTH, 3: NOTHING}
    turned = batch(2, 1, answered(2), answered(1, late=True))
    assert found(turned) == {2: EVENT, 3: NOTHING}


def test_a_later_default_of_the_same_seat_says_nothing_of_its_choice() -> None:
    twice = batch(2, 1, answered(1), answered(1, late=True))
    assert found(twice) == {2: BOTH, 3: NOTHING}


def test_a_public_choice_keeps_nothing() -> None:
    assert found(batch(2, 1, answered(2, late=True), sealed=False)) == {2: NOTHING}
    assert released({}, [Line(1, 0, opened())]) == {}
