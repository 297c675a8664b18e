"""Inspections: an auditor's session of looking at a running game, in the game's own log (pure).

That an office looks, and until when, is public at once. The view scope and the reason stay sealed
until the end of the game, and both are padded, so that no length reveals them either.
"""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

from events.kernel import Rejected, TimestampMs, Working
from games.dispatch import on
from games.table.checks import TableCode
from games.table.events import InspectGame, InspectionBegan
from games.table.state import TableState

InspectionReason = Literal[
    "complaint", "suspicion_of_collusion", "technical_fault", "rule_question", "spot_check"
]
"""The reason of an inspection: a code, so that no name or free text is hashed."""

INSPECTION_REASONS: Final[tuple[InspectionReason, ...]] = get_args(InspectionReason)
EYES: Final = r"^(full|seat:[1-9][0-9]?)\Z"
"""The view scopes of an inspection: everything, or one seat's view."""

INSPECTION_MAX_S: Final = 24 * 3600
_EYES_WIDTH: Final = len("seat:99")
_REASON_WIDTH: Final = max(map(len, INSPECTION_REASONS))
_EYES: Final = re.compile(EYES)


def inspection_of(scope: str, reason: InspectionReason, seconds: int) -> InspectGame:
    """The command to inspect a game in a view scope for a number of seconds, with padding."""
    return InspectGame(
        seconds=seconds, eyes=scope.ljust(_EYES_WIDTH), reason=reason.ljust(_REASON_WIDTH)
    )


def inspect(work: Working[TableState], c: InspectGame) -> None:
    """Begin an inspection, even of a paused game.

    Raises:
        Rejected: not-an-auditor, game-over, game-not-live, inspection-by-player, bad-inspection,
            unknown-seat.
    """
    state, actor, now = work.state, work.context.actor, work.context.now
    if actor.kind != "auditor":
        raise Rejected(TableCode.NOT_AN_AUDITOR, "only an auditor inspects a game")
    if state.phase == "finished":
        raise Rejected(TableCode.GAME_OVER, "the game has ended, and everybody may see all of it")
    if state.phase != "live":
        raise Rejected(TableCode.GAME_NOT_LIVE, "the game has not begun")
    if state.seats_of(actor.id):
        raise Rejected(TableCode.INSPECTION_BY_PLAYER, "you sit at this table")
    scope = _require_sealable(c)
    if scope != "full" and int(scope.removeprefix("seat:")) not in state.seats:
        raise Rejected(TableCode.UNKNOWN_SEAT, "nobody sits there")
    until = now + c.seconds * 1000
    work.emit(
        InspectionBegan(
            office="audit", account=actor.id, at=now, until=until, eyes=c.eyes, reason=c.reason
        )
    )


def may_look(state: TableState, account: str, scope: str, now: TimestampMs) -> TimestampMs | None:
    """Until when an account may look in a view scope (``full``, ``seat:2``); None: not now.

    The scope ``full`` includes that of every seat.

    Args:
        state: the truth, in which the scopes are known.
        account: the account that looks.
        scope: the view scope.
        now: the time in milliseconds, UTC.
    """
    open_now = (
        each.until
        for each in state.inspections_held
        if each.account == account and each.eyes in {scope, "full"} and each.until > now
    )
    return max(open_now, default=None)


def _require_sealable(c: InspectGame) -> str:
    """The view scope, if all fields are valid and padded (bad-inspection)."""
    scope, reason = str(c.eyes), str(c.reason)
    padded = (len(scope), len(reason)) == (_EYES_WIDTH, _REASON_WIDTH)
    known = _EYES.fullmatch(scope.rstrip(" ")) and reason.rstrip(" ") in INSPECTION_REASONS
    if not (padded and known):
        raise Rejected(TableCode.BAD_INSPECTION, "unknown view scope or reason")
    if not 1 <= c.seconds <= INSPECTION_MAX_S:
        text = f"an inspection lasts 1 to {INSPECTION_MAX_S} seconds"
        raise Rejected(TableCode.BAD_INSPECTION, text)
    return scope.rstrip(" ")


INSPECTING: Final = on(InspectGame, inspect)
"""The command's handler."""
