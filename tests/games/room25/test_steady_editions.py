"""``steady`` in the other rulebooks: every question is answered, every ability of use is used."""

from __future__ import annotations

import random
from copy import copy
from typing import Any

import pytest

from events.kernel import Decision, Seat
from games.bots import bot_seed, random_bot
from games.room25.bots.steady import OPINIONS
from games.room25.model.agenda import Ask
from games.room25.model.board import NEIGHBOURS
from games.room25.model.catalogue import PRISONER
from games.room25.model.state import Character, State
from games.room25.rules.choices import CHOICES
from games.room25.rules.engine import asked_decision
from games.table.state import TableState
from tests.games.playing import Game
from tests.games.positions import SEED, STEADY, Position

Given = dict[str, dict[str, Any]]
HIDDEN = {"kind": "empty", "face": "down"}
OPEN: dict[str, Any] = {"r0c1": "room25"}
"""Room 25 lies open next to a corner."""


# --- every kind of question ---


def test_it_has_an_opinion_on_everything_that_may_be_asked() -> None:
    assert set(OPINIONS) == {*CHOICES, "starting_clue", "program"}


def questions(state: State, asked: Character, other: Character) -> list[Ask]:
    """One question of each kind to a character, with what each kind needs to be about."""
    cell = asked.cell or ""
    near = tuple(NEIGHBOURS[cell].values())
    about = {
        "android": (str(0), other.id),
        "robot_order_again": (str(0), other.id),
        "summon_refuse": (other.id,),
        "card_lock": near,
        "card_lock_target": near,
        "card_push": ("chaos",),
        "card_android": ("chaos",),
    }
    group = tuple(dict.fromkeys((asked.id, other.id)))
    kinds = set(CHOICES) - {"next_character"}
    if len(group) == 1:
        kinds.remove("acid_victim")
    if not state.robots:
        kinds -= {kind for kind in kinds if "robot" in kind or kind == "android"}
    if asked.program is None or None in (asked.program.tokens or (None,)):
        kinds.remove("traitor_change")
    return [
        Ask(kind=k, character=asked.id, id=k, group=group, cell=cell, about=about.get(k, ()))
        for k in sorted(kinds)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rulebook", "mode", "seats", "every"),
    [
        ("prototype", "suspicion", 6, 9),
        pytest.param("prototype", "solo", 1, 9, marks=pytest.mark.nightly),
        ("first_edition", "team", 6, 9),
        pytest.param("bga", "cooperation", 2, 9, marks=pytest.mark.nightly),
        ("ultimate", "suspicion", 8, 19),
        pytest.param("ultimate", "suspicion", 8, 9, marks=pytest.mark.nightly),
        pytest.param("ultimate", "cooperation", 6, 9, marks=pytest.mark.nightly),
    ],
)
def test_it_answers_every_kind_of_question_with_one_of_its_options(
    rulebook: str, mode: str, seats: int, every: int
) -> None:
    """Now and then in a random game, whatever could be asked there is asked of a seat's view."""
    chance = random.Random(5)
    answered = set()

    def watch(game: Game, seat: Seat, decision: Decision, _: str) -> None:
        if len(game.log) % every:
            return
        view = game.view(seat)
        assert STEADY.choose(view, decision, SEED) in {o.id for o in decision.options}
        answered.add(decision.kind)
        asked, other = (chance.choice(game.play.living()) for _ in range(2))
        seen = game.view(asked.seat).play
        for ask in questions(game.play, asked, other):
            play = copy(seen)
            play.agenda = (*play.agenda, ask)
            if not CHOICES[ask.kind].options(play, ask):
                continue
            question = asked_decision(play, ask)
            table = TableState(phase="live", game="room25", play=play)
            assert STEADY.choose(table, question, SEED) in {o.id for o in question.options}
            answered.add(ask.kind)

    Game(mode, ["random"] * seats, 8, rulebook).run(watch)
    assert len(answered) > 10


# --- abilities that obviously help ---


def crew(*names: str, **more: dict[str, Any]) -> Given:
    """One character a seat, in Room 25 but for those of whom something else is said."""
    return {
        name: {"seat": seat, "cell": "r0c1", **more.get(name, {})}
        for seat, name in enumerate(names, 1)
    }


def ultimate(seat: Seat, characters: Given, **given: Any) -> Position:
    """A position of the Ultimate edition: the key is turned, programming begins."""
    tiles = {**OPEN, **given.pop("tiles", {})}
    facts = {"phase": "programming", "key_activated": True, **given}
    return Position(seat, "cooperation", "ultimate", characters=characters, tiles=tiles, **facts)


STUCK = {"cell": "r0c0", "lost": ("move",)}
"""Next to Room 25, and unable to go there alone."""


def test_jennifer_summons_one_who_cannot_come_alone() -> None:
    position = ultimate(4, crew("emmett", "kevin", "franck", "jennifer", franck=STUCK))
    assert "special" in position.tokens()


def test_max_carries_one_who_cannot_go_alone() -> None:
    given = crew("emmett", "kevin", "franck", "max", franck=STUCK, max={"cell": "r0c0"})
    position = ultimate(4, given)
    assert position.tokens()[:1] == ["special"]


def test_bruce_does_what_his_neighbour_could() -> None:
    given = crew("emmett", "jennifer", "franck", "bruce", franck=STUCK)
    given["jennifer"]["lost"] = ("special",)
    assert "special" in ultimate(4, given).tokens()


def test_kevin_brings_room_25_nearer() -> None:
    """Everybody waits on the left; Room 25 lies to the right of him."""
    given = crew("emmett", "kevin", "franck", "jennifer")
    for name in given:
        given[name] |= {"cell": "r1c0", "program": ("look",)}
    given["kevin"] |= {"cell": "r1c2", "program": ("special", "look")}
    tiles = {"r0c1": "empty", "r1c3": {"kind": "room25", "face": "down"}}
    given["kevin"]["looked"] = ("r1c3",)
    order = ("kevin", "emmett", "franck", "jennifer")
    position = ultimate(2, given, tiles=tiles, phase="round_1", order=order)
    assert position.choice() == "hack_building:r1c1:r1c3"


def test_kevin_has_a_robot_push_one_who_cannot_go_alone() -> None:
    given = crew("emmett", "kevin", "franck", "jennifer", franck=STUCK)
    for name in given:
        given[name]["program"] = ("look",)
    given["kevin"] |= {"cell": "r1c1", "program": ("special", "move")}
    order = ("kevin", "emmett", "franck", "jennifer")
    tiles = {"r3c3": "robot"}
    position = ultimate(2, given, tiles=tiles, phase="round_1", order=order, robots=("r0c0",))
    assert position.choice() == "hack_robot:robot1:push:franck:r0c1"


def test_an_order_sends_a_robot_to_look_rather_than_to_its_end() -> None:
    given = crew("emmett", "kevin", "franck", "jennifer")
    tiles = {"r3c3": "robot", "r3c2": "mortal", "r3c4": "acid", "r2c3": "timer", "r4c3": HIDDEN}
    position = ultimate(1, given, tiles=tiles, robots=("r3c3",))
    assert position.asking("robot_order", "emmett").choice() == "robot1:move:r4c3"


def test_sarah_saves_herself_where_she_cannot_move() -> None:
    trapped = {"cell": "r1c1", "trap": 2, "lost": ("move",)}
    given = crew("emmett", "kevin", "franck", "sarah", sarah=trapped)
    assert ultimate(4, given, tiles={"r1c1": "trap"}).tokens()[:1] == ["special"]


def test_sarah_breaks_the_jail_and_not_the_robot() -> None:
    jailed = {"cell": "r1c1", "program": ("special", "look")}
    given = crew("emmett", "kevin", "franck", "sarah", sarah=jailed)
    for name in ("emmett", "kevin", "franck"):
        given[name]["program"] = ("look",)
    tiles = {"r1c1": "jail", "r3c3": "robot"}
    order = ("sarah", "emmett", "kevin", "franck")
    position = ultimate(4, given, tiles=tiles, robots=("r1c1",), phase="round_1", order=order)
    assert position.choice() == "sabotage_room"


def test_emmett_opens_the_way_again() -> None:
    """The only door to Room 25 is sealed; to lock a room would help nobody."""
    given = crew("emmett", "kevin", "franck", "jennifer")
    for name in given:
        given[name] |= {"cell": "r0c3", "program": ("look", "move")}
    given["emmett"]["program"] = ("special", "move")
    tiles = {
        "r0c2": {"kind": "flooded", "seal": True},
        "r1c1": {"kind": "shredder", "seal": True},
        "r0c0": "empty",
        "r1c2": "mortal",
        "r1c3": "mortal",
    }
    position = ultimate(1, given, tiles=tiles, phase="round_1")
    assert position.choice() == "reactivate:r0c2"


def test_emmett_the_guard_locks_the_way() -> None:
    """The prisoners have but one door to Room 25."""
    given = crew("emmett", "kevin", "franck", "jennifer")
    for name in given:
        given[name] |= {"cell": "r0c3", "program": ("look", "move")}
    given["emmett"] |= {**UNMASKED, "cell": "r1c2", "free": False, "program": ("special", "look")}
    closed = {"kind": "shredder", "seal": True}
    tiles = {**OPEN, "r1c1": closed, "r1c3": "mortal", "r0c4": "mortal"}
    position = suspicion(1, given, tiles=tiles, phase="round_1")
    assert position.choice() == "lock:r0c2"


def test_franck_gets_his_second_wind_while_he_waits() -> None:
    given = crew("emmett", "kevin", "franck", "jennifer", franck={"adrenaline": "spent"})
    for name in ("emmett", "kevin", "jennifer"):
        given[name]["cell"] = "r4c3"
    assert "special" in ultimate(3, given, turn=2).tokens()


UNMASKED = {"role": "guard", "role_public": True, "free": True}


def suspicion(seat: Seat, given: Given, **facts: Any) -> Position:
    """A position of the Ultimate edition with one known guard."""
    for name in given:
        given[name] = {"role": PRISONER, **given[name]}
    facts = {"tiles": OPEN, "phase": "programming", **facts}
    return Position(seat, "suspicion", "ultimate", characters=given, **facts)


def test_alice_hides_from_a_guard_at_her_side() -> None:
    given = crew("emmett", "kevin", "franck", "alice", emmett=UNMASKED)
    given["kevin"]["cell"] = "r4c3"
    assert "special" in suspicion(4, given).tokens()


def test_adrenaline_is_for_those_who_are_late() -> None:
    """It brings nearer one who is far away, and is kept while everybody waits for that one."""
    given = crew("emmett", "kevin", "franck", "jennifer", franck={"cell": "r4c3"})
    for name in ("emmett", "kevin", "jennifer"):
        given[name]["lost"] = ("control", "special")
    assert ultimate(3, given, turn=7).tokens()[-1] == "adrenaline"
    assert ultimate(1, given, turn=4).tokens()[-1] != "adrenaline"


def test_what_is_lost_is_not_programmed() -> None:
    given = crew("emmett", "kevin", "franck", "jennifer", emmett={"lost": ("look",)})
    given["emmett"]["cell"] = "r2c2"
    assert "look" not in ultimate(1, given).tokens()


# --- rooms, robots and cards that ask ---


def test_a_tunnel_leads_to_the_end_nearer_to_room_25() -> None:
    given = crew("emmett", "kevin", "franck", "jennifer", emmett={"cell": "r4c4"})
    tiles = {"r4c4": "tunnel", "r1c1": "tunnel", "r3c0": "tunnel"}
    position = ultimate(1, given, tiles=tiles)
    asked = position.asking("tunnel_target", "emmett", group=("emmett",), cell="r4c4")
    assert asked.choice() == "r1c1"


def test_a_corridor_opens_towards_room_25() -> None:
    given = crew("emmett", "kevin", "franck", "jennifer", emmett={"cell": "r1c1"})
    position = ultimate(1, given, tiles={"r1c1": "pivoting"})
    assert position.asking("pivot_orientation", "emmett", cell="r1c1").choice() == "vertical"


@pytest.mark.parametrize(("room", "answer"), [("mortal", "refuse"), ("empty", "accept")])
def test_alice_lets_a_robot_push_her_where_she_wants_to_go(room: str, answer: str) -> None:
    """The room on the way to Room 25 is deadly, or it is not."""
    given = crew("emmett", "kevin", "franck", "alice", alice={"cell": "r1c2"})
    tiles = {"r1c1": room, "r3c3": "robot"}
    position = ultimate(4, given, tiles=tiles, robots=("r1c2",))
    asked = position.asking("android", "alice", cell="r1c1", about=("0", "emmett"))
    assert asked.choice() == answer


def test_jennifer_refuses_to_be_taken_out_of_room_25() -> None:
    given = crew("emmett", "kevin", "jennifer", "bruce", bruce={"cell": "r0c0"})
    asked = ultimate(3, given).asking("summon_refuse", "jennifer", about=("bruce",))
    assert asked.choice() == "refuse"


def test_of_two_in_the_acid_the_guard_dies() -> None:
    given = crew("emmett", "kevin", "max", "franck", kevin=UNMASKED)
    given["max"]["cell"] = given["kevin"]["cell"] = "r1c1"
    position = suspicion(3, given, tiles={**OPEN, "r1c1": "acid"})
    asked = position.asking("acid_victim", "max", group=("max", "kevin"), cell="r1c1")
    assert asked.choice() == "passenger"
    asked = position.asking("acid_victim", "max", group=("kevin", "max"), cell="r1c1")
    assert asked.choice() == "carrier"


def test_a_card_swaps_nobody_out_of_the_way() -> None:
    """Kevin's panic brings the last one to Room 25, or as near as two tiles allow."""
    given = crew("emmett", "kevin", "franck", "jennifer", kevin={"cell": "r1c2"})
    position = ultimate(2, given)
    assert position.asking("card_swap", "kevin").choice() in {"r0c2:r1c2", "r1c1:r1c2"}


# --- the prototype's guards ---


def prototype(guard: dict[str, Any], **given: Any) -> Position:
    """Three prisoners in Room 25, one more, and a guard in the fourth seat that is known."""
    names = ("emmett", "kevin", "franck", "jennifer")
    characters = crew(*names)
    for name in names[:3]:
        characters[name] |= {"role": PRISONER, "program": ("look",)}
    characters["jennifer"] |= {"role": "guard", "role_public": True, **guard}
    facts = {"phase": "round_1", "order": ("jennifer", *names[:3]), "tiles": OPEN, **given}
    return Position(4, "suspicion", "prototype", characters=characters, **facts)


def test_a_hacker_shifts_room_25_away_from_afar() -> None:
    guard = {"identity": "hacker", "cell": "r3c3", "program": ("control", "look")}
    position = prototype(guard)
    assert position.choice() in {"row0:left", "row0:right", "col1:up", "col1:down"}


def test_a_brute_throws_two_out() -> None:
    guard = {"identity": "brute", "program": ("push", "look")}
    assert "+" in prototype(guard).choice()


def test_a_killer_does_not_stop_where_a_step_helps_it() -> None:
    """It wants to be where the prisoners are, to throw them out."""
    guard = {"identity": "killer", "cell": "r1c0", "program": ("move", "push")}
    position = prototype(guard)
    choice = position.asking("killer_step", "jennifer").choice()
    assert choice in {"stop", "r0c0", "r1c1", "r2c0"}


def test_a_traitor_puts_in_what_harms_most() -> None:
    """Among prisoners in Room 25, to look does nothing; to push or to shift does."""
    guard = {"identity": "traitor", "program": ("look", "move")}
    position = prototype(guard)
    assert position.choice() in {"replace:1:push", "replace:1:control"}


def test_an_architect_looks_where_nobody_could() -> None:
    guard = {"identity": "architect", "cell": "r3c3", "program": ("look", "move")}
    tiles = {**OPEN, "r4c4": {"kind": "mortal", "face": "down"}}
    assert prototype(guard, tiles=tiles).choice() == "r4c4"


def test_alone_the_last_one_goes_in_before_the_others_push_the_room_out() -> None:
    """The player of the solo game chooses the order; Emmett's shift must wait for Jennifer."""
    names = ("emmett", "kevin", "franck", "jennifer")
    given: Given = {
        name: {"seat": 1, "cell": "r0c1", "program": ("look", "control")} for name in names
    }
    given["jennifer"] |= {"cell": "r0c0", "program": ("move", "look")}
    given["emmett"]["program"] = ("control", "look")
    position = Position(
        1, "solo", "prototype", characters=given, tiles=OPEN, phase="round_1", last_turn=8
    )
    assert position.choice() != "emmett"


@pytest.mark.slow
def test_it_beats_chance_at_the_ultimate_edition() -> None:
    """Nobody gets out by chance; a few games suffice to see that steady play does."""
    won = 0
    for number in (1, 2):
        for bot in ("steady", "random"):
            result = Game("cooperation", [bot] * 3, number, "ultimate").run().state.result
            assert result is not None
            won += bool(result.winners) * (1 if bot == "steady" else -4)
    assert won > 0


def test_the_random_bot_needs_no_opinion() -> None:
    position = ultimate(1, crew("emmett", "kevin", "franck", "jennifer"))
    asked = next(d for d in position.decisions() if not d.optional)
    seed = bot_seed("00" * 32, 1, asked.id)
    assert random_bot(position.view, asked, seed) in {o.id for o in asked.options}
