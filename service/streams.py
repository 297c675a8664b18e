"""Which stream a request asks for: where it begins, through whose eyes, and in which form."""

from __future__ import annotations

from typing import Final

from events.transact import Loaded
from games.table_state import TableState
from projections.following import Audience
from service.door import bearer_token
from service.house import House
from service.problems import Flaw, Refused
from service.replies import Reply
from service.requests import StrictRequest
from service.seeing import Eyes, view_of
from service.streaming import Course, EventStream, Form
from service.wire import encode

LAST_EVENT_ID: Final = b"last-event-id"
_DIGITS: Final = 10


async def stream_of(
    request: StrictRequest,
    house: House,
    game: str,
    loaded: Loaded[TableState],
    eyes: Eyes,
    form: Form,
    position: int | None,
) -> EventStream | Reply:
    """The stream that a request asks for.

    One without a ``position`` begins with a snapshot, others go on after that version. A browser
    that comes back for more of a game that is over and that it has whole gets 204, which tells it
    to come no more.

    Raises:
        Damaged, LogUnavailable: the game cannot be read.
    """
    version, ended = loaded.version, loaded.state.phase == "finished"
    if ended and position is not None and position >= version:
        return Reply(b"", status=204, media_type=None)
    snapshot: bytes | None = None
    if position is None:
        view = await house.desk.view(game, eyes.viewer, at_least=version)
        version = position = view.version
        ended = view.state.phase == "finished"
        snapshot = encode(view_of(game, eyes, view))
    seat = loaded.state.seats.get(eyes.viewer.seat or 0)
    audience = Audience(
        game=game,
        name=eyes.name,
        viewer=eyes.viewer,
        player=None if seat is None else seat.player,
        frames=form.event,
    )
    course = Course(
        audience=audience,
        form=form,
        after=position,
        version=version,
        snapshot=snapshot,
        ended=ended,
        allowed=lambda: still_allowed(request, house),
    )
    return EventStream(
        house.following, course, house.settings.stream_limit_s, house.metrics.streams
    )


def last_event_id(request: StrictRequest) -> int | None:
    """The version that a browser saw last (HTML standard, server-sent events).

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


async def still_allowed(request: StrictRequest, house: House) -> bool:
    """Whether the caller's token still opens what it opened when the stream began."""
    caller = request.user
    if caller is None:
        return True
    token = bearer_token(request.scope)
    return token is not None and await house.bearers.find(token) == caller
