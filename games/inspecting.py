"""Inspections: an auditor's session of looking at a running game, in the game's own log (pure).

That an office looks, and until when, is public at once. Through whose eyes, and why, stays sealed
until the end of the game, and both are padded, so that no length tells them either.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Literal, get_args

from events.kernel import Command, Millis, Rejected, Working
from games.table_checks import Code
from games.table_events import InspectGame, InspectionBegan
from games.table_state import TableState

InspectionReason = Literal[
    "complaint", "suspicion_of_collusion", "technical_fault", "rule_question", "spot_check"
]
"""Why somebody looks: a code, so that nobody's name and no free text is hashed."""

INSPECTION_REASONS: Final[tuple[InspectionReason, ...]] = get_args(InspectionReason)
EYES: Final = r"^(full|seat:[1-9][0-9]?)\Z"
"""Through whose eyes: everybody's, or those of one seat."""

INSPECTION_MAX_S: Final = 24 * 3600
_EYES_WIDTH: Final = len("seat:99")
_REASON_WIDTH: Final = max(map(len, INSPECTION_REASONS))
_EYES: Final = re.compile(EYES)


def inspection_of(eyes: str, reason: InspectionReason, seconds: int) -> InspectGame:
    """The command to inspect a game through ``eyes`` for so many seconds, padded as it must be."""
    return InspectGame(
        seconds=seconds, eyes=eyes.ljust(_EYES_WIDTH), reason=reason.ljust(_REASON_WIDTH)
    )


def inspect(work: Working[TableState], c: InspectGame) -> None:
    """Begin an inspection, also of a game that stands still.

    Raises:
        Rejected: not-an-auditor, game-over, game-not-live, inspection-by-player, bad-inspection,
            unknown-seat.
    """
    state, actor, now = work.state, work.context.actor, work.context.now
    if actor.kind != "auditor":
        raise Rejected(Code.NOT_AN_AUDITOR, "only an auditor inspects a game")
    if state.phase == "finished":
        raise Rejected(Code.GAME_OVER, "the game has ended, and everybody may see all of it")
    if state.phase != "live":
        raise Rejected(Code.GAME_NOT_LIVE, "the game has not begun")
    if state.seats_of(actor.id):
        raise Rejected(Code.INSPECTION_BY_PLAYER, "you sit at this table")
    eyes = _require_sealable(c)
    if eyes != "full" and int(eyes.removeprefix("seat:")) not in state.seats:
        raise Rejected(Code.UNKNOWN_SEAT, "nobody sits there")
    until = now + c.seconds * 1000
    work.emit(
        InspectionBegan(
            office="audit", account=actor.id, at=now, until=until, eyes=c.eyes, reason=c.reason
        )
    )


def may_look(state: TableState, account: str, eyes: str, now: Millis) -> Millis | None:
    """Until when an account may look through ``eyes`` (``full``, ``seat:2``); None: not now.

    Whoever may see everything may see what one seat sees.

    Args:
        state: the truth, in which eyes are known.
        account: who looks.
        eyes: through whose.
        now: the time in milliseconds, UTC.
    """
    open_now = (
        each.until
        for each in state.inspections_held
        if each.account == account and each.eyes in {eyes, "full"} and each.until > now
    )
    return max(open_now, default=None)


def _require_sealable(c: InspectGame) -> str:
    """The eyes, if all fields are what they may be, and padded (bad-inspection)."""
    eyes, reason = str(c.eyes), str(c.reason)
    padded = (len(eyes), len(reason)) == (_EYES_WIDTH, _REASON_WIDTH)
    known = _EYES.fullmatch(eyes.rstrip(" ")) and reason.rstrip(" ") in INSPECTION_REASONS
    if not (padded and known):
        raise Rejected(Code.BAD_INSPECTION, "the eyes or the reason are not among those there are")
    if not 1 <= c.seconds <= INSPECTION_MAX_S:
        text = f"an inspection lasts 1 to {INSPECTION_MAX_S} seconds"
        raise Rejected(Code.BAD_INSPECTION, text)
    return eyes.rstrip(" ")


INSPECTING: Final[dict[type[Command], Callable[[Working[TableState], Any], None]]] = {
    InspectGame: inspect
}
"""What carries out the command."""
