"""Things that are lost or made in the later editions: the oracle of conservation catches each.

Tiles, cards, robots, locks, spares, action tokens, adrenaline, and what the dead leave behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Event
from games.room25.editions import RULEBOOKS
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.facts import evolve as evolve_module
from games.room25.model.agenda import CheckEnd, Effect
from games.room25.model.cards import BASE_CARDS
from games.room25.model.characters import SHEETS
from games.room25.model.state import State
from games.room25.opening import setup
from games.room25.rules import locks, robots
from games.room25.rules import rooms as effects
from games.room25.rules.context import Play
from simulator.room25.plans import Plan
from tests.simulator.planting import Patch, caught_in, near, record, rich

SUSPICION, TOGETHER = ("ultimate", "suspicion"), ("ultimate", "cooperation")


def rooms(*kinds: str) -> Iterable[Plan]:
    """Suspicion with some rooms beside everybody."""
    return near(SUSPICION, *kinds)


def caught(games: Iterable[Plan]) -> str:
    """What the oracle says."""
    return caught_in("conservation", games)


@pytest.mark.slow
def test_the_oracle_does_not_complain_without_a_fault() -> None:
    for games in (
        rich(SUSPICION, 8),
        rich(("prototype", "suspicion"), 8),
        near(SUSPICION, "acid", "robot", "mac", "timer", laps=8),
        near(TOGETHER, "key", "robot", "paranoia", "mirror", laps=8),
    ):
        assert caught(games) == ""


# --- facts that are recorded wrongly ---


def change(state: State, name: str, **facts: Any) -> None:
    """Change facts of a character behind everybody's back."""
    state.characters = {**state.characters, name: replace(state.characters[name], **facts)}


def forget(_: State, __: Any, ___: State) -> None:
    """Record nothing."""


Wrong = Callable[[State, Any, State], None]


def _record(patch: Patch, kind: type[Event], wrong: Wrong) -> None:
    """Have something done to the state after an event, or nothing at all in its place.

    The third argument of ``wrong`` is the state as it was before.
    """
    honest = evolve_module.RECORDERS[kind]

    def recorder(state: State, event: Event) -> None:
        before = State(**{name: getattr(state, name) for name in state.__struct_fields__})
        if wrong is not forget:
            honest(state, event)
        wrong(state, event, before)

    record(patch, kind, recorder)


def _same_tile(state: State, event: more.RoomReplaced, before: State) -> None:
    number = before.grid[event.cell].id
    state.grid = {**state.grid, event.cell: replace(state.grid[event.cell], id=number)}


def _no_discard(state: State, _: Any, before: State) -> None:
    state.discard = before.discard


def _still_discarded(state: State, _: Any, before: State) -> None:
    state.discard = before.discard


def _robots_stay(state: State, _: Any, before: State) -> None:
    state.robots = before.robots


def _third_robot(state: State, event: more.RobotPlaced, before: State) -> None:
    state.robots = (*before.robots, event.cell)


def _endless_supply(state: State, _: Any, before: State) -> None:
    state.locks = before.locks


def _never_spent(state: State, event: more.AdrenalineChanged, _: State) -> None:
    if event.adrenaline == "spent":
        change(state, event.character, adrenaline="available")


def _all_is_forgiven(state: State, _: Any, __: State) -> None:
    for name, c in state.characters.items():
        if c.lost:
            change(state, name, lost=())


def _twice(state: State, event: more.ParanoiaBegan, _: State) -> None:
    change(state, event.character, stack=("look", "look"), stacked=2)


def _hidden_for_ever(state: State, event: ev.CharacterEliminated, before: State) -> None:
    c = before.characters[event.character]
    change(state, c.id, hidden=c.hidden, paranoid=c.paranoid)


def _dead_for_ever(state: State, _: Any, before: State) -> None:
    state.dead = before.dead


def _one_more_turn(state: State, _: Any, before: State) -> None:
    state.last_turn = before.last_turn + 1


FAULTS: dict[str, tuple[type[Event], Wrong, Callable[[], Iterable[Plan]], str]] = {
    "a new tile is taken for the old one": (
        more.RoomReplaced,
        _same_tile,
        lambda: rooms("timer"),
        "has become",
    ),
    "a drawn card is nowhere": (
        more.CardDrawn,
        _no_discard,
        lambda: near(TOGETHER),
        "a card was lost or made",
    ),
    "a pile is made of cards that stay": (
        more.DeckShuffled,
        _still_discarded,
        lambda: near(TOGETHER, deck=["P7", "P3"], deck_rest=False),
        "a card is there twice",
    ),
    "robots do not ride along": (
        ev.LineShifted,
        _robots_stay,
        lambda: rooms("robot", "robot"),
        "a robot stands in",
    ),
    "a robot survives a red room": (
        more.RobotRemoved,
        forget,
        lambda: rooms("robot", "robot", "acid", "trap"),
        "a robot stands in",
    ),
    "a robot is made": (
        more.RobotPlaced,
        _third_robot,
        lambda: rooms("robot", "robot"),
        "a robot was lost or made",
    ),
    "a lock is made": (
        more.RoomLocked,
        _endless_supply,
        lambda: rooms("vision"),
        "a lock was lost or made",
    ),
    "the locks stay when Emmett dies": (
        more.LocksGone,
        forget,
        lambda: rooms("acid", "shredder", "shredder"),
        "a lock was lost or made",
    ),
    "a spare is not used up": (
        more.SpareUsed,
        forget,
        lambda: rooms("tunnel", "tunnel"),
        "a room was replaced for nothing",
    ),
    "adrenaline lasts": (
        more.AdrenalineChanged,
        _never_spent,
        lambda: rooms("vision"),
        "has adrenaline again",
    ),
    "a penalty ends with the turn": (
        ev.TurnBegan,
        _all_is_forgiven,
        lambda: near(TOGETHER),
        "has a lost action again",
    ),
    "a lost token is carried out": (
        more.TokenDiscarded,
        forget,
        lambda: near(
            TOGETHER,
            options={"madness": True},
            deck=[f"P{n}" for n in range(1, 8)],
            deck_rest=False,
        ),
        "keeps a lost token in its programme",
    ),
    "a token is in the stack twice": (
        more.ParanoiaBegan,
        _twice,
        lambda: rooms("paranoia"),
        "has a token twice",
    ),
    "the dead stay bound": (
        ev.CharacterEliminated,
        _hidden_for_ever,
        lambda: rooms("paranoia", "acid", "shredder"),
        "is dead and still bound",
    ),
    "the living are still listed": (
        more.CharacterReturned,
        _dead_for_ever,
        lambda: rooms("regeneration", "acid", "shredder"),
        "the list of the dead",
    ),
    "a corridor is not built": (
        more.RoomTurned,
        forget,
        lambda: rooms("pivoting", "pivoting"),
        "a pivoting room without a corridor",
    ),
    "a timer gives a turn": (more.TurnsCut, _one_more_turn, lambda: rooms("timer"), "a turn after"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fact_that_is_recorded_wrongly(fault: str, monkeypatch: Patch) -> None:
    kind, wrong, games, complaint = FAULTS[fault]
    _record(monkeypatch, kind, wrong)
    assert complaint in caught(games())


# --- rules that lose or make something ---


def _effect(patch: Patch, kind: str, rule: Callable[[Play, Effect], None]) -> None:
    patch.setitem(effects.EFFECTS, kind, rule)


def test_a_stack_that_lacks_a_token(monkeypatch: Patch) -> None:
    def paranoia(game: Play, frame: Effect) -> None:
        for name in frame.group:
            stack = tuple(t for t in game.character(name).tokens if t != "look")
            game.emit(more.ParanoiaBegan(character=name, stacked=len(stack), stack=stack))

    _effect(monkeypatch, "paranoia", paranoia)
    assert "lost a token in the stack" in caught(rich(SUSPICION))


def test_a_key_that_turns_and_leaves_its_room(monkeypatch: Patch) -> None:
    _effect(monkeypatch, "key", lambda game, _: game.emit(more.KeyTurned()))
    assert "its room is still there" in caught(near(TOGETHER, "key"))


def test_a_key_room_that_is_gone_without_turning(monkeypatch: Patch) -> None:
    _effect(monkeypatch, "key", lambda game, frame: game.replace_room(frame.cell))
    assert "its key was not turned" in caught(near(TOGETHER, "key"))


def test_a_room_that_is_replaced_for_nothing(monkeypatch: Patch) -> None:
    _effect(monkeypatch, "mirror", lambda game, frame: game.replace_room(frame.cell))
    assert "replaced for nothing" in caught(rooms("mirror"))


def test_a_seal_on_a_room_that_is_never_sealed(monkeypatch: Patch) -> None:
    _effect(monkeypatch, "mirror", lambda game, frame: game.emit(ev.RoomSealed(cell=frame.cell)))
    assert "a seal on mirror" in caught(rooms("mirror"))


def test_a_lock_on_a_blue_room(monkeypatch: Patch) -> None:
    def lockable(state: State, cell: str) -> bool:
        return state.grid[cell].up and not state.grid[cell].lock

    monkeypatch.setattr(locks, "lockable", lockable)
    assert "a lock on" in caught(rooms("vision"))


def test_two_in_one_acid_bath(monkeypatch: Patch) -> None:
    _effect(monkeypatch, "acid", lambda *_: None)
    assert "two live in one acid room" in caught(rooms("acid"))


def test_somebody_who_follows_into_a_room_that_has_closed(monkeypatch: Patch) -> None:
    """R59: without a seal the next one comes in."""
    _effect(monkeypatch, "condemned", lambda *_: None)
    games = near(("prototype", "suspicion"), "condemned")
    assert "has followed somebody into a condemned room" in caught(games)


def test_adrenaline_where_there_is_none(monkeypatch: Patch) -> None:
    """The state ``none`` is never changed by any room (R22)."""

    def mirror(game: Play, frame: Effect) -> None:
        for name in frame.group:
            game.emit(more.AdrenalineChanged(character=name, adrenaline="spent"))

    _effect(monkeypatch, "mirror", mirror)
    games = near(("bga", "suspicion"), "mirror", options={"adrenaline": False})
    assert "adrenaline of" in caught(games)


def test_a_third_action_that_outlives_its_character(monkeypatch: Patch) -> None:
    """R22: dying spends it."""

    def eliminate(game: Play, names: Iterable[str], cause: str) -> None:
        for name in [c.id for c in game.state.living() if c.id in set(names)]:
            game.emit(ev.CharacterEliminated(character=name, cause=cause))
        game.push(CheckEnd())

    monkeypatch.setattr(Play, "eliminate", eliminate)
    games = near(SUSPICION, "acid", "shredder", "shredder", "trap", laps=40)
    assert "a third action to come" in caught(games)


def test_a_robot_that_waits_in_a_red_room(monkeypatch: Patch) -> None:
    def move_robot(game: Play, robot: int, cell: str) -> None:
        game.emit(more.RobotPlaced(robot=robot, cell=cell))
        if not game.state.grid[cell].up:
            game.reveal(cell)

    monkeypatch.setattr(robots, "move_robot", move_robot)
    assert "a robot stands in" in caught(rooms("robot", "robot", "acid", "trap"))


def test_a_deck_of_another_box(monkeypatch: Patch) -> None:
    monkeypatch.setattr("games.room25.opening.setup.deck_of", lambda _: BASE_CARDS[1:])
    assert "this is not the deck" in caught(rich(TOGETHER))


def test_somebody_who_hides_and_has_no_token_for_it(monkeypatch: Patch) -> None:
    sheet = replace(SHEETS["franck"], skills=("invisibility",))
    monkeypatch.setitem(SHEETS, "franck", sheet)
    assert "hides without being able to" in caught(rooms("vision"))


# --- role tiles ---


def test_roles_that_change_hands(monkeypatch: Patch) -> None:
    def returned(state: State, _: Any, __: State) -> None:
        names = sorted(state.characters)
        roles = {name: state.characters[name].role for name in names}
        for name, other in zip(names, [*names[1:], names[0]], strict=True):
            change(state, name, role=roles[other])

    _record(monkeypatch, ev.TurnBegan, returned)
    assert "a role has changed hands" in caught(rooms("vision"))


@pytest.mark.parametrize(
    ("prisoners", "guards", "complaint"),
    [(-1, 1, "3 of 2 guards"), (1, 0, "a role was lost or made")],
)
def test_a_deal_of_other_roles(
    prisoners: int, guards: int, complaint: str, monkeypatch: Patch
) -> None:
    honest = setup.roles_of

    def roles_of(*args: Any) -> tuple[int, int]:
        usual = honest(*args)
        return usual[0] + prisoners, usual[1] + guards

    monkeypatch.setattr(setup, "roles_of", roles_of)
    games = (plan for plan in rich(SUSPICION) if plan.seats == 6)
    assert complaint in caught(games)


def test_two_guards_of_one_identity(monkeypatch: Patch) -> None:
    """Each guard of a prototype's game is another one (R11)."""
    games = [plan for plan in rich(("prototype", "suspicion"), 9) if plan.seats > 4]
    alike = replace(RULEBOOKS["prototype"], identities=("killer",) * 5)
    monkeypatch.setitem(RULEBOOKS, "prototype", alike)
    assert "two guards are the same" in caught(games)
