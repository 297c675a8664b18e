"""The names of those at a table: their seals joined with the openings still in the store.

Folds, rows and events hold seals only, so no cache holds a name except the openings kept here. An
account that changes is dropped at once (a process that has read it learns of it from the feed of
accounts), and while a process does not follow that feed it keeps nothing: an erased name appears in
no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final, Protocol

from msgspec import Struct

from events.kernel import Seat
from events.likeness import TakenNames
from events.lru import LruCache
from events.name_store import KeptNames, NameStore
from events.names import NameOpening, is_renamed, opens, opens_one_of
from games.words import ENGLISH, LANGUAGES, WORDS

KEPT: Final = 10_000
"""The most accounts whose names a process keeps in memory."""

_NOBODY: Final = KeptNames(deleted=True, openings={})


class Hearing(Protocol):
    """Whether a process is notified of every change of an account."""

    def hears(self, stream: str) -> bool:
        """Whether it is now. To ask keeps it so."""
        ...

    async def follow(self, stream: str) -> bool:
        """See that it is from now on; False: that cannot be had now."""
        ...


class Deaf:
    """A process that is notified of nothing."""

    def hears(self, stream: str) -> bool:  # noqa: ARG002 (see ``Hearing``)
        """Never."""
        return False

    async def follow(self, stream: str) -> bool:  # noqa: ARG002 (see ``Hearing``)
        """Never."""
        return False


class NamedSeat(Protocol):
    """The occupant of a seat, with a name seal or as a house bot."""

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
    """The name shown for a seat.

    ``name`` is null for a player who gave none and for one who has been ``deleted``. Of a player
    who has been ``renamed`` since sitting down it is the present one, which no seal proves.
    """

    name: str | None = None
    deleted: bool = False
    renamed: bool = False


def bot_name(bot: str, seat: Seat) -> str:
    """The name of a house bot, which follows from its seat."""
    return f"{bot} {seat}"


def bot_names(bot: str, seat: Seat) -> tuple[str, ...]:
    """All names that a house bot goes by: its own, and what people call it in each language."""
    return (bot_name(bot, seat), *(bot_called(bot, seat, language) for language in LANGUAGES))


def bot_called(bot: str, seat: Seat, language: str) -> str:
    """What people call a house bot; its own name where a language has no word for its kind."""
    return bot_name(WORDS.texts(language).get(f"bot.{bot}", bot), seat)


@cache
def stand_ins(seats: int) -> TakenNames:
    """What stands where a name should: of a seat that has none, and of a player who is gone."""
    return TakenNames(
        called
        for language in LANGUAGES
        for called in (
            WORDS.word(language, "player.deleted"),
            *(WORDS.word(language, "player.nameless", seat=n) for n in range(1, seats + 1)),
        )
    )


def seat_name(seat: Seat, place: NamedSeat, openings: Mapping[str, NameOpening]) -> SeatName:
    """The name shown for a seat, from the openings that still exist."""
    if place.bot is not None:
        return SeatName(name=bot_name(place.bot, seat))
    if not place.name_seal:
        return SeatName()
    opening = openings.get(place.name_seal)
    if opening is None:
        return SeatName(deleted=True)
    return SeatName(name=opening.name, renamed=is_renamed(opening))


def seat_names(
    seats: Mapping[Seat, NamedSeat], openings: Mapping[str, NameOpening]
) -> dict[Seat, SeatName]:
    """The names shown for all seats of a table, of which no two are alike.

    Nobody can sit down under another's name, but be renamed to it later: whoever is gets the
    number of their seat behind it.
    """
    found = {seat: seat_name(seat, place, openings) for seat, place in sorted(seats.items())}
    for seat, shown in found.items():
        name = shown.name
        if name is not None and shown.renamed:
            others = [n.name for at, n in found.items() if at != seat and n.name is not None]
            bots = [each for at, its in seats.items() if its.bot for each in bot_names(its.bot, at)]
            taken, reserved = TakenNames([*others, *bots]), stand_ins(max(found))
            while name in taken or name in reserved:
                name = f"{name} ({seat})"
            found[seat] = SeatName(name=name, renamed=True)
    return found


def spoken(seat: Seat, name: SeatName, bot: str | None = None, language: str = ENGLISH) -> str:
    """A seat's name in a language of ``games.words``; ``bot`` sits there."""
    if bot is not None:
        return bot_called(bot, seat, language)
    if name.deleted:
        return WORDS.word(language, "player.deleted")
    return name.name or WORDS.word(language, "player.nameless", seat=seat)


class NameBook:
    """The names that a process may show.

    Args:
        store: holds the openings.
        news: notifies this process of changes; of accounts of which it does not, nothing is kept.
    """

    def __init__(self, store: NameStore, news: Hearing | None = None) -> None:
        self.store = store
        self._news: Hearing = news or Deaf()
        self._known: LruCache[str, KeptNames] = LruCache(KEPT)
        self._forgotten = 0

    async def openings(self, wanted: Iterable[NamedSeat]) -> dict[str, NameOpening]:
        """The openings of these seals that still exist, by seal.

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
        """The name of an account behind a seal; None if it has none or is deleted.

        Raises:
            LogUnavailable: the store does not answer.
        """
        opening = (await self._names(account, seal)).openings.get(seal)
        return None if opening is None else opening.name

    async def seats(self, seats: Mapping[Seat, NamedSeat]) -> dict[Seat, SeatName]:
        """The names shown for all seats.

        Raises:
            LogUnavailable: the store does not answer.
        """
        return seat_names(seats, await self.openings(seats.values()))

    def forget(self, account: str) -> None:
        """The account has changed."""
        self._forgotten += 1
        self._known.remove(account)

    def forget_some(self, are_meant: Callable[[str], bool]) -> None:
        """Some accounts may have changed."""
        self._forgotten += 1
        for account in [account for account, _ in self._known.items() if are_meant(account)]:
            self._known.remove(account)

    def forget_all(self) -> None:
        """Anything may have changed."""
        self._forgotten += 1
        self._known.clear()

    async def _names(self, account: str, seal: str) -> KeptNames:
        """The names of an account; read again if the seal is new to us."""
        if self._news.hears(account):
            known = self._known.use(account)
            if known is not None and (known.deleted or seal in known.openings):
                return known
        # First follow, then read: a change is in what is read, or is told of.
        elif not await self._news.follow(account):
            self.forget(account)
            return await self._read(account)
        before = self._forgotten
        found = await self._read(account)
        # What was read while an account changed must not be cached.
        if before == self._forgotten and self._news.hears(account):
            self._known.keep(account, found)
        return found

    async def _read(self, account: str) -> KeptNames:
        found = await self.store.read(account)
        if not found.deleted:
            return KeptNames(deleted=False, openings=_told(found.openings))
        if found.openings:  # the deletion of the account was interrupted
            await self.store.erase(account)
        return _NOBODY


def _told(openings: Mapping[str, NameOpening]) -> dict[str, NameOpening]:
    """Openings as they are told: one that opens another seal of the account is of a rename."""
    return {
        seal: opening
        if opens(opening, seal) or not opens_one_of(opening, openings)
        else NameOpening(opening.name, "")
        for seal, opening in openings.items()
    }
