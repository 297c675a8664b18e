"""Which stream a request asks for: where it begins, through whose eyes, and in which form."""

from __future__ import annotations

from typing import Final

from projections.following import Audience
from service.headers import is_head
from service.house import House
from service.permission import Permission
from service.problems import Flaw, Refused
from service.replies import Reply
from service.requests import StrictRequest
from service.seeing import Sight, view_of
from service.streaming import Course, EventStream, Form, unopened
from service.wire import encode

LAST_EVENT_ID: Final = b"last-event-id"
_DIGITS: Final = 10


async def stream_of(
    request: StrictRequest,
    house: House,
    sight: Sight,
    form: Form,
    position: int | None,
) -> EventStream | Reply:
    """The stream that a request asks for.

    One without a ``position`` begins with a snapshot, others go on after that version. One whose
    position is beyond what there is begins anew too, because that is no longer what it was; but
    who sees the game with a delay waits until its position is shown, for it may not know how far
    the game is. A browser
    that comes back for more of a game that is over and that it has whole gets 204, which tells it
    to come no more.

    Raises:
        Refused: too-many-streams.
        Damaged, LogUnavailable: the game cannot be read.
    """
    seen, game, eyes = sight.seen, sight.game, sight.eyes
    if seen.ended and position is not None and position >= seen.version:
        return Reply(b"", status=204, media_type=None)
    house.places.require_free(request.scope)
    if is_head(request.scope):
        return unopened(form)
    if position is not None and position > seen.version and not seen.delayed:
        position = None
    snapshot: bytes | None = None
    if position is None:
        view = await house.desk.view(game, eyes.viewer, at_least=seen.version)
        position = view.version
        names = await house.desk.names.seats(view.state.seats)
        snapshot = encode(view_of(game, eyes, view, names))
    audience = Audience(
        game=game,
        name=eyes.name,
        viewer=eyes.viewer,
        player=sight.player,
        frames=form.event,
        uninvited=sight.uninvited,
    )
    course = Course(
        audience=audience,
        form=form,
        after=position,
        seen=seen,
        snapshot=snapshot,
        permission=Permission.of(house.bearers, request, until=eyes.until, clock=house.desk.clock),
    )
    return EventStream(house.following, course, house.settings.stream_limit_s, house.places)


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
