"""In which rules a rulebook differs from others, as facts and as message keys (pure)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.room25.model.rulebook import Rulebook
from games.room25.words import WORDS

Value = bool | int | str | tuple[str, ...]
"""What the engine reads off a rulebook."""


class Trait(Struct, frozen=True, kw_only=True):
    """A rule in which rulebooks differ.

    ``value`` is what the engine reads; ``key`` is the message key of the rule as it is here, and
    ``rooms`` or ``count`` go into it.
    """

    id: str
    value: Value
    key: str
    rooms: tuple[str, ...] = ()
    count: int = 0

    def text(self, language: str) -> str:
        """The rule in a language."""
        values: Mapping[str, object] = {}
        if self.rooms:
            values = {
                "rooms": ", ".join(
                    WORDS.word(language, f"room25/room.{r}.name") for r in self.rooms
                )
            }
        elif self.count:
            values = {"count": self.count}
        return WORDS.word(language, self.key, **values)


def _flag(name: str, value: Value, rooms: tuple[str, ...] = (), count: int = 0) -> Trait:
    answer = "yes" if value else "no"
    return Trait(id=name, value=value, key=f"room25/rule.{name}.{answer}", rooms=rooms, count=count)


def _kept(name: str, strategy: object) -> Trait:
    """A rule that is a strategy: it is called by the name of its function."""
    called = getattr(strategy, "__name__", "")
    return Trait(id=name, value=called, key=f"room25/rule.{called}")


def traits(book: Rulebook) -> tuple[Trait, ...]:
    """Every such rule of a rulebook, in one order for all rulebooks."""
    return (
        _flag("clue", book.clue),
        Trait(id="outer", value=book.outer, key="room25/rule.outer", rooms=book.outer),
        _flag("direction_lock", book.direction_lock),
        _flag("jail_to_centre", book.jail_to_centre),
        _flag("cold_lingers", book.cold_lingers),
        _flag("acts_on_all", book.acts_on_all, rooms=book.acts_on_all),
        _flag("movable_reminders", book.movable_reminders),
        _flag("guard_powers", book.identities),
        _flag("reveal_any_time", book.reveal_any_time),
        _flag("reveal_needs_room25", book.reveal_needs_room25),
        _flag("guards_freed", book.guards_freed),
        _kept("masks", book.masks),
        _kept("identity", book.identity),
        _flag("dead_show_last_turn", book.dead_show_last_turn),
        _flag("adrenaline", book.adrenaline),
        _flag("robots", book.robots, count=book.robots),
        _flag("locks", book.locks, count=book.locks),
    )
