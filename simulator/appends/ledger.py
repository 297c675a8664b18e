"""A decider that knows no game: an account with coins, for runs that care about the log alone."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from events.codec import Codec, Registry
from events.kernel import (
    Command,
    Context,
    Decision,
    Event,
    Public,
    Rejected,
    Seat,
    TimestampMs,
    Working,
)
from events.keys import KeyRing

RULES: Final = "ledger-1"
_WAKES_MS: Final = 60_000


class LedgerOpened(Event, frozen=True, kw_only=True, tag="ledger-opened"):
    """An account was opened."""

    owner: Public[str]


class CoinsMoved(Event, frozen=True, kw_only=True, tag="coins-moved"):
    """Coins went in (or, negative, out)."""

    coins: Public[int]


class LedgerCounted(Event, frozen=True, kw_only=True, tag="ledger-counted"):
    """The coins were counted."""

    total: Public[int]


class OpenLedger(Command, frozen=True, kw_only=True, tag="open-ledger"):
    """Open an account."""

    owner: Public[str]


class MoveCoins(Command, frozen=True, kw_only=True, tag="move-coins"):
    """Put coins in, or take some out."""

    coins: Public[int]


class CountCoins(Command, frozen=True, kw_only=True, tag="count-coins"):
    """Count the coins, twice."""


class LedgerState(Struct):
    """The state: how many coins there are, and when somebody must look."""

    owner: str = ""
    coins: int = 0
    wake: TimestampMs | None = None


class Ledger:
    """The decider. An account never holds less than nothing; counting lets it sleep."""

    def initial(self) -> LedgerState:
        """No account."""
        return LedgerState()

    def copy(self, state: LedgerState) -> LedgerState:
        """A copy of its own."""
        return LedgerState(state.owner, state.coins, state.wake)

    def decide(self, command: Command, state: LedgerState, context: Context) -> list[Event]:
        """As ``carry_out``, and only the events."""
        return self.carry_out(command, state, context).events

    def carry_out(
        self, command: Command, state: LedgerState, context: Context
    ) -> Working[LedgerState]:
        """What a command does.

        Raises:
            Rejected: there are too few coins, or it is opened twice.
        """
        work = Working(self.evolve, self.copy(state), context)
        match command:
            case OpenLedger():
                if state.owner:
                    raise Rejected("already-open", "This account is open.")
                work.emit(LedgerOpened(owner=command.owner))
            case MoveCoins():
                if state.coins + command.coins < 0:
                    raise Rejected("too-few", "There are not so many coins.")
                work.emit(CoinsMoved(coins=command.coins))
            case CountCoins():
                work.emit(LedgerCounted(total=state.coins))
                work.emit(LedgerCounted(total=state.coins))
            case _:
                raise Rejected("unknown", "There is no such command.")
        return work

    def evolve(self, state: LedgerState, event: Event) -> LedgerState:
        """Record one event."""
        match event:
            case LedgerOpened():
                state.owner = event.owner
            case CoinsMoved():
                state.coins += event.coins
                state.wake = _WAKES_MS * (1 + state.coins)
            case LedgerCounted():
                state.wake = None
        return state

    def decisions(self, state: LedgerState, seat: Seat) -> list[Decision]:
        """Nobody is asked anything."""
        del state, seat
        return []

    def seed(self, state: LedgerState) -> bytes:
        """Nothing is drawn."""
        del state
        return b""

    def wake_at(self, state: LedgerState) -> TimestampMs | None:
        """When somebody must look."""
        return state.wake

    def status(self, state: LedgerState) -> str:
        """Whether it is open."""
        return "open" if state.owner else "none"


def ledger_codec(keys: KeyRing) -> Codec:
    """The codec of all the types above."""
    events: list[type[Event]] = [LedgerOpened, CoinsMoved, LedgerCounted]
    return Codec(Registry(events, [OpenLedger, MoveCoins, CountCoins]), keys)
