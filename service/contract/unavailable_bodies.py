"""The body that says what a decision does not offer; see ``service.contract.bodies``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from events.kernel import Version


class UnavailableOption(Struct, frozen=True, kw_only=True):
    """Something that a decision might be expected to offer, and does not.

    ``meaning`` says what, in fields of options' meanings: it holds for all that has these. A
    ``code`` never changes its meaning; ``text`` is a sentence for the player.
    """

    meaning: Annotated[Mapping[str, Any], Meta(examples=[{"cell": "r1c2"}])]
    code: Annotated[str, Meta(examples=["no-corridor"])]
    text: Annotated[str, Meta(examples=["You cannot move here: no corridor leads there."])]


class UnavailableOptions(Struct, frozen=True, kw_only=True):
    """What an open decision of the caller does not offer, at ``version``, with the reasons."""

    game: Annotated[str, Meta(examples=["g00-01jdq3v5k8m2n4p6r7s9t0w1xy"])]
    version: Annotated[Version, Meta(examples=[57])]
    decision: Annotated[str, Meta(examples=["t3-12-move-target"])]
    unavailable: tuple[UnavailableOption, ...]


class UnavailableBelow(UnavailableOptions, frozen=True, kw_only=True):
    """The same of what a branch does not lead to: ``option`` is its id."""

    option: Annotated[str, Meta(examples=["trade"])]
