"""Whether the caller of a long-lived answer, a stream or a long poll, may still have it.

A token may be revoked while its stream is open. The process learns of that from a feed and
alerts the streams of that account at once; they check again whether their token still allows what
it allowed. Access granted by an inspection ends with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from events.kernel import TimestampMs
from runtime.table_service import now_ms
from service.access.auth import TokenCache, bearer_token, token_invalid
from service.http.principals import Principal
from service.http.problems import Refused
from service.http.requests import StrictRequest

LOOK_S: Final = 0.5
"""How often the clock is read while an answer depends on a running inspection."""


class Permission:
    """A caller's permission, as the token granted it at the time of the request.

    Args:
        token_cache: resolves tokens, and is notified of changes.
        caller: the principal; None for an anonymous caller, who needs no permission.
        token: the token of the request; None for an anonymous caller.
        until: when the caller's inspection ends (ms, UTC); None if none is needed.
        clock: the time in milliseconds, UTC.
    """

    def __init__(
        self,
        token_cache: TokenCache,
        caller: Principal | None,
        token: str | None,
        *,
        until: TimestampMs | None = None,
        clock: Callable[[], TimestampMs] = now_ms,
    ) -> None:
        self._token_cache = token_cache
        self._caller = caller
        self._token = token
        self._until = until
        self._clock = clock

    @classmethod
    def of(
        cls,
        token_cache: TokenCache,
        request: StrictRequest,
        *,
        until: TimestampMs | None = None,
        clock: Callable[[], TimestampMs] = now_ms,
    ) -> Permission:
        """The permission under which a request was admitted."""
        token = bearer_token(request.scope)
        return cls(token_cache, request.user, token, until=until, clock=clock)

    async def holds(self) -> bool:
        """Whether the token still allows what it allowed.

        Raises:
            LogUnavailable: it cannot be determined.
        """
        if self._until is not None and self._clock() >= self._until:
            return False
        if self._caller is None or self._token is None:
            return True
        return await self._token_cache.find(self._token) == self._caller

    async def require(self) -> None:
        """Refuse a caller whose token is no longer valid.

        Raises:
            Refused: token-invalid.
            LogUnavailable: it cannot be determined.
        """
        if not await self.holds():
            raise token_invalid()

    @contextmanager
    def watched(self, doubt: Callable[[], None]) -> Iterator[None]:
        """Within the context, call ``doubt`` whenever the permission may have changed."""
        with ExitStack() as stack:
            if self._caller is not None:
                stack.enter_context(self._token_cache.watched(self._caller.player, doubt))
            if self._until is not None:
                alarm = _Alarm(self._until, self._clock, doubt)
                stack.callback(alarm.end)
            yield


class _Alarm:
    """Calls ``doubt`` once a time is reached, by a clock that can be adjusted."""

    def __init__(
        self, until: TimestampMs, clock: Callable[[], TimestampMs], doubt: Callable[[], None]
    ) -> None:
        self._until = until
        self._clock = clock
        self._doubt = doubt
        self._next: asyncio.TimerHandle | None = None
        self._look()

    def _look(self) -> None:
        left = (self._until - self._clock()) / 1000
        if left <= 0:
            self._doubt()
        else:
            self._next = asyncio.get_running_loop().call_later(min(left, LOOK_S), self._look)

    def end(self) -> None:
        """Stop watching."""
        if self._next is not None:
            self._next.cancel()


def inspection_needed() -> Refused:
    """The answer to an auditor who reads a running game outside of an inspection."""
    detail = "begin an inspection of this view first, by POST …/inspections; yours may have ended"
    return Refused("inspection-needed", detail)
