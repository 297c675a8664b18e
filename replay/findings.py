"""What an audit finds: one finding for each check, by name."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

Status = Literal["ok", "FAILED", "not checked", "agrees", "differs", "not compared"]
"""How a check ends, or, with the last three, the comparison with a heads file."""

FORM: Final = "form"
CHAIN: Final = "chain"
SIGNATURE: Final = "signature"
COMMITMENTS: Final = "commitments"
SEED: Final = "seed"
DRAWS: Final = "draws"
FOLD: Final = "fold"
JUDGEMENT: Final = "re-adjudication"


class Finding(Struct, frozen=True):
    """The outcome of one check.

    ``detail`` says what was checked, or what is wrong; ``version`` is the event that it is about,
    0 for none in particular; ``part`` is the header or the seal, if it is about one of these.
    """

    name: str
    status: Status
    detail: str
    version: int = 0
    part: str = ""


def ok(name: str, detail: str) -> Finding:
    """The check holds."""
    return Finding(name, "ok", detail)


def failed(name: str, detail: str, version: int = 0, part: str = "") -> Finding:
    """The check does not hold."""
    return Finding(name, "FAILED", detail, version, part)


def not_checked(name: str, why: str) -> Finding:
    """The check could not be made."""
    return Finding(name, "not checked", why)
