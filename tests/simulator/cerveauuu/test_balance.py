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
from simulator.cerveauuu.plans import SEATS
from simulator.cerveauuu.published_figures import (
    FIRST_SPREAD,
    PUBLISHED,
    READINGS,
    distance,
    same_share,
    standard_error,
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


# --- beside the figures of §13.3 ---


def within(games: Sequence[MatchFigures], who: str) -> bool:
    """Whether games are as far from the published ones as chance may bring them."""
    said = PUBLISHED[who, games[0].seats]
    first = sum(game.rounds == 1 for game in games)
    near = all(abs(distance(games, said, name)) < 3.3 for name in READINGS)
    return near and same_share(first, len(games), said.first, said.games) > 0.001


@pytest.mark.parametrize(
    ("shares", "likely"),
    [
        ((3, 10, 3, 10), 1),
        ((1, 10, 11, 14), 0.002759),  # of Fisher's test as textbooks have it
        ((0, 30, 8, 150), 0.3555),
        ((10, 10, 0, 10), 0.0000108),
    ],
)
def test_how_likely_two_shares_are(shares: tuple[int, int, int, int], likely: float) -> None:
    assert same_share(*shares) == pytest.approx(likely, rel=0.01)


def test_a_distance_is_told_in_standard_errors() -> None:
    games = [replace(GAME, rounds=rounds) for rounds in (4, 6, 8, 6)]
    said = replace(PUBLISHED["greedy", 3], games=4, rounds=5)
    assert distance(games, said, "rounds") == pytest.approx(1 / (2.6667**0.5 * 0.5**0.5), rel=1e-3)
    told = "\n".join(balance.compared({balance.Lineup("greedy", 3, "shuffled"): games}))
    assert "| 3 greedy | 4, 150 | 6.0, 6.4 (-0.5) |" in told


def test_what_is_eaten_a_round_is_of_all_rounds_together() -> None:
    """Not a mean of games: nine in three rounds and one in seven are one a round."""
    games = [replace(GAME, eaten=9, rounds=3), replace(GAME, eaten=1, rounds=7)]
    values = READINGS["eaten"](games)
    assert values == pytest.approx([1 + 6 / 5, 1 - 6 / 5])
    assert standard_error(values) == pytest.approx(6 / 5)


def test_games_of_two_are_as_long_and_as_bloody_as_published() -> None:
    """A fixed sample: a few games, so only what is far off is found; more are played at night."""
    games = [figures_of(["greedy"] * 2, seed) for seed in range(1, 5)]
    assert within(games, "greedy")
    assert chance_of(wins_by_place(games)) > 0.001


def test_players_who_seldom_attack_are_found() -> None:
    """Those of the house bot ``random`` are not those of §13.3."""
    games = [figures_of(["random"] * 2, seed) for seed in range(1, 5)]
    assert not within(games, "greedy")


@pytest.mark.nightly
@pytest.mark.parametrize("seats", SEATS)
def test_games_of_all_sizes_are_as_published(seats: int) -> None:
    games = [figures_of(["greedy"] * seats, seed) for seed in range(1, 101)]
    assert within(games, "greedy")
    assert chance_of(wins_by_place(games)) > 0.001
    spread = [figures_of(["greedy"] * seats, s, {"credits": "spread"}) for s in range(1, 31)]
    first = sum(game.rounds == 1 for game in spread)
    assert same_share(first, len(spread), *FIRST_SPREAD) > 0.001
