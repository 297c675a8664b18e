"""The service about itself: health, metrics, what problems mean."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from events.version import VERSION
from games.words import LANGUAGES, word
from service.asyncapi import async_document
from service.house import house_of
from service.metrics import MEDIA_TYPE
from service.openapi import document_bytes
from service.operations import open_to_all
from service.problems import KINDS, Kind, Refused
from service.replies import Fixed, Reply, done
from service.requests import StrictRequest
from service.wire import (
    API_VERSION,
    Alive,
    ApiInfo,
    ApiLinks,
    ProblemKind,
    ProblemKinds,
    Ready,
    Writable,
    encode,
    encode_sorted,
)

_FAILED: Final = "Not every check holds."
_DOCUMENT: Final = "openapi_document"


@get("/health/live", operation_id="CheckLive", tags=["service"], opt=open_to_all(Alive))
async def check_live(request: StrictRequest) -> Reply:
    """Whether the process answers at all."""
    del request
    return done(encode(Alive(version=VERSION)))


@get(
    "/health/ready",
    operation_id="CheckReady",
    tags=["service"],
    opt=open_to_all(Ready, other={503: (_FAILED, Ready)}),
)
async def check_ready(request: StrictRequest) -> Reply:
    """Whether the process can read: 200 if every check holds, else 503, within two seconds.

    `store`: every shard of the store answers; `settings`: the number of shards and the secrets are
    those of the store; `hub`: the process hears what is appended; `open`: it is not about to stop.
    """
    house = house_of(request)
    checks = {
        "store": await house.health.reads.holds(),
        "settings": house.watch.known is None or house.watch.known.fits,
        "hub": house.hub.healthy,
        "open": not house.closing.is_set(),
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

    `store`: every shard of the store has just taken a write; `durable`: it keeps what it
    acknowledges; `known`: it is the one that this process knows, or that the clock has told it of,
    and has lost nothing that was seen; `clock`: the clocks of process and store agree; `room`: the
    store is not so full that choices are refused; `open`: the process is not about to stop.
    """
    house = house_of(request)
    guard = house.desk.log.guard
    store, durable = await asyncio.gather(house.health.writes.holds(), house.health.keeps.holds())
    checks = {
        "store": store,
        "durable": durable,
        "known": house.watch.may_write,
        "clock": guard is None or guard.is_right,
        "room": house.room.takes_choices,
        "open": not house.closing.is_set(),
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
    """What the process counts, in the text form of Prometheus."""
    house = house_of(request)
    house.metrics.hub_healthy.set(house.hub.healthy)
    house.metrics.stream_callers.set(house.places.callers)
    house.metrics.store_level.set(house.room.level)
    house.metrics.store_known.set(house.watch.may_write)
    for resource, share in house.room.shares.items():
        house.metrics.store_fullness.labels(resource).set(share)
    guard = house.desk.log.guard
    if guard is not None:
        house.metrics.clock_offset.set(guard.worst_ms / 1000)
    return Reply(house.metrics.render(), media_type=MEDIA_TYPE.encode())


@get(
    "/problems",
    operation_id="ListProblems",
    tags=["service"],
    opt=open_to_all(ProblemKinds, tagged=True),
)
async def list_problems(request: StrictRequest) -> Reply:
    """Every kind of problem that the service answers with."""
    return await house_of(request).packer.fixed(request, _all_kinds())


@get(
    "/problems/{problem:str}",
    operation_id="ReadProblem",
    tags=["service"],
    opt=open_to_all(ProblemKind, problems=("problem-not-found",)),
)
async def read_problem(request: StrictRequest, problem: FromPath[str]) -> Reply:
    """What a kind of problem means: the address that problem documents have as their `type`."""
    del request
    found = KINDS.get(problem)
    if found is None:
        raise Refused("problem-not-found", "there is no such kind of problem")
    return done(encode(_kind(found)))


@get("/v1", operation_id="ReadApi", tags=["service"], opt=open_to_all(ApiInfo, tagged=True))
async def read_api(request: StrictRequest) -> Reply:
    """What answers here: the versions of program and API, and where everything else is found."""
    return await house_of(request).packer.fixed(request, _api())


@get(
    "/v1/openapi.json",
    operation_id="ReadDocument",
    tags=["service"],
    opt=open_to_all(None, tagged=True),
)
async def read_document(request: StrictRequest) -> Reply:
    """This document."""
    state = request.app.state
    if _DOCUMENT not in state:
        state[_DOCUMENT] = Fixed.of(document_bytes(request.app))
    document: Fixed = state[_DOCUMENT]
    return await house_of(request).packer.fixed(request, document)


@get(
    "/v1/asyncapi.json",
    operation_id="ReadStreamDocument",
    tags=["service"],
    opt=open_to_all(None, tagged=True),
)
async def read_stream_document(request: StrictRequest) -> Reply:
    """The document of the streams (AsyncAPI 3.1)."""
    return await house_of(request).packer.fixed(request, _streams())


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


@cache
def _streams() -> Fixed:
    return Fixed.of(encode_sorted(async_document()))


@cache
def _all_kinds() -> Fixed:
    return Fixed.of(encode(ProblemKinds(problems=tuple(_kind(kind) for kind in KINDS.values()))))


def _kind(kind: Kind) -> ProblemKind:
    return ProblemKind(
        type=f"/problems/{kind.code}",
        status=kind.status,
        title=kind.title,
        titles={language: word(language, kind.key) for language in LANGUAGES},
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
