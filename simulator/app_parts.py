"""Lets all apps of a process share what comes out the same for each.

A run of the tests makes a thousand apps of the same handlers and the same page, a run of kills
hundreds, and most of what waits there waits for them. Whoever imports this shares signatures, their
models, arguments, routers and the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import litestar.router
from litestar import Router
from litestar._kwargs import KwargsModel
from litestar._signature import SignatureModel
from litestar.handlers.base import BaseRouteHandler
from litestar.types import AnyCallable
from litestar.utils.signature import ParsedSignature

from runtime.settings import Secret, Settings
from service.app import create_service
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

_read_site = static_files.read_site
SITE: Final = _read_site(WEB)
"""The page."""


def _site(folder: Path) -> StaticFiles:
    """The page, read once; other folders are a test's own, and change."""
    return SITE if folder == WEB else _read_site(folder)


static_files.read_site = _site


def make_all() -> None:
    """Make what is shared now, so that processes forked from this one find it made."""
    nowhere = "unix:///nowhere"
    keys = {"k1": Secret(b"1" * 32)}
    create_service(
        Settings(store_url=nowhere, rq_url=nowhere, keys=keys, current_key="k1", naming_key="k1")
    )
