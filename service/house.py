"""What the handlers of one app share: the desk, the accounts, the lists and the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

from litestar import Request
from msgspec import Struct

from projections.desk import Desk
from projections.following import Following
from projections.hub import Hub
from projections.listing import Listing
from projections.notices import Notices
from projections.presence import Presence
from projections.settings import Settings
from projections.store_room import StoreRoom
from projections.store_watch import StoreWatch
from service.address_names import AddressNames
from service.addresses import Addresses
from service.door import Bearers
from service.health import Health
from service.limits import Limits
from service.metrics import Metrics
from service.packing import Packer
from service.places import Places
from service.quotas import Quotas
from service.registrar import Registrar
from service.site import Site


class House(Struct, frozen=True, kw_only=True, eq=False):
    """Made once for each app.

    ``closing`` is set when the process is about to stop; ``room``, ``watch`` and ``health`` know
    how the store is. ``site`` gives the page's files, ``places`` bounds the streams of each caller.
    """

    settings: Settings
    desk: Desk
    registrar: Registrar
    bearers: Bearers
    hub: Hub
    following: Following
    notices: Notices
    listing: Listing
    metrics: Metrics
    addresses: Addresses
    address_names: AddressNames
    presence: Presence
    room: StoreRoom
    watch: StoreWatch
    limits: Limits
    closing: asyncio.Event
    health: Health
    site: Callable[[], Site]
    places: Places
    quotas: Quotas
    packer: Packer


def house_of(request: Request[Any, Any, Any]) -> House:
    """The house of the app that handles a request."""
    return cast("House", request.app.state["house"])
