r"""Regular expressions: as our own code matches them, and as JSON Schema writes them (pure).

In Python ``$`` also matches before a newline at the end of a text, so our patterns end in ``\Z``.
ECMA-262, whose patterns JSON Schema takes (2020-12, §6.3.3), knows no ``\Z``, and there ``$`` is
the end itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

END: Final = r"\Z"


def ecma(pattern: str) -> str:
    r"""One of our patterns as JSON Schema writes it: ``$`` for the ``\Z`` at its end."""
    return pattern.removesuffix(END) + "$" if pattern.endswith(END) else pattern


def published(schema: Any) -> Any:  # noqa: ANN401 (JSON)
    """A copy of a JSON Schema generated from our types, its patterns in ECMA-262's form."""
    if isinstance(schema, Mapping):
        return {name: _published(name, value) for name, value in schema.items()}
    return [published(each) for each in schema] if isinstance(schema, list | tuple) else schema


def _published(name: str, value: Any) -> Any:  # noqa: ANN401 (JSON)
    # A field that is called "pattern" has a schema there, not a text.
    return ecma(value) if name == "pattern" and isinstance(value, str) else published(value)
