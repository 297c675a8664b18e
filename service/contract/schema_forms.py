"""The form in which schemas are published, readable for client generators (pure).

msgspec describes what our decoder accepts. Readers of answers must accept more: fields, values and
types of later releases. So the schemas of answers are open; those of requests are closed, because
there an unknown field is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from typing import Any, Final

from events.patterns import ecma

Schema = dict[str, Any]

EXTENSIBLE: Final = "x-extensible-enum"
"""The known values of a string that may gain others."""

_BY_NAME: Final = frozenset({"properties", "patternProperties", "$defs"})
_SEVERAL: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_ONE: Final = frozenset({"items", "additionalProperties", "propertyNames", "not"})
_TYPES: Final[Mapping[type, str]] = {str: "string", int: "integer", bool: "boolean"}


def published_form(schema: Any, rename: Callable[[str], str], *, is_open: bool) -> Any:  # noqa: ANN401 (JSON)
    """A copy of a msgspec schema in the published form.

    Args:
        schema: of an object, an array, ..., or a Boolean in its place.
        rename: maps a reference to the published one.
        is_open: whether it belongs to an answer.
    """
    if not isinstance(schema, Mapping):
        return schema

    def inner(part: Any) -> Any:  # noqa: ANN401 (JSON)
        return published_form(part, rename, is_open=is_open)

    result: Schema = {}
    for keyword, value in schema.items():
        if keyword in _BY_NAME:
            result[keyword] = {name: inner(each) for name, each in value.items()}
        elif keyword in _SEVERAL:
            result[keyword] = [inner(each) for each in value]
        elif keyword in _ONE:
            result[keyword] = inner(value)
        else:
            result[keyword] = _value(keyword, value, rename)
    _settle_default(result, is_open=is_open)
    _settle_array(result)
    _settle_values(result, is_open=is_open)
    _settle_object(result, is_open=is_open)
    return result


def _value(keyword: str, value: Any, rename: Callable[[str], str]) -> Any:  # noqa: ANN401 (JSON)
    match keyword:
        case "$ref":
            return rename(value)
        case "discriminator":
            mapping = {tag: rename(ref) for tag, ref in value["mapping"].items()}
            return {**value, "mapping": mapping}
        case "pattern":
            return ecma(value)
        case "description":
            return cleandoc(value).replace("``", "`")
    return value


def _settle_default(schema: Schema, *, is_open: bool) -> None:
    """Drop redundant defaults: null in a request, and an object of nothing but defaults.

    Generators assign the one to a type without null, and the other, as a map, to an object. In an
    answer a null default stays: there it says what a missing field means.
    """
    if "$ref" in schema or (not is_open and schema.get("default", "") is None):
        schema.pop("default", None)


def _settle_array(schema: Schema) -> None:
    """Give an array's items one schema, with their number beside it.

    Generators accept neither an array without ``items`` nor ``false`` in their place.
    """
    if schema.get("type") != "array":
        return
    connection_limits = schema.pop("prefixItems", [])
    kinds = [
        each for at, each in enumerate(connection_limits) if each not in connection_limits[:at]
    ]
    if kinds:
        schema["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    schema.setdefault("items", {})


def _settle_values(schema: Schema, *, is_open: bool) -> None:
    """One value is a constant; several are a closed list in a request, an open one in an answer."""
    values = schema.get("enum")
    if values is None:
        return
    (kind,) = {type(value) for value in values}
    schema["type"] = _TYPES[kind]
    if len(values) == 1:
        schema["const"] = schema.pop("enum")[0]
    elif is_open:
        schema[EXTENSIBLE] = schema.pop("enum")


def _settle_object(schema: Schema, *, is_open: bool) -> None:
    if schema.get("type") != "object":
        return
    if not schema.get("required", True):
        del schema["required"]
    if "properties" not in schema:
        schema.setdefault("additionalProperties", True)
    elif is_open and schema.get("additionalProperties") is False:
        del schema["additionalProperties"]


def any_of_these(
    name: str, about: str, tags: Mapping[str, Sequence[str]], ref: Callable[[str], str]
) -> dict[str, Schema]:
    """The schemas of a union of tagged objects that is open to unknown ones.

    Args:
        name: what they have in common, such as ``Event``.
        about: what that is, as a sentence without the full stop.
        tags: the references by tag, the field ``type``; more than one where several games share a
            tag.
        ref: returns the reference to a schema of that name.

    Returns:
        ``AnyEvent``: either a ``KnownEvent``, by its tag, or an ``UnknownEvent``. A tag shared by
            several games gets a schema of its own, such as ``CardDrawnEvent``: one of theirs.
    """
    shared = {tag: _titled(tag, name) for tag, refs in tags.items() if len(refs) > 1}
    known = {tag: ref(shared[tag]) if tag in shared else tags[tag][0] for tag in tags}
    of_no_tag = {"type": "string", "not": {"enum": sorted(tags)}}
    return {
        f"Any{name}": {
            "title": f"Any{name}",
            "description": f"{about}.",
            "oneOf": [{"$ref": ref(f"Known{name}")}, {"$ref": ref(f"Unknown{name}")}],
        },
        f"Known{name}": {
            "title": f"Known{name}",
            "description": f"{about}, of a type known to this document.",
            "oneOf": [{"$ref": each} for each in known.values()],
            "discriminator": {"propertyName": "type", "mapping": known},
        },
        **{
            title: {
                "title": title,
                "description": f"`{tag}` of any game. The first event of the log says in `game` "
                "which game it is; each schema says so in its name.",
                # Generators take nothing but an object behind a discriminator.
                "type": "object",
                "properties": {"type": {"type": "string", "const": tag}},
                "required": ["type"],
                "anyOf": [{"$ref": each} for each in tags[tag]],
            }
            for tag, title in shared.items()
        },
        f"Unknown{name}": {
            "title": f"Unknown{name}",
            "description": f"{about}, of a type newer than this document: ignore it.",
            "type": "object",
            "properties": {"type": of_no_tag},
            "required": ["type"],
            "additionalProperties": True,
        },
    }


def _titled(tag: str, name: str) -> str:
    """The name of the schema of a tag that several games share."""
    return "".join(word.capitalize() for word in (*tag.split("-"), name))


def references(schema: Any) -> Iterator[str]:  # noqa: ANN401 (JSON)
    """Every reference in a schema, at any depth."""
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for part in schema.values():
            yield from references(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from references(part)


def reached(schemas: Mapping[str, Schema], names: Iterable[str]) -> dict[str, Schema]:
    """The schemas that ``names`` consist of, by name, in order.

    Raises:
        KeyError: a reference leads nowhere.
    """
    found: dict[str, Schema] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = schemas[name]
            waiting += [ref.rpartition("/")[2] for ref in references(schemas[name])]
    return dict(sorted(found.items()))
