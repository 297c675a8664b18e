"""Setting a game up: first chief and deck (§3; pure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from events.draw import Draw
from events.kernel import Seat
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.agenda import RoundStage
from games.cerveauuu.rules.context import Play
from games.contract import Roster

PARTS: Final = 8
"""Into so many parts a deck is cut that spreads its end-credits cards (§11)."""


def set_up(play: Play, roster: Roster) -> None:
    """Set a game up and put its beginning on the agenda."""
    begin_game(play, roster, str(roster.opening.options["map"]), _first_chief(play, roster))
    lay_deck(play, deck_order(play))
    play.push(RoundStage("humans"))


def _first_chief(play: Play, roster: Roster) -> Seat:
    """By chance, or as the table's creator named it (§3.2)."""
    named = int(roster.opening.options["first_chief"])
    return named or play.context.draw.choice(sorted(roster.characters), "first-chief")


def begin_game(play: Play, roster: Roster, map_: str, chief: Seat) -> None:
    """Say who plays with which colour on which map."""
    opening = roster.opening
    play.emit(
        ev.GameBegan(
            rulebook=opening.rulebook,
            mode=opening.mode,
            options=opening.options,
            colours={seat: names[0] for seat, names in sorted(roster.characters.items())},
            chief=chief,
            map=map_,
        )
    )


def lay_deck(play: Play, cards: Sequence[str]) -> None:
    """Lay the deck in this order, from the top."""
    play.emit(ev.DeckShuffled(size=len(cards), cards=tuple(cards)))


def deck_order(play: Play) -> list[str]:
    """All cards shuffled, or with the end-credits cards spread (§3.3, §11)."""
    if play.state.options.get("credits") == "spread":
        return spread(play.context.draw)
    return play.context.draw.shuffled(list(CARDS), "deck/0")


def spread(draw: Draw) -> list[str]:
    """Eight parts, an end-credits card in each."""
    credits_ = [name for name, card in CARDS.items() if card.type == "end_credits"]
    others = [name for name, card in CARDS.items() if card.type != "end_credits"]
    shuffled = draw.shuffled(others, "deck/others")
    ends = draw.shuffled(credits_, "deck/credits")
    deck: list[str] = []
    for part, end in enumerate(ends):
        size = len(others) // PARTS + part % 2
        cards, shuffled = [*shuffled[:size], end], shuffled[size:]
        deck += draw.shuffled(cards, f"deck/part-{part}")
    return deck
