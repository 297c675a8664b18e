"""Answers in the reader's language: content negotiation and its headers.

RFC 9110 §12.5.4; a range such as ``fr-CA`` also matches ``fr`` (lookup, RFC 4647 §3.4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from litestar.params import QueryParameter

from games.words import LANGUAGES
from service.http.replies import PUBLIC, Fixed, Reply, checked
from service.http.requests import StrictRequest

Lang = Annotated[
    str | None,
    QueryParameter(
        enum=LANGUAGES,
        pattern=rf"^({'|'.join(LANGUAGES)})\Z",
        description="The language of the texts; takes precedence over `Accept-Language`.",
    ),
]
"""The language requested by a query parameter."""

_RANGE: Final = re.compile(
    r"(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)"  # a language range
    r"(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?",  # its quality
    re.IGNORECASE,
)
_EXACT, _WIDER, _ANY = 2, 1, 0


class LanguageRange(NamedTuple):
    """A language range of the header: its quality in thousandths, its position in the list."""

    language: str
    quality: int
    position: int

    def fit(self, language: str) -> int | None:
        """How specifically it matches a language; None if it does not."""
        if self.language == language:
            return _EXACT
        if self.language.startswith(f"{language}-"):
            return _WIDER
        return _ANY if self.language == "*" else None


def language_ranges(header: str) -> list[LanguageRange]:
    """The ranges of an ``Accept-Language`` header; malformed parts are ignored."""
    found = []
    for position, part in enumerate(header.split(",")):
        given = _RANGE.fullmatch(part.strip(" \t"))
        if given is not None:
            quality = round(1000 * float(given[2] or "1"))
            found.append(LanguageRange(given[1].lower(), quality, position))
    return found


def negotiate(header: str | None, offered: Sequence[str] = LANGUAGES) -> str:
    """The best of the ``offered`` languages for an ``Accept-Language`` header.

    For each language its most specific range counts, and the best of equally specific ones. The
    highest quality wins, then the first in the header. If nothing matches, the answer is in the
    first language that the header does not rule out: a text in some language is better than none.
    """
    asked = language_ranges(header or "")
    best: list[tuple[int, int, int, str]] = []
    refused = set()
    for order, language in enumerate(offered):
        fits = [(f, w) for w in asked if (f := w.fit(language)) is not None]
        if not fits:
            continue
        exact = max(f for f, _ in fits)
        _, quality, position = max(
            (w for f, w in fits if f == exact), key=lambda w: (w.quality, -w.position)
        )
        if quality:
            best.append((-quality, position, order, language))
        else:
            refused.add(language)
    if best:
        return min(best)[-1]
    return next((each for each in offered if each not in refused), offered[0])


class Translated(NamedTuple):
    """A body that never changes, in every language."""

    bodies: Mapping[str, Fixed]

    def reply(self, request: StrictRequest, lang: str | None) -> Reply:
        """The answer in the requested language, or 304 if the client has it."""
        language = lang or negotiate(request.header(b"accept-language"))
        fixed = self.bodies[language]
        headers = (
            *PUBLIC,
            (b"content-language", language.encode()),
            (b"vary", b"accept-language"),
        )
        return checked(request, fixed.body, fixed.etag, headers)
