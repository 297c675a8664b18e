"""A second reading of the deck: the rows of §8 as text, parsed without the deck's own words.

``rows.txt`` has one line for each card: id, English name, type, windows, target, effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from games.cerveauuu.model import language as words
from games.cerveauuu.model.language import Card, Effect, Slot

TEXT: Final = Path(__file__).with_name("rows.txt").read_text(encoding="utf-8")

WINDOWS: Final = {
    "P": "panic",
    "Z": "pre_zombies",
    "O": "open",
    "M": "movement",
    "C": "combat",
    "E": "end_round",
}

Parsed = Any
"""What a part of an effect means: a struct of the language, a number or a word."""


class Row(NamedTuple):
    """A line of the table: what it says, and the English name."""

    card: Card
    name: str


def rows(text: str) -> Iterator[Row]:
    """The rows of a table.

    Raises:
        KeyError: a word is unknown.
        ValueError: a line has not six parts.
        msgspec.ValidationError: a part is not what the language allows there.
    """
    for line in text.splitlines():
        card_id, name, kind, when, target, effect = (part.strip() for part in line.split(" | "))
        letters = {"any": "PZOMCE", "draw": ""}.get(when, when)
        found = Card(
            card_id,
            _checked(kind, words.CardType),
            tuple(_checked(WINDOWS[letter], words.Window) for letter in letters),
            tuple(_slot(part) for part in target.split(" ") if part != "-"),
            tuple(_checked(expression(part), Effect) for part in parts(effect, ";")),
        )
        yield Row(found, name)


def _checked(value: Parsed, kind: Any) -> Any:
    """The value, if the language's types admit it."""
    return msgspec.convert(msgspec.to_builtins(value), kind)


def parts(text: str, separator: str) -> list[str]:
    """What stands between separators, those inside of brackets left alone."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == separator and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]


def _slot(text: str) -> Slot:
    kind, *filters = re.split(r"[\[\],]", text.removesuffix("]"))
    relations: dict[str, Callable[..., words.Relation]] = {
        "see": words.Sees,
        "r": words.Within,
        "adj": words.AdjacentTo,
    }
    flags = tuple(each for each in filters if ":" not in each)
    related = [each.split(":") for each in filters if ":" in each]
    built = tuple(relations[name](*map(int, numbers)) for name, *numbers in related)
    return Slot(_checked(kind, words.SlotKind), _checked(flags, tuple[words.Flag, ...]), built)


def expression(text: str) -> Parsed:
    """What a term of an effect means.

    Raises:
        KeyError: a word is unknown.
    """
    if text in {"me", "others", "everyone"}:
        return words.Seats(_checked(text, Any))
    if re.fullmatch(r"\$\d", text):
        return words.Chosen(int(text[1:]))
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    if (pieces := re.fullmatch(r"([HZX])(?:\[(\w+)\])?", text)) is not None:
        kind, asked = pieces.groups()
        return words.Pieces(_checked(kind, Any), (_checked(asked, Any),) if asked else ())
    term = re.fullmatch(r"(\w+)\((.*)\)", text)
    if term is None:
        return text
    return _term(term[1], parts(term[2], ","))


def _term(name: str, given: list[str]) -> Parsed:
    if name == "mod":
        sel, stat, value, lasts = given
        number = int(value.removeprefix("="))
        return words.ModifyStat(
            expression(sel), _checked(stat, Any), number, _checked(lasts, Any), value[0] == "="
        )
    if name == "credits":
        return words.ReturnCredits() if given == ["return"] else words.RaiseCreditsNeed(1)
    values = [expression(each) for each in given]
    for place in NUMBERED.get(name, ()):  # here a slot is told by its number
        values[place] = values[place].slot
    return TERMS[name](*values)


NUMBERED: Final[Mapping[str, tuple[int, ...]]] = {
    "near": (0,),
    "inside": (0,),
    "beside": (0,),
    "at": (0,),
    "foes": (0,),
    "allies": (0,),
    "doors": (0,),
    "place": (1,),
    "lure": (2,),
    "spawn": (1,),
    "cell": (0,),
}
"""The arguments of each word that are slots and nothing else."""

TERMS: Final[Mapping[str, Callable[..., Parsed]]] = {
    "all": words.All,
    "near": words.Near,
    "inside": words.Inside,
    "beside": words.Beside,
    "at": words.At,
    "foes": words.Foes,
    "allies": words.Allies,
    "doors": words.Doors,
    "tie": words.SetTie,
    "halt": words.HaltMovement,
    "block": words.Block,
    "unblock": words.Unblock,
    "step": words.TakeSteps,
    "place": words.PlacePiece,
    "flee": words.Flee,
    "lure": words.Lure,
    "kill": words.Kill,
    "save": words.Save,
    "spawn": words.Spawn,
    "draw": words.DrawCards,
    "drop": words.DropCards,
    "take": words.TakeCard,
    "look": words.LookAtHand,
    "edge": words.SetEdges,
    "cell": words.FlagCell,
    "score": words.AddPoints,
    "ready": words.MakeReady,
    "when": words.Trigger,
    "ban": words.Ban,
    "combatant": words.ChangeCombatants,
}
"""The words of §7; ``mod`` and ``credits`` are read by hand."""
