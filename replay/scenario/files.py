"""Reading scenario files, and the JSON Schema that they keep to."""

from __future__ import annotations

import re
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final

import msgspec

from events.members import repeated_member
from events.patterns import published
from replay.scenario.format import Scenario, ScenarioFile
from replay.scenario.spelling import hint, misspellings

SCHEMA_ID: Final = "scenario.schema.json"
_DECODER: Final = msgspec.json.Decoder(ScenarioFile)


class BadFileError(ValueError):
    """A file that does not fit the format; says which and why."""


def read_file(path: Path) -> ScenarioFile:
    """The scenarios of a file.

    Raises:
        BadFileError: it cannot be read, does not fit the format, or uses words of no game.
    """
    try:
        content = path.read_bytes()
        read = _DECODER.decode(content)
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
