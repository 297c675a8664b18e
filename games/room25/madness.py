"""The madness cards (§6.4; pure)."""

from __future__ import annotations

from collections.abc import Callable

from events.kernel import Option
from games.room25 import edition_events as more
from games.room25 import events as ev
from games.room25.agenda import Ask, Card, Enter
from games.room25.board import CELLS, CENTRE, NEIGHBOURS, Cell, direction_to
from games.room25.cards import MADNESS, MOVEMENTS, PENALTIES, first_player, move_line, penalise
from games.room25.catalogue import color_of
from games.room25.choices import Choice, first, register
from games.room25.moves import cell_options, is_open, may_step, shown_kind
from games.room25.play import Play
from games.room25.robots import may_refuse
from games.room25.specials import (
    adjacent,
    is_blue,
    lock_options,
    lockable,
    locked_cells,
    put_lock,
    sabotage_room,
    summonable,
    swap_pairs,
)
from games.room25.state import Character, State

DONE = -1
"""The step of a card that waits for nothing but the end of what it has brought about."""


def resolve_card(play: Play, frame: Card) -> None:
    """Resolve a card that has been turned up."""
    if frame.step == DONE:
        return
    if frame.card in MOVEMENTS:
        move_line(play, frame)
    elif frame.card in PENALTIES:
        penalise(play, frame)
    else:
        _MADNESS[MADNESS[frame.card]](play, frame)


def _color_on(state: State, where: Cell) -> str | None:
    """The colour of a face-up tile; face-down ones have none that anybody knows (R76)."""
    kind = shown_kind(state.grid[where])
    return None if kind is None else color_of(kind)


def yellow_steps(state: State, c: Character) -> list[Cell]:
    """Adjacent face-up yellow tiles that a character may be moved to."""
    if c.cell is None:
        return []
    return [
        cell
        for cell in NEIGHBOURS[c.cell].values()
        if _color_on(state, cell) == "yellow" and may_step(state, c, cell)
    ]


def _go(play: Play, group: tuple[str, ...], cell: Cell, cause: str, card: str = "") -> None:
    """Bring a group to a cell.

    ``card``: brings them and has nothing more to do; where they draw it is still being resolved,
    so that no shuffle may take it up.
    """
    start = play.character(group[0]).cell or ""
    if card and shown_kind(play.state.grid[cell]) == "mac":
        play.push(Card(card, step=DONE))
    play.push(Enter(group, cell, direction_to(start, cell) or "", cause))


def _asking(state: State) -> str:
    """The card that has just asked: nothing comes between it and its answer, but for chaos."""
    return state.discard[-1]


# --- cards without a choice ---


def _power_failure(play: Play, _: Card) -> None:
    """All robots to supply; every face-up green tile becomes an empty one."""
    for robot, cell in enumerate(play.state.robots):
        if cell is not None:
            play.emit(more.RobotRemoved(robot=robot))
    for where in CELLS:
        if _color_on(play.state, where) == "green" and play.state.grid[where].kind != "empty":
            play.replace_room(where)


def _nothing_more(_: Play, __: Card) -> None:
    """Its effect is that it lies open: talk is off, or lines move twice."""


def _rewind(play: Play, frame: Card) -> None:
    """The first player goes back to the middle, Alice excepted; the programme is kept."""
    name = first_player(play, frame.character)
    if name != "alice":
        play.push(Enter((name,), CENTRE, cause="card"))


def _time_bomb(play: Play, _: Card) -> None:
    """The second one of a turn kills everybody on red tiles at once."""
    if sum(MADNESS.get(card) == "time_bomb" for card in play.state.shown) > 1:
        on_red = [c.id for c in play.state.living() if _color_on(play.state, c.cell or "") == "red"]
        play.eliminate(on_red, "time_bomb")


def _deactivate(color: str) -> Callable[[Play, Card], None]:
    def turn_down(play: Play, _: Card) -> None:
        """Every free face-up tile of the colour turns down; sealed and locked ones stay (R135)."""
        state = play.state
        for where, tile in state.grid.items():
            bare = not tile.seal and not tile.lock and not state.is_occupied(where)
            if _color_on(state, where) == color and bare:
                play.emit(more.RoomTurnedDown(cell=where))

    return turn_down


# --- locks ---


def _lock_card(play: Play, frame: Card) -> None:
    """The first player locks an adjacent tile (§6.4)."""
    name = first_player(play, frame.character)
    where = play.character(name).cell
    if where is not None:
        _ask_lock(play, name, adjacent(where))


def _ask_lock(play: Play, name: str, cells: tuple[Cell, ...]) -> None:
    """With no lock in supply Emmett, if he lives, says which one is moved there (§6.4)."""
    emmett = play.state.characters.get("emmett")
    theirs = not play.state.locks and name != "emmett" and emmett is not None and emmett.alive
    play.ask("card_lock_target" if theirs else "card_lock", name, about=cells)


def _lock_choices(state: State, ask: Ask) -> list[Option]:
    return lock_options(state, list(ask.about))


def _locked(play: Play, _: Ask, option: str) -> None:
    put_lock(play, option.split(":"))


def _lock_targets(state: State, ask: Ask) -> list[Option]:
    """Where a lock may go, as long as there is one to be moved."""
    cells = [cell for cell in ask.about if lockable(state, cell)]
    return cell_options(cells if locked_cells(state) else [])


def _lock_aimed(play: Play, _: Ask, cell: str) -> None:
    play.ask("card_lock", "emmett", about=(cell,))


# --- robots ---


def _robot_card(play: Play, frame: Card) -> None:
    """A robot comes to the first player and pushes them to an adjacent yellow tile (§6.4)."""
    state = play.state
    name = first_player(play, frame.character)
    where = state.characters[name].cell
    if where is None or not state.robots or _color_on(state, where) in {"red", "blue"}:
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
        Option(f"robot{i + 1}", {"robot": i + 1})
        for i, cell in enumerate(state.robots)
        if cell is not None
    ]


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
    """Alice may refuse; then somebody else on the tile is pushed, if possible (R137)."""
    if may_refuse(play.state, ask.character):
        play.ask("card_android", ask.character, cell=cell, about=ask.about)
    else:
        _push_on(play, ask, cell)


def _push_on(play: Play, ask: Ask, cell: Cell) -> None:
    """Chaos stays on the agenda by itself until all are served."""
    card = _asking(play.state) if ask.about == ("robot",) else ""
    _go(play, (ask.character,), cell, "robot", card)


def _refuse_choices(_: State, __: Ask) -> list[Option]:
    return [Option("refuse"), Option("accept")]


def _android(play: Play, ask: Ask, option: str) -> None:
    if option == "accept":
        _push_on(play, ask, ask.cell)
        return
    play.emit(more.OfferRefused(character=ask.character))
    if ask.about == ("robot",):
        play.ask("card_push_other", ask.character)


def _other_choices(state: State, ask: Ask) -> list[Option]:
    here = state.characters[ask.character].cell
    return [
        Option(f"{c.id}:{cell}", {"character": c.id, "cell": cell})
        for c in (state.occupants(here) if here else [])
        if c.id != ask.character and not c.hidden
        for cell in yellow_steps(state, c)
    ]


def _other_pushed(play: Play, _: Ask, option: str) -> None:
    name, cell = option.split(":")
    _go(play, (name,), cell, "robot", _asking(play.state))


# --- chaos ---


def _chaos(play: Play, frame: Card) -> None:
    """Corridors turn; robots push; those on tunnels are moved on (§6.4)."""
    for where, tile in play.state.grid.items():
        if shown_kind(tile) == "pivoting" and tile.axis is not None:
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
    if c.cell is not None and shown_kind(play.state.grid[c.cell]) == "tunnel":
        play.ask("tunnel_target", name, group=(name,), cell=c.cell)


# --- panic ---


def _panic(play: Play, frame: Card) -> None:
    """Something else for each first player (§6.4)."""
    name = first_player(play, frame.character)
    rule = _PANICS.get(name)
    if rule is not None:
        rule(play, play.character(name), frame.card)


def _panic_franck(play: Play, c: Character, _: str) -> None:
    if c.adrenaline in {"available", "programmed"}:
        play.emit(more.AdrenalineChanged(character=c.id, adrenaline="spent"))


def _panic_jennifer(play: Play, c: Character, card: str) -> None:
    """On yellow: everybody adjacent is summoned, one after the other; Alice is spared (R139)."""
    if c.cell is not None and _color_on(play.state, c.cell) == "yellow":
        names = tuple(v.id for v in summonable(play.state, c) if v.id != "alice")
        if names:
            play.push(Card(card, c.id, 1, names))


def _panic_kevin(play: Play, c: Character, _: str) -> None:
    play.ask("card_swap", c.id)


def _swap_choices(state: State, _: Ask) -> list[Option]:
    """Two adjacent tiles, neither a face-up blue one; an occupied one if there is such a pair."""
    pairs = [
        (a, b) for a in CELLS for b in NEIGHBOURS[a].values() if a < b and swap_pairs(state, (a, b))
    ]
    busy = [p for p in pairs if state.is_occupied(p[0]) or state.is_occupied(p[1])]
    return [Option(f"{a}:{b}", {"first": a, "second": b}) for a, b in busy or pairs]


def _swapped(play: Play, _: Ask, option: str) -> None:
    a, b = option.split(":")
    play.emit(ev.TilesSwapped(first=a, second=b, cause="card"))


def _panic_emmett(play: Play, c: Character, _: str) -> None:
    if c.cell is not None:
        _ask_lock(play, c.id, (c.cell,))


def _panic_max(play: Play, c: Character, _: str) -> None:
    """He and all others on his tile go to an adjacent yellow tile as one group (R77, R139)."""
    if c.cell is not None and c.cell != CENTRE and _companions(play.state, c):
        play.ask("card_carry", c.id)


def _companions(state: State, c: Character) -> list[str]:
    here = state.occupants(c.cell) if c.cell else []
    return [v.id for v in here if v.id not in {c.id, "alice"} and not v.hidden]


def _carry_choices(state: State, ask: Ask) -> list[Option]:
    c = state.characters[ask.character]
    mates = tuple(_companions(state, c))
    return cell_options(
        [
            cell
            for cell in (adjacent(c.cell) if c.cell else ())
            if _color_on(state, cell) == "yellow"
            and may_step(state, c, cell, apart=mates)
            and all(is_open(state, cell, state.characters[v]) for v in mates)
        ]
    )


def _carried(play: Play, ask: Ask, cell: str) -> None:
    c = play.character(ask.character)
    _go(play, (c.id, *_companions(play.state, c)), cell, "carry", _asking(play.state))


def _panic_sarah(play: Play, c: Character, _: str) -> None:
    if c.spares and c.cell is not None and not is_blue(play.state.grid[c.cell]):
        sabotage_room(play, c.id)


def _panic_bruce(play: Play, c: Character, _: str) -> None:
    """All others on his tile are pushed to one adjacent yellow tile, in track order (R138)."""
    if c.cell is not None and c.cell != CENTRE and _companions(play.state, c):
        play.ask("card_scatter", c.id)


def _scatter_choices(state: State, ask: Ask) -> list[Option]:
    c = state.characters[ask.character]
    cells = adjacent(c.cell) if c.cell else ()
    return cell_options([cell for cell in cells if _color_on(state, cell) == "yellow"])


def _scattered(play: Play, ask: Ask, cell: str) -> None:
    names = tuple(_companions(play.state, play.character(ask.character)))
    play.push(Card(_asking(play.state), ask.character, 1, names, cell))


_PANICS: dict[str, Callable[[Play, Character, str], None]] = {
    "franck": _panic_franck,
    "jennifer": _panic_jennifer,
    "kevin": _panic_kevin,
    "emmett": _panic_emmett,
    "max": _panic_max,
    "sarah": _panic_sarah,
    "bruce": _panic_bruce,
}


def _panic_goes_on(play: Play, frame: Card) -> None:
    """Serve the next victim, tested again at its turn; a failing one stays (R138)."""
    name, rest = frame.names[0], frame.names[1:]
    if rest:
        play.push(Card(frame.card, frame.character, frame.step, rest, frame.cell))
    c, victim = play.character(frame.character), play.character(name)
    if not victim.alive or victim.hidden or c.cell is None or victim.cell is None:
        return
    if not frame.cell:
        if victim.cell in adjacent(c.cell) and is_open(play.state, c.cell, victim):
            _go(play, (name,), c.cell, "summon", frame.card)
    elif (
        victim.cell == c.cell
        and _color_on(play.state, frame.cell) == "yellow"
        and may_step(play.state, victim, frame.cell)
    ):
        _go(play, (name,), frame.cell, "push", frame.card)


_MADNESS: dict[str, Callable[[Play, Card], None]] = {
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
    "panic": lambda play, frame: (_panic, _panic_goes_on)[frame.step](play, frame),
}

register("card_lock", Choice(options=_lock_choices, resolve=_locked))
register("card_lock_target", Choice(options=_lock_targets, resolve=_lock_aimed))
register("card_robot", Choice(options=_robot_choices, resolve=_robot_chosen))
register("card_push", Choice(options=_push_choices, resolve=_pushed))
register("card_android", Choice(options=_refuse_choices, resolve=_android, default=first))
register("card_push_other", Choice(options=_other_choices, resolve=_other_pushed))
register("card_swap", Choice(options=_swap_choices, resolve=_swapped))
register("card_carry", Choice(options=_carry_choices, resolve=_carried))
register("card_scatter", Choice(options=_scatter_choices, resolve=_scattered))
