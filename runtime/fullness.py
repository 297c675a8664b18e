"""How full the store is, and what is refused because of it (pure).

A store that is full takes nothing at all, not even what would end a game. So the service stops
taking things on long before, step by step, and keeps a reserve out of which it can always end what
has begun. Per cents are of the room: the store's memory without the reserve, or what its files and
the free part of their disk come to.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, Literal

from msgspec import Struct

from club.account_events import DeleteAccount, IssueToken, RegisterPlayer, RevokeToken
from events.kernel import Command
from games.table_events import (
    AnnulTable,
    Choose,
    ChooseSecretly,
    CloseTable,
    DeclineInvitation,
    ExtendTime,
    HoldTable,
    InspectGame,
    InvitePlayers,
    LeaveSeat,
    OpenTable,
    PauseTable,
    ResumeTable,
    StartTable,
    TakeSeat,
    TimeOut,
    WithdrawInvitation,
)

Resource = Literal["memory", "disk"]
Percents = tuple[int, int, int, int]
"""Where the levels after ``AMPLE`` begin, rising."""

RESERVE: Final = 0.1
"""The part of ``maxmemory`` that is no room: what must work to the end is written into it."""

DISK_RESERVE_BYTES: Final = 64 << 20
"""So much of a disk is no room either, or a tenth of a smaller one."""

SLACK: Final = 0.02
"""A level is left only when there is so much more room, or it would come and go."""

HOLD_S: Final = 10.0
"""Choices are refused for so long at least: a shorter time would not be given back to players."""


class Level(IntEnum):
    """How full the store is; each refuses what those before it refuse, and more."""

    AMPLE = 0
    LOW = 1
    NO_NEWCOMERS = 2
    NO_NEW_GAMES = 3
    NO_CHOICES = 4


class Rule(Struct, frozen=True):
    """From how many per cent on a level holds, and what it means, as the operators' guide says."""

    percent: int
    means: str


RULES: Final[Mapping[Level, Rule]] = {
    Level.LOW: Rule(70, "a warning in the log, nothing is refused"),
    Level.NO_NEWCOMERS: Rule(80, "no new tables, accounts and invitations"),
    Level.NO_NEW_GAMES: Rule(90, "no new games of bots, no sitting down"),
    Level.NO_CHOICES: Rule(
        97, "no choices, no beginning, no inspections, no new tokens; the clocks stop"
    ),
}
"""The levels as they are unless a setting says otherwise."""

PERCENTS: Final[Percents] = (70, 80, 90, 97)

assert tuple(rule.percent for rule in RULES.values()) == PERCENTS

REFUSED_FROM: Final[Mapping[type[Command], Level]] = {
    OpenTable: Level.NO_NEWCOMERS,
    InvitePlayers: Level.NO_NEWCOMERS,
    RegisterPlayer: Level.NO_NEWCOMERS,
    TakeSeat: Level.NO_NEW_GAMES,
    StartTable: Level.NO_CHOICES,
    Choose: Level.NO_CHOICES,
    ChooseSecretly: Level.NO_CHOICES,
    InspectGame: Level.NO_CHOICES,
    IssueToken: Level.NO_CHOICES,
}
"""The level from which on a command is refused. A game of bots alone begins from ``NO_NEW_GAMES``
on neither by ``TakeSeat`` nor by ``StartTable``; the handler of the latter sees to that."""

TO_THE_END: Final[frozenset[type[Command]]] = frozenset(
    {
        TimeOut,
        AnnulTable,
        CloseTable,
        WithdrawInvitation,
        DeclineInvitation,
        LeaveSeat,
        PauseTable,
        ResumeTable,
        HoldTable,
        ExtendTime,
        RevokeToken,
        DeleteAccount,
    }
)
"""Commands that are never refused: they end something, or say when it ends."""


def memory_share(used: int, limit: int) -> float:
    """How much of the room in memory is taken; above 1 the reserve is being used.

    Args:
        used: bytes that count against the limit.
        limit: bytes that the store may use.
    """
    return used / (limit * (1 - RESERVE))


def disk_share(files: int, rewritten: int, free: int, total: int) -> float:
    """How much of the room on disk is taken: what the files take and their next rewriting will.

    Other people's files are not counted as taken, but leave less room.

    Args:
        files: bytes of the append-only files.
        rewritten: bytes of the copy that the store writes beside them when it compacts them.
        free: bytes that are free.
        total: bytes of the whole disk.
    """
    room = files + free - min(DISK_RESERVE_BYTES, total // 10)
    return (files + rewritten) / room if room > 0 else float("inf")


class Gauge:
    """Makes levels of shares. A level is reached at once, and left with some slack.

    Args:
        percents: where the levels begin.
    """

    def __init__(self, percents: Percents = PERCENTS) -> None:
        self.level = Level.AMPLE
        self._begins = {
            level: percent / 100 for level, percent in zip(RULES, percents, strict=True)
        }
        self._closed_at = 0.0

    def read(self, share: float, now: float) -> Level:
        """The level, now that so much of the room is taken.

        Args:
            share: 1 is all of the room.
            now: monotonic seconds.
        """
        reached = self._level_of(share)
        kept = min(self.level, self._level_of(share + SLACK))
        held = self.level is Level.NO_CHOICES and now - self._closed_at < HOLD_S
        before, self.level = self.level, self.level if held else max(reached, kept)
        if self.level is Level.NO_CHOICES and before is not self.level:
            self._closed_at = now
        return self.level

    def _level_of(self, share: float) -> Level:
        return max(
            (lv for lv, begin in self._begins.items() if share >= begin), default=Level.AMPLE
        )
