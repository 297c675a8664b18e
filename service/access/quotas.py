"""Quotas on unstarted tables, bot-only games and registrations.

They bound how much a caller can make the store hold. Each quota is a short list of what an owner
holds, maintained in the store by one script, so that concurrent requests cannot exceed it together.
The list is not told when something ends: when it is full, its entries are looked up, and those that
no longer count are removed. The operator is exempt from all quotas.

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
from events.kernel import DurationMs, Rejected, TimestampMs
from events.layout import BadStreamIdError
from events.log import StreamLog
from events.scripts import Caller, StoreFull, load_script
from runtime.settings import Settings
from service.contract.bodies import INVITED_MAX
from service.http.address_names import DAY_MS
from service.http.principals import OPERATOR, Principal
from service.http.problems import Refused

UNBORN_MS: Final[DurationMs] = 60_000
"""How long a slot is reserved for a stream that does not exist yet."""

_KEPT_MS: Final[DurationMs] = 2 * DAY_MS
_ANY: Final = 1_000_000
_RESERVE: Final = load_script(__package__, "reserve.lua")


class Quota(Struct, frozen=True):
    """One list: its key, its limit, and the status in which its streams count.

    ``before``: the status of a stream that is about to count; None: it does not exist yet.
    """

    key: str
    limit: int
    counts: str
    before: str | None = None


class Quotas:
    """Reserves and releases slots. Belongs to the client's event loop.

    Args:
        client: the store.
        log: has the current status of the streams that hold slots.
        settings: the limits.
        clock: the time in ms, for the end of the day.
    """

    def __init__(
        self, client: Client, log: StreamLog, settings: Settings, clock: Callable[[], TimestampMs]
    ) -> None:
        self._caller = Caller(client)
        self._log = log
        self._settings = settings
        self._clock = clock

    def _key(self, kind: str, owner: str) -> str:
        return f"{self._settings.prefix}quota:{kind}:{owner}"

    @asynccontextmanager
    async def table(self, caller: Principal, game: str) -> AsyncIterator[None]:
        """Hold a slot for a table that is opened within the context; a refusal releases it.

        Raises:
            Refused: too-many-tables.
            LogUnavailable: the store does not answer.
        """
        limit = self._settings.tables_per_account
        quota = Quota(self._key("tables", caller.player), limit, "open")
        detail = f"{limit} of your tables have not begun; begin one, or wait until one has ended"
        if is_exempt(caller):
            yield
            return
        await self._require(quota, game, Refused("too-many-tables", detail))
        async with self._given_back(quota, game):
            yield

    async def bots(self, caller: Principal, game: str) -> None:
        """Reserve a slot for a bot-only game that the caller is about to begin.

        Raises:
            Refused: too-many-bot-games.
            LogUnavailable: the store does not answer.
        """
        limit = self._settings.bot_games_per_account
        quota = Quota(self._key("bots", caller.player), limit, "live", before="open")
        detail = f"{limit} bot-only games are already running; wait until one has ended"
        if not is_exempt(caller):
            await self._require(quota, game, Refused("too-many-bot-games", detail))

    async def note_bots(self, caller: Principal, game: str) -> None:
        """Record a bot-only game that has begun without a reserved slot.

        Raises:
            LogUnavailable: the store does not answer.
        """
        if not is_exempt(caller):
            await self._reserve(Quota(self._key("bots", caller.player), _ANY, "live"), game)

    @asynccontextmanager
    async def registration(self, address: str, player: str) -> AsyncIterator[None]:
        """Reserve a slot for a registration from an address, by the address's name of today.

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
        """Check the number of players that a table invites.

        Raises:
            Refused: too-many-invitations.
        """
        limit = self.invitations(caller)
        if count > limit:
            raise Refused("too-many-invitations", f"a table may send at most {limit} invitations")

    def invitations(self, caller: Principal) -> int:
        """How many invitations a table of the caller may send in all."""
        return INVITED_MAX if is_exempt(caller) else self._settings.invitations_per_table

    async def _require(self, quota: Quota, game: str, refusal: Refused) -> None:
        """Reserve a slot; if none seems free, check who still counts."""
        taken = await self._reserve(quota, game)
        if taken is None:
            return
        now, holders = taken
        found = await asyncio.gather(*(self._status(name) for name, _ in holders))
        over = [
            name
            for (name, since), status in zip(holders, found, strict=True)
            if status != quota.counts and not (status is None and now - since < UNBORN_MS)
        ]
        if over:
            await self._caller.command("ZREM", quota.key, *over)
            taken = await self._reserve(quota, game)
        if taken is not None:
            await self._refuse_new(quota, game, refusal)

    async def _refuse_new(self, quota: Quota, name: str, refusal: Refused) -> None:
        """Refuse a new command; a repeated one goes on to its first answer."""
        if await self._status(name) == quota.before:
            raise refusal

    async def _reserve(
        self, quota: Quota, name: str
    ) -> tuple[TimestampMs, list[tuple[str, TimestampMs]]] | None:
        """Reserve a slot. If none is free: the time, and who has one, each with its time."""
        answer = await self._caller.call(_RESERVE, [quota.key], [name, quota.limit, _KEPT_MS])
        if answer[0]:
            return None
        now, words = answer[1], answer[2]
        pairs = zip(words[::2], words[1::2], strict=True)
        return now, [(name.decode(), int(float(since))) for name, since in pairs]

    @asynccontextmanager
    async def _given_back(self, quota: Quota, name: str) -> AsyncIterator[None]:
        """Release the slot if the command is refused."""
        try:
            yield
        except (Rejected, Refused, StoreFull):
            if await self._status(name) is None:
                await self._caller.command("ZREM", quota.key, name)
            raise

    async def _status(self, stream: str) -> str | None:
        """A stream's status; None if it does not exist."""
        try:
            head = await self._log.head(stream)
        except BadStreamIdError:
            return None
        return None if head is None else head.status


def is_exempt(caller: Principal) -> bool:
    """Whether quotas do not apply: to the operator, and to tokens with the scope ``admin``."""
    return caller.player == OPERATOR or caller.has("admin")
