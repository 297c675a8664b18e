"""Whether the caller of an answer that lasts, a stream or a long poll, may still have it.

A token may be revoked while its stream is open. Every process hears of that by the feed and tells
the streams of that account at once; they ask again whether their token still opens what it opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from service.door import Bearers, bearer_token, token_invalid
from service.principals import Principal
from service.requests import StrictRequest


class Permission:
    """A caller's permission, as its token gave it when it asked.

    Args:
        bearers: knows what tokens open, and hears of changes.
        caller: who asked; None for a stranger, who needs no permission.
        token: by which it asked; None for a stranger.
    """

    def __init__(self, bearers: Bearers, caller: Principal | None, token: str | None) -> None:
        self._bearers = bearers
        self._caller = caller
        self._token = token

    @classmethod
    def of(cls, bearers: Bearers, request: StrictRequest) -> Permission:
        """The permission by which a request came in."""
        return cls(bearers, request.user, bearer_token(request.scope))

    async def holds(self) -> bool:
        """Whether the token still opens what it opened.

        Raises:
            LogUnavailable: nobody can tell.
        """
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
        if self._caller is None:
            yield
            return
        with self._bearers.watched(self._caller.player, doubt):
            yield
