"""Accounts and tokens: the commands of the club, and token authentication."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from msgspec.structs import replace

from club.account_events import (
    ACCOUNT_COMMANDS,
    ACCOUNT_EVENTS,
    DeleteAccount,
    IssueToken,
    LabelToken,
    RegisterPlayer,
    RenamePlayer,
    RevokeOtherTokens,
    RevokeToken,
    TokenIssued,
)
from club.account_state import Account, AccountCode
from club.accounts import TOKENS_MAX, Accounts, check_label, check_name
from club.authority import lends
from events.codec import Codec, Registry
from events.kernel import Actor, Command, Event, Rejected, TimestampMs
from events.keys import KeyRing
from events.layout import BadStreamIdError
from events.log import StreamLog
from events.name_store import DeletedAccountError, TooManyNames
from events.names import NameOpening
from events.scripts import LogUnavailable, StoreFull
from events.transact import CommandReceipt, Loaded, NoSuchStream, Transactor
from projections.names import NameBook
from service.access.request_name import RequestName
from service.contract.bodies import (
    NewPlayer,
    NewToken,
    PlayerRegistered,
    TokenShown,
    encode_sorted,
)
from service.http.principals import (
    OPERATOR,
    OPERATOR_PRINCIPAL,
    Principal,
    player_of,
    token_hash,
    token_id,
    token_text,
)
from service.http.problems import Refused

E = TypeVar("E", bound=Event)

RULES: Final = "club/1"
"""The rules tag in the batches of accounts; changes with the decider's behaviour."""

_ACCOUNTS_KEPT = 10_000
_REGISTRY: Final = Registry(ACCOUNT_EVENTS, ACCOUNT_COMMANDS)


class AccountService:
    """All operations of the service on account streams.

    Args:
        log: the account streams.
        keys: derives ids of players and tokens.
        clock: the time in ms.
        names: the names of players and the labels of tokens.
        operator_hash: SHA-256 of the operator's own token, if there is one.
        tokens: the maximum number of live tokens per account.
        refusal: why the store has no room for a command; None if it has room.

    Attributes:
        on_change: called with a player's id before the answer to a command that changed the
            account, so that a revoked token stops working in this process at once. Other processes
            learn of it from the feed.
    """

    on_change: Callable[[str], None]

    def __init__(
        self,
        log: StreamLog,
        keys: KeyRing,
        clock: Callable[[], TimestampMs],
        names: NameBook,
        operator_hash: bytes | None = None,
        tokens: int = TOKENS_MAX,
        *,
        refusal: Callable[[Command], StoreFull | None] = lambda _: None,
    ) -> None:
        self._keys = keys
        self._log = log
        self._shards = log.layout.shards
        self._clock = clock
        self._names = names
        self._operator_hash = operator_hash
        self._refusal = refusal
        self.on_change = _nobody
        self._transactor: Transactor[Account] = Transactor(
            Accounts(tokens),
            Codec(_REGISTRY, keys),
            log,
            rules=lambda _: RULES,
            cached=_ACCOUNTS_KEPT,
        )

    def new_player(self, address: str, key: str) -> str:
        """The id that ``register`` gives the player for an address and a key."""
        return self._keys.derived_id(_stranger(address), key, "p", self._shards)

    async def register(self, requested: NewPlayer, address: str, key: str) -> PlayerRegistered:
        """Register a player with a first token; idempotent for the same key and address.

        Only the key tells two unregistered callers apart, and repeating it shows the token again.
        So it must be long, and a repetition must come from the same network address.

        Raises:
            Rejected: bad-name.
            Refused: account-deleted: the account created under this key has been deleted.
            KeyReused: the key was used with another name.
        """
        check_name(requested.name)
        principal, player = _stranger(address), self.new_player(address, key)
        content = b"POST /v1/players\n" + encode_sorted(requested)
        named = self.name_request(principal, key, content)
        token = token_text(player, self._keys.derived_token(principal, key, player, named.digest))
        digest = token_hash(token)
        command = RegisterPlayer(name_seal="", token=token_id(digest), token_hash=digest)
        seal = await self.seal(player, requested.name, self._refusal(command))
        command = replace(command, name_seal=seal)
        receipt = await self.execute(player, command, Actor("player", player), named)
        return PlayerRegistered(
            id=player, name=requested.name, token=shown_token(player, token, "", receipt)
        )

    async def rename(self, caller: Principal, player: str, name: str, named: RequestName) -> None:
        """Call a player something else, everywhere and at once.

        The present name takes the place of those that the player had before the event says so: who
        is told of the event and asks for names gets the present one, and if this process dies in
        between, a repetition of the request does the rest. A refusal leaves everything as it was.

        Raises:
            Rejected: a code of ``club``.
            Refused: player-not-found, account-deleted, too-many-names.
            StoreFull: there is no room for a new name.
            KeyReused: the key was used with another request.
        """
        check_name(name)
        account = await self.account(player)
        command = RenamePlayer(
            name_seal="", under=caller.token, admin=_is_foreign_admin(caller, player)
        )
        seal = await self.seal(player, name, self._refusal(command))
        openings = (await self._names.store.read(player)).openings
        former = [each for each in (*account.former_seals, account.name_seal) if each != seal]
        await self._put_names(player, {each: openings[seal] for each in former if each in openings})
        try:
            await self.execute(player, replace(command, name_seal=seal), _actor(caller), named)
        except Rejected:
            await self._put_names(
                player, {each: openings[each] for each in former if each in openings}
            )
            raise

    async def _put_names(self, player: str, openings: Mapping[str, NameOpening]) -> None:
        for seal, opening in openings.items():
            try:
                await self._names.store.put(player, seal, opening)
            except DeletedAccountError:
                raise Refused("account-deleted", "this account has been deleted") from None
        self._names.forget(player)

    async def seal(self, player: str, name: str, refusal: StoreFull | None) -> str:
        """Seal a player's name or a token's label; it is stored until the account is erased.

        ``refusal``: why the store has no room for another name; None if it has room.

        Raises:
            StoreFull: ``refusal``.
            Refused: account-deleted, too-many-names.
        """
        try:
            return await self._names.store.keep(player, name, refusal)
        except DeletedAccountError:
            raise Refused("account-deleted", "this account has been deleted") from None
        except TooManyNames:
            raise Refused("too-many-names", "this account has used too many names") from None

    async def delete(self, caller: Principal, player: str) -> None:
        """Delete an account and erase its names. Idempotent.

        The event comes first: from then on no name of this account is shown, and should this
        process die in between, the next reader of the account completes the erasure.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found.
        """
        command = DeleteAccount(under=caller.token, admin=_is_foreign_admin(caller, player))
        named = self.name_keyless(caller.player, f"DELETE /v1/players/{player}")
        try:
            await self.execute(player, command, _actor(caller), named)
        except Rejected as refusal:
            if refusal.code != AccountCode.ACCOUNT_DELETED:
                raise
        await self._names.store.erase(player)

    async def label(self, player: str, seal: str) -> str:
        """The label of a player's token; "" if it has none."""
        return await self._names.of(player, seal) or "" if seal else ""

    async def name(self, player: str, account: Account) -> str | None:
        """A player's name; None if the account has been deleted."""
        return await self._names.of(player, account.name_seal)

    async def issue(self, caller: Principal, requested: NewToken, key: str) -> TokenShown:
        """Issue a token for the caller or, by an admin, for another player.

        A repeated request is answered from the log, regardless of the scopes of the requesting
        token. So they are checked here as well, before and after: a token with fewer scopes that
        learns the key of a stronger one is not shown the token that one was given.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found, not-your-account, scope-not-granted, account-deleted,
                too-many-names.
            KeyReused: the key was used with another request.
        """
        check_label(requested.label)
        player = requested.player or caller.player
        if player != caller.player and not caller.has("admin"):
            raise Refused("not-your-account", "this account belongs to another player")
        content = b"POST /v1/tokens\n" + encode_sorted(requested)
        named = self.name_request(caller.player, key, content)
        secret = self._keys.derived_token(caller.player, key, player, named.digest)
        token = token_text(player, secret)
        digest = token_hash(token)
        await self.account(player)
        command = IssueToken(
            token=token_id(digest),
            scopes=requested.scopes,
            under=caller.token,
            admin=_is_foreign_admin(caller, player),
            token_hash=digest,
        )
        if requested.label:
            seal = await self.seal(player, requested.label, self._refusal(command))
            command = replace(command, label_seal=seal)
        receipt = await self.execute(player, command, _actor(caller), named)
        shown = shown_token(player, token, requested.label, receipt)
        if not lends(caller.scopes).issuperset(shown.scopes):
            raise Refused("scope-not-granted", "your token does not have all of these scopes")
        return shown

    async def revoke(self, caller: Principal, player: str, token: str) -> None:
        """Revoke a token. Idempotent.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found.
        """
        command = RevokeToken(
            token=token, under=caller.token, admin=_is_foreign_admin(caller, player)
        )
        named = self.name_keyless(caller.player, f"DELETE /v1/tokens/{player}/{token}")
        await self.execute(player, command, _actor(caller), named)

    async def label_token(
        self, caller: Principal, player: str, token: str, label: str, named: RequestName
    ) -> None:
        """Call a token something; "" for nothing.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found, account-deleted, too-many-names.
            KeyReused: the key was used with another request.
        """
        check_label(label)
        await self.account(player)
        command = LabelToken(
            token=token, under=caller.token, admin=_is_foreign_admin(caller, player)
        )
        if label:
            seal = await self.seal(player, label, self._refusal(command))
            command = replace(command, label_seal=seal)
        await self.execute(player, command, _actor(caller), named)

    async def revoke_others(self, caller: Principal, named: RequestName) -> None:
        """Revoke all tokens of the caller but the one that asks.

        Raises:
            Rejected: a code of ``club.accounts``.
            KeyReused: the key was used with another request.
        """
        command = RevokeOtherTokens(under=caller.token)
        await self.execute(caller.player, command, _actor(caller), named)

    def name_request(self, principal: str, key: str, content: bytes) -> RequestName:
        """What the log calls a request to an account."""
        return RequestName.of(self._keys, principal, key, content)

    def name_keyless(self, principal: str, what: str) -> RequestName:
        """The name of a request that is carried out once at most, so that it needs no key.

        What it ends is never there again, so ``what`` it does is its key and its content.
        """
        return self.name_request(principal, what, what.encode())

    def forget_all(self) -> None:
        """Drop all cached accounts: the history in the store may have changed."""
        self._transactor.forget_all()

    def has_place(self, player: str) -> bool:
        """Whether an account of this id could be in the store."""
        try:
            self._log.layout.shard_of(player)
        except BadStreamIdError:
            return False
        return True

    async def account(self, player: str) -> Account:
        """The current account of a player.

        Raises:
            Refused: player-not-found.
        """
        try:
            return (await self._load(player)).state
        except (NoSuchStream, BadStreamIdError):
            raise _no_player() from None

    async def require_accounts(self, players: Iterable[str]) -> None:
        """Require that each of these players has an account that has not been deleted.

        Raises:
            Refused: player-not-found.
        """
        found = await asyncio.gather(*(self.account(player) for player in set(players)))
        if any(account.deleted_at is not None for account in found):
            raise _no_player()

    async def bearer(self, token: str) -> Principal | None:
        """The principal of a token, by the current account; None for an invalid token."""
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

    async def execute(
        self, player: str, command: Command, actor: Actor, named: RequestName
    ) -> CommandReceipt:
        """Pass a command to an account, and let this process know that it has changed.

        Raises:
            Rejected: a code of ``club.accounts``.
            Refused: player-not-found.
            KeyReused: a request of this id had another digest.
            LogUnavailable: the outcome is unknown, or not kept as promised yet.
        """
        try:
            receipt = await self._transactor.execute(
                player,
                command,
                actor=actor,
                command_id=named.command_id,
                digest=named.digest,
                at=self._clock(),
                opens=isinstance(command, RegisterPlayer),
                accepts_ahead=actor.kind == "director",
                refusal=self._refusal(command),
            )
        except (NoSuchStream, BadStreamIdError):
            raise _no_player() from None
        self._names.forget(player)
        self.on_change(player)
        if receipt.short:
            # Such answers have no room for a doubt: a token is used at once.
            raise LogUnavailable("the account is not replicated yet; the same request will do")
        return receipt


def _stranger(address: str) -> str:
    """The principal under which a caller without an account registers."""
    return f"stranger@{address}"


def _nobody(_: str) -> None:
    """The default ``on_change``: nobody is notified."""


def _actor(caller: Principal) -> Actor:
    return Actor("director" if caller.player == OPERATOR else "player", caller.player)


def _is_foreign_admin(caller: Principal, player: str) -> bool:
    """Whether the caller acts as an admin on an account other than their own."""
    return caller.player != player and caller.has("admin")


def _no_player() -> Refused:
    return Refused("player-not-found", "player not found")


def event_of(receipt: CommandReceipt, kind: type[E]) -> E:
    """The event of a kind that a command has made."""
    return next(event for event in receipt.events if isinstance(event, kind))


def shown_token(player: str, token: str, label: str, receipt: CommandReceipt) -> TokenShown:
    """The answer that shows a token, built from what was recorded when it was issued."""
    issued = event_of(receipt, TokenIssued)
    return TokenShown(
        id=issued.token, player=player, scopes=issued.scopes, label=label, token=token
    )
