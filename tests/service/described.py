"""The operations of the published document, as schemathesis tests them.

Importing it takes a second, and it works its cases out for another: that is for who runs these
tests, and not for every process that collects them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import schemathesis
from schemathesis.checks import load_all_checks
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Err, Ok
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.schemas import APIOperation

from tests import schemathesis_hooks
from tests.service.live import ROOT

# What the service serves is what is checked in: test_openapi holds that.
api = schemathesis.openapi.from_path(str(ROOT / "openapi/openapi.json"))

# Its cases are made before any service runs, so they cannot have a token: `make fuzz` has them.
api.config.phases.coverage.enabled = False

__all__ = ["KNOWN", "TOKEN", "Bearer", "FailureGroup", "api", "operations", "tested"]

KNOWN = schemathesis_hooks.KNOWN

TOKEN = ["none yet"]
"""Its last element is a token of the running service."""


@api.auth(refresh_interval=None)
class Bearer:
    """Gives every request the token, except those that are to fail without it."""

    def get(self, _: Any, __: Any) -> str:
        """The token."""
        return TOKEN[-1]

    def set(self, case: Any, token: str, _: Any) -> None:
        """Put it into a request, unless that request is about a header that is missing."""
        if not schemathesis_hooks.lacks_a_header(case):
            case.headers["authorization"] = f"Bearer {token}"


def operations() -> list[APIOperation[Any, Any, Any, Any]]:
    """All operations of the document, none of which schemathesis has anything against."""
    found = list(api.get_all_operations())
    assert [each for each in found if isinstance(each, Err)] == []
    return [each.ok() for each in found if isinstance(each, Ok)]


def tested(label: str, test: Callable[..., None]) -> Callable[..., None]:
    """``test`` with many a ``case`` of one operation, as ``api.parametrize`` would make it."""
    load_all_checks()
    (operation,) = (each for each in operations() if each.label == label)
    return build_operation_test(
        config=api.config,
        operation=operation,
        test_func=test,
        given_kwargs={},
        feedback=FeedbackSources(),
    )
