"""What may stand where a body has a member that is unknown there."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta, Struct

from service.http.known_members import known_members


class Cat(Struct, forbid_unknown_fields=True, tag="cat"):
    """One form of a pet."""

    lives: int = 9


class Dog(Struct, forbid_unknown_fields=True, tag="dog"):
    """Another one."""

    bone: str = ""


class Home(Struct, forbid_unknown_fields=True, rename="camel"):
    """What a body is."""

    pets: Annotated[list[Cat | Dog], Meta(max_length=3)] = []
    by_name: dict[str, Cat | Dog] = {}
    guest_dog: tuple[int, Dog] | None = None
    neighbour: Home | None = None


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ({"pet": []}, ("byName", "guestDog", "neighbour", "pets")),
        ({"by_name": {}}, ("byName", "guestDog", "neighbour", "pets")),
        ({"neighbour": {"neighbour": {"x": 1}}}, ("byName", "guestDog", "neighbour", "pets")),
        ({"pets": [{"type": "cat"}, {"type": "dog", "lives": 1}]}, ("bone", "type")),
        ({"guestDog": [1, {"type": "dog", "lives": 1}]}, ("bone", "type")),
        ({"byName": {"Rex": {"type": "dog", "lives": 1}}}, ("bone", "lives", "type")),
    ],
)
def test_what_may_stand_there_is_told(body: Any, known: tuple[str, ...]) -> None:
    assert told(body) == known


def test_of_what_is_wrong_otherwise_nothing_is_told() -> None:
    assert told({"pets": 1}) == ()
    assert told({"pets": [{"type": "cow"}]}) == ()


@pytest.mark.parametrize("path", ["pets[7]", "guestDog[9]", "pets[99999999999]", "by.name", "[0]"])
def test_a_name_that_looks_like_a_path_leads_nowhere(path: str) -> None:
    assert told({f"x` - at `$.{path}": 1, "pets": []}) in ((), ("bone", "lives", "type"))


def told(body: Any) -> tuple[str, ...]:
    """What is told of a body that is refused."""
    content = msgspec.json.encode(body)
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode(content, type=Home)
    what, _, at = str(refused.value).partition(" - at `")
    return known_members(Home, body, what, at.rstrip("`") or "$")
