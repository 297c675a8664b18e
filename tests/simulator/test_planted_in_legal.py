"""The model of what is legal catches an engine that is wrong about one of the later rulebooks.

Each fault is planted where a scenario leads straight to it; the complaint must name it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Option, Seat
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.facts import evolve
from games.room25.model.agenda import Ask, Card, DrawCard, Slot
from games.room25.model.board import NEIGHBOURS
from games.room25.model.cards import MOVEMENTS, PENALTIES
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules import (
    abilities as specials,
)
from games.room25.rules import (
    choices,
    engine,
    locks,
    moves,
    programming,
    robots,
)
from games.room25.rules import (
    event_cards as madness,
)
from games.room25.rules import (
    guard_powers as powers,
)
from games.room25.rules import (
    optional_actions as voluntary,
)
from games.room25.rules import (
    rooms as effects,
)
from games.room25.rules import (
    turn_structure as slots,
)
from games.room25.rules.context import Play
from games.room25.rules.shifting import shift
from tests.simulator.staging import complaint

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


def _rules(**changes: Any) -> Plant:
    """A datum of the rulebook is wrong."""

    def plant(patch: Patch) -> None:
        for module in (moves, voluntary):
            honest = module.rulebook_of
            patch.setattr(module, "rulebook_of", lambda s, h=honest: replace(h(s), **changes))
        _as_told(patch, "rulebook", **changes)

    return plant


def _as_told(patch: Patch, part: str, **changes: Any) -> None:
    """What the engine reads in its rulebook or mode is something else."""
    honest = getattr(Play, part).fget
    patch.setattr(Play, part, property(lambda self: replace(honest(self), **changes)))


def _in(module: object, name: str, wrong: object) -> Plant:
    """A function is another one."""
    return lambda patch: patch.setattr(module, name, wrong)


def _offers(kind: str, wrong: Callable[[State, Ask, list[Option]], list[Option]]) -> Plant:
    """A question has other options."""

    def plant(patch: Patch) -> None:
        honest = choices.CHOICES[kind]

        def options(state: State, ask: Ask) -> list[Option]:
            return wrong(state, ask, honest.options(state, ask))

        patch.setitem(choices.CHOICES, kind, replace(honest, options=options))

    return plant


def _ability(name: str, options: Callable[[State, Character], list[Option]]) -> Plant:
    ability = specials.ABILITIES[name]
    return lambda patch: patch.setitem(specials.ABILITIES, name, replace(ability, options=options))


def _forgets(event: Any) -> Plant:
    """A kind of event is not recorded."""
    recorders: dict[Any, Any] = evolve.RECORDERS
    return lambda patch: patch.setitem(recorders, event, lambda _, __: None)


def _all(*plants: Plant) -> Plant:
    def plant(patch: Patch) -> None:
        for one in plants:
            one(patch)

    return plant


def _same(names: str) -> Callable[[State, Ask, list[Option]], list[Option]]:
    """Options that are always these."""
    return lambda _, __, ___: [Option(name) for name in names.split()]


def _without(part: str) -> Callable[[State, Ask, list[Option]], list[Option]]:
    """Options without those that hold a word, as long as some are left."""
    return lambda _, __, found: [o for o in found if part not in o.id] or found


def _with(name: str) -> Callable[[State, Ask, list[Option]], list[Option]]:
    return lambda _, __, found: [*found, Option(name)]


# --- faults that need more than a word ---


def _open_to_all(state: State, _: Character, where: str) -> Why | None:
    return Why.SEALED if state.grid[where].seal else None


def _open_without_pin(state: State, _: Character, where: str) -> Why | None:
    tile = state.grid[where]
    return Why.SEALED if tile.seal or tile.lock else None


def _in_all_modules(name: str, wrong: object, *modules: object) -> Plant:
    return _all(*(_in(module, name, wrong) for module in modules))


def _summons_the_hidden(state: State, summoner: Character) -> list[Character]:
    near = NEIGHBOURS[summoner.cell or ""].values()
    return [c for c in state.living() if c.cell in near]


def _sees_nobody(_: State, __: Character, other: Character) -> Why | None:
    return Why.HIDDEN if other.hidden else None


def _robots_through_walls(state: State, robot: int) -> list[str]:
    where = state.robots[robot]
    return [] if where is None else list(NEIGHBOURS[where].values())


def _robots_push_the_hidden(state: State, robot: int) -> list[tuple[str, str]]:
    where = state.robots[robot] or ""
    return [(c.id, n) for c in state.occupants(where) for n in moves.steps(state, c)]


def _mimic_from_afar(patch: Patch) -> None:
    patch.setattr(specials, "IMITATED", {**specials.IMITATED, "vitality": True})


def _carries_everybody(state: State, c: Character) -> list[Option]:
    return [
        Option(f"carry:{v.id}:{cell}", {"character": v.id, "cell": cell})
        for v in state.occupants(c.cell or "")
        if v.id != c.id
        for cell in moves.steps(state, c)
    ]


def _swaps_anything(_: State, c: Character) -> list[Option]:
    near = sorted(NEIGHBOURS[c.cell or ""].values())
    pairs = [(a, b) for a in near for b in near if a < b]
    return [Option(f"hack_building:{a}:{b}", {"first": a, "second": b}) for a, b in pairs]


def _warm(_: State, character: Character) -> programming.Hand:
    """Adrenaline is offered in the cold as well."""
    most = 0 if character.stacked else 1 if character.limited else 2
    boosted = character.adrenaline == "available"
    return tuple(programming.available(character)), most, boosted


def _slot(wrong: Callable[[Play, Slot], Slot | None]) -> Plant:
    """A slot is served otherwise; None: as if it were empty."""

    def plant(patch: Patch) -> None:
        honest = slots.begin_slot

        def begin_slot(game: Play, frame: Slot) -> None:
            changed = wrong(game, frame)
            if changed is not None:
                honest(game, changed)
            else:
                game.emit(ev.SlotBegan(character=frame.character, round=frame.number))

        handlers: dict[Any, Any] = engine.HANDLERS
        patch.setitem(handlers, Slot, begin_slot)

    return plant


def _the_returned_act(patch: Patch) -> None:
    def begin_slot(game: Play, frame: Slot) -> None:
        game.emit(ev.SlotBegan(character=frame.character, round=frame.number))
        if game.character(frame.character).returned:
            game.ask("free_action", frame.character)

    handlers: dict[Any, Any] = engine.HANDLERS
    patch.setitem(handlers, Slot, begin_slot)


def _draws(count: int) -> Plant:
    """Another number of cards at each card step, also on the last turn."""

    def plant(patch: Patch) -> None:
        def draw(game: Play, _: int) -> None:
            game.push(DrawCard(count))

        patch.setattr(slots, "_draw", draw)

    return plant


def _moves_on(game: Play, frame: Card) -> None:
    """A movement card that no marker stops."""
    card = MOVEMENTS[frame.card]
    shift(game, card.line, card.way, "card")


def _penalises_all(game: Play, frame: Card) -> None:
    card = PENALTIES[frame.card]
    for name in card.characters:
        c = game.state.characters.get(name)
        if c is not None and c.alive and card.action not in c.lost:
            game.emit(more.ActionPenalised(character=name, token=card.action))


def _draws_from_half(patch: Patch) -> None:
    def paranoia(game: Play, frame: Any) -> None:
        for name in frame.group:
            stack = game.character(name).tokens[:2]
            game.emit(more.ParanoiaBegan(character=name, stacked=2, stack=stack))

    patch.setitem(effects.EFFECTS, "paranoia", paranoia)


def _room_is_mute(kind: str) -> Plant:
    return lambda patch: patch.setitem(effects.EFFECTS, kind, _nothing)


def _card(name: str, wrong: Callable[[Play, Card], None]) -> Plant:
    known: dict[Any, Any] = madness.EFFECTS
    return lambda patch: patch.setitem(known, name, wrong)


def _turns_all_down(game: Play, _: Card) -> None:
    for where, tile in game.state.grid.items():
        if tile.up and moves.shown_color(tile) == "red":
            game.emit(more.RoomTurnedDown(cell=where))


def _nothing(_: Play, __: Any) -> None:
    """A rule that was forgotten."""


def _nobody(_: Play, __: Character) -> None:
    """A panic that was forgotten."""


def _talk(_: State) -> bool:
    return False


def _window(_: State, __: Seat) -> bool:
    return True


FAULTS: dict[str, tuple[Plant, str, str]] = {
    # --- the prototype ---
    "the jail opens to the centre": (_rules(jail_to_centre=True), "S-086p", "lose"),
    "markers bind": (_rules(direction_lock=True), "S-054", "offers"),
    "cold is soon over": (_rules(cold_lingers=False), "X-R058P", "cold"),
    "cold binds the entrant alone": (_rules(acts_on_all=()), "S-214", "cold"),
    "shown guards are free": (_rules(guards_freed=True), "X-R025C", "free"),
    "guards show in their window": (_rules(reveal_any_time=False), "S-230", "seat"),
    "reminders stay": (_rules(movable_reminders=False), "S-057p", "seat"),
    "a hacker stays in line": (
        _offers("control_target", _without(":up")),
        "S-205a",
        "control-target offers",
    ),
    "a hacker need not lose": (_offers("control_target", _without("lose")), "S-205b", "offers"),
    "a brute pushes one": (_offers("push_target", _without("+")), "S-206", "offers"),
    "a brute pushes two in one order": (
        _offers("push_target", lambda _, __, o: [x for x in o if "+" not in x.id] + o[-1:]),
        "X-R118A",
        "offers",
    ),
    "an architect hides less": (_offers("look_target", _without("hide:r4")), "S-207", "offers"),
    "an architect sees in the dark": (
        _in(powers, "stands_in", lambda *_: False),
        "X-R107C",
        "",
    ),
    "a killer must go on": (_offers("killer_step", _without("stop")), "X-R118G", "offers"),
    "a traitor swaps late": (_offers("traitor_change", _with("swap")), "S-231", "offers"),
    "a traitor is not asked": (_in(slots, "has_power", lambda _, __: False), "S-231", "asked"),
    "secrets of the dead": (_offers("secrets_target", _with("emmett")), "S-215", "offers"),
    "who has acted is next": (_offers("next_character", _with("kevin")), "S-032", "offers"),
    # --- rooms ---
    "locks are open": (
        _in_all_modules("why_closed", _open_to_all, moves, effects),
        "S-167",
        "offers",
    ),
    "no pin": (
        _in_all_modules("why_closed", _open_without_pin, moves, effects),
        "X-PINMOVE",
        "",
    ),
    "tunnels are open": (_in(effects, "why_closed", _open_to_all), "S-084", ""),
    "corridors are open": (_in(moves, "AXIS", dict.fromkeys(("up", "right"))), "X-U24", ""),
    "a mirror shows nothing": (_forgets(more.ProgramCancelled), "S-107", "out of turn"),
    "adrenaline survives the mirror": (
        lambda patch: patch.setitem(effects.EFFECTS, "mirror", _nothing),
        "S-107",
        "",
    ),
    "nobody is asked for a vision": (_room_is_mute("vision"), "S-078", "not asked"),
    "nobody is asked where to ride": (_room_is_mute("moving"), "S-079", "not asked"),
    "nobody is asked for a robot": (_room_is_mute("robot"), "X-ROBOTEITHER", ""),
    "talk in the jam": (_in(voluntary, "talk_is_blocked", _talk), "S-109", "seat"),
    "paranoia keeps a token": (_draws_from_half, "X-R068A", "draws from"),
    "paranoia has no end": (_forgets(more.ParanoiaEnded), "S-112", "paranoia"),
    # --- programmes and slots ---
    "adrenaline in the cold": (_in(programming, "hand_of", _warm), "S-027", "offers"),
    "a free guard goes on in the cold": (
        _forgets(ev.ProgrammingOpened),
        "S-035u",
        "asked",
    ),
    "who comes back acts": (_the_returned_act, "S-122", ""),
    "slots are forgotten": (_slot(lambda _, __: None), "S-025", ""),
    "slots come twice": (
        _slot(lambda game, frame: replace(frame, character=game.state.order[0])),
        "S-025",
        "served twice",
    ),
    "adrenaline without a choice": (
        _offers("adrenaline_action", lambda _, __, found: found[:1]),
        "S-025",
        "not asked",
    ),
    "adrenaline in the centre": (_offers("adrenaline_action", _with("push")), "S-026", "offers"),
    "shown guards have adrenaline": (_forgets(more.AdrenalineChanged), "S-137", "adrenaline"),
    "guards show before the exit is found": (
        _rules(reveal_needs_room25=False),
        "S-136",
        "seat",
    ),
    "everybody is in the window": (_in(voluntary, "_in_window", _window), "S-137", "seat"),
    "prisoners show themselves": (_in(voluntary, "is_guard", lambda _: True), "S-137", "seat"),
    # --- abilities ---
    "hidden for ever": (_forgets(more.CharacterShowed), "S-161", "stays hidden"),
    "hidden ones are summoned": (
        _in(specials, "summonable", _summons_the_hidden),
        "S-160",
        "",
    ),
    "Alice sees nobody": (_in(moves, "why_no_victim", _sees_nobody), "X-MIMICHIDE", "offers"),
    "everybody is seen": (_in(moves, "why_no_victim", lambda _, __, ___: None), "S-160", ""),
    "vitality from afar": (_mimic_from_afar, "S-177", ""),
    "hidden ones are carried": (_ability("carry", _carries_everybody), "X-CARRYHIDDEN", ""),
    "Max is carried": (_ability("carry", _carries_everybody), "X-MIMICMAX", ""),
    "blue rooms are swapped": (_ability("hack_building", _swaps_anything), "S-174", ""),
    "people are reactivated": (
        _ability("reactivate", lambda _, __: [Option("reactivate:r0c2"), Option("reactivate:r1")]),
        "X-REACTOCCUPIED",
        "",
    ),
    "sealed rooms are locked": (
        _in(locks, "lockable", lambda s, cell: s.grid[cell].up and not s.grid[cell].lock),
        "X-LOCKLIST",
        "offers",
    ),
    "one lock is moved": (
        _in(locks, "locked_cells", lambda s: [c for c, t in s.grid.items() if t.lock][:1]),
        "S-168",
        "offers",
    ),
    "endless spares": (
        _ability("sabotage_room", lambda _, __: [Option("sabotage_room")]),
        "S-171",
        "lose",
    ),
    "specials in the centre": (_in(specials, "CENTRE", ""), "S-179", "lose"),
    # --- robots ---
    "robots through walls": (_in(robots, "robot_steps", _robots_through_walls), "S-186", "offers"),
    "robots push in Room 25": (_in(robots, "is_blue", lambda _: False), "S-185", "offers"),
    "robots see the hidden": (
        _in(robots, "robot_pushes", _robots_push_the_hidden),
        "X-ROBOTPUSHHIDDEN",
        "offers",
    ),
    "Alice again": (
        _offers("robot_order_again", _with("robot1:push:alice:r0c2")),
        "X-ANDROIDORDER",
        "offers",
    ),
    "robots go where it burns": (
        lambda patch: patch.setitem(
            choices.CHOICES,
            "robot_order",
            replace(choices.CHOICES["robot_order"], default=lambda _, __, o: o[-1].id),
        ),
        "X-ROBOTDEFAULT",
        "defaults to",
    ),
    # --- cards ---
    "cards on the last turn": (_draws(2), "S-194", "cards instead of"),
    "one card too few": (_draws(1), "X-U18", "cards instead of"),
    "cards against the marker": (_in(madness, "move_line", _moves_on), "X-MOVEMENTTWICE", "is not"),
    "a double card moves once": (_in(madness, "move_line", _moves_on), "S-189", "moves nothing"),
    "nothing is drawn after a plus": (
        _in(madness, "move_line", _moves_on),
        "X-MOVEMENTPLUS",
        "draws no other",
    ),
    "Alice is penalised": (_in(madness, "penalise", _penalises_all), "S-193", "brings"),
    "those named are penalised": (_in(madness, "penalise", _penalises_all), "S-191", "brings"),
    "sealed rooms turn down": (_card("deactivate_red", _turns_all_down), "S-199", "brings"),
    "the power stays on": (_card("power_failure", _nothing), "S-198", "brings"),
    "bombs do not go off": (_card("time_bomb", _nothing), "S-196a", "brings"),
    "pushed by cards to any colour": (
        _in(madness, "yellow_steps", moves.steps),
        "S-200",
        "",
    ),
    "empty rooms are swapped in a panic": (
        _offers("card_swap", lambda _, __, found: found[1:]),
        "X-PANICKEVIN",
        "not asked",
    ),
    "Max carries to any colour": (
        _offers("card_carry", _with("r0c0")),
        "X-PANICMAXCHOICE",
        "offers",
    ),
    "Bruce scatters anywhere": (_offers("card_scatter", _with("r0c0")), "X-PANICBRUCE", "offers"),
    "a lock anywhere": (_offers("card_lock", _with("r4c4")), "X-LOCKCARD", "offers"),
    "Emmett is not asked": (
        _card("lock_card", lambda game, _: game.ask("card_lock", game.state.order[0])),
        "X-LOCKCARDEMMETT",
        "",
    ),
    "a robot of one's own": (
        _offers("card_robot", _same("robot1")),
        "X-ROBOTCARDTWO",
        "",
    ),
}
"""What is wrong, how, the scenario that leads there, and a word of the complaint."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(fault: str, monkeypatch: Patch) -> None:
    plant, scenario, word = FAULTS[fault]
    plant(monkeypatch)
    found = complaint(scenario)
    assert found, f"nobody noticed in {scenario}"
    assert word in found
