"""The AsyncAPI document of the streams (AsyncAPI 3.1.0), from the types that are sent (pure)."""

from __future__ import annotations

from typing import Any, Final

from events.patterns import ecma
from events.version import VERSION
from games.game_registry import GameRegistry
from projections.asked import AskedAt
from projections.names import SeatName
from runtime.notifications import Notice, Standing
from service.contract.bodies import GAME_ID, GameView, LoggedEvent
from service.contract.schema_forms import Schema
from service.contract.schema_names import published_name
from service.contract.schemas import components
from service.contract.tour_bodies import TourInfo

ASYNCAPI: Final = "3.1.0"

_ABOUT: Final = (
    "What the service pushes to clients: the events of one game, a player's notifications from all "
    "games, and where a tour goes. All come as Server-Sent Events or as NDJSON; "
    "requests, tokens and errors are those of the OpenAPI document."
)
_VERSION: Final[Schema] = {"type": "integer", "format": "int64", "minimum": 0}
_POSITION: Final[Schema] = {
    "type": "object",
    "properties": {"version": _VERSION, "durable_version": _VERSION},
    "required": ["version", "durable_version"],
}

_SENT: Final = [GameView, AskedAt, LoggedEvent, Notice, Standing, TourInfo]

Message = tuple[str, str, Schema]
"""A message: its name in the stream, its summary, and the schema of its body."""


def _ref(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


def _schema(kind: type) -> Schema:
    return _ref("schemas", published_name(kind))


_EVENT: Final = (
    "One event. Its id is its version; the first data line holds the public bytes that are hashed, "
    "the second, if present, what only you may open."
)

_GAME: Final[dict[str, Message]] = {
    "snapshot": (
        "snapshot",
        "The view that the stream begins with, unless it resumes after a version.",
        _schema(GameView),
    ),
    "event": (
        "message",
        _EVENT,
        _schema(LoggedEvent),
    ),
    "asked": (
        "asked",
        "On request: whom the game waits for after this version. Sent first and after new events.",
        _schema(AskedAt),
    ),
    "names": (
        "names",
        "Somebody was renamed, or is deleted: what all seats are called now. It has no version.",
        {"type": "object", "additionalProperties": _schema(SeatName)},
    ),
    "reset": (
        "reset",
        "You read too slowly, or this view is no longer yours: reconnect after this version.",
        _POSITION,
    ),
    "end": ("end", "The game is over; this was its last version.", _POSITION),
}

_OWN: Final[dict[str, Message]] = {
    "games": (
        "games",
        "The current status of each of your games: the first message.",
        {"type": "array", "items": _schema(Standing)},
    ),
    "invited": ("invited", "A table invites you.", _schema(Notice)),
    "seatTaken": (
        "seat-taken",
        "A seat was taken at a table that you host or sit at.",
        _schema(Notice),
    ),
    "tableClosed": (
        "table-closed",
        "A table of yours, or one that invited you, closed before its game began.",
        _schema(Notice),
    ),
    "gameStarted": ("game-started", "A game of yours has begun.", _schema(Notice)),
    "decisionOpened": ("decision-opened", "A decision of yours is open.", _schema(Notice)),
    "decisionClosed": (
        "decision-closed",
        "A decision of yours waits for you no longer: it was answered, or is over.",
        _schema(Notice),
    ),
    "deadlineNear": (
        "deadline-near",
        "The default of your open decision will be taken soon.",
        _schema(Notice),
    ),
    "pauseProposed": (
        "pause-proposed",
        "Somebody at your table would like to pause, and waits for your answer.",
        _schema(Notice),
    ),
    "pauseSettled": (
        "pause-settled",
        "A proposed pause waits for you no longer: you have answered, or it was turned down.",
        _schema(Notice),
    ),
    "gamePaused": (
        "game-paused",
        "A game in which you have a seat is paused.",
        _schema(Notice),
    ),
    "gameResumed": (
        "game-resumed",
        "A game in which you have a seat goes on after a pause.",
        _schema(Notice),
    ),
    "gameEnded": ("game-ended", "A game of yours is over.", _schema(Notice)),
    "ownReset": (
        "reset",
        "You read too slowly: reconnect, and get the current status of your games.",
        {"type": "object"},
    ),
}

_TOUR: Final[dict[str, Message]] = {
    "tour": (
        "tour",
        "Where the tour is: the first message, and each time it moves.",
        _schema(TourInfo),
    ),
    "tourReset": ("reset", "You read too slowly: reconnect.", {"type": "object"}),
    "tourEnd": ("end", "The tour is over.", {"type": "object"}),
}


def async_document(game_registry: GameRegistry | None = None) -> Schema:
    """The document for the games of a registry, by default for the installed games."""
    messages = {**_GAME, **_OWN, **_TOUR}
    return {
        "asyncapi": ASYNCAPI,
        "info": {"title": "Parlour streams", "version": VERSION, "description": _ABOUT},
        "defaultContentType": "application/json",
        "channels": {
            "game": {
                "address": "/v1/games/{game}/events",
                "title": "The events of a game, as visible to the caller",
                "parameters": {"game": {"description": f"The game's id: {ecma(GAME_ID)}"}},
                "messages": {name: _ref("messages", name) for name in _GAME},
            },
            "own": {
                "address": "/v1/stream",
                "title": "Notifications from all of the caller's games",
                "messages": {name: _ref("messages", name) for name in _OWN},
            },
            "tour": {
                "address": "/v1/games/{game}/tours/{tour}",
                "title": "Where a tour of a game goes",
                "parameters": {
                    "game": {"description": f"The game's id: {ecma(GAME_ID)}"},
                    "tour": {"description": "The tour's id."},
                },
                "messages": {name: _ref("messages", name) for name in _TOUR},
            },
        },
        "operations": {
            "followGame": _operation("game", _GAME),
            "followOwnGames": _operation("own", _OWN),
            "followTour": _operation("tour", _TOUR),
        },
        "components": {
            "messages": {
                name: {
                    "name": event,
                    "summary": about,
                    "contentType": "application/json",
                    "payload": schema,
                }
                for name, (event, about, schema) in messages.items()
            },
            "schemas": _without_discriminators(components([], _SENT, game_registry)),
        },
    }


def _without_discriminators(schema: Any) -> Any:  # noqa: ANN401 (JSON)
    """A schema for AsyncAPI, where a discriminator is a name and OpenAPI's object is invalid.

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


def _operation(channel: str, messages: dict[str, Message]) -> dict[str, Any]:
    """The service sends these messages."""
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in messages],
    }
