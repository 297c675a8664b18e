"""How each seat ended a game: with whom, on which side, and whether it won (§4.10)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.kernel import Seat
from games.contract import Finish
from games.room25.editions.finishes import finishes
from games.room25.model.state import End
from tests.games.begun import begun, opening


def ended(mode: str, outcome: str, *winners: Seat) -> dict[Seat, Finish]:
    """The finishes of a game of four."""
    state, _ = begun(opening(mode, 4), "seed")
    assert dict(finishes(state)) == {}
    return dict(finishes(replace(state, end=End(outcome, winners))))


@pytest.mark.parametrize(
    ("outcome", "of_winners", "of_others"),
    [("prisoners", "prisoner", "guard"), ("guards", "guard", "prisoner")],
)
def test_all_of_a_side_win_and_nobody_of_the_other(
    outcome: str, of_winners: str, of_others: str
) -> None:
    won = Finish(party=of_winners, side=of_winners, rank=1)
    lost = Finish(party=of_others, side=of_others, rank=2)
    assert ended("suspicion", outcome, 1, 3) == {1: won, 2: lost, 3: won, 4: lost}


def test_where_no_guard_was_dealt_all_were_prisoners_and_lost() -> None:
    """R83: nobody wins, which tells everybody what they were."""
    lost = Finish(party="prisoner", side="prisoner", rank=2)
    assert ended("suspicion", "complex") == dict.fromkeys((1, 2, 3, 4), lost)


def test_partners_win_or_lose_together_and_are_on_no_side() -> None:
    for winners, rank in (((1, 2, 3, 4), 1), ((), 2)):
        found = ended("cooperation", "players" if winners else "complex", *winners)
        assert found == {seat: Finish(party="together", rank=rank) for seat in (1, 2, 3, 4)}


def test_a_team_is_a_party() -> None:
    state, _ = begun(opening("team", 4), "seed")
    team = {seat: state.of_seat(seat)[0].team for seat in state.seats()}
    winners = tuple(seat for seat in team if team[seat] == team[1])
    assert len(winners) == 2
    assert ended("team", "team", *winners) == {
        seat: Finish(party=team[seat], rank=1 if seat in winners else 2) for seat in team
    }
