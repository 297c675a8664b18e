"""Which answers to windows are void, by what everybody can see (§5.3.3; pure)."""

from __future__ import annotations

from collections.abc import Sequence

from events.kernel import Event, Seat
from games.cerveauuu.facts.card_events import AnswerGiven, VersionBegan, VersionJudged


def void_answers(events: Sequence[Event]) -> frozenset[int]:
    """The indexes of the answers that never counted.

    These are the answers of seats that come behind the one whose play counted, replaced ones too,
    and those of a version that nobody has judged.
    """
    found: set[int] = set()
    given: list[tuple[int, Seat]] = []
    order: tuple[Seat, ...] = ()
    for number, event in enumerate(events):
        match event:
            case VersionBegan():
                found.update(at for at, _ in given)
                given, order = [], event.order
            case AnswerGiven():
                given.append((number, event.seat))
            case VersionJudged():
                behind = _behind(order, event.seat)
                found.update(at for at, seat in given if seat in behind)
                given = []
            case _:
                pass
    return frozenset(found | {at for at, _ in given})


def _behind(order: tuple[Seat, ...], seat: Seat | None) -> frozenset[Seat]:
    """The seats behind one in an order of answers; nobody, if it is none of them."""
    return frozenset(order[order.index(seat) + 1 :]) if seat in order else frozenset()
