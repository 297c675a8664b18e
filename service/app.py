"""The composition root: wires the service once, from its settings."""

from __future__ import annotations

import asyncio
import contextlib
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
from events.reach import UnfitStoreError, require_store, shown
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from projections.desk import Desk, Signer, clock_guard, now_ms
from projections.following import Following
from projections.hub import Hub
from projections.listing import Listing
from projections.notices import Notices
from projections.presence import Presence
from projections.settings import Settings
from projections.shelf import Shelf
from projections.store_room import StoreRoom
from projections.store_watch import StoreWatch, require_own_store
from service import (
    about,
    books,
    directing,
    exemptions,
    export,
    heads,
    inspections,
    invitations,
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
from service.address_names import AddressNames
from service.addresses import Addresses
from service.door import Bearers, Door
from service.edge import Edge, methods_of
from service.errors import EXCEPTION_HANDLERS
from service.gate import Gate
from service.health import Health
from service.house import House
from service.lane import Lane
from service.limits import Budget, Limits, Rate, rate
from service.metrics import Metrics
from service.origins import Origins
from service.packing import Packer
from service.places import Places
from service.quotas import Quotas
from service.registrar import Registrar
from service.requests import StrictRequest
from service.site import WEB, site_of
from service.turning_away import turn_away
from service.wire import API_VERSION

_HANDLERS: Final[list[HTTPRouteHandler]] = [
    *people.HANDLERS,
    *books.HANDLERS,
    *lists.HANDLERS,
    *tables.HANDLERS,
    *invitations.HANDLERS,
    *reading.HANDLERS,
    *heads.HANDLERS,
    *export.HANDLERS,
    *oembed.HANDLERS,
    *own_stream.HANDLERS,
    *playing.HANDLERS,
    *directing.HANDLERS,
    *inspections.HANDLERS,
    *exemptions.HANDLERS,
]
_log = structlog.get_logger(__name__)


class Service(Struct, frozen=True, eq=False):
    """An app and its parts.

    ``asgi`` is what a server runs; ``app`` is inside it. ``gate`` says who may connect.
    """

    asgi: Edge
    app: Litestar
    house: House
    gate: Gate


def create_service(
    settings: Settings,
    clock: Callable[[], Millis] = now_ms,
    closing: asyncio.Event | None = None,
    access: Callable[[Line], None] = nothing,
    web: Path = WEB,
    shelf: Shelf | None = None,
) -> Service:
    """Wire a service. Nothing is connected before its lifespan begins.

    Args:
        settings: of the process.
        clock: the time in ms; tests pass one that stands still.
        closing: set by the server when it is about to stop, so that long polls let go.
        access: takes the lines of the access log.
        web: the folder of the page.
        shelf: the games that can be played; by default the house's.

    Raises:
        SiteError: there is no page in that folder.
    """
    client = commands(settings.store_url)
    listener = listening(settings.store_url)
    guard = clock_guard(settings, client, clock)
    watch = StoreWatch(client, settings, "api")
    log = StreamLog(client, listener, settings.shards, settings.prefix, guard, watch.known)
    house = _house(settings, clock, closing or asyncio.Event(), client, log, watch, web, shelf)
    origins = Origins(settings.host, settings.cors_origins, settings.public_url)
    door = Door(house.bearers, house.limits, house.address_names, house.presence, origins)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        try:
            await _accept_store(client, allow_lossy=settings.allow_lossy_store)
            await house.room.look_unless_lately()
            await watch.begin()
            await house.hub.start()
            house.hub.subscribe(lambda pointer: _on_pointer(house, pointer))
            stopping = asyncio.create_task(_stop_when_closing(house))
            lasting = _in_background(house)
            _log.info("service_open")
            yield
            house.closing.set()
            await stopping
            await end_tasks(*lasting)
            await _say_goodbye(house)
        finally:
            await watch.close()
            await client.aclose()
            await listener.aclose()
            _log.info("service_closed")

    app = Litestar(
        route_handlers=[
            Router(f"/{API_VERSION}", route_handlers=_HANDLERS),
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
    asgi = Edge(Lane(app, door, "Choose"), house.metrics, _allowed(app), access, origins)
    return Service(asgi, app, house, _gate(settings, house, access, origins))


def _gate(
    settings: Settings, house: House, access: Callable[[Line], None], origins: Origins
) -> Gate:
    names, presence = house.address_names, house.presence
    return Gate(
        settings,
        house.addresses,
        lambda address: names.name(address) in presence.around.lifted,
        house.metrics,
        access,
        Edge(turn_away, house.metrics, {}, access, origins),
    )


def _in_background(house: House) -> list[asyncio.Task[None]]:
    """Begin what goes on as long as the app is open."""
    found = {"presence": house.presence.run, "limits": house.limits.run, "room": house.room.run}
    found["store watch"] = house.watch.run
    guard = house.desk.log.guard
    if guard is not None:
        found["clock guard"] = guard.run
    return [asyncio.create_task(run(), name=name) for name, run in found.items()]


def _house(
    settings: Settings,
    clock: Callable[[], Millis],
    closing: asyncio.Event,
    client: Client,
    log: StreamLog,
    watch: StoreWatch,
    web: Path,
    shelf: Shelf | None,
) -> House:
    keys = settings.key_ring()
    signing, operator = settings.signing_key, settings.admin_token_hash
    signer = None if signing is None else Signer(settings.head_origin, signing.reveal())
    room = StoreRoom(client, settings.store_url, settings.store_levels)
    presence = Presence(client, settings.prefix, lambda: room.takes_choices and watch.may_write)
    hub = Hub(log)
    desk = Desk(
        log,
        keys,
        clock,
        shelf=shelf,
        signer=signer,
        origin=settings.head_origin,
        accepting_since=lambda: presence.since,
        refusal=room.refusal,
        hears=lambda: hub.healthy,
    )
    listing = Listing(client, log.layout, settings.prefix, desk)
    registrar = Registrar(
        log,
        keys,
        clock,
        desk.names,
        None if operator is None else operator.reveal(),
        tokens=settings.tokens_per_account,
        refusal=room.refusal,
    )
    bearers = Bearers(registrar, lambda: hub.healthy)
    metrics, addresses = Metrics(), Addresses(settings.trusted_proxies)
    names = AddressNames(addresses, keys, clock)
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
        address_names=names,
        presence=presence,
        room=room,
        watch=watch,
        limits=_limits(settings, client, presence),
        closing=closing,
        health=Health(client, log, allow_lossy=settings.allow_lossy_store),
        site=site_of(web, fresh=settings.reload_pages),
        places=Places(
            addresses,
            settings.streams_per_caller,
            settings.streams_per_address,
            metrics.streams,
            is_exempt=lambda scope: names.of(scope) in presence.around.lifted,
        ),
        quotas=Quotas(client, log, settings, clock),
        packer=Packer(),
    )


def _limits(settings: Settings, client: Client, presence: Presence) -> Limits:
    rates: dict[Budget, Rate] = {
        "commands": rate(settings.commands_per_minute),
        "reads": rate(settings.reads_per_minute),
        "registrations": rate(settings.registrations_per_minute),
    }
    return Limits(client, rates, settings.prefix, lambda: presence.around.processes)


async def require_fit_store(settings: Settings) -> None:
    """See, before anything is wired, that the store can be used; the service asks it again.

    Raises:
        UnfitStoreError: it does not answer, or is too old.
        LossyStoreError: it may lose what it has acknowledged.
        ForeignStoreError: it holds something and does not say what it is.
        StoreMismatchError: the settings are not those of the store.
    """
    await require_store(settings.store_url)
    client = commands(settings.store_url)
    try:
        await _accept_store(client, allow_lossy=settings.allow_lossy_store)
    finally:
        await client.aclose()
    try:
        await require_own_store(settings, "api")
    except LogUnavailable as error:
        url = shown(settings.store_url)
        raise UnfitStoreError(f"the store at {url} does not answer: {error}") from error


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


async def _stop_when_closing(house: House) -> None:
    """Let go who waits or follows as soon as the end is known: the server waits for them."""
    await house.closing.wait()
    await house.following.close()
    await house.notices.close()
    await house.hub.stop()


async def _say_goodbye(house: House) -> None:
    """Leave the others our share of the limits, and settle what was spent."""
    with contextlib.suppress(LogUnavailable):
        await house.presence.leave()
        await house.limits.settle()


def _on_pointer(house: House, pointer: Pointer | None) -> None:
    """Tokens and names of an account that has changed are looked up anew.

    None: the feeds are not what they were, so the store may have lost what it held. Then nothing
    that is cached counts, and whoever follows begins anew.
    """
    if pointer is None:
        house.desk.forget_all()
        house.registrar.forget_all()
        house.bearers.forget_all()
        house.following.begin_anew()
    elif pointer.stream.startswith("p"):
        house.desk.names.forget(pointer.stream)
        house.bearers.forget(pointer.stream)


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
    return {path: methods_of(names) for path, names in methods.items()}
