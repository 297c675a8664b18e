"""What the handlers of an app share: the table service, the accounts, the lists and the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, cast

from litestar import Request
from msgspec import Struct

from runtime.broadcaster import Broadcaster
from runtime.connections import Connections
from runtime.feed_subscriber import FeedSubscriber
from runtime.leaderboard_reading import LeaderboardReading
from runtime.listing import Listing
from runtime.notifications import Notifications
from runtime.presence import Presence
from runtime.settings import Settings
from runtime.store_room import StoreRoom
from runtime.store_watch import StoreWatch
from runtime.table_service import TableService
from runtime.tours import Tours
from service.access.accounts import AccountService
from service.access.auth import TokenCache
from service.access.invitation_links import InvitationLinks
from service.access.passkeys import Passkeys
from service.access.quotas import Quotas
from service.access.sign_ins import SignIns
from service.access.token_uses import TokenUses
from service.contract.rulebook_answers import RulebookAnswers
from service.http.address_names import AddressNames
from service.http.addresses import Addresses
from service.http.compression import Compressor
from service.http.connection_limits import ConnectionLimits
from service.http.health import Health
from service.http.metrics import Metrics
from service.http.problems import ProblemType
from service.http.rasterizing import Rasterizer
from service.http.rate_limits import RateLimits
from service.page.known_tables import KnownTables
from service.page.static_files import StaticFiles


class AppContext(Struct, frozen=True, kw_only=True, eq=False):
    """Created once per app.

    ``feed_subscriber`` follows what happens to games, ``account_subscriber`` what happens to
    accounts. ``closing`` is set when the process is about to stop; ``room``, ``watch`` and
    ``health`` know the condition of the store. ``static_files`` returns the page's files,
    ``known_tables`` tells documents which game a table is of, ``connection_limits`` bounds the
    streams of each caller, ``rasterizer`` draws pictures as PNG, ``kinds`` are the kinds of
    problems by code, ``books`` describes what can be played.
    """

    settings: Settings
    tables: TableService
    account_service: AccountService
    sign_ins: SignIns
    passkeys: Passkeys
    invitation_links: InvitationLinks
    token_cache: TokenCache
    token_uses: TokenUses
    feed_subscriber: FeedSubscriber
    account_subscriber: FeedSubscriber
    broadcaster: Broadcaster
    notifications: Notifications
    listing: Listing
    leaderboards: LeaderboardReading
    metrics: Metrics
    addresses: Addresses
    address_names: AddressNames
    presence: Presence
    connections: Connections
    tours: Tours
    room: StoreRoom
    watch: StoreWatch
    limits: RateLimits
    closing: asyncio.Event
    health: Health
    static_files: Callable[[], StaticFiles]
    known_tables: KnownTables
    connection_limits: ConnectionLimits
    quotas: Quotas
    compressor: Compressor
    rasterizer: Rasterizer
    kinds: Mapping[str, ProblemType]
    books: RulebookAnswers

    @property
    def subscribers(self) -> tuple[FeedSubscriber, FeedSubscriber]:
        """All that follow feeds."""
        return self.feed_subscriber, self.account_subscriber


def app_context_of(request: Request[Any, Any, Any]) -> AppContext:
    """The context of the app that handles a request."""
    return cast("AppContext", request.app.state["app_context"])
