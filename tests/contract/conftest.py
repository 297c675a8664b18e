"""A running service, its document as it is served, and answers of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from runtime.embedded.store import Store
from tests.contract.caller import Caller
from tests.contract.generating import GENERATORS, HERE, check_python, compile_typescript
from tests.contract.later import with_news
from tests.contract.narrowing import TYPES, narrowed
from tests.homes import passing_home
from tests.service.live import live

DOCUMENT = "openapi.json"

CHOOSE_AN_EVENT = ("parlour_client.models.logged_event", "parlour_client.models.receipt_event")
"""The modules that go through all types of events one by one: over the whole list of them mypy
takes a minute of a core. ``narrow`` has a list of a tenth, and there they are checked."""


class Folder(Struct, frozen=True):
    """A folder with a document, the programs, and what was generated from the one for the other."""

    path: Path

    @property
    def document(self) -> Any:
        """The document."""
        return json.loads((self.path / DOCUMENT).read_bytes())


def folder_with(path: Path, document: Any) -> Folder:
    """A new folder with a document and the programs of clients."""
    shutil.copytree(HERE / "programs", path)
    (path / DOCUMENT).write_text(json.dumps(document), encoding="utf-8")
    return Folder(path)


@pytest.fixture(scope="session")
def service() -> Iterator[str]:
    """The address of a service on a store of its own."""
    with (
        passing_home() as home,
        Store(home / "store", "appendfsync no") as store,
        live(store.url) as running,
    ):
        yield running.url


@pytest.fixture(scope="session")
def caller(service: str) -> Iterator[Caller]:
    """Asks the service without any generated code."""
    with Caller(service) as made:
        yield made


def folder_of_all(path: Path, document: Any, *, unread: Sequence[str] = ()) -> Folder:
    """A folder in which all generators have read a document, and what they made was compiled.

    In ``unread`` modules the type-checker looks at what others see of them, and no further.
    """
    folder = folder_with(path, document)
    for generate in GENERATORS.values():
        generate(DOCUMENT, folder.path)
    check_python(folder.path, ".", unread=unread)
    compile_typescript(folder.path)
    return folder


@pytest.fixture(scope="session")
def generated(caller: Caller, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """What all generators make of the document as it is served, compiled."""
    return folder_of_all(
        tmp_path_factory.mktemp("clients") / "all", caller.document(), unread=CHOOSE_AN_EVENT
    )


@pytest.fixture(scope="session")
def answers(caller: Caller) -> list[tuple[str, Any]]:
    """Answers of the service, each with the name of its schema."""
    return list(caller.answers())


@pytest.fixture(scope="session")
def renewed(caller: Caller, answers: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The same answers as a later release may give them."""
    document = caller.document()
    return [(name, with_news(document, name, answer)) for name, answer in answers]


@pytest.fixture(scope="session")
def narrow(caller: Caller, answers: list[tuple[str, Any]]) -> Any:
    """The part of the document by which these answers can be read; faults are planted in it."""
    pages = [answer for name, answer in answers if name == "EventPage"]
    types = {line["event"]["type"] for page in pages for line in page["events"]}
    return narrowed(caller.document(), types | set(TYPES))
