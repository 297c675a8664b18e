"""The questions put to rules that judge a game again, and their answers (pure).

Archived rules are asked in this form for ever: ``parlour-rules/1``, a line of JSON for each case
and a line for each verdict, bytes in base64. A new question takes a new format.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from events.envelope import Stored
from events.kernel import TimestampMs, Version

FORMAT: Final = "parlour-rules/1"


class Try(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command to be tried, which changes nothing.

    It is given after the event ``after``, at the time ``at``, by ``by`` (``<kind>:<id>``);
    ``command`` holds all its fields and its type.
    """

    after: Version
    at: TimestampMs
    by: str
    command: dict[str, Any]


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game of which the commands that some rules judged are to be judged again.

    ``rules`` is what the batches in question record of their rules; ``salt_key`` the key that all
    salts follow from, if it is known. ``entries`` are all events from the first on, each as
    (version, public part, private part in the clear); those that other rules made are folded, no
    more. With ``offers`` it is told what could be chosen before each of the commands.
    """

    format: Literal["parlour-rules/1"] = FORMAT
    stream: str
    game: str
    rulebook: str
    rules: str
    salt_key: bytes | None
    entries: tuple[tuple[Version, bytes, bytes | None], ...]
    offers: bool = False
    tries: tuple[Try, ...] = ()

    def stored(self) -> list[Stored]:
        """The entries as a codec reads them."""
        return [Stored(version, public, private) for version, public, private in self.entries]


class Wrong(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wrong with an event, or with the command that made it."""

    version: Version
    why: str


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What rules say of the commands that they judged.

    ``judged`` commands were judged again and ``drawn`` draws made again. ``judgement`` and
    ``draws`` are the first that came out otherwise than recorded, ``stuck`` is the event of other
    rules behind which nothing can be judged. ``offers`` has a digest of all that any seat could
    choose before each command, ``answers`` one text for each try: why it is refused, or nothing.
    """

    format: Literal["parlour-rules/1"]
    judged: int
    drawn: int
    judgement: Wrong | None = None
    draws: Wrong | None = None
    stuck: Wrong | None = None
    offers: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


encode_line: Final = msgspec.json.Encoder(order="sorted").encode
"""A case or a verdict as a line, without its end."""

read_case: Final = msgspec.json.Decoder(Case).decode
"""The case that a line holds. Raises ValueError: it holds none."""

read_verdict: Final = msgspec.json.Decoder(Verdict).decode
"""The verdict that a line holds. Raises ValueError: it holds none."""
