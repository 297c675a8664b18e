"""The service itself: health, metrics, problems and documents."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from events.version import VERSION
from games.game_registry import GameRegistry
from games.words import LANGUAGES, WORDS
from service.app_context import app_context_of
from service.contract.about_bodies import (
    Alive,
    ApiInfo,
    ApiLinks,
    ProblemKind,
    ProblemKinds,
    Ready,
    Writable,
)
from service.contract.asyncapi import async_document
from service.contract.bodies import API_VERSION, encode, encode_sorted
from service.contract.openapi import document_bytes
from service.contract.operations import open_to_all
from service.http.metrics import MEDIA_TYPE
from service.http.problems import ProblemType, Refused
from service.http.replies import Fixed, Reply, done
from service.http.requests import StrictRequest

_FAILED: Final = "At least one check fails."
_DOCUMENT: Final = "openapi_document"
_STREAMS: Final = "asyncapi_document"
_PROBLEMS: Final = "problem_kinds"


@get("/health/live", operation_id="CheckLive", tags=["service"], opt=open_to_all(Alive))
async def check_live(request: StrictRequest) -> Reply:
    """Whether the process is alive."""
    del request
    return done(encode(Alive(version=VERSION)))


@get(
    "/health/ready",
    operation_id="CheckReady",
    tags=["service"],
    opt=open_to_all(Ready, other={503: (_FAILED, Ready)}),
)
async def check_ready(request: StrictRequest) -> Reply:
    """Whether the process can serve reads: 200 if every check holds, else 503, within two seconds.

    `store`: every shard of the store answers; `settings`: the number of shards and the secrets
    match the store's; `feeds`: the process receives what is appended; `open`: it is not shutting
    down.
    """
    app_context = app_context_of(request)
    checks = {
        "store": await app_context.health.reads.holds(),
        "settings": app_context.watch.known is None or app_context.watch.known.fits,
        "feeds": all(each.healthy for each in app_context.subscribers),
        "open": not app_context.closing.is_set(),
    }
    ready = all(checks.values())
    return done(encode(Ready(ready=ready, checks=checks)), 200 if ready else 503)


@get(
    "/health/writable",
    operation_id="CheckWritable",
    tags=["service"],
    opt=open_to_all(Writable, other={503: (_FAILED, Writable)}),
)
async def check_writable(request: StrictRequest) -> Reply:
    """Whether the process can append: 200 if every check holds, else 503, within two seconds.

    `store`: every shard of the store has just accepted a write; `durable`: it keeps what it
    acknowledges; `known`: it is the store that this process knows, itself or from the clock
    process, and has lost nothing that was seen; `clock`: the clocks of process and store agree;
    `room`: the store is not so full that choices are refused; `open`: the process is not shutting
    down.
    """
    app_context = app_context_of(request)
    guard = app_context.tables.log.guard
    store, durable = await asyncio.gather(
        app_context.health.writes.holds(), app_context.health.keeps.holds()
    )
    checks = {
        "store": store,
        "durable": durable,
        "known": app_context.watch.may_write,
        "clock": guard is None or guard.is_right,
        "room": app_context.room.takes_choices,
        "open": not app_context.closing.is_set(),
    }
    writable = all(checks.values())
    return done(encode(Writable(writable=writable, checks=checks)), 200 if writable else 503)


@get(
    "/metrics",
    operation_id="ReadMetrics",
    tags=["service"],
    opt=open_to_all(None, media=("text/plain",)),
)
async def read_metrics(request: StrictRequest) -> Reply:
    """The metrics of the process, in the Prometheus text format."""
    app_context = app_context_of(request)
    subscribers = app_context.subscribers
    app_context.metrics.feeds_healthy.set(all(each.healthy for each in subscribers))
    app_context.metrics.feeds_followed.set(sum(len(each.shards) for each in subscribers))
    app_context.metrics.stream_callers.set(app_context.connection_limits.callers)
    app_context.metrics.store_level.set(app_context.room.level)
    app_context.metrics.store_known.set(app_context.watch.may_write)
    for resource, share in app_context.room.shares.items():
        app_context.metrics.store_fullness.labels(resource).set(share)
    guard = app_context.tables.log.guard
    if guard is not None:
        app_context.metrics.clock_offset.set(guard.worst_ms / 1000)
    return Reply(app_context.metrics.render(), media_type=MEDIA_TYPE.encode())


@get(
    "/problems",
    operation_id="ListProblems",
    tags=["service"],
    opt=open_to_all(ProblemKinds, tagged=True),
)
async def list_problems(request: StrictRequest) -> Reply:
    """Every kind of problem that the service reports."""
    app_context = app_context_of(request)
    state = request.app.state
    if _PROBLEMS not in state:
        kinds = tuple(
            _kind(kind, app_context.tables.game_registry) for kind in app_context.kinds.values()
        )
        state[_PROBLEMS] = Fixed.of(encode(ProblemKinds(problems=kinds)))
    listed: Fixed = state[_PROBLEMS]
    return await app_context.compressor.fixed(request, listed)


@get(
    "/problems/{problem:str}",
    operation_id="ReadProblem",
    tags=["service"],
    opt=open_to_all(ProblemKind, problems=("problem-not-found",)),
)
async def read_problem(request: StrictRequest, problem: FromPath[str]) -> Reply:
    """What a kind of problem means, at the address that problem documents give as their `type`."""
    app_context = app_context_of(request)
    found = app_context.kinds.get(problem)
    if found is None:
        raise Refused("problem-not-found", "problem kind not found")
    return done(encode(_kind(found, app_context.tables.game_registry)))


@get("/v1", operation_id="ReadApi", tags=["service"], opt=open_to_all(ApiInfo, tagged=True))
async def read_api(request: StrictRequest) -> Reply:
    """The versions of the program and the API, and links to everything else."""
    return await app_context_of(request).compressor.fixed(request, _api())


@get(
    "/v1/openapi.json",
    operation_id="ReadDocument",
    tags=["service"],
    opt=open_to_all(None, tagged=True),
)
async def read_document(request: StrictRequest) -> Reply:
    """The OpenAPI document."""
    state = request.app.state
    if _DOCUMENT not in state:
        state[_DOCUMENT] = Fixed.of(document_bytes(request.app))
    document: Fixed = state[_DOCUMENT]
    return await app_context_of(request).compressor.fixed(request, document)


@get(
    "/v1/asyncapi.json",
    operation_id="ReadStreamDocument",
    tags=["service"],
    opt=open_to_all(None, tagged=True),
)
async def read_stream_document(request: StrictRequest) -> Reply:
    """The AsyncAPI 3.1 document of the streams."""
    app_context, state = app_context_of(request), request.app.state
    if _STREAMS not in state:
        state[_STREAMS] = Fixed.of(encode_sorted(async_document(app_context.tables.game_registry)))
    streams: Fixed = state[_STREAMS]
    return await app_context.compressor.fixed(request, streams)


@cache
def _api() -> Fixed:
    root = f"/{API_VERSION}"
    links = ApiLinks(
        openapi=f"{root}/openapi.json",
        asyncapi=f"{root}/asyncapi.json",
        problems="/problems",
        rulebooks=f"{root}/rulebooks",
        games=f"{root}/games",
        stream=f"{root}/stream",
    )
    return Fixed.of(
        encode(ApiInfo(service="Parlour", version=VERSION, api=API_VERSION, links=links))
    )


def _kind(kind: ProblemType, game_registry: GameRegistry) -> ProblemKind:
    say = WORDS.word if kind.game is None else game_registry.games[kind.game].texts.word
    return ProblemKind(
        type=f"/problems/{kind.code}",
        status=kind.status,
        title=kind.title,
        titles={language: say(language, kind.key) for language in LANGUAGES},
        meaning=kind.meaning,
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [
    check_live,
    check_ready,
    check_writable,
    read_metrics,
    list_problems,
    read_problem,
    read_api,
    read_document,
    read_stream_document,
]
