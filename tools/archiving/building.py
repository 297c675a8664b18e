"""Making an archive of rules: the same source gives the same bytes."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from games.contract import Rules
from games.table.decider import TABLE_RULES
from replay.archives import MANIFEST, Listed, Manifest
from tools.archiving.closure import ENTRY, closure
from tools.archiving.stripping import stripped

MOST_BYTES: Final = 250_000
"""An archive is at most so large: the wheel holds all of them, for ever. Each game takes 100 kB."""

_MAIN: Final = f"""\
import sys
from {ENTRY} import main
main(sys.stdin.buffer, sys.stdout.buffer)
"""
_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can say."""

_LEVEL: Final = 9
_NAME_DIGITS: Final = 16


class BuildError(Exception):
    """The archive would not be as it must be."""


class Built(Struct, frozen=True):
    """An archive, and how the list will name it."""

    content: bytes
    listed: Listed


def build(root: Path, version: str, games: Mapping[str, Rules]) -> Built:
    """An archive of the rules in a folder of packages.

    Args:
        root: the folder; what is in it and ``games`` are the same code.
        version: that of the build.
        games: the rules of the games by id, for their tags.

    Raises:
        BuildError: it is too large.
        ClosureError: the rules import what an archive must not hold.
        StrippingError: a module cannot be stripped.
    """
    files = {"__main__.py": _MAIN.encode()}
    for path in closure(root).values():
        source = stripped(path.read_text(encoding="utf-8"))
        files[path.relative_to(root).as_posix()] = source.encode()
    manifest = Manifest(
        version=version,
        table=TABLE_RULES,
        games={id_: dict(sorted(game.tags.items())) for id_, game in sorted(games.items())},
        contents=_digest(files.items()),
    )
    files[MANIFEST] = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"
    content = zipped(files)
    if len(content) > MOST_BYTES:
        raise BuildError(f"the archive has {len(content)} bytes, over {MOST_BYTES}")
    name = f"rules-{manifest.contents[:_NAME_DIGITS]}.pyz"
    digest = hashlib.sha256(content).hexdigest()
    return Built(content, Listed(file=name, sha256=digest, manifest=manifest))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip file of these files: in the order of their names, of one time, for everybody to read.

    Deflated at level 9. Another zlib may deflate to other bytes, so what a build is compared by is
    the digest of its contents, which no zlib has touched.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, _TIME)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            info.create_system = 3  # Unix, wherever it is built
            archive.writestr(info, data, compresslevel=_LEVEL)
    return content.getvalue()


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    """The SHA-256 of files: of each its name, its length and its bytes, in order."""
    digest = hashlib.sha256()
    for name, data in sorted(files):
        digest.update(name.encode() + b"\x00" + len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
