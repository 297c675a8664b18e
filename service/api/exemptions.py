"""``/v1/exemptions``: addresses for which the operator lifts the limits by address for a day."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

import structlog
from litestar import delete, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from projections.presence import LIFT_MS
from service.addresses import group_of
from service.house import house_of
from service.operations import operation
from service.problems import Flaw, Refused
from service.replies import Reply, done
from service.requests import StrictRequest
from service.wire import Exemption, encode

_log = structlog.get_logger(__name__)


@put(
    "/exemptions/{address:str}",
    operation_id="ExemptAddress",
    tags=["service"],
    opt=operation("commands", Exemption, scopes=("admin",)),
)
async def exempt_address(request: StrictRequest, address: FromPath[str]) -> Reply:
    """Lift every limit by address for 24 hours: for a school or a club behind one address.

    That is how often strangers register and read from there, how many streams and connections they
    open. Of IPv6 the address's whole /64 is meant. Doing it again begins another 24 hours; every
    process knows within a second.
    """
    house, group = house_of(request), _group(address)
    await request.require_no_body()
    until = house.desk.clock() + LIFT_MS
    names = house.address_names.names_for_a_day(group)
    await house.presence.lift(*names, until=until)
    _log.info("address_exempted", address=names[0], by=request.caller.player)
    return done(encode(Exemption(address=group, until=until)))


@delete(
    "/exemptions/{address:str}",
    operation_id="EndExemption",
    tags=["service"],
    status_code=204,
    opt=operation("commands", None, scopes=("admin",), status=204),
)
async def end_exemption(request: StrictRequest, address: FromPath[str]) -> None:
    """Have the limits hold for an address again. Repeating it is harmless."""
    house = house_of(request)
    await house.presence.lower(*house.address_names.names_for_a_day(_group(address)))


def _group(address: str) -> str:
    """What an address is counted by.

    Raises:
        Refused: invalid-parameter.
    """
    try:
        ip_address(address)
    except ValueError:
        flaw = Flaw(source="path", at="address", message="It must be an IPv4 or IPv6 address")
        raise Refused("invalid-parameter", flaw.message, errors=(flaw,)) from None
    return group_of(address)


HANDLERS: Final[list[HTTPRouteHandler]] = [exempt_address, end_exemption]
