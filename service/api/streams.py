"""The stream that a request asks for: its start, its view and its form."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Final

from projections.asked import asked_in
from runtime.broadcaster import Viewpoint
from service.access.permission import Permission
from service.access.streaming import Attended, EventStream, Form, StreamContent, unopened
from service.access.view_scope import Access, view_of
from service.app_context import AppContext
from service.contract.bodies import encode
from service.http.headers import is_head
from service.http.problems import Flaw, Refused
from service.http.replies import Reply
from service.http.requests import StrictRequest

LAST_EVENT_ID: Final = b"last-event-id"
_DIGITS: Final = 10


async def stream_of(
    request: StrictRequest,
    app_context: AppContext,
    access: Access,
    form: Form,
    position: int | None,
    *,
    tells_asked: bool,
) -> EventStream | Reply:
    """The stream that a request asks for.

    Without a ``position`` it begins with a snapshot, otherwise it continues after that version. A
    position beyond the newest version also begins anew, because the log is not what it was; but a
    delayed spectator waits until the position is visible, because how far the game has come must
    not be disclosed. A browser that reconnects to a finished game of which it has every event gets
    204, which tells it to stop. ``tells_asked``: after each batch it says whom the game waits for.

    Raises:
        Refused: too-many-streams.
        Damaged, LogUnavailable: the game cannot be read.
    """
    seen, game, view_scope = access.seen, access.game, access.view_scope
    if seen.ended and position is not None and position >= seen.version:
        return Reply(b"", status=204, media_type=None)
    app_context.connection_limits.require_free(request.scope)
    if is_head(request.scope):
        return unopened(form)
    if position is not None and position > seen.version and not seen.delayed:
        position = None
    snapshot: bytes | None = None
    if position is None:
        view = await app_context.tables.view(game, view_scope.viewer, at_least=seen.version)
        position = view.version
        names = await app_context.tables.names.seats(view.state.seats)
        asked = asked_in(app_context.tables.table.games, view)
        snapshot = encode(view_of(game, view_scope, view, names, asked))
    viewpoint = Viewpoint(
        game=game,
        name=view_scope.name,
        viewer=view_scope.viewer,
        player=access.player,
        frames=form.event,
        uninvited=access.uninvited,
        named=form.named if tells_asked else None,
    )
    content = StreamContent(
        viewpoint=viewpoint,
        form=form,
        after=position,
        seen=seen,
        snapshot=snapshot,
        permission=Permission.of(
            app_context.token_cache, request, until=view_scope.until, clock=app_context.tables.clock
        ),
    )
    return EventStream(
        app_context.broadcaster,
        content,
        app_context.settings.stream_limit_s,
        app_context.connection_limits,
        _attended(app_context, request, access),
    )


def _attended(app_context: AppContext, request: StrictRequest, access: Access) -> Attended:
    """Who sits at the table is at it while the stream is open; spectators are nobody's concern."""
    caller = request.user
    if caller is None or not access.seats:
        return nullcontext
    return partial(app_context.connections.stay, caller.player, access.game)


def last_event_id(request: StrictRequest) -> int | None:
    """The last version that a browser has seen (HTML standard, server-sent events).

    Raises:
        Refused: invalid-parameter.
    """
    text = request.header(LAST_EVENT_ID)
    if text is None or text == "":
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > _DIGITS:
        flaw = Flaw(source="header", at="Last-Event-ID", message="It must be a version")
        raise Refused("invalid-parameter", flaw.message, errors=(flaw,))
    return int(text)
