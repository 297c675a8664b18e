"""Handlers by message type, checked for completeness by the type checker (pure).

A closed set of messages is a union; a module that must handle all of it says so in an annotation,
and the type checker compares that with the sum of the handlers::

    _FOUND = on(Opened, _opened) | on(Closed, _closed)
    RECORDERS: Handlers[Table, Opened | Closed, None] = _FOUND

Without ``on(Closed, _closed)`` the last line is a type error, and so is a handler of the wrong
type. At run time only ``by_type`` remains, a dict: folding is hot, and a ``match`` over sixty types
is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from events.kernel import Event

S_contra = TypeVar("S_contra", contravariant=True)
M_contra = TypeVar("M_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)
Subject = TypeVar("Subject")
Result = TypeVar("Result")
One = TypeVar("One")
Other = TypeVar("Other")


class Handlers(Generic[S_contra, M_contra, R_co]):
    """The handler of each message type of the union, given a subject.

    ``by_type`` is the dispatcher's table.
    """

    def __init__(self, by_type: dict[type, Callable[[Any, Any], Any]]) -> None:
        self.by_type = by_type

    def __or__(
        self: Handlers[Subject, One, Result], more: Handlers[Subject, Other, Result]
    ) -> Handlers[Subject, One | Other, Result]:
        """The handlers of both.

        Raises:
            ValueError: a type is handled twice.
        """
        twice = self.by_type.keys() & more.by_type.keys()
        if twice:
            raise ValueError(f"handled twice: {sorted(kind.__name__ for kind in twice)}")
        return Handlers(self.by_type | more.by_type)


Recorders = Mapping[type[Event], Callable[[Subject, Any], None]]
"""What records each event, by its type: in place, in a state that is its own."""


def evolve_by(recorders: Recorders[Subject]) -> Callable[[Subject, Event], Subject]:
    """The ``evolve`` that consists of these recorders; it raises KeyError at any other event."""

    def evolve(state: Subject, event: Event) -> Subject:
        recorders[type(event)](state, event)
        return state

    return evolve


def on(
    kind: type[One], handler: Callable[[Subject, One], Result]
) -> Handlers[Subject, One, Result]:
    """The handler of one type of message."""
    return Handlers({kind: handler})
