"""What the census makes of single events, in the position in which they happen."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.kernel import Event
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import Character, State, Tile
from simulator.room25.coverage import Follower, Note
from simulator.room25.expected import things


def position() -> State:
    """Three characters, a robot and some rooms."""
    kinds = {"r0c0": "mortal", "r0c1": "empty", "r0c2": "acid", "r0c3": "room25"}
    people = [
        Character(id="emmett", seat=1, team="all", cell="r0c1"),
        Character(id="alice", seat=2, team="all", cell="r0c2", hidden=True),
        Character(id="bruce", seat=3, team="all", cell="r0c1"),
    ]
    return State(
        rulebook="ultimate",
        mode="cooperation",
        options={"specials": True},
        turn=2,
        last_turn=8,
        order=tuple(c.id for c in people),
        characters={c.id: c for c in people},
        grid={
            cell: Tile(id=n, kind=kind, up=kind != "room25")
            for n, (cell, kind) in enumerate(kinds.items())
        },
        robots=("r0c2", None),
    )


def noted(state: State, *events: Event) -> list[Note]:
    """What is noted of some events, all in one position."""
    follower = Follower()
    return [note for event in events for note in follower.note(state, event)]


GONE = more.RobotRemoved(robot=0)
SHIFT = ev.LineShifted(line="row0", way="left", cause="action")
OUT = ev.EscapeAttempted(character="bruce", line="row0", way="left", outcome="players")

CASES: list[tuple[list[Event], list[Note]]] = [
    (
        [ev.CharacterMoved(character="bruce", cell="r0c2", entry=4, cause="move")],
        [("room", "acid")],
    ),
    ([more.SpecialUsed(character="max", option="carry:bruce:r0c1")], [("ability", "carry")]),
    (
        [more.SpecialUsed(character="bruce", option="hack_robot:robot1:push:max:r0c1")],
        [("ability", "hack_robot by bruce"), ("robot", "mimic push")],
    ),
    ([GONE], [("robot", "destroyed in acid")]),
    (
        [GONE, ev.CharacterEliminated(character="alice", cause="acid")],
        [
            ("robot", "destroyed in acid"),
            ("death", "acid"),
            ("mark", "somebody hidden dies"),
            ("robot", "kills in acid"),
        ],
    ),
    (
        [
            ev.CharacterMoved(character="bruce", cell="r0c0", entry=4, cause="robot"),
            ev.CharacterEliminated(character="bruce", cause="mortal"),
        ],
        [("room", "mortal"), ("death", "mortal"), ("mark", "a robot pushes to death")],
    ),
    ([more.RobotPlaced(robot=0, cell="r0c3")], [("mark", "a robot turns Room 25 up")]),
    ([more.OfferRefused(character="jennifer")], [("mark", "Jennifer refuses Bruce")]),
    ([SHIFT, SHIFT], [("mark", "a control moves two steps")]),
    ([SHIFT, OUT], [("mark", "a control moves two steps and out")]),
    ([more.CardDrawn(card="Z17")], [("card", "Z17"), ("card", "panic of emmett")]),
    (
        [more.CardDrawn(card="Z04", character="alice")],
        [
            ("card", "Z04"),
            ("mark", "a card concerns the entrant"),
            ("mark", "Alice spared by a rewind"),
        ],
    ),
    (
        [more.CardDrawn(card="P5"), ev.AgendaSet(agenda=(), asked=0)],
        [("card", "P5"), ("mark", "Alice spared by a penalty")],
    ),
    (
        [more.CardDrawn(card="M01"), ev.AgendaSet(agenda=(), asked=0)],
        [("card", "M01"), ("mark", "a movement card is ignored")],
    ),
]


@pytest.mark.parametrize(("events", "wanted"), CASES)
def test_an_event_is_noted_for_what_it_is(events: list[Event], wanted: list[Note]) -> None:
    found = noted(position(), *events)
    assert found == wanted
    known = {(h, n) for h, names in things().items() for n in names}
    for heading, name in found:
        own = heading in {"room", "death"}
        assert (heading, f"ultimate {name}" if own else name) in known


def test_emmett_is_noted_where_others_may_not_enter() -> None:
    state = position()
    state.grid = {**state.grid, "r0c0": replace(state.grid["r0c0"], lock=True)}
    step = ev.CharacterMoved(character="emmett", cell="r0c0", entry=4, cause="move")
    assert ("mark", "Emmett enters a locked room") in noted(state, step)
    assert noted(state, more.LocksGone()) == [("mark", "Emmett's locks go with him")]
