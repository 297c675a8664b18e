"""A decider that knows no game: a purse with secret notes, for the tests of the log."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct

from events import seal
from events.codec import Batch, Codec, Registry, Stored, batch_by
from events.kernel import (
    Actor,
    AtEnd,
    Command,
    Context,
    Decision,
    Event,
    OnlySeat,
    Public,
    Rejected,
    Seat,
    TimestampMs,
    Working,
)
from events.keys import KeyRing

STREAM = "g01-00000000000000000000000001"
OTHER = "g02-00000000000000000000000002"
CANARY = "canary-7f3a"
"""A secret text that must never be seen where it does not belong."""

AT: TimestampMs = 1_700_000_000_000
ALICE = Actor("player", "p00-alice")
RULES = "rules-1"


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    """A purse was opened."""

    owner: Public[str]
    key: AtEnd[str] = UNSET


class Paid(Event, frozen=True, kw_only=True, tag="paid"):
    """Coins went in (or, negative, out)."""

    seat: Public[Seat]
    coins: Public[int]
    note: OnlySeat[str] = UNSET


class Counted(Event, frozen=True, kw_only=True, tag="counted"):
    """The coins were counted."""

    total: Public[int]
    lucky: Public[int]


class Chimed(Event, frozen=True, kw_only=True, tag="chimed"):
    """A clock struck; no purse is any different."""

    incidental = True
    hour: Public[int]


class Open(Command, frozen=True, kw_only=True, tag="open"):
    """Open a purse."""

    owner: Public[str]
    key: AtEnd[str] = UNSET


class Pay(Command, frozen=True, kw_only=True, tag="pay"):
    """Put coins in, or take some out."""

    seat: Public[Seat]
    coins: Public[int]
    note: OnlySeat[str] = UNSET


class Count(Command, frozen=True, kw_only=True, tag="count"):
    """Count the coins."""

    reason: Public[str] = ""


class Chime(Command, frozen=True, kw_only=True, tag="chime"):
    """Let a clock strike."""

    hour: Public[int]


class Purse(Struct):
    """The state: parts are immutable values."""

    owner: str | None = None
    key: str | None = None
    coins: int = 0
    payments: int = 0
    wake: TimestampMs | None = None


class Bank:
    """The decider. A purse never holds less than nothing; paying wakes it 1 s later."""

    def initial(self) -> Purse:
        return Purse()

    def copy(self, state: Purse) -> Purse:
        return Purse(state.owner, state.key, state.coins, state.payments, state.wake)

    def decide(self, command: Command, state: Purse, context: Context) -> list[Event]:
        match command:
            case Open():
                if state.owner is not None:
                    raise Rejected("already-open", "This purse is open.")
                return [Opened(owner=command.owner, key=command.key)]
            case Pay():
                if state.coins + command.coins < 0:
                    raise Rejected("too-poor", "There are not so many coins.")
                return [Paid(seat=command.seat, coins=command.coins, note=command.note)]
            case Count():
                lucky = context.draw.below(100, f"lucky/{state.payments}")
                none = Paid(seat=1, coins=0)
                return [Counted(total=state.coins, lucky=lucky), none]
            case Chime():
                return [Chimed(hour=command.hour)]
        raise Rejected("unknown", "There is no such command.")

    def carry_out(self, command: Command, state: Purse, context: Context) -> Working[Purse]:
        work = Working(self.evolve, self.copy(state), context)
        for event in self.decide(command, state, context):
            work.emit(event)
        return work

    def evolve(self, state: Purse, event: Event) -> Purse:
        match event:
            case Opened():
                state.owner = event.owner
                state.key = None if event.key is UNSET else event.key
            case Paid():
                state.coins += event.coins
                state.payments += 1
                state.wake = 1_000 * state.payments
            case Counted():
                state.wake = None
        return state

    def decisions(self, state: Purse, seat: Seat) -> list[Decision]:
        del state, seat
        return []

    def seed(self, state: Purse) -> bytes:
        return (state.key or "").encode()

    def wake_at(self, state: Purse) -> TimestampMs | None:
        return state.wake

    def status(self, state: Purse) -> Literal["open", "none"]:
        return "none" if state.owner is None else "open"


def ring() -> KeyRing:
    """A ring of one key, "k1"."""
    return KeyRing({"k1": b"1" * 32}, "k1")


def registry() -> Registry:
    """All the types above."""
    return Registry([Opened, Paid, Counted, Chimed], [Open, Pay, Count, Chime])


def codec(keys: KeyRing | None = None) -> Codec:
    """A codec of all the types above."""
    return Codec(registry(), keys or ring())


def by(command: Command, command_id: str = "c1", actor: Actor = ALICE) -> Batch:
    """The head of a batch."""
    return batch_by(actor, command, command_id, RULES)


def stored(events: list[Event], batch: Batch, made_by: Codec | None = None) -> list[Stored]:
    """What is stored of the first batch of the stream."""
    sealed = (made_by or codec()).encode_batch(
        STREAM, events, batch, at=AT, first_version=1, previous_head=seal.genesis(STREAM)
    )
    return [Stored(i, public, private) for i, (public, private) in enumerate(sealed.entries, 1)]
