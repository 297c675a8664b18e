"""What a kind of decision consists of: its options, its default, what an answer does (§4.7; pure).

Each module of the rules exports the kinds that are its own as ``CHOICES``.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from events.kernel import Option
from games.room25.model.agenda import Ask
from games.room25.model.state import State
from games.room25.rules.context import Play

Options = Callable[[State, Ask], list[Option]]
Default = Callable[[State, Ask, list[Option]], str]
Resolve = Callable[[Play, Ask, str], None]
Nothing = Callable[[Play, Ask], None]


def first(_: State, __: Ask, options: list[Option]) -> str:
    """The default of most decisions: the first option in canonical order."""
    return options[0].id


def refusable(_: State, __: Ask) -> list[Option]:
    """The options of whoever may refuse: to do so is the default (D12, D21)."""
    return [Option("refuse"), Option("accept")]


def no_effect(_: Play, __: Ask) -> None:
    """With no option there is nothing to do."""


class ChoiceKind(Struct, frozen=True, kw_only=True):
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
