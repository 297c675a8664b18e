"""What a mutant has to get past."""

from __future__ import annotations

from msgspec import Struct


class Test(Struct, frozen=True):
    """A test of the baseline, and the processor time it took while it was followed."""

    __test__ = False

    name: str
    seconds: float

    @property
    def retry_policy(self) -> float:
        """Processor seconds after which it hangs: far more than it needs."""
        return 2 + 10 * self.seconds
