"""The published documents are such as generators of clients can read; each rule has its fault."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import jsonschema
import msgspec
import pytest
from msgspec import UNSET, Struct, defstruct
from msgspec.structs import fields

from events.kernel import Event, OnlySeat, Public
from games.room25.model.state import State
from service.contract.bodies import (
    COMMAND_TYPES,
    EVENT_TYPES,
    GameView,
    LoggedEvent,
    NewGame,
)
from service.contract.schema_forms import EXTENSIBLE, published_form, reached, references
from service.contract.schema_names import published_name, structs, written_names
from service.contract.schemas import components, event_document
from tests.service.stage import Json

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("openapi.json", "asyncapi.json", "events.schema.json")
DOCUMENTS: dict[str, Json] = {
    name: msgspec.json.decode((ROOT / "openapi" / name).read_bytes()) for name in NAMES
}

CLASHES = frozenset(
    {
        *("any", "array", "boolean", "call", "character", "choose", "class", "clock", "date"),
        *("delay", "double", "draw", "effect", "end", "entropy", "enum", "error", "exception"),
        *("flaw", "float", "function", "future", "happened", "header", "integer", "interface"),
        *("iterator", "list", "long", "map", "module", "none", "notice", "null", "number"),
        *("object", "opened", "opening", "option", "optional", "package", "program", "promise"),
        *("ready", "record", "reference", "response", "result", "row", "seal", "set", "standing"),
        *("state", "string", "struct", "task", "thread", "timeout", "tokens", "trap", "tuple"),
        *("type", "union", "unit", "vector", "void", "writable"),
    }
)
"""What other languages call something of their own, or our own modules something too short."""

LONG = re.compile(r"(at|time|now|due|since|deadline|until|version|v|next|after|\w+_(at|ms))\Z")
"""Names of times and versions, which need 64 bits."""

COUNTS = frozenset(
    {
        "CerveauuuCardWindow.version",
        "CerveauuuRulebookDescription.version",
        "CerveauuuVersionBegan.version",
        "Room25FloodArmed.due",
        "Room25RulebookDescription.version",
    }
)
"""What is named so and is a small number: a turn, the version of a rulebook or of a window."""

Found = Iterator[tuple[str, Json]]


def schemas_in(schema: Any, way: str) -> Found:
    """A schema and all that it is made of, with the way to each."""
    if not isinstance(schema, dict):
        return
    yield way, schema
    for keyword in ("properties", "patternProperties"):
        for name, each in schema.get(keyword, {}).items():
            yield from schemas_in(each, f"{way}.{name}")
    for keyword in ("items", "additionalProperties", "propertyNames", "not"):
        yield from schemas_in(schema.get(keyword), f"{way}/{keyword}")
    for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for each in schema.get(keyword, ()):
            yield from schemas_in(each, way)


def named(document: Json) -> dict[str, Json]:
    """The schemas of a document by name."""
    found: dict[str, Json] = document.get("$defs") or document["components"]["schemas"]
    return found


def schemas(document: Json) -> Found:
    """Every schema of a document: the named ones, and those of parameters."""
    for name, schema in named(document).items():
        yield from schemas_in(schema, name)
    for path, methods in document.get("paths", {}).items():
        for operation in methods.values():
            for each in operation.get("parameters", ()):
                yield from schemas_in(each.get("schema"), f"{path}?{each.get('name')}")


def requests(document: Json) -> set[str]:
    """The names of all schemas that request bodies are made of."""
    bodies = {
        ref.rpartition("/")[2]
        for methods in document.get("paths", {}).values()
        for operation in methods.values()
        for ref in references(operation.get("requestBody"))
    }
    return set(reached(named(document), bodies))


def without_items(document: Json) -> list[str]:
    """Arrays whose items have no one schema."""
    return [
        way
        for way, schema in schemas(document)
        if "prefixItems" in schema
        or (schema.get("type") == "array" and not isinstance(schema.get("items"), dict))
    ]


def without_members(document: Json) -> list[str]:
    """Objects of which nothing is said: some generators take them to be empty."""
    return [
        way
        for way, schema in schemas(document)
        if schema.get("type") == "object"
        and "properties" not in schema
        and "additionalProperties" not in schema
    ]


def short_integers(document: Json) -> list[str]:
    """Times and versions that are not said to need 64 bits."""
    return [
        way
        for way, schema in schemas(document)
        if schema.get("type") == "integer"
        and LONG.match(re.split(r"[.?]", way)[-1].partition("/")[0])
        and schema.get("format") != "int64"
        and way not in COUNTS
    ]


def closed_answers(document: Json) -> list[str]:
    """What may come in an answer, and would be refused by whoever reads it by the document."""
    asked = requests(document)
    return [
        way
        for way, schema in schemas(document)
        if re.match(r"\w+", way) and re.split(r"[./]", way)[0] not in asked
        if schema.get("additionalProperties") is False
        or ("enum" in schema and not way.endswith(".type/not"))
    ]


def open_requests(document: Json) -> list[str]:
    """Requests that may have any member, or whose texts may be any."""
    asked = requests(document)
    return [
        way
        for way, schema in schemas(document)
        if re.split(r"[./]", way)[0] in asked
        if EXTENSIBLE in schema
        or ("properties" in schema and schema.get("additionalProperties") is not False)
    ]


def odd_values(document: Json) -> list[str]:
    """Enumerations of one value, and those whose values make no names in other languages."""
    return [
        way
        for way, schema in schemas(document)
        if "enum" in schema and not way.endswith(".type/not")
        if len(schema["enum"]) == 1
        or not (
            "x-enum-varnames" in schema
            or all(re.match(r"[A-Za-z]\w*\Z", str(value)) for value in schema["enum"])
        )
    ]


def clashing_names(document: Json) -> list[str]:
    """Names that are not ours alone: of other languages, or of a member of the very schema."""
    return [
        name
        for name, schema in named(document).items()
        if name.lower() in CLASHES
        or name.lower() in {field.replace("_", "") for field in schema.get("properties", {})}
    ]


RULES = (
    *(without_items, without_members, short_integers, closed_answers, open_requests),
    *(odd_values, clashing_names),
)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", NAMES)
def test_a_document_keeps_the_rule(name: str, rule: Callable[[Json], list[str]]) -> None:
    assert rule(DOCUMENTS[name]) == []


FAULTS: list[tuple[Callable[[Json], list[str]], str, str, Json]] = [
    (without_items, "GameRow", "seats", {"type": "array", "items": False}),
    (without_items, "GameRow", "seats", {"type": "array"}),
    (without_members, "NewGame", "options", {"type": "object"}),
    (short_integers, "GameRow", "version", {"type": "integer"}),
    (short_integers, "GameRow", "created_at", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    (closed_answers, "GameRow", "status", {"type": "string", "enum": ["open", "live"]}),
    (closed_answers, "GameRow", "delay", {"type": "object", "additionalProperties": False}),
    (open_requests, "NewGame", "time", {"type": "object", "properties": {}}),
    (open_requests, "NewGame", "start", {"type": "string", EXTENSIBLE: ["auto", "host"]}),
    (odd_values, "NewGame", "start", {"type": "string", "enum": ["auto"]}),
    (odd_values, "NewGame", "start", {"type": "string", "enum": ["/problems/a", "/problems/b"]}),
    (clashing_names, "GameRow", "game_row", {"type": "string"}),
]


@pytest.mark.parametrize(("rule", "name", "field", "schema"), FAULTS)
def test_a_planted_fault_is_found(
    rule: Callable[[Json], list[str]], name: str, field: str, schema: Json
) -> None:
    document = copy.deepcopy(DOCUMENTS["openapi.json"])
    named(document)[name]["properties"][field] = schema
    assert len(rule(document)) == 1


def test_a_name_that_is_a_languages_own_is_found() -> None:
    document = copy.deepcopy(DOCUMENTS["openapi.json"])
    named(document)["State"] = {"type": "object", "properties": {}}
    assert clashing_names(document) == ["State"]


def test_events_and_commands_of_unknown_types_fit_and_known_ones_must_fit() -> None:
    document = DOCUMENTS["events.schema.json"]

    def validator(name: str) -> Callable[[Any], bool]:
        whole = {"$defs": document["$defs"], "$ref": f"#/$defs/{name}"}
        return jsonschema.Draft202012Validator(whole).is_valid

    for kind, known in (("Event", EVENT_TYPES), ("Command", COMMAND_TYPES)):
        fits = validator(f"Any{kind}")
        assert fits({"type": "comet-seen", "tail": [1]})
        assert not fits({"type": known[0].__struct_config__.tag})
        assert not fits({"tail": [1]})
    event = {"type": "seat-left", "seat": 1}
    fits = validator("AnyEvent")
    assert fits(event)
    assert fits({**event, "why": "rain"})
    assert not fits({**event, "seat": "one"})


def card_drawn(game: str, *declared: tuple[Any, ...]) -> type[Event]:
    """A type ``card-drawn`` with these fields, as if it lay in the folder of a game."""
    made = defstruct(
        "CardDrawn",
        declared,
        bases=(Event,),
        frozen=True,
        kw_only=True,
        tag="card-drawn",
        module=f"games.{game}.events",
        namespace={"__doc__": "A card was drawn."},
    )
    return cast("type[Event]", made)


def tag_of(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


def test_events_of_two_games_under_one_tag_are_told_apart_by_their_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    generic: Any = OnlySeat  # a type checker takes what stands in its brackets for a type
    whist = card_drawn("whist", ("suit", Public[str]))
    lotto = card_drawn(
        "lotto", ("number", Public[int]), ("seat", Public[int]), ("mark", generic[str], UNSET)
    )
    with_both = (*(kind for kind in EVENT_TYPES if tag_of(kind) != "card-drawn"), whist, lotto)
    monkeypatch.setattr("service.contract.schemas.EVENT_TYPES", with_both)
    for found, prefix in (
        (components([], [GameView, LoggedEvent]), "#/components/schemas/"),
        (event_document()["$defs"], "#/$defs/"),
    ):
        names = [f"{prefix}WhistCardDrawn", f"{prefix}LottoCardDrawn"]
        assert [each["$ref"] for each in found["CardDrawnEvent"]["anyOf"]] == names
        assert found["CardDrawnEvent"]["type"] == "object", "generators take nothing else there"
        assert "first event" in found["CardDrawnEvent"]["description"]
        mapping = found["KnownEvent"]["discriminator"]["mapping"]
        assert mapping["card-drawn"] == f"{prefix}CardDrawnEvent"
        assert mapping.keys() == {tag_of(kind) for kind in with_both}
        secret = found["LottoCardDrawn"]["properties"]["mark"]
        assert secret["description"].startswith("Readable by ")
    whole = {"$defs": found, "$ref": "#/$defs/AnyEvent"}
    fits = jsonschema.Draft202012Validator(whole).is_valid
    assert fits({"type": "card-drawn", "suit": "hearts"})
    assert fits({"type": "card-drawn", "number": 7, "seat": 1})
    assert not fits({"type": "card-drawn", "suit": 7})
    assert not fits({"type": "card-drawn", "number": 7})


def test_a_tag_of_one_game_alone_has_no_schema_between() -> None:
    for name in NAMES:
        assert "TurnBeganEvent" not in named(DOCUMENTS[name])
    assert {"CardDrawnEvent", "Room25TurnBegan"} <= named(DOCUMENTS["openapi.json"]).keys()


def test_what_two_types_would_be_called_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's type whose name is that of the schema between."""

    class UnknownEvent(Event, frozen=True, tag="event-met"):
        """It has been met."""

    monkeypatch.setattr("service.contract.schemas.EVENT_TYPES", (*EVENT_TYPES, UnknownEvent))
    with pytest.raises(ValueError, match="two types are called"):
        event_document()


def test_what_the_engine_remembers_is_no_part_of_the_contract() -> None:
    for document, name in (
        ("openapi.json", "Room25AgendaSet"),
        ("events.schema.json", "Room25AgendaSet"),
        ("openapi.json", "Room25State"),
    ):
        found = named(DOCUMENTS[document])[name]["properties"]
        assert found["agenda"].keys() == {"description"}
        assert found["asked"]["type"] == "integer"


def test_a_default_that_the_document_leaves_out_is_that_of_the_fields() -> None:
    """An object that is left out has all its defaults, so nothing is lost where none is said."""
    seen = 0
    for kind in structs([*EVENT_TYPES, *COMMAND_TYPES, GameView, NewGame, State]):
        for field in fields(kind):
            if isinstance(field.default, Struct):
                assert field.default == type(field.default)()
                seen += 1
    assert seen >= 3


class Toy(Struct):
    """Shares its name with another."""

    size: int


def test_two_types_of_one_name_are_told_apart() -> None:
    other = msgspec.defstruct("Toy", [("id", int)], module="games.ludo.pieces")
    both = msgspec.defstruct("Both", [("a", Toy), ("b", other)])
    assert set(structs([both])) == {both, Toy, other}
    assert set(written_names([both, Toy, other])) > {"Both", "games.ludo.pieces.Toy"}
    assert published_name(other) == "LudoToy"
    assert {"Toy", "LudoToy", "Both"} <= components([], [both]).keys()


def test_two_types_of_one_published_name_are_refused() -> None:
    other = msgspec.defstruct("Toy", [("id", int)], module="elsewhere")
    both = msgspec.defstruct("Both", [("a", Toy), ("b", other)])
    with pytest.raises(ValueError, match="two types are called Toy"):
        components([], [both])


def test_a_request_and_an_answer_of_one_name_are_refused() -> None:
    other = msgspec.defstruct("Toy", [("id", int)], module="elsewhere")
    with pytest.raises(ValueError, match="share names"):
        components([other], [Toy])


def test_what_requests_and_answers_share_is_closed_in_the_one_and_open_in_the_other() -> None:
    toy = msgspec.defstruct("Ball", [("size", int)], forbid_unknown_fields=True)
    asked = msgspec.defstruct("Wish", [("toy", toy)], forbid_unknown_fields=True)
    told = msgspec.defstruct("Gift", [("toy", toy)])
    found = components([asked], [told])
    assert found["NewBall"]["additionalProperties"] is False
    assert "additionalProperties" not in found["Ball"]
    assert found["Wish"]["properties"]["toy"] == {"$ref": "#/components/schemas/NewBall"}
    assert found["Gift"]["properties"]["toy"] == {"$ref": "#/components/schemas/Ball"}


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (tuple[int, int], {"items": {"type": "integer"}, "minItems": 2, "maxItems": 2}),
        (
            tuple[int, str, int],
            {
                "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                "minItems": 3,
                "maxItems": 3,
            },
        ),
        (tuple[Any, ...], {"items": {}}),
    ],
)
def test_the_items_of_a_tuple_have_one_schema(kind: Any, schema: Json) -> None:
    written = msgspec.json.schema(kind)
    assert published_form(written, str, is_open=True) == {"type": "array", **schema}
