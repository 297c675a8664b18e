"""What a file may say in short, put in full before it is read by its form.

A line is a tag and the facts behind it: ``choose 1 move_target r1c3``, ``tile r0c2 kind=null``.
Facts that must be there stand in their order, others as ``name=value``. An event in a check is a
line too, of its type. A position may be told by its difference from a base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct

from games.scenarios import ShorthandError
from replay.scenario import format as fm
from replay.scenario.dialect import Dialect
from replay.scenario.spelling import hint

EVENTS: Final = str(fm.EventsCheck.__struct_config__.tag)
SIGNS: Final = {"+": "include", "-": "exclude"}
"""What begins an event in a line of a check, and where the event belongs."""

_NAMED: Final = re.compile(r"([$a-z_0-9]+)=(.*)", re.DOTALL)
_WORD: Final = re.compile(r"[^\[\]{},']+")
_KEY: Final = re.compile(r"[^\[\]{},':]+")
_QUOTED: Final = re.compile(r"'([^']*)'")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,9})")
_CONSTANTS: Final[Mapping[str, bool | None]] = {"null": None, "true": True, "false": False}


class MisreadError(ValueError):
    """Something in short cannot be read; ``str`` of it says where and why."""


def in_full(file: Any, dialect: Dialect) -> Any:  # noqa: ANN401 (JSON, of whatever form)
    """A file with all that it says in short put in full.

    What has not the form of a file stays as it is, for the form to complain of.

    Raises:
        MisreadError: something in short cannot be read.
    """
    if not isinstance(file, dict) or not isinstance(file.get("scenarios"), list):
        return file
    common = {"rulebooks": file["rulebooks"]} if "rulebooks" in file else {}
    return {
        **file,
        "scenarios": [
            _Scenario(dialect, str(each.get("id", n))).in_full({**common, **each})
            if isinstance(each, dict)
            else each
            for n, each in enumerate(file["scenarios"])
        ],
    }


class _Scenario:
    """Puts one scenario in full."""

    def __init__(self, dialect: Dialect, name: str) -> None:
        self._dialect = dialect
        self._name = name

    def in_full(self, told: dict[str, Any]) -> dict[str, Any]:
        given = told.get("given")
        if isinstance(given, dict) and "base" in given:
            told = self._positioned(told, given)
        for part, one in (("when", self._step), ("then", self._check), ("sometimes", self._check)):
            if isinstance(told.get(part), list):
                told[part] = [one(each, f"{part}[{n}]") for n, each in enumerate(told[part])]
        return told

    def _positioned(self, told: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        """The position in full, at a table of its base."""
        member = self._dialect.told
        base = member.bases.get(str(given["base"]))
        if base is None or member.based is None:
            said = f"{given['base']!r} is no base{hint(given['base'], member.bases)}"
            raise self._error("given.base", said)
        own = {name: given[name] for name in member.based.__struct_fields__ if name in given}
        try:
            position = member.spread(msgspec.convert(own, member.based))
        except ShorthandError as error:
            said = f"{error}{hint(error.word, error.known) if error.known else ''}"
            raise self._error(f"given.{error.place}", said) from None
        except msgspec.ValidationError as error:
            raise self._error("given", str(error)) from None
        rest = {name: value for name, value in given.items() if name not in own}
        table = {"mode": base.mode, "seats": base.seats}
        return {**table, **told, "given": {**position, **rest}}

    def _step(self, step: Any, place: str) -> Any:  # noqa: ANN401 (JSON)
        if isinstance(step, str):
            return self._line("do", step, self._dialect.steps, place)
        if not isinstance(step, dict):
            return step
        told = step
        if isinstance(step.get("do"), str) and " " in step["do"]:
            line = self._line("do", step["do"], self._dialect.steps, f"{place}.do")
            told = {**line, **{name: value for name, value in step.items() if name != "do"}}
            for twice in sorted(line.keys() & step.keys() - {"do"}):
                raise self._error(place, f"{twice} is given twice")
        if isinstance(told.get("then"), list):
            checks = enumerate(told["then"])
            then = [self._check(each, f"{place}.then[{n}]") for n, each in checks]
            return {**told, "then": then}
        return told

    def _check(self, check: Any, place: str) -> Any:  # noqa: ANN401 (JSON)
        if isinstance(check, str):
            words = check.split()
            if words[:1] == [EVENTS]:
                return self._events(words, place)
            return self._line("check", check, self._dialect.checks, place)
        if not isinstance(check, dict):
            return check
        told = dict(check)
        if isinstance(check.get("of"), list):
            parts = enumerate(check["of"])
            told["of"] = [self._check(each, f"{place}.of[{n}]") for n, each in parts]
        for name in SIGNS.values():
            if told.get("check") == EVENTS and isinstance(told.get(name), list):
                told[name] = [
                    self._pattern(each.split(), f"{place}.{name}[{n}]")
                    if isinstance(each, str)
                    else each
                    for n, each in enumerate(told[name])
                ]
        return told

    def _events(self, words: Sequence[str], place: str) -> dict[str, Any]:
        """A check of events in one line."""
        signs = [n for n, word in enumerate(words) if word in SIGNS]
        parts = [
            (words[n], words[n + 1 : end])
            for n, end in zip(signs, [*signs[1:], len(words)], strict=True)
        ]
        head = " ".join(words[: signs[0] if signs else len(words)])
        told = self._line("check", head, self._dialect.checks, place)
        for sign, part in parts:
            told.setdefault(SIGNS[sign], []).append(self._pattern(part, place))
        return told

    def _pattern(self, words: Sequence[str], place: str) -> dict[str, Any]:
        """An event, or a part of one: its type, then its fields."""
        if not words:
            raise self._error(place, "an event has no type")
        return {"type": words[0], **self._facts(words[1:], (), {"type"}, place)}

    def _line(
        self, tag: str, line: str, kinds: Sequence[type[Struct]], place: str
    ) -> dict[str, Any]:
        """A line as the object it stands for; one whose tag nobody knows has nothing else."""
        word, *words = line.split() or [""]
        kind = next((kind for kind in kinds if kind.__struct_config__.tag == word), None)
        if kind is None:
            return {tag: word}
        return {tag: word, **self._facts(words, _needed(kind), {tag}, place)}

    def _facts(
        self, words: Sequence[str], needed: Sequence[str], taken: set[str], place: str
    ) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for n, word in enumerate(words):
            named = _NAMED.fullmatch(word)
            if named is None and n >= len(needed):
                raise self._error(place, f"{word!r} is no fact, such as name=value")
            name, text = (needed[n], word) if named is None else (named[1], named[2])
            if name in facts or name in taken:
                raise self._error(place, f"{name} is given twice")
            facts[name] = self._value(text, place)
        return facts

    def _value(self, text: str, place: str) -> Any:  # noqa: ANN401 (JSON)
        value, end = _read(text, 0)
        if end != len(text):
            raise self._error(place, f"{text!r} is no value: {text[end:]!r} cannot be read")
        return value

    def _error(self, place: str, said: str) -> MisreadError:
        return MisreadError(f"{self._name}: {place}: {said}")


@cache
def _needed(kind: type[Struct]) -> tuple[str, ...]:
    """The names of the facts that must be there, in their order."""
    # Kept, because msgspec evaluates all annotations of a class anew whenever it tells its fields.
    return tuple(f.encode_name for f in msgspec.structs.fields(kind) if f.required)


def _read(text: str, at: int) -> tuple[Any, int]:
    """The value that begins there, and where it ends: at ``at`` itself if there is none."""
    opened = text[at : at + 1]
    if opened == "[":
        values = list(_parts(text, at, "]"))
        return [value for value, _ in values[:-1]], values[-1][1]
    if opened == "{":
        pairs = list(_parts(text, at, "}"))
        return {key: value for (key, value), _ in pairs[:-1]}, pairs[-1][1]
    quoted = _QUOTED.match(text, at)
    if quoted is not None:
        return quoted[1], quoted.end()
    word = _WORD.match(text, at)
    if word is None:
        return "", at
    if word[0] in _CONSTANTS:
        return _CONSTANTS[word[0]], word.end()
    return int(word[0]) if _NUMBER.fullmatch(word[0]) else word[0], word.end()


def _parts(text: str, at: int, closed: str) -> Iterator[tuple[Any, int]]:
    """What stands between brackets, then None with the place behind them.

    That place is the opening bracket's if they cannot be read.
    """
    here = at + 1
    if text[here : here + 1] == closed:
        yield None, here + 1
        return
    while True:
        key = _KEY.match(text, here) if closed == "}" else None
        begun = here
        if closed == "}":
            if key is None or text[key.end() : key.end() + 1] != ":":
                break
            begun = key.end() + 1
        value, here = _read(text, begun)
        if here == begun:
            break
        yield (value if key is None else (key[0], value)), here
        if text[here : here + 1] == closed:
            yield None, here + 1
            return
        if text[here : here + 1] != ",":
            break
        here += 1
    yield None, at
