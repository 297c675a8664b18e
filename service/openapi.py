"""The OpenAPI document, made from the routes and the types themselves (pure).

Litestar's generator is passed over: it knows neither our problem documents nor discriminators, and
writes bounds and examples that are not ours. Paths, parameters and bodies are read off the very
handlers that serve them, everything else off their ``Operation``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, Final, get_args

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition
from msgspec.json import schema as json_schema

from service.operations import Operation
from service.problems import KINDS, PROBLEM_JSON, Problem, problem
from service.schemas import Schema, components
from service.wire import GAME_ID, PLAYER_ID, encode_sorted

API_VERSION: Final = "1.0.0"

_ABOUT: Final = """\
Games in which people keep secrets from one another, over REST.

Every command carries an `Idempotency-Key`, and its repetition has the first answer. Every refusal
is a problem document (RFC 9457) whose `type` the service explains. What you may not know is not in
any answer. `docs/clients.md` is the guide.
"""

_PATH_PARAMETERS: Final[dict[str, Schema]] = {
    "game": {"description": "The game's id.", "schema": {"type": "string", "pattern": GAME_ID}},
    "player": {
        "description": "The player's id.",
        "schema": {"type": "string", "pattern": PLAYER_ID},
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
    "problem": {
        "description": "The problem's code.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9-]+$"},
    },
}

_HEADERS: Final[dict[str, Schema]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "Your name for this command: a repetition under the same key has the first "
        "answer. Remembered with the game or account for as long as that lives. At least 16 "
        "characters, chosen at random, for a registration.",
        "schema": {"type": "string", "pattern": "^[!-~]{16,128}$"},
        "example": "5f0c2f4e-7d0b-4f5e-9a3c-1c8f3f6f5b11",
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
        "description": "The entity tag of a view: refuse the command if the game has moved on.",
        "schema": {"type": "string", "pattern": '^(\\*|"[0-9]{1,9}(-[a-z0-9:-]{1,60})?")$'},
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": "The languages that you read, with their qualities (RFC 9110).",
        "schema": {"type": "string", "maxLength": 400},
        "example": "pl, fr;q=0.7",
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The entity tag of the answer that you have: 304 if it is still good.",
        "schema": {"type": "string", "maxLength": 200},
    },
}

_ANSWER_HEADERS: Final[dict[str, Schema]] = {
    "ETag": {"description": "The version, and whose view it is.", "schema": {"type": "string"}},
    "Link": {
        "description": '`rel="next"`: the page that follows (RFC 8288), if there is one.',
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "The address of what was made.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Content-Language": {
        "description": "The language of the texts.",
        "schema": {"type": "string"},
    },
    "Vary": {
        "description": "The answer depends on this header of the request.",
        "schema": {"type": "string"},
    },
    "RetryAfter": {
        "description": "Seconds to wait.",
        "schema": {"type": "integer", "minimum": 1},
    },
}

_EXAMPLES: Final[dict[str, Any]] = {
    "NewPlayer": {"name": "Ada"},
    "NewToken": {"scopes": ["bot"], "label": "my bot"},
    "NewGame": {
        "rulebook": "first_edition",
        "mode": "suspicion",
        "seats": 4,
        "time": {"programming_s": 60, "decision_s": 30},
    },
    "NewSeat": {"characters": ["alice"]},
    "Choice": {"option": "look+move"},
    "Pause": {"reason": "a storm"},
    "Extension": {"seconds": 60, "reason": "a call from the door"},
    "Annulment": {"reason": "opened by mistake"},
}

_TAGS: Final = {
    "players": "People and programs that play.",
    "tokens": "What speaks for a player.",
    "rulebooks": "What can be played.",
    "games": "Tables, their views and their events.",
    "playing": "Decisions.",
    "directing": "For the director of a table.",
    "service": "The service about itself.",
}


def document(app: Litestar) -> Schema:
    """The OpenAPI 3.1 document of an app."""
    types: list[Any] = []
    paths: dict[str, Schema] = {}
    for path, method, handler in _handlers(app):
        described: Operation = handler.opt["operation"]
        body = handler.parsed_data_field
        types += [] if body is None else [body.annotation]
        types += [] if described.answer is None else [described.answer]
        paths.setdefault(path, {})[method] = _operation(path, handler, described)
    unique = list(dict.fromkeys(types))
    return {
        "openapi": "3.1.0",
        "info": {"title": "room25", "version": API_VERSION, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(components(unique).items())),
            "parameters": _HEADERS,
            "headers": _ANSWER_HEADERS,
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token from `POST /v1/players` or `POST /v1/tokens`.",
                }
            },
        },
    }


def _handlers(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    """Every documented operation: its path, its method in small letters, its handler."""
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for method, (handler, _) in sorted(route.route_handler_map.items()):
            if "operation" in handler.opt:
                yield route.path_format, method.lower(), handler


def _operation(path: str, handler: HTTPRouteHandler, described: Operation) -> Schema:
    text = " ".join((handler.fn.__doc__ or "").split("\n\n")[0].split())
    rest = [" ".join(part.split()) for part in (handler.fn.__doc__ or "").split("\n\n")[1:]]
    result: Schema = {
        "operationId": handler.operation_id,
        "summary": text,
        "tags": list(handler.tags or ()),
        "security": _security(described, is_open="open" in handler.opt),
        "responses": _responses(described),
    }
    if described.scopes is not None:
        result["x-scopes"] = list(described.scopes)
        rest.append(f"One of the scopes is needed: {', '.join(described.scopes)}.")
    if rest:
        result["description"] = "\n\n".join(rest)
    parameters = [*_path_parameters(path), *_queries(handler), *_headers(described)]
    if parameters:
        result["parameters"] = parameters
    body = handler.parsed_data_field
    if body is not None:
        name = body.annotation.__name__
        content = {"schema": _ref(name), "example": _EXAMPLES[name]}
        result["requestBody"] = {"required": True, "content": {"application/json": content}}
    return result


def _security(described: Operation, *, is_open: bool) -> list[Schema]:
    bearer: Schema = {"bearer": []}
    if is_open or (described.keyed and described.scopes is None):
        return []
    return [bearer] if described.scopes is not None else [{}, bearer]


def _path_parameters(path: str) -> list[Schema]:
    return [
        {"name": name, "in": "path", "required": True, **_PATH_PARAMETERS[name]}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _queries(handler: HTTPRouteHandler) -> list[Schema]:
    fields = handler.parsed_fn_signature.parameters.values()
    return [
        _query(field, field.kwarg_definition)
        for field in fields
        if isinstance(field.kwarg_definition, QueryParameter)
    ]


def _query(field: FieldDefinition, said: QueryParameter) -> Schema:
    kinds = get_args(field.annotation) if isinstance(field.annotation, UnionType) else None
    kind = next(k for k in kinds or (field.annotation,) if k is not NoneType)
    schema: Schema = dict(json_schema(kind))
    bounds = {
        "minimum": said.ge,
        "maximum": said.le,
        "pattern": said.pattern,
        "maxLength": said.max_length,
        "enum": said.enum,
        "default": field.default if kinds is None else None,
    }
    schema |= {name: value for name, value in bounds.items() if value is not None}
    result: Schema = {"name": said.name or field.name, "in": "query", "required": False}
    if said.description:
        result["description"] = said.description
    return {**result, "schema": schema}


def _headers(described: Operation) -> list[Schema]:
    found = []
    if described.keyed:
        found.append("IdempotencyKey")
    elif "idempotency-key-invalid" in described.problems:
        found.append("OptionalIdempotencyKey")
    if described.matched:
        found.append("IfMatch")
    if described.tagged:
        found.append("IfNoneMatch")
    if "Content-Language" in described.headers:
        found.append("AcceptLanguage")
    return [{"$ref": f"#/components/parameters/{name}"} for name in found]


def _responses(described: Operation) -> Schema:
    """The good answer, 304 where there is an entity tag, and the problems by status."""
    good: Schema = {"description": "Done." if described.keyed else "The answer."}
    if described.status != 204:  # noqa: PLR2004 (no content)
        kind = {} if described.answer is None else {"schema": _ref(described.answer.__name__)}
        lines: Schema = {"schema": {"type": "string"}}
        good["content"] = {
            media: kind if media == "application/json" else lines for media in described.media
        }
    names = [*described.headers, *(["ETag"] if described.tagged else [])]
    if names:
        good["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    responses: dict[int, Schema] = {described.status: good, **described.other}
    if described.tagged:
        responses[304] = {"description": "What you have is good."}
    for status, codes in sorted(_by_status(described.problems).items()):
        responses[status] = _problems(status, codes)
    return {str(status): responses[status] for status in sorted(responses)}


def _by_status(codes: tuple[str, ...]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in codes:
        found.setdefault(KINDS[code].status, []).append(code)
    return found


def _problems(status: int, codes: list[str]) -> Schema:
    """The answer of one status: a problem of one of these kinds."""
    titles = [f"`{code}`: {KINDS[code].title}." for code in sorted(codes)]
    types = [f"/problems/{code}" for code in sorted(codes)]
    example = problem(codes[0], KINDS[codes[0]].title.lower())
    schema = {
        "allOf": [_ref(Problem.__name__), {"properties": {"type": {"enum": types}}}],
    }
    result: Schema = {
        "description": "\n".join(titles),
        "content": {PROBLEM_JSON: {"schema": schema, "example": example}},
    }
    if status in {429, 503}:
        result["headers"] = {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}}
    return result


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def document_bytes(app: Litestar) -> bytes:
    """The document as it is served: JSON with sorted keys."""
    return encode_sorted(document(app))
