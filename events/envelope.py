"""The envelope of an event: what an entry records about it (pure).

The public form of an entry is decoded straight into its envelope; see ``codec`` for the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Generic, TypeAlias, TypeVar, get_args, get_type_hints

from msgspec import Raw, Struct, field

from events.kernel import Actor, Command, Event, TimestampMs

E = TypeVar("E")
C = TypeVar("C")

Fields = dict[str, Any]
"""The fields of a message as JSON values, by name."""

NO_SEALS: Final[Mapping[str, str]] = MappingProxyType({})
"""No commitments; one shared value, because most entries have none."""

_MISSING: Final = Raw()

_ACTORS: Final = tuple(f"{kind}:" for kind in get_args(get_type_hints(Actor)["kind"]))


class Stored(Struct, frozen=True, gc=False):
    """An entry as the store holds it."""

    version: int
    public: bytes
    private: bytes | None = None


class Head(Struct, Generic[C], frozen=True, forbid_unknown_fields=True, gc=False):
    """Who caused a batch of events, by which command, under which rules.

    ``by`` is ``<kind>:<id>`` of the actor; ``seals`` are the commitments of the command's secret
    fields, by field name; ``shape`` is the shape that the command was written in.
    """

    by: str
    command: C
    command_id: str = field(name="id")
    rules: str
    seals: Mapping[str, str] = NO_SEALS
    shape: int = 1

    @property
    def actor(self) -> Actor:
        """Who issued the command."""
        kind, _, name = self.by.partition(":")
        return Actor(kind, name)  # type: ignore[arg-type]  # checked when it was read

    def names_an_actor(self) -> bool:
        """Whether ``by`` begins with a known kind of actor."""
        return self.by.startswith(_ACTORS)


class TimedEvent(Struct, Generic[E], frozen=True, forbid_unknown_fields=True, gc=False):
    """An event of a stream, its version and its time: as much as a fold needs of an entry."""

    version: int = field(name="v")
    at: TimestampMs
    event: E


class SkimmedLine(TimedEvent[E], Generic[E], frozen=True, forbid_unknown_fields=True, gc=False):
    """An entry of which only the event has been decoded; the rest is left as stored."""

    batch: Raw = _MISSING
    seals: Raw = _MISSING
    shape: int = 1


class Line(TimedEvent[E], Generic[E, C], frozen=True, forbid_unknown_fields=True, gc=False):
    """An event and everything recorded about it.

    Only the first event of a batch has ``batch``; ``seals`` are the commitments of the
    event's secret fields, by field name; ``shape`` is the shape that it was written in.
    """

    batch: Head[C] | None = None
    seals: Mapping[str, str] = NO_SEALS
    shape: int = 1


Batch: TypeAlias = Head[Command]
"""The head of a batch."""

Envelope: TypeAlias = Line[Event, Command]
"""An event in full."""

LooseLine: TypeAlias = Line[Fields, Fields]
"""An entry whose messages are left as stored, perhaps in older shapes."""


Released = frozenset[str]
"""The parts of an entry, ``event`` and ``command``, whose kept fields are opened to everybody."""

NONE_RELEASED: Final[Released] = frozenset()
ALL_RELEASED: Final[Released] = frozenset({"event", "command"})


def batch_by(actor: Actor, command: Command, command_id: str, rules: str) -> Batch:
    """The head of a batch to be encoded; encoding adds the commitments."""
    return Head(f"{actor.kind}:{actor.id}", command, command_id, rules)
