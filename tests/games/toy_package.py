"""The toy as the house takes it: its words, texts, drawing, scenarios and publication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from events.kernel import Event
from games.bots import HouseBot
from games.contract import JsonValue
from games.drawing import DrawnPosition
from games.package import GamePackage
from games.published import Refusal
from games.rulebooks import RulebookInfo
from games.scenarios import (
    Act,
    Check,
    Json,
    Keyed,
    SeatChoice,
    Term,
    Vocabulary,
    Words,
    differences,
)
from games.sentences import Spell
from games.texts import TurnWord
from games.words import ENGLISH
from tests.games.publishing import PublishedPlainly
from tests.games.telling import ToldPlainly
from tests.games.toy import NUMBERS, TOY, DieRolled, Play, walking, waving

TOY_FILE = Path(__file__).with_name("toy.scenarios.json")
"""Scenarios of the toy."""

TOY_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "toy/event.toy-began": "The die will fall {rounds} times.",
        "toy/event.number-chosen": "{seat, seat} writes a number down"
        "{number, select, none {} other {: {number}}}.",
        "toy/event.numbers-shown": "The numbers: {numbers, each, {{key, seat} {value}}}.",
        "toy/event.die-rolled": "Round {round}: the die shows {die, pips}.",
        "toy/event.waved": "{seat, seat} waves.",
        "toy/phase.number_writing": "writing",
        "toy/side.first": "first to throw",
        "toy/side.later": "throwing later",
        "toy/phase.die_throwing": "throwing",
    },
    "fr": {
        "toy/event.toy-began": "Le dé tombera {rounds} fois.",
        "toy/event.number-chosen": "{seat, seat} note un nombre"
        "{number, select, none {} other {\u00a0: {number}}}.",
        "toy/event.numbers-shown": "Les nombres\u00a0: {numbers, each, {{key, seat} {value}}}.",
        "toy/event.die-rolled": "Manche {round}\u00a0: le dé montre {die, pips}.",
        "toy/event.waved": "{seat, seat} fait signe.",
        "toy/phase.number_writing": "écriture",
        "toy/side.first": "premier à lancer",
        "toy/side.later": "lançant plus tard",
        "toy/phase.die_throwing": "lancer",
    },
    "pl": {
        "toy/event.toy-began": "Liczba rzutów kostką: {rounds}.",
        "toy/event.number-chosen": "{seat, seat} zapisuje liczbę"
        "{number, select, none {} other {: {number}}}.",
        "toy/event.numbers-shown": "Liczby: {numbers, each, {{key, seat} {value}}}.",
        "toy/event.die-rolled": "Runda {round}: kostka pokazuje {die, pips}.",
        "toy/event.waved": "{seat, seat} macha ręką.",
        "toy/phase.number_writing": "zapisywanie",
        "toy/side.first": "rzucając jako pierwszy",
        "toy/side.later": "rzucając później",
        "toy/phase.die_throwing": "rzucanie",
    },
}
"""How its events are told, by language."""


class ToyTexts:
    """What is said of the toy (``games.texts.Texts``)."""

    spell: Mapping[str, Spell] = {"pips": lambda value, _: "●" * int(value)}
    turn: TurnWord = "turn"

    def beside(self, event: Event, before: Play) -> Mapping[str, JsonValue]:
        return {"round": before.turn} if isinstance(event, DieRolled) else {}

    def word(self, language: str, key: str) -> str:
        return f"{key.removeprefix('toy/')} in {language}"

    def phase(self, state: Play) -> str:
        return "number_writing" if not state.shown else "die_throwing"


class ToyDrawing:
    """The toy as it is drawn (``games.drawing.Drawing``)."""

    def position(self, state: Play, language: str = ENGLISH) -> DrawnPosition:
        del language
        points = (f"seat {n} counts {points} points" for n, points in sorted(state.points.items()))
        return DrawnPosition(turn=state.turn, last_turn=state.rounds, facts=tuple(points))


class PointsCheck(Check, frozen=True, kw_only=True, tag="points"):
    """How many points a seat has."""

    seat: int
    points: int


class Write(Act, frozen=True, kw_only=True, tag="write"):
    """A seat writes a number down."""

    told: ClassVar[str] = "number"

    seat: int
    number: str

    def choice(self) -> SeatChoice:
        return SeatChoice(seat=self.seat, kind="number", option=self.number)


class ToyScenarios(ToldPlainly):
    """What scenario files may say of the toy (``games.scenarios.Scenarios``)."""

    checks = (PointsCheck,)
    acts = (Write,)
    phases = ("number_writing", "die_throwing")
    facts: Mapping[type[Check], Mapping[str, Words]] = {PointsCheck: {"points": "number"}}

    def vocabulary(self, rulebooks: Sequence[str], seats: int, given: Struct | None) -> Vocabulary:
        plainly = super().vocabulary(rulebooks, seats, given)
        die = Term("number of the die", NUMBERS)
        party = Term("party", tuple(f"s{seat + 1}" for seat in range(seats)))
        return replace(plainly, terms={**plainly.terms, "die": die, "party": party})

    def now(self, play: Json) -> tuple[int, str]:
        return play["turn"], "die_throwing" if play["shown"] else "number_writing"

    def judge(self, check: Check, play: Json) -> str | None:
        assert isinstance(check, PointsCheck)
        return differences(check, {"points": play["points"][str(check.seat)]}, ("seat",))


TOY_SCENARIOS = ToyScenarios(
    book="toybook",
    options={
        "number": ("{die}",),
        "pick": (
            *("single", "double", "favour", "favour.nobody"),
            *("favour.{party-}", "favour.{party-}.once", "favour.{party-}.twice"),
        ),
        "wave": ("wave",),
    },
    decisions={"number": "number-t{turn}-s{seat}", "pick": "pick-t{turn}"},
    words={
        ("toy-began", "seats"): "number",
        ("toy-began", "rounds"): "number",
        ("toy-began", "omen"): "die",
        ("number-chosen", "seat"): "seat",
        ("number-chosen", "number"): "die",
        ("numbers-shown", "numbers"): Keyed("seat", "die"),
        ("die-rolled", "pick"): None,
        ("die-rolled", "die"): "die",
        ("die-rolled", "points"): Keyed("seat", "number"),
        ("waved", "seat"): "seat",
    },
    outcomes=("most-points",),
)


class ToyRulebook(RulebookInfo, frozen=True, kw_only=True):
    """The toy's rulebook, with the numbers that one may write down."""

    numbers: tuple[str, ...]


class PublishedToy(PublishedPlainly):
    """The toy as the API shows it (``games.published.Published``)."""

    description: type[Struct] = ToyRulebook

    def rulebook(self, rulebook: str, language: str) -> dict[str, JsonValue]:
        return {**super().rulebook(rulebook, language), "numbers": NUMBERS}


TOY_GAME = GamePackage(
    rules=TOY,
    bots={"random": HouseBot(walking), "eager": HouseBot(walking, waving)},
    texts=ToyTexts(),
    drawing=ToyDrawing(),
    published=PublishedToy(
        game="toy",
        title="The toy",
        book="toybook",
        about="Everybody writes a number down",
        words=TOY_WORDS,
        state=Play,
        refusals=(
            Refusal(
                code="bad-toy",
                status=422,
                title="The toy is played otherwise",
                meaning="It is played in one way, by 2 to 5.",
                refused="opening",
            ),
        ),
        unpromised={Play: {"waved": "Whoever waved, in any order."}},
    ),
    scenarios=TOY_SCENARIOS,
)
