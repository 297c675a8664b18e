"""Writes the published documents from the code, or checks that they are what the code says.

``python -m ops.openapi --write`` writes the OpenAPI document, the AsyncAPI document of the streams,
the JSON Schemas of events and records, and ``docs/problems.md``; ``--check`` exits with 1 and names
the files that differ.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from projections.settings import Secret, Settings
from service.app import create_service
from service.asyncapi import async_document
from service.openapi import document
from service.problems import describe
from service.schemas import event_document
from service.wire import encode_sorted

ROOT: Final = Path(__file__).resolve().parent.parent


def documents() -> Mapping[str, bytes]:
    """The content of every published document by its path in the repository."""
    no_secret = Secret(bytes(32))
    settings = Settings(
        store_url="unix:///nowhere",
        rq_url="unix:///nowhere",
        keys={"none": no_secret},
        current_key="none",
        naming_key="none",
    )
    return {
        "openapi/openapi.json": _pretty(document(create_service(settings).app)),
        "openapi/asyncapi.json": _pretty(async_document()),
        "openapi/events.schema.json": _pretty(event_document()),
        "docs/problems.md": describe().encode(),
    }


def differing(root: Path) -> list[str]:
    """The documents that are not what the code says."""
    return [
        name
        for name, content in documents().items()
        if not (root / name).is_file() or (root / name).read_bytes() != content
    ]


def write(root: Path) -> None:
    """Write all documents."""
    for name, content in documents().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m ops.openapi", description=__doc__)
    wish = parser.add_mutually_exclusive_group(required=True)
    wish.add_argument("--write", action="store_true", help="write the documents")
    wish.add_argument("--check", action="store_true", help="fail if they differ")
    if parser.parse_args(arguments).write:
        write(root)
        return 0
    names = differing(root)
    for name in names:
        print(f"{name} is not what the code says: make openapi", file=sys.stderr)
    return 1 if names else 0


def _pretty(value: object) -> bytes:
    """JSON with sorted keys, one value a line, so that a change is a small diff."""
    return msgspec.json.format(encode_sorted(value), indent=2) + b"\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
