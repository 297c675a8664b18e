"""Panic cards: something else for each first player (§6.4; pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from events.kernel import Option
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import Ask, Card, Question
from games.room25.model.board import CELLS, CENTRE, NEIGHBOURS, Cell
from games.room25.model.characters import SHEETS, Panic
from games.room25.model.meanings import has
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.abilities import sabotage_room, summonable, swap_pairs, why_in_no_pair
from games.room25.rules.asking import ChoiceKind
from games.room25.rules.cards import asking_card, bring, first_player
from games.room25.rules.context import Play
from games.room25.rules.locks import ask_lock
from games.room25.rules.moves import (
    adjacent,
    apart_from,
    cell_options,
    is_blue,
    is_open,
    may_step,
    shown_color,
    why_closed,
    why_no_step,
    why_not_yellow,
)


def _exhaust(play: Play, c: Character, _: str) -> None:
    if c.adrenaline in {"available", "programmed"}:
        play.emit(more.AdrenalineChanged(character=c.id, adrenaline="spent"))


def _summon_all(play: Play, c: Character, card: str) -> None:
    """On yellow: everybody adjacent but the composed is summoned, one after the other (R139)."""
    if c.cell is not None and shown_color(play.state.grid[c.cell]) == "yellow":
        others = summonable(play.state, c)
        names = tuple(v.id for v in others if not has(play.state, v, "composed"))
        if names:
            play.push(Card(card, c.id, 1, names))


def _swap(play: Play, c: Character, _: str) -> None:
    play.ask("card_swap", c.id)


def _pairs(state: State) -> list[tuple[Cell, Cell]]:
    """Two adjacent tiles, neither a face-up blue one."""
    return [
        (a, b) for a in CELLS for b in NEIGHBOURS[a].values() if a < b and swap_pairs(state, (a, b))
    ]


def _busy(state: State, pairs: list[tuple[Cell, Cell]]) -> list[tuple[Cell, Cell]]:
    """Those with an occupied tile, if there is such a pair."""
    return [p for p in pairs if any(map(state.is_occupied, p))] or pairs


def _swap_choices(state: State, _: Ask) -> list[Option]:
    pairs = _busy(state, _pairs(state))
    return [Option(f"{a}:{b}", {"first": a, "second": b}) for a, b in pairs]


def why_no_swap(state: State) -> Callable[[Cell], Why | None]:
    """What says why a room can be swapped with no other."""
    pairs = _pairs(state)
    busy = _busy(state, pairs)

    def why_not(cell: Cell) -> Why | None:
        deserted = all(cell not in pair for pair in busy)
        return why_in_no_pair(state, pairs, cell) or (Why.DESERTED if deserted else None)

    return why_not


def _swapped(play: Play, _: Ask, option: str) -> None:
    a, b = option.split(":")
    play.emit(ev.TilesSwapped(first=a, second=b, cause="card"))


def _lock(play: Play, c: Character, _: str) -> None:
    if c.cell is not None:
        ask_lock(play, c.id, (c.cell,))


def _carry(play: Play, c: Character, _: str) -> None:
    """All on the tile go to an adjacent yellow tile as one group (R77, R139)."""
    if c.cell is not None and c.cell != CENTRE and _companions(play.state, c):
        play.ask("card_carry", c.id)


def _companions(state: State, c: Character) -> list[str]:
    here = state.occupants(c.cell) if c.cell else []
    others = [v for v in here if v.id != c.id and not v.hidden]
    return [v.id for v in others if not has(state, v, "composed")]


def _carry_choices(state: State, ask: Ask) -> list[Option]:
    c = state.characters[ask.character]
    cells = adjacent(c.cell) if c.cell else ()
    return cell_options([cell for cell in cells if why_no_ride_together(state, c, cell) is None])


def why_no_ride_together(state: State, c: Character, cell: Cell) -> Why | None:
    """Why a character cannot take all that are with it to a room."""
    mates = tuple(_companions(state, c))
    why = why_no_step(state, c, cell, apart=mates) or why_not_yellow(state, cell)
    closed = (why_closed(state, state.characters[mate], cell) for mate in mates)
    return why or next(filter(None, closed), None)


def _carried(play: Play, ask: Ask, cell: str) -> None:
    c = play.character(ask.character)
    bring(play, (c.id, *_companions(play.state, c)), cell, "carry", asking_card(play.state))


def _sabotage(play: Play, c: Character, _: str) -> None:
    if c.spares and c.cell is not None and not is_blue(play.state.grid[c.cell]):
        sabotage_room(play, c.id)


def _scatter(play: Play, c: Character, _: str) -> None:
    """All others on the tile are pushed to one adjacent yellow tile, in track order (R138)."""
    if c.cell is not None and c.cell != CENTRE and _companions(play.state, c):
        play.ask("card_scatter", c.id)


def _scatter_choices(state: State, ask: Ask) -> list[Option]:
    c = state.characters[ask.character]
    cells = adjacent(c.cell) if c.cell else ()
    return cell_options([cell for cell in cells if why_not_scattered(state, c, cell) is None])


def why_not_scattered(state: State, c: Character, cell: Cell) -> Why | None:
    """Why a character cannot have those that are with it pushed to a room."""
    if c.cell is None:
        return Why.ELIMINATED
    apart = None if cell in adjacent(c.cell) else apart_from(c.cell, cell)
    return apart or why_not_yellow(state, cell)


def _scattered(play: Play, ask: Ask, cell: str) -> None:
    names = tuple(_companions(play.state, play.character(ask.character)))
    play.push(Card(asking_card(play.state), ask.character, 1, names, cell))


PANICS: Final[dict[Panic, Callable[[Play, Character, str], None]]] = {
    "exhaust": _exhaust,
    "summon": _summon_all,
    "swap": _swap,
    "lock": _lock,
    "carry": _carry,
    "sabotage": _sabotage,
    "scatter": _scatter,
}
"""What a first player does in its panic, by what its sheet says."""


def panic(play: Play, frame: Card) -> None:
    """Something else for each first player (§6.4)."""
    name = first_player(play, frame.character)
    kind = SHEETS[name].panic
    if kind is not None:
        PANICS[kind](play, play.character(name), frame.card)


def panic_goes_on(play: Play, frame: Card) -> None:
    """Serve the next victim, tested again at its turn; a failing one stays (R138)."""
    name, rest = frame.names[0], frame.names[1:]
    if rest:
        play.push(Card(frame.card, frame.character, frame.step, rest, frame.cell))
    c, victim = play.character(frame.character), play.character(name)
    if c.cell is None:  # nor is a dead victim on any cell; nobody hides while a card is served
        return
    if not frame.cell:
        if victim.cell in adjacent(c.cell) and is_open(play.state, c.cell, victim):
            bring(play, (name,), c.cell, "summon", frame.card)
    elif (
        victim.cell == c.cell
        and shown_color(play.state.grid[frame.cell]) == "yellow"
        and may_step(play.state, victim, frame.cell)
    ):
        bring(play, (name,), frame.cell, "push", frame.card)


CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    "card_swap": ChoiceKind(options=_swap_choices, resolve=_swapped),
    "card_carry": ChoiceKind(options=_carry_choices, resolve=_carried),
    "card_scatter": ChoiceKind(options=_scatter_choices, resolve=_scattered),
}
"""The decisions that it asks for, by kind."""
