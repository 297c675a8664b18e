"""The characters' special abilities (§6.1; pure).

An option is ``<ability>:<parameters>``, so the abilities of one character never collide. A mimic
uses the others' abilities with itself in their place.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from events.kernel import Option
from games.room25 import edition_events as more
from games.room25 import events as ev
from games.room25.agenda import ActionEnd, Ask, Enter
from games.room25.board import CENTRE, NEIGHBOURS, Cell, direction_to
from games.room25.catalogue import color_of
from games.room25.choices import Choice, register
from games.room25.moves import is_open, may_step, shown_kind
from games.room25.play import Play
from games.room25.robots import carry_out, order_options
from games.room25.state import Character, State, Tile

Options = Callable[[State, Character], list[Option]]
Use = Callable[[Play, str, list[str]], None]


class Ability(Struct, frozen=True):
    """An ability: its legal uses by a character, and what a use does."""

    options: Options
    use: Use


def adjacent(where: Cell) -> tuple[Cell, ...]:
    """The orthogonal neighbours; abilities ignore corridors."""
    return tuple(NEIGHBOURS[where].values())


def is_blue(tile: Tile) -> bool:
    """Whether a tile is a face-up blue one."""
    kind = shown_kind(tile)
    return kind is not None and color_of(kind) == "blue"


# --- jennifer: summon ---


def summonable(state: State, summoner: Character) -> list[Character]:
    """Others on adjacent tiles, visible, who may enter the summoner's tile, in turn order."""
    here = summoner.cell
    if here is None:
        return []
    return [
        c
        for c in state.living()
        if c.cell in adjacent(here) and not c.hidden and is_open(state, here, c)
    ]


def _summon_options(state: State, c: Character) -> list[Option]:
    return [Option(f"summon:{v.id}", {"character": v.id}) for v in summonable(state, c)]


def _summon(play: Play, name: str, parts: list[str]) -> None:
    """A summoned Jennifer may refuse a mimic (D21)."""
    if parts[0] == "jennifer":
        play.ask("summon_refuse", "jennifer", about=(name,))
    else:
        summon(play, name, parts[0])


def summon(play: Play, summoner: str, victim: str) -> None:
    """Bring somebody to the summoner's tile; a corridor turns towards where they came from."""
    start, here = play.character(victim).cell, play.character(summoner).cell
    if start is not None and here is not None:
        play.push(Enter((victim,), here, direction_to(start, here) or "", "summon"))


def _refuse_options(_: State, __: Ask) -> list[Option]:
    return [Option("refuse"), Option("accept")]


def _summoned(play: Play, ask: Ask, option: str) -> None:
    if option == "accept":
        summon(play, ask.about[0], ask.character)
    else:
        play.emit(more.OfferRefused(character=ask.character))


# --- alice: invisibility ---


def _hide_options(_: State, __: Character) -> list[Option]:
    return [Option("invisibility")]


def _hide(play: Play, name: str, _: list[str]) -> None:
    """Hidden until the end of the next action, which is not the one that runs now."""
    play.emit(more.CharacterHid(character=name))
    play.state.agenda = tuple(
        replace(frame, hidden=False)
        if isinstance(frame, ActionEnd) and frame.character == name
        else frame
        for frame in play.state.agenda
    )


# --- max: carry ---


def _carry_options(state: State, c: Character) -> list[Option]:
    """A passenger on the same tile, and a room that both may enter (R130)."""
    if c.cell is None:
        return []
    return [
        Option(f"carry:{v.id}:{cell}", {"character": v.id, "cell": cell})
        for v in state.occupants(c.cell)
        if v.id != c.id and not v.hidden and not (c.id == "bruce" and v.id == "max")
        for cell in adjacent(c.cell)
        if may_step(state, c, cell, apart=(v.id,)) and is_open(state, cell, v)
    ]


def _carry(play: Play, name: str, parts: list[str]) -> None:
    victim, cell = parts
    start = play.character(name).cell or ""
    play.push(Enter((name, victim), cell, direction_to(start, cell) or "", "carry"))


# --- emmett: reactivate and lock ---


def _reactivate_options(state: State, c: Character) -> list[Option]:
    cells = adjacent(c.cell) if c.cell else ()
    return [
        Option(f"reactivate:{cell}", {"cell": cell})
        for cell in cells
        if state.grid[cell].seal and not state.is_occupied(cell)
    ]


def _reactivate(play: Play, _: str, parts: list[str]) -> None:
    play.emit(more.RoomUnsealed(cell=parts[0]))
    play.emit(more.RoomTurnedDown(cell=parts[0]))


def lockable(state: State, cell: Cell) -> bool:
    """Face-up, not blue, neither locked nor sealed (R100)."""
    tile = state.grid[cell]
    return tile.up and not is_blue(tile) and not tile.lock and not tile.seal


def locked_cells(state: State) -> list[Cell]:
    """Where locks lie."""
    return [cell for cell, tile in state.grid.items() if tile.lock]


def lock_options(state: State, cells: list[Cell], prefix: str = "") -> list[Option]:
    """Where a lock may go, and, with none in supply, which one is moved there."""
    targets = [cell for cell in cells if lockable(state, cell)]
    if state.locks:
        return [Option(f"{prefix}{cell}", {"cell": cell}) for cell in targets]
    return [
        Option(f"{prefix}{cell}:{other}", {"cell": cell, "from": other})
        for cell in targets
        for other in locked_cells(state)
    ]


def put_lock(play: Play, parts: list[str]) -> None:
    """Put a lock on a tile: from supply, or from another tile."""
    origin = parts[1] if len(parts) > 1 else None
    play.emit(more.RoomLocked(cell=parts[0], moved_from=origin))


def _lock_options(state: State, c: Character) -> list[Option]:
    cells = [c.cell, *adjacent(c.cell)] if c.cell else []
    return lock_options(state, cells, "lock:")


def _lock(play: Play, _: str, parts: list[str]) -> None:
    put_lock(play, parts)


# --- sarah: sabotage ---


def _sabotage_room_options(state: State, c: Character) -> list[Option]:
    usable = c.spares and c.cell is not None and not is_blue(state.grid[c.cell])
    return [Option("sabotage_room")] if usable else []


def _sabotage_room(play: Play, name: str, _: list[str]) -> None:
    sabotage_room(play, name)


def sabotage_room(play: Play, name: str) -> None:
    """Put a spare empty tile in place of the own one; who is there stays (R68b)."""
    where = play.character(name).cell
    if where is not None:
        play.emit(more.SpareUsed(character=name))
        play.replace_room(where)


def _sabotage_robot_options(state: State, c: Character) -> list[Option]:
    robots = state.robots_on(c.cell) if c.cell else []
    return [Option(f"sabotage_robot:{i + 1}", {"robot": i + 1}) for i in robots]


def _sabotage_robot(play: Play, _: str, parts: list[str]) -> None:
    play.emit(more.RobotRemoved(robot=int(parts[0]) - 1))


# --- kevin: hacks ---


def swap_pairs(state: State, cells: tuple[Cell, ...]) -> list[tuple[Cell, Cell]]:
    """Pairs among ``cells`` of which neither is a face-up blue tile (R99)."""
    return [
        (a, b)
        for a, b in combinations(sorted(cells), 2)
        if not is_blue(state.grid[a]) and not is_blue(state.grid[b])
    ]


def _building_options(state: State, c: Character) -> list[Option]:
    cells = adjacent(c.cell) if c.cell else ()
    return [
        Option(f"hack_building:{a}:{b}", {"first": a, "second": b})
        for a, b in swap_pairs(state, cells)
    ]


def _hack_building(play: Play, _: str, parts: list[str]) -> None:
    play.emit(ev.TilesSwapped(first=parts[0], second=parts[1], cause="hack"))


def _robot_options(state: State, _: Character) -> list[Option]:
    return [Option(f"hack_robot:{o.id}", o.meaning) for o in order_options(state)]


def _hack_robot(play: Play, name: str, parts: list[str]) -> None:
    carry_out(play, name, ":".join(parts))


# --- franck: vitality ---


def _vitality_options(_: State, __: Character) -> list[Option]:
    return [Option("vitality")]


def _vitality(play: Play, name: str, _: list[str]) -> None:
    """Adrenaline comes back if it was spent; otherwise nothing (R102)."""
    if play.character(name).adrenaline == "spent":
        play.emit(more.AdrenalineChanged(character=name, adrenaline="available"))


ABILITIES: dict[str, Ability] = {
    "summon": Ability(_summon_options, _summon),
    "invisibility": Ability(_hide_options, _hide),
    "carry": Ability(_carry_options, _carry),
    "reactivate": Ability(_reactivate_options, _reactivate),
    "lock": Ability(_lock_options, _lock),
    "sabotage_room": Ability(_sabotage_room_options, _sabotage_room),
    "sabotage_robot": Ability(_sabotage_robot_options, _sabotage_robot),
    "hack_building": Ability(_building_options, _hack_building),
    "hack_robot": Ability(_robot_options, _hack_robot),
    "vitality": Ability(_vitality_options, _vitality),
}
"""What an ability may do, by its id."""

OWN: dict[str, tuple[str, ...]] = {
    "emmett": ("reactivate", "lock"),
    "kevin": ("hack_building", "hack_robot"),
    "franck": ("vitality",),
    "jennifer": ("summon",),
    "max": ("carry",),
    "alice": ("invisibility",),
    "sarah": ("sabotage_room", "sabotage_robot"),
}
"""The abilities of each character; Bruce has those of ``MIMICKED``."""

MIMICKED: dict[str, tuple[str, bool]] = {
    "jennifer": ("summon", True),
    "franck": ("vitality", False),
    "max": ("carry", True),
    "kevin": ("hack_robot", True),
    "emmett": ("reactivate", True),
    "alice": ("invisibility", True),
    "sarah": ("sabotage_room", True),
}
"""Whom Bruce imitates in what, and whether from an adjacent tile too (§6.1)."""


def _mimic_abilities(state: State, bruce: Character) -> list[str]:
    """A hidden neighbour may be imitated (R101); Max cannot be carried by his own trick."""
    here = bruce.cell
    if here is None:
        return []
    return [
        ability
        for name, (ability, from_afar) in MIMICKED.items()
        if (c := state.characters.get(name)) is not None
        and (c.cell == here or (from_afar and c.cell in adjacent(here)))
    ]


def special_options(state: State, c: Character) -> list[Option]:
    """All legal uses (D16); never from the Central Room (§6.1)."""
    if c.cell is None or c.cell == CENTRE:
        return []
    names = _mimic_abilities(state, c) if c.id == "bruce" else OWN[c.id]
    return [option for name in names for option in ABILITIES[name].options(state, c)]


def _options(state: State, ask: Ask) -> list[Option]:
    return special_options(state, state.characters[ask.character])


def _resolve(play: Play, ask: Ask, option: str) -> None:
    play.emit(more.SpecialUsed(character=ask.character, option=option))
    ability, *parts = option.split(":")
    ABILITIES[ability].use(play, ask.character, parts)


def _nothing(play: Play, ask: Ask) -> None:
    play.emit(ev.ActionLost(character=ask.character, token="special"))  # noqa: S106 (an action)


register("special_choice", Choice(options=_options, resolve=_resolve, nothing=_nothing))
register("summon_refuse", Choice(options=_refuse_options, resolve=_summoned))
