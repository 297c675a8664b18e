"""The bodies of answers about what players have played, and how strong they are."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from events.kernel import TimestampMs

_Season = Annotated[str, Meta(examples=["2026-4"])]


class PlayedInfo(Struct, frozen=True, kw_only=True):
    """Games of a player by one rulebook, in one mode, on one side."""

    game: str
    rulebook: str
    mode: str
    side: str | None
    games: int
    won: int
    lost: int


class RatingInfo(Struct, frozen=True, kw_only=True):
    """How strong a player is in a game, on a side, from ``games`` that were rated.

    ``rating`` is a careful estimate in points, two deviations below the mean, where 1500 is the
    average; ``deviation`` is how uncertain it is. Both are null before the tenth game.
    """

    game: str
    side: str | None
    games: int
    won: int
    rating: int | None
    deviation: int | None


class SeasonInfo(Struct, frozen=True, kw_only=True):
    """What a player has played in a season, a quarter of a year by UTC; ratings begin anew."""

    season: _Season
    games: int
    won: int
    lost: int
    ratings: tuple[RatingInfo, ...]


class ProfileInfo(Struct, frozen=True, kw_only=True):
    """A player, and what all their public games come to.

    Counted are games that were played to an end or given up by all; never scenario tables, annulled
    games, and what a program has played. Ratings are of games of two people or more against each
    other. ``seasons`` are the newest first; ``last_played_at`` is when the last game ended.
    """

    id: str
    name: str
    registered_at: TimestampMs
    games: int
    won: int
    lost: int
    last_played_at: TimestampMs | None
    played: tuple[PlayedInfo, ...]
    ratings: tuple[RatingInfo, ...]
    seasons: tuple[SeasonInfo, ...]


class LeaderboardRow(Struct, frozen=True, kw_only=True):
    """A player on a leaderboard, the first with the ``rank`` 1; see ``RatingInfo``."""

    rank: int
    player: str
    name: str
    rating: int
    deviation: int
    games: int
    won: int


class LeaderboardPage(Struct, frozen=True, kw_only=True):
    """Those with ten rated games, the strongest first.

    ``season`` is ``all`` for all time. ``next`` is the cursor of the next page, if there is one.
    """

    season: _Season
    game: str
    side: str | None
    rows: tuple[LeaderboardRow, ...]
    next: str | None


class LeaderboardInfo(Struct, frozen=True, kw_only=True):
    """A leaderboard that has somebody on it."""

    season: _Season
    game: str
    side: str | None


class LeaderboardList(Struct, frozen=True, kw_only=True):
    """The leaderboards that there are, the newest season first, and the season that it is now."""

    season: _Season
    leaderboards: tuple[LeaderboardInfo, ...]
