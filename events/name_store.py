"""The only place where names can be read: the openings of their seals, by account, erasable.

They lie beside the account's stream, in its slot, and are part of no log. The opening is stored
before the event is appended, so an event never lacks its opening; an opening whose event was then
refused is reused when the same name is sealed again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.clients import Client
from events.layout import Layout
from events.names import DELETED, SALT_BYTES, NameOpening, new_opening, opens, seal_of
from events.scripts import Caller, LogError, LogUnavailable, Word, load_script

NAMES_MAX: Final = 256
"""The most names kept for an account, its tokens' labels included; each text counts once."""

_READ = load_script(__package__, "names_kept.lua")
_KEEP = load_script(__package__, "keep_name.lua")
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(NameOpening).decode


class DeletedAccountError(LogError):
    """The account has been deleted: its names are no longer kept."""


class TooManyNames(LogError):
    """The account already has ``NAMES_MAX`` names."""


class KeptNames(Struct, frozen=True):
    """An account's names by their seals. ``deleted``: none of them may be shown."""

    deleted: bool
    openings: Mapping[str, NameOpening]


class NameStore:
    """Keeps the names of accounts.

    Args:
        client: the store; must not decode answers.
        layout: names the keys.
        new_salt: returns 16 random bytes.
    """

    def __init__(
        self,
        client: Client,
        layout: Layout,
        new_salt: Callable[[], bytes] = lambda: os.urandom(SALT_BYTES),
    ) -> None:
        self._caller = Caller(client)
        self._layout = layout
        self._new_salt = new_salt

    async def read(self, account: str) -> KeptNames:
        """All names of an account.

        Raises:
            BadStreamIdError: not an account's id.
            LogUnavailable: the store does not answer.
        """
        keys = self._layout.stream(account)
        status, found = await self._caller.call(_READ, [keys.head, keys.names], [])
        pairs = zip(found[::2], found[1::2], strict=True)
        return KeptNames(
            bytes(status).decode() == DELETED, {seal.decode(): _decode(o) for seal, o in pairs}
        )

    async def keep(self, account: str, name: str, refusal: Exception | None = None) -> str:
        """Keep a name's opening and return its seal.

        Args:
            account: whose name it is.
            name: the name; a name that is already kept keeps its seal.
            refusal: raised if the name is new, as for want of room; None: new names are fine.

        Raises:
            Exception: ``refusal``.
            DeletedAccountError: the account no longer exists.
            TooManyNames: the limit is reached.
            LogUnavailable: the store does not answer.
        """
        kept = await self.read(account)
        for seal, opening in kept.openings.items():
            if opening.name == name and not kept.deleted and opens(opening, seal):
                return seal
        if refusal is not None and not kept.deleted:
            raise refusal
        opening = new_opening(name, self._new_salt())
        seal = seal_of(opening)
        await self.put(account, seal, opening)
        return seal

    async def put(self, account: str, seal: str, opening: NameOpening) -> None:
        """Put an opening under a seal, whether or not it opens it.

        What a player was called before is put out by putting the present name in its place.

        Raises:
            DeletedAccountError: the account no longer exists.
            TooManyNames: the limit is reached.
            LogUnavailable: the store does not answer.
        """
        keys = self._layout.stream(account)
        args: list[Word] = [DELETED, seal, _encode(opening), NAMES_MAX]
        answer: Any = await self._caller.call(_KEEP, [keys.head, keys.names], args)
        match answer:
            case b"kept":
                return
            case b"deleted":
                raise DeletedAccountError(f"{account} has been deleted")
            case b"full":
                raise TooManyNames(f"{NAMES_MAX} names of {account} are kept")
        raise LogUnavailable(f"an answer that the script does not give: {answer!r}")

    async def erase(self, account: str) -> None:
        """Erase all names and mark the account deleted. Idempotent.

        Raises:
            LogUnavailable: the store does not answer.
        """
        await self._caller.command("DEL", self._layout.stream(account).names)
