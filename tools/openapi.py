"""Writes the published documents from the code, or checks that they are what the code says.

``python -m tools.openapi --write`` writes the OpenAPI document, the AsyncAPI document of the
streams, the JSON Schemas of events and records, ``docs/problems.md``, and the types by which a
compiler reads the page; ``--check`` exits with 1 and names the files that differ.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from runtime.settings import Secret, Settings
from service.app import create_service
from service.contract.asyncapi import async_document
from service.contract.bodies import encode_sorted
from service.contract.openapi import document
from service.contract.schemas import event_document
from service.http.problems import describe
from tools.documents import Documents, task_parser, write_or_check
from tools.page_types import declarations

ROOT: Final = Path(__file__).resolve().parent.parent


def documents() -> Documents:
    """The content of every published document by its path in the repository."""
    no_secret = Secret(bytes(32))
    settings = Settings(
        store_url="unix:///nowhere",
        rq_url="unix:///nowhere",
        keys={"none": no_secret},
        current_key="none",
        naming_key="none",
    )
    published = document(create_service(settings).app)
    return {
        "openapi/openapi.json": _pretty(published),
        "openapi/asyncapi.json": _pretty(async_document()),
        "openapi/events.schema.json": _pretty(event_document()),
        "docs/problems.md": describe().encode(),
        "tests/page/told.d.ts": declarations(json.loads(encode_sorted(published))).encode(),
    }


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """The command line."""
    parser = task_parser("tools.openapi", __doc__)
    return write_or_check(parser, arguments, documents, root, "make openapi")


def _pretty(value: object) -> bytes:
    """JSON with sorted keys, one value a line, so that a change is a small diff."""
    return msgspec.json.format(encode_sorted(value), indent=2) + b"\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
