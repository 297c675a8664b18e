"""Generated requests, fitting and not fitting, against a live service."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

from runtime.embedded.store import Store
from simulator.fuzz_api import FuzzedService
from tests.homes import passing_home
from tests.service.live import ROOT, live
from tests.service.stage import OPERATOR_TOKEN

EXAMPLES = 3
"""For each operation; ``make fuzz`` takes its time."""

pytestmark = pytest.mark.slow

DOCUMENT = json.loads((ROOT / "openapi/openapi.json").read_bytes())
LABELS = [
    f"{method.upper()} {path}"
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if method in {"get", "put", "post", "delete", "patch"}
]


@pytest.fixture(scope="module")
def described() -> ModuleType:
    """What is loaded when it is needed."""
    return importlib.import_module("tests.service.described")


@pytest.fixture(scope="module")
def url(described: ModuleType) -> Iterator[str]:
    """A service with a few games, on a store of its own."""
    try:
        with (
            passing_home() as home,
            Store(home / "store", "appendfsync no") as store,
            live(store.url, wait_limit_s=0, stream_limit_s=1) as found,
        ):
            world = FuzzedService(found.url, OPERATOR_TOKEN)
            described.KNOWN.update(world.known)
            described.TOKEN.append(world.token)
            yield found.url
    finally:
        described.KNOWN.clear()


def test_each_operation_has_its_own_problems_and_links_have_bodies(
    described: ModuleType,
) -> None:
    """Without this the document would let an operation answer with anybody's problem."""
    paths = described.api.raw_schema["paths"]
    links = paths["/v1/games/{game}/decisions"]["get"]["responses"]["200"]["links"]
    assert links["Choose"]["requestBody"]
    missing = paths["/v1/players/{player}"]["get"]["responses"]["404"]
    schema = missing["content"]["application/problem+json"]["schema"]
    types = schema["allOf"][1]["properties"]["type"]["enum"]
    assert types == ["/problems/not-found", "/problems/player-not-found"]


@pytest.mark.parametrize("label", LABELS)
def test_every_operation_answers_as_documented(label: str, described: ModuleType, url: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, database=None)
    def answers(case: Any) -> None:
        case.call_and_validate(base_url=url)

    described.tested(label, answers)()


def test_all_operations_are_asked(described: ModuleType) -> None:
    assert [operation.label for operation in described.operations()] == LABELS


def test_an_answer_that_is_not_documented_is_found(described: ModuleType, url: str) -> None:
    @settings(max_examples=1, deadline=None, database=None)
    def answers(case: Any) -> None:
        case.call_and_validate(base_url=f"{url}/elsewhere")

    with pytest.raises(described.FailureGroup):
        described.tested("GET /v1/rulebooks", answers)()
