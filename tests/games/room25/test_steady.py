"""The house bot ``steady``: what it may do, what it knows, and that it plays sensibly."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Decision, Event, Option, Seat, fold, redact
from games.bots import bot_seed
from games.contract import TableOpening
from games.room25 import ROOM25, RULEBOOKS
from games.room25.bots import Steady
from games.room25.bots.knowledge import Sight
from games.room25.bots.observation import snapshot
from games.room25.bots.terrain import PLACE
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.state import State
from games.table.events import TableOpened
from games.table.state import TableState
from tests.games.begun import begun, cast_all
from tests.games.playing import TABLE, Game
from tests.games.positions import SEED, STEADY, Position, four, in_round

DAILY = {("first_edition", "solo", 1), ("prototype", "suspicion", 4), ("bga", "suspicion", 4)}
"""The others by night: a refusal ends any game, and by day the tests of what it knows, of what it
answers again and of whom it beats play the other modes and the other rulebook to their end."""

TABLES: list[object] = [
    pytest.param(
        rulebook.id,
        mode.id,
        seats,
        marks=() if (rulebook.id, mode.id, seats) in DAILY else pytest.mark.nightly,
    )
    for rulebook in RULEBOOKS.values()
    for mode in rulebook.modes.values()
    for seats in (mode.seats if rulebook.id == "first_edition" else mode.seats[:1])
]


# --- whole games ---


@pytest.mark.parametrize(("rulebook", "mode", "seats"), TABLES, ids=str)
def test_it_is_never_refused(rulebook: str, mode: str, seats: int) -> None:
    def watch(_: Game, __: Seat, decision: Decision, option: str) -> None:
        assert option in {o.id for o in decision.options}

    bots = ["random" if seat % 3 == 1 else "steady" for seat in range(seats)]
    assert Game(mode, bots, 7, rulebook).run(watch).state.phase == "finished"


def test_asked_again_it_answers_alike() -> None:
    def watch(game: Game, seat: Seat, decision: Decision, option: str) -> None:
        if len(game.log) % 4 == 0:
            seed = bot_seed(game.state.key or "", seat, decision.id)
            # What it keeps to save time must not matter.
            assert Steady().choose(game.view(seat), decision, seed) == option

    Game("cooperation", ["steady"] * 4, 3).run(watch)


def with_other_secrets(event: Event, seat: Seat) -> Event:
    """The event as it might be if what ``seat`` cannot know were different."""
    if getattr(event, "seat", None) == seat:
        return event
    match event:
        case TableOpened():
            return replace(event, key="77" * 32)
        case ev.ComplexLaid(kinds=tuple(kinds)):
            return replace(event, kinds=tuple(reversed(kinds)))
        case ev.ClueChosen():
            return replace(event, cell="r2c1")
        case ev.RoomPeeked():
            return replace(event, kind="mortal")
        case ev.RoleDealt():
            return replace(event, role="guard")
        case ev.RolesLeftOver():
            return replace(event, roles=("guard", "guard"))
        case ev.ProgramSubmitted():
            return replace(event, tokens=("push",))
        case more.DeckShuffled(cards=tuple(cards)) | more.ParanoiaBegan(stack=tuple(cards)):
            name = "cards" if isinstance(event, more.DeckShuffled) else "stack"
            return replace(event, **{name: tuple(reversed(cards))})
        case more.TokenReplaced() if event.tokens:
            return replace(event, tokens=(*event.tokens[:-1], "push"))
        case more.RolePeeked():
            return replace(event, role="guard")
    return event


@pytest.mark.parametrize(
    ("rulebook", "mode", "seats"),
    [
        ("first_edition", "suspicion", 4),
        ("ultimate", "suspicion", 5),
        ("bga", "cooperation", 3),
        pytest.param("first_edition", "cooperation", 2, marks=pytest.mark.nightly),
        pytest.param("first_edition", "team", 4, marks=pytest.mark.nightly),
        pytest.param("prototype", "suspicion", 6, marks=pytest.mark.nightly),
    ],
)
def test_it_knows_no_more_than_its_seat(rulebook: str, mode: str, seats: int) -> None:
    """Other secrets behind the same view, the same choice, and the same word unasked.

    Each twin world has other rooms, roles, programmes, cards and another key, but for what this
    seat has been shown of them.
    """
    asked = []

    def watch(game: Game, seat: Seat, decision: Decision, option: str) -> None:
        if len(game.log) % 7:
            return
        twisted = [with_other_secrets(event, seat) for event in game.log]
        assert twisted != game.log
        viewer = ROOM25.viewer(game.play, seat)
        view = fold(TABLE, (redact(event, viewer) for event in twisted))
        assert view == game.view(seat)
        assert view.key is None
        seed = bot_seed(game.state.key or "", seat, decision.id)
        stranger = Steady()
        assert stranger.choose(view, decision, seed) == option
        free = [d for d in TABLE.decisions(view, seat) if d.optional]
        assert stranger.volunteer(view, free, seed) == STEADY.volunteer(game.view(seat), free, seed)
        asked.append(decision.kind)

    Game(mode, ["steady"] * seats, 11, rulebook).run(watch)
    assert len(set(asked)) > 3


@pytest.mark.slow
def test_four_of_it_get_out_and_four_random_ones_do_not() -> None:
    """How often is measured by ``make bench``; here the point is that a change did not break it."""
    for bot, least, most in (("steady", 2, 3), ("random", 0, 0)):
        games = [Game("cooperation", [bot] * 4, number).run() for number in range(1, 4)]
        won = sum(bool(game.state.result and game.state.result.winners) for game in games)
        assert least <= won <= most


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "seats"), [("competition", 2), ("team", 4)])
def test_it_beats_random_play(mode: str, seats: int) -> None:
    won = lost = 0
    for number in range(1, 9):
        bots = [("steady", "random")[(seat + number) % 2] for seat in range(seats)]
        result = Game(mode, bots, number).run().state.result
        assert result is not None
        won += any(bots[seat - 1] == "steady" for seat in result.winners)
        lost += any(bots[seat - 1] == "random" for seat in result.winners)
    assert won > 2 * lost
    assert won >= 4


# --- situations ---


def test_with_everybody_inside_it_pushes_room_25_out() -> None:
    position = Position(
        1,
        characters=four("r0c1", **in_round(emmett=("control", "look"))),
        tiles={"r0c1": "room25"},
        phase="round_1",
    )
    assert position.choice() == "col1:up"


def test_with_room_25_inside_the_complex_it_shifts_it_towards_an_exit() -> None:
    position = Position(
        1,
        characters=four("r1c2", **in_round(emmett=("control", "look"))),
        tiles={"r1c2": "room25"},
        phase="round_1",
    )
    assert position.choice() in {"row1:left", "row1:right"}


def test_inside_it_stays_and_keeps_an_action_for_the_escape() -> None:
    position = Position(
        1, characters=four("r0c1", "r1c1", "r0c0", "r0c2"), tiles={"r0c1": "room25"}
    )
    assert not {"move", "push"} & set(position.tokens())
    assert "control" in position.tokens()


def test_next_to_room_25_it_enters() -> None:
    position = Position(
        2,
        characters=four("r0c1", "r1c1", **in_round(kevin=("move", "control"))),
        tiles={"r0c1": "room25"},
        order=("kevin", "emmett", "franck", "jennifer"),
        phase="round_1",
    )
    assert position.choice() == "r0c1"


def test_a_single_control_waits_for_the_last_one() -> None:
    programs = in_round(
        emmett=("control",), kevin=("look",), franck=("look",), jennifer=("move", "look")
    )
    position = Position(
        1,
        characters=four("r0c1", "r0c1", "r0c1", "r1c1", **programs),
        tiles={"r0c1": "room25"},
        phase="round_1",
    )
    assert position.choice() == "delay"


def test_a_trap_is_left_at_once_and_a_flood_this_turn() -> None:
    tiles = {"r1c1": "trap", "r3c3": {"kind": "flooded", "seal": True}}
    characters = four("r1c1", "r3c3", "r2c2", emmett={"trap": 2}, kevin={"flood": 3})
    assert Position(1, characters=characters, tiles=tiles).tokens()[0] == "move"
    assert "move" in Position(2, characters=characters, tiles=tiles).tokens()


@pytest.mark.parametrize("room", ["mortal", "trap"])
def test_it_does_not_walk_into_what_it_has_seen(room: str) -> None:
    """The way to Room 25 is shorter through the bad room, but there is another."""
    tiles: dict[str, Any] = {
        "r0c1": "room25",
        "r1c1": {"kind": room, "face": "down"},
        "r0c2": {"kind": "empty", "face": "down"},
    }
    program = in_round(emmett=("move", "look"))
    program["emmett"]["looked"] = ("r1c1", "r0c2")
    position = Position(1, characters=four("r1c2", "r2c2", **program), tiles=tiles, phase="round_1")
    assert position.choice() == "r0c2"


def test_it_does_not_enter_an_occupied_acid_bath() -> None:
    position = Position(
        1,
        characters=four("r1c2", "r1c1", "r2c2", **in_round(emmett=("move", "look"))),
        tiles={"r0c1": "room25", "r1c1": "acid"},
        phase="round_1",
    )
    assert position.choice() == "r0c2"


def test_in_the_cold_it_spends_its_one_action_on_leaving() -> None:
    position = Position(
        1, characters=four("r1c1", "r0c1"), tiles={"r0c1": "room25", "r1c1": "cold"}
    )
    assert position.tokens() == ["move"]


def test_it_looks_where_room_25_may_be() -> None:
    hidden = {"kind": "empty", "face": "down"}
    position = Position(
        1,
        characters=four("r1c1", "r2c2", **in_round(emmett=("look", "control"))),
        tiles={"r0c1": hidden, "r1c0": hidden, "r2c1": {"kind": "jail", "face": "down"}},
        phase="round_1",
    )
    assert position.choice() in {"r0c1", "r1c0"}


def test_clues_are_shared_out() -> None:
    wish = ROOM25.open(
        TableOpening(rulebook="first_edition", mode="cooperation", seats=4, options={})
    )
    state, _ = begun(wish, "seed", cast_all(wish))
    table = TableState(phase="live", game="room25", play=state)
    chosen = {STEADY.choose(table, ROOM25.decisions(state, seat)[0], SEED) for seat in range(1, 5)}
    assert len(chosen) == 4


# --- what is said ---


def looked(seat: Seat, **more: Any) -> dict[str, dict[str, Any]]:
    """Four in the centre, one of whom has looked at two rooms."""
    name = ("emmett", "kevin", "franck", "jennifer")[seat - 1]
    return four("r2c2", **{name: {"looked": ("r1c2", "r4c4"), **more}})


ROOMS: dict[str, Any] = {
    "r1c2": {"kind": "mortal", "face": "down"},
    "r4c4": {"kind": "room25", "face": "down"},
}


def claim(cell: str, color: str, seat: Seat = 1) -> ev.ColorClaimed:
    return ev.ColorClaimed(seat=seat, cell=cell, color=color)


def test_it_tells_each_colour_once() -> None:
    position = Position(1, characters=looked(1), tiles=ROOMS)
    assert position.act() == ("claim-s1-1", "r1c2:red")
    position.after(claim("r1c2", "red"))
    assert position.act() == ("claim-s1-2", "r4c4:blue")
    position.after(claim("r4c4", "blue"))
    assert position.act() is None


def test_it_tells_rivals_nothing_and_places_no_reminder() -> None:
    characters = {
        name: {"seat": seat, "looked": ("r1c2",)}
        for name, seat in (("emmett", 1), ("kevin", 1), ("franck", 2), ("jennifer", 2))
    }
    assert Position(1, "competition", characters=characters, tiles=ROOMS).act() is None


def suspects(**more: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Three prisoners and, in the fourth seat, a guard who has looked."""
    found = looked(4, role="guard")
    for name in ("emmett", "kevin", "franck"):
        found[name]["role"] = "prisoner"
    for name, facts in more.items():
        found[name] |= facts
    return found


def test_a_guard_does_not_give_room_25_away() -> None:
    position = Position(4, "suspicion", characters=suspects(), tiles=ROOMS)
    position.after(claim("r1c2", "red", 4))
    assert position.act() == ("claim-s4-2", "r4c4:red")


def steps_towards(position: Position, goal: str) -> bool:
    """Whether the sights of the seat hold Room 25 to be at ``goal``."""
    state: State = position.view.play
    return Sight(snapshot(state, position.seat, private=True)).goal == PLACE[goal]


def test_blue_is_believed_unless_its_speaker_is_a_known_guard_or_liar() -> None:
    def told(*events: Event, **facts: dict[str, Any]) -> bool:
        position = Position(1, "suspicion", characters=suspects(**facts), tiles=ROOMS)
        return steps_towards(position.after(*events), "r4c4")

    blue = claim("r4c4", "blue", 4)
    assert told(blue)
    assert not told(blue, jennifer={"role_public": True})
    assert not told(claim("r1c2", "green", 4), blue, ev.RoomRevealed(cell="r1c2", kind="mortal"))
    assert not told(blue, claim("r4c4", "yellow", 2))


def test_a_guard_shows_itself_when_hiding_is_over() -> None:
    programs = in_round()
    programs["jennifer"] |= {"role": "guard"}
    for name in ("emmett", "kevin", "franck"):
        programs[name] |= {"role": "prisoner"}
    given: dict[str, Any] = {
        "characters": four("r0c1", "r0c1", "r1c1", "r1c1", **programs),
        "tiles": {"r0c1": "room25"},
        "order": ("jennifer", "emmett", "kevin", "franck"),
        "phase": "round_1",
        "turn": 3,
    }
    position = Position(4, "suspicion", **given)
    assert position.act() == ("reveal-jennifer", "reveal")
    assert Position(4, "suspicion", **{**given, "turn": 10}).act() is None


def test_a_guard_shifts_room_25_away() -> None:
    programs = in_round(jennifer=("control", "look"))
    programs["jennifer"] |= {"role": "guard"}
    for name in ("emmett", "kevin", "franck"):
        programs[name] |= {"role": "prisoner"}
    position = Position(
        4,
        "suspicion",
        characters=four("r1c1", "r1c1", "r1c1", "r0c0", **programs),
        tiles={"r0c1": "room25"},
        order=("jennifer", "emmett", "kevin", "franck"),
        phase="round_1",
    )
    assert position.choice().startswith("row0")


# --- other rulebooks ---


def test_while_the_key_is_missing_somebody_looks_for_it() -> None:
    """Room 25 is known and everybody is inside, but it does not open yet (§4.10)."""
    hidden = {"kind": "empty", "face": "down"}
    position = Position(
        1,
        rulebook="ultimate",
        characters=four("r0c1"),
        tiles={"r0c1": "room25", "r0c0": {"kind": "key", "face": "down"}, "r1c1": hidden},
    )
    private = snapshot(position.view.play, 1, private=True)
    assert private.keyed
    assert Sight(private).suspects == (PLACE["r0c0"],)


def test_a_power_that_it_does_not_know_is_left_alone() -> None:
    powers = Decision(
        id="d",
        kind="look_target",
        seat=1,
        subject="emmett",
        options=(Option("hide:r0c0"), Option("r1c2", {"cell": "r1c2"})),
        default="hide:r0c0",
    )
    view = Position(1, characters=four("r2c2"), tiles=ROOMS).view
    assert STEADY.choose(view, powers, SEED) == "r1c2"


# --- odd questions ---


def test_what_it_does_not_know_gets_the_default() -> None:
    strange = Decision(
        id="d", kind="strange", seat=1, options=(Option("a"), Option("b")), default="b"
    )
    view = Position(1, characters=four("r2c2"), tiles=ROOMS).view
    assert STEADY.choose(view, strange, SEED) == "b"


def test_it_is_not_asked_for_voluntary_acts() -> None:
    act = Decision(id="d", kind="resign", seat=1, options=(Option("resign"),), optional=True)
    view = Position(1, characters=four("r2c2"), tiles=ROOMS).view
    with pytest.raises(ValueError, match="voluntary"):
        STEADY.choose(view, act, SEED)
