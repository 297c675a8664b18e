"""The program's version, defined here and nowhere else."""

from typing import Final

VERSION: Final = "0.2.0.dev0"
"""PEP 440. The wheel, ``parlour --version``, ``/v1``, ``/health/live`` and OpenAPI show it."""
