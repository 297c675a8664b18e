"""Passkeys over the service: made by who is signed in, used by who is not.

A challenge is asked for first; what an authenticator has signed comes with the request that makes
or uses the passkey. An authenticator says along whose passkey it is (the user handle), which is the
player's id: so nobody types a name, and no index of passkeys is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from club.account_events import (
    LabelPasskey,
    MakePasskey,
    PasskeyMade,
    RevokePasskey,
    UsePasskey,
)
from club.account_state import AccountCode
from club.accounts import check_label
from club.passkeys import require_live
from events.kernel import Command, Rejected
from events.scripts import StoreFull
from events.seal import bytes_of, text_of
from service.access.accounts import AccountService, event_of
from service.access.challenges import SIGN_IN, Challenge, Challenges
from service.access.passkey_proofs import (
    ALGORITHMS,
    ClientData,
    check_made,
    check_used,
    passkey_id,
    read_client_data,
    require_page,
)
from service.access.passkey_site import PasskeySite
from service.access.request_name import RequestName
from service.access.sign_ins import SignIns
from service.contract.bodies import PLAYER_ID, encode_sorted
from service.contract.passkey_bodies import (
    NewPasskey,
    PasskeyChallenge,
    PasskeyCreation,
    PasskeyInfo,
    PasskeySignIn,
)
from service.contract.sign_in_bodies import SignedIn
from service.http.principals import Principal
from service.http.problems import Refused

_PLAYER: Final = re.compile(PLAYER_ID)


class Passkeys:
    """All operations of the service on passkeys.

    Args:
        account_service: carries out the commands.
        sign_ins: gives tokens.
        challenges: gives challenges out.
        site: for which site passkeys are made; None: there are none.
        refusal: why the store has no room for a command; None if it has room.
    """

    def __init__(
        self,
        account_service: AccountService,
        sign_ins: SignIns,
        challenges: Challenges,
        site: PasskeySite | None,
        refusal: Callable[[Command], StoreFull | None],
    ) -> None:
        self._account_service = account_service
        self._sign_ins = sign_ins
        self._challenges = challenges
        self._known_site = site
        self._refusal = refusal

    async def begin(self, caller: Principal, key: str) -> PasskeyCreation:
        """What an authenticator needs to make a passkey for the caller.

        Raises:
            Refused: passkeys-unavailable.
            LogUnavailable: the store does not answer, or has no room.
        """
        site = self._site
        account = await self._account_service.account(caller.player)
        challenge = await self._give(
            caller.player, key, MakePasskey(passkey="", under=caller.token, counter=0)
        )
        return PasskeyCreation(
            challenge=text_of(challenge.value),
            domain=site.domain,
            expires_at=challenge.until,
            user=text_of(caller.player.encode()),
            name=await self._account_service.name(caller.player, account) or "",
            algorithms=ALGORITHMS,
            exclude=tuple(each.credential for each in account.live_passkeys if each.credential),
        )

    async def make(self, caller: Principal, wanted: NewPasskey, key: str) -> PasskeyInfo:
        """Add a passkey to the caller's account; idempotent for the same key.

        Raises:
            Rejected: a code of ``club``.
            Refused: passkeys-unavailable, passkey-challenge-unknown, passkey-challenge-expired,
                passkey-challenge-used, passkey-other-site, passkey-invalid, account-deleted,
                too-many-names.
            KeyReused: the key was used with another request.
        """
        check_label(wanted.label)
        player = caller.player
        data = await self._challenged(wanted.client_data, player)
        made = check_made(data, wanted.attestation, self._site)
        command = MakePasskey(
            passkey=passkey_id(text_of(made.credential)),
            under=caller.token,
            counter=made.counter,
            credential=text_of(made.credential),
            public_key=text_of(made.public_key),
        )
        content = b"POST /v1/passkeys\n" + encode_sorted(wanted)
        named = self._account_service.name_request(player, key, content)
        await self._challenges.use(data.challenge, named.command_id)
        if wanted.label:
            seal = await self._account_service.seal(player, wanted.label, self._refusal(command))
            command = replace(command, label_seal=seal)
        receipt = await self._account_service.execute(player, command, caller.as_player, named)
        recorded = event_of(receipt, PasskeyMade)
        return PasskeyInfo(
            id=recorded.passkey,
            label=wanted.label,
            made_at=recorded.at,
            last_used_at=None,
            revoked_at=None,
        )

    async def label(self, caller: Principal, passkey: str, label: str, named: RequestName) -> None:
        """Call a passkey of the caller something; "" for nothing.

        Raises:
            Rejected: a code of ``club``.
            Refused: account-deleted, too-many-names.
            KeyReused: the key was used with another request.
        """
        check_label(label)
        command = LabelPasskey(passkey=passkey, under=caller.token)
        if label:
            seal = await self._account_service.seal(caller.player, label, self._refusal(command))
            command = replace(command, label_seal=seal)
        await self._account_service.execute(caller.player, command, caller.as_player, named)

    async def revoke(self, caller: Principal, passkey: str) -> None:
        """Make a passkey of the caller worthless. Idempotent.

        Raises:
            Rejected: a code of ``club``.
        """
        named = self._account_service.name_keyless(caller.player, f"DELETE /v1/passkeys/{passkey}")
        command = RevokePasskey(passkey=passkey, under=caller.token)
        await self._account_service.execute(caller.player, command, caller.as_player, named)

    async def begin_sign_in(self, key: str) -> PasskeyChallenge:
        """What an authenticator needs to sign somebody in, whoever it is.

        Raises:
            Refused: passkeys-unavailable.
            LogUnavailable: the store does not answer, or has no room.
        """
        site = self._site
        challenge = await self._give(SIGN_IN, key, UsePasskey(passkey="", token="", counter=0))
        return PasskeyChallenge(
            challenge=text_of(challenge.value),
            domain=site.domain,
            expires_at=challenge.until,
        )

    async def sign_in(self, proof: PasskeySignIn, key: str) -> SignedIn:
        """Sign in with a passkey; idempotent for the same proof and key.

        Raises:
            Rejected: unknown-passkey, passkey-revoked, passkey-counter-behind.
            Refused: as ``make``.
            KeyReused: the key was used with another proof.
        """
        data = await self._challenged(proof.client_data, SIGN_IN)
        player, name, public_key = await self._key_of(proof)
        counter = check_used(
            data, proof.authenticator_data, proof.signature, public_key, self._site
        )
        content = b"POST /v1/sign-ins/passkey\n" + encode_sorted(proof)
        named = self._sign_ins.name_sign_in(player, key, content)
        await self._challenges.use(data.challenge, named.command_id)
        return await self._sign_ins.sign_in(
            player,
            key,
            content,
            lambda token, digest: UsePasskey(
                passkey=name, token=token, counter=counter, token_hash=digest
            ),
        )

    @property
    def _site(self) -> PasskeySite:
        if self._known_site is None:
            raise Refused("passkeys-unavailable", "this service has no address for passkeys")
        return self._known_site

    async def _give(self, purpose: str, key: str, command: Command) -> Challenge:
        """A challenge for a command that the store has room for."""
        refusal = self._refusal(command)
        if refusal is not None:
            raise refusal
        return await self._challenges.give(purpose, key)

    async def _challenged(self, client_data: str, purpose: str) -> ClientData:
        """What a browser says, of a page of ours that was given a challenge for this purpose."""
        site, data = self._site, read_client_data(client_data)
        require_page(data, site)
        await self._challenges.require(data.challenge, purpose)
        return data

    async def _key_of(self, proof: PasskeySignIn) -> tuple[str, str, str]:
        """The player whom a passkey is of, its id, and the key that must have signed.

        Raises:
            Rejected: unknown-passkey, passkey-revoked.
        """
        name = passkey_id(proof.credential)
        player = player_of(proof.user)
        if player is None or not self._account_service.has_place(player):
            raise _unknown()
        try:
            account = await self._account_service.account(player)
        except Refused:
            raise _unknown() from None
        known = account.passkeys.get(name)
        if known is None or known.credential != proof.credential or known.public_key is None:
            raise _unknown()
        require_live(account, name)
        return player, name, known.public_key


def player_of(user: str) -> str | None:
    """The player whom a user handle in base64url means; None if it means nobody."""
    try:
        player = bytes_of(user).decode("ascii")
    except ValueError:
        return None
    return player if _PLAYER.fullmatch(player) else None


def _unknown() -> Rejected:
    return Rejected(AccountCode.UNKNOWN_PASSKEY, "no account knows this passkey")
