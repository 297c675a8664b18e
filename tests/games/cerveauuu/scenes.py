"""Positions, acts and checks in the notation of the acceptance scenarios (§10).

    scene("h1 4,4; zA 3,4").go("A", "zA.attack-h1").quiet()

Seats are letters from the chief on. Pieces are ``h1``, ``h2`` and ``zA``, ``zA2``, ``zB`` with the
letter of their seat; they get their ids in the order in which they are named. Cells are ``x,y``.
Whoever is not mentioned passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from events.kernel import Decision, Event, Seat
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.state import Piece, State
from games.cerveauuu.opening.situation import Situation
from games.cerveauuu.scenarios.bases import open_board
from simulator.cerveauuu.bare_game import BareGame

LETTERS = "ABCDEF"


O9 = open_board(9, 9)

TOP = ("c060", "c061", "c063", "c064", "c065", "c066", "c067", "c054", "c055", "c080")
"""What is drawn first unless a scenario says otherwise: nothing that ends a game."""


def seat_of(letter: str) -> Seat:
    """The seat of a letter."""
    return LETTERS.index(letter) + 1


def scene(
    pieces: str,
    *,
    map: str = O9,  # noqa: A002 (as in a situation)
    seats: int = 2,
    hands: Mapping[str, str] | None = None,
    deck: str | None = None,
    stage: str = "zombies",
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Scene:
    """A position; hands and the deck are ids of cards, blanks between them."""
    names, given = _pieces(pieces)
    held = {seat_of(letter): tuple(cards.split()) for letter, cards in (hands or {}).items()}
    out = {card for each in held.values() for card in each} | set(more.get("credits", ()))
    top = tuple(c for c in TOP if c not in out) if deck is None else tuple(deck.split())
    for name in ("scores", "played", "replacing", "piles"):
        if name in more:
            more[name] = {seat_of(letter): value for letter, value in more[name].items()}
    plain = {"pieces": given, "map": map, "hands": held, "deck": top, "stage": stage, **more}
    situation = msgspec.convert(plain, Situation)
    return Scene(BareGame(seats, options, situation=situation).begin(), names)


def _pieces(text: str) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    names: dict[str, str] = {}
    given: dict[str, dict[str, Any]] = {}
    zombies = 0
    for entry in filter(None, (each.strip() for each in text.split(";"))):
        name, cell, *flags = entry.split()
        if name[0] == "z":
            zombies += 1
        number = zombies if name[0] == "z" else int(name[1:])
        names[name] = f"{name[0]}{number:02}"
        seat = seat_of(name[1]) if name[0] == "z" else None
        given[names[name]] = {"cell": cell_id(cell), "seat": seat, **dict.fromkeys(flags, True)}
    return names, given


def cell_id(text: str) -> str:
    """The id of the cell ``x,y``."""
    x, y = text.split(",")
    return f"r{y}c{x}"


class Scene:
    """A position in play."""

    def __init__(self, sitting: BareGame, names: dict[str, str]) -> None:
        self.sitting = sitting
        self.names = names

    @property
    def state(self) -> State:
        """The truth."""
        return self.sitting.truth

    # --- words ---

    def option(self, text: str) -> str:
        """An option in the words of the scenarios, as an id."""
        return ".".join(self._part(part) for part in text.split("."))

    def _part(self, part: str) -> str:
        if re.fullmatch(r"\d+,\d+", part):
            return cell_id(part)
        if re.fullmatch(r"[ES]:\d+,\d+", part):
            return cell_id(part[2:]) + {"E": "e", "S": "s"}[part[0]]
        if re.fullmatch(r"[A-F]", part):
            return f"s{seat_of(part)}"
        return "-".join(self.names.get(each, each) for each in part.split("-"))

    def asked(self, letter: str, kind: str) -> Decision:
        """The open decision of a seat and a kind, answered or not; the first of several."""
        found = self.sitting.game.decisions(self.state, seat_of(letter))
        matching = [d for d in found if d.kind == kind]
        assert matching, f"{letter} has no {kind}, but {[d.kind for d in found]}"
        return matching[0]

    def waits_for(self) -> list[tuple[str, str]]:
        """Who is waited for, and for what."""
        return [(LETTERS[d.seat - 1], d.kind) for d in self.sitting.pending()]

    # --- acts ---

    def choose(self, letter: str, kind: str, option: str) -> Scene:
        """Take an option that is offered."""
        decision = self.asked(letter, kind)
        chosen = self.option(option)
        assert self.sitting.game.offers(self.state, decision, chosen), f"not offered: {chosen}"
        self.sitting.choose(decision, chosen)
        return self

    def go(self, letter: str, option: str) -> Scene:
        """What a seat does in its go."""
        return self.choose(letter, "go", option)

    def answer(self, letter: str, option: str) -> Scene:
        """Seal an answer to the window, and nothing else."""
        return self.choose(letter, "respond", option)

    def play(self, letter: str, play: str) -> Scene:
        """Play a card in the window that is open, all others passing.

        Args:
            letter: who plays.
            play: the card's number and what follows it, such as ``k1.2.zA``.
        """
        for decision in self.sitting.pending():
            if decision.kind == "respond" and decision.seat != seat_of(letter):
                self.sitting.choose(decision, "pass")
        return self.answer(letter, f"play.{play}")

    def pass_once(self) -> Scene:
        """Everybody who has not answered passes."""
        for decision in self.sitting.pending():
            if decision.kind == "respond":
                self.sitting.choose(decision, "pass")
        return self

    def quiet(self) -> Scene:
        """Everybody passes until the window that is open has closed."""
        number = self.state.windows
        while self.state.windows == number and self.pending_answers():
            self.pass_once()
        return self

    def pending_answers(self) -> list[Decision]:
        """The answers to a window that are missing."""
        return [d for d in self.sitting.pending() if d.kind == "respond"]

    def until(self, wanted: Callable[[Decision], bool]) -> Scene:
        """Everybody takes defaults until such a decision is asked."""
        while not any(map(wanted, self.sitting.pending())):
            decision = self.sitting.pending()[0]
            assert decision.default is not None
            self.sitting.choose(decision, decision.default)
        return self

    # --- checks ---

    def offers(self, letter: str, kind: str, option: str) -> bool:
        """Whether an option is offered."""
        return self.sitting.game.offers(self.state, self.asked(letter, kind), self.option(option))

    def level(self, letter: str, kind: str, *path: str) -> list[str]:
        """The ids of the options behind a path."""
        decision = self.asked(letter, kind)
        parts = tuple(self.option(part) for part in path)
        found = self.sitting.game.branch(self.state, decision, parts) if parts else decision.options
        return [each.id for each in found]

    def piece(self, name: str) -> Piece:
        """A piece on the board."""
        return self.state.pieces[self.names.get(name, name)]

    def gone(self, name: str) -> bool:
        """Whether a piece is off the board."""
        return self.names.get(name, name) not in self.state.pieces

    def at(self, name: str) -> str:
        """Where a piece stands, as ``x,y``."""
        y, x = self.piece(name).cell[1:].split("c")
        return f"{x},{y}"

    def score(self, letter: str) -> int:
        """The points of a seat."""
        return self.state.scores[seat_of(letter)]

    def happened(self, kind: type[Event]) -> list[Any]:
        """All events of a type so far."""
        return [event for event in self.sitting.events if isinstance(event, kind)]


assert {CARDS[card].type for card in TOP}.isdisjoint({"end_credits"})
