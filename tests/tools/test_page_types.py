"""The types by which the page is read: what becomes of each form, and that they are true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from events.kernel import Decision
from games.cerveauuu.model.state import State
from games.contract import TimeControl
from games.room25.model.state import State as ComplexState
from games.table.state import SeatState, TableState
from tools.page_types import MISSING, ROOTS, STATE, WHOLE, declarations

ROOT: Final = Path(__file__).parents[2]
KINDS: Final[dict[str, type[msgspec.Struct]]] = {
    "CerveauuuState": State,
    "Decision": Decision,
    "Room25State": ComplexState,
    "SeatState": SeatState,
    "TableState": TableState,
    "TimeControl": TimeControl,
}


def of(**schemas: Any) -> str:
    """What is declared of some schemas, all of which the first of the roots names."""
    references = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    roots = {root: {"anyOf": references} for root in ROOTS}
    return declarations({"components": {"schemas": {**roots, **schemas}}})


def test_each_form_of_a_schema_becomes_a_type() -> None:
    known = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    properties = {
        "count": {"type": "integer"},
        "maybe": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": None},
        "all": {"type": "array", "items": {"$ref": "#/components/schemas/Known"}},
        "pair": {"type": "array", "title": "Pair", "minItems": 2, "items": {"type": "string"}},
        "by": {"type": "object", "additionalProperties": {"type": "number"}},
        "kind": {"enum": ["a", "b"]},
        "free": {},
    }
    found = of(Known=known, Thing={"properties": properties, "required": ["count"]})
    for line in (
        "  interface Known {\n    id: string;\n  }",
        "    count: number;",
        "    maybe?: boolean | null;",
        "    all?: Array<Known>;",
        "    pair?: [string, string];",
        "    by?: { [key: string]: number };",
        '    kind?: "a" | "b";',
        "    free?: any;",
    ):
        assert line in found


def test_what_is_told_whole_has_all_of_its_members() -> None:
    published = json.loads((ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8"))
    schemas = published["components"]["schemas"]
    assert set(KINDS) == {*WHOLE, *(name for name in schemas if name.endswith(STATE))}
    assert [name for name, kind in KINDS.items() if kind.__struct_config__.omit_defaults] == []
    unset = {
        field.name
        for kind in KINDS.values()
        for field in msgspec.structs.fields(kind)
        if field.default is msgspec.UNSET
    }
    assert unset == MISSING


def test_a_schema_that_is_not_there_is_an_error() -> None:
    """A control: types may not name what nobody publishes."""
    with pytest.raises(KeyError):
        of(Thing={"properties": {"one": {"$ref": "#/components/schemas/Nobody"}}})


def test_the_page_is_read_by_the_types_of_the_published_document() -> None:
    published = json.loads((ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8"))
    written = (ROOT / "tests" / "page" / "told.d.ts").read_text(encoding="utf-8")
    assert written == declarations(published)
