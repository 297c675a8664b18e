"""What is said of a game of Cerveauuu! (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET

from events.kernel import Event, Seat
from games.cerveauuu.board.maps import MAPS
from games.cerveauuu.facts.card_events import AnswerGiven, CardPlayed, DiscardChosen
from games.cerveauuu.facts.zombie_events import BatchDealt, BatchJudged, ConsentGiven
from games.cerveauuu.model.ids import card_number
from games.cerveauuu.model.state import Cell, Edge, State
from games.cerveauuu.rules.wandering import STAY
from games.cerveauuu.telling.piece_names import piece_name
from games.cerveauuu.words import WORDS
from games.contract import JsonValue
from games.sentences import Spell
from games.texts import TurnWord
from games.trees import parts_of

_CELL: Final = re.compile(r"r\d+c\d+")
_EDGE: Final = re.compile(r"r(\d+)c(\d+)([es])")
_ANCHOR: Final = re.compile(r"\d+")
_CARDS: Final = re.compile(r"k\d+(-k\d+)*")
_SEAT: Final = re.compile(r"s(\d+)")
_BUILDING: Final = re.compile(r"[a-z]")
_ON_MAP: Final = re.compile(r"(\w+):([a-z])")
_MINUS: Final = "\u2212"


class CerveauuuTexts:
    """Its events and phases in words (``games.texts.Texts``).

    Five kinds of holes are its own: ``piece``, the name of a piece; ``cell``, that of a cell;
    ``edge``, the names of the two cells that it lies between; ``aim``, what a card was played on;
    and ``signed``, a number with its sign.

    Args:
        cell: what a cell is called where the sentence is read; by default its id, as it stands
            beside what ``parlour replay`` draws.
    """

    turn: TurnWord = "round"

    def __init__(self, cell: Callable[[Cell], str] = str) -> None:
        self._cell = cell
        self.spell: Mapping[str, Spell] = {
            "place": lambda value, _: cell(value),
            "cell": lambda value, _: cell(value),
            "piece": lambda value, book: _piece(value, book["words"]),
            "edge": lambda value, _: self._edge(value),
            "aim": self._aim,
            "signed": lambda value, _: (
                f"+{value}" if value > 0 else str(value).replace("-", _MINUS)
            ),
        }

    def beside(self, event: Event, before: State) -> Mapping[str, JsonValue]:
        """What a sealed choice means to who may know it.

        It is ``card``, the card that an answer plays, ``cards``, those that are to be discarded,
        or ``answer``, ``accept`` or ``decline``. Of the batch of wandering it is ``dealt``, the
        humans that were dealt to each, and ``decided``, what became of them. Of a play it is the
        ``number`` of the card, what it is played ``on``, each building with the map that has it,
        and the numbers of those that are ``dropped`` with it. Nothing for what is hidden, and for
        other events.
        """
        return {**_meant(event, before), **_played(event, before.map)}

    def word(self, language: str, key: str) -> str:
        """The text of a message key that begins with ``cerveauuu/``."""
        return WORDS.word(language, key)

    def phase(self, state: State) -> str:
        """The phase of the round, as the state has it."""
        return state.phase

    def _edge(self, edge: Edge) -> str:
        found = _EDGE.fullmatch(edge)
        if found is None:
            raise ValueError(f"no edge: {edge}")
        y, x, side = int(found[1]), int(found[2]), found[3]
        other = f"r{y}c{x + 1}" if side == "e" else f"r{y + 1}c{x}"
        return f"{self._cell(f'r{y}c{x}')}/{self._cell(other)}"

    def _aim(self, part: str, book: Mapping[str, Any]) -> str:
        """A part of a play: a piece, a place, a building or a seat (§5.7)."""
        words = book["words"]
        if _CELL.fullmatch(part):
            return self._cell(part)
        if _EDGE.fullmatch(part):
            return self._edge(part)
        if seat := _SEAT.fullmatch(part):
            return f"{words['cerveauuu/term.seat']} {seat[1]}"
        if _BUILDING.fullmatch(part):
            return f"{words['cerveauuu/term.building']} {part.upper()}"
        if building := _ON_MAP.fullmatch(part):
            return _building(book, *building.groups())
        return _piece(part, words)


def _meant(event: Event, before: State) -> dict[str, JsonValue]:
    """What the state before an event has for its sentence."""
    match event:
        case AnswerGiven(seat=seat, choice=str(choice)) if "." in choice:
            number = card_number(parts_of(choice)[1])
            return {"card": before.hands[seat].get(number)}
        case DiscardChosen(seat=seat, numbers=tuple(numbers)):
            return {"cards": [before.hands[seat].get(number) for number in numbers]}
        case ConsentGiven(accepts=accepts) if accepts is not UNSET:
            return {"answer": "accept" if accepts else "decline"}
        case BatchDealt(humans=humans):
            return {"dealt": _by_seat(humans)}
        case BatchJudged() if before.wandering is not None:
            dealt = _by_seat(before.wandering.batch).items()
            return {"decided": {s: {h: _decided(event, h) for h in own} for s, own in dealt}}
    return {}


def _played(event: Event, map_: str) -> dict[str, JsonValue]:
    """What the path of a play says, but for its anchor, which has a field of its own."""
    match event:
        case AnswerGiven(choice=str(choice)) | CardPlayed(choice=str(choice)) if "." in choice:
            _, number, *said = parts_of(choice)
            dropped = [part for part in said if _CARDS.fullmatch(part)]
            return {
                "number": card_number(number),
                "on": [_placed(part, map_) for part in said if _names_an_aim(part)],
                "dropped": [card_number(each) for part in dropped for each in part.split("-")],
            }
    return {}


def _names_an_aim(part: str) -> bool:
    return not (_ANCHOR.fullmatch(part) or _CARDS.fullmatch(part))


def _placed(part: str, map_: str) -> str:
    """A building with the map that has it, ``map:letter``; anything else as it is."""
    return f"{map_}:{part}" if map_ in MAPS and _BUILDING.fullmatch(part) else part


def _by_seat(batch: Mapping[str, Seat]) -> dict[Seat, list[str]]:
    """The humans of each seat, in the order in which they were dealt."""
    return {seat: [h for h, s in batch.items() if s == seat] for seat in sorted({*batch.values()})}


def _decided(judged: BatchJudged, human: str) -> dict[str, Cell]:
    """Where a human went, ``to``; or if it stays, where else it was ``wanted``, if anywhere."""
    if path := judged.paths.get(human):
        return {"to": path[-1]}
    choice = judged.choices.get(human, STAY)
    return {} if choice == STAY else {"wanted": choice}


def _building(book: Mapping[str, Any], map_: str, letter: str) -> str:
    maps = {each["id"]: each["buildings"] for each in book["maps"]}
    names: dict[str, str] = {each["letter"]: each["name"] for each in maps[map_]}
    return names[letter]


def _piece(id_: str, words: Mapping[str, str]) -> str:
    return piece_name(id_, lambda key: words[f"cerveauuu/{key}"])
