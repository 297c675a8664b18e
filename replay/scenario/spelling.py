"""Finding misspelt words in scenarios: where each stands, and what may have been meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from games.scenarios import (
    Act,
    Check,
    Formed,
    Keyed,
    Members,
    Pairing,
    Range,
    SeatChoice,
    Step,
    Term,
    Vocabulary,
    Words,
)
from replay.scenario import format as fm
from replay.scenario.dialect import BEFORE, Dialect, dialect_of
from replay.scenario.readings import literals, readings, terms_of

FEW: Final = 30
"""The most words listed when none resembles the misspelt one."""

FACTS: Final[Mapping[type[Check], Mapping[str, Words]]] = {
    fm.EndCheck: {"reason": "end", "outcome": "outcome", "winners": "seat", "score": "number"},
    fm.OptionsCheck: {"count": "number"},
}
"""What the facts of a check of all games hold, where the format alone does not say it."""


class Misspelling(Struct, frozen=True):
    """A word that nobody knows: where in the scenario it stands, and what is wrong with it."""

    place: str
    text: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.place}: {self.text}"


def misspellings(scenario: fm.Scenario) -> list[Misspelling]:
    """Every word of a scenario's steps and expectations that its game and table do not know."""
    return list(_Reader(scenario).read())


def vocabulary_of(scenario: fm.Scenario) -> Vocabulary:
    """The words of a scenario's table."""
    told = scenario.game.scenarios
    return told.vocabulary(scenario.rulebooks, scenario.seats, scenario.given)


class Speller:
    """Looks words up in a vocabulary; each method yields what is misspelt in a part of a scenario.

    ``place`` is where that part stands.
    """

    def __init__(self, dialect: Dialect, vocabulary: Vocabulary) -> None:
        self.dialect = dialect
        self.vocabulary = vocabulary
        self._forms = dialect.told.forms

    def word(self, name: str, word: object, place: str) -> Iterator[Misspelling]:
        """Look up one word of a term, or a number of a term that has numbers."""
        if word is None:
            return
        term = self.vocabulary.terms[name]
        if _has(term, word):
            return
        if isinstance(term, Range):
            most = "and more" if term.most is None else f"to {term.most}"
            yield Misspelling(place, f"{word!r} is no {term.what}: {term.least} {most}")
        else:
            yield Misspelling(place, f"{word!r} is no {term.what}{hint(word, term.words)}")

    def words(self, words: Words, value: Any, place: str) -> Iterator[Misspelling]:  # noqa: ANN401 (JSON)
        """Look up a value and all that is in it."""
        if value is None:
            return
        if isinstance(value, list | tuple):
            for n, part in enumerate(value):
                yield from self.words(words, part, f"{place}[{n}]")
        elif isinstance(words, Keyed):
            yield from self._keyed(words, value, place)
        elif isinstance(words, Members):
            for name, part in value.items():
                if name in words.of:
                    yield from self.words(words.of[name], part, f"{place}.{name}")
        elif isinstance(words, Formed):
            yield from self._formed(words, value, place)
        else:
            yield from self.word(words, value, place)

    def option(self, kind: str, option: str, place: str) -> Iterator[Misspelling]:
        """Look up an id of an option of a kind of decision, if there is such a kind."""
        forms = self._forms.options.get(kind)
        if forms is not None:
            words = Formed(f"option of {kind}", forms)
            yield from self._formed(words, option, place)

    def decision(self, kind: str, name: str, place: str) -> Iterator[Misspelling]:
        """Look up an id of a decision of a kind, if there is such a kind."""
        form = self._forms.decisions.get(kind)
        if form is not None:
            yield from self._formed(Formed(f"id of {kind}", (form,)), name, place)

    def event(self, pattern: fm.Pattern, place: str) -> Iterator[Misspelling]:
        """Look up an event, or a part of one: its type, its fields, and what these hold."""
        tag = pattern.get("type")
        types = self.dialect.event_types
        kind = types.get(tag) if isinstance(tag, str) else None
        if tag is None or kind is None:
            text = f"no event is of the type {tag!r}{hint(tag, types)}"
            yield Misspelling(f"{place}.type", text)
            return
        if kind in BEFORE:
            yield Misspelling(f"{place}.type", f"{tag} is before the game, where no check looks")
            return
        for name, value in pattern.items():
            if name != "type":
                yield from self._field(tag, name, value, f"{place}.{name}")
        for (first, second), pairing in self._forms.pairs.items():
            pair = pattern.get(first), pattern.get(second)
            yield from self._paired(pairing, *pair, f"{place}.{second}")

    def _field(self, tag: str, name: str, value: object, place: str) -> Iterator[Misspelling]:
        fields = self.dialect.event_fields[tag]
        if name not in fields:
            yield Misspelling(place, f"{tag} has no field {name!r}{hint(name, fields)}")
            return
        words = self.dialect.words_of(tag, name)
        found = [] if words is None else list(self.words(words, value, place))
        try:
            msgspec.convert(value, fields[name].type, str_keys=True)
        except msgspec.ValidationError as error:
            found = found or [Misspelling(place, str(error))]
        yield from found

    def _keyed(self, words: Keyed, value: Mapping[str, Any], place: str) -> Iterator[Misspelling]:
        for key, part in value.items():
            where = f"{place}.{key}"
            yield from self.word(words.keys, key, where)
            if words.values is not None:
                yield from self.words(words.values, part, where)
            if words.keys == "option":
                known = self.vocabulary.values.get(key)
                if known and not any(type(part) is type(one) and part == one for one in known):
                    text = f"{part!r} is no value of the option {key}{_all(known)}"
                    yield Misspelling(where, text)
            if words.pairing is not None:
                yield from self._paired(words.pairing, key, part, where)

    def _paired(
        self, pairing: Pairing, first: object, second: object, place: str
    ) -> Iterator[Misspelling]:
        """Look up whether two words go together, if anything goes with the first one."""
        term = self.vocabulary.terms[pairing.term]
        pairs = term.words if isinstance(term, Term) else ()
        known = any(pair.startswith(f"{first}:") for pair in pairs)
        if known and second is not None and f"{first}:{second}" not in pairs:
            yield Misspelling(place, pairing.never.format(first, second))

    def _formed(self, words: Formed, text: object, place: str) -> Iterator[Misspelling]:
        """Look up the words in a text, by the form that fits it best."""
        read: list[list[Misspelling]] = []
        if isinstance(text, str):
            # What was meant is looked for only if no form fits: most texts are right.
            if any(self._fits(form, text) for form in words.forms):
                return
            tries = [self._reading(form, text, place) for form in words.forms]
            read = [wrong for wrong in tries if wrong is not None]
        fixed = [form for form in words.forms if "{" not in form]
        if not read or get_close_matches(str(text), fixed, 1):
            told = f"{text!r} is no {words.what}, {_listed(text, words.forms)}"
            yield Misspelling(place, told + hint(text, fixed, few=False))
        else:
            yield from min(read, key=len)

    def _fits(self, form: str, text: str) -> bool:
        """Whether a text has this form and nothing in it is wrong."""
        found = readings(form, text, self._forms.joined)
        if found is None or self._repeats(found):
            return False
        return all(_has(self.vocabulary.terms[term], word) for term, word in found)

    def _reading(self, form: str, text: str, place: str) -> list[Misspelling] | None:
        """What is wrong with a text if it has this form; None if it has not."""
        found = readings(form, text, self._forms.joined)
        if found is None:
            return None
        wrong = [one for term, word in found for one in self.word(term, word, place)]
        if self._repeats(found):
            wrong.append(Misspelling(place, f"{text!r} names one thing twice"))
        return wrong

    def _repeats(self, found: Sequence[tuple[str, str]]) -> bool:
        """Whether an id names one thing twice that can be named but once."""
        once = [(term, word) for term, word in found if term not in self._forms.repeatable]
        return len(set(once)) < len(once)


class _Reader(Speller):
    """Reads a whole scenario."""

    def __init__(self, scenario: fm.Scenario) -> None:
        super().__init__(dialect_of(scenario.game), vocabulary_of(scenario))
        self.scenario = scenario

    def read(self) -> Iterator[Misspelling]:
        yield from self.word("problem", self.scenario.refused, "refused")
        for n, step in enumerate(self.scenario.when):
            yield from self._step(step, f"when[{n}]")
        yield from self._checks(self.scenario.then, "then")
        yield from self._checks(self.scenario.sometimes, "sometimes")

    def _step(self, step: Step, place: str) -> Iterator[Misspelling]:
        match step:
            case Act():
                choice = step.choice()
                yield from self._asked(choice, place)
                yield from self._chosen(choice, f"{place}.{step.told}", place)
            case fm.Choose():
                yield from self._asked(step, place)
                yield from self._chosen(step, f"{place}.option", place)
                if step.decision is not None:
                    yield from self.decision(step.kind, step.decision, f"{place}.decision")
            case _:
                yield from self._asked(step, place)
        if isinstance(step, fm.RunUntil):
            yield from self.word("turn", step.turn, f"{place}.turn")
        yield from self._checks(step.then, f"{place}.then")

    def _asked(self, part: Struct, place: str) -> Iterator[Misspelling]:
        """Who is asked for what: the seat, the kind of decision, the seat's own character."""
        seat, name = getattr(part, "seat", None), getattr(part, "character", None)
        yield from self.word("seat", seat, f"{place}.seat")
        yield from self.word("decision", getattr(part, "kind", None), f"{place}.kind")
        yield from self.word("character", name, f"{place}.character")
        owner = self.vocabulary.owners.get(name or "")
        if owner is not None and seat != owner:
            text = f"{name} is not of seat {seat}, but of seat {owner}"
            yield Misspelling(f"{place}.character", text)

    def _chosen(self, choice: SeatChoice | fm.Choose, at: str, place: str) -> Iterator[Misspelling]:
        """An option that is refused need not be one of its kind, but its words must be words."""
        yield from self.word("problem", choice.refused, f"{place}.refused")
        if choice.refused is None:
            yield from self.option(choice.kind, choice.option, at)
            return
        options = self.dialect.told.forms.options.values()
        terms = (self.vocabulary.terms[name] for name in sorted(terms_of(options)))
        known = {*literals(options), *(word for term in terms for word in _spelt(term))}
        for word in re.split(r"[:+.]", choice.option):
            if word not in known and not known.issuperset(word.split("-")):
                text = f"{word!r} is part of no option{hint(word, sorted(known))}"
                yield Misspelling(at, text)

    def _checks(self, checks: Sequence[Check], place: str) -> Iterator[Misspelling]:
        for n, check in enumerate(checks):
            yield from self._check(check, f"{place}[{n}]")

    def _check(self, check: Check, place: str) -> Iterator[Misspelling]:
        viewer = getattr(check, "viewer", "")
        if viewer.startswith("seat:"):
            yield from self.word("seat", viewer.removeprefix("seat:"), f"{place}.viewer")
        facts = self.dialect.told.forms.facts.get(type(check)) or FACTS.get(type(check), {})
        for name, words in facts.items():
            value = getattr(check, name)
            if value is not UNSET:
                yield from self.words(words, _plain(value), f"{place}.{name}")
        match check:
            case fm.OptionsCheck():
                yield from self._asked(check, place)
                yield from self._options(check, place)
            case fm.NoDecisionCheck():
                yield from self._asked(check, place)
            case fm.EventsCheck(include=include, exclude=exclude):
                for name, patterns in (("include", include), ("exclude", exclude)):
                    for n, pattern in enumerate(patterns):
                        yield from self.event(pattern, f"{place}.{name}[{n}]")
            case fm.OneOfCheck(of=parts):
                yield from self._checks(parts, f"{place}.of")

    def _options(self, check: fm.OptionsCheck, place: str) -> Iterator[Misspelling]:
        for name in ("are", "include", "exclude"):
            ids = getattr(check, name)
            for n, option in enumerate(() if ids is UNSET else ids):
                yield from self.option(check.kind, option, f"{place}.{name}[{n}]")
        if check.below is not None:
            yield from self.option(check.kind, check.below, f"{place}.below")
        if isinstance(check.default, str):
            yield from self.option(check.kind, check.default, f"{place}.default")


def _has(term: Term | Range, word: object) -> bool:
    return _within(term, word) if isinstance(term, Range) else word in term.words


def _within(term: Range, word: object) -> bool:
    if isinstance(word, bool) or not re.fullmatch(r"-?[0-9]+", str(word)):
        return False
    number = int(str(word))
    return term.least <= number and (term.most is None or number <= term.most)


def _spelt(term: Term | Range) -> Iterable[str]:
    if isinstance(term, Term):
        return [part for word in term.words for part in word.split(":")]
    return [str(n) for n in range(term.least, (term.most or term.least) + 1)]


def _listed(text: object, forms: Sequence[str]) -> str:
    """The forms, or those that look most like a text if there are many."""
    if len(forms) == 1:
        return f"which is {forms[0]}"
    if len(forms) > FEW:
        return f"such as {' or '.join(get_close_matches(str(text), forms, 3, 0) or forms[:1])}"
    return f"which is one of {', '.join(forms)}"


def hint(word: object, known: Iterable[str], *, few: bool = True) -> str:
    """What may have been meant; if nothing is near, all there is, unless that is a lot."""
    words = [other for other in dict.fromkeys(known) if other != word]
    near = get_close_matches(str(word), words, 3)
    if near:
        return f" (did you mean {' or '.join(near)}?)"
    return _all(words) if few else ""


def _all(words: Sequence[object]) -> str:
    told = ", ".join(str(word) for word in words)
    if not words:
        return " (there are none)"
    return f" (there are {told})" if len(words) <= FEW else ""


def _plain(value: object) -> Any:  # noqa: ANN401 (JSON)
    return msgspec.to_builtins(value, str_keys=True)
