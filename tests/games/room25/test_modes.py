"""Every mode at every number of players, as §2 and §4.1 have it."""

from __future__ import annotations

from collections import Counter

import pytest

from events.kernel import Rejected
from games.room25 import ROOM25, RULEBOOKS, Code
from games.room25.facts.events import RoleDealt, RolesLeftOver
from games.room25.model.catalogue import GUARD_IDENTITIES, PRISONER
from games.room25.model.characters import EVERYBODY, SIX
from games.room25.model.rulebook import Mode, Rulebook
from tests.games.begun import begun, opening

TURNS = {
    "prototype": {
        "suspicion": {4: "1×8", 5: "1×10", 6: "1×12"},
        "cooperation": {4: "1×8", 5: "1×8", 6: "1×8"},
        "competition": {2: "2×8", 3: "2×9"},
        "team": {4: "1×8", 6: "1×9"},
        "solo": {1: "4×8"},
    },
    "first_edition": {
        "suspicion": {4: "1×10", 5: "1×10", 6: "1×10"},
        "cooperation": {2: "2×8", 3: "2×8", 4: "1×8", 5: "1×8", 6: "1×8"},
        "competition": {2: "2×10", 3: "2×10"},
        "team": {4: "1×10", 6: "1×10"},
        "solo": {1: "4×8"},
    },
    "ultimate": {
        "suspicion": {4: "1×10", 5: "1×10", 6: "1×10", 7: "1×9", 8: "1×8"},
        "cooperation": {2: "2×8", 3: "2×6", 4: "1×8", 5: "1×7", 6: "1×6"},
        "solo": {1: "4×8"},
    },
}
"""Players: characters of each, and turns (§2 rows 1-3, R2, R7)."""
TURNS["bga"] = TURNS["ultimate"]

TABLES = [
    pytest.param(rulebook, mode, seats, *map(int, told.split("×")), id=f"{rulebook}-{mode}-{seats}")
    for rulebook, modes in TURNS.items()
    for mode, by_seats in modes.items()
    for seats, told in by_seats.items()
]

ROLES = [
    *(
        ("prototype", seats, None, roles)
        for seats, roles in ((4, "4P1G"), (5, "4P2G"), (6, "4P2G"))
    ),
    *(
        ("first_edition", seats, None, roles)
        for seats, roles in ((4, "4P1G"), (5, "4P2G"), (6, "4P2G"))
    ),
    *(
        (rulebook, seats, guards, roles)
        for rulebook in ("bga", "ultimate")
        for seats, guards, roles in (
            (4, None, "3P1G"),
            (5, None, "4P1G"),
            (5, 1, "4P1G"),
            (5, 2, "3P2G"),
            (6, None, "4P2G"),
            (7, None, "5P2G"),
            (8, None, "6P2G"),
        )
    ),
]
"""Rulebook, players, the option ``guards``, and the role tiles shuffled (§2 row 4, R12)."""

TEAMS = [
    ("prototype", "competition", 2, [[1], [2]]),
    ("prototype", "competition", 3, [[1], [2], [3]]),
    ("prototype", "team", 4, [[1, 3], [2, 4]]),
    ("prototype", "team", 6, [[1, 4], [2, 5], [3, 6]]),
    ("first_edition", "competition", 2, [[1], [2]]),
    ("first_edition", "competition", 3, [[1], [2], [3]]),
    ("first_edition", "team", 4, [[1, 3], [2, 4]]),
    ("first_edition", "team", 6, [[1, 3, 5], [2, 4, 6]]),
]
"""The seats of each team (§2 rows 1 and 31, §3.3, §4.1.3)."""

FEATURES = {
    "alarm": "first_edition/suspicion first_edition/competition first_edition/team"
    " ultimate/suspicion bga/suspicion",  # §5.4, room25
    "duos": "first_edition/cooperation first_edition/competition",  # §4.1.2
    "team_casting": "first_edition/team",  # §4.1.2
    "looks_reveal": "prototype/cooperation",  # §2 row 13, R120
    "free_order": "prototype/solo",  # R14
    "open_programs": "ultimate/solo bga/solo",  # R14
    "needs_key": "ultimate/cooperation ultimate/solo bga/cooperation bga/solo",  # §2 row 28, §2.1
    "cards": "ultimate/cooperation ultimate/solo bga/cooperation bga/solo",  # §4.2.3
    "removes_withdrawn": "prototype/competition prototype/team"
    " first_edition/competition first_edition/team",  # R19
}
"""The modes that have a feature; no other has it."""

WAYS = {
    "clue": "first_edition bga ultimate",  # §2 row 7
    "direction_lock": "first_edition bga ultimate",  # §2 row 17
    "jail_to_centre": "first_edition bga ultimate",  # §2 row 37
    "guards_freed": "first_edition bga ultimate",  # §2 row 20
    "movable_reminders": "prototype",  # §2 row 18, R97
    "reveal_any_time": "prototype",  # §2 row 19, R25
    "reveal_needs_room25": "bga ultimate",  # §2 row 19, R27
    "cold_lingers": "prototype",  # §2 row 34, R58
    "dead_show_last_turn": "bga ultimate",  # §2 row 24, R87
    "adrenaline": "bga ultimate",  # §2 row 11
}
"""The rulebooks that have it; no other has."""

OPTIONS = {
    "composition": "",
    "rooms": "",
    "reminders": "first_edition ultimate bga",  # R121
    "team_talk": "first_edition/team",  # §2 row 31
    "keep_looked_visible": "prototype/solo",  # §2 row 13
    "specials": "ultimate bga",
    "adrenaline": "bga",  # R1
    "guards": "ultimate/suspicion bga/suspicion",  # R12
    "madness": "ultimate/cooperation ultimate/solo bga/cooperation bga/solo",
    "madness_cards": "ultimate/suspicion bga/suspicion",  # R132
}
"""Where each option may be set (§4.1.1): rulebooks, modes, or everywhere."""

DEFAULTS = {
    "reminders": True,
    "team_talk": True,
    "keep_looked_visible": False,
    "specials": True,
    "adrenaline": True,
    "madness": False,
    "madness_cards": False,
}
"""What an option is if nobody says otherwise (§4.1.1)."""

MODES = [
    pytest.param(rulebook, mode, id=f"{rulebook.id}-{mode.id}")
    for rulebook in RULEBOOKS.values()
    for mode in rulebook.modes.values()
]


@pytest.mark.parametrize(("rulebook", "mode", "seats", "each", "turns"), TABLES)
def test_a_table_has_so_many_characters_and_turns(
    rulebook: str, mode: str, seats: int, each: int, turns: int
) -> None:
    """§2 rows 1-3, §4.1.3."""
    state, _ = begun(opening(mode, seats, rulebook), "seed")
    assert state.last_turn == turns
    assert Counter(c.seat for c in state.characters.values()) == dict.fromkeys(
        range(1, seats + 1), each
    )
    assert len(state.order) == seats * each
    assert set(state.order) == set(state.characters)
    # §3.3: where no team is told from another all are of one, and its name says so.
    alone = mode not in {"competition", "team"}
    assert ({c.team for c in state.characters.values()} == {"all"}) is alone


@pytest.mark.parametrize(("rulebook", "mode"), MODES)
def test_no_other_number_of_players_sits_down(rulebook: Rulebook, mode: Mode) -> None:
    """§2 row 1."""
    assert set(RULEBOOKS) == set(TURNS)
    assert set(rulebook.modes) == set(TURNS[rulebook.id])
    for seats in {*range(10)} - set(TURNS[rulebook.id][mode.id]):
        with pytest.raises(Rejected) as refusal:
            opening(mode.id, seats, rulebook.id)
        assert refusal.value.code == Code.BAD_SEAT_COUNT


@pytest.mark.parametrize(("rulebook", "seats", "guards", "roles"), ROLES)
def test_so_many_roles_are_shuffled(
    rulebook: str, seats: int, guards: int | None, roles: str
) -> None:
    """§2 row 4, R11, R12, R13: who is dealt what is left over in secret."""
    wish = opening("suspicion", seats, rulebook, **({} if guards is None else {"guards": guards}))
    _, events = begun(wish, "seed")
    (left,) = (e for e in events if isinstance(e, RolesLeftOver))
    tiles = [str(e.role) for e in events if isinstance(e, RoleDealt)]
    assert len(tiles) == seats
    tiles += left.roles or ()
    others = [tile for tile in tiles if tile != PRISONER]
    assert f"{tiles.count(PRISONER)}P{len(others)}G" == roles
    if rulebook == "prototype":
        assert len(set(others)) == len(others)
        assert set(others) <= set(GUARD_IDENTITIES)
    else:
        assert set(others) == {"guard"}
        assert wish.options.get("guards", int(roles[2])) == int(roles[2])


@pytest.mark.parametrize("rulebook", ["bga", "ultimate"])
@pytest.mark.parametrize(("seats", "guards"), [(4, 2), (6, 1), (7, 1), (8, 1), (5, 3), (5, 0)])
def test_only_five_choose_their_guards(rulebook: str, seats: int, guards: int) -> None:
    """R12."""
    with pytest.raises(Rejected) as refusal:
        opening("suspicion", seats, rulebook, guards=guards)
    assert refusal.value.code == Code.BAD_OPTION


@pytest.mark.parametrize(("rulebook", "mode", "seats", "teams"), TEAMS)
def test_who_plays_with_whom(rulebook: str, mode: str, seats: int, teams: list[list[int]]) -> None:
    """§3.3, §4.1.3: a team in competition is one player's characters."""
    state, _ = begun(opening(mode, seats, rulebook), "seed")
    found: dict[str, set[int]] = {}
    for c in state.characters.values():
        found.setdefault(c.team, set()).add(c.seat)
    assert sorted(sorted(team) for team in found.values()) == teams


@pytest.mark.parametrize(("feature", "told"), FEATURES.items(), ids=FEATURES)
def test_modes_that_have_a_feature(feature: str, told: str) -> None:
    """The rules that each line of the table names."""
    having = {
        f"{r.id}/{m.id}"
        for r in RULEBOOKS.values()
        for m in r.modes.values()
        if getattr(m, feature)
    }
    assert having == set(told.split())


def test_only_in_solo_of_the_first_edition_nobody_programmes() -> None:
    """§2 row 8, R14."""
    without = [
        f"{r.id}/{m.id}" for r in RULEBOOKS.values() for m in r.modes.values() if not m.programs
    ]
    assert without == ["first_edition/solo"]


@pytest.mark.parametrize(("way", "told"), WAYS.items(), ids=WAYS)
def test_rulebooks_that_have_it(way: str, told: str) -> None:
    """The rules that each line of the table names."""
    assert {r.id for r in RULEBOOKS.values() if getattr(r, way)} == set(told.split())


def test_what_the_boxes_hold_beside_rooms() -> None:
    """§1.3, §3.7, §2 rows 12, 22 and 42, R11, R61."""
    books = RULEBOOKS.values()
    assert {r.id: r.characters for r in books} == {
        "prototype": SIX,
        "first_edition": SIX,
        "bga": EVERYBODY,
        "ultimate": EVERYBODY,
    }
    later = {"prototype": 0, "first_edition": 0, "bga": 2, "ultimate": 2}
    assert {r.id: r.robots for r in books} == {r.id: r.locks for r in books} == later
    assert {r.id for r in books if r.identities} == {"prototype"}
    assert {r.id for r in books if r.acts_on_all} == {"prototype"}
    assert set(RULEBOOKS["prototype"].identities) == {
        "hacker",
        "brute",
        "architect",
        "killer",
        "traitor",
    }
    assert set(RULEBOOKS["prototype"].acts_on_all) == {
        "cold",
        "burning",
        "illusion",
        "vortex",
        "mortal",
    }


@pytest.mark.parametrize(("rulebook", "mode"), MODES)
def test_the_options_of_a_mode(rulebook: Rulebook, mode: Mode) -> None:
    """§4.1.1, D20: these and no others, with these defaults."""
    where = {rulebook.id, f"{rulebook.id}/{mode.id}"}
    allowed = {name for name, told in OPTIONS.items() if not told or where & set(told.split())}
    assert set(mode.options) == allowed
    completed = opening(mode.id, mode.seats[0], rulebook.id).options
    assert set(completed) == allowed
    for name in allowed & set(DEFAULTS):
        assert completed[name] is DEFAULTS[name]
        for value in (True, False):
            assert (
                opening(mode.id, mode.seats[0], rulebook.id, **{name: value}).options[name] is value
            )


@pytest.mark.parametrize(
    ("rulebook", "mode", "seats", "options", "list_"),
    [
        ("prototype", "suspicion", 4, {}, "simple"),
        ("prototype", "cooperation", 4, {}, "simple"),
        ("prototype", "competition", 2, {}, "simple"),
        ("prototype", "team", 4, {}, "simple"),
        ("prototype", "solo", 1, {}, "simple"),
        ("first_edition", "suspicion", 4, {}, "suspicion"),
        ("first_edition", "cooperation", 4, {}, "open"),
        ("first_edition", "competition", 2, {}, "open"),
        ("first_edition", "team", 4, {}, "open"),
        ("first_edition", "solo", 1, {}, "open"),
        *(
            (rulebook, mode, seats, options, list_)
            for rulebook in ("bga", "ultimate")
            for mode, seats, options, list_ in (
                ("suspicion", 4, {}, "mix_one_guard"),
                ("suspicion", 5, {"guards": 2}, "mix_two_guards"),
                ("suspicion", 6, {}, "mix_two_guards"),
                ("suspicion", 4, {"specials": False}, "one_guard"),
                ("suspicion", 8, {"specials": False}, "two_guards"),
                ("cooperation", 4, {}, "mix_cooperation"),
                ("cooperation", 4, {"specials": False}, "first_try"),
                ("cooperation", 4, {"specials": False, "madness": True}, "mix_cooperation"),
                ("solo", 1, {}, "mix_cooperation"),
                ("solo", 1, {"specials": False}, "first_try"),
            )
        ),
    ],
)
def test_the_rooms_of_a_host_who_names_none(
    rulebook: str, mode: str, seats: int, options: dict[str, object], list_: str
) -> None:
    """§2.1; madness forces special abilities (§4.1.1)."""
    assert opening(mode, seats, rulebook, **options).options["composition"] == list_


@pytest.mark.parametrize("mode", ["cooperation", "competition"])
@pytest.mark.parametrize("seats", [2, 3])
def test_duos_of_the_first_edition_stay_together(mode: str, seats: int) -> None:
    """§4.1.2, R10."""
    wish = opening(mode, seats)
    for names in (("emmett", "franck"), ("kevin", "max"), ("jennifer", "alice")):
        with pytest.raises(Rejected) as refusal:
            ROOM25.cast(wish, {}, 1, names)
        assert refusal.value.code == Code.CHARACTER_NOT_ALLOWED
    assert ROOM25.cast(wish, {}, 1, ("alice",)) == ("alice", "max")


@pytest.mark.parametrize(
    ("rulebook", "mode"),
    [("prototype", "competition"), ("ultimate", "cooperation"), ("bga", "cooperation")],
)
def test_elsewhere_any_two_may_be_one_players(rulebook: str, mode: str) -> None:
    """§4.1.2: elsewhere players with several characters take any."""
    wish = opening(mode, 2, rulebook)
    assert ROOM25.cast(wish, {}, 1, ("emmett", "franck")) == ("emmett", "franck")
    assert ROOM25.cast(wish, {}, 2, ("alice", "jennifer")) == ("alice", "jennifer")
