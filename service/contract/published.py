"""What the OpenAPI document says that neither routes nor types can say (data)."""

from __future__ import annotations

from typing import Any, Final

from events.patterns import ecma
from service.replies import IF_MATCH
from service.schema_forms import Schema
from service.wire import GAME_ID, PLAYER_ID

ABOUT: Final = """\
Games in which people keep secrets from one another, over REST.

Every command carries an `Idempotency-Key`, and its repetition has the first answer. Every refusal
is a problem document (RFC 9457) whose `type` the service explains. What you may not know is not in
any answer. `docs/clients.md` is the guide.

What answers to GET answers to HEAD, with the same headers and without a body, and opens no stream.
Without a token, documents, rulebooks and finished games come compressed if `Accept-Encoding` takes
gzip; the compressed form has an `ETag` of its own, and `If-None-Match` knows either.
"""

PATH_PARAMETERS: Final[dict[str, Schema]] = {
    "game": {
        "description": "The game's id.",
        "schema": {"type": "string", "pattern": ecma(GAME_ID)},
    },
    "player": {
        "description": "The player's id.",
        "schema": {"type": "string", "pattern": ecma(PLAYER_ID)},
    },
    "token": {
        "description": "The token's id, not the token.",
        "schema": {"type": "string", "pattern": "^t[0-9a-f]{16}$"},
    },
    "seat": {
        "description": "The seat's number, from 1.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 8},
    },
    "decision": {
        "description": "The decision's id, as `decisions` lists it.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[a-z0-9_-]+$"},
    },
    "rulebook": {
        "description": "The rulebook's id.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9_]+$"},
    },
    "address": {
        "description": "An IPv4 or IPv6 address.",
        "schema": {"type": "string", "minLength": 2, "maxLength": 45},
        "example": "203.0.113.7",
    },
    "problem": {
        "description": "The problem's code.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9-]+$"},
    },
}

SERVER_SENT_EVENT: Final[Schema] = {
    "description": "One message of the stream (HTML standard, server-sent events).",
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "event": {"type": "string"},
        "data": {"type": "string"},
        "retry": {"type": "integer"},
    },
}

HEADERS: Final[dict[str, Schema]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "Your name for this command: a repetition under the same key has the first "
        "answer. Remembered with the game or account for as long as that lives.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
        "example": "5f0c2f4e-7d0b-4f5e-9a3c-1c8f3f6f5b11",
    },
    "RegistrationKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "As for commands, but long and chosen at random: it alone tells you from "
        "others, and whoever repeats it is shown your token.",
        "schema": {"type": "string", "pattern": "^[!-~]{16,128}$"},
        "example": "0b9a64f8-3b8e-4a8b-8f5e-6f1d7c2e9a40",
    },
    "OptionalIdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "As for commands, where you care.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": "The entity tag of a view: refuse the command if the game has moved on; a "
        "choice, if something has happened in the game itself.",
        "schema": {"type": "string", "pattern": ecma(IF_MATCH)},
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": "The languages that you read, with their qualities (RFC 9110).",
        "schema": {"type": "string"},
        "example": "pl, fr;q=0.7",
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "required": False,
        "description": "The last version that you have: a stream goes on after it. Browsers send "
        "it by themselves when they come back.",
        "schema": {"type": "string", "pattern": "^[0-9]{0,10}$"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The entity tag of the answer that you have: 304 if it is still good.",
        "schema": {"type": "string"},
    },
}

ANSWER_HEADERS: Final[dict[str, Schema]] = {
    "ETag": {"description": "The version, and whose view it is.", "schema": {"type": "string"}},
    "Link": {
        "description": '`rel="next"`: the page that follows (RFC 8288), if there is one.',
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "The address of what was made.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Content-Disposition": {
        "description": "The name to keep it under (RFC 6266).",
        "schema": {"type": "string"},
    },
    "Content-Language": {
        "description": "The language of the texts.",
        "schema": {"type": "string"},
    },
    "Vary": {
        "description": "The answer depends on this header of the request.",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "What is left of the budget that this request was taken from, as far as "
        "this process knows (`r`), and the seconds until all of it is back (`t`).",
        "schema": {"type": "string"},
        "example": '"reads";r=299;t=1',
    },
    "RateLimit-Policy": {
        "description": "The budget: how many requests may come at once (`q`), and the seconds in "
        "which as many come back (`w`).",
        "schema": {"type": "string"},
        "example": '"reads";q=300;w=15',
    },
    "RetryAfter": {
        "description": "Seconds to wait.",
        "schema": {"type": "integer", "minimum": 1},
    },
}

EXAMPLES: Final[dict[str, Any]] = {
    "NewPlayer": {"name": "Ada"},
    "NewToken": {"scopes": ["bot"], "label": "my bot"},
    "NewGame": {
        "rulebook": "first_edition",
        "mode": "suspicion",
        "seats": 4,
        "time": {"limits_s": {"programming": 60, "decision": 30}},
    },
    "NewInvitations": {"players": ["p00-01jdq3v5k8m2n4p6r7s9t0w1xy"]},
    "NewSeat": {"characters": ["alice"]},
    "Choice": {"option": "look+move"},
    "Pause": {"reason": "break"},
    "Extension": {"seconds": 60, "reason": "technical"},
    "NewInspection": {"eyes": "seat:2", "reason": "complaint"},
    "Annulment": {"reason": "mistake"},
}

TAGS: Final = {
    "players": "People and programs that play.",
    "tokens": "What speaks for a player.",
    "rulebooks": "What can be played.",
    "games": "Tables, their views and their events.",
    "playing": "Decisions.",
    "directing": "For the director of a table.",
    "auditing": "For who inspects a running game.",
    "service": "The service about itself.",
}

_GAME: Final = {"game": "$response.body#/game"}
_SAME_GAME: Final = {"game": "$request.path.game"}

LINKS: Final[dict[str, dict[str, Schema]]] = {
    "RegisterPlayer": {"ReadPlayer": {"parameters": {"player": "$response.body#/id"}}},
    "IssueToken": {"RevokeToken": {"parameters": {"token": "$response.body#/id"}}},
    "ListRulebooks": {
        "ReadRulebook": {"parameters": {"rulebook": "$response.body#/rulebooks/0/id"}}
    },
    "OpenGame": {
        name: {"parameters": _GAME}
        for name in (
            *("ReadGame", "ReadEvents", "ReadState", "TakeSeat", "StartGame"),
            *("PauseGame", "ExtendTime", "AnnulGame"),
            *("InvitePlayers", "CloseGame", "InspectGame"),
        )
    },
    "InvitePlayers": {
        "WithdrawInvitation": {
            "parameters": {**_SAME_GAME, "player": "$response.body#/events/0/event/player"}
        }
    },
    "TakeSeat": {
        "ReadDecisions": {"parameters": _SAME_GAME},
        "LeaveSeat": {"parameters": {**_SAME_GAME, "seat": "$response.body#/events/0/event/seat"}},
    },
    "ReadDecisions": {
        "Choose": {"parameters": {**_SAME_GAME, "decision": "$response.body#/decisions/0/id"}}
    },
    "PauseGame": {"ResumeGame": {"parameters": _SAME_GAME}},
    "AnnulGame": {"ReadRecord": {"parameters": _SAME_GAME}},
}
"""Where an operation's answer leads: for each, the operations that take what it gives."""
