"""``/v1/exemptions``: addresses exempted from the limits per address for a day."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

from litestar import delete, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from events.logger import get_logger
from runtime.presence import LIFT_MS
from service.app_context import app_context_of
from service.contract.bodies import Exemption, encode
from service.contract.operations import operation
from service.http.addresses import group_of
from service.http.problems import Flaw, Refused
from service.http.replies import Reply, done
from service.http.requests import StrictRequest

_log = get_logger(__name__)


@put(
    "/exemptions/{address:str}",
    operation_id="ExemptAddress",
    tags=["service"],
    opt=operation("commands", Exemption, scopes=("admin",)),
)
async def exempt_address(request: StrictRequest, address: FromPath[str]) -> Reply:
    """Lift every limit per address for 24 hours: for a school or a club behind one address.

    The limits are those on registrations, anonymous reads, streams and connections. An IPv6 address
    stands for its whole /64. Repeating it starts another 24 hours; every process knows within a
    second.
    """
    app_context, group = app_context_of(request), _group(address)
    await request.require_no_body()
    until = app_context.tables.clock() + LIFT_MS
    names = app_context.address_names.names_for_a_day(group)
    await app_context.presence.lift(*names, until=until)
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
    """Apply the limits to an address again. Repeating it is harmless."""
    app_context = app_context_of(request)
    await app_context.presence.lower(*app_context.address_names.names_for_a_day(_group(address)))


def _group(address: str) -> str:
    """The group by which an address is counted.

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
