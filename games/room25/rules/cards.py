"""Drawing from the M.A.C. deck, and the movement and penalty cards in it (§6.4, R78; pure)."""

from __future__ import annotations

from collections.abc import Sequence

from games.room25.facts import edition_events as more
from games.room25.model.agenda import Card, DrawCard, Resolution
from games.room25.model.board import Cell
from games.room25.model.cards import MADNESS, MOVEMENTS, PENALTIES, STAYING
from games.room25.model.meanings import has, shows
from games.room25.model.state import Character, State
from games.room25.rules.context import Play
from games.room25.rules.moves import may_shift
from games.room25.rules.shifting import shift


def shuffle_deck(play: Play, cards: Sequence[str], held: tuple[str, ...] = ()) -> None:
    """Make a secret draw pile of these cards; ``held`` stay face-up beside it."""
    label = f"deck/{play.state.shuffles + 1}"
    order = tuple(play.context.draw.shuffled(cards, label))
    play.emit(more.DeckShuffled(count=len(order), cards=order, discard=held))


def first_player(play: Play, drawer: str) -> str:
    """The first living character of the track, or who entered a M.A.C. room (R74)."""
    return drawer or play.state.living()[0].id


def draw_cards(play: Play, frame: DrawCard) -> None:
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
        play.push(DrawCard(frame.count - 1, frame.character, frame.held))
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
        play.push(DrawCard(1, frame.character, (*frame.held, frame.card)))
    if may_shift(play.state, card.line, card.way):
        for _ in range(2 if card.twice else 1):
            shift(play, card.line, card.way, "card")


def penalise(play: Play, frame: Card) -> None:
    """Those named lose an action for good; from a M.A.C. room the entrant alone does (R74)."""
    card = PENALTIES[frame.card]
    for name in (frame.character,) if frame.character else card.characters:
        c = play.state.characters.get(name)
        if c is None or not c.alive or has(play.state, c, "android") or card.action in c.lost:
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
    if c.paranoid or token in c.used or token not in c.programmed:
        return 0
    return c.programmed.index(token) + 1


# --- what several cards do ---

DONE = -1
"""The step of a card that waits for nothing but the end of what it has brought about."""


def bring(play: Play, group: tuple[str, ...], cell: Cell, cause: str, card: str = "") -> None:
    """Bring a group to a cell, as ``Play.bring``.

    ``card``: brings them and has nothing more to do; where they draw it is still being resolved,
    so that no shuffle may take it up.
    """
    if card and shows(play.state.grid[cell], "draws"):
        play.push(Card(card, step=DONE))
    play.bring(group, cell, cause)


def asking_card(state: State) -> str:
    """The card that has just asked: nothing comes between it and its answer, but for chaos."""
    return state.discard[-1]
