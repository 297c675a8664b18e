"""The stage of the table service, for the tests of projections too."""

from tests.runtime.conftest import stage

__all__ = ["stage"]
