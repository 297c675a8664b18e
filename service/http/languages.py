"""Answers in the reader's language: content negotiation, and what the answer says about it.

RFC 9110 §12.5.4; a range as ``fr-CA`` also finds ``fr`` (the lookup of RFC 4647 §3.4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from litestar.params import QueryParameter

from games.words import LANGUAGES
from service.replies import PUBLIC, Fixed, Reply, checked
from service.requests import StrictRequest

Lang = Annotated[
    str | None,
    QueryParameter(
        enum=LANGUAGES,
        pattern=rf"^({'|'.join(LANGUAGES)})\Z",
        description="The language of the texts; it goes before `Accept-Language`.",
    ),
]
"""The language that a request asks for by its address."""

_RANGE: Final = re.compile(
    r"(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)"  # a language range
    r"(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?",  # its quality
    re.IGNORECASE,
)
_EXACT, _WIDER, _ANY = 2, 1, 0


class Wish(NamedTuple):
    """A language range as a header has it: its quality in thousandths, its place in the list."""

    language: str
    quality: int
    place: int

    def fit(self, language: str) -> int | None:
        """How exactly it means a language; None if it does not."""
        if self.language == language:
            return _EXACT
        if self.language.startswith(f"{language}-"):
            return _WIDER
        return _ANY if self.language == "*" else None


def wishes(header: str) -> list[Wish]:
    """The ranges of an ``Accept-Language`` header; what is malformed wishes nothing."""
    found = []
    for place, part in enumerate(header.split(",")):
        given = _RANGE.fullmatch(part.strip(" \t"))
        if given is not None:
            quality = round(1000 * float(given[2] or "1"))
            found.append(Wish(given[1].lower(), quality, place))
    return found


def negotiate(header: str | None, offered: Sequence[str] = LANGUAGES) -> str:
    """The best of the ``offered`` languages for an ``Accept-Language`` header.

    For each language its most exact range counts, and the best of equally exact ones. The highest
    quality wins, then whichever stands first in the header. Where nothing fits, the answer is in
    the first language that the header does not rule out: a text in some language is better than
    none.
    """
    asked = wishes(header or "")
    best: list[tuple[int, int, int, str]] = []
    refused = set()
    for order, language in enumerate(offered):
        fits = [(f, w) for w in asked if (f := w.fit(language)) is not None]
        if not fits:
            continue
        exact = max(f for f, _ in fits)
        _, quality, place = max(
            (w for f, w in fits if f == exact), key=lambda w: (w.quality, -w.place)
        )
        if quality:
            best.append((-quality, place, order, language))
        else:
            refused.add(language)
    if best:
        return min(best)[-1]
    return next((each for each in offered if each not in refused), offered[0])


class Translated(NamedTuple):
    """A body that never changes, in every language."""

    bodies: Mapping[str, Fixed]

    def reply(self, request: StrictRequest, lang: str | None) -> Reply:
        """The answer in the language wished for, or that the client has it."""
        language = lang or negotiate(request.header(b"accept-language"))
        fixed = self.bodies[language]
        headers = (
            *PUBLIC,
            (b"content-language", language.encode()),
            (b"vary", b"accept-language"),
        )
        return checked(request, fixed.body, fixed.etag, headers)
