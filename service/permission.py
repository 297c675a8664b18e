"""Whether the caller of an answer that lasts, a stream or a long poll, may still have it.

A token may be revoked while its stream is open. Every process hears of that by the feed and tells
the streams of that account at once; they ask again whether their token still opens what it opened.
What is seen by an inspection ends with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from events.kernel import Millis
from projections.desk import now_ms
from service.door import Bearers, bearer_token, token_invalid
from service.principals import Principal
from service.problems import Refused
from service.requests import StrictRequest

LOOK_S: Final = 0.5
"""How often the clock is looked at while something lasts that an inspection lets its caller see."""


class Permission:
    """A caller's permission, as its token gave it when it asked.

    Args:
        bearers: knows what tokens open, and hears of changes.
        caller: who asked; None for a stranger, who needs no permission.
        token: by which it asked; None for a stranger.
        until: when its inspection ends (ms, UTC); None: it needs none.
        clock: the time in milliseconds, UTC.
    """

    def __init__(
        self,
        bearers: Bearers,
        caller: Principal | None,
        token: str | None,
        *,
        until: Millis | None = None,
        clock: Callable[[], Millis] = now_ms,
    ) -> None:
        self._bearers = bearers
        self._caller = caller
        self._token = token
        self._until = until
        self._clock = clock

    @classmethod
    def of(
        cls,
        bearers: Bearers,
        request: StrictRequest,
        *,
        until: Millis | None = None,
        clock: Callable[[], Millis] = now_ms,
    ) -> Permission:
        """The permission by which a request came in."""
        token = bearer_token(request.scope)
        return cls(bearers, request.user, token, until=until, clock=clock)

    async def holds(self) -> bool:
        """Whether the token still opens what it opened.

        Raises:
            LogUnavailable: nobody can tell.
        """
        if self._until is not None and self._clock() >= self._until:
            return False
        if self._caller is None or self._token is None:
            return True
        return await self._bearers.find(self._token) == self._caller

    async def require(self) -> None:
        """Refuse a caller whose token opens nothing any more.

        Raises:
            Refused: token-invalid.
            LogUnavailable: nobody can tell.
        """
        if not await self.holds():
            raise token_invalid()

    @contextmanager
    def watched(self, doubt: Callable[[], None]) -> Iterator[None]:
        """Have ``doubt`` called whenever the permission may have changed, while this lasts."""
        with ExitStack() as stack:
            if self._caller is not None:
                stack.enter_context(self._bearers.watched(self._caller.player, doubt))
            if self._until is not None:
                alarm = _Alarm(self._until, self._clock, doubt)
                stack.callback(alarm.end)
            yield


class _Alarm:
    """Calls ``doubt`` once a time has come, by a clock that others may set."""

    def __init__(
        self, until: Millis, clock: Callable[[], Millis], doubt: Callable[[], None]
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
        """Look no more."""
        if self._next is not None:
            self._next.cancel()


def inspection_needed() -> Refused:
    """The answer to an auditor who looks at a running game without having said so."""
    detail = "POST …/inspections first, with these eyes and a reason; or your inspection is over"
    return Refused("inspection-needed", detail)
