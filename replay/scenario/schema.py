"""The JSON Schema that scenario files keep to."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import cleandoc
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.patterns import ecma, published
from games.package import GamePackage
from games.registry import GAMES
from replay.scenario.dialect import Dialect, dialect_of
from replay.scenario.shorthand import SIGNS

Games = Mapping[str, GamePackage]

SCHEMA_ID: Final = "scenario.schema.json"

LINE: Final[Mapping[str, Any]] = {
    "title": "Line",
    "description": "A tag, the facts that must be there in their order, others as name=value.",
    "type": "string",
    "pattern": ecma(r"^\S+( \S+)*\Z"),
}

TABLE: Final = ["mode", "seats"]
BESIDE: Final = frozenset({"rulebooks", *TABLE})
"""What a scenario need not say if its base (``TABLE``) or its file does."""

UNIONS: Final = {"check": ("AnyCheck", "Line"), "do": ("AnyStep", "Line", "LineStep")}
"""What may be one of several: how it is called, and the lines that it may be instead."""


def schema(games: Games = GAMES) -> dict[str, Any]:
    """The JSON Schema of the scenario files of some games (draft 2020-12).

    Where there are several, each has its definitions under its own name.
    """
    made = {id_: schema_of(dialect_of(game)) for id_, game in games.items()}
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "Acceptance scenarios of Parlour",
    }
    if len(made) == 1:
        (only,) = made.values()
        return {**head, **only}
    parts = {id_: _below(part, id_) for id_, part in made.items()}
    files = [{"$ref": part["$ref"]} for part in parts.values()]
    return {**head, "oneOf": files, "$defs": {id_: p["$defs"] for id_, p in parts.items()}}


def schema_of(dialect: Dialect) -> dict[str, Any]:
    """The JSON Schema of the files of one game, of which a part may be told in short."""
    made: dict[str, Any] = _tidy(published(msgspec.json.schema(dialect.file)))
    definitions: dict[str, Any] = {}
    parts = _shortened(made["$defs"], definitions)
    definitions = {**parts, **definitions, "Line": LINE, "LineStep": _line_step(parts)}
    patterns = definitions["EventsCheck"]["properties"]
    for sign in SIGNS.values():
        patterns[sign]["items"] = {"anyOf": [patterns[sign]["items"], _ref("Line")]}
    scenario, file = definitions["Scenario"], definitions["ScenarioFile"]
    scenario["required"] = [name for name in scenario["required"] if name not in BESIDE]
    file["anyOf"] = [
        {"required": ["rulebooks"]},
        {"properties": {"scenarios": {"items": {"required": ["rulebooks"]}}}},
    ]
    if dialect.based is None or dialect.situation is None:
        scenario["required"] += TABLE
    else:
        based = _based(dialect, dialect.based, definitions[dialect.situation.__name__])
        definitions[dialect.based.__name__] = based
        scenario["properties"]["given"]["anyOf"].insert(1, _ref(dialect.based.__name__))
        given = {"type": "object", "required": ["base"]}
        table = {"required": ["given"], "properties": {"given": given}}
        scenario["anyOf"] = [{"required": TABLE}, table]
    return {**made, "$defs": definitions}


def _based(dialect: Dialect, based: type[Struct], whole: dict[str, Any]) -> dict[str, Any]:
    """The form of a position in short: what it says itself, and all else that a position has."""
    made = _tidy(published(msgspec.json.schema(based)))["$defs"][based.__name__]
    own = made["properties"] | {"base": {"enum": [*dialect.told.bases]}}
    return {**made, "properties": {**whole["properties"], **own}}


def _line_step(definitions: dict[str, Any]) -> dict[str, Any]:
    """A step whose facts stand in a line, with what a line does not say."""
    then = definitions["Look"]["properties"]["then"]
    return {
        "title": "LineStep",
        "description": "A step told by a line, with its checks.",
        "type": "object",
        "properties": {"do": {"type": "string", "pattern": ecma(r"^\S+( \S+)+\Z")}, "then": then},
        "required": ["do"],
    }


def _shortened(part: Any, unions: dict[str, Any]) -> Any:  # noqa: ANN401 (JSON)
    """A schema whose steps and checks may be lines; what they may be is put into ``unions``."""
    if isinstance(part, list):
        return [_shortened(each, unions) for each in part]
    if not isinstance(part, dict):
        return part
    if "discriminator" not in part:
        return {name: _shortened(value, unions) for name, value in part.items()}
    name, *lines = UNIONS[part["discriminator"]["propertyName"]]
    unions[name] = {"title": name, "anyOf": [*part["anyOf"], *map(_ref, lines)]}
    return _ref(name)


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _below(part: Any, game: str) -> Any:  # noqa: ANN401 (JSON)
    """A schema whose definitions lie in one of a game's name."""
    if isinstance(part, dict):
        return {
            name: value.replace("#/$defs/", f"#/$defs/{game}/")
            if isinstance(value, str) and value.startswith("#/$defs/")
            else _below(value, game)
            for name, value in part.items()
        }
    return [_below(each, game) for each in part] if isinstance(part, list) else part


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
