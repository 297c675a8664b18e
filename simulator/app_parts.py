"""Lets all apps of a process share what comes out the same for each.

A run of the tests makes a thousand apps of the same handlers and the same page, a run of kills
hundreds, and most of what waits there waits for them. Whoever imports this shares signatures, their
models, arguments, routes, schemas, rulebooks and the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import litestar.router
import msgspec
from litestar import Litestar, Router
from litestar._kwargs import KwargsModel
from litestar._signature import SignatureModel
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.types import AnyCallable, ASGIApp, Middleware, Receive, Scope, Send
from litestar.utils.signature import ParsedSignature

from games.game_registry import GameRegistry, installed_games
from runtime.settings import Secret, Settings
from service import app as app_module
from service.access.auth import Authenticator
from service.app import create_service
from service.contract import asyncapi, openapi, schemas
from service.contract.rulebook_answers import RulebookAnswers
from service.contract.schema_forms import Schema
from service.page import static_files
from service.page.static_files import WEB, StaticFiles

_read_signature = ParsedSignature.from_fn
_SIGNATURES: dict[tuple[str, str, str], ParsedSignature] = {}


def _signature(fn: AnyCallable, namespace: dict[str, Any]) -> ParsedSignature:
    """The signature of a function, read once."""
    name = (fn.__module__, fn.__qualname__, str(fn.__annotations__))
    if name not in _SIGNATURES:
        _SIGNATURES[name] = _read_signature(fn, namespace)
    return _SIGNATURES[name]


ParsedSignature.from_fn = _signature  # type: ignore[method-assign, assignment]  # it takes no class

_make_model = SignatureModel.create
_MODELS: dict[int, tuple[ParsedSignature, type[SignatureModel]]] = {}


def _model(*, parsed_signature: ParsedSignature, **more: Any) -> type[SignatureModel]:  # noqa: ANN401 (as it is)
    """The model of a signature, made once: no handler of ours has dependencies or DTOs."""
    assert not more["dependency_name_set"]
    assert more["data_dto"] is None
    known = _MODELS.get(id(parsed_signature))
    if known is None:
        made = _make_model(parsed_signature=parsed_signature, **more)
        known = _MODELS[id(parsed_signature)] = (parsed_signature, made)  # which keeps the id taken
    return known[1]


SignatureModel.create = _model  # type: ignore[method-assign, assignment]  # it takes no class

_make_arguments = BaseRouteHandler.create_kwargs_model
_ARGUMENTS: dict[tuple[int, frozenset[str]], tuple[ParsedSignature, KwargsModel]] = {}


def _arguments(handler: BaseRouteHandler, path_parameters: dict[str, Any]) -> KwargsModel:
    """How a handler's arguments are found in a request, worked out once."""
    assert not handler.resolve_dependencies()
    assert not handler.resolve_layered_parameters()
    signature = handler.parsed_fn_signature
    key = (id(signature), frozenset(path_parameters))
    if key not in _ARGUMENTS:
        _ARGUMENTS[key] = (signature, _make_arguments(handler, path_parameters))
    return _ARGUMENTS[key][1]


BaseRouteHandler.create_kwargs_model = _arguments  # type: ignore[method-assign, assignment]


def _same(router: Router) -> Router:
    """What Litestar would copy: a router that was made for one app, as was all that is in it."""
    return router


litestar.router.deepcopy = _same  # type: ignore[attr-defined, assignment]  # not exported

_make_router = Router
_ROUTERS: dict[str, Router] = {}


def _router(path: str, *, route_handlers: list[HTTPRouteHandler]) -> Router:
    """The router of a path, made once: its handlers are the same each time."""
    if path not in _ROUTERS:
        _ROUTERS[path] = _make_router(path, route_handlers=route_handlers)
    return _ROUTERS[path]


class _OwnAuthenticator(ASGIMiddleware):
    """Whoever lets requests into the app to which they have come."""

    scopes = (ScopeType.HTTP,)

    def __eq__(self, other: object) -> bool:
        """Whether that is what it stands for, as the fast path asks of what is before handlers."""
        return isinstance(other, _OwnAuthenticator | Authenticator)

    def __hash__(self) -> int:
        """All that are equal have one."""
        return hash(_OwnAuthenticator)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let that one handle a request."""
        [own] = scope["litestar_app"].middleware
        await cast("Authenticator", own).handle(scope, receive, send, next_app)


_make_app = app_module._App  # noqa: SLF001 (what an app takes is in it)
_ROUTED: dict[int, Litestar] = {}


def _app(
    *,
    middleware: list[Middleware],
    state: State,
    lifespan: list[Any],
    request_max_body_size: int,
    **same: Any,  # noqa: ANN401 (as Litestar takes it)
) -> Litestar:
    """An app whose routes were made for another with the same bound.

    Nine tenths of what an app takes are its routes. What is its own: who lets requests in, its
    state, its lifespan, and what hands requests over to the routes.
    """
    if request_max_body_size not in _ROUTED:
        _ROUTED[request_max_body_size] = _make_app(
            middleware=[_OwnAuthenticator()], request_max_body_size=request_max_body_size, **same
        )
    made = copy(_ROUTED[request_max_body_size])
    made.middleware, made.state = middleware, state
    made._lifespan_managers = lifespan  # noqa: SLF001 (nothing else leads there)
    made.event_emitter = type(made.event_emitter)([])
    made.asgi_router = copy(made.asgi_router)
    made.asgi_router.app = made
    made.asgi_handler = made._create_asgi_handler()  # noqa: SLF001 (same)
    return made


app_module.Router = _router  # type: ignore[attr-defined, assignment]  # it makes one
app_module._App = _app  # type: ignore[misc, assignment]  # noqa: SLF001 (same)

_make_components = schemas.components


@cache
def _written(
    requests: tuple[type, ...], answers: tuple[type, ...], registry: GameRegistry
) -> bytes:
    """The schemas of a document, made once."""
    return msgspec.json.encode(_make_components(requests, answers, registry))


def _components(
    requests: Iterable[type], answers: Iterable[type], game_registry: GameRegistry | None = None
) -> dict[str, Schema]:
    """The schemas of a document of the installed games: a copy, for a document may be changed."""
    if game_registry not in {None, installed_games()}:
        return _make_components(requests, answers, game_registry)
    found = _written(tuple(requests), tuple(answers), installed_games())
    shared: dict[str, Schema] = msgspec.json.decode(found)
    return shared


openapi.components = _components  # type: ignore[attr-defined]  # not exported
asyncapi.components = _components  # type: ignore[attr-defined]  # same


@cache
def _installed_rulebooks() -> RulebookAnswers:
    return RulebookAnswers(installed_games())


def _rulebooks(game_registry: GameRegistry) -> RulebookAnswers:
    """The rulebooks of the installed games, described once; others are a test's own."""
    ours = game_registry is installed_games()
    return _installed_rulebooks() if ours else RulebookAnswers(game_registry)


app_module.RulebookAnswers = _rulebooks  # type: ignore[attr-defined, assignment]  # same

_read_site = static_files.read_site
SITE: Final = _read_site(WEB)
"""The page."""


def _site(folder: Path) -> StaticFiles:
    """The page, read once; other folders are a test's own, and change."""
    return SITE if folder == WEB else _read_site(folder)


static_files.read_site = _site

_make_source = static_files.site_of


@cache
def _source_of_ours() -> Callable[[], StaticFiles]:
    return _make_source(WEB, fresh=False)


def _source(folder: Path, *, fresh: bool) -> Callable[[], StaticFiles]:
    """A source of the page, compressed once."""
    ours = folder == WEB and not fresh
    return _source_of_ours() if ours else _make_source(folder, fresh=fresh)


app_module.site_of = _source  # type: ignore[attr-defined]  # not exported


def make_all() -> None:
    """Make what is shared now, so that processes forked from this one find it made."""
    nowhere = "unix:///nowhere"
    keys = {"k1": Secret(b"1" * 32)}
    create_service(
        Settings(store_url=nowhere, rq_url=nowhere, keys=keys, current_key="k1", naming_key="k1")
    )
