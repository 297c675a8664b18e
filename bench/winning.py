"""How often a house bot gets four characters out: cooperation, open composition, fixed seeds."""

from __future__ import annotations

import statistics
from typing import Final, NamedTuple

from bench.measure import BenchReport, Effort, Samples
from simulator.room25.bot_games import BOTS, BotGame, Setting

NAME: Final = "winning"
GAMES: Final = 500
QUICK_GAMES: Final = 20
SETTING: Final = Setting("first_edition", "cooperation", 4, (("composition", "open"),))
CLAIM: Final = "claim_color"


class Ended(NamedTuple):
    """How one game came out: whether all or all the living got out, the dead, the last turn."""

    won: bool
    whole: bool
    deaths: int
    turn: int


def play(bot: str, seed: int, *, talking: bool = True) -> Ended:
    """One game with ``bot`` in every seat; not ``talking``: nobody claims a colour."""
    game = BotGame(
        SETTING, [bot] * SETTING.seats, seed, lambda decision: talking or decision.kind != CLAIM
    )
    state = game.play().end
    assert state.end is not None
    won = bool(state.end.winners)
    return Ended(won, state.end.outcome == "players", len(state.dead), state.turn)


def measure(bot: str, games: int, *, talking: bool = True) -> tuple[Samples, ...]:
    """Play the seeds 1 to ``games`` with ``bot`` in every seat."""
    ended = [play(bot, seed, talking=talking) for seed in range(1, games + 1)]
    wins = sum(each.won for each in ended)
    whole = sum(each.whole for each in ended)
    deaths = statistics.fmean(each.deaths for each in ended)
    turn = statistics.fmean(each.turn for each in ended)
    name = bot if talking else f"{bot}, without claims"
    return (
        Samples(f"{name}: games won of {games}", "games", "higher", (float(wins),)),
        Samples(f"{name}: share won", "%", "higher", (100 * wins / games,)),
        Samples(f"{name}: share won without a death", "%", "higher", (100 * whole / games,)),
        Samples(f"{name}: deaths", "a game", "lower", (deaths,)),
        Samples(f"{name}: last turn", "turn", "lower", (turn,)),
    )


def run(effort: Effort) -> BenchReport:
    """Measure every house bot on the same seeds, and those that talk without talk too."""
    games = QUICK_GAMES if effort.quick else GAMES
    figures = tuple(figure for bot in BOTS for figure in measure(bot, games))
    talkers = [name for name, bot in BOTS.items() if bot.volunteer is not None]
    figures += tuple(figure for bot in talkers for figure in measure(bot, games, talking=False))
    return BenchReport(
        NAME,
        figures=figures,
        notes=(f"four-player cooperation, first edition, open composition, seeds 1 to {games}",),
    )
