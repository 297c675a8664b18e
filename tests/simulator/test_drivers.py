"""The random games' positions and drivers: what they are made of, and where they go."""

from __future__ import annotations

from typing import Any

import pytest

from games.room25.editions import RULEBOOKS
from games.room25.model.board import LINES
from games.room25.model.cards import MADNESS
from games.room25.model.state import State
from simulator.driver import Rates
from simulator.room25 import situations
from simulator.room25.coverage import notes_of
from simulator.room25.driver import play
from simulator.room25.goals import Goal
from simulator.room25.path_finder import NEVER, Path
from simulator.room25.plans import GROUPS, plan_of, seeds_of
from simulator.room25.scenes import Scene, out_by_adrenaline, out_by_two_steps
from simulator.room25.steering import is_rare, kills, steps_to_the_edge


def position(rulebook: str, mode: str) -> State:
    """A game that has just begun."""
    for seed in seeds_of(rulebook, mode, range(1, 99, 2)):
        plan = plan_of(seed)
        if plan.situation is None:
            match = play(plan, rates=Rates(probes=0))
            first = next(s for s in match.steps if s.after.phase == "live")
            state: State = first.after.play
            return state
    raise AssertionError("every game is a scenario")


def test_situations_hold_what_their_rulebooks_have() -> None:
    """Tokens, cards and fates of every kind lie on the table of some situation."""
    found: dict[str, set[str]] = {name: set() for name in RULEBOOKS}
    for seed in range(250 * len(GROUPS)):
        plan = plan_of(seed)
        if plan.situation is not None:
            found[plan.rulebook] |= set(_features(plan.situation))
    ours = {"dead", "trap", "flood", "seal", "program", "role_public", "free", "reminders"}
    ours |= {"looked", "markers", "only_named"}
    more = {"adrenaline", "hidden", "spares", "lost", "stack", "lock", "axis", "robots"}
    more |= {"discard", "shown", "deck", "key_activated", "known", "returned", "next_stack"}
    theirs = (ours - {"trap", "free", "markers"}) | {"identity", "cold_next", "known"}
    assert found["first_edition"] == ours
    assert found["bga"] == found["ultimate"] == ours | more
    assert found["prototype"] == theirs


def _features(situation: Any) -> list[str]:
    """What is said of tiles and characters beside where and who they are, and of the table."""
    common = {"characters", "tiles", "turn", "last_turn", "phase", "order", "deck_rest"}
    common |= {"kind", "face", "seat", "cell", "entry", "role"}
    parts = [situation, *situation["tiles"].values(), *situation["characters"].values()]
    return [name for part in parts for name, value in part.items() if value and name not in common]


@pytest.mark.parametrize(("way", "left"), [("left", 1), ("right", 3), ("up", 0), ("down", 4)])
def test_how_far_a_room_is_from_being_pushed_out(way: str, left: int) -> None:
    line = "row0" if way in {"left", "right"} else "col1"
    assert steps_to_the_edge("r0c1", line, way) == left


@pytest.mark.parametrize("line", LINES)
def test_a_line_moved_there_and_back_changes_no_way(line: str) -> None:
    state = position("first_edition", "cooperation")
    way = Path(Goal(insiders=frozenset(state.characters)))
    way.state = state
    there, back = ("left", "right") if line.startswith("row") else ("up", "down")
    before = sum(way.distance(c) for c in state.characters.values())
    assert 0 < before < NEVER
    once = [way.after(line, f"{line}:{direction}") for direction in (there, back)]
    assert all(0 < ways < NEVER for ways in once)
    assert sum(way.distance(c) for c in state.characters.values()) == before


def test_the_nearest_goes_for_the_key_and_then_all_for_the_exit() -> None:
    state = position("ultimate", "cooperation")
    way = Path(Goal(insiders=frozenset(state.characters)))
    way.state = state
    wanted = [way.wanted(c) for c in state.characters.values()]
    assert sorted(wanted) == [("key",), *[("room25",)] * (len(wanted) - 1)]
    state.key_activated = True
    assert {way.wanted(c) for c in state.characters.values()} == {("room25",)}
    careless = Path(Goal(insiders=frozenset(state.characters), keyless=True))
    state.key_activated = False
    careless.state = state
    assert {careless.wanted(c) for c in state.characters.values()} == {("room25",)}


def test_what_robots_do_is_known_before_it_is_ordered() -> None:
    state = position("ultimate", "cooperation")
    here = next(iter(state.characters.values())).cell
    assert not kills(state, f"robot1:move:{here}")
    assert not kills(state, f"robot1:push:max:{here}")
    assert is_rare(state, f"hack_robot:robot1:push:max:{here}")
    assert not is_rare(state, f"hack_robot:robot1:move:{here}")
    assert is_rare(state, "sabotage_robot:1")
    assert not is_rare(state, "invisibility")


def test_madness_cards_lie_on_top_of_the_deck_of_some_situations() -> None:
    tops = set()
    for seed in seeds_of("ultimate", "cooperation", range(900)):
        situation = plan_of(seed).situation
        tops |= {MADNESS.get(card) for card in (situation or {}).get("deck", ())}
    assert set(MADNESS.values()) <= tops


RARE: dict[Scene, tuple[tuple[str, str], str]] = {
    out_by_adrenaline: (("ultimate", "solo"), "escape by adrenaline"),
    out_by_two_steps: (("ultimate", "cooperation"), "a control moves two steps and out"),
}
"""Scenes, a mode that has what they need, and the rare thing that they are made for."""


@pytest.mark.parametrize("scene", RARE, ids=lambda scene: scene.__name__)
def test_scenes_lead_where_they_say(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one steered game in ten at least."""
    for name in ("SCENES", "MAD_SCENES"):
        monkeypatch.setattr(situations, name, (scene,))
    group, mark = RARE[scene]
    plans = [plan_of(seed) for seed in seeds_of(*group, range(1, 240, 2))]
    games = [play(plan, rates=Rates(probes=0)) for plan in plans if plan.situation is not None]
    seen = [("mark", mark) in set(notes_of(game)) for game in games]
    assert sum(seen) * 10 >= len(seen) > 0


@pytest.mark.parametrize("place", range(0, len(GROUPS), 5))
def test_how_much_is_checked_changes_nothing_of_a_game(place: int) -> None:
    """So that a failure of a long run comes back when it is looked at closely."""
    plan = plan_of(place)
    few, many = play(plan, rates=Rates(probes=0)), play(plan, rates=Rates(probes=3))
    assert few.log == many.log
    assert len(few.steps) < len(many.steps)
