"""The folder of archives: which there are, and when one is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from replay.archives import LIST, ArchiveError, ArchiveList, Listed, RulesArchives
from tools.archiving.building import MOST_BYTES, Built

_UNRELEASED: Final = ".dev"


def is_released(version: str) -> bool:
    """Whether a build is a release, whose rules are for ever."""
    return _UNRELEASED not in version


def keep(folder: Path, built: Built) -> str:
    """Put an archive of the present rules into the folder, if it is wanted there.

    The last archive is replaced as long as its build was no release; that of a release stays as it
    is, and another comes after it as soon as a tag has been raised.

    Args:
        folder: where archives are kept; it is made where it is missing.
        built: the archive of the present rules.

    Returns:
        What was done, in a sentence.

    Raises:
        ArchiveError: the list cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    listed = RulesArchives(folder).listed() if (folder / LIST).exists() else ()
    last, new = (listed[-1] if listed else None), built.listed
    if last is not None and last.manifest == new.manifest:
        return f"{last.file} holds the present rules, letter for letter"
    if last is not None and not is_released(last.manifest.version):
        (folder / last.file).unlink(missing_ok=True)
        listed = listed[:-1]
    elif not any(unkept(listed, new.manifest.judges())):
        return "every present tag has an archive of a release"
    (folder / new.file).write_bytes(built.content)
    _write(folder, (*listed, new))
    return f"{new.file} was written: {len(built.content)} bytes"


def _write(folder: Path, listed: tuple[Listed, ...]) -> None:
    content = msgspec.json.format(msgspec.json.encode(ArchiveList(listed)))
    (folder / LIST).write_bytes(content + b"\n")


def unkept(listed: tuple[Listed, ...], tags: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Those of some tags that no archive judges."""
    for (game, rulebook), wanted in tags.items():
        if not any(each.manifest.tags(game, rulebook) == wanted for each in listed):
            yield wanted


def faults(folder: Path, tags: Mapping[tuple[str, str], str], version: str) -> Iterator[str]:
    """What is wrong with the folder, each a sentence; nothing is run.

    Args:
        folder: where archives are kept.
        tags: those of the present rules, by game and rulebook.
        version: that of the present build.
    """
    archives = RulesArchives(folder)
    try:
        listed = archives.listed()
    except ArchiveError as error:
        yield str(error)
        return
    for archive in archives.all():
        try:
            size = len(archive.content())
        except ArchiveError as error:
            yield f"{archive.listed.file}: {error}"
            continue
        if size > MOST_BYTES:
            yield f"{archive.listed.file} has {size} bytes, over {MOST_BYTES}"
    names = [each.file for each in listed]
    for path in sorted(folder.glob("*.pyz")):
        if path.name not in names:
            yield f"{path.name} is not in the list"
    for wanted in unkept(listed, tags):
        yield f"{wanted} has no archive: make rules-archive"
    if is_released(version):
        last = [each for each in listed if not is_released(each.manifest.version)]
        yield from (f"{each.file} is of no release, and this is one" for each in last)
