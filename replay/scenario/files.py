"""Reading scenario files, and the JSON Schema that they keep to.

A file names its game first of all: what else it may hold is that game's to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final

import msgspec

from events.members import repeated_member
from events.patterns import published
from games.room25 import ROOM25
from replay.scenario.format import Scenario, ScenarioFile
from replay.scenario.spelling import hint, misspellings

SCHEMA_ID: Final = "scenario.schema.json"
FORMATS: Final[Mapping[str, msgspec.json.Decoder[ScenarioFile]]] = {
    ROOM25.id: msgspec.json.Decoder(ScenarioFile)
}
"""The games that scenarios can be told of, each with the form of its files."""


class BadFileError(ValueError):
    """A file that does not fit the format; says which and why."""


class _Head(msgspec.Struct):
    """What every file has, whatever else its game lets it hold."""

    game: str | msgspec.UnsetType = msgspec.UNSET


def read_file(path: Path) -> ScenarioFile:
    """The scenarios of a file.

    Raises:
        BadFileError: it cannot be read, names no game that there is, does not fit the format of its
            game, or uses words that the game does not have.
    """
    try:
        content = path.read_bytes()
        read = _format_of(path, msgspec.json.decode(content, type=_Head).game).decode(content)
    except OSError as error:
        raise BadFileError(f"{path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise BadFileError(f"{path}: {error}{_meant(error)}") from None
    twice = repeated_member(content)
    if twice is not None:
        raise BadFileError(f"{path}: {twice} is given more than once")
    wrong = [f"{path}: {s.id}: {found}" for s in read.scenarios for found in misspellings(s)]
    if wrong:
        raise BadFileError("\n".join(wrong))
    return read


def _format_of(path: Path, game: str | msgspec.UnsetType) -> msgspec.json.Decoder[ScenarioFile]:
    """The form of a file of this game.

    Raises:
        BadFileError: the file names no game, or one that there is not.
    """
    there_are = f"the games are: {', '.join(FORMATS)}"
    if game is msgspec.UNSET:
        raise BadFileError(f'{path}: the file does not name its game, as "game": …; {there_are}')
    if game not in FORMATS:
        raise BadFileError(
            f"{path}: {game!r} is no game; {there_are}{hint(game, FORMATS, few=False)}"
        )
    return FORMATS[game]


_STRANGE: Final = re.compile(r"unknown field `([^`]*)`|Invalid (?:enum )?value '([^']*)'")


def _meant(error: msgspec.DecodeError) -> str:
    """What may have been meant by a word that the format does not have."""
    found = _STRANGE.search(str(error))
    return "" if found is None else hint(found[1] or found[2], _format_words(), few=False)


@cache
def _format_words() -> tuple[str, ...]:
    """Every field, tag and choice of the format."""
    words: list[str] = []
    for part in schema()["$defs"].values():
        for name, value in part.get("properties", {}).items():
            words += [name, *map(str, value.get("enum", ()))]
    return tuple(dict.fromkeys(words))


def read_scenarios(paths: list[Path]) -> list[tuple[Path, Scenario]]:
    """The scenarios of several files in their order, each with the file it stands in.

    Raises:
        BadFileError: a file does not fit the format, or two scenarios have one id.
    """
    found: dict[str, tuple[Path, Scenario]] = {}
    for path in paths:
        for scenario in read_file(path).scenarios:
            if scenario.id in found:
                raise BadFileError(f"{path}: {scenario.id} stands in {found[scenario.id][0]} too")
            found[scenario.id] = (path, scenario)
    return list(found.values())


def schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file (draft 2020-12)."""
    made = published(msgspec.json.schema(ScenarioFile))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "Acceptance scenarios of Parlour",
    }
    tidied: dict[str, Any] = _tidy({**head, **made})
    return tidied


def _tidy(part: Any) -> Any:  # noqa: ANN401 (JSON)
    """Descriptions come from docstrings, with the indentation of their source."""
    if isinstance(part, dict):
        return {
            name: cleandoc(value).replace("``", "`")
            if name == "description" and isinstance(value, str)
            else _tidy(value)
            for name, value in part.items()
        }
    return [_tidy(each) for each in part] if isinstance(part, list) else part


def schema_text() -> str:
    """The schema as it is checked in."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"
