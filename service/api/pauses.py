"""Below ``/v1/games/{game}``: pauses that the players agree on."""

from __future__ import annotations

from typing import Final

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from games.table.pause_events import ProposePause, VoteOnPause
from service.api.seated_commands import give
from service.contract.bodies import NewPause, NewPauseVote, Receipt
from service.contract.operations import NOT_RUNNING, PLAYING, operation
from service.http.replies import Reply
from service.http.requests import StrictRequest

_COMMON: Final = (
    "game-not-found",
    "not-seated",
    "wrong-kind-of-token",
    *NOT_RUNNING,
    "no-say-in-pauses",
)


@post(
    "/games/{game:str}/pause-proposals",
    operation_id="ProposePause",
    tags=["playing"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=PLAYING,
        keyed=True,
        problems=(
            *_COMMON,
            "too-many-pauses",
            "pause-proposed-already",
            "pauses-proposed-too-often",
            "bad-pause",
        ),
    ),
)
async def propose_pause(
    request: StrictRequest, game: FromPath[str], data: JSONBody[NewPause]
) -> Reply:
    """Propose that all pause for so many minutes: the event `pause-proposed`.

    It begins (`pause-began`) once everybody who has a say has agreed by `VoteOnPause`: people, not
    programs or house bots, who are neither absent nor resigned nor out of the game. Who is alone
    among these pauses at once. A proposal lapses after 15 minutes, and when its proposer goes.
    """
    return await give(
        request, game, data, lambda seat: ProposePause(seat=seat, minutes=data.minutes)
    )


@post(
    "/games/{game:str}/pause-votes",
    operation_id="VoteOnPause",
    tags=["playing"],
    status_code=200,
    opt=operation(
        "commands",
        Receipt,
        scopes=PLAYING,
        keyed=True,
        problems=(
            *_COMMON,
            "no-pause-proposed",
            "already-agreed",
            "table-not-paused",
            "paused-by-director",
        ),
    ),
)
async def vote_on_pause(
    request: StrictRequest, game: FromPath[str], data: JSONBody[NewPauseVote]
) -> Reply:
    """Agree to the proposed pause, turn it down, or agree to end the players' pause early.

    One who turns it down ends the proposal; who made it takes it back that way. The pause ends
    (`table-resumed`) when all agree to `resume`, or when its time is over; the running deadline
    moves by its length. A director's pause is ended by the director only.
    """
    return await give(request, game, data, lambda seat: VoteOnPause(seat=seat, vote=data.vote))


HANDLERS: Final[list[HTTPRouteHandler]] = [propose_pause, vote_on_pause]
