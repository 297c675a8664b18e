"""Generated requests, fitting and not fitting, against a live service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import settings

from ops.fuzz_api import World
from ops.store import Store
from tests import schemathesis_hooks
from tests.homes import passing_home
from tests.service.live import ROOT, live
from tests.service.stage import OPERATOR_TOKEN

EXAMPLES = 8
"""For each operation; ``make fuzz`` takes its time."""

pytestmark = pytest.mark.slow

# What the service serves is what is checked in: test_openapi holds that.
api = schemathesis.openapi.from_path(str(ROOT / "openapi/openapi.json"))

# Its cases are made before any service runs, so they cannot have a token: `make fuzz` has them.
api.config.phases.coverage.enabled = False

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


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A service with a few games, on a store of its own."""
    try:
        with (
            passing_home() as home,
            Store(home / "store", "appendfsync no") as store,
            live(store.url, wait_limit_s=0, stream_limit_s=1) as found,
        ):
            world = World(found.url, OPERATOR_TOKEN)
            schemathesis_hooks.KNOWN.update(world.known)
            TOKEN.append(world.token)
            yield found.url
    finally:
        schemathesis_hooks.KNOWN.clear()


def test_each_operation_has_its_own_problems_and_links_have_bodies() -> None:
    """Without this the document would let an operation answer with anybody's problem."""
    paths = api.raw_schema["paths"]
    links = paths["/v1/games/{game}/decisions"]["get"]["responses"]["200"]["links"]
    assert links["Choose"]["requestBody"]
    missing = paths["/v1/players/{player}"]["get"]["responses"]["404"]
    schema = missing["content"]["application/problem+json"]["schema"]
    types = schema["allOf"][1]["properties"]["type"]["enum"]
    assert types == ["/problems/not-found", "/problems/player-not-found"]


@api.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, database=None)
def test_every_operation_answers_as_documented(case: Any, url: str) -> None:
    case.call_and_validate(base_url=url)
