"""The composition root: wires the service once, from its settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import structlog
from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from msgspec import Struct

from events.clients import Client, LossyStoreError, commands, listening, require_durable
from events.feed import Pointer
from events.kernel import Millis
from events.log import StreamLog
from projections.desk import Desk, Signer, now_ms
from projections.following import Following
from projections.hub import Hub
from projections.listing import Listing
from projections.notices import Notices
from projections.settings import Settings
from service import (
    about,
    books,
    directing,
    export,
    heads,
    lists,
    oembed,
    own_stream,
    pages,
    people,
    playing,
    reading,
    tables,
)
from service.access_log import Line, nothing
from service.addresses import Addresses
from service.door import Bearers, Door
from service.edge import Edge
from service.errors import EXCEPTION_HANDLERS
from service.house import House
from service.lane import Lane
from service.limits import Budget, Limits, Rate, rate
from service.metrics import Metrics
from service.places import Places
from service.registrar import Registrar
from service.requests import StrictRequest
from service.site import WEB, site_of

VERSION: Final = "v1"

_HANDLERS: Final[list[HTTPRouteHandler]] = [
    *people.HANDLERS,
    *books.HANDLERS,
    *lists.HANDLERS,
    *tables.HANDLERS,
    *reading.HANDLERS,
    *heads.HANDLERS,
    *export.HANDLERS,
    *oembed.HANDLERS,
    *own_stream.HANDLERS,
    *playing.HANDLERS,
    *directing.HANDLERS,
]
_log = structlog.get_logger(__name__)


class Service(Struct, frozen=True, eq=False):
    """An app and its parts. ``asgi`` is what a server runs; ``app`` is inside it."""

    asgi: Edge
    app: Litestar
    house: House


def create_service(
    settings: Settings,
    clock: Callable[[], Millis] = now_ms,
    closing: asyncio.Event | None = None,
    access: Callable[[Line], None] = nothing,
    web: Path = WEB,
) -> Service:
    """Wire a service. Nothing is connected before its lifespan begins.

    Args:
        settings: of the process.
        clock: the time in ms; tests pass one that stands still.
        closing: set by the server when it is about to stop, so that long polls let go.
        access: takes the lines of the access log.
        web: the folder of the page.

    Raises:
        SiteError: there is no page in that folder.
    """
    client = commands(settings.store_url)
    listener = listening(settings.store_url)
    log = StreamLog(client, listener, settings.shards, settings.prefix)
    house = _house(settings, clock, closing or asyncio.Event(), client, log, web)
    bearers = house.bearers
    door = Door(bearers, _limits(settings, client), house.addresses)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        try:
            await _accept_store(client, allow_lossy=settings.allow_lossy_store)
            await house.hub.start()
            house.hub.subscribe(lambda pointer: _on_pointer(bearers, pointer))
            stopping = asyncio.create_task(_stop_when_closing(house))
            _log.info("service_open")
            yield
            house.closing.set()
            await stopping
        finally:
            await client.aclose()
            await listener.aclose()
            _log.info("service_closed")

    app = Litestar(
        route_handlers=[
            Router(f"/{VERSION}", route_handlers=_HANDLERS),
            *about.HANDLERS,
            *pages.HANDLERS,
        ],
        request_class=StrictRequest,
        middleware=[door],
        exception_handlers=EXCEPTION_HANDLERS,
        request_max_body_size=settings.body_limit,
        state=State({"house": house}),
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=None,
    )
    _note_queries(app)
    lane = Lane(app, door, "Choose")
    return Service(Edge(lane, house.metrics, _allowed(app), access), app, house)


def _house(
    settings: Settings,
    clock: Callable[[], Millis],
    closing: asyncio.Event,
    client: Client,
    log: StreamLog,
    web: Path,
) -> House:
    keys = settings.key_ring()
    signing, operator = settings.signing_key, settings.admin_token_hash
    signer = None if signing is None else Signer(settings.origin, signing.reveal())
    desk, hub = Desk(log, keys, clock, signer=signer, origin=settings.origin), Hub(log)
    listing = Listing(client, log.layout, settings.prefix, desk)
    registrar = Registrar(log, keys, clock, None if operator is None else operator.reveal())
    bearers = Bearers(registrar, lambda: hub.healthy)
    metrics, addresses = Metrics(), Addresses(settings.trusted_proxies)
    registrar.on_change = bearers.forget
    return House(
        settings=settings,
        desk=desk,
        registrar=registrar,
        bearers=bearers,
        hub=hub,
        following=Following(desk, hub),
        notices=Notices(desk, hub, listing),
        listing=listing,
        metrics=metrics,
        addresses=addresses,
        closing=closing,
        keeps_games=lambda: _keeps_games(client, settings),
        site=site_of(web, fresh=settings.reload_pages),
        places=Places(
            addresses, settings.streams_per_caller, settings.streams_per_address, metrics.streams
        ),
    )


def _limits(settings: Settings, client: Client) -> Limits:
    rates: dict[Budget, Rate] = {
        "commands": rate(settings.commands_per_minute),
        "reads": rate(settings.reads_per_minute),
        "registrations": rate(settings.registrations_per_minute),
    }
    return Limits(client, rates, settings.prefix)


async def _accept_store(client: Client, *, allow_lossy: bool) -> None:
    """Refuse to start on a store that may lose what it has acknowledged.

    Raises:
        LossyStoreError: it may.
    """
    try:
        await require_durable(client, allow_lossy=allow_lossy)
    except LossyStoreError as error:
        _log.error("store_refused", reason=str(error))
        raise


async def _keeps_games(client: Client, settings: Settings) -> bool:
    if settings.allow_lossy_store:
        return True
    try:
        await require_durable(client)
    except LossyStoreError:
        return False
    return True


async def _stop_when_closing(house: House) -> None:
    """Let go who waits or follows as soon as the end is known: the server waits for them."""
    await house.closing.wait()
    await house.following.close()
    await house.notices.close()
    await house.hub.stop()


def _on_pointer(bearers: Bearers, pointer: Pointer | None) -> None:
    """Tokens of an account that has changed are looked up anew."""
    if pointer is None:
        bearers.forget_all()
    elif pointer.stream.startswith("p"):
        bearers.forget(pointer.stream)


def _note_queries(app: Litestar) -> None:
    """Tell the door which query parameters each handler knows."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler, model in route.route_handler_map.values():
                names = {param.field_alias for param in model.expected_query_params}
                handler.opt["queries"] = frozenset(names)


def _allowed(app: Litestar) -> dict[str, str]:
    """The methods of each path template, as ``Allow`` lists them."""
    methods: dict[str, set[str]] = {}
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            methods.setdefault(route.path_format, set()).update(route.methods)
    return {path: ", ".join(sorted(names)) for path, names in methods.items()}
