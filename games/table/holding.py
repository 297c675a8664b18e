"""Resuming games, and holding those of which the store has lost a part (pure).

What is drawn next follows from the seed, so it would be drawn again: a player who has seen more of
the game than the store now holds may know the next card. No rule can tell who does, so the game is
held until its director decides.
"""

from __future__ import annotations

from typing import Final

from events.kernel import Rejected, TimestampMs, Working
from games.dispatch import on
from games.table.checks import TableCode, require_director
from games.table.events import HoldTable, ResumeTable, StoreRestored, TableResumed
from games.table.state import Restored, TableState


def hold(work: Working[TableState], c: HoldTable) -> None:
    """Hold a game that was known to have gone further than it stands.

    Raises:
        Rejected: not-the-director, game-over, game-not-live, restored-before, nothing-lost.
    """
    require_director(work)
    state = work.state
    if state.phase == "finished":
        raise Rejected(TableCode.GAME_OVER, "the game has ended")
    if state.phase == "none":
        raise Rejected(TableCode.GAME_NOT_LIVE, "the table has not been opened")
    if isinstance(state.restored, Restored) and c.epoch <= state.restored.epoch:
        epoch = state.restored.epoch
        raise Rejected(
            TableCode.RESTORED_BEFORE, f"the game was restored in epoch {epoch} of the store"
        )
    if c.known <= c.kept:
        raise Rejected(TableCode.NOTHING_LOST, "the store holds all that was known of the game")
    now = work.context.now
    work.emit(StoreRestored(from_version=c.known, to_version=c.kept, epoch=c.epoch, at=now))


def resume(work: Working[TableState], _: ResumeTable) -> None:
    """Resume after a pause, or although a part of the game is lost.

    Raises:
        Rejected: not-the-director, game-over, table-not-paused.
    """
    require_director(work)
    state = work.state
    if state.phase == "finished":
        raise Rejected(TableCode.GAME_OVER, "the game has ended")
    if state.paused_at is None:
        raise Rejected(TableCode.TABLE_NOT_PAUSED, "the game is not paused")
    work.emit(resumption(state, state.paused_at, work.context.now))


def resumption(state: TableState, paused_at: TimestampMs, now: TimestampMs) -> TableResumed:
    """The end of a pause: the running wait moves by its length.

    The wait of a held game starts again: the time it had run is lost, too.
    """
    clock = state.clock
    if clock is None:
        return TableResumed(since=None, due=None)
    if state.is_held:
        return TableResumed(since=now, due=now + clock.due - clock.since)
    length = now - paused_at
    return TableResumed(since=clock.since + length, due=clock.due + length)


HOLDING: Final = on(HoldTable, hold) | on(ResumeTable, resume)
