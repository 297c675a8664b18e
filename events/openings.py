"""Which commitments of an entry a viewer may open, and by what (pure)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from events import seal
from events.envelope import Fields, Released
from events.kernel import Audience, Message, Seat, Viewer, may_read

_OF_SEAT: Final = (Audience.SEAT, Audience.KEPT)


class SecretPart(NamedTuple):
    """A message of an entry, ``event`` or ``command``, and its secret fields as stored."""

    name: str
    message: Message
    secret: Fields


class Opener:
    """Finds the openings of one entry for any number of viewers, deciphering it once at most.

    Args:
        version: the entry's.
        messages: its messages.
        is_today: whether they were written in today's shapes; of older ones only the stored fields
            tell what is secret.
        released: its parts whose kept fields are opened to everybody.
        parts: deciphers the entry; called for viewers who may open something, by the types alone.
        salt: the salt at a path; the second argument says whether the field there is kept.
    """

    def __init__(
        self,
        version: int,
        messages: Sequence[tuple[str, Message]],
        released: Released,
        parts: Callable[[], Sequence[SecretPart]],
        salt: Callable[[str, bool], bytes],
        *,
        is_today: bool,
    ) -> None:
        self._version = version
        self._released = released
        self._decipher = parts
        self._salt = salt
        self._parts: Sequence[SecretPart] | None = None
        self._seats: set[Seat] = set()
        self._teams: set[str] = set()
        self._is_for_all = not is_today
        for part, message in messages:
            self._is_for_all |= part in released and bool(message.withheld)
            for name in message.secrets:
                audience = message.audiences[name]
                if audience in _OF_SEAT:
                    self._seats.add(message.seat)  # type: ignore[attr-defined]  # ``read_audiences`` sees to it
                elif audience is Audience.TEAM:
                    self._teams.add(message.team)  # type: ignore[attr-defined]  # ditto

    def openings(self, viewer: Viewer) -> bytes | None:
        """What a viewer may open, as canonical JSON; None if nothing. See ``Codec.openings``.

        Raises:
            CodecError: the private part is malformed.
            SecretError: it cannot be read.
        """
        viewer = viewer.at(self._version)
        if viewer.kind == "public" or not self._may_open_some(viewer):
            return None  # as for all but one in most cases: nothing is deciphered for the others
        if self._parts is None:
            self._parts = self._decipher()
        opened: Fields = {}
        for part, message, secret in self._parts:
            for name, value in secret.items():
                is_kept = name in message.withheld
                if _may_open(message, name, viewer) or (is_kept and part in self._released):
                    path = f"{part}.{name}"
                    salt = seal.text_of(self._salt(path, is_kept))
                    opened[path] = {"salt": salt, "value": value}
        return seal.canonical_plain(opened) if opened else None

    def _may_open_some(self, viewer: Viewer) -> bool:
        """Whether a viewer may open anything, by the types alone; of older shapes, perhaps."""
        return (
            viewer.seat in self._seats
            or viewer.team in self._teams
            or viewer.kind == "full"
            or self._is_for_all
        )


def _may_open(message: Message, field: str, viewer: Viewer) -> bool:
    """``may_read``; a field that only an older shape had is visible in the full view alone."""
    if field not in message.audiences:
        return viewer.kind == "full"
    return may_read(message, field, viewer)
