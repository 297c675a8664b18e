"""Programs of ours, forked from a process that has also made what all apps of a run share."""

from __future__ import annotations

from typing import ClassVar

from simulator import prefork


class Prefork(prefork.Prefork):
    """As there; a run of the tests starts about a hundred of them."""

    prepared_by: ClassVar[tuple[str, ...]] = ("simulator.app_parts",)
