"""Authentication: who the caller is, what the token allows, and the remaining budget.

Handlers declare what they need in their ``opt``: ``scopes`` (a token with at least one of them is
required), ``budget`` (``commands``, ``reads`` or ``registrations``), ``queries`` (the query
parameters they accept, and whether each is an integer) or ``open`` (no authentication and no rate
limit). Without ``scopes`` a token is optional.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import UNSET

from events.lru import LruCache
from projections.names import Hearing
from runtime.presence import Presence
from service.access.accounts import AccountService
from service.access.token_uses import TokenUses
from service.http.address_names import AddressNames
from service.http.headers import headers_of
from service.http.origins import Origins
from service.http.principals import Principal, player_of, token_hash
from service.http.problems import Flaw, Refused
from service.http.rate_limits import Budget, RateLimits
from service.http.requests import token_needed

MIGHTY: Final = ("admin", "audit")
"""Scopes whose tokens may only be used from listed origins."""

_KEPT: Final = 10_000

_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]*")


class AccountNews(Hearing, Protocol):
    """Learns of changes of accounts, of those that somebody in this process wants to know."""

    def claimed_of(self, stream: str) -> AbstractContextManager[None]:
        """Within the context, the changes of an account are learnt of."""
        ...


class TokenCache:
    """The principals of tokens, cached for as long as their account does not change.

    A process that has read an account is notified of every append to it and drops its tokens. While
    it cannot be (``follow`` says no), nothing is cached and every request looks the account up.
    """

    def __init__(self, account_service: AccountService, news: AccountNews) -> None:
        self._account_service = account_service
        self._news = news
        self._known: LruCache[str, Principal] = LruCache(_KEPT, self._unlist)
        self._tokens: dict[str, set[str]] = {}
        self._watching: dict[str, list[Callable[[], None]]] = {}
        self._forgotten = 0

    async def find(self, token: str) -> Principal | None:
        """The principal of a token; None for an invalid one."""
        player = player_of(token)
        if player is None or not self._account_service.has_place(player):
            return await self._account_service.bearer(token)
        digest = token_hash(token)
        if self._news.hears(player):
            known = self._known.use(digest)
            if known is not None:
                return known
        # First follow, then read: a change is in what is read, or is told of.
        elif not await self._news.follow(player):
            self.forget(player)
            return await self._account_service.bearer(token)
        before = self._forgotten
        found = await self._account_service.bearer(token)
        # What was read while the account changed must not be cached.
        if found is not None and before == self._forgotten and self._news.hears(player):
            self._keep(digest, found)
        return found

    def forget(self, player: str) -> None:
        """Drop a player's tokens: the account has changed."""
        self._forgotten += 1
        for digest in self._tokens.pop(player, ()):
            self._known.remove(digest)
        for doubt in tuple(self._watching.get(player, ())):
            doubt()

    def forget_some(self, are_meant: Callable[[str], bool]) -> None:
        """Drop the tokens of some players: their accounts may have changed."""
        self._forgotten += 1
        for player in {*self._tokens, *self._watching}:
            if are_meant(player):
                self.forget(player)

    def forget_all(self) -> None:
        """Drop everything: any account may have changed."""
        self._forget_tokens()
        for watching in tuple(self._watching.values()):
            for doubt in tuple(watching):
                doubt()

    def _forget_tokens(self) -> None:
        self._forgotten += 1
        self._known.clear()
        self._tokens.clear()

    @contextmanager
    def watched(self, player: str, doubt: Callable[[], None]) -> Iterator[None]:
        """Within the context, call ``doubt`` whenever the player's account may have changed.

        ``doubt`` must neither block nor raise.
        """
        watching = self._watching.setdefault(player, [])
        watching.append(doubt)
        try:
            with self._claimed(player):
                yield
        finally:
            watching.remove(doubt)
            if not watching:
                del self._watching[player]

    def _claimed(self, player: str) -> AbstractContextManager[None]:
        """The context in which changes of an account are learnt of; the operator has none."""
        has_place = self._account_service.has_place(player)
        return self._news.claimed_of(player) if has_place else nullcontext()

    def _keep(self, digest: str, found: Principal) -> None:
        self._tokens.setdefault(found.player, set()).add(digest)
        self._known.keep(digest, found)

    def _unlist(self, digest: str, dropped: Principal) -> None:
        """Drop the index entry of a token that was evicted."""
        tokens = self._tokens[dropped.player]
        tokens.discard(digest)
        if not tokens:
            del self._tokens[dropped.player]


class Authenticator(ASGIMiddleware):
    """Sets ``scope["user"]`` to the caller, or refuses the request."""

    scopes = (ScopeType.HTTP,)

    def __init__(
        self,
        token_cache: TokenCache,
        uses: TokenUses,
        limits: RateLimits,
        names: AddressNames,
        presence: Presence,
        origins: Origins,
    ) -> None:
        self._token_cache = token_cache
        self._uses = uses
        self._limits = limits
        self._names = names
        self._presence = presence
        self._origins = origins

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Admit a request or refuse it (see ``admit``)."""
        scope["user"] = scope["auth"] = None
        opt = scope["route_handler"].opt
        if "budget" in opt:  # neither a document nor Litestar's own answer to OPTIONS
            await self.admit(scope, opt)
        await next_app(scope, receive, send)

    async def admit(self, scope: Scope, opt: dict[str, Any]) -> None:
        """Set ``scope["user"]`` for a handler with these ``opt``, or refuse the request.

        Raises:
            Refused: token-needed, token-invalid, scope-missing, origin-not-allowed, rate-limited,
                invalid-parameter.
            LogUnavailable: the store does not answer.
        """
        scope["user"] = scope["auth"] = None
        token = bearer_token(scope)
        user: Principal | None = None
        if token is not None:
            user = await self._token_cache.find(token)
            if user is None:
                self._spend(scope, "reads", None)
                raise token_invalid()
            self._uses.note(user)
        scope["user"] = user
        # A refusal costs as much as the request itself, so probing for scopes is not free.
        self._spend(scope, opt["budget"], user, opt["weight"](scope["query_string"]))
        if user is not None and user.has(*MIGHTY):
            self._origins.require_listed(scope)
        needed = opt.get("scopes")
        if needed is not None:
            if user is None:
                raise token_needed()
            if not user.has(*needed):
                raise _scope_missing(needed)
        if scope["query_string"]:
            _check_queries(scope["query_string"], opt["queries"])

    def _spend(self, scope: Scope, budget: Budget, user: Principal | None, weight: int = 1) -> None:
        """Charge the budget of a player or, without a token, of the address.

        ``weight``: as so many requests.

        The state of the budget is left in ``scope["state"]["ratelimit"]`` for the answer's headers.

        Raises:
            Refused: rate-limited, with ``Retry-After``.
        """
        if user is not None:
            who = user.player
        else:
            who = self._names.of(scope)
            if who in self._presence.around.lifted:
                return
        verdict = self._limits.spend(budget, who, weight)
        scope["state"]["ratelimit"] = (
            (b"ratelimit-policy", self._limits.policies[budget]),
            (b"ratelimit", verdict.standing),
        )
        if verdict.wait_s:
            detail = f"the budget for {budget} is spent; try again in {verdict.wait_s} s"
            headers = {"Retry-After": str(verdict.wait_s)}
            raise Refused("rate-limited", detail, headers=headers)


def bearer_token(scope: Scope) -> str | None:
    """The token of the request; None if there is none.

    Raises:
        Refused: token-invalid, for another scheme or more than one header.
    """
    headers = headers_of(scope)
    value = headers.get(b"authorization")
    if value is None:
        return None
    scheme, _, token = value.partition(b" ")
    sent: Any = scope["headers"]  # a list, which Litestar types as an iterable
    several = len(headers) < len(sent) and sum(name == b"authorization" for name, _ in sent) > 1
    if scheme.lower() != b"bearer" or not token.isascii() or several:
        raise token_invalid()
    return token.strip().decode()


def token_invalid() -> Refused:
    """The answer to a token that is malformed, unknown or revoked (RFC 6750 §3.1)."""
    headers = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
    return Refused("token-invalid", "this token is not valid", headers=headers)


def _scope_missing(needed: tuple[str, ...]) -> Refused:
    wanted = " ".join(needed)
    headers = {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{wanted}"'}
    detail = f"this requires a token with the scope {' or '.join(needed)}"
    return Refused("scope-missing", detail, headers=headers)


def _check_queries(query: bytes, known: Mapping[str, bool]) -> None:
    """Refuse unknown, repeated and null query parameters, which would go unnoticed.

    No parameter accepts the word ``null``, but for an optional number it would be read as a missing
    value. Line breaks and other control characters are not accepted either, nor is an integer in
    another form than JSON's, as 1.0 and 1e1, which msgspec would read as one.

    Args:
        query: as it was sent.
        known: the parameters, and whether each is an integer.

    Raises:
        Refused: invalid-parameter.
    """
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    names = [name for name, _ in pairs]
    for name, value in pairs:
        what = ""
        if name not in known:
            what = "Unknown parameter"
        elif names.count(name) > 1:
            what = "Given more than once"
        elif value.lower() == "null":
            what = "Not a value; leave the parameter out"
        elif not value.isprintable():
            what = "Contains a control character"
        elif known[name] and not _INTEGER.fullmatch(value):
            what = "Not an integer in decimal digits"
        if what:
            may_stand = UNSET if name in known else tuple(sorted(known))
            flaw = Flaw(source="query", at=name[:40], message=what, known=may_stand)
            raise Refused("invalid-parameter", f"{what.lower()}: {name[:40]!r}", errors=(flaw,))
