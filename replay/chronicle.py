"""The log of a game for people: one line for each event, by turn and phase (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from events.kernel import DurationMs
from games.table.state import TableState
from replay.viewing import Show, ViewAt

_MINUTE = 60_000
_HOUR = 60
_DEEPER = 2
"""By so much what is listed stands deeper than the sentence that it belongs to."""


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


def event_line(show: Show, moment: ViewAt) -> str:
    """One event: version, time since the opening, words; what they list in lines below."""
    since = elapsed(moment.at - show.began_at)
    words = show.wording.line(moment.event, moment.beside, moment.state)
    head = f"{moment.version:6d}  {since:>10}  "
    return head + words.replace("\n", "\n" + " " * (len(head) + _DEEPER))


def chapter(show: Show, state: TableState) -> str:
    """The heading under which an event stands that led to ``state``."""
    wording = show.wording
    if state.phase == "finished":
        return wording.word("part.end")
    if state.phase != "live":
        return wording.word("part.table")
    turn, phase = show.turn(state), wording.phase(state)
    if turn:
        return wording.word(
            f"part.{show.texts.turn}", turn=turn, part=phase[:1].lower() + phase[1:]
        )
    return phase[:1].upper() + phase[1:] or wording.word("part.play")


def elapsed(length: DurationMs) -> str:
    """A length of time as ``m:ss.t``, or ``h:mm:ss.t`` from an hour on."""
    minutes, rest = divmod(length, _MINUTE)
    seconds = f"{rest // 1000:02d}.{rest % 1000 // 100}"
    hours, minutes = divmod(minutes, _HOUR)
    return f"{hours}:{minutes:02d}:{seconds}" if hours else f"{minutes}:{seconds}"
