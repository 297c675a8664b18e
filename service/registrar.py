"""Accounts and tokens: the commands of the club, and who the bearer of a token is."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Final

from club.account_events import (
    ACCOUNT_COMMANDS,
    ACCOUNT_EVENTS,
    IssueToken,
    RegisterPlayer,
    RevokeToken,
    TokenIssued,
)
from club.account_events import PlayerRegistered as Registered
from club.accounts import Account, Accounts
from events.codec import Codec, Registry
from events.kernel import Actor, Millis
from events.keys import KeyRing
from events.layout import BadStreamIdError
from events.log import StreamLog
from events.transact import Loaded, NoSuchStream, Receipt, Transactor
from service.principals import (
    OPERATOR,
    OPERATOR_PRINCIPAL,
    Principal,
    player_of,
    token_hash,
    token_id,
    token_text,
)
from service.problems import Refused
from service.wire import NewPlayer, NewToken, PlayerRegistered, TokenShown, encode_sorted

RULES: Final = "club/1"
"""What an account's batches record as their rules; moves with the decider's behaviour."""

_ACCOUNTS_KEPT = 10_000


class Registrar:
    """Everything that the service does with account streams.

    Args:
        log: where the streams are.
        keys: names players and tokens.
        clock: the time in ms.
        operator_hash: SHA-256 of the operator's own token, if it has one.

    Attributes:
        on_change: told a player's id before the answer to what has changed the account, so that
            here a revoked token is worthless from then on. Other processes hear it by the feed.
    """

    on_change: Callable[[str], None]

    def __init__(
        self,
        log: StreamLog,
        keys: KeyRing,
        clock: Callable[[], Millis],
        operator_hash: bytes | None = None,
    ) -> None:
        self._keys = keys
        self._shards = log.layout.shards
        self._clock = clock
        self._operator_hash = operator_hash
        self.on_change = _nobody
        codec = Codec(Registry(ACCOUNT_EVENTS, ACCOUNT_COMMANDS), keys)
        self._transactor: Transactor[Account] = Transactor(
            Accounts(), codec, log, rules=RULES, cached=_ACCOUNTS_KEPT
        )

    async def register(self, wish: NewPlayer, address: str, key: str) -> PlayerRegistered:
        """A new player with a first token; the same again for the same key and address.

        The key is all that tells two strangers apart, and whoever repeats it is shown the token
        again: so it must be long, and comes from the same network address.

        Raises:
            Rejected: bad-name.
            KeyReused: the key stands for another name.
        """
        principal = f"stranger@{address}"
        player = self._keys.derived_id(principal, key, "p", self._shards)
        token = token_text(player, self._keys.derived_token(principal, key))
        digest = token_hash(token)
        command = RegisterPlayer(name=wish.name, token=token_id(digest), token_hash=digest)
        receipt = await self._execute(
            player,
            command,
            Actor("player", player),
            self._keys.command_id(principal, key),
            self._keys.digest(b"POST /v1/players\n" + encode_sorted(wish)),
        )
        name = next(e.name for e in receipt.events if isinstance(e, Registered))
        return PlayerRegistered(id=player, name=name, token=_shown(player, token, receipt))

    async def issue(self, caller: Principal, wish: NewToken, key: str) -> TokenShown:
        """One more token for the caller, or by an admin for another player.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found.
            KeyReused: the key stands for another wish.
        """
        player = wish.player or caller.player
        token = token_text(player, self._keys.derived_token(caller.player, key))
        digest = token_hash(token)
        command = IssueToken(
            token=token_id(digest),
            scopes=wish.scopes,
            under=caller.token,
            admin=_is_foreign_admin(caller, player),
            token_hash=digest,
            label=wish.label,
        )
        receipt = await self._execute(
            player,
            command,
            _actor(caller),
            self._keys.command_id(caller.player, key),
            self._keys.digest(b"POST /v1/tokens\n" + encode_sorted(wish)),
        )
        return _shown(player, token, receipt)

    async def revoke(self, caller: Principal, player: str, token: str) -> None:
        """Make a token worthless; doing it again is the same.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found.
        """
        command = RevokeToken(
            token=token, under=caller.token, admin=_is_foreign_admin(caller, player)
        )
        # A token is revoked once and its id never used again, so its name serves as the key.
        name = f"DELETE /v1/tokens/{player}/{token}"
        await self._execute(
            player,
            command,
            _actor(caller),
            self._keys.command_id(caller.player, name),
            self._keys.digest(name.encode()),
        )

    async def account(self, player: str) -> Account:
        """The account of a player as it is now.

        Raises:
            Refused: player-not-found.
        """
        try:
            return (await self._load(player)).state
        except (NoSuchStream, BadStreamIdError):
            raise _no_player() from None

    async def bearer(self, token: str) -> Principal | None:
        """Who the token speaks for, as the account is now; None for a token that opens nothing."""
        digest = token_hash(token)
        if self._is_operator(digest):
            return OPERATOR_PRINCIPAL
        player = player_of(token)
        if player is None:
            return None
        try:
            account = (await self._load(player)).state
        except (NoSuchStream, BadStreamIdError):
            return None
        name = token_id(digest)
        known = account.tokens.get(name)
        if known is None or known.revoked_at is not None or known.token_hash is None:
            return None
        if not hmac.compare_digest(known.token_hash, digest):
            return None
        return Principal(player, account.name, name, frozenset(known.scopes))

    def _is_operator(self, digest: str) -> bool:
        wanted = self._operator_hash
        return wanted is not None and hmac.compare_digest(wanted.hex(), digest)

    async def _load(self, player: str) -> Loaded[Account]:
        return await self._transactor.load(player)

    async def _execute(
        self,
        player: str,
        command: RegisterPlayer | IssueToken | RevokeToken,
        actor: Actor,
        command_id: str,
        digest: str,
    ) -> Receipt:
        try:
            receipt = await self._transactor.execute(
                player,
                command,
                actor=actor,
                command_id=command_id,
                digest=digest,
                at=self._clock(),
                opens=isinstance(command, RegisterPlayer),
            )
        except (NoSuchStream, BadStreamIdError):
            raise _no_player() from None
        self.on_change(player)
        return receipt


def _nobody(_: str) -> None:
    """Nobody has asked to be told."""


def _actor(caller: Principal) -> Actor:
    return Actor("director" if caller.player == OPERATOR else "player", caller.player)


def _is_foreign_admin(caller: Principal, player: str) -> bool:
    """Whether the caller's power comes from another account than the one it is used on."""
    return caller.player != player and caller.has("admin")


def _no_player() -> Refused:
    return Refused("player-not-found", "there is no such player")


def _shown(player: str, token: str, receipt: Receipt) -> TokenShown:
    """The answer that shows a token, made of what was recorded when it was first given."""
    issued = next(event for event in receipt.events if isinstance(event, TokenIssued))
    label = issued.label if isinstance(issued.label, str) else ""
    return TokenShown(
        id=issued.token, player=player, scopes=issued.scopes, label=label, token=token
    )
