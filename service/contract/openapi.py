"""The OpenAPI document, generated from the routes and types (pure).

Litestar's generator is not used: it knows neither our problem documents nor discriminators, and
writes bounds and examples that are not ours. Paths, parameters and bodies are taken from the
handlers that serve them, everything else from their ``Operation``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Final, get_args

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition
from msgspec.json import schema as json_schema
from msgspec.structs import replace

from events.version import VERSION
from games.game_registry import GameRegistry
from games.rulebooks import RulebookInfo
from service.contract.bodies import encode_sorted
from service.contract.operations import Operation
from service.contract.published import (
    ABOUT,
    ANSWER_HEADERS,
    EXAMPLES,
    HEADERS,
    LINKS,
    PATH_PARAMETERS,
    SERVER_SENT_EVENT,
    TAGS,
)
from service.contract.schema_forms import Schema, published_form
from service.contract.schema_names import published_name
from service.contract.schemas import components
from service.http.problems import KINDS, PROBLEM_JSON, Problem, ProblemType, problem
from service.http.replies import JSON, PNG, SSE

Kinds = Mapping[str, ProblemType]

_WIDEST: Final = 2**31 - 1
"""The largest integer that generated clients can hold where a schema has no format."""


def document(app: Litestar) -> Schema:
    """The OpenAPI 3.1 document of an app; its examples use the first game of its registry."""
    app_context = app.state["app_context"]
    game_registry, kinds = app_context.tables.game_registry, app_context.kinds
    examples = {**EXAMPLES, **next(iter(game_registry.games.values())).published.examples}
    requests: dict[type, None] = {}
    answers: dict[type, None] = {}
    statuses: set[int] = set()
    paths: dict[str, Schema] = {}
    for path, method, handler in _handlers(app):
        described = _of_games(handler.opt["operation"], game_registry)
        body = handler.parsed_data_field
        requests |= {} if body is None else {body.annotation: None}
        answers |= dict.fromkeys(each for kind in described.answers() for each in _kinds(kind))
        paths.setdefault(path, {})[method] = _operation(path, handler, described, examples, kinds)
        statuses |= _by_status(_codes(path, described), kinds).keys()
    return {
        "openapi": "3.1.0",
        "info": {"title": "Parlour", "version": VERSION, "description": ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": components(requests, answers, game_registry),
            "responses": {_problem_name(each): _problem(each) for each in sorted(statuses)},
            "parameters": HEADERS,
            "headers": ANSWER_HEADERS,
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
    """Every documented operation: its path, its method in lower case, its handler."""
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for method, (handler, _) in sorted(route.route_handler_map.items()):
            if "operation" in handler.opt:
                yield route.path_format, method.lower(), handler


def _operation(
    path: str,
    handler: HTTPRouteHandler,
    described: Operation,
    examples: Mapping[str, Any],
    kinds: Kinds,
) -> Schema:
    text = " ".join((handler.fn.__doc__ or "").split("\n\n")[0].split())
    rest = [" ".join(part.split()) for part in (handler.fn.__doc__ or "").split("\n\n")[1:]]
    result: Schema = {
        "operationId": handler.operation_id,
        "summary": text,
        "tags": list(handler.tags or ()),
        "security": _security(described, is_open="open" in handler.opt),
        "responses": _responses(path, described, handler, kinds),
        "x-problems": sorted(_codes(path, described)),
    }
    if described.scopes is not None:
        result["x-scopes"] = list(described.scopes)
        rest.append(f"Requires one of the scopes: {', '.join(described.scopes)}.")
    if rest:
        result["description"] = "\n\n".join(rest)
    parameters = [*_path_parameters(path), *_queries(handler), *_headers(described)]
    if parameters:
        result["parameters"] = parameters
    body = handler.parsed_data_field
    if body is not None:
        content = {"schema": _ref(body.annotation), "example": examples[body.annotation.__name__]}
        result["requestBody"] = {"required": True, "content": {"application/json": content}}
    return result


def _security(described: Operation, *, is_open: bool) -> list[Schema]:
    bearer: Schema = {"bearer": []}
    if is_open or (described.keyed and described.scopes is None):
        return []
    return [bearer] if described.scopes is not None else [{}, bearer]


def _path_parameters(path: str) -> list[Schema]:
    return [
        {"name": name, "in": "path", "required": True, **PATH_PARAMETERS[name]}
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
        # One that a handler checks itself, to say in words what is wrong, is in the extra schema.
        "pattern": said.pattern or (said.schema_extra or {}).get("pattern"),
        "maxLength": said.max_length,
        "enum": said.enum,
        "default": None if kinds is not None or field.is_required else field.default,
    }
    schema |= {name: value for name, value in bounds.items() if value is not None}
    schema = published_form(schema, str, is_open=False)
    if schema["type"] == "integer" and schema.get("maximum", 0) > _WIDEST:
        schema["format"] = "int64"
    result: Schema = {"name": said.name or field.name, "in": "query", "required": field.is_required}
    if said.description:
        result["description"] = said.description
    return {**result, "schema": schema}


def _headers(described: Operation) -> list[Schema]:
    found = []
    if described.keyed:
        found.append("IdempotencyKey" if described.scopes is not None else "RegistrationKey")
    elif "idempotency-key-invalid" in described.problems:
        found.append("OptionalIdempotencyKey")
    if described.matched:
        found.append("IfMatch")
    if described.tagged:
        found.append("IfNoneMatch")
    if described.resumed:
        found.append("LastEventId")
    if "Content-Language" in described.headers:
        found.append("AcceptLanguage")
    return [{"$ref": f"#/components/parameters/{name}"} for name in found]


def _codes(path: str, described: Operation) -> tuple[str, ...]:
    """The problems that an operation may return.

    A path with parameters may also be not found: some values do not match any route.
    """
    return (*described.problems, "not-found") if "{" in path else described.problems


def _responses(path: str, described: Operation, handler: HTTPRouteHandler, kinds: Kinds) -> Schema:
    """The success answer, 304 where there is an entity tag, and the problems by status."""
    good: Schema = {"description": "Done." if described.keyed else "Success."}
    if described.status != 204:  # noqa: PLR2004 (no content)
        kind = {} if described.answer is None else {"schema": _schema(described.answer)}
        others: Schema = {
            SSE: {"schema": SERVER_SENT_EVENT},
            # OpenAPI 3.1 would leave the schema out; generators take this for bytes, not for text.
            PNG: {"schema": {"type": "string", "format": "binary"}},
        }
        lines: Schema = {"schema": {"type": "string"}}
        good["content"] = {
            media: kind if media == JSON else others.get(media, lines) for media in described.media
        }
    names = [*described.headers, *(["ETag"] if described.tagged else [])]
    if "budget" in handler.opt:
        names += ["RateLimit", "RateLimit-Policy"]
    if names:
        good["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    links = LINKS.get(str(handler.operation_id))
    if links is not None:
        good["links"] = {target: {"operationId": target, **link} for target, link in links.items()}
    responses: dict[int, Schema] = {described.status: good}
    for status, (said, body) in described.other.items():
        responses[status] = {"description": said, "content": {JSON: {"schema": _ref(body)}}}
    if described.tagged:
        responses[304] = {"description": "Your copy is current."}
    if described.resumed:
        responses[204] = {
            "description": "The game is over and you have all of it: do not reconnect."
        }
    for status, codes in _by_status(_codes(path, described), kinds).items():
        responses[status] = {
            "$ref": f"#/components/responses/{_problem_name(status)}",
            "description": "\n".join(f"`{code}`: {kinds[code].title}." for code in sorted(codes)),
        }
    return {str(status): responses[status] for status in sorted(responses)}


def _by_status(codes: tuple[str, ...], kinds: Kinds) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in codes:
        found.setdefault(kinds[code].status, []).append(code)
    return found


def _problem_name(status: int) -> str:
    return f"Problem{status}"


def _problem(status: int) -> Schema:
    """The problem answer of one status, shared by all operations.

    The kinds that an operation may return are listed where it refers to this, and in
    ``x-problems``.
    """
    kind = next(kind for kind in KINDS.values() if kind.status == status)
    example = problem(kind.code, kind.title.lower())
    result: Schema = {
        "description": f"A problem of the status {status}; its `type` says which.",
        "content": {PROBLEM_JSON: {"schema": _ref(Problem), "example": example}},
    }
    if status in {429, 503}:
        result["headers"] = {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}}
    return result


def _of_games(described: Operation, game_registry: GameRegistry) -> Operation:
    """An operation with what these games add to it.

    These are their reasons for refusing it, and the types of their rulebooks' descriptions.
    """
    published = [game.published for game in game_registry.games.values()]
    if described.refused is not None:
        own = (r.code for p in published for r in p.refusals if r.refused == described.refused)
        described = replace(described, problems=tuple(dict.fromkeys((*described.problems, *own))))
    if described.answer is not RulebookInfo:
        return described
    return replace(described, answer=reduce(or_, dict.fromkeys(p.description for p in published)))


def _kinds(answer: Any) -> tuple[type, ...]:  # noqa: ANN401 (a type, or a union of some)
    return get_args(answer) or (answer,)


def _schema(answer: Any) -> Schema:  # noqa: ANN401 (a type, or a union of some)
    refs = [_ref(kind) for kind in _kinds(answer)]
    return refs[0] if len(refs) == 1 else {"anyOf": refs}


def _ref(kind: type) -> Schema:
    return {"$ref": f"#/components/schemas/{published_name(kind)}"}


def document_bytes(app: Litestar) -> bytes:
    """The document as served: JSON with sorted keys."""
    return encode_sorted(document(app))
