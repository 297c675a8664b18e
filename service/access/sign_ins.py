"""Signing in without a token: device links and recovery files.

Their secrets are in the bodies of requests and of the answers that show them, once, and nowhere
else: not in an address, not in a log, and in the store as hashes only.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

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
from events.kernel import Actor, Rejected
from events.keys import KeyRing
from service.access.accounts import AccountService, shown_token
from service.contract.sign_in_bodies import DeviceLinkShown, RecoveryFileShown, SignedIn
from service.http.principals import Principal, token_hash, token_id, token_text
from service.http.problems import Refused

_LINK: Final = re.compile(r"plr-link\.(p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26})\.[A-Za-z0-9_-]{43}")
_FILE: Final = re.compile(r"plr-recovery\.(p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26})\.[A-Za-z0-9_-]{43}")


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
        secret, named = self._secret(caller, key, "plr-link", b"POST /v1/device-links")
        digest = token_hash(secret)
        command = MakeDeviceLink(link=_link_id(digest), under=caller.token, secret_hash=digest)
        receipt = await self._account_service.execute(
            caller.player, command, caller.as_player, *named
        )
        made = next(event for event in receipt.events if isinstance(event, DeviceLinkMade))
        return DeviceLinkShown(id=made.link, secret=secret, expires_at=made.expires_at)

    async def withdraw_link(self, caller: Principal, link: str) -> None:
        """Make a device link of the caller worthless. Idempotent.

        Raises:
            Rejected: a code of ``club``.
        """
        name = f"DELETE /v1/device-links/{link}"
        named = self._account_service.name_request(caller.player, name, name.encode())
        command = WithdrawDeviceLink(link=link, under=caller.token)
        await self._account_service.execute(caller.player, command, caller.as_player, *named)

    async def use_link(self, secret: str, key: str) -> SignedIn:
        """Sign a device in; idempotent for the same secret and key.

        Raises:
            Rejected: unknown-device-link, device-link-used, device-link-expired, too-many-tokens.
            KeyReused: the key was used with another secret.
        """
        found = _LINK.fullmatch(secret)
        if found is None:
            _refuse_link()
        player = found[1]
        content = b"POST /v1/sign-ins/device-link\n" + secret.encode()
        token = self._token(player, key, content)
        digest = token_hash(token)
        command = UseDeviceLink(
            token=token_id(digest), secret_hash=token_hash(secret), token_hash=digest
        )
        try:
            return await self._sign_in(player, command, token, key, content)
        except Refused:
            _refuse_link()

    async def make_file(self, caller: Principal, key: str) -> RecoveryFileShown:
        """Make a recovery file for the caller, in the place of any earlier one.

        Raises:
            Rejected: a code of ``club``.
            KeyReused: the key was used for another request.
        """
        secret, named = self._secret(caller, key, "plr-recovery", b"POST /v1/recovery-file")
        command = MakeRecoveryFile(under=caller.token, secret_hash=token_hash(secret))
        receipt = await self._account_service.execute(
            caller.player, command, caller.as_player, *named
        )
        made = next(event for event in receipt.events if isinstance(event, RecoveryFileMade))
        return RecoveryFileShown(secret=secret, made_at=made.at)

    async def use_file(self, secret: str, key: str) -> SignedIn:
        """Sign in with a recovery file; idempotent for the same secret and key.

        Raises:
            Rejected: recovery-file-invalid.
            KeyReused: the key was used with another secret.
        """
        found = _FILE.fullmatch(secret)
        if found is None:
            _refuse_file()
        player = found[1]
        content = b"POST /v1/sign-ins/recovery-file\n" + secret.encode()
        token = self._token(player, key, content)
        digest = token_hash(token)
        command = UseRecoveryFile(
            token=token_id(digest), secret_hash=token_hash(secret), token_hash=digest
        )
        try:
            return await self._sign_in(player, command, token, key, content)
        except Refused:
            _refuse_file()

    async def _sign_in(
        self,
        player: str,
        command: UseDeviceLink | UseRecoveryFile,
        token: str,
        key: str,
        content: bytes,
    ) -> SignedIn:
        """Raises: as the callers; Refused: player-not-found."""
        named = self._account_service.name_request(_stranger_with(player), key, content)
        receipt = await self._account_service.execute(
            player, command, Actor("player", player), *named
        )
        account = await self._account_service.account(player)
        name = await self._account_service.name(player, account)
        return SignedIn(id=player, name=name, token=shown_token(player, token, "", receipt))

    def _secret(
        self, caller: Principal, key: str, kind: str, content: bytes
    ) -> tuple[str, tuple[str, str]]:
        """A secret for the caller, and how the log knows the request for it."""
        named = self._account_service.name_request(caller.player, key, content)
        secret = self._keys.derived_token(f"{kind}@{caller.player}", key, caller.player, named[1])
        return f"{kind}.{caller.player}.{secret}", named

    def _token(self, player: str, key: str, content: bytes) -> str:
        digest = self._keys.digest(content)
        secret = self._keys.derived_token(_stranger_with(player), key, player, digest)
        return token_text(player, secret)


def _stranger_with(player: str) -> str:
    """The principal of who has the secret of an account's link or file, but no token yet."""
    return f"sign-in@{player}"


def _link_id(digest: str) -> str:
    return f"l{digest[:16]}"


def _refuse_link() -> NoReturn:
    raise Rejected(AccountCode.UNKNOWN_DEVICE_LINK, "this device link signs nobody in") from None


def _refuse_file() -> NoReturn:
    raise Rejected(
        AccountCode.RECOVERY_FILE_INVALID, "this recovery file opens no account"
    ) from None
