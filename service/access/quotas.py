"""Quotas: how many tables, games of bots alone and registrations one may have at a time.

They bound what a stranger can make the store keep. Each quota is a short list of what somebody has,
kept in the store by one script, so that concurrent requests cannot pass it together. What has come
to its end is not reported to the list: when a list is full, its entries are looked up, and those
that no longer count leave it. The operator is outside of all quotas.

==========================================  ===========  ==========================================
``quota:tables:<player>``                   sorted set   tables that the player opened and that
                                                         have not begun
``quota:bots:<player>``                     sorted set   live games of bots alone that it hosts
``quota:registered:<address's name>``       sorted set   players registered from an address today
==========================================  ===========  ==========================================
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct

from events.clients import Client
from events.kernel import Millis, Rejected
from events.layout import BadStreamIdError
from events.log import StreamLog
from events.scripts import Caller, StoreFull, load_script
from projections.settings import Settings
from service.address_names import DAY_MS
from service.principals import OPERATOR, Principal
from service.problems import Refused
from service.wire import INVITED_MAX

UNBORN_MS: Final[Millis] = 60_000
"""How long a place is kept for something that does not exist: its command may be under way."""

_KEPT_MS: Final[Millis] = 2 * DAY_MS
_ANY: Final = 1_000_000
_RESERVE: Final = load_script("reserve.lua", "service")


class Quota(Struct, frozen=True):
    """One list: its key, how many it holds, and in which status its streams count.

    ``before``: the status in which a stream is about to count; None: it does not exist yet.
    """

    key: str
    limit: int
    counts: str
    before: str | None = None


class Quotas:
    """Takes places and gives them back. Belongs to the client's event loop.

    Args:
        client: the store.
        log: tells what has become of the streams that hold places.
        settings: has the numbers.
        clock: the time in ms, for the end of the day.
    """

    def __init__(
        self, client: Client, log: StreamLog, settings: Settings, clock: Callable[[], Millis]
    ) -> None:
        self._caller = Caller(client)
        self._log = log
        self._settings = settings
        self._clock = clock

    def _key(self, kind: str, who: str) -> str:
        return f"{self._settings.prefix}quota:{kind}:{who}"

    @asynccontextmanager
    async def table(self, caller: Principal, game: str) -> AsyncIterator[None]:
        """A place for a table that is opened while this lasts; a refusal gives it back.

        Raises:
            Refused: too-many-tables.
            LogUnavailable: the store does not answer.
        """
        limit = self._settings.tables_per_account
        quota = Quota(self._key("tables", caller.player), limit, "open")
        detail = f"{limit} tables of yours have not begun; begin one, or wait until one has ended"
        if is_outside(caller):
            yield
            return
        await self._require(quota, game, Refused("too-many-tables", detail))
        async with self._given_back(quota, game):
            yield

    async def bots(self, caller: Principal, game: str) -> None:
        """A place for a game of bots alone that the caller is about to begin.

        Raises:
            Refused: too-many-bot-games.
            LogUnavailable: the store does not answer.
        """
        limit = self._settings.bot_games_per_account
        quota = Quota(self._key("bots", caller.player), limit, "live", before="open")
        detail = f"{limit} games of bots alone are running already; wait until one has ended"
        if not is_outside(caller):
            await self._require(quota, game, Refused("too-many-bot-games", detail))

    async def note_bots(self, caller: Principal, game: str) -> None:
        """Note a game of bots alone that has begun, however it came to that.

        Raises:
            LogUnavailable: the store does not answer.
        """
        if not is_outside(caller):
            await self._reserve(Quota(self._key("bots", caller.player), _ANY, "live"), game)

    @asynccontextmanager
    async def registration(self, address: str, player: str) -> AsyncIterator[None]:
        """A place for a player who registers from an address, by its name of today.

        Raises:
            Refused: too-many-registrations, with ``Retry-After``.
            LogUnavailable: the store does not answer.
        """
        limit = self._settings.registrations_per_day
        quota = Quota(self._key("registered", address), limit, "registered")
        seconds = (DAY_MS - self._clock() % DAY_MS) // 1000 + 1
        detail = (
            f"{limit} players have registered from this address today; "
            "the operator of the service can lift the limit for a day"
        )
        headers = {"Retry-After": str(seconds)}
        refusal = Refused("too-many-registrations", detail, headers=headers)
        if await self._reserve(quota, player) is not None:
            await self._refuse_new(quota, player, refusal)
        async with self._given_back(quota, player):
            yield

    def require_invitations(self, caller: Principal, count: int) -> None:
        """Check the number of players whom a table invites.

        Raises:
            Refused: too-many-invitations.
        """
        limit = self.invitations(caller)
        if count > limit:
            raise Refused("too-many-invitations", f"a table invites at most {limit} players")

    def invitations(self, caller: Principal) -> int:
        """How many invitations a table of the caller's may make in all."""
        return INVITED_MAX if is_outside(caller) else self._settings.invitations_per_table

    async def _require(self, quota: Quota, game: str, refusal: Refused) -> None:
        """Take a place; where all seem taken, see which still are."""
        taken = await self._reserve(quota, game)
        if taken is None:
            return
        now, places = taken
        found = await asyncio.gather(*(self._status(name) for name, _ in places))
        over = [
            name
            for (name, since), status in zip(places, found, strict=True)
            if status != quota.counts and not (status is None and now - since < UNBORN_MS)
        ]
        if over:
            await self._caller.command("ZREM", quota.key, *over)
            taken = await self._reserve(quota, game)
        if taken is not None:
            await self._refuse_new(quota, game, refusal)

    async def _refuse_new(self, quota: Quota, name: str, refusal: Refused) -> None:
        """Refuse what is not done yet; a repeated request goes on to its first answer."""
        if await self._status(name) == quota.before:
            raise refusal

    async def _reserve(
        self, quota: Quota, name: str
    ) -> tuple[Millis, list[tuple[str, Millis]]] | None:
        """Take a place; if there is none, the time, and what holds the places since when."""
        answer = await self._caller.call(_RESERVE, [quota.key], [name, quota.limit, _KEPT_MS])
        if answer[0]:
            return None
        now, words = answer[1], answer[2]
        pairs = zip(words[::2], words[1::2], strict=True)
        return now, [(name.decode(), int(float(since))) for name, since in pairs]

    @asynccontextmanager
    async def _given_back(self, quota: Quota, name: str) -> AsyncIterator[None]:
        """Give the place back if nothing comes of what it was taken for."""
        try:
            yield
        except (Rejected, Refused, StoreFull):
            if await self._status(name) is None:
                await self._caller.command("ZREM", quota.key, name)
            raise

    async def _status(self, stream: str) -> str | None:
        """A stream's status; None: there is no such stream."""
        try:
            head = await self._log.head(stream)
        except BadStreamIdError:
            return None
        return None if head is None else head.status


def is_outside(caller: Principal) -> bool:
    """Whether quotas do not hold for a caller: the operator, and who has the operator's powers."""
    return caller.player == OPERATOR or caller.has("admin")
