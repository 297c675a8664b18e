"""Sentences of a log: templates of the catalogue, filled from events (pure).

A rulebook's words hold a template for each type of event, ``event.<type>``. It is plain text with
holes, in the same language for ``replay log`` and for the page (``web/sentences.js``, which tests
hold to this module line by line):

==============================  ==================================================================
``{seat}``                      a field of the event; ``{time.limits_s}`` and ``{agenda.-1.0}``
                                reach into it
``{order, of, characters}``     the name that the rulebook's list ``characters`` has for it
``{cause, word, reason.*}``     the rulebook's word of this key, where ``*`` is the field
``{seat, seat}``                the player there; the field may also be an audience, ``seat:2``
``{rulebook, book}``            the rulebook's own name
``{robot, nth}``                a number that counts from 0, told from 1
``{place, place}``              a place of the board, as the game calls it (its ``spell["place"]``)
``{order, count}``              how many there are
``{x, seconds}``                a length of time in seconds: ``2 min``, ``1 h 30 min``
``{x, minutes}``                the same in minutes
``{due, after, since}``         the same of the milliseconds from the field ``since`` to this one
``{cell, cell}``                a kind of the game's own (``games.texts.Texts.spell``); who does
                                not know it shows the field
``{x, select, a {…} other {…}}``  the text for what the field is; the texts may have holes too
``{x, each, {…} { + }}``        the text for each entry, whose ``key`` and ``value`` are its fields,
                                and what stands between them, ", " unless it is given
``{x, lines, {…}}``             the same, each entry at the beginning of a line of its own
==============================  ==================================================================

What a ``select`` goes by is ``none`` for nothing, for false and for what the reader may not know,
``blank`` for an empty list, ``yes`` for true, and otherwise the text of the field; ``other`` is
for all that has no text of its own, and every ``select`` has it. Several values of ``of``, ``word``
or ``seat`` are listed, by the word ``list.last``. What is missing is ``–``, and what the rulebook
has no name for is its id. A sentence begins with a capital.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

Spell = Callable[[Any, Mapping[str, Any]], str]
"""Writes a value of a game's own kind, in the words of a rulebook's description."""

Player = Callable[[int], str]
"""What the player of a seat is called."""

KINDS: Final = frozenset(
    {
        *("", "of", "word", "seat", "book", "place", "nth", "count"),
        *("seconds", "minutes", "after", "select", "each", "lines"),
    }
)
"""The kinds of holes that every game has."""

NOTHING: Final = "–"
"""Stands where a value is missing."""

BETWEEN: Final = ", "

_SIMPLE: Final = re.compile(r"\{([\w.-]+)(?:, ([a-z]+)(?:, ([\w.*-]+))?)?\}")
_BRANCHED: Final = re.compile(r"\{([\w.-]+), (select|each|lines), ")
_CASE: Final = re.compile(r" ?([\w:-]*) ?\{")
_MINUTE: Final = 60
_HOUR: Final = 3600


class TemplateError(ValueError):
    """A template cannot be read; the message says where."""


class Hole(Struct, frozen=True):
    """A place in a template: ``cases`` are its texts by name, of those that have some."""

    path: str
    kind: str = ""
    argument: str = ""
    cases: tuple[tuple[str, Template], ...] = ()


Template = tuple[str | Hole, ...]
"""A template in parts."""


def parse(text: str) -> Template:
    """Read a template.

    Raises:
        TemplateError: it is not one.
    """
    parts, end = _parts(text, 0)
    if end < len(text):
        raise TemplateError(f"a brace too many at {end} in {text!r}")
    return parts


def _parts(text: str, at: int) -> tuple[Template, int]:
    """The parts from ``at`` to the brace that closes them, or to the end; and where that is."""
    found: list[str | Hole] = []
    while at < len(text) and text[at] != "}":
        if text[at] == "{":
            hole, at = _hole(text, at)
            found.append(hole)
        else:
            stop = min(x for x in (text.find("{", at), text.find("}", at), len(text)) if x >= 0)
            found.append(text[at:stop])
            at = stop
    return tuple(found), at


def _hole(text: str, at: int) -> tuple[Hole, int]:
    """The hole that begins at ``at``, and where it ends."""
    if simple := _SIMPLE.match(text, at):
        return Hole(simple[1], simple[2] or "", simple[3] or ""), simple.end()
    branched = _BRANCHED.match(text, at)
    if branched is None:
        raise TemplateError(f"no hole at {at} in {text!r}")
    cases: list[tuple[str, Template]] = []
    at = branched.end()
    while at < len(text) and text[at] != "}":
        head = _CASE.match(text, at)
        if head is None:
            raise TemplateError(f"no case at {at} in {text!r}")
        parts, at = _parts(text, head.end())
        cases.append((head[1], parts))
        at += 1
    if at >= len(text):
        raise TemplateError(f"no end in {text!r}")
    names = [name for name, _ in cases]
    fits = {"each": names in ([""], ["", ""]), "lines": names == [""]}.get(
        branched[2], "other" in names
    )
    if not fits or (branched[2] == "select" and len(set(names)) < len(names)):
        raise TemplateError(f"the cases {names} in {text!r}")
    return Hole(branched[1], branched[2], "", tuple(cases)), at + 1


def holes(template: Template) -> Iterator[Hole]:
    """All holes of a template, those in its cases too."""
    for part in template:
        if isinstance(part, Hole):
            yield part
            for _, inner in part.cases:
                yield from holes(inner)


class Sentences:
    """Tells events in the words of one rulebook.

    Args:
        book: its description in a language, as ``GET /v1/rulebooks/{rulebook}`` answers it.
        spell: the game's own kinds of holes.
    """

    def __init__(self, book: Mapping[str, Any], spell: Mapping[str, Spell]) -> None:
        self._book, self._spell = book, spell
        self._read: dict[str, Template] = {}

    def word(self, key: str) -> str | None:
        """The text of a key without its game: the game's own, or every table's; None: none."""
        words = self._book["words"]
        found: str | None = words.get(f"{self._book['game']}/{key}", words.get(key))
        return found

    def tell(self, event: Mapping[str, Any], player: Player) -> str | None:
        """The sentence for an event; None: the rulebook has no words for it.

        Args:
            event: its fields as JSON with its ``type``, without those that the reader may not know.
            player: names the player of a seat.

        Raises:
            TemplateError: its template cannot be read.
        """
        text = self.word(f"event.{event['type']}")
        return None if text is None else _capital(self._fill(self._template(text), event, player))

    def _template(self, text: str) -> Template:
        if text not in self._read:
            self._read[text] = parse(text)
        return self._read[text]

    def _fill(self, template: Template, fields: Mapping[str, Any], player: Player) -> str:
        return "".join(
            part if isinstance(part, str) else self._told(part, fields, player) for part in template
        )

    def _told(self, hole: Hole, fields: Mapping[str, Any], player: Player) -> str:
        value = _at(fields, hole.path)
        if hole.kind == "select":
            cases = dict(hole.cases)
            template = next(cases[each] for each in (*_selects(value), "other") if each in cases)
            return self._fill(template, fields, player)
        if hole.kind in {"each", "lines"}:
            (_, each), *between = hole.cases
            entries = _entries(value) if isinstance(value, Mapping) else enumerate(value or ())
            told = (self._fill(each, {"key": k, "value": v}, player) for k, v in entries)
            if hole.kind == "lines":
                return "".join(f"\n{line}" for line in told)
            return (self._fill(between[0][1], {}, player) if between else BETWEEN).join(told)
        if hole.kind == "after":
            return lasting((value - fields[hole.argument]) / 1000)
        if hole.kind == "count":
            return str(len(value or ()))
        if isinstance(value, Sequence) and not isinstance(value, str):
            return self._listed([self._one(hole, each, player) for each in value])
        return self._one(hole, value, player)

    def _one(self, hole: Hole, value: Any, player: Player) -> str:  # noqa: ANN401 (any JSON)
        if value is None or value == "":
            return NOTHING
        match hole.kind:
            case "":
                return str(value)
            case "of":
                return self._name(hole.argument, value)
            case "word":
                return self.word(hole.argument.replace("*", str(value).rstrip())) or str(value)
            case "seat":
                return player(int(str(value).removeprefix("seat:")))
            case "book":
                return str(self._book["name"] if value == self._book["id"] else value)
            case "nth":
                return str(value + 1)
            case "seconds":
                return lasting(value)
            case "minutes":
                return lasting(value * _MINUTE)
        own = self._spell.get(hole.kind)
        return str(value) if own is None else own(value, self._book)

    def _name(self, part: str, value: object) -> str:
        entries = self._book.get(part, ())
        return str(next((each["name"] for each in entries if each["id"] == value), value))

    def _listed(self, parts: Sequence[str]) -> str:
        if len(parts) < 2:  # noqa: PLR2004 (one needs no word between)
            return parts[0] if parts else NOTHING
        ends = {"before": BETWEEN.join(parts[:-1]), "last": parts[-1]}
        return self._fill(self._template(self.word("list.last") or "{before}, {last}"), ends, str)


def lasting(seconds: float) -> str:
    """A length of time in whole units that need no word in any language: ``1 h 30 min``, ``7 s``.

    Seconds count upwards; less than nothing is nothing.
    """
    whole = max(0, -int(-seconds // 1))
    counts = {"h": whole // _HOUR, "min": whole // _MINUTE % _MINUTE, "s": whole % _MINUTE}
    return " ".join(f"{n}\u00a0{unit}" for unit, n in counts.items() if n) or "0\u00a0s"


def _entries(value: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """The entries of an object, numbers first and in order, as JavaScript has them."""
    numbers = sorted((each for each in value.items() if str(each[0]).isdecimal()), key=_number)
    return [*numbers, *(each for each in value.items() if not str(each[0]).isdecimal())]


def _number(entry: tuple[Any, Any]) -> int:
    return int(entry[0])


def _at(fields: Any, path: str) -> Any:  # noqa: ANN401 (any JSON)
    """What lies at a path, None if there is nothing."""
    found = fields
    for step in path.split("."):
        if isinstance(found, Mapping):
            found = found.get(step)
        elif isinstance(found, Sequence) and not isinstance(found, str):
            at = int(step)
            found = found[at] if -len(found) <= at < len(found) else None
        else:
            return None
    return found


def _selects(value: Any) -> tuple[str, ...]:  # noqa: ANN401 (any JSON)
    """By which names of cases a value is told, the first that there is a text for."""
    if value is None or value is False or value == "":
        return ("none",)
    if value is True:
        return ("yes",)
    if isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return () if value else ("blank",)
    return (str(value).rstrip(),)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
