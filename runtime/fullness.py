"""How full the store is, and what is refused because of it (pure).

A full store takes no writes at all, not even those that would end a game. So the service stops
taking on work long before, step by step, and keeps a reserve with which it can always finish what
has begun. Percentages are of the room: the store's memory without the reserve, or its files plus
the free part of their disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, Literal

from msgspec import Struct

from club.account_events import (
    DeleteAccount,
    IssueToken,
    LabelPasskey,
    LabelToken,
    MakeDeviceLink,
    MakeInvitationLink,
    MakePasskey,
    MakeRecoveryFile,
    RegisterPlayer,
    RenamePlayer,
    RevokeOtherTokens,
    RevokePasskey,
    RevokeToken,
    UseDeviceLink,
    UseInvitationLink,
    UsePasskey,
    UseRecoveryFile,
    WithdrawDeviceLink,
    WithdrawInvitationLink,
)
from events.kernel import Command
from games.table.events import (
    AnnulTable,
    Choose,
    ChooseSealed,
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
    SayPhrase,
    StartTable,
    TakeSeat,
    TimeOut,
    WithdrawInvitation,
)
from games.table.pause_events import EndPause, ProposePause, VoteOnPause

Resource = Literal["memory", "disk"]
Percents = tuple[int, int, int, int]
"""Where the levels after ``AMPLE`` begin, rising."""

RESERVE: Final = 0.1
"""The reserved part of ``maxmemory``, which is not counted as room: the last writes go there."""

DISK_RESERVE_BYTES: Final = 64 << 20
"""The reserve on a disk, likewise; on a small disk a tenth of it."""

SLACK: Final = 0.02
"""A level is left only once there is this much more room, so that it does not flap."""

HOLD_S: Final = 10.0
"""Choices are refused for at least this long: a shorter outage is not given back to players."""


class Level(IntEnum):
    """How full the store is; each level refuses what the previous ones do, and more."""

    AMPLE = 0
    LOW = 1
    NO_NEWCOMERS = 2
    NO_NEW_GAMES = 3
    NO_CHOICES = 4


class Rule(Struct, frozen=True):
    """From which percentage a level holds, and what it means, as in the operators' guide."""

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
"""The levels by default."""

PERCENTS: Final[Percents] = (70, 80, 90, 97)

assert tuple(rule.percent for rule in RULES.values()) == PERCENTS

REFUSED_FROM: Final[Mapping[type[Command], Level]] = {
    OpenTable: Level.NO_NEWCOMERS,
    InvitePlayers: Level.NO_NEWCOMERS,
    RegisterPlayer: Level.NO_NEWCOMERS,
    MakeInvitationLink: Level.NO_NEWCOMERS,
    UseInvitationLink: Level.NO_NEWCOMERS,
    TakeSeat: Level.NO_NEW_GAMES,
    StartTable: Level.NO_CHOICES,
    Choose: Level.NO_CHOICES,
    ChooseSecretly: Level.NO_CHOICES,
    ChooseSealed: Level.NO_CHOICES,
    SayPhrase: Level.NO_CHOICES,
    ProposePause: Level.NO_CHOICES,
    InspectGame: Level.NO_CHOICES,
    RenamePlayer: Level.NO_CHOICES,
    IssueToken: Level.NO_CHOICES,
    LabelToken: Level.NO_CHOICES,
    MakeDeviceLink: Level.NO_CHOICES,
    UseDeviceLink: Level.NO_CHOICES,
    MakeRecoveryFile: Level.NO_CHOICES,
    UseRecoveryFile: Level.NO_CHOICES,
    MakePasskey: Level.NO_CHOICES,
    LabelPasskey: Level.NO_CHOICES,
    UsePasskey: Level.NO_CHOICES,
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
        EndPause,
        VoteOnPause,
        PauseTable,
        ResumeTable,
        HoldTable,
        ExtendTime,
        RevokeToken,
        RevokeOtherTokens,
        WithdrawDeviceLink,
        RevokePasskey,
        WithdrawInvitationLink,
        DeleteAccount,
    }
)
"""Commands that are never refused: they end something, or set when it ends."""


def memory_share(used: int, limit: int) -> float:
    """The fraction of the room in memory that is taken; above 1 the reserve is in use.

    Args:
        used: bytes that count against the limit.
        limit: bytes that the store may use.
    """
    return used / (limit * (1 - RESERVE))


def disk_share(files: int, rewritten: int, free: int, total: int) -> float:
    """The fraction of the room on disk that is taken, by the files and by their next rewrite.

    Other files do not count as taken, but leave less room.

    Args:
        files: bytes of the append-only files.
        rewritten: bytes of the copy that the store writes beside them when it compacts them.
        free: bytes that are free.
        total: bytes of the whole disk.
    """
    room = files + free - min(DISK_RESERVE_BYTES, total // 10)
    return (files + rewritten) / room if room > 0 else float("inf")


class Gauge:
    """Turns fractions into levels. A level is entered at once and left with some slack.

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
        """The level when this fraction of the room is taken.

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
