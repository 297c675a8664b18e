"""What may be asked, and what each answer does: the registry behind every ``Ask`` (§4.7; pure)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from events.kernel import Option
from games.room25.agenda import Ask
from games.room25.play import Play
from games.room25.state import State

Options = Callable[[State, Ask], list[Option]]
Default = Callable[[State, Ask, list[Option]], str]
Resolve = Callable[[Play, Ask, str], None]
Nothing = Callable[[Play, Ask], None]


def first(_: State, __: Ask, options: list[Option]) -> str:
    """The default of most decisions: the first option in canonical order."""
    return options[0].id


def no_effect(_: Play, __: Ask) -> None:
    """With no option there is nothing to do."""


class Choice(Struct, frozen=True, kw_only=True):
    """A kind of decision.

    ``options`` read public facts only; ``resolve`` carries an option out; ``nothing`` says what
    happens when there is no option at all. A single option is taken without asking. ``secret``:
    what is chosen stays the seat's own.
    """

    options: Options
    resolve: Resolve
    default: Default = first
    nothing: Nothing = no_effect
    secret: bool = False


CHOICES: dict[str, Choice] = {}
"""Every kind of decision that the agenda may ask for, by kind."""


def register(kind: str, choice: Choice) -> None:
    """Add a kind of decision.

    Raises:
        ValueError: the kind is taken.
    """
    if kind in CHOICES:
        raise ValueError(f"two choices of one kind: {kind}")
    CHOICES[kind] = choice
