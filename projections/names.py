"""What those at a table are called: their seals joined with what the store still opens.

Folds, rows and events know seals only, so nothing that is cached holds a name, but for the openings
that are kept here. An account that changes is forgotten at once (every process hears of it by the
feed), and while a process does not hear, nothing is kept: an erased name is in no answer any more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from msgspec import Struct

from events.kernel import Seat
from events.name_store import KeptNames, NameStore
from events.names import NameOpening

KEPT: Final = 10_000
"""Accounts whose names a process keeps in memory."""

_NOBODY: Final = KeptNames(deleted=True, openings={})


class Sealed(Protocol):
    """Whoever sits somewhere, with a name seal or as a house bot."""

    @property
    def player(self) -> str:
        """The id of the account, or of a kind of house bot."""
        ...

    @property
    def name_seal(self) -> str:
        """The seal of the name; empty where there is none."""
        ...

    @property
    def bot(self) -> str | None:
        """The kind of house bot; None for a player."""
        ...


class SeatName(Struct, frozen=True, omit_defaults=True):
    """What others are shown of a seat.

    ``name`` is null for who gave none and for who has been ``deleted``.
    """

    name: str | None = None
    deleted: bool = False


def bot_name(bot: str, seat: Seat) -> str:
    """What a house bot is called: it is nobody, so this follows from where it sits."""
    return f"{bot} {seat}"


def seat_name(seat: Seat, place: Sealed, openings: Mapping[str, NameOpening]) -> SeatName:
    """What a seat is shown as, by the openings that are still there."""
    if place.bot is not None:
        return SeatName(name=bot_name(place.bot, seat))
    if not place.name_seal:
        return SeatName()
    opening = openings.get(place.name_seal)
    return SeatName(deleted=True) if opening is None else SeatName(name=opening.name)


def spoken(seat: Seat, name: SeatName) -> str:
    """A seat's name in English, for drawings and logs that know no other language."""
    if name.deleted:
        return "deleted player"
    return f"seat {seat}" if name.name is None else name.name


class NameBook:
    """The names that a process may show.

    Args:
        store: where the openings are.
        hears: whether this process hears of every account that changes; else it keeps nothing.
    """

    def __init__(self, store: NameStore, hears: Callable[[], bool] = lambda: False) -> None:
        self.store = store
        self._hears = hears
        self._known: OrderedDict[str, KeptNames] = OrderedDict()
        self._forgotten = 0

    async def openings(self, wanted: Iterable[Sealed]) -> dict[str, NameOpening]:
        """The openings of all these seals that are still there, by seal.

        Raises:
            LogUnavailable: the store does not answer.
        """
        found: dict[str, NameOpening] = {}
        for place in wanted:
            seal = place.name_seal
            if seal and place.bot is None and seal not in found:
                opening = (await self._names(place.player, seal)).openings.get(seal)
                if opening is not None:
                    found[seal] = opening
        return found

    async def of(self, account: str, seal: str) -> str | None:
        """The name of an account behind a seal; None: it has none, or is deleted.

        Raises:
            LogUnavailable: the store does not answer.
        """
        opening = (await self._names(account, seal)).openings.get(seal)
        return None if opening is None else opening.name

    async def seats(self, seats: Mapping[Seat, Sealed]) -> dict[Seat, SeatName]:
        """What every seat is shown as.

        Raises:
            LogUnavailable: the store does not answer.
        """
        openings = await self.openings(seats.values())
        return {n: seat_name(n, place, openings) for n, place in sorted(seats.items())}

    def forget(self, account: str) -> None:
        """The account has changed."""
        self._forgotten += 1
        self._known.pop(account, None)

    def forget_all(self) -> None:
        """Anything may have changed."""
        self._forgotten += 1
        self._known.clear()

    async def _names(self, account: str, seal: str) -> KeptNames:
        """The names of an account; if the seal is new to us, as they are now."""
        if not self._hears():
            self.forget_all()
            return await self._read(account)
        known = self._known.get(account)
        if known is not None and (known.deleted or seal in known.openings):
            self._known.move_to_end(account)
            return known
        before = self._forgotten
        found = await self._read(account)
        # What was read while an account changed is not worth remembering.
        if before == self._forgotten and self._hears():
            self._known[account] = found
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return found

    async def _read(self, account: str) -> KeptNames:
        found = await self.store.read(account)
        if not found.deleted:
            return found
        if found.openings:  # whoever deleted the account was stopped halfway
            await self.store.erase(account)
        return _NOBODY
