"""Players like the steady ones of §13.3: their habits, and how near to its figures they come."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from msgspec.structs import replace

from events.kernel import Decision
from games.bots import bot_seed
from simulator.cerveauuu.bot_games import BotMatch
from simulator.cerveauuu.figures import MatchFigures, chance_of, figures_of, wins_by_place
from simulator.cerveauuu.plans import SEATS
from simulator.cerveauuu.published_figures import (
    FIRST_SPREAD,
    PUBLISHED,
    READINGS,
    distance,
    middle,
    same_share,
)
from simulator.cerveauuu.simulated_players import VARIANTS, Variant
from tests.games.cerveauuu.bots.seats import SEED, answer
from tests.games.cerveauuu.scenes import Scene, scene, seat_of
from tools.cerveauuu import balance, variants
from tools.cerveauuu.balance import DOC, Lineup
from tools.markdown import written

FAR = "zB 8,0"
"""Somebody for the other seat, who is in nobody's way."""

PAIR = "h1 4,4; h2 3,5; zA 3,4; zB 5,3"
"""S55: A wins with B's help only."""


def of(scene: Scene, letter: str, kind: str, who: str = "selfish", seed: str = SEED) -> str:
    """What a player answers to a decision of a kind, from its own view alone."""
    game, seat = scene.sitting.game, seat_of(letter)
    view = scene.sitting.views[seat]
    decision = next(d for d in game.decisions(view, seat) if d.kind == kind)
    option = Variant(game.branch, VARIANTS[who]).answer(view, decision, seed)
    assert game.offers(scene.state, decision, option), f"not offered: {option}"
    return option


def seeds(count: int) -> list[str]:
    return [f"{n:064x}" for n in range(count)]


# --- habits ---


@pytest.mark.parametrize("who", ["selfish", "unspoiling"])
def test_a_fight_of_others_is_left_alone(who: str) -> None:
    found = scene(f"h1 4,4; zA 3,4; {FAR}", hands={"B": "c044"}).go("A", "zA.attack-h1")
    assert answer(found, "B", "respond") == "play.k1.h01"
    assert of(found, "B", "respond", who) == "pass"
    assert of(found, "B", "respond", "careless") == "play.k1.h01"


def test_its_own_fight_it_turns() -> None:
    """B takes the bite away, A wins it back."""
    found = scene(f"h1 4,4; zA 3,4; {FAR}", hands={"A": "c052", "B": "c044"})
    found.go("A", "zA.attack-h1").play("B", "k1.h1")
    assert of(found, "A", "respond") == "play.k1.z01"


def test_a_mover_that_is_on_its_way_to_eat_it_stops() -> None:
    """§12.9 says so of movers that aim at anybody."""
    found = scene(f"h1 5,4; zA 1,4; {FAR}", hands={"B": "c109"}).go("A", "zA.4,4.attack-h1")
    assert of(found, "B", "respond") == "play.k1.0.z01"


@pytest.mark.parametrize("who", ["selfish", "simplified", "careless"])
def test_nobody_else_is_asked_for_support(who: str) -> None:
    found = scene(PAIR).go("A", "zA.attack-h1")
    assert answer(found, "A", "support") == "z02.h01-z01.h02-z02"
    assert of(found, "A", "support", who) == "none"


def test_its_own_zombies_it_invites() -> None:
    found = scene("h1 4,4; h2 3,5; zA 3,4; zA2 5,3; zB 8,0").go("A", "zA.attack-h1")
    assert of(found, "A", "support").startswith("z02.")


def test_after_a_card_it_goes_on_as_declared() -> None:
    found = scene(f"h1 5,4; h2 1,3; zA 1,4; {FAR}", hands={"B": "c083"})
    found.go("A", "zA.4,4.attack-h1").play("B", "k1.0.zA")
    assert answer(found, "A", "replan") == "attack-h02"
    assert of(found, "A", "replan") == "keep"


def test_humans_stroll_by_chance() -> None:
    """``steady`` sends this one towards its zombie; with a card in hand it still only strolls."""
    found = scene("h1 6,4; zA 0,4; zB 0,8", stage="wandering", hands={"A": "c083"})
    strolls = {of(found, "A", "wander_turn", "strolling", seed) for seed in seeds(40)}
    assert "pass" in strolls
    assert len(strolls) > 5
    assert not any(stroll.startswith("play") for stroll in strolls)
    assert strolls == {of(found, "A", "wander_turn", "selfish", seed) for seed in seeds(40)}


def test_cards_are_dropped_by_chance() -> None:
    hand = "c077 c031 c081 c099"
    found = scene(f"h1 8,8; {FAR}", hands={"A": hand}, stage="end_round")
    found.until(lambda d: d.kind == "discard")
    dropped = {of(found, "A", "discard", "simplified", seed) for seed in seeds(40)}
    assert dropped == {"k1", "k2", "k3", "k4"}


def test_humans_are_scattered_by_chance() -> None:
    match = BotMatch(["scattering", "selfish"], 1)
    asked = match.sitting.pending()[0]
    assert asked.kind == "place_human"
    game, view = match.sitting.game, match.sitting.views[asked.seat]
    decision = game.find(view, asked.seat, asked.id)
    assert decision is not None
    for who in ("scattering", "selfish"):
        player = Variant(game.branch, VARIANTS[who])
        assert len({player.answer(view, decision, seed) for seed in seeds(20)}) > 10


def test_who_has_no_habits_of_its_own_is_steady() -> None:
    """What differs is the habits alone: in this game no decision falls to one."""
    found = scene(f"h1 4,4; zA 3,4; {FAR}")
    for who in VARIANTS:
        assert of(found, "A", "go", who) == answer(found, "A", "go")


def test_a_player_sees_its_own_view_alone() -> None:
    """Another one that has seen nothing else answers the same."""
    match = BotMatch(["selfish", "selfish"], 2)
    other = Variant(match.sitting.game.branch, VARIANTS["selfish"])

    def check(view: object, decision: Decision, option: str) -> None:
        seed = bot_seed(f"{2:064x}", decision.seat, decision.id)
        assert other.answer(match.sitting.views[decision.seat], decision, seed) == option
        assert view is match.sitting.views[decision.seat]

    assert match.play(check).truth.end is not None


# --- figures ---

ALIKE = {2: "selfish", 3: "selfish", 4: "selfish", 5: "unspoiling", 6: "selfish"}
"""Who plays as published players do; their five seem to have been others (``docs/balance.md``)."""


def within(games: Sequence[MatchFigures]) -> bool:
    """Whether games are as far from those of steady players as chance may bring them."""
    said = PUBLISHED["steady", games[0].seats]
    first = sum(game.rounds == 1 for game in games)
    near = all(abs(distance(games, said, name)) < 3.3 for name in READINGS)
    return near and same_share(first, len(games), said.first, said.games) > 0.001


def test_games_of_two_are_as_published() -> None:
    """A fixed sample: a few games, so only what is far off is found; more are played at night."""
    assert within([figures_of(["selfish"] * 2, seed) for seed in range(1, 6)])


def test_players_of_another_kind_are_found() -> None:
    """Planted: the house bot ``random`` eats hardly anybody."""
    assert not within([figures_of(["random"] * 2, seed) for seed in range(1, 5)])


@pytest.mark.nightly
@pytest.mark.parametrize("seats", SEATS)
def test_games_of_other_sizes_are_as_published(seats: int) -> None:
    games = [figures_of([ALIKE[seats]] * seats, seed) for seed in range(1, 61)]
    assert within(games)
    assert chance_of(wins_by_place(games)) > 0.001


@pytest.mark.nightly
@pytest.mark.parametrize(("who", "seats"), [("steady", 5), ("careless", 5), ("unspoiling", 4)])
def test_half_of_the_habits_are_not_enough(who: str, seats: int) -> None:
    """Planted: the habits that matter are taken away."""
    assert not within([figures_of([who] * seats, seed) for seed in range(1, 31)])


# --- tables ---

GAME = MatchFigures(
    seats=2,
    chief=1,
    rounds=4,
    outcome="bloodiest",
    winners=(1,),
    scores={1: 5, 2: 1},
    humans=2,
    eaten=6,
    played=8,
    versions=40,
)


def test_the_middle_nine_tenths_leave_a_twentieth_out_at_each_end() -> None:
    games = [replace(GAME, rounds=rounds) for rounds in (40, *range(2, 20), 1)]
    assert middle(games) == (2, 19)
    assert middle(games[1:]) == (1, 19)


def test_a_spread_deck_is_put_beside_the_published_one() -> None:
    lineups = [Lineup("selfish", 2, deck) for deck in ("shuffled", "spread")]
    told = variants.lengths({lineup: [GAME, replace(GAME, rounds=1)] for lineup in lineups})
    likely = same_share(1, 2, *FIRST_SPREAD)
    assert told[2:4] == [
        "| 2 selfish | shuffled | 2 | 1 | 1–4 | 2–14 |",
        f"| 2 selfish | spread | 2 | 1, 0 ({likely:.2f}) | 1–4 | 3–9 |",
    ]


def test_all_that_differ_are_put_beside_the_steady_players() -> None:
    assert {lineup.who for lineup in variants.STEPS} == {"steady", *VARIANTS} - {"selfish"}
    assert [lineup.seats for lineup in variants.ALIKE] == list(SEATS)
    games = [GAME, replace(GAME, rounds=6)]
    found = dict.fromkeys(variants.STEPS + variants.ALIKE, games)
    told = variants.report(found, found, {}, "all of them")
    assert told.startswith("all of them\n")
    assert told.count("| 5 careless | 2, 100 | 5.0, 5.4 (-0.4)") == 2


def test_what_each_eats_is_told_with_its_standard_error() -> None:
    games = [replace(GAME, eaten=eaten) for eaten in (6, 10, 6, 10)]  # 2 a round, 1 each
    told = variants.by_head({Lineup("selfish", 2, "shuffled"): games})
    error, theirs = 0.144, 0.029  # of four games, and of a hundred
    assert (
        f"| 2 selfish | 4, 100 | 1.00 ± {error:.2f} | 0.75 ± {theirs:.2f} | +0.25 ± 0.15 |" in told
    )


@pytest.mark.parametrize("wrong", [["--games", "3"], ["--games", "many"], ["--seats", "2"]])
def test_a_wrong_command_line_is_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit):
        variants.main(wrong)


def test_the_tool_plays_what_it_tells(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = Lineup("selfish", 2, "spread")
    for name in ("ALIKE", "STEPS", "PAIRS"):
        monkeypatch.setattr(variants, name, [pair])
    monkeypatch.setattr(variants, "PAIRS_OF", 0.5)
    # The three are of the same games, which are played once.
    monkeypatch.setattr(balance, "play", cache(balance.play))
    assert variants.main(["--games", "4", "--cores", "1"]) == 0
    told = capsys.readouterr().out
    assert "4 games each of `selfish`, 2 each of the others, 2 of two for each deck" in told
    assert "| 2 selfish | spread | 2 | " in told
    assert "| 2 selfish | 2, 100 | " in told


def test_the_document_has_its_place_for_the_result() -> None:
    assert "\nnew\n" in written(DOC.read_text(), "new\n", variants.MARKS)
