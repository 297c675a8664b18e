"""Options of trees at the table: what can be chosen, what is listed, and what is refused."""

from __future__ import annotations

import pytest

from events.kernel import Option, Rejected
from games.table.checks import TableCode
from games.table.events import Choose, ChooseSecretly, PauseTable, TimeOut
from tests.games.specification import (
    DIRECTOR,
    HOST,
    P2,
    TABLE,
    WORKER,
    asked_to_pick,
    given,
    live,
    opened,
)
from tests.games.toy import DieRolled


def pick(option: str, seat: int = 1) -> Choose:
    return Choose(seat=seat, decision="pick-t1", option=option)


def below(option: str, seat: int = 1, decision: str = "pick-t1") -> list[tuple[str, bool]]:
    """What the table lists below a branch: ids, and which are branches again."""
    state = asked_to_pick().state
    found = TABLE.branch(state, TABLE.open_decision(state, seat, decision), option)
    return [(each.id, each.branch) for each in found]


def test_a_path_to_a_leaf_is_chosen_like_any_option() -> None:
    after = asked_to_pick().when(pick("favour.s1-s2.twice"), HOST)
    (rolled,) = [e for e in after.events() if isinstance(e, DieRolled)]
    assert rolled.pick == "favour.s1-s2.twice"
    assert set(rolled.points.values()) in ({0}, {2})


def test_each_level_is_listed_with_its_branches() -> None:
    state = asked_to_pick().state
    (first, *_) = TABLE.decisions(state, 1)
    told = [("single", False), ("favour", True), ("double", False)]
    assert [(o.id, o.branch) for o in first.options] == told
    parties = [(f"favour.{party}", True) for party in ("s1", "s2", "s1-s2")]
    assert below("favour") == [("favour.nobody", False), *parties]
    assert below("favour.s2") == [("favour.s2.once", False), ("favour.s2.twice", False)]


@pytest.mark.parametrize("option", ["favour", "favour.s1", "favour.s1-s2"])
def test_a_branch_is_not_chosen(option: str) -> None:
    asked_to_pick().when(pick(option), HOST).then_rejected(TableCode.OPTION_IS_A_BRANCH)


@pytest.mark.parametrize("option", ["single.s1", "favour.nobody.once", "favour.s1.once.once"])
def test_nothing_is_chosen_beyond_a_leaf(option: str) -> None:
    asked_to_pick().when(pick(option), HOST).then_rejected(TableCode.OPTION_IS_A_LEAF)
    assert below(option) == []


@pytest.mark.parametrize(
    "option",
    [
        *("", ".", "..", "favour.", ".favour", "favour..s1", "favour.s1.", "favour.s1.thrice"),
        *("favour.s3.once", "favour.s2-s1.once", "favour.s1-.once", "s1.once", "FAVOUR.s1.once"),
        *("favour.s1.once ", "favour/s1/once", "thrice", "favour.s1-s1.once"),
    ],
)
def test_a_path_that_leads_nowhere_is_not_offered_and_lists_nothing(option: str) -> None:
    asked_to_pick().when(pick(option), HOST).then_rejected(TableCode.OPTION_NOT_OFFERED)
    assert below(option) == []


@pytest.mark.parametrize("option", ["single", "favour.nobody", "favour.s2.once"])
def test_below_a_leaf_nothing_can_be_listed(option: str) -> None:
    with pytest.raises(Rejected) as refusal:
        below(option)
    assert refusal.value.code == TableCode.OPTION_IS_A_LEAF


def test_the_table_s_own_decisions_are_flat() -> None:
    state = asked_to_pick().state
    resign = TABLE.open_decision(state, 1, "resign-s1")
    assert TABLE.offers(state, resign, "resign")
    assert not TABLE.offers(state, resign, "resign.favour")
    assert TABLE.branch(state, resign, "favour") == ()


def test_whose_decision_it_is_not_learns_nothing_of_its_tree() -> None:
    """Another seat is refused alike whatever it names, and before the option is looked at."""
    for option in ("single", "favour", "single.s1", "nothing"):
        asked_to_pick().when(pick(option, 2), P2).then_rejected(TableCode.DECISION_NOT_OPEN)
        with pytest.raises(Rejected) as refusal:
            below(option, 2)
        assert refusal.value.code == TableCode.DECISION_NOT_OPEN


def test_a_tree_is_walked_while_its_decision_is_open() -> None:
    for past, code in (
        (given(opened()), TableCode.GAME_NOT_LIVE),
        (live(), TableCode.DECISION_NOT_OPEN),
        (asked_to_pick().when(PauseTable(), DIRECTOR).happened(), TableCode.TABLE_PAUSED),
    ):
        with pytest.raises(Rejected) as refusal:
            TABLE.open_decision(past.state, 1, "pick-t1")
        assert refusal.value.code == code


@pytest.mark.parametrize("option", ["1.2", "1.", "favour", "favour.s1"])
def test_a_flat_decision_knows_no_paths_and_refuses_them_like_anything_else(option: str) -> None:
    number = ChooseSecretly(seat=1, decision="number-t1-s1", option=option)
    live().when(number, HOST).then_rejected(TableCode.OPTION_NOT_OFFERED)


def test_a_decision_with_branches_takes_its_default_as_any() -> None:
    past = asked_to_pick()
    late = past.at(50_250).when(TimeOut(key="t1-decision"), WORKER).events()
    assert [e.pick for e in late if isinstance(e, DieRolled)] == ["single"]


def test_an_option_says_that_it_is_a_branch_and_nothing_if_it_is_none() -> None:
    assert Option("a") == Option("a", branch=False)
    (first, *_) = TABLE.decisions(asked_to_pick().state, 1)
    assert first.offers("single")
    assert not first.offers("favour")
