"""What an operation needs and returns: read by authentication and by the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from msgspec import Struct

from club.account_events import Scope
from games.published import Refusable
from service.http.rate_limits import Budget

PLAYING: Final[tuple[Scope, ...]] = ("play", "bot")
HOSTING: Final[tuple[Scope, ...]] = ("play", "bot", "organise")
AUDITING: Final[tuple[Scope, ...]] = ("audit",)
DIRECTING: Final[tuple[Scope, ...]] = ("organise", "admin")

ANY: Final = ("invalid-parameter", "token-invalid", "rate-limited", "internal-error")
STORED: Final = ("store-unavailable", "stream-damaged")
NOT_RUNNING: Final = ("game-not-live", "game-over", "game-held", "table-paused")
WRITTEN: Final = ("store-full", "clock-skew", "ahead-of-time")
KEYED: Final = (
    "idempotency-key-missing",
    "idempotency-key-invalid",
    "idempotency-key-reused",
    "too-busy",
)
OWN_ACCOUNT: Final = (
    "scope-not-granted",
    "unknown-token",
    "token-revoked",
    "not-your-account",
    "player-not-found",
)
"""Of what a person does with their own account, by the token that asks."""

BODY: Final = ("malformed-body", "invalid-body", "body-too-large", "unsupported-media-type")

_SHORT: Final = (
    "It was accepted, but is not kept as the service promises yet: its events are told when it is. "
    "Read the game, or repeat the command with the same key."
)


Weight = Callable[[bytes], int]
"""Tells from the queries of a request, as they were sent, how many it is charged as."""


def _one(_queries: bytes) -> int:
    return 1


class Operation(Struct, frozen=True, kw_only=True):
    """The documentation of an operation beyond what Litestar finds in its signature.

    ``answer`` is the type of the body, None if it has none; ``media`` its media types; ``problems``
    the codes that it may return; ``keyed`` says that it takes an ``Idempotency-Key``, ``matched``
    that it honours ``If-Match``, ``tagged`` that it has an entity tag, ``resumed`` that its stream
    resumes after a ``Last-Event-ID``; ``other`` are further answers by status: a description, and
    the type of the body. Games may refuse what is ``refused`` for reasons of their own.
    """

    answer: Any
    status: int
    media: tuple[str, ...]
    problems: tuple[str, ...]
    scopes: tuple[Scope, ...] | None
    keyed: bool
    matched: bool
    tagged: bool
    resumed: bool = False
    headers: tuple[str, ...]
    other: Mapping[int, tuple[str, type]] = {}
    refused: Refusable | None = None

    def answers(self) -> list[type]:
        """The types of all its answer bodies."""
        own = [] if self.answer is None else [self.answer]
        return [*own, *(kind for _, kind in self.other.values())]


def operation(  # noqa: PLR0913 (a declaration: every argument is named)
    budget: Budget,
    answer: Any,  # noqa: ANN401 (a type, or None)
    *,
    scopes: tuple[Scope, ...] | None = None,
    status: int = 200,
    media: tuple[str, ...] = ("application/json",),
    problems: tuple[str, ...] = (),
    keyed: bool = False,
    body: bool = False,
    tagged: bool = False,
    resumed: bool = False,
    headers: tuple[str, ...] = (),
    refused: Refusable | None = None,
    weight: Weight = _one,
) -> dict[str, Any]:
    """The ``opt`` of a handler that needs authentication.

    ``weight``: how many requests of its budget a request is charged as.
    """
    codes = [*ANY, *STORED, *problems]
    if scopes is not None:
        codes += ["token-needed", "scope-missing", "origin-not-allowed"]
    if budget != "reads":
        codes += WRITTEN
    if keyed:
        codes += KEYED
    if keyed or body:
        codes += BODY
    if "game-not-found" in codes:
        codes.append("game-not-played")
    matched = "game-not-found" in codes and budget == "commands"
    if matched:
        codes.append("version-changed")
    other: dict[int, tuple[str, type]] = {}
    if "durability" in getattr(answer, "__struct_fields__", ()):
        other[HTTPStatus.ACCEPTED.value] = (_SHORT, answer)
    described = Operation(
        answer=answer,
        status=status,
        other=other,
        media=media,
        problems=tuple(dict.fromkeys(codes)),
        scopes=scopes,
        keyed=keyed,
        matched=matched,
        tagged=tagged,
        resumed=resumed,
        headers=headers,
        refused=refused,
    )
    result: dict[str, Any] = {"budget": budget, "weight": weight, "operation": described}
    if scopes is not None:
        result["scopes"] = scopes
    return result


def open_to_all(
    answer: Any,  # noqa: ANN401 (a type, or None)
    *,
    media: tuple[str, ...] = ("application/json",),
    problems: tuple[str, ...] = (),
    tagged: bool = False,
    other: Mapping[int, tuple[str, type]] | None = None,
) -> dict[str, Any]:
    """The ``opt`` of a handler without authentication: health, documents."""
    described = Operation(
        answer=answer,
        status=200,
        media=media,
        problems=(*problems, "internal-error"),
        scopes=None,
        keyed=False,
        matched=False,
        tagged=tagged,
        headers=(),
        other=other or {},
    )
    return {"open": True, "operation": described}
