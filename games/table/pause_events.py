"""The events and commands of pauses that the players agree on, at any table (pure)."""

from __future__ import annotations

from typing import Literal

from events.kernel import Command, Event, Public, Seat, TimestampMs

PauseVote = Literal["agree", "decline", "resume"]
"""``agree`` and ``decline`` answer a proposed pause, ``resume`` would end the running one."""


class PauseProposed(Event, frozen=True, tag="pause-proposed"):
    """A player proposed at a time ``at`` to pause for so many minutes.

    It takes effect once everybody who has a say agrees, ``until`` another time at the latest (both
    in milliseconds, UTC). Who proposes agrees.
    """

    incidental = True
    seat: Public[Seat]
    minutes: Public[int]
    at: Public[TimestampMs]
    until: Public[TimestampMs]


class PauseAgreed(Event, frozen=True, tag="pause-agreed"):
    """A player agreed to the pause that is proposed."""

    incidental = True
    seat: Public[Seat]


class PauseDeclined(Event, frozen=True, tag="pause-declined"):
    """A player turned the proposed pause down, or took back the own proposal: there is none now."""

    incidental = True
    seat: Public[Seat]


class PauseBegan(Event, frozen=True, tag="pause-began"):
    """All have agreed: clock and game stand still from ``at``, ``until`` another time at most.

    The pause ends by ``TableResumed``.
    """

    incidental = True
    at: Public[TimestampMs]
    until: Public[TimestampMs]


class ResumptionAgreed(Event, frozen=True, tag="resumption-agreed"):
    """A player wants to end the players' pause; it ends once all of them do."""

    incidental = True
    seat: Public[Seat]


class ProposePause(Command, frozen=True, tag="propose-pause"):
    """Propose that all pause for so many ``minutes``, 1 to 1440."""

    seat: Public[Seat]
    minutes: Public[int]


class VoteOnPause(Command, frozen=True, tag="vote-on-pause"):
    """Agree to the proposed pause, turn it down, or agree to end the one that is running."""

    seat: Public[Seat]
    vote: Public[PauseVote]


class EndPause(Command, frozen=True, tag="end-pause"):
    """End the players' pause number ``pause`` of this game, counted from 1: its time is over."""

    pause: Public[int]
