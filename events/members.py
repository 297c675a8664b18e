"""Duplicate members in JSON texts (pure).

RFC 8259 §4 leaves open which of them counts, and readers differ: one may check the first and
another act by the last. I-JSON (RFC 7493 §2.3) forbids it, and so do we.
"""

from __future__ import annotations

from collections.abc import Iterator
from json import JSONDecoder
from typing import Any, Final

_NAME_MAX: Final = 40
_LEAST: Final = 2
"""An object with a duplicate member has at least this many colons."""


class _Repeated(Exception):
    """Some object has a duplicate member."""


class _Object(list[tuple[str, Any]]):
    """An object's members as written."""


def _look(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise _Repeated


def _nothing(_: str) -> None:
    """Numbers do not matter here, and huge ones would be refused."""


_SCAN: Final = JSONDecoder(
    object_pairs_hook=_look, parse_int=_nothing, parse_float=_nothing, strict=False
).decode
_READ: Final = JSONDecoder(
    object_pairs_hook=_Object, parse_int=_nothing, parse_float=_nothing, strict=False
).decode


def repeated_member(content: bytes) -> str | None:
    r"""The path of a duplicate member, as ``$.time.limits_s.decision``; None if there is none.

    Names are compared after decoding, so ``"a"`` and ``"\u0061"`` are the same.

    Args:
        content: one JSON value in UTF-8.

    Raises:
        ValueError: it is not.
        RecursionError: it is nested too deeply.
    """
    if content.count(b":") < _LEAST:
        return None
    text = content.decode()
    try:
        _SCAN(text)
    except _Repeated:
        return next(_places(_READ(text), "$"))
    return None


def _places(value: object, at: str) -> Iterator[str]:
    if isinstance(value, _Object):
        met = set()
        for name, each in value:
            here = f"{at}.{name[:_NAME_MAX]}"
            if name in met:
                yield here
            met.add(name)
            yield from _places(each, here)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _places(each, f"{at}[{number}]")
