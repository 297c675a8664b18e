"""What a viewer sees of a recorded game at some version: folds of redacted events (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from events.codec import Envelope
from events.kernel import FULL, PUBLIC, Event, TimestampMs, Viewer, redact
from games.contract import JsonValue
from games.game_registry import GameRegistry
from games.table.events import SeatTaken
from games.table.state import TableState
from games.words import ENGLISH
from projections.names import SeatName, seat_name, seat_names
from replay.misfit import misfit
from replay.source import Source, SourceError
from replay.wording import UnknownLanguage, Wording

_SEAT: Final = "seat:"
_TURN: Final = "turn:"


class ViewAt(Struct, frozen=True):
    """A view at a version.

    ``event`` is the last event as the viewer may read it; ``settled``: it was the last one of its
    batch. ``state`` must not be changed. ``beside`` is what the game's sentence for the event needs
    from the state before it.
    """

    state: TableState
    version: int
    at: TimestampMs
    event: Event
    settled: bool
    beside: Mapping[str, JsonValue] = {}


def moment_names(show: Show, moment: ViewAt) -> dict[int, SeatName]:
    """The names of the seats at a moment, as far as the source still has them."""
    return seat_names(moment.state.seats, show.names)


class Show:
    """A recorded game as one viewer sees it.

    Args:
        source: the game.
        game_registry: the games that can be read and folded.
        who: ``public``, ``seat:N`` or ``full``.
        language: in which it is told.

    Raises:
        SourceError: no such viewer or language, or the game cannot be read.
    """

    def __init__(
        self, source: Source, game_registry: GameRegistry, who: str, language: str = ENGLISH
    ) -> None:
        self.stream = source.stream
        self.names = source.names
        self.game_registry = game_registry
        self.table = game_registry.table
        self.who = who
        self._envelopes = source.envelopes(game_registry)
        if not self._envelopes:
            raise SourceError("the game has no events")
        self.wording = self._speak(language)
        self.texts = game_registry.games[source.game].texts
        self.viewer = self._viewer(who)

    @property
    def version(self) -> int:
        """The last version."""
        return len(self._envelopes)

    @property
    def began_at(self) -> TimestampMs:
        """The time of the first event."""
        return self._envelopes[0].at

    def at(self, version: int) -> ViewAt:
        """The view at a version.

        Raises:
            SourceError: there is no such version.
        """
        if not 1 <= version <= self.version:
            raise SourceError(f"there is no version {version}: versions are 1 to {self.version}")
        return self._last(self._envelopes[:version])

    def moments(self) -> Iterator[ViewAt]:
        """Every version in order. A moment's state is good until the next one is asked for."""
        return self._fold(self._envelopes)

    def version_of(self, where: str | None) -> int:
        """The version that ``where`` names: a number, ``turn:N``, or None for the last.

        A turn's version is the first one at which that turn was running.

        Raises:
            SourceError: malformed, or the game has no such version or turn.
        """
        if where is None:
            return self.version
        if where.isdecimal():
            return self.at(int(where)).version
        turn = where.removeprefix(_TURN)
        if turn == where or not turn.isdecimal():
            raise SourceError(f"neither a version nor turn:N: {where!r}")
        for moment in self.moments():
            if self.turn(moment.state) == int(turn):
                return moment.version
        raise SourceError(f"the game has no {self.texts.turn} {turn}")

    def turn(self, state: TableState) -> int:
        """The running turn, 0 before the first one."""
        game = self.table.games.get(state.game)
        return 0 if game is None or state.play is None else game.turn(state.play)

    def _speak(self, language: str) -> Wording:
        events = (each.event for each in self._envelopes)
        seated = {each.player: each for each in events if isinstance(each, SeatTaken)}
        try:
            return Wording(
                self.game_registry,
                language,
                lambda seat, place: seat_name(seat, place, self.names),
                seated,
            )
        except UnknownLanguage as error:
            raise SourceError(str(error)) from error

    def _viewer(self, who: str) -> Viewer:
        if who in {"public", "full"}:
            return FULL if who == "full" else PUBLIC
        number = who.removeprefix(_SEAT)
        if number == who or not number.isdecimal():
            raise SourceError(f"a viewer is public, seat:N or full, not {who!r}")
        state = self._last(self._envelopes, FULL).state
        seat = int(number)
        if seat not in state.seats:
            raise SourceError(f"nobody sits on seat {seat}")
        # Whoever reads a record is nobody whose choices are kept.
        return replace(self.table.games[state.game].viewer(state.play, seat), owner=False)

    def _last(self, envelopes: Sequence[Envelope], viewer: Viewer | None = None) -> ViewAt:
        last = None
        for last in self._fold(envelopes, viewer):  # noqa: B007 (only the last one matters)
            pass
        if last is None:
            raise SourceError("the game has no events")
        return last

    def _fold(
        self, envelopes: Sequence[Envelope], viewer: Viewer | None = None
    ) -> Iterator[ViewAt]:
        state, eyes = self.table.initial(), viewer or self.viewer
        whole = self._envelopes
        for envelope in envelopes:
            event = redact(envelope.event, eyes)
            beside = {} if state.play is None else self.texts.beside(event, state.play)
            try:
                state = self.table.evolve(state, event)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise SourceError(f"version {envelope.version}: {misfit(error)}") from error
            number = envelope.version
            settled = number >= len(whole) or whole[number].batch is not None
            yield ViewAt(state, number, envelope.at, event, settled, beside)
