"""The parts of the OpenAPI document that neither routes nor types can express (data)."""

from __future__ import annotations

from typing import Any, Final

from events.patterns import ecma
from games.trees import PATH, PATH_MAX
from service.contract.bodies import GAME_ID, PLAYER_ID
from service.contract.schema_forms import Schema
from service.http.replies import IF_MATCH

ABOUT: Final = """\
Board games with secrets, over REST.

Every command carries an `Idempotency-Key`, and a repetition gets the first answer. Every refusal is
a problem document (RFC 9457) whose `type` the service explains. No answer contains what you may not
know. `docs/clients.md` is the guide.

Every GET also supports HEAD, which returns the same headers without a body and opens no stream.
Without a token, documents, rulebooks and finished games are compressed if `Accept-Encoding` allows
gzip; the compressed form has an `ETag` of its own, and `If-None-Match` accepts either.
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
        "description": "The token's id, not the token itself.",
        "schema": {"type": "string", "pattern": "^t[0-9a-f]{16}$"},
    },
    "link": {
        "description": "The id of a device link, or of a link to a table; not its secret.",
        "schema": {"type": "string", "pattern": "^[il][0-9a-f]{16}$"},
    },
    "passkey": {
        "description": "The id of a passkey, as `GET /v1/tokens` lists it.",
        "schema": {"type": "string", "pattern": "^k[0-9a-f]{16}$"},
    },
    "seat": {
        "description": "The seat's number, from 1.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 8},
    },
    "decision": {
        "description": "The decision's id, as `decisions` lists it.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[a-z0-9_-]+$"},
    },
    "option": {
        "description": "The id of a branch, as it is listed: the path to it.",
        "schema": {
            "type": "string",
            "minLength": 1,
            "maxLength": PATH_MAX,
            "pattern": ecma(PATH),
        },
        "examples": {
            "first-level": {"value": "trade", "summary": "A branch that `decisions` lists."},
            "below-it": {"value": "trade.s2", "summary": "A branch below another one."},
        },
    },
    "rulebook": {
        "description": "The rulebook's id.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9_]+$"},
    },
    "season": {
        "description": "A quarter of a year, by UTC, or `all`.",
        "schema": {"type": "string", "pattern": "^(all|[0-9]{4}-[1-4])$"},
        "example": "2026-4",
    },
    "address": {
        "description": "An IPv4 or IPv6 address.",
        "schema": {"type": "string", "minLength": 2, "maxLength": 45},
        "example": "203.0.113.7",
    },
    "tour": {
        "description": "The tour's id.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"},
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
        "description": "Identifies this command: a repetition under the same key gets the first "
        "answer. Remembered as long as the game or account exists.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
        "example": "5f0c2f4e-7d0b-4f5e-9a3c-1c8f3f6f5b11",
    },
    "RegistrationKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "As for commands, but long and chosen at random: it alone distinguishes you "
        "from others, and repeating it shows your token.",
        "schema": {"type": "string", "pattern": "^[!-~]{16,128}$"},
        "example": "0b9a64f8-3b8e-4a8b-8f5e-6f1d7c2e9a40",
    },
    "OptionalIdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "As for commands, but optional.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": "The entity tag of a view: the command is refused if the game has moved on; "
        "a choice, if something has happened in the game itself.",
        "schema": {"type": "string", "pattern": ecma(IF_MATCH)},
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": "Your languages, with their quality values (RFC 9110).",
        "schema": {"type": "string"},
        "example": "pl, fr;q=0.7",
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "required": False,
        "description": "The last version that you have: the stream resumes after it. Browsers send "
        "it automatically when they reconnect.",
        "schema": {"type": "string", "pattern": "^[0-9]{0,10}$"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The entity tag of the answer that you have: 304 if it is still current.",
        "schema": {"type": "string"},
    },
}

ANSWER_HEADERS: Final[dict[str, Schema]] = {
    "ETag": {"description": "The version and the viewer.", "schema": {"type": "string"}},
    "Link": {
        "description": '`rel="next"`: the next page (RFC 8288), if there is one.',
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "The address of the created resource.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Content-Disposition": {
        "description": "The suggested file name (RFC 6266).",
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
        "description": "What is left of the budget charged for this request, as far as this "
        "process knows (`r`), and the seconds until all of it is restored (`t`).",
        "schema": {"type": "string"},
        "example": '"reads";r=299;t=1',
    },
    "RateLimit-Policy": {
        "description": "The budget: how many requests may be made at once (`q`), and the seconds "
        "in which it is fully restored (`w`).",
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
    "NewName": {"name": "Ada"},
    "NewToken": {"scopes": ["bot"], "label": "my bot"},
    "SignInSecret": {"secret": "plr-link.p00-01jdq3v5k8m2n4p6r7s9t0w1xy." + "x" * 43},
    "NewPasskey": {"client_data": "e30", "attestation": "oA", "label": "my phone"},
    "PasskeySignIn": {
        "credential": "AAAA",
        "user": "cDAwLTAxamRxM3Y1azhtMm40cDZyN3M5dDB3MXh5",
        "client_data": "e30",
        "authenticator_data": "AAAA",
        "signature": "AAAA",
    },
    "NewLabel": {"label": "the kitchen tablet"},
    "NewInvitationLink": {"minutes": 60, "uses": 1},
    "InvitationSecret": {"secret": "plr-table.g00-01jdq3v5k8m2n4p6r7s9t0w1xy." + "x" * 43},
    "NewRematch": {"entropy": "c2Vl"},
    "NewTourPlace": {"at": 41, "eyes": "seat:2"},
    "NewBranch": {"version": 41, "seats": [1], "guests": [3]},
    "NewInvitations": {"players": ["p00-01jdq3v5k8m2n4p6r7s9t0w1xy"]},
    "Pause": {"reason": "break"},
    "Extension": {"seconds": 60, "reason": "technical"},
    "NewPause": {"minutes": 10},
    "NewPauseVote": {"vote": "agree"},
    "NewPhrase": {"phrase": "hello", "to": 2},
    "NewInspection": {"eyes": "seat:2", "reason": "complaint"},
    "Annulment": {"reason": "mistake"},
}

TAGS: Final = {
    "players": "People and programs that play.",
    "tokens": "Credentials of players.",
    "rulebooks": "What can be played.",
    "games": "Tables, their views and their events.",
    "playing": "Decisions, phrases and pauses by agreement.",
    "directing": "For the director of a table.",
    "auditing": "For auditors of a running game.",
    "service": "The service itself.",
}

_GAME: Final = {"game": "$response.body#/game"}
_SAME_GAME: Final = {"game": "$request.path.game"}

LINKS: Final[dict[str, dict[str, Schema]]] = {
    "RegisterPlayer": {"ReadPlayer": {"parameters": {"player": "$response.body#/id"}}},
    "IssueToken": {
        name: {"parameters": {"token": "$response.body#/id"}}
        for name in ("LabelToken", "RevokeToken")
    },
    "MakeDeviceLink": {
        "WithdrawDeviceLink": {"parameters": {"link": "$response.body#/id"}},
    },
    "MakePasskey": {
        name: {"parameters": {"passkey": "$response.body#/id"}}
        for name in ("LabelPasskey", "RevokePasskey")
    },
    "ListRulebooks": {
        "ReadRulebook": {
            "parameters": {
                "rulebook": "$response.body#/rulebooks/0/id",
                "game": "$response.body#/rulebooks/0/game",
            }
        }
    },
    "OpenGame": {
        name: {"parameters": _GAME}
        for name in (
            *("ReadGame", "ReadEvents", "ReadState", "TakeSeat", "StartGame"),
            *("PauseGame", "ExtendTime", "AnnulGame"),
            *(
                "InvitePlayers",
                "MakeInvitationLink",
                "ListInvitationLinks",
                "CloseGame",
                "InspectGame",
                "SayPhrase",
            ),
            *("ProposePause", "VoteOnPause"),
        )
    },
    "ProposeRematch": {
        name: {"parameters": _GAME} for name in ("ReadGame", "ReadDecisions", "CloseGame")
    },
    "BranchGame": {name: {"parameters": _GAME} for name in ("ReadGame", "ReadDecisions")},
    "BeginTour": {
        name: {"parameters": {**_GAME, "tour": "$response.body#/tour"}}
        for name in ("FollowTour", "LeadTour", "TakeLead", "EndTour")
    },
    "InvitePlayers": {
        "WithdrawInvitation": {
            "parameters": {**_SAME_GAME, "player": "$response.body#/events/0/event/player"}
        }
    },
    "MakeInvitationLink": {
        "WithdrawInvitationLink": {
            "parameters": {**_SAME_GAME, "link": "$response.body#/id"},
        },
    },
    "TakeInvitation": {name: {"parameters": _GAME} for name in ("ReadGame", "TakeSeat")},
    "TakeSeat": {
        "ReadDecisions": {"parameters": _SAME_GAME},
        "LeaveSeat": {"parameters": {**_SAME_GAME, "seat": "$response.body#/events/0/event/seat"}},
    },
    "ReadDecisions": {
        "Choose": {"parameters": {**_SAME_GAME, "decision": "$response.body#/decisions/0/id"}},
        "ReadOptions": {
            "parameters": {
                **_SAME_GAME,
                "decision": "$response.body#/decisions/0/id",
                "option": "$response.body#/decisions/0/options/0/id",
            }
        },
        "ReadUnavailable": {
            "parameters": {**_SAME_GAME, "decision": "$response.body#/decisions/0/id"}
        },
    },
    "ReadOptions": {
        "Choose": {"parameters": {**_SAME_GAME, "decision": "$response.body#/decision"}},
        "ReadOptions": {
            "parameters": {
                **_SAME_GAME,
                "decision": "$response.body#/decision",
                "option": "$response.body#/options/0/id",
            }
        },
        "ReadUnavailableBelow": {
            "parameters": {
                **_SAME_GAME,
                "decision": "$response.body#/decision",
                "option": "$response.body#/option",
            }
        },
    },
    "PauseGame": {"ResumeGame": {"parameters": _SAME_GAME}},
    "AnnulGame": {"ReadRecord": {"parameters": _SAME_GAME}},
}
"""For each operation, the operations that accept values from its answer."""
