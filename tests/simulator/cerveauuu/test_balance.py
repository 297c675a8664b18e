"""The balance of games between bots: what it counts, and that its games come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from simulator.cerveauuu.figures import (
    MatchFigures,
    chance_of,
    figures_of,
    wins_by_place,
)
from tools import balance as all_games
from tools.cerveauuu import balance
from tools.markdown import written
from tools.registry import BALANCES

GAME = MatchFigures(
    seats=3,
    chief=2,
    rounds=4,
    outcome="bloodiest",
    winners=(1,),
    scores={1: 5, 2: 1, 3: 0},
    humans=2,
    eaten=6,
    played=8,
    versions=40,
)


def test_places_are_counted_from_the_first_chief() -> None:
    shared = replace(GAME, winners=(2, 3))
    assert wins_by_place([GAME, shared]) == [0.5, 0.5, 1]


@pytest.mark.parametrize(
    ("wins", "chance"),
    [
        ([10, 10], 1),
        ([48, 52], 0.689),  # of chi square as tables have it
        ([30, 30, 40], 0.368),
        ([21, 31, 25, 23], 0.525),
        ([90, 10], 0),
        ([13, 21, 18, 14, 16, 18], 0.761),
    ],
)
def test_how_likely_wins_are(wins: list[float], chance: float) -> None:
    assert chance_of(wins) == pytest.approx(chance, abs=0.001)


def test_a_game_comes_back_by_its_seed_and_differs_by_its_deck() -> None:
    one, other = (figures_of(["greedy"] * 2, 3, {"credits": "shuffled"}) for _ in range(2))
    assert one == other
    assert one.winners
    assert one.versions > one.rounds
    assert figures_of(["greedy"] * 2, 3, {"credits": "spread"}) != one


def test_uneven_wins_are_marked() -> None:
    lineup = balance.Lineup("steady", 3, "shuffled")
    even = [replace(GAME, winners=(1 + n % 3,)) for n in range(30)]
    assert "(!)" not in "\n".join(balance.results({lineup: even}))
    told = "\n".join(balance.results({lineup: [GAME] * 30}))
    assert "(!)" in told
    assert "| 3 steady | 30 | 4.0 (4–4) | 0 % | 0 % | 5.0 / 2.0 | 1.5 | 2.0 | 0 % | 0 % |" in told


def test_who_plays_against_others_changes_its_seat() -> None:
    lineup = balance.Lineup("steady/random", 3, "shuffled")
    assert [lineup.names(lap).index("steady") for lap in range(4)] == [0, 1, 2, 0]
    told = "\n".join(balance.duels({lineup: [GAME, replace(GAME, winners=(2,))]}, seed=0))
    assert "| 3 | 2 | 100 % | 3.0 | 1.5 |" in told


def test_the_tool_prints_its_tables(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--games", "1", "--seats", "2", "--deck", "spread", "--cores", "1"]
    assert balance.main(arguments) == 0
    told = capsys.readouterr().out
    assert "### The deck spread" in told
    assert "### One `steady` bot among `random` ones" in told


@pytest.mark.parametrize("wrong", [["--games", "0"], ["--write", "--seats", "2"], ["--seats", "9"]])
def test_a_wrong_command_line_is_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit):
        balance.main(wrong)


def test_the_document_has_its_place_for_the_result() -> None:
    assert "\nnew\n" in written(balance.DOC.read_text(), "new\n", balance.MARKS)


def test_one_command_measures_the_wanted_game_or_all(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def tool(game: str, code: int) -> Callable[[Sequence[str]], int]:
        def run(rest: Sequence[str]) -> int:
            said.append(" ".join((game, *rest)))
            return code

        return run

    tools = {"chess": tool("chess", 0), "go": tool("go", 1)}
    monkeypatch.setattr(all_games, "BALANCES", tools)
    assert all_games.main(["--games", "2"]) == 1
    assert all_games.main(["--game", "chess", "--write"]) == 0
    assert said == ["chess --games 2", "go --games 2", "chess --write"]
    assert set(BALANCES) == {"room25", "cerveauuu"}
