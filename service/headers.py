"""A request's headers by name, read once for all who look something up in them."""

from __future__ import annotations

from typing import Any, Final

_KEPT_AS: Final = "room25.headers"


def headers_of(scope: Any) -> dict[bytes, bytes]:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
    """The headers by their names in small letters; of several with one name, the last.

    They are kept in ``scope``, whose own list tells of those that came more than once.
    """
    found: dict[bytes, bytes] | None = scope.get(_KEPT_AS)
    if found is None:
        found = scope[_KEPT_AS] = dict(scope["headers"])
    return found


def has_doubles(scope: Any) -> bool:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
    """Whether some header came more than once."""
    return len(headers_of(scope)) < len(scope["headers"])
