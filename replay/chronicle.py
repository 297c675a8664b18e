"""The log of a game as people read it: one line for each event, by turn and phase (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from events.kernel import Millis
from games.room25.state import State
from games.table_state import TableState
from replay.viewing import Moment, Show
from replay.wording import line_of

_MINUTE = 60_000
_HOUR = 60


def chronicle(show: Show) -> Iterator[str]:
    """The lines of the log, with a heading wherever turn or phase change.

    A line has the version, the time since the table was opened, and what happened.
    """
    last = ""
    for moment in show.moments():
        heading = chapter(show, moment.state)
        if heading != last:
            yield from ([""] if last else [])
            yield heading
            last = heading
        yield event_line(show, moment)


def event_line(show: Show, moment: Moment) -> str:
    """One event: version, time since the opening, words."""
    since = elapsed(moment.at - show.began_at)
    return f"{moment.version:6d}  {since:>10}  {line_of(moment.event, show.names)}"


def chapter(show: Show, state: TableState) -> str:
    """The heading under which an event stands that led to ``state``."""
    if state.phase == "finished":
        return "The end"
    turn = show.turn(state)
    phase = state.play.phase if isinstance(state.play, State) else ""
    if state.phase != "live":
        return "Before the game"
    words = phase.replace("_", " ")
    return f"Turn {turn}, {words}" if turn else words.capitalize() or "The game"


def elapsed(length: Millis) -> str:
    """A length of time as ``m:ss.t``, or ``h:mm:ss.t`` from an hour on."""
    minutes, rest = divmod(length, _MINUTE)
    seconds = f"{rest // 1000:02d}.{rest % 1000 // 100}"
    hours, minutes = divmod(minutes, _HOUR)
    return f"{hours}:{minutes:02d}:{seconds}" if hours else f"{minutes}:{seconds}"
