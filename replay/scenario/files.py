"""Reading scenario files, and the JSON Schema that they keep to."""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path
from typing import Any, Final

import msgspec

from replay.scenario.format import Scenario, ScenarioFile
from replay.scenario.vocabulary import strange_words

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
        read = _DECODER.decode(path.read_bytes())
    except OSError as error:
        raise BadFileError(f"{path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise BadFileError(f"{path}: {error}") from None
    strange = [what for scenario in read.scenarios for what in strange_words(scenario)]
    if strange:
        raise BadFileError("\n".join(f"{path}: {what}" for what in strange))
    return read


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
    made = msgspec.json.schema(ScenarioFile)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "Acceptance scenarios of room25",
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
