"""Whether to play a card, in a window or in one's own go (§5.3, §12.9; pure)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from msgspec.structs import replace

from games.cerveauuu.bots import trying
from games.cerveauuu.bots.discarding import surplus
from games.cerveauuu.bots.front import Front
from games.cerveauuu.bots.mind import Mind, part_of
from games.cerveauuu.bots.worth import CARD
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.ids import is_human
from games.cerveauuu.model.language import (
    Block,
    HaltMovement,
    Kill,
    MakeReady,
    Spawn,
    Trigger,
    Unblock,
)
from games.cerveauuu.model.state import Fight
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.rules.plays import PLAY
from games.cerveauuu.rules.stats import seat_stat
from games.cerveauuu.rules.trees import SKIP

_HELPING: Final = (Spawn, MakeReady, Unblock)
"""What gives a zombie to go on with."""

GAIN: Final = 0.25
"""A card is worth playing in a fight if it brings so much more than keeping it."""

EQUAL: Final = 1e-9
"""Values that differ by less are equal."""


def respond(mind: Mind, grids: Grids) -> str:
    """An answer to the window: a play that is worth its card, or to pass."""
    window = mind.state.window
    if window is None:
        raise ValueError("an answer to no window")
    if not mind.listed(PLAY):
        return SKIP
    if window.kind == "combat":
        return _turn_the_fight(mind, grids)
    if window.kind == "movement":
        return _stop_the_mover(mind) or _spend(mind, grids) or SKIP
    return _spend(mind, grids) or SKIP


# --- what would have to be discarded ---


def spend_in_go(mind: Mind, grids: Grids) -> str | None:
    """In our own go: what gives us a zombie to go on with, and what cannot wait."""
    spare = _spare(mind)
    helping = {n: card for n, card in spare.items() if trying.does(card, _HELPING)}
    return _harmless(mind, grids, helping) or _harmless(mind, grids, _last(spare))


def _spend(mind: Mind, grids: Grids) -> str | None:
    """At the end of the round anything, before that what could not be played there."""
    window, spare = mind.state.window, _spare(mind)
    late = window is not None and window.kind == "end_round"
    return _harmless(mind, grids, spare if late else _last(spare))


def _spare(mind: Mind) -> dict[int, str]:
    """What we should have to discard as things stand, what is worth least first."""
    hand = trying.cards_of(mind)
    return {n: hand[n] for n in surplus(mind, seat_stat(mind.state, mind.seat, "hand"))}


def _last(hand: Mapping[int, str]) -> dict[int, str]:
    """The cards that cannot be played at the end of the round."""
    return {n: card for n, card in hand.items() if "end_round" not in CARDS[card].when}


def _harmless(mind: Mind, grids: Grids, hand: Mapping[int, str]) -> str | None:
    """The best play of some cards that are lost anyway, if it does no harm.

    Args:
        mind: a decision that offers to play.
        grids: the boards to try cards on.
        hand: the cards that may be played.
    """
    now = mind.worth(mind.state, mind.seat)
    ours = {p.id for p in mind.state.zombies() if p.controller == mind.seat}
    rivals = {p.id for p in mind.state.zombies()} - ours
    found = trying.best_play(mind, grids, tuple(hand), rivals)
    if found is not None and found.value + CARD >= now - EQUAL:
        return found.play
    for number, card in hand.items():
        if not trying.can_try(card):
            play = next(trying.plays(mind, number, ()), None)
            if play is not None:
                return play
    return None


# --- fights ---


def _turn_the_fight(mind: Mind, grids: Grids) -> str:
    """Play a card if that turns the result our way."""
    state, fight = mind.state, mind.state.fight
    if fight is None:
        return SKIP
    now = mind.worth(state, mind.seat)
    hand = trying.cards_of(mind)
    if not _worth_turning(mind, fight):
        hand = {n: card for n, card in hand.items() if trying.does(card, (Trigger,))}
    combatants = {*fight.attackers, *fight.defenders}
    found = trying.best_play(mind, grids, tuple(hand), combatants)
    return found.play if found is not None and found.value > now + GAIN else SKIP


def _worth_turning(mind: Mind, fight: Fight) -> bool:
    """Whether another result would be better for us."""
    results = ("attackers", "defenders", None)
    values = {each: _value_of(mind, fight, each) for each in results}
    return max(values.values()) > values[fight.winner] + GAIN


def _value_of(mind: Mind, fight: Fight, winner: str | None) -> float:
    return mind.worth(replace(mind.state, fight=replace(fight, winner=winner)), mind.seat)


# --- movements ---


def _stop_the_mover(mind: Mind) -> str | None:
    """Stop a rival's zombie that is on its way to a fight that it would win."""
    state, activation = mind.state, mind.state.activation
    if activation is None or activation.attack is None:
        return None
    mover = state.pieces[activation.zombie]
    target = state.pieces.get(activation.attack)
    if mover.controller in {None, mind.seat} or not mover.operational or target is None:
        return None
    if not is_human(target.id) and target.controller != mind.seat:
        return None
    if not _would_win(mind, activation.zombie, target.id):
        return None
    for number, card in trying.cards_of(mind).items():
        if trying.does(card, (HaltMovement, Block, Kill)):
            play = _aimed(mind, number, {mover.id})
            if play is not None:
                return play
    return None


def _would_win(mind: Mind, zombie: str, target: str) -> bool:
    state, window = mind.state, mind.state.window
    front = Front(state, mind.grid)
    steps = window.timeline if window is not None else ()
    if steps:
        front.put(zombie, mind.grid.cell_of(steps[-1].cell))
    seat = state.pieces[zombie].controller
    return front.own_prospect(zombie, target, seat or 0).wins


def _aimed(mind: Mind, number: int, at: Collection[str]) -> str | None:
    """A play of a card, as early as may be, that names a piece."""
    path: tuple[str, ...] = (PLAY, f"k{number}")
    if not any(o.id == ".".join(path) for o in mind.below((PLAY,))):
        return None
    return _first(mind, (*path, part_of(mind.below(path)[0])), at, named=False)


def _first(mind: Mind, path: tuple[str, ...], at: Collection[str], *, named: bool) -> str | None:
    below = mind.below(path)
    for option in sorted(below, key=lambda o: part_of(o) not in at):
        hit = named or part_of(option) in at
        if not option.branch:
            return option.id if hit else None
        found = _first(mind, (*path, part_of(option)), at, named=hit)
        if found is not None:
            return found
    return None
