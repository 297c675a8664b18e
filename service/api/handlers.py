"""All operations of the API, in the order in which the documents list them."""

from __future__ import annotations

from typing import Final

from litestar.handlers import HTTPRouteHandler

from service.api import (
    branches,
    connections,
    decisions,
    director,
    exemptions,
    export,
    games,
    heads,
    inspections,
    invitation_links,
    invitations,
    lists,
    own_stream,
    passkeys,
    pauses,
    phrases,
    players,
    profiles,
    rematches,
    rulebooks,
    sign_ins,
    tables,
    tokens,
    tours,
    wall,
)
from service.page import oembed

HANDLERS: Final[list[HTTPRouteHandler]] = [
    *players.HANDLERS,
    *profiles.HANDLERS,
    *tokens.HANDLERS,
    *sign_ins.HANDLERS,
    *passkeys.HANDLERS,
    *rulebooks.HANDLERS,
    *lists.HANDLERS,
    *tables.HANDLERS,
    *invitations.HANDLERS,
    *invitation_links.HANDLERS,
    *rematches.HANDLERS,
    *branches.HANDLERS,
    *tours.HANDLERS,
    *wall.HANDLERS,
    *games.HANDLERS,
    *connections.HANDLERS,
    *heads.HANDLERS,
    *export.HANDLERS,
    *oembed.HANDLERS,
    *own_stream.HANDLERS,
    *decisions.HANDLERS,
    *director.HANDLERS,
    *inspections.HANDLERS,
    *pauses.HANDLERS,
    *phrases.HANDLERS,
    *exemptions.HANDLERS,
]
