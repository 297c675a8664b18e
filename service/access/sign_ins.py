"""Signing in without a token: device links and recovery files.

Their secrets are in the bodies of requests and of the answers that show them, once, and nowhere
else: not in an address, not in a log, and in the store as hashes only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from club.account_events import (
    DeviceLinkMade,
    MakeDeviceLink,
    MakeRecoveryFile,
    RecoveryFileMade,
    UseDeviceLink,
    UseRecoveryFile,
    WithdrawDeviceLink,
)
from club.account_state import AccountCode
from events.kernel import Actor, Command, Rejected
from events.keys import KeyRing
from service.access.accounts import AccountService, event_of, shown_token
from service.access.request_name import RequestName
from service.contract.sign_in_bodies import DeviceLinkShown, RecoveryFileShown, SignedIn
from service.http.principals import Principal, token_hash, token_id, token_text
from service.http.problems import Refused


class _Secret(Struct, frozen=True):
    """A kind of secret that signs in: how it begins, what uses it, and how it is refused."""

    kind: str
    path: str
    command: type[UseDeviceLink | UseRecoveryFile]
    code: AccountCode
    detail: str

    def player_of(self, secret: str) -> str:
        """The player whom such a secret names; whether it is right is another question.

        Raises:
            Rejected: ``code``, if it is no such secret.
        """
        player = r"p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}"
        found = re.fullmatch(rf"{self.kind}\.({player})\.[A-Za-z0-9_-]{{43}}", secret)
        if found is None:
            raise self.refusal
        return found[1]

    @property
    def refusal(self) -> Rejected:
        """What is said of a secret that opens nothing."""
        return Rejected(self.code, self.detail)


_LINK: Final = _Secret(
    "plr-link",
    "/v1/sign-ins/device-link",
    UseDeviceLink,
    AccountCode.UNKNOWN_DEVICE_LINK,
    "this device link signs nobody in",
)
_FILE: Final = _Secret(
    "plr-recovery",
    "/v1/sign-ins/recovery-file",
    UseRecoveryFile,
    AccountCode.RECOVERY_FILE_INVALID,
    "this recovery file opens no account",
)


class SignIns:
    """All operations of the service that give a token to who has none.

    Args:
        account_service: carries out the commands.
        keys: derives secrets and tokens, so that a repeated request shows the same ones again.
    """

    def __init__(self, account_service: AccountService, keys: KeyRing) -> None:
        self._account_service = account_service
        self._keys = keys

    async def make_link(self, caller: Principal, key: str) -> DeviceLinkShown:
        """Make a device link for the caller, in the place of any earlier one.

        Raises:
            Rejected: a code of ``club``.
            KeyReused: the key was used for another request.
        """
        secret, named = self._secret(caller, key, _LINK, b"POST /v1/device-links")
        digest = token_hash(secret)
        command = MakeDeviceLink(link=_link_id(digest), under=caller.token, secret_hash=digest)
        receipt = await self._account_service.execute(
            caller.player, command, caller.as_player, named
        )
        made = event_of(receipt, DeviceLinkMade)
        return DeviceLinkShown(id=made.link, secret=secret, expires_at=made.expires_at)

    async def withdraw_link(self, caller: Principal, link: str) -> None:
        """Make a device link of the caller worthless. Idempotent.

        Raises:
            Rejected: a code of ``club``.
        """
        named = self._account_service.name_keyless(caller.player, f"DELETE /v1/device-links/{link}")
        command = WithdrawDeviceLink(link=link, under=caller.token)
        await self._account_service.execute(caller.player, command, caller.as_player, named)

    async def use_link(self, secret: str, key: str) -> SignedIn:
        """Sign a device in; idempotent for the same secret and key.

        Raises:
            Rejected: unknown-device-link, device-link-used, device-link-expired, too-many-tokens.
            KeyReused: the key was used with another secret.
        """
        return await self._use(_LINK, secret, key)

    async def make_file(self, caller: Principal, key: str) -> RecoveryFileShown:
        """Make a recovery file for the caller, in the place of any earlier one.

        Raises:
            Rejected: a code of ``club``.
            KeyReused: the key was used for another request.
        """
        secret, named = self._secret(caller, key, _FILE, b"POST /v1/recovery-file")
        command = MakeRecoveryFile(under=caller.token, secret_hash=token_hash(secret))
        receipt = await self._account_service.execute(
            caller.player, command, caller.as_player, named
        )
        made = event_of(receipt, RecoveryFileMade)
        return RecoveryFileShown(secret=secret, made_at=made.at)

    async def use_file(self, secret: str, key: str) -> SignedIn:
        """Sign in with a recovery file; idempotent for the same secret and key.

        Raises:
            Rejected: recovery-file-invalid.
            KeyReused: the key was used with another secret.
        """
        return await self._use(_FILE, secret, key)

    async def _use(self, kind: _Secret, secret: str, key: str) -> SignedIn:
        """Raises: as its callers."""
        player, hashed = kind.player_of(secret), token_hash(secret)

        def command(token: str, digest: str) -> Command:
            return kind.command(token=token, secret_hash=hashed, token_hash=digest)

        content = f"POST {kind.path}\n{secret}".encode()
        try:
            return await self.sign_in(player, key, content, command)
        except Refused:
            raise kind.refusal from None

    async def sign_in(
        self, player: str, key: str, content: bytes, command_of: Callable[[str, str], Command]
    ) -> SignedIn:
        """Sign somebody in who has shown who they are; idempotent for the same key and content.

        Args:
            player: who it is.
            key: what the client calls the request.
            content: what makes the request, with its secrets: the token follows from it.
            command_of: makes the command, from the id of the new token and from its hash.

        Raises:
            Rejected: a code of ``club``.
            Refused: player-not-found.
            KeyReused: the key was used with other content.
        """
        stranger = _stranger_with(player)
        secret = self._keys.derived_token(stranger, key, player, self._keys.digest(content))
        token = token_text(player, secret)
        digest = token_hash(token)
        named = self.name_sign_in(player, key, content)
        receipt = await self._account_service.execute(
            player, command_of(token_id(digest), digest), Actor("player", player), named
        )
        account = await self._account_service.account(player)
        name = await self._account_service.name(player, account)
        return SignedIn(id=player, name=name, token=shown_token(player, token, "", receipt))

    def name_sign_in(self, player: str, key: str, content: bytes) -> RequestName:
        """What the log calls a request of ``sign_in``."""
        return self._account_service.name_request(_stranger_with(player), key, content)

    def _secret(
        self, caller: Principal, key: str, kind: _Secret, content: bytes
    ) -> tuple[str, RequestName]:
        """A secret for the caller, and what the log calls the request for it."""
        named = self._account_service.name_request(caller.player, key, content)
        principal = f"{kind.kind}@{caller.player}"
        secret = self._keys.derived_token(principal, key, caller.player, named.digest)
        return f"{kind.kind}.{caller.player}.{secret}", named


def _stranger_with(player: str) -> str:
    """The principal of who has shown whose account it is, but has no token yet."""
    return f"sign-in@{player}"


def _link_id(digest: str) -> str:
    return f"l{digest[:16]}"
