"""Each card is offered where §8 says, and a step further, or in another window, it is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

import pytest

from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.language import WINDOWS, CardType, PieceStat
from games.cerveauuu.model.state import State, TypeBan
from games.cerveauuu.rules.stats import stat
from games.cerveauuu.scenarios.bases import open_board
from tests.games.cerveauuu.rules import test_each_card as rows
from tests.games.cerveauuu.rules.brute_force import TEXTS
from tests.games.cerveauuu.rules.card_bounds import BOUNDS, PAYMENTS, SUMS, Bound, Payment, Sum
from tests.games.cerveauuu.rules.card_faults import faults
from tests.games.cerveauuu.rules.card_rows import ROWS, Row
from tests.games.cerveauuu.rules.differences import told
from tests.games.cerveauuu.rules.staging import (
    LETTERS,
    TOWN,
    grid_of,
    lay,
    leaves,
    offered,
    play_card,
)
from tests.games.cerveauuu.scenes import scene

SHARES = 4
"""Of the cards one in so many is wrong in every way each time, the others by night."""

STATS: Final[tuple[PieceStat, ...]] = ("move", "combat")
ROW_OF = {row.card: row for row in ROWS}
MAPS = {"town": TOWN, "road": open_board(12, 1)}


def position(bound: Bound) -> State:
    return lay(
        bound.pieces,
        map_=MAPS[bound.map_],
        window=bound.window,
        hands={1: f"{bound.card} {bound.hand}"},
        path=bound.path,
        fight=bound.fight,
    )


def strayed(bound: Bound) -> set[str]:
    """The plays of a row that are offered although they are refused, or the other way round."""
    found = set(leaves(position(bound), 1))
    return {rows.option(bound.play)} - found | set(map(rows.option, bound.refused.split())) & found


def does(bound: Bound) -> set[str]:
    state = position(bound)
    return told(state, play_card(state, 1, rows.option(bound.play)))


def readings(sum_: Sum) -> set[str]:
    """What the stats of the piece of a sum read after both cards."""
    name = sum_.reading.split()[0]
    after, play = sum_.after.split()
    state = lay(
        "h01@r3c3 h02@r1c2 z01@r3c4:1",
        window=sum_.window,
        hands={1: sum_.card, 2: after},
        path="h01:r3c2" if sum_.window == "P" else "",
        fight="z01 > h01" if sum_.window == "C" else "",
    )
    state = play_card(state, 1, rows.option(sum_.play)).state
    state = play_card(state, 2, rows.option(play)).state
    return {f"{name} {each} {stat(state, grid_of(state), name, each)}" for each in STATS}


def test_what_lies_inside_of_a_bound_is_offered_and_what_lies_beyond_is_not() -> None:
    assert [(bound, found) for bound in BOUNDS if (found := strayed(bound))] == []


def test_what_lies_inside_of_a_bound_is_done_and_nothing_beyond() -> None:
    wrong = [(each.card, does(each)) for each in BOUNDS if not is_done(each)]
    assert wrong == []


def is_done(bound: Bound) -> bool:
    return not bound.changes or does(bound) == set(bound.changes.split("; "))


def test_two_cards_add_up_to_what_their_row_says() -> None:
    assert [each for each in SUMS if each.reading not in readings(each)] == []


def brought(payment: Payment) -> set[str]:
    """What the seats have once zA has attacked h1, and who is blocked then.

    A zombie that has just come out of a human is: it is left out.
    """
    plays = [play.split(":") for play in payment.plays.split()]
    mine = plays[0][0]
    hands = {mine: payment.card, "AB".replace(mine, ""): payment.others}
    fight = scene("h1 4,4; h2 8,8; zA 3,4; zB 0,0", hands=hands).go("A", "zA.attack-h1")
    for seat, play in plays:
        fight.play(seat, play)
    state = fight.quiet().state
    counts = {
        **{f"{letter} score": state.scores[seat] for seat, letter in enumerate("AB", 1)},
        **{f"{letter} hand": len(state.hands[seat]) for seat, letter in enumerate("AB", 1)},
    }
    blocked = {f"{each.id} blocked" for each in state.humans() if each.blocked}
    return blocked | {f"{what} {count}" for what, count in counts.items() if count}


def test_a_fight_brings_what_the_row_of_its_card_says() -> None:
    assert [brought(each) for each in PAYMENTS] == list(map(told_of, PAYMENTS))


def told_of(payment: Payment) -> set[str]:
    return set(payment.brought.split("; "))


def windows(row: Row) -> set[str]:
    """The windows in which what a row plays is offered."""
    return {letter for letter in LETTERS if is_offered(rows.elsewhere(row, letter))}


def test_a_card_is_offered_in_the_windows_that_its_row_names_and_in_no_others() -> None:
    assert {row.card: windows(row) for row in ROWS} == {
        row.card: set(TEXTS[row.card].when) for row in ROWS
    }


def banned_by(row: Row) -> set[str]:
    """The types of cards whose ban stops what a row plays."""
    found: set[str] = set()
    for kind in get_args(CardType):
        state = rows.position(row)
        state.bans = (TypeBan(card="c001", type=kind, lasts="round"),)
        if not offered(state, 1, rows.option(row.play)):
            found.add(kind)
    return found


def test_a_card_is_stopped_by_the_ban_of_its_type_and_of_no_other() -> None:
    assert {row.card: banned_by(row) for row in ROWS} == {
        row.card: {TEXTS[row.card].type} for row in ROWS
    }


LASTS = [f"effect 1: lasts {each} for round" for each in ("combat", "weather", "lasting")]
CHANGES_NOTHING = {
    ("c009", "effect 1: kind X for H"),
    ("c016", "effect 1: kind X for H"),
    ("c028", "effect 1: kind X for H"),
    ("c061", "effect 1: kind X for H"),
    ("c104", "target 1: without fight"),
    ("c114", "target 1: without fight"),
    ("c119", "effect 1: kind X for H"),
    ("c128", "effect 1: kind X for H"),
    *((card, f"in {each}") for card in ("c072", "c109") for each in WINDOWS if each != "movement"),
}
"""Nobody could tell: only humans look, wander and flee, who supports fights, and somebody moves in
one kind of window alone (§2.8, §5.1, §7).
"""


def noticed(card: str) -> bool:
    """Whether a row of a card, in any of the tables, no longer says what is so."""
    row = ROW_OF[card]
    return (
        any(strayed(each) or not is_done(each) for each in BOUNDS if each.card == card)
        or any(each.reading not in readings(each) for each in SUMS if each.card == card)
        or rows.done_by(row) != set(row.changes.split("; "))
        or is_offered(rows.refused(row))
        or windows(row) != set(TEXTS[card].when)
        or banned_by(row) != {TEXTS[card].type}
        or any(brought(each) != told_of(each) for each in PAYMENTS if each.card == card)
    )


def is_offered(tried: tuple[State, str]) -> bool:
    state, play = tried
    return offered(state, 1, play)


def unnoticed(cards: list[str]) -> Iterator[tuple[str, str]]:
    """The faults of some cards of the deck that no row shows."""
    for card in cards:
        for fault in faults(CARDS[card]):
            with pytest.MonkeyPatch.context() as patch:
                patch.setitem(CARDS, card, fault.card)
                if not _fails(card):
                    yield card, fault.what


def _fails(card: str) -> bool:
    try:
        return noticed(card)
    except (AssertionError, KeyError):
        return True  # a play that is no longer offered; a zombie that is to look


@pytest.mark.parametrize(
    "share", [0, *(pytest.param(n, marks=pytest.mark.nightly) for n in range(1, SHARES))]
)
def test_nothing_that_a_card_says_can_be_wrong(share: int) -> None:
    cards = list(ROW_OF)[share::SHARES]
    assert set(unnoticed(cards)) == {each for each in CHANGES_NOTHING if each[0] in cards}


@pytest.mark.parametrize(
    ("card", "found"),
    [
        ("c077", ["effect 1: flag impassable for opaque", *LASTS]),
        (
            "c035",
            [
                *("target 1: kind Z for H", "target 1: kind X for H", "target 1: without out"),
                *("target 2: kind H for Z", "target 2: kind X for Z", "target 2: without out"),
                "target 2: without Sees(slot=1)",
            ],
        ),
        (
            "c026",
            [
                *("target 1: kind H for Z", "target 1: without own"),
                *("effect 1: at wins for eats", "effect 1: at loses for eats"),
                *("effect 1: who others for me", "effect 1: who everyone for me"),
                *("effect 1: points 0 for 1", "effect 1: points 2 for 1"),
            ],
        ),
    ],
)
def test_the_faults_of_a_card_are_those_of_all_its_parts(card: str, found: list[str]) -> None:
    parts = [fault.what for fault in faults(CARDS[card]) if ":" in fault.what]
    assert parts == found


def test_the_faults_of_a_card_are_its_type_and_its_windows_too() -> None:
    told = [fault.what for fault in faults(CARDS["c072"]) if ":" not in fault.what]
    types = [f"type {kind}" for kind in get_args(CardType) if kind != "object"]
    assert told == [
        *types,
        *("in panic", "in pre_zombies", "in open", "not in movement", "in combat", "in end_round"),
    ]
