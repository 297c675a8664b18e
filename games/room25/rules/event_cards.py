"""The madness cards (§6.4; pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from events.kernel import Option
from games.room25.facts import edition_events as more
from games.room25.model.agenda import Ask, Card, Enter, Question
from games.room25.model.board import CELLS, CENTRE, NEIGHBOURS, Cell
from games.room25.model.cards import MADNESS, MOVEMENTS, PENALTIES, CardEffect
from games.room25.model.catalogue import EMPTY
from games.room25.model.meanings import copies_in_force, has, shows, stands_in
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.asking import ChoiceKind, refusable
from games.room25.rules.cards import (
    DONE,
    asking_card,
    bring,
    first_player,
    move_line,
    penalise,
)
from games.room25.rules.context import Play
from games.room25.rules.locks import ask_lock
from games.room25.rules.moves import (
    adjacent,
    cell_options,
    is_blue,
    shown_color,
    why_no_step,
    why_not_together,
    why_not_yellow,
)
from games.room25.rules.panics import panic, panic_goes_on
from games.room25.rules.robots import may_refuse


def resolve_card(play: Play, frame: Card) -> None:
    """Resolve a card that has been turned up."""
    if frame.step == DONE:
        return
    if frame.card in MOVEMENTS:
        move_line(play, frame)
    elif frame.card in PENALTIES:
        penalise(play, frame)
    else:
        EFFECTS[MADNESS[frame.card]](play, frame)


def yellow_steps(state: State, c: Character) -> list[Cell]:
    """Adjacent face-up yellow tiles that a character may be moved to."""
    if c.cell is None:
        return []
    around = NEIGHBOURS[c.cell].values()
    return [cell for cell in around if why_no_yellow_step(state, c, cell) is None]


def why_no_yellow_step(state: State, c: Character, cell: Cell) -> Why | None:
    """Why a card cannot have a character moved to a room."""
    return why_no_step(state, c, cell) or why_not_yellow(state, cell)


# --- cards without a choice ---


def _power_failure(play: Play, _: Card) -> None:
    """All robots to supply; every face-up green tile becomes an empty one."""
    for robot, cell in enumerate(play.state.robots):
        if cell is not None:
            play.emit(more.RobotRemoved(robot=robot))
    for where in CELLS:
        tile = play.state.grid[where]
        if shown_color(tile) == "green" and tile.kind != EMPTY:
            play.replace_room(where)


def _nothing_more(_: Play, __: Card) -> None:
    """Its effect is that it lies open: talk is off, or lines move twice."""


def _rewind(play: Play, frame: Card) -> None:
    """The first player goes back to the middle, unless composed; the programme is kept."""
    name = first_player(play, frame.character)
    if not has(play.state, play.character(name), "composed"):
        play.push(Enter((name,), CENTRE, cause="card"))


def _time_bomb(play: Play, _: Card) -> None:
    """The second one of a turn kills everybody on red tiles at once."""
    if copies_in_force(play.state, "time_bomb") > 1:
        living = play.state.living()
        on_red = [c.id for c in living if shown_color(play.tile_under(c.id)) == "red"]
        play.eliminate(on_red, "time_bomb")


def _deactivate(color: str) -> Callable[[Play, Card], None]:
    def turn_down(play: Play, _: Card) -> None:
        """Every free face-up tile of the colour turns down; sealed and locked ones stay (R135)."""
        state = play.state
        for where, tile in state.grid.items():
            bare = not tile.seal and not tile.lock and not state.is_occupied(where)
            if shown_color(state.grid[where]) == color and bare:
                play.emit(more.RoomTurnedDown(cell=where))

    return turn_down


# --- locks ---


def _lock_card(play: Play, frame: Card) -> None:
    """The first player locks an adjacent tile (§6.4)."""
    name = first_player(play, frame.character)
    where = play.character(name).cell
    if where is not None:
        ask_lock(play, name, adjacent(where))


# --- robots ---


def _robot_card(play: Play, frame: Card) -> None:
    """A robot comes to the first player and pushes them to an adjacent yellow tile (§6.4)."""
    state = play.state
    name = first_player(play, frame.character)
    where = state.characters[name].cell
    if where is None or not state.robots or shown_color(state.grid[where]) in {"red", "blue"}:
        return
    in_play = [i for i, cell in enumerate(state.robots) if cell is not None]
    play.push(Card(frame.card, frame.character, 1))
    if len(in_play) > 1:
        play.ask("card_robot", name, cell=where)
    else:
        robot = in_play[0] if in_play else 0
        play.emit(more.RobotPlaced(robot=robot, cell=where))


def _robot_choices(state: State, _: Ask) -> list[Option]:
    return [
        Option(f"robot{i}", {"robot": i})
        for i, _ in enumerate(state.robots, 1)
        if why_no_robot(state, i) is None
    ]


def why_no_robot(state: State, robot: int) -> Why | None:
    """Why a robot, counted from 1, cannot be called by a card."""
    return Why.NOT_IN_PLAY if state.robots[robot - 1] is None else None


def _robot_chosen(play: Play, ask: Ask, option: str) -> None:
    robot = int(option.removeprefix("robot")) - 1
    play.emit(more.RobotPlaced(robot=robot, cell=ask.cell))


def _robot_pushes(play: Play, frame: Card) -> None:
    name = first_player(play, frame.character)
    c = play.character(name)
    if c.alive and not c.hidden:
        play.ask("card_push", name, about=("robot",))


def _push_choices(state: State, ask: Ask) -> list[Option]:
    return cell_options(yellow_steps(state, state.characters[ask.character]))


def _pushed(play: Play, ask: Ask, cell: str) -> None:
    """An android may refuse; then somebody else on the tile is pushed, if possible (R137)."""
    if may_refuse(play.state, ask.character):
        play.ask("card_android", ask.character, cell=cell, about=ask.about)
    else:
        _push_on(play, ask, cell)


def _push_on(play: Play, ask: Ask, cell: Cell) -> None:
    """Chaos stays on the agenda by itself until all are served."""
    card = asking_card(play.state) if ask.about == ("robot",) else ""
    bring(play, (ask.character,), cell, "robot", card)


def _android(play: Play, ask: Ask, option: str) -> None:
    if option == "accept":
        _push_on(play, ask, ask.cell)
        return
    play.emit(more.OfferRefused(character=ask.character))
    if ask.about == ("robot",):
        play.ask("card_push_other", ask.character)


def _other_choices(state: State, ask: Ask) -> list[Option]:
    asked = state.characters[ask.character]
    return [
        Option(f"{c.id}:{cell}", {"character": c.id, "cell": cell})
        for c in (state.occupants(asked.cell) if asked.cell else [])
        if c.id != asked.id and why_not_together(asked, c) is None
        for cell in yellow_steps(state, c)
    ]


def _other_pushed(play: Play, _: Ask, option: str) -> None:
    name, cell = option.split(":")
    bring(play, (name,), cell, "robot", asking_card(play.state))


# --- chaos ---


def _chaos(play: Play, frame: Card) -> None:
    """Corridors turn; robots push; those on tunnels are moved on (§6.4)."""
    for where, tile in play.state.grid.items():
        if shows(tile, "corridor") and tile.axis is not None:
            turned = "vertical" if tile.axis == "horizontal" else "horizontal"
            play.emit(more.RoomTurned(cell=where, axis=turned))
    names = tuple(c.id for c in play.state.living())
    play.push(
        Card(frame.card, frame.character, 1, names),
        Card(frame.card, frame.character, 2, names),
    )


def _chaos_push(play: Play, frame: Card) -> None:
    """In track order: who shares a tile that is not blue with a robot is pushed to yellow."""
    name, rest = frame.names[0], frame.names[1:]
    if rest:
        play.push(Card(frame.card, frame.character, frame.step, rest))
    c = play.character(name)
    shares = c.cell is not None and c.cell in play.state.robots
    if shares and not c.hidden and not is_blue(play.state.grid[c.cell or ""]):
        play.ask("card_push", name, about=("chaos",))


def _chaos_tunnel(play: Play, frame: Card) -> None:
    """In track order: who is on a tunnel moves to another open one, hidden or not (§6.2)."""
    name, rest = frame.names[0], frame.names[1:]
    if rest:
        play.push(Card(frame.card, frame.character, frame.step, rest))
    c = play.character(name)
    if c.cell is not None and stands_in(play.state, c, "transit"):
        play.ask("tunnel_target", name, group=(name,), cell=c.cell)


EFFECTS: Final[dict[CardEffect, Callable[[Play, Card], None]]] = {
    "power_failure": _power_failure,
    "jamming_card": _nothing_more,
    "rewind": _rewind,
    "robot_card": lambda play, frame: (_robot_card, _robot_pushes)[frame.step](play, frame),
    "time_bomb": _time_bomb,
    "lock_card": _lock_card,
    "deactivate_green": _deactivate("green"),
    "deactivate_yellow": _deactivate("yellow"),
    "deactivate_red": _deactivate("red"),
    "chaos": lambda play, frame: (_chaos, _chaos_push, _chaos_tunnel)[frame.step](play, frame),
    "acceleration": _nothing_more,
    "panic": lambda play, frame: (panic, panic_goes_on)[frame.step](play, frame),
}

CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    "card_robot": ChoiceKind(options=_robot_choices, resolve=_robot_chosen),
    "card_push": ChoiceKind(options=_push_choices, resolve=_pushed),
    "card_android": ChoiceKind(options=refusable, resolve=_android),
    "card_push_other": ChoiceKind(options=_other_choices, resolve=_other_pushed),
}
"""The decisions that it asks for, by kind."""
