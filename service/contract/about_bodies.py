"""What the service answers about itself: its health, its links, its kinds of problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct


class Alive(Struct, frozen=True, kw_only=True):
    """The process is alive; ``version`` is that of the program."""

    version: str
    status: Literal["ok"] = "ok"


class ApiLinks(Struct, frozen=True, kw_only=True):
    """Links to everything else: first the documents of the API, then its collections."""

    openapi: str
    asyncapi: str
    problems: str
    rulebooks: str
    games: str
    stream: str


class ApiInfo(Struct, frozen=True, kw_only=True):
    """The service: the ``version`` of the program, and that of the ``api``."""

    service: str
    version: str
    api: str
    links: ApiLinks


class Ready(Struct, frozen=True, kw_only=True):
    """Whether the process can serve reads, with each check."""

    ready: bool
    checks: Mapping[str, bool]


class Writable(Struct, frozen=True, kw_only=True):
    """Whether the process can append, with each check."""

    writable: bool
    checks: Mapping[str, bool]


class ProblemKind(Struct, frozen=True, kw_only=True):
    """What a kind of problem means; ``titles`` by language."""

    type: str
    status: int
    title: str
    titles: Mapping[str, str]
    meaning: str


class ProblemKinds(Struct, frozen=True, kw_only=True):
    """Every kind of problem."""

    problems: tuple[ProblemKind, ...]
