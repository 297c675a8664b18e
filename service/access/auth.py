"""The door: who asks, whether the token allows it, and whether there is budget left.

Handlers say what they need in their ``opt``: ``scopes`` (one of them is needed, and so is a token),
``budget`` (``commands``, ``reads`` or ``registrations``), ``queries`` (the query parameters they
know) or ``open`` (anybody, at any rate). Without ``scopes`` a token is welcome and not needed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import parse_qsl

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from projections.presence import Presence
from service.address_names import AddressNames
from service.headers import headers_of
from service.limits import Budget, Limits
from service.origins import Origins
from service.principals import Principal, token_hash
from service.problems import Flaw, Refused
from service.registrar import Registrar
from service.requests import token_needed

MIGHTY: Final = ("admin", "audit")
"""Scopes whose tokens only listed pages may use."""

_KEPT: Final = 10_000


class Bearers:
    """Who the bearers of tokens are, remembered for as long as the account does not change.

    Every process hears of every append to an account, and forgets its tokens. While it cannot hear
    (``hears`` is false), nothing is remembered and every request looks the account up.
    """

    def __init__(self, registrar: Registrar, hears: Callable[[], bool]) -> None:
        self._registrar = registrar
        self._hears = hears
        self._known: OrderedDict[str, Principal] = OrderedDict()
        self._tokens: dict[str, set[str]] = {}
        self._watching: dict[str, list[Callable[[], None]]] = {}
        self._forgotten = 0

    async def find(self, token: str) -> Principal | None:
        """Who the token speaks for; None for a token that opens nothing."""
        if not self._hears():
            self._forget_tokens()
            return await self._registrar.bearer(token)
        digest = token_hash(token)
        known = self._known.get(digest)
        if known is not None:
            return known
        before = self._forgotten
        found = await self._registrar.bearer(token)
        # What was read while the account changed is not worth remembering.
        if found is not None and before == self._forgotten and self._hears():
            self._keep(digest, found)
        return found

    def forget(self, player: str) -> None:
        """The player's account has changed."""
        self._forgotten += 1
        for digest in self._tokens.pop(player, ()):
            self._known.pop(digest, None)
        for doubt in tuple(self._watching.get(player, ())):
            doubt()

    def forget_all(self) -> None:
        """Anything may have changed."""
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
        """Have ``doubt`` called whenever the player's account may have changed, while this lasts.

        It must neither block nor raise.
        """
        watching = self._watching.setdefault(player, [])
        watching.append(doubt)
        try:
            yield
        finally:
            watching.remove(doubt)
            if not watching:
                del self._watching[player]

    def _keep(self, digest: str, found: Principal) -> None:
        self._known[digest] = found
        self._tokens.setdefault(found.player, set()).add(digest)
        if len(self._known) > _KEPT:
            oldest, principal = self._known.popitem(last=False)
            self._tokens.get(principal.player, set()).discard(oldest)


class Door(ASGIMiddleware):
    """Sets ``scope["user"]`` to the caller, or refuses."""

    scopes = (ScopeType.HTTP,)

    def __init__(
        self,
        bearers: Bearers,
        limits: Limits,
        names: AddressNames,
        presence: Presence,
        origins: Origins,
    ) -> None:
        self._bearers = bearers
        self._limits = limits
        self._names = names
        self._presence = presence
        self._origins = origins

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let a request in, or refuse it (see ``admit``)."""
        scope["user"] = scope["auth"] = None
        opt = scope["route_handler"].opt
        if "budget" in opt:  # not a document, nor Litestar's own answer to OPTIONS
            await self.admit(scope, opt)
        await next_app(scope, receive, send)

    async def admit(self, scope: Scope, opt: dict[str, Any]) -> None:
        """Set ``scope["user"]`` to the caller of a handler with these ``opt``, or refuse.

        Raises:
            Refused: token-needed, token-invalid, scope-missing, origin-not-allowed, rate-limited,
                invalid-parameter.
            LogUnavailable: the store does not answer.
        """
        scope["user"] = scope["auth"] = None
        token = bearer_token(scope)
        user: Principal | None = None
        if token is not None:
            user = await self._bearers.find(token)
            if user is None:
                self._spend(scope, "reads", None)
                raise token_invalid()
        scope["user"] = user
        # A refusal costs as much as what is refused: nobody tries scopes out for nothing.
        self._spend(scope, opt["budget"], user)
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

    def _spend(self, scope: Scope, budget: Budget, user: Principal | None) -> None:
        """Take a token of the budget of a player, or of a stranger's address.

        Where the budget stands is left in ``scope["state"]["ratelimit"]`` for the answer's headers.

        Raises:
            Refused: rate-limited, with ``Retry-After``.
        """
        if user is not None:
            who = user.player
        else:
            who = self._names.of(scope)
            if who in self._presence.around.lifted:
                return
        verdict = self._limits.spend(budget, who)
        scope["state"]["ratelimit"] = (
            (b"ratelimit-policy", self._limits.policies[budget]),
            (b"ratelimit", verdict.standing),
        )
        if verdict.wait_s:
            detail = f"the budget for {budget} is spent; try again in {verdict.wait_s} s"
            headers = {"Retry-After": str(verdict.wait_s)}
            raise Refused("rate-limited", detail, headers=headers)


def bearer_token(scope: Scope) -> str | None:
    """The token of the request, None where there is none.

    Raises:
        Refused: token-invalid, for another scheme or several headers.
    """
    headers = headers_of(scope)
    value = headers.get(b"authorization")
    if value is None:
        return None
    scheme, _, token = value.partition(b" ")
    sent: Any = scope["headers"]  # a list, which Litestar types as something to iterate
    several = len(headers) < len(sent) and sum(name == b"authorization" for name, _ in sent) > 1
    if scheme.lower() != b"bearer" or not token.isascii() or several:
        raise token_invalid()
    return token.strip().decode()


def token_invalid() -> Refused:
    """The answer to a token that is malformed, unknown or revoked (RFC 6750 §3.1)."""
    headers = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
    return Refused("token-invalid", "this token opens nothing", headers=headers)


def _scope_missing(needed: tuple[str, ...]) -> Refused:
    wanted = " ".join(needed)
    headers = {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{wanted}"'}
    detail = f"this needs a token with the scope {' or '.join(needed)}"
    return Refused("scope-missing", detail, headers=headers)


def _check_queries(query: bytes, known: frozenset[str]) -> None:
    """An unknown or doubled query parameter is a mistake that would go unnoticed, and so is null.

    No parameter takes the word ``null``, but where a number may be left out it would count as that.
    None takes line breaks or other control characters either.

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
            what = "No value, leave it out"
        elif not value.isprintable():
            what = "Holds a control character"
        if what:
            flaw = Flaw(source="query", at=name[:40], message=what)
            raise Refused("invalid-parameter", f"{what.lower()}: {name[:40]!r}", errors=(flaw,))
