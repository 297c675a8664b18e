"""The AsyncAPI document: whole in itself, and what the streams really send fits it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from service.contract.asyncapi import ASYNCAPI
from service.contract.schema_forms import references
from tests.service.listening import Message, listen
from tests.service.live import ROOT
from tests.service.stage import Stage, ok

DOCUMENT: dict[str, Any] = json.loads((ROOT / "openapi/asyncapi.json").read_bytes())
"""As it is published; that the code says the same is tested with the others (test_openapi)."""


def at(pointer: str) -> Any:
    """What a reference inside the document points at."""
    found: Any = DOCUMENT
    for part in pointer.removeprefix("#/").split("/"):
        found = found[part]
    return found


def test_it_has_what_asyncapi_asks_for() -> None:
    assert DOCUMENT["asyncapi"] == ASYNCAPI
    assert {"title", "version"} <= DOCUMENT["info"].keys()
    assert {channel["address"] for channel in DOCUMENT["channels"].values()} == {
        "/v1/games/{game}/events",
        "/v1/stream",
        "/v1/games/{game}/tours/{tour}",
    }
    for operation in DOCUMENT["operations"].values():
        channel = at(operation["channel"]["$ref"])
        assert operation["action"] == "send"
        listed = {each["$ref"].rpartition("/")[2] for each in operation["messages"]}
        assert listed == channel["messages"].keys()


def test_every_reference_leads_somewhere() -> None:
    found = set(references(DOCUMENT))
    assert len(found) > 20
    for pointer in found:
        assert at(pointer) is not None


def test_no_schema_has_what_openapi_alone_knows() -> None:
    """AsyncAPI 3.1, schema object: a discriminator is a string there."""
    assert "'discriminator'" not in str(DOCUMENT)


@pytest.mark.parametrize("name", DOCUMENT["components"]["messages"])
def test_every_payload_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(schema_of(name))


def schema_of(name: str) -> Any:
    payload = DOCUMENT["components"]["messages"][name]["payload"]
    return {**payload, "components": DOCUMENT["components"]}


def fits(message: Message, channel: str) -> None:
    """Whether a message is among those of a channel, and its body is as described."""
    for name in DOCUMENT["channels"][channel]["messages"]:
        if DOCUMENT["components"]["messages"][name]["name"] == message.event:
            Draft202012Validator(schema_of(name)).validate(message.json())
            return
    raise AssertionError(f"a {message.event} is not in the document")


async def test_what_the_streams_say_fits(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    async with listen(on, ada, "/v1/stream") as own:
        fits(await own.next(), "own")
        game = await on.game(ada, bob)
        async with listen(on, bob, f"/v1/games/{game}/events") as stream:
            fits(await stream.next(), "game")
            await ada.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"})
            await bob.post(f"/v1/games/{game}/decisions/clue-s2", {"option": "r1c2"})
            for deed in ("pause", "resume"):
                ok(await on.operator.post(f"/v1/games/{game}/{deed}", {}))
            ok(await ada.post(f"/v1/games/{game}/pause-proposals", {"minutes": 5}))
            ok(await bob.post(f"/v1/games/{game}/pause-votes", {"vote": "decline"}))
            ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
            while (said := await stream.next()).event != "end":
                fits(said, "game")
            fits(said, "game")
        while (told := await own.next()).event != "game-ended":
            fits(told, "own")
        fits(told, "own")
