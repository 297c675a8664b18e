"""The composition root: wires up the service from its settings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import get_args

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.routes import HTTPRoute
from msgspec import Struct

from events.append_pace import AppendPace
from events.clients import (
    Client,
    LossyStoreError,
    close_client,
    commanding,
    commands,
    listening,
    require_durable,
)
from events.durability import require_replicas
from events.feed import Pointer
from events.identity import ForeignStoreError, StoreMismatchError
from events.journaling import promised
from events.kernel import TimestampMs
from events.layout import ACCOUNT
from events.log import StreamLog
from events.logger import get_logger
from events.reach import require_store, unanswered
from events.scripts import LogUnavailable
from events.tasks import end_tasks
from events.unshipped import Unshipped
from games.game_registry import GameRegistry
from runtime.broadcaster import Broadcaster
from runtime.connections import Connections
from runtime.feed_subscriber import FeedSubscriber, Gap
from runtime.journal.healing import TailKeeper, tail_keeper
from runtime.leaderboard_reading import LeaderboardReading
from runtime.listing import Listing
from runtime.mark_files import MarksError
from runtime.notifications import Notifications
from runtime.player_bells import PlayerBells
from runtime.presence import Presence
from runtime.settings import Settings
from runtime.signed import Signer
from runtime.store_room import StoreRoom
from runtime.store_watch import StoreWatch, require_own_store
from runtime.table_service import TableService, clock_guard, now_ms
from runtime.tours import Tours
from service.access.accounts import AccountService
from service.access.auth import Authenticator, TokenCache
from service.access.challenges import Challenges
from service.access.fast_path import FastPath
from service.access.invitation_links import InvitationLinks
from service.access.passkey_site import PasskeySite
from service.access.passkeys import Passkeys
from service.access.quotas import Quotas
from service.access.sign_ins import SignIns
from service.access.token_uses import TokenUses
from service.api import about
from service.api.handlers import HANDLERS
from service.app_context import AppContext
from service.contract.bodies import API_VERSION
from service.contract.rulebook_answers import RulebookAnswers
from service.http.access_log import Line, nothing
from service.http.address_names import AddressNames
from service.http.addresses import Addresses
from service.http.compression import Compressor
from service.http.connection_limits import ConnectionLimits
from service.http.errors import EXCEPTION_HANDLERS
from service.http.gate import Gate
from service.http.health import Health
from service.http.metrics import Metrics
from service.http.origins import Origins
from service.http.outer_middleware import OuterMiddleware, methods_of
from service.http.problems import kinds_of
from service.http.rasterizing import Rasterizer
from service.http.rate_limits import Budget, Rate, RateLimits, rate
from service.http.requests import StrictRequest
from service.http.turning_away import turn_away
from service.page import pages
from service.page.known_tables import KnownTables
from service.page.static_files import WEB, site_of

_log = get_logger(__name__)


class Service(Struct, frozen=True, eq=False):
    """An app and its parts.

    ``asgi`` is what a server runs; it wraps ``app``. ``gate`` decides who may connect.
    """

    asgi: OuterMiddleware
    app: Litestar
    app_context: AppContext
    gate: Gate


def create_service(
    settings: Settings,
    clock: Callable[[], TimestampMs] = now_ms,
    closing: asyncio.Event | None = None,
    take_line: Callable[[Line], None] = nothing,
    web: Path = WEB,
    game_registry: GameRegistry | None = None,
) -> Service:
    """Wire up a service. Nothing is connected before its lifespan begins.

    Args:
        settings: the settings of the process.
        clock: the time in ms; tests pass a fixed one.
        closing: set by the server when it is about to stop, to end long polls.
        take_line: receives the lines of the access log.
        web: the folder of the page.
        game_registry: the games that can be played; by default the installed ones.

    Raises:
        SiteError: the folder contains no page.
    """
    client = commands(settings.store_url)
    listener = listening(settings.store_url)
    guard = clock_guard(settings, client, clock)
    watch = StoreWatch(client, settings, "api")
    layout = settings.layout()
    log = StreamLog(
        client,
        listener,
        layout,
        guard=guard,
        known=watch.known,
        replication=promised(settings.durability, client, layout),
        unshipped=None if settings.journal_folder is None else Unshipped(),
    )
    log.pace = AppendPace()
    app_context = _app_context(
        settings, clock, closing or asyncio.Event(), client, log, watch, web, game_registry
    )
    origins = Origins(settings.host, settings.cors_origins, settings.public_url)
    auth = Authenticator(
        app_context.token_cache,
        app_context.token_uses,
        app_context.limits,
        app_context.address_names,
        app_context.presence,
        origins,
    )

    app = _App(
        route_handlers=[
            Router(f"/{API_VERSION}", route_handlers=HANDLERS),
            *about.HANDLERS,
            *pages.HANDLERS,
        ],
        request_class=StrictRequest,
        middleware=[auth],
        exception_handlers=EXCEPTION_HANDLERS,
        request_max_body_size=settings.body_limit,
        state=State({"app_context": app_context}),
        lifespan=[lambda _: _lifespan(app_context, client, listener)],
        logging_config=None,
        openapi_config=None,
    )
    _note_queries(app)
    asgi = OuterMiddleware(
        FastPath(app, auth, "Choose"), app_context.metrics, _allowed(app), take_line, origins
    )
    return Service(asgi, app, app_context, _gate(settings, app_context, take_line, origins))


class _App(Litestar):
    """Litestar with no plugin for data of libraries that no handler of ours uses."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        # Its own loads pydantic and attrs wherever they are installed: an eighth of a start.
        return [*plugins, MsgspecDIPlugin()]


@asynccontextmanager
async def _lifespan(
    app_context: AppContext, client: Client, listener: Client
) -> AsyncIterator[None]:
    settings, watch = app_context.settings, app_context.watch
    try:
        with _telling_refusals():
            await _accept_store(client, settings)
            _log.info("durability_promised", durability=settings.durability)
            await app_context.room.look_unless_lately()
            await watch.begin()
        app_context.feed_subscriber.subscribe(partial(_on_news, app_context))
        app_context.account_subscriber.subscribe(partial(_on_account_news, app_context))
        for each in app_context.subscribers:
            await each.start()
        stopping = asyncio.create_task(_stop_when_closing(app_context))
        tail = tail_keeper(app_context.tables.log, client, settings.journal_folder, "api")
        lasting = _in_background(app_context, tail)
        _log.info("service_open")
        yield
        app_context.closing.set()
        await stopping
        await end_tasks(*lasting)
        if tail is not None:
            await tail.close()
        await _release_shares(app_context)
    finally:
        await watch.close()
        await app_context.tables.log.close()
        await close_client(client)
        await listener.aclose()
        _log.info("service_closed")


def _gate(
    settings: Settings, app_context: AppContext, take_line: Callable[[Line], None], origins: Origins
) -> Gate:
    names, presence = app_context.address_names, app_context.presence
    return Gate(
        settings,
        app_context.addresses,
        lambda address: names.name(address) in presence.around.lifted,
        app_context.metrics,
        take_line,
        OuterMiddleware(turn_away, app_context.metrics, {}, take_line, origins),
    )


def _in_background(app_context: AppContext, tail: TailKeeper | None) -> list[asyncio.Task[None]]:
    """Start the background tasks of an open app."""
    found = {
        "presence": app_context.presence.run,
        "connections": app_context.connections.run,
        "limits": app_context.limits.run,
        "room": app_context.room.run,
        "token uses": app_context.token_uses.run,
        "store watch": app_context.watch.run,
    }
    if tail is not None:
        found["tail"] = tail.run
    guard = app_context.tables.log.guard
    if guard is not None:
        found["clock guard"] = guard.run
    return [asyncio.create_task(run(), name=name) for name, run in found.items()]


def _app_context(
    settings: Settings,
    clock: Callable[[], TimestampMs],
    closing: asyncio.Event,
    client: Client,
    log: StreamLog,
    watch: StoreWatch,
    web: Path,
    game_registry: GameRegistry | None,
) -> AppContext:
    keys = settings.key_ring()
    room = StoreRoom(client, settings.store_url, settings.store_levels)
    presence = Presence(client, settings.prefix, lambda: room.takes_choices and watch.may_write)
    feed_subscriber, account_subscriber = FeedSubscriber(log), FeedSubscriber(log, accounts=True)
    tables = TableService(
        log,
        keys,
        clock,
        game_registry=game_registry,
        signer=_signer(settings),
        origin=settings.head_origin,
        accepting_since=lambda: presence.since,
        refusal=room.refusal,
        news=account_subscriber,
        tells=feed_subscriber.appended,
    )
    listing = Listing(client, log.layout, tables)
    account_service = _account_service(settings, clock, log, tables, room)
    sign_ins, site = SignIns(account_service, keys), PasskeySite.of(settings)
    challenges = Challenges(client, log.layout, keys, clock)
    token_cache = TokenCache(account_service, account_subscriber)
    metrics, addresses = Metrics(), Addresses(settings.trusted_proxies)
    names = AddressNames(addresses, keys, clock)
    broadcaster = Broadcaster(tables, feed_subscriber, account_subscriber)
    account_service.on_change = partial(_on_change, token_cache, broadcaster)
    return AppContext(
        settings=settings,
        tables=tables,
        account_service=account_service,
        sign_ins=sign_ins,
        passkeys=Passkeys(account_service, sign_ins, challenges, site, room.refusal),
        invitation_links=InvitationLinks(account_service, tables, settings.invitations_per_table),
        token_cache=token_cache,
        token_uses=TokenUses(client, log.layout, clock),
        feed_subscriber=feed_subscriber,
        account_subscriber=account_subscriber,
        broadcaster=broadcaster,
        notifications=Notifications(tables, PlayerBells(log.bells, log.layout), listing),
        listing=listing,
        leaderboards=LeaderboardReading(client, log.layout),
        metrics=metrics,
        addresses=addresses,
        address_names=names,
        presence=presence,
        connections=Connections(client, settings.prefix),
        tours=Tours(client, log.bells, log.layout, settings.prefix),
        room=room,
        watch=watch,
        limits=_limits(settings, client, presence),
        closing=closing,
        health=Health(client, log, allow_lossy=settings.allow_lossy_store),
        static_files=site_of(web, fresh=settings.reload_pages),
        known_tables=KnownTables(log),
        connection_limits=_connection_limits(settings, addresses, names, presence, metrics),
        quotas=Quotas(client, log, settings, clock),
        compressor=Compressor(),
        rasterizer=Rasterizer(),
        kinds=kinds_of(tables.game_registry.games.values()),
        books=RulebookAnswers(tables.game_registry),
    )


def _account_service(
    settings: Settings,
    clock: Callable[[], TimestampMs],
    log: StreamLog,
    tables: TableService,
    room: StoreRoom,
) -> AccountService:
    operator = settings.admin_token_hash
    return AccountService(
        log,
        tables.keys,
        clock,
        tables.names,
        None if operator is None else operator.reveal(),
        tokens=settings.tokens_per_account,
        refusal=room.refusal,
    )


def _connection_limits(
    settings: Settings,
    addresses: Addresses,
    names: AddressNames,
    presence: Presence,
    metrics: Metrics,
) -> ConnectionLimits:
    return ConnectionLimits(
        addresses,
        settings.streams_per_caller,
        settings.streams_per_address,
        metrics.streams,
        is_exempt=lambda scope: names.of(scope) in presence.around.lifted,
    )


def _signer(settings: Settings) -> Signer | None:
    key = settings.signing_key
    return None if key is None else Signer(settings.head_origin, key.reveal())


def _limits(settings: Settings, client: Client, presence: Presence) -> RateLimits:
    rates: dict[Budget, Rate] = {
        "commands": rate(settings.commands_per_minute),
        "reads": rate(settings.reads_per_minute),
        "registrations": rate(settings.registrations_per_minute),
    }
    return RateLimits(client, rates, settings.prefix, lambda: presence.around.processes)


async def require_fit_store(settings: Settings) -> None:
    """Check, before anything is wired up, that the store is usable; the service checks again.

    Raises:
        UnfitStoreError: it does not answer, is too old, or lets us do too little.
        LossyStoreError: it may lose what it has acknowledged.
        ForeignStoreError: it contains data but no identity.
        StoreMismatchError: the settings do not match the store's.
    """
    await require_store(settings.store_url, settings.layout().meta(0))
    async with commanding(settings.store_url) as client:
        with _telling_refusals():
            await _accept_store(client, settings)
    try:
        await require_own_store(settings, "api")
    except LogUnavailable as error:
        raise unanswered(settings.store_url, error) from error


async def _accept_store(client: Client, settings: Settings) -> None:
    """Refuse to start on a store that may lose what it has acknowledged.

    That commands are replicated is promised of no lossy store, whatever is allowed.

    Raises:
        LossyStoreError: it may.
    """
    replicated = settings.durability == "replicated"
    await require_durable(client, allow_lossy=settings.allow_lossy_store and not replicated)
    if replicated:
        await require_replicas(client)


@contextmanager
def _telling_refusals() -> Iterator[None]:
    """Log why a start ends where a store is refused; it may have become another meanwhile."""
    try:
        yield
    except (LossyStoreError, MarksError, ForeignStoreError, StoreMismatchError) as error:
        _log.error("store_refused", reason=str(error))
        raise


async def _stop_when_closing(app_context: AppContext) -> None:
    """End long polls and streams as soon as shutdown begins: the server waits for them."""
    await app_context.closing.wait()
    await app_context.broadcaster.close()
    await app_context.notifications.close()
    await app_context.tours.close()
    for each in app_context.subscribers:
        await each.stop()


async def _release_shares(app_context: AppContext) -> None:
    """Release this process's share of the rate limits, and settle what was spent."""
    with contextlib.suppress(LogUnavailable):
        await app_context.presence.leave()
        await app_context.limits.settle()


def _on_news(app_context: AppContext, news: Pointer | Gap | None) -> None:
    """None: the feeds have changed unexpectedly, so the store may have lost data.

    Then all caches are dropped, and all streams begin anew.
    """
    if news is None:
        app_context.tables.forget_all()
        app_context.account_service.forget_all()
        app_context.token_cache.forget_all()
        app_context.broadcaster.begin_anew()
        app_context.notifications.begin_anew()


def _on_account_news(app_context: AppContext, news: Pointer | Gap | None) -> None:
    """Drop the cached tokens and names of an account that has changed, or may have."""
    if news is None:
        _on_news(app_context, news)
    elif isinstance(news, Gap):
        are_meant = partial(_lies_in, app_context, news.shard)
        app_context.tables.names.forget_some(are_meant)
        app_context.token_cache.forget_some(are_meant)
        app_context.broadcaster.account_changed(are_meant)
    else:
        app_context.tables.names.forget(news.stream)
        app_context.token_cache.forget(news.stream)
        app_context.broadcaster.account_changed(news.stream.__eq__)


def _on_change(token_cache: TokenCache, broadcaster: Broadcaster, account: str) -> None:
    """A command of this process has changed an account; its names have been dropped already."""
    token_cache.forget(account)
    broadcaster.account_changed(account.__eq__)


def _lies_in(app_context: AppContext, shard: int, account: str) -> bool:
    is_account = account.startswith(ACCOUNT)  # the operator has none
    return is_account and app_context.tables.log.layout.shard_of(account) == shard


def _note_queries(app: Litestar) -> None:
    """Record the query parameters of each handler for authentication, and which are integers."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler, model in route.route_handler_map.values():
                fields = handler.parsed_fn_signature.parameters
                handler.opt["queries"] = {
                    param.field_alias: _is_integer(fields[param.field_name].annotation)
                    for param in model.expected_query_params
                }


def _is_integer(annotation: object) -> bool:
    """Whether a parameter of this type, which may be optional, is an integer."""
    return int in (annotation, *get_args(annotation))


def _allowed(app: Litestar) -> dict[str, str]:
    """The methods of each path template, as ``Allow`` lists them."""
    methods: dict[str, set[str]] = {}
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            methods.setdefault(route.path_format, set()).update(route.methods)
    return {path: methods_of(names) for path, names in methods.items()}
