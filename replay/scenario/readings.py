"""Reading ids by their forms (``games.scenarios.Formed``)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Final

_PLACE: Final = re.compile(r"\{([^}]+)\}")
_SEVERAL: Final = ("-", ".")
"""What stands behind a term whose words are joined by it."""

_WORD: Final = "[^:+.-]*"


@cache
def pattern_of(form: str, joined: frozenset[str]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """What matches the ids of a form, with a group for each word; and the terms of these words.

    ``joined`` are the terms whose words have a colon inside. A term that is followed by ``-`` or
    ``.`` in its braces stands for one word or several, joined by it.
    """
    terms = tuple(_PLACE.findall(form))
    literals = iter(_PLACE.split(form)[::2])
    groups = (_group(term, joined) for term in terms)
    text = re.escape(next(literals))
    for group, literal in zip(groups, literals, strict=True):
        text += group + re.escape(literal)
    return re.compile(text), terms


def _group(term: str, joined: frozenset[str]) -> str:
    if term.endswith(_SEVERAL):
        return f"({_WORD}(?:{re.escape(term[-1])}{_WORD})*)"
    return f"({_WORD}:{_WORD})" if term in joined else f"({_WORD})"


def readings(form: str, text: str, joined: frozenset[str]) -> list[tuple[str, str]] | None:
    """The words of an id with the term of each, if it has this form."""
    pattern, terms = pattern_of(form, joined)
    found = pattern.fullmatch(text)
    if found is None:
        return None
    read: list[tuple[str, str]] = []
    for term, group in zip(terms, found.groups(), strict=True):
        words = group.split(term[-1]) if term.endswith(_SEVERAL) else [group]
        read += [(_named(term), word) for word in words]
    return read


def _named(term: str) -> str:
    """A term without what joins its words."""
    return term[:-1] if term.endswith(_SEVERAL) else term


def literals(options: Iterable[Collection[str]]) -> Iterator[str]:
    """Every word that ids of options say as it is: ``lose``, ``move``, ``hack_robot`` ..."""
    forms = chain.from_iterable(options)
    for part in chain.from_iterable(re.split(r"[:+.-]", _PLACE.sub("", form)) for form in forms):
        if part:
            yield part


def terms_of(options: Iterable[Collection[str]]) -> set[str]:
    """Every term whose words are part of some option's id."""
    every = (term for form in chain.from_iterable(options) for term in _PLACE.findall(form))
    return set(map(_named, every))
