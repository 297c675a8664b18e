"""Which members an object in a body may have where one was given that it has not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, TypeVar

from msgspec import inspect

T = TypeVar("T")

_UNKNOWN: Final = re.compile(r"Object contains unknown field `.*`", re.DOTALL)
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d{1,9}|\.\.\.)\]")
"""A step of a path as msgspec tells it; for a value of a map it does not tell the key.

The name of a member may look like a path too, so a step may lead anywhere, or nowhere.
"""


def known_members(kind: Any, value: object, what: str, at: str) -> tuple[str, ...]:  # noqa: ANN401 (a type)
    """The members that are known where another one was refused, sorted.

    Of an object of several forms those of the form that it says it has; of all of them where the
    path does not lead to it, as among the values of a map.

    Args:
        kind: the type of the body.
        value: the body as decoded, whatever its types; None if it cannot be.
        what: why msgspec has refused it; empty is returned if it is not for an unknown member.
        at: where, as msgspec tells it: ``$.time.limits_s[...]``.
    """
    if _UNKNOWN.fullmatch(what) is None:
        return ()
    types = [_type_info(kind)]
    for step in _STEP.finditer(at):
        name, index = step.groups()
        types = [inner for each in _forms(types, value) for inner in _inside(each, name, index)]
        value = _value(value, name, index)
    return tuple(sorted({name for each in _forms(types, value) for name in _names(each)}))


@cache  # there are as many as bodies, and each takes a millisecond
def _type_info(kind: Any) -> inspect.Type:  # noqa: ANN401 (a type)
    return inspect.type_info(kind)


def _forms(types: list[inspect.Type], value: object) -> list[inspect.Type]:
    """The types without alternatives and annotations, by the tag of an object if it has one."""
    plain: list[inspect.Type] = []
    for each in types:
        if isinstance(each, inspect.Metadata):
            plain += _forms([each.type], value)
        elif isinstance(each, inspect.UnionType):
            plain += _forms(list(each.types), value)
        else:
            plain.append(each)
    tagged = [each for each in plain if _is_of(each, value)]
    return tagged or plain


def _is_of(kind: inspect.Type, value: object) -> bool:
    """Whether an object says by its tag that it is of this type."""
    return (
        isinstance(kind, inspect.StructType)
        and isinstance(value, dict)
        and kind.tag_field is not None
        and value.get(kind.tag_field) == kind.tag
    )


def _inside(kind: inspect.Type, name: str | None, index: str | None) -> Iterator[inspect.Type]:
    """What a type has at one step of a path."""
    match kind:
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields if field.encode_name == name)
        case inspect.DictType(value_type=inner):
            yield inner
        case inspect.TupleType(item_types=items):
            yield from _at(items, index)
        case inspect.CollectionType(item_type=inner):
            yield inner


def _value(value: Any, name: str | None, index: str | None) -> object:  # noqa: ANN401 (JSON)
    """What a body has at one step of a path; None where the path does not tell."""
    if isinstance(value, dict):
        return value.get(name)
    if isinstance(value, list):
        return next(iter(_at(value, index)), None)
    return None


def _at(items: Sequence[T], index: str | None) -> Sequence[T]:
    """The item with an index, if there is one."""
    if index is None or not index.isdigit():
        return ()
    return items[int(index) : int(index) + 1]


def _names(kind: inspect.Type) -> Iterator[str]:
    """The members of an object of a type."""
    if isinstance(kind, inspect.StructType):
        yield from (field.encode_name for field in kind.fields)
        if kind.tag_field is not None:
            yield kind.tag_field
