"""A request's headers by name, read once for all who look something up in them."""

from __future__ import annotations

from typing import Any, Final

_KEPT_AS: Final = "parlour.headers"
_HEAD: Final = "parlour.head"


def headers_of(scope: Any) -> dict[bytes, bytes]:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
    """The headers by their names in small letters; of several with one name, the last.

    They are kept in ``scope``, whose own list tells of those that came more than once.
    """
    found: dict[bytes, bytes] | None = scope.get(_KEPT_AS)
    if found is None:
        found = scope[_KEPT_AS] = dict(scope["headers"])
    return found


def as_get(scope: Any) -> Any:  # noqa: ANN401 (as above)
    """The scope of a ``HEAD`` request as that of the ``GET`` whose headers it asks for."""
    return {**scope, "method": "GET", _HEAD: True}


def is_head(scope: Any) -> bool:  # noqa: ANN401 (as above)
    """Whether nobody reads more of the answer than its headers."""
    return _HEAD in scope
