"""Events in words: one line for each, for people who read a log (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.kernel import Event, Seat
from games.game_registry import GameRegistry
from games.sentences import Sentences
from games.table.events import InvitationDeclined, InvitationWithdrawn, PlayerInvited, SeatTaken
from games.table.state import TableState
from games.words import LANGUAGES, WORDS
from projections.board import clean
from projections.names import NamedSeat, SeatName, bot_called

Naming = Callable[[Seat, NamedSeat], SeatName]
"""The name that is shown for a seat."""

_LANGUAGES: Final = f"{', '.join(LANGUAGES[:-1])} and {LANGUAGES[-1]}"


_FIRM: Final = "\u00a0"

_OF_INVITATIONS: Final = (PlayerInvited, InvitationWithdrawn, InvitationDeclined)
"""Events that name an account, which is told by its name where it has sat at the table."""

_NOBODY: Final[Mapping[str, SeatTaken]] = {}


class UnknownLanguage(LookupError):
    """There is no catalogue for a language; the message is a sentence."""

    def __init__(self, language: str) -> None:
        super().__init__(f"there is no log in {language!r}: the languages are {_LANGUAGES}")


class Wording:
    """What happens at tables, in one language.

    Args:
        game_registry: the games.
        language: a language of ``games.words``.
        naming: knows the names of players.
        seated: how each account has last sat down at the table, before or after an event.

    Raises:
        UnknownLanguage: there is none.
    """

    def __init__(
        self,
        game_registry: GameRegistry,
        language: str,
        naming: Naming,
        seated: Mapping[str, SeatTaken] = _NOBODY,
    ) -> None:
        if language not in LANGUAGES:
            raise UnknownLanguage(language)
        self.language = language
        self._games, self._naming, self._seated = game_registry.games, naming, seated
        self._books: dict[tuple[str, str], Sentences | None] = {}

    def line(self, event: Event, beside: Mapping[str, Any], state: TableState) -> str:
        """What happened, without anything a terminal might obey; a list in it has lines of its own.

        Args:
            event: as its reader may see it, a field that they may not know is UNSET. If there are
                no words for it, it is shown by its type and fields.
            beside: what the game says of it (``games.texts.Texts.beside``).
            state: the view after it.
        """
        sentences, told = self._sentences(state), None
        if sentences is not None:
            invited = self._invited(event)
            who = {} if invited is None else {"who": invited.seat}
            fields = _cleaned({**msgspec.to_builtins(event, str_keys=True), **beside, **who})
            told = sentences.tell(fields, lambda seat: clean(self._player(seat, event, state)))
        # Only the sentence itself begins a line: what it was filled with has been cleaned before.
        return clean(_by_name(event)) if told is None else "\n".join(map(_firmly, told.split("\n")))

    def word(self, key: str, **values: object) -> str:
        """A text of every table."""
        return WORDS.word(self.language, key, **values)

    def phase(self, state: TableState) -> str:
        """The phase of a running game; "" if it has none."""
        phase = self._games[state.game].texts.phase(state.play)
        sentences = self._sentences(state)
        word = None if sentences is None else sentences.word(f"phase.{phase}")
        return phase.replace("_", " ") if word is None else word

    def _sentences(self, state: TableState) -> Sentences | None:
        """Those of the table's rulebook; None: its game does not describe it."""
        key = (state.game, state.rulebook)
        if key not in self._books:
            self._books[key] = self._read(*key)
        return self._books[key]

    def _read(self, game: str, rulebook: str) -> Sentences | None:
        found = self._games[game]
        try:
            book = found.published.rulebook(rulebook, self.language)
        except KeyError:
            return None
        return Sentences(book, found.texts.spell)

    def _invited(self, event: Event) -> SeatTaken | None:
        """How the one whose invitation an event is about has sat down; None: they never did."""
        return self._seated.get(event.player) if isinstance(event, _OF_INVITATIONS) else None

    def _player(self, seat: Seat, event: Event, state: TableState) -> str:
        place: NamedSeat | None = state.seats.get(seat)
        taken = event if isinstance(event, SeatTaken) else self._invited(event)
        if taken is not None and taken.seat == seat:
            place = taken
        if place is not None and place.bot is not None:
            return bot_called(place.bot, seat, self.language)
        name = SeatName() if place is None else self._naming(seat, place)
        if name.deleted:
            return self.word("player.deleted")
        return self.word("player.nameless", seat=seat) if name.name is None else name.name


def _firmly(line: str) -> str:
    """A line of ours, clean, but for French spaces that do not break it: a terminal is safe."""
    return _FIRM.join(map(clean, line.split(_FIRM)))


def _cleaned(value: Any) -> Any:  # noqa: ANN401 (any JSON)
    """A JSON value with all texts in it cleaned."""
    if isinstance(value, str):
        return _firmly(value)
    if isinstance(value, Mapping):
        return {key: _cleaned(each) for key, each in value.items()}
    return [_cleaned(each) for each in value] if isinstance(value, list | tuple) else value


def _by_name(event: Event) -> str:
    fields = ", ".join(f"{name} {value!r}" for name, value in _readable(event))
    return f"{str(type(event).__struct_config__.tag).replace('-', ' ')}: {fields}"


def _readable(event: Event) -> list[tuple[str, Any]]:
    found: Mapping[str, Any] = {name: getattr(event, name) for name in event.__struct_fields__}
    return [(name, value) for name, value in found.items() if value is not UNSET]
