"""What a director does while a game runs: pause it, give more time, annul it (pure)."""

from __future__ import annotations

from typing import Final

from events.kernel import Rejected, Working
from games.dispatch import on
from games.table import events as ev
from games.table.checks import EXTENSION_MAX_S, TableCode, require_director, require_live
from games.table.ending import end_table
from games.table.outage import OUTAGE
from games.table.state import TableState


def pause(work: Working[TableState], c: ev.PauseTable) -> None:
    """Stop the clock and the game; a pause that the players have agreed on becomes the director's.

    Raises:
        Rejected: not-the-director, and the refusals of ``require_live``.
    """
    require_director(work)
    if work.state.pauses_held.running is None:
        require_live(work.state)
    work.emit(ev.TablePaused(at=work.context.now, reason=c.reason))


def extend(work: Working[TableState], c: ev.ExtendTime) -> None:
    """Give more time for the running wait.

    Raises:
        Rejected: not-the-director, the refusals of ``require_live``, bad-extension,
            deadline-passed.
    """
    require_director(work)
    state = work.state
    require_live(state)
    if not 1 <= c.seconds <= EXTENSION_MAX_S:
        raise Rejected(TableCode.BAD_EXTENSION, f"an extension has 1 to {EXTENSION_MAX_S} seconds")
    late = state.clock is not None and work.context.now > state.clock.due
    if state.clock is None or (late and work.context.actor != OUTAGE):
        raise Rejected(TableCode.DEADLINE_PASSED, "the time for this decision is over")
    work.emit(ev.TimeExtended(due=state.clock.due + c.seconds * 1000, reason=c.reason))


def annul(work: Working[TableState], c: ev.AnnulTable) -> None:
    """End the game without a result.

    Raises:
        Rejected: not-the-director, game-over.
    """
    require_director(work)
    if work.state.phase not in {"open", "live"}:
        raise Rejected(TableCode.GAME_OVER, "the game has ended")
    end_table(
        work,
        ev.TableClosed(reason="annulled", outcome="annulled", winners=(), cause=c.reason),
    )


DIRECTING: Final = on(ev.PauseTable, pause) | on(ev.ExtendTime, extend) | on(ev.AnnulTable, annul)
"""The handler of each of these commands."""
