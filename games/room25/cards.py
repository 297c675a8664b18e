"""The M.A.C. deck: its cards as data, drawing, movement and penalty cards (§6.4, R78; pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from games.room25 import edition_events as more
from games.room25.agenda import Card, Draw, Resolution
from games.room25.board import LINE_WAYS, LINES
from games.room25.moves import may_shift
from games.room25.play import Play
from games.room25.shifting import shift
from games.room25.state import Character


class Movement(Struct, frozen=True):
    """A movement card: its line and direction, once or twice, and whether one draws again."""

    line: str
    way: str
    twice: bool = False
    again: bool = False


class Penalty(Struct, frozen=True):
    """A penalty card: the action that is lost, and by whom."""

    action: str
    characters: tuple[str, str]


# Whether the symbol card of a line's left or up direction is the double one, line by line; the
# other direction then has the other symbol (R78).
_DOUBLE_FIRST: Final = (True, False, True, False, False, True, False, True)


def _movements() -> dict[str, Movement]:
    cards = {}
    for i, (line, double_first) in enumerate(zip(LINES, _DOUBLE_FIRST, strict=True)):
        for j, way in enumerate(LINE_WAYS[line]):
            twice = double_first == (j == 0)
            number = 4 * i + 2 * j + 1
            cards[f"M{number:02}"] = Movement(line, way)
            cards[f"M{number + 1:02}"] = Movement(line, way, twice=twice, again=not twice)
    return cards


MOVEMENTS: Final[Mapping[str, Movement]] = _movements()

PENALTIES: Final[Mapping[str, Penalty]] = {
    "P1": Penalty("look", ("emmett", "max")),
    "P2": Penalty("look", ("franck", "sarah")),
    "P3": Penalty("look", ("jennifer", "bruce")),
    "P4": Penalty("control", ("kevin", "franck")),
    "P5": Penalty("control", ("alice", "max")),
    "P6": Penalty("special", ("emmett", "jennifer")),
    "P7": Penalty("special", ("kevin", "sarah")),
}

MADNESS: Final[Mapping[str, str]] = {
    "Z01": "power_failure",
    "Z02": "jamming_card",
    "Z03": "jamming_card",
    "Z04": "rewind",
    "Z05": "robot_card",
    "Z06": "robot_card",
    "Z07": "time_bomb",
    "Z08": "time_bomb",
    "Z09": "lock_card",
    "Z10": "deactivate_green",
    "Z11": "deactivate_yellow",
    "Z12": "deactivate_red",
    "Z13": "chaos",
    "Z14": "chaos",
    "Z15": "acceleration",
    "Z16": "acceleration",
    "Z17": "panic",
    "Z18": "panic",
    "Z19": "panic",
}

BASE_CARDS: Final = (*MOVEMENTS, *PENALTIES)
ALL_CARDS: Final = (*BASE_CARDS, *MADNESS)

STAYING: Final = frozenset({"jamming_card", "time_bomb", "acceleration"})
"""What lies open until the countdown (§6.4)."""


def deck_of(options: Mapping[str, object]) -> tuple[str, ...]:
    """39 cards, or 58 with madness (§4.1.6, R132)."""
    mad = options.get("madness") or options.get("madness_cards")
    return ALL_CARDS if mad else BASE_CARDS


def shuffle_deck(play: Play, cards: Sequence[str], held: tuple[str, ...] = ()) -> None:
    """Make a secret draw pile of these cards; ``held`` stay face-up beside it."""
    label = f"deck/{play.state.shuffles + 1}"
    order = tuple(play.context.draw.shuffled(cards, label))
    play.emit(more.DeckShuffled(count=len(order), cards=order, discard=held))


def first_player(play: Play, drawer: str) -> str:
    """The first living character of the track, or who entered a M.A.C. room (R74)."""
    return drawer or play.state.living()[0].id


def draw_cards(play: Play, frame: Draw) -> None:
    """Turn the top card up and resolve it, then the next (§6.4, R75).

    A card is discarded once it is resolved: what it makes one draw is never the card itself, nor
    one of which something is still to come.
    """
    if not play.state.deck_size:
        discard = play.state.discard
        busy = {*frame.held, *(f.card for f in play.state.agenda if isinstance(f, Card))}
        done = [card for card in discard if card not in busy]
        if not done:
            return
        shuffle_deck(play, done, tuple(card for card in discard if card in busy))
    deck = play.state.deck
    if not deck:
        raise ValueError("the truth does not know the deck")
    card = deck[0]
    if frame.count > 1:
        play.push(Draw(frame.count - 1, frame.character, frame.held))
    play.emit(
        more.CardDrawn(
            card=card, stays=MADNESS.get(card) in STAYING, character=frame.character or None
        )
    )
    if not frame.character:
        play.push(Resolution())
    play.push(Card(card, frame.character, held=frame.held))


def move_line(play: Play, frame: Card) -> None:
    """Shift unless the marker forbids it; never an escape; perhaps draw again (R79)."""
    card = MOVEMENTS[frame.card]
    if card.again:
        play.push(Draw(1, frame.character, (*frame.held, frame.card)))
    if may_shift(play.state, card.line, card.way):
        for _ in range(2 if card.twice else 1):
            shift(play, card.line, card.way, "card")


def penalise(play: Play, frame: Card) -> None:
    """Those named lose an action for good; from a M.A.C. room the entrant alone does (R74)."""
    card = PENALTIES[frame.card]
    for name in (frame.character,) if frame.character else card.characters:
        c = play.state.characters.get(name)
        immune = name == "alice" and bool(play.state.options.get("specials"))
        if c is None or not c.alive or immune or card.action in c.lost:
            continue
        if card.action not in c.tokens:
            continue
        slot, drawn = _programmed_slot(c, card.action), _was_drawn(c, card.action)
        play.emit(more.ActionPenalised(character=name, token=card.action, slot=slot, drawn=drawn))
        if slot:
            play.emit(more.TokenDiscarded(character=name, slot=slot, token=card.action))


def _was_drawn(c: Character, token: str) -> bool:
    """Whether a token left its stack before the position was laid out, so that no event told it."""
    return c.paranoid and token not in c.drawn and token not in (c.stack or ())


def _programmed_slot(c: Character, token: str) -> int:
    """The slot that loses its token with the action and stays empty (§6.4); 0 for none.

    A paranoid character has taken its programme back, and nobody learns what it was (R68).
    """
    tokens = c.program.tokens if c.program is not None and c.program.tokens else ()
    if c.paranoid or token in c.used or token not in tokens:
        return 0
    return tokens.index(token) + 1
