"""The AsyncAPI document of the streams (AsyncAPI 3.1.0), from the types that are sent (pure)."""

from __future__ import annotations

from typing import Any, Final

from events.patterns import ecma
from events.version import VERSION
from projections.notices import Notice, Standing
from service.schema_forms import Schema
from service.schema_names import published_name
from service.schemas import components
from service.wire import GAME_ID, GameView, LoggedEvent

ASYNCAPI: Final = "3.1.0"

_ABOUT: Final = (
    "What the service sends without being asked again: the events of one game, and what concerns a "
    "player in all its games. Both come as Server-Sent Events or as NDJSON; requests, tokens and "
    "errors are those of the OpenAPI document."
)
_POSITION: Final[Schema] = {
    "type": "object",
    "properties": {"version": {"type": "integer", "format": "int64", "minimum": 0}},
    "required": ["version"],
}

Told = tuple[str, str, Schema]
"""A message: its name in the stream, what it says, and the schema of its body."""


def _ref(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


def _schema(kind: type) -> Schema:
    return _ref("schemas", published_name(kind))


_EVENT: Final = (
    "One event. Its id is its version; the first data line is the public bytes as they are hashed, "
    "the second, if there is one, holds what only you may open."
)

_GAME: Final[dict[str, Told]] = {
    "snapshot": (
        "snapshot",
        "The view that the stream begins with, where it does not go on from a version.",
        _schema(GameView),
    ),
    "event": (
        "message",
        _EVENT,
        _schema(LoggedEvent),
    ),
    "reset": (
        "reset",
        "You read too slowly, or these eyes are no longer yours: come back after this version.",
        _POSITION,
    ),
    "end": ("end", "The game is over, and this was its last version.", _POSITION),
}

_OWN: Final[dict[str, Told]] = {
    "games": (
        "games",
        "Where each of your games stands: the first message.",
        {"type": "array", "items": _schema(Standing)},
    ),
    "invited": ("invited", "A table asks you to sit down.", _schema(Notice)),
    "seatTaken": (
        "seat-taken",
        "Somebody has sat down at a table that you host or sit at.",
        _schema(Notice),
    ),
    "tableClosed": (
        "table-closed",
        "A table of yours, or one that invited you, has closed before its game began.",
        _schema(Notice),
    ),
    "gameStarted": ("game-started", "A game of yours has begun.", _schema(Notice)),
    "decisionOpened": ("decision-opened", "You are asked something.", _schema(Notice)),
    "deadlineNear": (
        "deadline-near",
        "What you are asked is decided for you soon.",
        _schema(Notice),
    ),
    "gameEnded": ("game-ended", "A game of yours is over.", _schema(Notice)),
    "ownReset": (
        "reset",
        "You read too slowly: come back, and be told anew where your games stand.",
        {"type": "object"},
    ),
}


def async_document() -> Schema:
    """The document."""
    said = {**_GAME, **_OWN}
    return {
        "asyncapi": ASYNCAPI,
        "info": {"title": "Parlour streams", "version": VERSION, "description": _ABOUT},
        "defaultContentType": "application/json",
        "channels": {
            "game": {
                "address": "/v1/games/{game}/events",
                "title": "The events of a game, as the caller may see them",
                "parameters": {"game": {"description": f"The game's id: {ecma(GAME_ID)}"}},
                "messages": {name: _ref("messages", name) for name in _GAME},
            },
            "own": {
                "address": "/v1/stream",
                "title": "What concerns the caller, in all its games",
                "messages": {name: _ref("messages", name) for name in _OWN},
            },
        },
        "operations": {
            "followGame": _operation("game", _GAME),
            "followOwnGames": _operation("own", _OWN),
        },
        "components": {
            "messages": {
                name: {
                    "name": event,
                    "summary": about,
                    "contentType": "application/json",
                    "payload": schema,
                }
                for name, (event, about, schema) in said.items()
            },
            "schemas": _without_discriminators(
                components([], [GameView, LoggedEvent, Notice, Standing])
            ),
        },
    }


def _without_discriminators(schema: Any) -> Any:  # noqa: ANN401 (JSON)
    """A schema as AsyncAPI has it: there a discriminator is a name, and OpenAPI's object is wrong.

    Nothing is lost: the tag of each alternative is a constant of its schema.
    """
    if isinstance(schema, list):
        return [_without_discriminators(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _without_discriminators(each)
        for name, each in schema.items()
        if not (name == "discriminator" and "propertyName" in each)
    }


def _operation(channel: str, said: dict[str, Told]) -> dict[str, Any]:
    """The service sends these messages."""
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in said],
    }
