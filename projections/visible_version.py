"""How far spectators see: the visible version of a table shown with a delay (pure).

``docs/decisions/0011-spectator-delay.md`` has the rule. While a delayed game runs, the public sees
its stream up to a version and learns nothing beyond it; players, and viewers who may see
everything, see all of it. The time is an argument, so every boundary can be tested to the
millisecond.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from msgspec import UNSET, Struct, field

from events.kernel import DurationMs, Event, TimestampMs, Viewer
from games.table.events import Delay, TableClosed, TableOpened, TableStarted


class VisibleVersion(Struct, frozen=True):
    """What a viewer may know of a stream at a given moment.

    ``version`` is the newest version that it may see, ``ended`` whether that is the game's last; at
    ``moves_at`` (None: not by itself) time alone moves it on. ``newest`` is the stream's own last
    version: it is for waiting, and must never be revealed to that viewer. ``delayed``: the viewer
    sees the game with a delay, whether or not anything is hidden just now.
    """

    version: int
    newest: int
    ended: bool
    moves_at: TimestampMs | None = None
    delayed: bool = False


class DelayCourse(Struct):
    """What visible versions are computed from: one stream as far as it has been read.

    ``started`` is the version that began the game (0: it has not begun), ``ended`` whether the
    game is over, ``times`` the time of each event (it never falls).
    """

    delay: Delay | None = None
    started: int = 0
    ended: bool = False
    times: list[TimestampMs] = field(default_factory=list)

    def note(self, event: Event, at: TimestampMs) -> None:
        """Take in the next event of the stream."""
        self.times.append(at)
        if isinstance(event, TableOpened):
            self.delay = event.delay
        elif isinstance(event, TableStarted):
            self.started = len(self.times)
        elif isinstance(event, TableClosed):
            self.ended = True

    def hides_from(self, viewer: Viewer) -> Delay | None:
        """The delay with which ``viewer`` sees the game; None: it sees everything at once."""
        running = self.started and not self.ended
        return self.delay if running and viewer.kind == "public" else None

    def visible_version(
        self,
        viewer: Viewer,
        clock: Callable[[], TimestampMs],
        turns: Callable[[], Sequence[int]],
    ) -> VisibleVersion:
        """How far ``viewer`` sees.

        ``clock`` gives the time and ``turns`` the first version of each turn that has begun, in
        order; each is asked only where the delay goes by it, so nearly never.
        """
        delay = self.hides_from(viewer)
        if delay is None:
            return VisibleVersion(len(self.times), len(self.times), self.ended)
        if delay.turns is not UNSET:
            return self._before(delay.turns, turns())
        seconds = 0 if delay.seconds is UNSET else delay.seconds
        return self._older(seconds * 1000, clock())

    def _before(self, hidden: int, turns: Sequence[int]) -> VisibleVersion:
        """The version before the last ``hidden`` turns began."""
        shown = len(turns) - hidden
        version = self.started if shown < 0 else max(self.started, turns[shown] - 1)
        return VisibleVersion(version, len(self.times), ended=False, delayed=True)

    def _older(self, length: DurationMs, now: TimestampMs) -> VisibleVersion:
        """The last version that is at least ``length`` milliseconds old.

        All events of a batch have the same time, so only the batch that began the game is ever
        shown in part.
        """
        version = max(self.started, bisect_right(self.times, now - length))
        newest = len(self.times)
        moves_at = self.times[version] + length if version < newest else None
        return VisibleVersion(version, newest, ended=False, moves_at=moves_at, delayed=True)
