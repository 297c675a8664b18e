"""A request's headers by name, parsed once per request."""

from __future__ import annotations

from typing import Any, Final

_KEPT_AS: Final = "parlour.headers"
_HEAD: Final = "parlour.head"


def headers_of(scope: Any) -> dict[bytes, bytes]:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
    """The headers by lower-case name; of several with the same name, the last.

    They are cached in ``scope``, whose own list shows those that occur more than once.
    """
    found: dict[bytes, bytes] | None = scope.get(_KEPT_AS)
    if found is None:
        found = scope[_KEPT_AS] = dict(scope["headers"])
    return found


def as_get(scope: Any) -> Any:  # noqa: ANN401 (as above)
    """The scope of a ``HEAD`` request as that of the corresponding ``GET``."""
    return {**scope, "method": "GET", _HEAD: True}


def is_head(scope: Any) -> bool:  # noqa: ANN401 (as above)
    """Whether the request is a ``HEAD``, of whose answer only the headers are read."""
    return _HEAD in scope
