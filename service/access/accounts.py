"""Accounts and tokens: the commands of the club, and who the bearer of a token is."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from club.account_events import (
    ACCOUNT_COMMANDS,
    ACCOUNT_EVENTS,
    DeleteAccount,
    IssueToken,
    RegisterPlayer,
    RevokeToken,
    TokenIssued,
)
from club.accounts import TOKENS_MAX, Account, Accounts, Code, check_label, check_name, lends
from events.codec import Codec, Registry
from events.kernel import Actor, Command, Millis, Rejected
from events.keys import KeyRing
from events.layout import BadStreamIdError
from events.log import StreamLog
from events.name_store import AccountDeleted, TooManyNames
from events.scripts import StoreFull
from events.transact import Loaded, NoSuchStream, Receipt, Transactor
from projections.names import NameBook
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
        names: what players and tokens are called.
        operator_hash: SHA-256 of the operator's own token, if it has one.
        tokens: how many live tokens an account may have.
        refusal: why the store has no room for a command, if it has none.

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
        names: NameBook,
        operator_hash: bytes | None = None,
        tokens: int = TOKENS_MAX,
        *,
        refusal: Callable[[Command], StoreFull | None] = lambda _: None,
    ) -> None:
        self._keys = keys
        self._shards = log.layout.shards
        self._clock = clock
        self._names = names
        self._operator_hash = operator_hash
        self._refusal = refusal
        self.on_change = _nobody
        codec = Codec(Registry(ACCOUNT_EVENTS, ACCOUNT_COMMANDS), keys)
        self._transactor: Transactor[Account] = Transactor(
            Accounts(tokens), codec, log, rules=lambda _: RULES, cached=_ACCOUNTS_KEPT
        )

    def new_player(self, address: str, key: str) -> str:
        """The id of the player whom ``register`` makes for an address and a key."""
        return self._keys.derived_id(_stranger(address), key, "p", self._shards)

    async def register(self, wish: NewPlayer, address: str, key: str) -> PlayerRegistered:
        """A new player with a first token; the same again for the same key and address.

        The key is all that tells two strangers apart, and whoever repeats it is shown the token
        again: so it must be long, and comes from the same network address.

        Raises:
            Rejected: bad-name.
            Refused: account-deleted: the key made an account that is no more.
            KeyReused: the key stands for another name.
        """
        check_name(wish.name)
        principal, player = _stranger(address), self.new_player(address, key)
        content = self._keys.digest(b"POST /v1/players\n" + encode_sorted(wish))
        token = token_text(player, self._keys.derived_token(principal, key, player, content))
        digest = token_hash(token)
        command = RegisterPlayer(name_seal="", token=token_id(digest), token_hash=digest)
        seal = await self.seal(player, wish.name, self._refusal(command))
        command = replace(command, name_seal=seal)
        receipt = await self._execute(
            player,
            command,
            Actor("player", player),
            self._keys.command_id(principal, key),
            content,
        )
        return PlayerRegistered(id=player, name=wish.name, token=_shown(player, token, "", receipt))

    async def seal(self, player: str, name: str, refusal: StoreFull | None) -> str:
        """The seal of a name of a player, or of a token; the name is kept, to be erased with them.

        ``refusal``: why the store has no room for another name, if it has none.

        Raises:
            StoreFull: ``refusal``.
            Refused: account-deleted, too-many-names.
        """
        try:
            return await self._names.store.keep(player, name, refusal)
        except AccountDeleted:
            raise Refused("account-deleted", "this account has been deleted") from None
        except TooManyNames:
            raise Refused("too-many-names", "this account has used too many names") from None

    async def delete(self, caller: Principal, player: str) -> None:
        """Delete an account and erase its names; doing it again is the same.

        The event comes first: from then on nobody is shown a name of this account, and whoever
        reads it finishes the erasing, should this process die in between.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found.
        """
        command = DeleteAccount(under=caller.token, admin=_is_foreign_admin(caller, player))
        name = f"DELETE /v1/players/{player}"
        try:
            await self._execute(
                player,
                command,
                _actor(caller),
                self._keys.command_id(caller.player, name),
                self._keys.digest(name.encode()),
            )
        except Rejected as refusal:
            if refusal.code != Code.ACCOUNT_DELETED:
                raise
        await self._names.store.erase(player)

    async def label(self, player: str, seal: str) -> str:
        """What a token of a player is called; "" for nothing."""
        return await self._names.of(player, seal) or "" if seal else ""

    async def name(self, player: str, account: Account) -> str | None:
        """What a player is called; None: the account has been deleted."""
        return await self._names.of(player, account.name_seal)

    async def issue(self, caller: Principal, wish: NewToken, key: str) -> TokenShown:
        """One more token for the caller, or by an admin for another player.

        A repeated request is answered from the log, whatever the asking token allows. So what it
        allows is checked here as well, before and after: a weak token that finds out the key of a
        strong one is not shown what that one was given.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found, not-your-account, scope-not-granted, account-deleted,
                too-many-names.
            KeyReused: the key stands for another wish.
        """
        check_label(wish.label)
        player = wish.player or caller.player
        if player != caller.player and not caller.has("admin"):
            raise Refused("not-your-account", "this account is somebody else's")
        content = self._keys.digest(b"POST /v1/tokens\n" + encode_sorted(wish))
        token = token_text(player, self._keys.derived_token(caller.player, key, player, content))
        digest = token_hash(token)
        await self.account(player)
        command = IssueToken(
            token=token_id(digest),
            scopes=wish.scopes,
            under=caller.token,
            admin=_is_foreign_admin(caller, player),
            token_hash=digest,
        )
        if wish.label:
            seal = await self.seal(player, wish.label, self._refusal(command))
            command = replace(command, label_seal=seal)
        receipt = await self._execute(
            player,
            command,
            _actor(caller),
            self._keys.command_id(caller.player, key),
            content,
        )
        shown = _shown(player, token, wish.label, receipt)
        if not lends(caller.scopes).issuperset(shown.scopes):
            raise Refused("scope-not-granted", "your token does not have all of these scopes")
        return shown

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

    def forget_all(self) -> None:
        """Drop all cached accounts: the store may hold another history than it did."""
        self._transactor.forget_all()

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
        return Principal(player, account.name_seal, name, frozenset(known.scopes))

    def _is_operator(self, digest: str) -> bool:
        wanted = self._operator_hash
        return wanted is not None and hmac.compare_digest(wanted.hex(), digest)

    async def _load(self, player: str) -> Loaded[Account]:
        return await self._transactor.load(player)

    async def _execute(
        self,
        player: str,
        command: RegisterPlayer | IssueToken | RevokeToken | DeleteAccount,
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
                accepts_ahead=actor.kind == "director",
                refusal=self._refusal(command),
            )
        except (NoSuchStream, BadStreamIdError):
            raise _no_player() from None
        self._names.forget(player)
        self.on_change(player)
        return receipt


def _stranger(address: str) -> str:
    """The name under which somebody without an account asks for one."""
    return f"stranger@{address}"


def _nobody(_: str) -> None:
    """Nobody has asked to be told."""


def _actor(caller: Principal) -> Actor:
    return Actor("director" if caller.player == OPERATOR else "player", caller.player)


def _is_foreign_admin(caller: Principal, player: str) -> bool:
    """Whether the caller's power comes from another account than the one it is used on."""
    return caller.player != player and caller.has("admin")


def _no_player() -> Refused:
    return Refused("player-not-found", "there is no such player")


def _shown(player: str, token: str, label: str, receipt: Receipt) -> TokenShown:
    """The answer that shows a token, made of what was recorded when it was first given."""
    issued = next(event for event in receipt.events if isinstance(event, TokenIssued))
    return TokenShown(
        id=issued.token, player=player, scopes=issued.scopes, label=label, token=token
    )
