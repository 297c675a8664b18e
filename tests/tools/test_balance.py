"""The balance table: what it counts, that its games come back, and where it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.winning import play as play_to_win
from games.room25.editions import RULEBOOKS
from games.room25.model.characters import EVERYBODY
from simulator.room25.bot_games import BotGame, Setting
from simulator.room25.chronicle import Chronicle, chronicle
from tools.markdown import NONE, written
from tools.room25 import balance

MARKS = (balance.BEGIN, balance.END)

QUICK = Setting("prototype", "cooperation", 4)


def game(outcome: str, **used: int) -> Chronicle:
    """A game of which little is known."""
    return Chronicle(
        outcome=outcome,
        winners=0,
        turns=7,
        deaths=0,
        score=None,
        there=frozenset({"acid", "empty"}),
        entered={"acid": 3},
        fired={"acid": used.get("acid", 0)},
        killed={},
        used=used,
    )


def test_every_rulebook_mode_and_number_of_players_is_played() -> None:
    found = {(each.rulebook, each.mode, each.seats) for each in balance.settings()}
    assert found == {
        (book.id, mode.id, seats)
        for book in RULEBOOKS.values()
        for mode in book.modes.values()
        for seats in mode.seats
    }
    only = balance.settings(["bga"], ["solo"])
    assert [(each.rulebook, each.mode) for each in only] == [("bga", "solo")]
    assert any(("madness", True) in each.options for each in balance.settings(["ultimate"]))


def test_a_game_comes_back_by_its_seed() -> None:
    assert balance.play((QUICK, 4)) == balance.play((QUICK, 4))


def test_everybody_plays_in_turn_where_the_players_choose() -> None:
    setting = Setting("ultimate", "cooperation", 2)
    cast = [balance.cast_of(setting, seed) for seed in range(20)]
    assert {name for seats in cast for names in seats for name in names} == set(EVERYBODY)
    assert all(len(set(sum(seats, ()))) == 4 for seats in cast)
    assert balance.cast_of(Setting("first_edition", "team", 4), 1) == []


def test_the_figures_of_a_game_are_those_of_its_log() -> None:
    played = BotGame(QUICK, ["steady"] * 4, 4).play()
    told, end = chronicle(played.log), played.end
    assert end.end is not None
    assert (told.outcome, told.turns) == (end.end.outcome, end.turn)
    assert told.deaths == len(end.dead) == sum(told.killed.values())
    assert told.used["action: move"] <= sum(told.entered.values())
    assert told.there == set(end.composition)
    assert set(told.fired) <= told.there
    assert told.success == (end.end.outcome != "complex")


def test_an_unfinished_game_has_no_figures() -> None:
    with pytest.raises(ValueError, match="not over"):
        chronicle(BotGame(QUICK, ["steady"] * 4, 4).log)


def test_who_may_not_claim_does_not() -> None:
    setting = Setting("first_edition", "cooperation", 4)
    mute = BotGame(setting, ["steady"] * 4, 2, lambda d: d.kind != "claim_color").play()
    assert "claim" not in chronicle(mute.log).used
    assert play_to_win("steady", 2, talking=False).turn == mute.end.turn


def test_with_and_without_are_compared() -> None:
    games = [game("players", acid=1)] * 6 + [game("complex")] * 6
    assert balance.compared(games, lambda each: bool(each.fired["acid"])) == ("100 %", "0 %")
    few = games[:7]
    assert balance.compared(few, lambda each: bool(each.fired["acid"])) == ("100 %", "(0 %)")
    assert balance.compared(games, lambda _: True) == ("50 %", NONE)
    rooms = "\n".join(balance.rooms(games))
    assert "| Acid Bath | 100 % | 3.00 | 0.50 | 50 % | 0.00 | 100 % | 0 % |" in rooms
    assert "Central" not in rooms
    assert "| acid | 0.50 | 50 % | 100 % | 0 % |" in "\n".join(balance.deeds(games))


def test_results_are_told_with_their_options() -> None:
    plain = Setting("bga", "solo", 1, (("specials", False),))
    told = "\n".join(balance.results({plain: [game("complex"), game("players")]}))
    assert "| Solo, no specials: 1 | 2 | complex 50 %, players 50 % | 7.0 ± 0.0 |" in told


def test_the_tool_prints_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--games", "1", "--rulebook", "prototype", "--mode", "solo", "--cores", "1"]
    assert balance.main(arguments) == 0
    told = capsys.readouterr().out
    assert "1 games each, seeds 1 to 1; 1 games in" in told
    assert "## `prototype`" in told
    assert "### Rooms" in told


@pytest.mark.parametrize(
    "wrong", [["--games", "0"], ["--write", "--mode", "solo"], ["--mode", "x"]]
)
def test_a_wrong_command_line_is_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit):
        balance.main(wrong)


def test_the_document_has_its_place_for_the_result(tmp_path: Path) -> None:
    text = balance.DOC.read_text()
    there = written(text, "new\n", MARKS)
    assert there.startswith(text.partition(balance.BEGIN)[0])
    assert f"{balance.BEGIN}\n\nnew\n\n{balance.END}" in there
    assert written(there, "new\n", MARKS) == there
    with pytest.raises(ValueError, match="the document has no"):
        written(str(tmp_path), "new", MARKS)


def test_the_document_speaks_of_every_rulebook() -> None:
    result = balance.DOC.read_text().partition(balance.BEGIN)[2]
    assert all(f"## `{book}`" in result for book in RULEBOOKS)
