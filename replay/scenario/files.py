"""Reading scenario files.

A file must name its game, which defines what else the file may hold.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from events.members import repeated_member
from games.registry import GAMES
from replay.scenario.dialect import Dialect, dialect_of
from replay.scenario.format import Scenario, ScenarioFile
from replay.scenario.schema import Games, schema_of
from replay.scenario.shorthand import MisreadError, in_full
from replay.scenario.spelling import hint, misspellings


class BadFileError(ValueError):
    """A file that does not fit the format; says which and why."""


class _Head(msgspec.Struct):
    """The fields that every file has, whatever its game."""

    game: str | msgspec.UnsetType = msgspec.UNSET


def read_file(path: Path, games: Games = GAMES) -> ScenarioFile:
    """The scenarios of a file; ``games`` are those that there are.

    Raises:
        BadFileError: it cannot be read, names no game that there is, does not fit the format of its
            game, or uses words that the game does not have.
    """
    dialect: Dialect | None = None
    try:
        content = path.read_bytes()
        dialect = _dialect_of(path, msgspec.json.decode(content, type=_Head).game, games)
        told = in_full(msgspec.json.decode(content), dialect)
        read = msgspec.convert(told, dialect.file, str_keys=True)
    except MisreadError as error:
        raise BadFileError(f"{path}: {error}") from None
    except OSError as error:
        raise BadFileError(f"{path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise BadFileError(f"{path}: {error}{_meant(error, dialect)}") from None
    twice = repeated_member(content)
    if twice is not None:
        raise BadFileError(f"{path}: {twice} is given more than once")
    wrong = [f"{path}: {s.id}: {found}" for s in read.scenarios for found in misspellings(s)]
    if wrong:
        raise BadFileError("\n".join(wrong))
    return read


def _dialect_of(path: Path, game: str | msgspec.UnsetType, games: Games) -> Dialect:
    """What a file of this game can say.

    Raises:
        BadFileError: the file names no game, or one that there is not.
    """
    there_are = f"the games are: {', '.join(games)}"
    if game is msgspec.UNSET:
        raise BadFileError(f'{path}: the file does not name its game, as "game": …; {there_are}')
    if game not in games:
        near = hint(game, games, few=False)
        raise BadFileError(f"{path}: {game!r} is no game; {there_are}{near}")
    return dialect_of(games[game])


_STRANGE: Final = re.compile(r"unknown field `([^`]*)`|Invalid (?:enum )?value '([^']*)'")


def _meant(error: msgspec.DecodeError, dialect: Dialect | None) -> str:
    """What may have been meant by a word that the format does not have."""
    found = _STRANGE.search(str(error))
    if found is None or dialect is None:
        return ""
    return hint(found[1] or found[2], _format_words(dialect), few=False)


@cache
def _format_words(dialect: Dialect) -> tuple[str, ...]:
    """Every field, tag and choice of the format."""
    words: list[str] = []
    for part in schema_of(dialect)["$defs"].values():
        for name, value in part.get("properties", {}).items():
            words += [name, *map(str, value.get("enum", ()))]
    return tuple(dict.fromkeys(words))


def read_scenarios(paths: list[Path], games: Games = GAMES) -> list[tuple[Path, Scenario]]:
    """The scenarios of several files in their order, each with the file it stands in.

    Raises:
        BadFileError: a file does not fit the format, or two scenarios have one id.
    """
    found: dict[str, tuple[Path, Scenario]] = {}
    for path in paths:
        for scenario in read_file(path, games).scenarios:
            if scenario.id in found:
                raise BadFileError(f"{path}: {scenario.id} stands in {found[scenario.id][0]} too")
            found[scenario.id] = (path, scenario)
    return list(found.values())
