"""The archived rules of releases: which there are, and what they answer.

Each build that changed a tag has an archive, ``games/archives/rules-<digest>.pyz``. A list beside
them has their digests and the tags that they judge. A record can select nothing else: the tags that
its batches name are compared with those of the list, and never become part of a path.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, Literal

import msgspec
from msgspec import Struct

from games.streams import recorded_tags
from replay.cases import FORMAT, Case, Verdict, encode_line, read_verdict
from replay.isolation import IsolationError, ProcessLimits, run_isolated

LIST: Final = "archives.json"
MANIFEST: Final = "manifest.json"

_USUAL: Final = ProcessLimits()


class ArchiveError(Exception):
    """Archived rules gave no verdict; the text, which follows their name, says why."""


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The manifest of an archive.

    ``version`` is that of the build; ``table`` the tag of the table's rules, ``games`` those of
    the rulebooks by game and rulebook; ``contents`` the digest of all its other files.
    """

    format: Literal["parlour-rules/1"] = FORMAT
    version: str
    table: str
    games: dict[str, dict[str, str]]
    contents: str

    def tags(self, game: str, rulebook: str) -> str | None:
        """What a batch judged by these rules records of them; None: they judge no such game."""
        return self.judges().get((game, rulebook))

    def judges(self) -> Mapping[tuple[str, str], str]:
        """``tags`` of every game and rulebook."""
        return recorded_tags(self.table, self.games)


class Listed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An archive that we ship: the name of its file, the SHA-256 of that, and its manifest."""

    file: str
    sha256: str
    manifest: Manifest


class ArchiveList(Struct, frozen=True, forbid_unknown_fields=True):
    """All archives that we ship, the oldest first."""

    archives: tuple[Listed, ...] = ()


class RulesArchive:
    """Archived rules.

    Args:
        listed: their entry in the list.
        folder: where their file is.
        limits: the resources they may use.
    """

    def __init__(self, listed: Listed, folder: Traversable, limits: ProcessLimits) -> None:
        self.listed = listed
        self._folder = folder
        self._limits = limits

    def content(self) -> bytes:
        """The file, which is what the list says.

        Raises:
            ArchiveError: it is another one, or there is none.
        """
        try:
            content = (self._folder / self.listed.file).read_bytes()
        except OSError as error:
            raise ArchiveError(f"their file cannot be read: {error.strerror}") from error
        if hashlib.sha256(content).hexdigest() != self.listed.sha256:
            raise ArchiveError("their file is not the one that was shipped: its digest differs")
        if manifest_of(content) != self.listed.manifest:
            raise ArchiveError("their manifest is not what the list says")
        return content

    def verdicts(self, cases: Sequence[Case]) -> list[Verdict]:
        """What they say of some cases, in their order.

        Raises:
            ArchiveError: they say nothing that can be understood, or are not what was shipped.
        """
        request = b"".join(encode_line(case) + b"\n" for case in cases)
        try:
            answer = run_isolated(self.content(), request, self._limits)
        except IsolationError as error:
            raise ArchiveError(str(error)) from error
        try:
            verdicts = [read_verdict(line) for line in answer.splitlines()]
        except ValueError as error:
            raise ArchiveError("what they answer is no verdict") from error
        if len(verdicts) != len(cases):
            raise ArchiveError(f"they answer {len(cases)} cases by {len(verdicts)} verdicts")
        return verdicts


class RulesArchives:
    """All archives in a folder that its list names.

    Args:
        folder: where the files and the list are.
        limits: the resources each may use.
    """

    def __init__(self, folder: Traversable, limits: ProcessLimits = _USUAL) -> None:
        self._folder = folder
        self._limits = limits

    def listed(self) -> tuple[Listed, ...]:
        """What the list names, the oldest first.

        Raises:
            ArchiveError: there is no list, or none that can be read.
        """
        try:
            content = (self._folder / LIST).read_bytes()
            return msgspec.json.decode(content, type=ArchiveList).archives
        except (OSError, ValueError) as error:
            raise ArchiveError("the list of archives cannot be read") from error

    def all(self) -> list[RulesArchive]:
        """Every archive, the oldest first.

        Raises:
            ArchiveError: as ``listed``.
        """
        return [RulesArchive(each, self._folder, self._limits) for each in self.listed()]

    def find(self, game: str, rulebook: str, tags: str) -> RulesArchive | None:
        """The newest archive of exactly these rules; None: we ship none.

        Args:
            game: the id of the game, as a record says it.
            rulebook: the id of the rulebook, likewise.
            tags: what a batch records of its rules.

        Raises:
            ArchiveError: as ``listed``.
        """
        found = [each for each in self.all() if each.listed.manifest.tags(game, rulebook) == tags]
        return found[-1] if found else None


def manifest_of(content: bytes) -> Manifest:
    """The manifest of an archive.

    Raises:
        ArchiveError: it is no archive of rules.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ArchiveError("their file is no archive of rules") from error


@cache
def house_archives() -> RulesArchives:
    """The archives of this program."""
    return RulesArchives(files("games") / "archives")
