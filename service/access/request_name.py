"""What the log calls a request, so that it is carried out once, however often it is sent."""

from __future__ import annotations

from msgspec import Struct

from events.keys import KeyRing


class RequestName(Struct, frozen=True):
    """The id of a request's command, and the digest of its content.

    A second request of the same id is a repetition if its digest is the same, else an error.
    """

    command_id: str
    digest: str

    @classmethod
    def of(cls, keys: KeyRing, principal: str, key: str, content: bytes) -> RequestName:
        """The name of a request: who has sent it, what they call it, and what makes it."""
        return cls(keys.command_id(principal, key), keys.digest(content))
