"""The characters' special abilities (§6.1; pure).

An option is ``<ability>:<parameters>``, so the abilities of one character never collide. A mimic
uses the others' abilities with itself in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from events.kernel import Option
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import ActionEnd, Ask, Question
from games.room25.model.board import CENTRE, Cell
from games.room25.model.characters import SHEETS, Skill, owns
from games.room25.model.meanings import has
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.asking import ChoiceKind, refusable
from games.room25.rules.context import Play
from games.room25.rules.locks import lock_options, put_lock
from games.room25.rules.moves import (
    adjacent,
    is_blue,
    why_closed,
    why_no_step,
    why_not_together,
)
from games.room25.rules.robots import carry_out, order_options

Options = Callable[[State, Character], list[Option]]
Use = Callable[[Play, str, list[str]], None]


class Ability(Struct, frozen=True):
    """An ability: its legal uses by a character, and what a use does."""

    options: Options
    use: Use


# --- summon ---


def summonable(state: State, summoner: Character) -> list[Character]:
    """Others on adjacent tiles, visible, who may enter the summoner's tile, in turn order."""
    return [c for c in state.living() if why_no_summon(state, summoner, c) is None]


def why_no_summon(state: State, summoner: Character, other: Character) -> Why | None:
    """Why somebody cannot be summoned."""
    here = summoner.cell
    if not other.alive:
        return Why.ELIMINATED
    if here is None or other.cell not in adjacent(here):
        return Why.NOT_ADJACENT
    return Why.HIDDEN if other.hidden else why_closed(state, other, here)


def _summon_options(state: State, c: Character) -> list[Option]:
    return [Option(f"summon:{v.id}", {"character": v.id}) for v in summonable(state, c)]


def _summon(play: Play, name: str, parts: list[str]) -> None:
    """Who can summon may refuse a mimic (D21)."""
    state, victim = play.state, parts[0]
    own_trick = has(state, state.characters[victim], "summon")
    if own_trick and has(state, state.characters[name], "mimic"):
        play.ask("summon_refuse", victim, about=(name,))
    else:
        summon(play, name, victim)


def summon(play: Play, summoner: str, victim: str) -> None:
    """Bring somebody to the summoner's tile; a corridor turns towards where they came from."""
    play.bring((victim,), play.cell_of(summoner), "summon")


def _summoned(play: Play, ask: Ask, option: str) -> None:
    if option == "accept":
        summon(play, ask.about[0], ask.character)
    else:
        play.emit(more.OfferRefused(character=ask.character))


# --- invisibility ---


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


# --- carry ---


def _carry_options(state: State, c: Character) -> list[Option]:
    """A passenger on the same tile, and a room that both may enter (R130)."""
    if c.cell is None:
        return []
    return [
        Option(f"carry:{v.id}:{cell}", {"character": v.id, "cell": cell})
        for v in state.occupants(c.cell)
        if v.id != c.id and why_no_passenger(state, c, v) is None
        for cell in rides(state, c, v)
    ]


def why_no_passenger(state: State, carrier: Character, other: Character) -> Why | None:
    """Why somebody cannot be carried anywhere; nobody is by an imitation of their own trick."""
    imitated = has(state, carrier, "mimic") and has(state, other, "carry")
    return why_not_together(carrier, other) or (Why.SAME_TRICK if imitated else None)


def why_no_ride(state: State, carrier: Character, other: Character, cell: Cell) -> Why | None:
    """Why somebody cannot be carried to a room: both must be able to enter it."""
    return why_no_step(state, carrier, cell, apart=(other.id,)) or why_closed(state, other, cell)


def rides(state: State, carrier: Character, other: Character) -> list[Cell]:
    """The rooms to which somebody can be carried."""
    cells = adjacent(carrier.cell) if carrier.cell else ()
    return [cell for cell in cells if why_no_ride(state, carrier, other, cell) is None]


def _carry(play: Play, name: str, parts: list[str]) -> None:
    victim, cell = parts
    play.bring((name, victim), cell, "carry")


# --- reactivate and lock ---


def _reactivate_options(state: State, c: Character) -> list[Option]:
    cells = adjacent(c.cell) if c.cell else ()
    return [
        Option(f"reactivate:{cell}", {"cell": cell})
        for cell in cells
        if why_not_reactivated(state, c, cell) is None
    ]


def why_not_reactivated(state: State, c: Character, cell: Cell) -> Why | None:
    """Why a character cannot take the seal off a room."""
    if c.cell is None or cell not in adjacent(c.cell):
        return Why.NOT_ADJACENT
    if not state.grid[cell].seal:
        return Why.NOT_SEALED
    return Why.OCCUPIED if state.is_occupied(cell) else None


def _reactivate(play: Play, _: str, parts: list[str]) -> None:
    play.emit(more.RoomUnsealed(cell=parts[0]))
    play.emit(more.RoomTurnedDown(cell=parts[0]))


def _lock_options(state: State, c: Character) -> list[Option]:
    return lock_options(state, within_lock(c), "lock:")


def within_lock(c: Character) -> tuple[Cell, ...]:
    """The rooms that a character may lock, for where they are: its own and those around it."""
    return (c.cell, *adjacent(c.cell)) if c.cell else ()


def _lock(play: Play, _: str, parts: list[str]) -> None:
    put_lock(play, parts)


# --- sabotage ---


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
    numbers = range(1, len(state.robots) + 1)
    found = [number for number in numbers if why_no_sabotage(state, c, number) is None]
    return [Option(f"sabotage_robot:{number}", {"robot": number}) for number in found]


def why_no_sabotage(state: State, c: Character, robot: int) -> Why | None:
    """Why a character cannot sabotage a robot, counted from 1."""
    where = state.robots[robot - 1]
    if where is None:
        return Why.NOT_IN_PLAY
    return None if where == c.cell else Why.ROBOT_ELSEWHERE


def _sabotage_robot(play: Play, _: str, parts: list[str]) -> None:
    play.emit(more.RobotRemoved(robot=int(parts[0]) - 1))


# --- hacks ---


def swap_pairs(state: State, cells: tuple[Cell, ...]) -> list[tuple[Cell, Cell]]:
    """Pairs among ``cells`` of which neither is a face-up blue tile (R99)."""
    return [
        (a, b)
        for a, b in combinations(sorted(cells), 2)
        if not is_blue(state.grid[a]) and not is_blue(state.grid[b])
    ]


def why_in_no_pair(state: State, pairs: Iterable[tuple[Cell, Cell]], cell: Cell) -> Why | None:
    """Why a room is in none of the pairs that can be swapped; None: it is in one."""
    if any(cell in pair for pair in pairs):
        return None
    return Why.BLUE_ROOM if is_blue(state.grid[cell]) else Why.ALONE


def _building_pairs(state: State, c: Character) -> list[tuple[Cell, Cell]]:
    return swap_pairs(state, adjacent(c.cell) if c.cell else ())


def _building_options(state: State, c: Character) -> list[Option]:
    return [
        Option(f"hack_building:{a}:{b}", {"first": a, "second": b})
        for a, b in _building_pairs(state, c)
    ]


def why_no_building_hacked(state: State, c: Character) -> Callable[[Cell], Why | None]:
    """What says why a character can swap a room with no other."""
    around, pairs = adjacent(c.cell) if c.cell else (), _building_pairs(state, c)

    def why_not(cell: Cell) -> Why | None:
        return why_in_no_pair(state, pairs, cell) if cell in around else Why.NOT_ADJACENT

    return why_not


def _hack_building(play: Play, _: str, parts: list[str]) -> None:
    play.emit(ev.TilesSwapped(first=parts[0], second=parts[1], cause="hack"))


def _robot_options(state: State, _: Character) -> list[Option]:
    return [Option(f"hack_robot:{o.id}", o.meaning) for o in order_options(state)]


def _hack_robot(play: Play, name: str, parts: list[str]) -> None:
    carry_out(play, name, ":".join(parts))


# --- vitality ---


def _vitality_options(_: State, __: Character) -> list[Option]:
    return [Option("vitality")]


def _vitality(play: Play, name: str, _: list[str]) -> None:
    """Adrenaline comes back if it was spent; otherwise nothing (R102)."""
    if play.character(name).adrenaline == "spent":
        play.emit(more.AdrenalineChanged(character=name, adrenaline="available"))


ABILITIES: Final[dict[str, Ability]] = {
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
"""What each skill may be used for, but for imitating others."""

IMITATED: Final[dict[Skill, bool]] = {
    "summon": True,
    "vitality": False,
    "carry": True,
    "hack_robot": True,
    "reactivate": True,
    "invisibility": True,
    "sabotage_room": True,
}
"""The skills that a mimic imitates, and whether from an adjacent tile too (§6.1)."""


def _imitated(state: State, mimic: Character) -> list[Skill]:
    """What the others can do who are near; hidden ones may be imitated, too (R101)."""
    here = mimic.cell
    if here is None:
        return []
    others = [c for c in state.characters.values() if c.id != mimic.id]
    same = [c.id for c in others if c.cell == here]
    near = [c.id for c in others if c.cell in adjacent(here)]
    return [
        skill
        for skill, from_afar in IMITATED.items()
        if any(owns(name, skill) for name in (same + near if from_afar else same))
    ]


def usable_skills(state: State, c: Character) -> dict[Skill, None]:
    """What a character can do now, each once."""
    found: list[Skill] = []
    for skill in SHEETS[c.id].skills:
        found += _imitated(state, c) if skill == "mimic" else [skill]
    return dict.fromkeys(found)


def special_options(state: State, c: Character) -> list[Option]:
    """All legal uses (D16); never from the Central Room (§6.1)."""
    if c.cell is None or c.cell == CENTRE:
        return []
    return [o for skill in usable_skills(state, c) for o in ABILITIES[skill].options(state, c)]


def _options(state: State, ask: Ask) -> list[Option]:
    return special_options(state, state.characters[ask.character])


def _resolve(play: Play, ask: Ask, option: str) -> None:
    play.emit(more.SpecialUsed(character=ask.character, option=option))
    ability, *parts = option.split(":")
    ABILITIES[ability].use(play, ask.character, parts)


def _nothing(play: Play, ask: Ask) -> None:
    play.emit(ev.ActionLost(character=ask.character, token="special"))  # noqa: S106 (an action)


CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    "special_choice": ChoiceKind(options=_options, resolve=_resolve, nothing=_nothing),
    "summon_refuse": ChoiceKind(options=refusable, resolve=_summoned),
}
"""The decisions that it asks for, by kind."""
