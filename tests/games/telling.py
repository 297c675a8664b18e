"""A small game as scenario files tell it, without checks, steps and positions of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.scenarios import (
    Act,
    Base,
    Check,
    Json,
    Range,
    Term,
    Vocabulary,
    WordForms,
    Words,
)

REFUSALS = ("option-not-offered", "option-is-a-branch", "bad-seat-count")


class ToldPlainly:
    """What scenario files may say of a small game (``games.scenarios.Scenarios``).

    Args:
        book: its only rulebook.
        options: the ids of options by the kind of decision, and of decisions in ``decisions``.
        words: what the fields of its events hold.
        outcomes: how it can end.
    """

    situation: type[Struct] | None = None
    bases: Mapping[str, Base] = {}
    based: type[Struct] | None = None
    checks: Sequence[type[Check]] = ()
    acts: Sequence[type[Act]] = ()
    phases: Sequence[str] = ("",)
    facts: Mapping[type[Check], Mapping[str, Words]] = {}

    def __init__(
        self,
        *,
        book: str = "",
        options: Mapping[str, tuple[str, ...]] = {},
        decisions: Mapping[str, str] = {},
        words: Mapping[tuple[str, str], Words | None] = {},
        outcomes: tuple[str, ...] = (),
    ) -> None:
        self._book, self._outcomes = book, outcomes
        self.forms = WordForms(
            options=options, decisions=decisions, waits=(), facts=self.facts, events=words
        )

    def spread(self, short: Struct) -> Json:
        raise AssertionError(short)  # it has no positions

    def vocabulary(self, rulebooks: Sequence[str], seats: int, given: Struct | None) -> Vocabulary:
        assert given is None
        assert set(rulebooks) <= {self._book}
        terms: dict[str, Term | Range] = {
            "seat": Range("seat of this table", 1, seats),
            "character": Term("figure", tuple(f"figure-{n + 1}" for n in range(seats))),
            "turn": Range("round", 1, 10),
            "number": Range("number", 0),
            "decision": Term("kind of decision", (*self.forms.options, "resign", "return")),
            "problem": Term("problem", REFUSALS),
            "option": Term("option", ("rounds",)),
            "outcome": Term("outcome", self._outcomes),
            "end": Term("way to close a table", ("finished", "abandoned")),
            "rulebook": Term("rulebook", (self._book,)),
        }
        return Vocabulary(terms=terms, owners={}, values={})

    def now(self, play: Json) -> tuple[int, str]:
        return play["turn"], ""

    def judge(self, check: Check, play: Json) -> str | None:
        raise AssertionError(check, play)  # it has none
