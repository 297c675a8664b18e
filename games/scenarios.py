"""What a game provides so that its acceptance scenarios can be written and judged (pure).

A scenario file is read, played and judged by ``replay.scenario``, which knows no game. The game
defines what a file may say of a position, and how its words are spelt.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Protocol

import msgspec
from msgspec import UNSET, Meta, Struct

Json = Mapping[str, Any]

ViewerName = Annotated[str, Meta(pattern=r"^(public|full|seat:[1-9][0-9]?)\Z")]
"""The viewer: everybody (``public``), one seat, or an auditor who may see all (``full``)."""

SeatNumber = Annotated[int, Meta(ge=1, le=8)]
Word = Annotated[str, Meta(min_length=1, max_length=100)]


class Check(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="check",
):
    """Something that must be true."""


class Step(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="do",
):
    """Something that is done; ``then`` must be true right after it."""

    then: tuple[Check, ...] = ()


class SeatChoice(Struct, frozen=True, kw_only=True):
    """A seat chooses an ``option`` of its open decision of a ``kind``.

    ``refused`` expects this problem and no change.
    """

    seat: int
    kind: str
    option: str
    character: str | None = None
    refused: str | None = None


class Act(Step, frozen=True, kw_only=True):
    """A choice expressed in the game's own words; ``told`` names the field with the option."""

    told: ClassVar[str]

    def choice(self) -> SeatChoice:
        """What is chosen."""
        raise NotImplementedError


# --- words ---


class Term(Struct, frozen=True):
    """Words of one sort: what such a word is called in a sentence, and which there are.

    ``told`` describes them in Markdown where there are too many to be listed.
    """

    what: str
    words: tuple[str, ...]
    told: str = ""


class Range(Struct, frozen=True):
    """Numbers of one sort; ``most`` None: there is no largest."""

    what: str
    least: int
    most: int | None = None


class Formed(Struct, frozen=True):
    """Text that has one of these forms, and what such text is called.

    A form is an id with its words left out: ``{character}:{cell}`` stands for ``kevin:r1c3``.
    Between the braces stands a term; with a ``-`` or a ``.`` behind it (``{seat-}``, ``{cell.}``)
    for one word or several, joined by it.
    """

    what: str
    forms: tuple[str, ...]


class Pairing(Struct, frozen=True):
    """Two words that must go together: ``first:second`` is a word of the ``term``.

    ``never`` says of two that do not that they do not, with ``{}`` for each.
    """

    term: str
    never: str


class Keyed(Struct, frozen=True):
    """An object whose keys and values are words of their own terms; ``values`` None: anything."""

    keys: str
    values: Words | None = None
    pairing: Pairing | None = None


class Members(Struct, frozen=True):
    """An object whose members are each words of a term; members that are not named are anything."""

    of: Mapping[str, Words]


Words = str | Formed | Keyed | Members
"""A term by its name, also for each part of a list; or how an object is made of terms."""


class WordForms(Struct, frozen=True, kw_only=True):
    """How a game spells what its scenarios name.

    ``options`` are the forms of the ids of options by the kind of decision, ``decisions`` those of
    the ids of decisions, ``waits`` those of what a table waits for. ``joined`` are the terms whose
    words have a colon inside, ``repeatable`` those of which one id may name a word twice. ``facts``
    say what the fields of the game's own checks hold where the
    format alone does not say it, ``events`` what the fields of its events do (None: only the type
    can be wrong); ``pairs`` are fields of an event that must go together.
    """

    options: Mapping[str, tuple[str, ...]]
    decisions: Mapping[str, str]
    waits: tuple[str, ...]
    joined: frozenset[str] = frozenset()
    repeatable: frozenset[str] = frozenset()
    facts: Mapping[type[Check], Mapping[str, Words]]
    events: Mapping[tuple[str, str], Words | None]
    pairs: Mapping[tuple[str, str], Pairing] = {}


class Vocabulary(Struct, frozen=True, kw_only=True):
    """The words of one table.

    ``terms`` by name: there are always ``seat``, ``character``, ``turn``, ``number``, ``decision``,
    ``problem``, ``option``, ``outcome``, ``end`` and whatever the forms name. ``owners`` are the
    seats of the characters, where the scenario says them; ``values`` are those that an option of
    the table may have, where these are few.
    """

    terms: Mapping[str, Term | Range]
    owners: Mapping[str, int]
    values: Mapping[str, tuple[object, ...]]


# --- positions ---


class Base(Struct, frozen=True, kw_only=True):
    """A position that many scenarios begin with: its ``mode``, its ``seats`` and who sits there.

    ``about`` is half a sentence, ``told`` says in Markdown who is there; ``situation`` is the JSON
    of a position in full.
    """

    about: str
    told: str
    mode: str
    seats: int
    situation: Json


class ShorthandError(ValueError):
    """A position in shorthand that cannot be read.

    ``place`` says where in it, ``known`` which words exist instead of ``word``.
    """

    def __init__(self, place: str, said: str, word: str = "", known: Collection[str] = ()) -> None:
        super().__init__(said)
        self.place = place
        self.word = word
        self.known = known


class Scenarios(Protocol):
    """A game's side of scenario files."""

    @property
    def situation(self) -> type[Struct] | None:
        """The form of a position that a scenario may begin with; None: there are none."""
        ...

    @property
    def bases(self) -> Mapping[str, Base]:
        """The named positions that a scenario may begin with."""
        ...

    @property
    def based(self) -> type[Struct] | None:
        """The shorthand's own fields; all others are those of a position.

        One of its fields is ``base``. None: there is no short form.
        """
        ...

    def spread(self, short: Any) -> Json:  # noqa: ANN401 (``based``)
        """Expand a position in shorthand, whose base is known, to the JSON of a full one.

        Raises:
            ShorthandError: it cannot be read.
        """
        ...

    @property
    def checks(self) -> Sequence[type[Check]]:
        """The checks that only this game has."""
        ...

    @property
    def acts(self) -> Sequence[type[Act]]:
        """The steps that only this game has."""
        ...

    @property
    def phases(self) -> Sequence[str]:
        """The phases that a scenario may wait for, in game order."""
        ...

    @property
    def forms(self) -> WordForms:
        """How its words are spelt."""
        ...

    def vocabulary(self, rulebooks: Sequence[str], seats: int, given: Struct | None) -> Vocabulary:
        """The words of a table of some rulebooks; ``given`` is the position it begins with."""
        ...

    def now(self, play: Json) -> tuple[int, str]:
        """The turn and the phase of a game, from the JSON of any view of it."""
        ...

    def judge(self, check: Any, play: Json) -> str | None:  # noqa: ANN401 (one of its own checks)
        """None if one of the game's own checks holds, else what is the case instead.

        ``play`` is the JSON of what the check's viewer sees of the game.
        """
        ...


def differences(check: Struct, facts: Json, skip: Sequence[str]) -> str | None:
    """What a check's named facts should be and are not; ``skip`` are fields that are no facts."""
    wrong = []
    for name in check.__struct_fields__:
        value = getattr(check, name)
        if name in skip or value is UNSET:
            continue
        wanted = msgspec.to_builtins(value, builtin_types=(), str_keys=True)
        wanted = list(wanted) if isinstance(wanted, tuple) else wanted
        if facts.get(name, UNSET) != wanted:
            wrong.append(f"{name} is {facts.get(name, UNSET)!r}")
    return ", ".join(wrong) or None
