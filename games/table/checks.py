"""What the table refuses before any rule is asked: codes and checks (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from events.kernel import DurationMs, Rejected, Seat, Working
from events.names import require_seal
from games.contract import TimeControl, WaitClass
from games.table import events as ev
from games.table.state import TableState

EXTENSION_MAX_S: Final = 24 * 3600
LEAVINGS_MAX: Final = 16
"""How often seats may become free again before the game begins, so that nobody tries out deals."""

HOUSE_BOTS: Final = frozenset({"random", "steady"})
"""The names under which a host seats house bots; whoever judges a game need not know how they play
(``games.bots``)."""

TOURNAMENT_MAX: Final = 40
"""Characters of a tournament's code at most."""

TOURNAMENT: Final = "[a-z0-9]+(-[a-z0-9]+)*"
"""A tournament's code, as a regular expression."""

_ENTROPY: Final = re.compile(r"[A-Za-z0-9_-]{0,64}")
STRIKES_MAX: Final = 100
PACE_MAX_MS: Final[DurationMs] = 60_000
DELAY_MAX_TURNS: Final = 100
DELAY_MAX_S: Final = 24 * 3600


class TableCode(StrEnum):
    """Why the table refuses a command. Stable; documented in ``docs/problems.md``."""

    TABLE_EXISTS = "table-exists"
    TABLE_NOT_OPEN = "table-not-open"
    GAME_NOT_LIVE = "game-not-live"
    GAME_OVER = "game-over"
    TABLE_PAUSED = "table-paused"
    TABLE_NOT_PAUSED = "table-not-paused"
    GAME_HELD = "game-held"
    RESTORED_BEFORE = "restored-before"
    NOTHING_LOST = "nothing-lost"
    TABLE_NOT_FULL = "table-not-full"
    BAD_TIME_CONTROL = "bad-time-control"
    BAD_DELAY = "bad-delay"
    BAD_TOURNAMENT = "bad-tournament"
    BAD_ENTROPY = "bad-entropy"
    BOT_WITH_ENTROPY = "bot-with-entropy"
    TOO_MANY_LEAVINGS = "too-many-leavings"
    UNKNOWN_SEAT = "unknown-seat"
    SEAT_TAKEN = "seat-taken"
    NO_FREE_SEAT = "no-free-seat"
    ALREADY_SEATED = "already-seated"
    NOT_INVITED = "not-invited"
    ALREADY_INVITED = "already-invited"
    PLAYER_SEATED = "player-seated"
    UNKNOWN_INVITATION = "unknown-invitation"
    TOO_MANY_INVITATIONS = "too-many-invitations"
    NOT_SEATED = "not-seated"
    NOT_YOUR_SEAT = "not-your-seat"
    NOT_THE_HOST = "not-the-host"
    NOT_THE_DIRECTOR = "not-the-director"
    ALREADY_READY = "already-ready"
    UNKNOWN_BOT = "unknown-bot"
    NO_PROGRAMS = "no-programs"
    DECISION_NOT_OPEN = "decision-not-open"
    OPTION_NOT_OFFERED = "option-not-offered"
    OPTION_IS_A_BRANCH = "option-is-a-branch"
    OPTION_IS_A_LEAF = "option-is-a-leaf"
    CHOICE_NOT_SECRET = "choice-not-secret"  # noqa: S105 (a code, not a password)
    CHOICE_NOT_PUBLIC = "choice-not-public"
    DEADLINE_PASSED = "deadline-passed"
    UNKNOWN_PHRASE = "unknown-phrase"
    PHRASE_TARGET_NOT_ALLOWED = "phrase-target-not-allowed"
    PHRASE_TO_NOBODY = "phrase-to-nobody"
    PHRASES_SILENCED = "phrases-silenced"
    PHRASES_TOO_FAST = "phrases-too-fast"
    BAD_PAUSE = "bad-pause"
    NO_SAY_IN_PAUSES = "no-say-in-pauses"
    PAUSE_PROPOSED_ALREADY = "pause-proposed-already"
    PAUSES_PROPOSED_TOO_OFTEN = "pauses-proposed-too-often"
    TOO_MANY_PAUSES = "too-many-pauses"
    NO_PAUSE_PROPOSED = "no-pause-proposed"
    ALREADY_AGREED = "already-agreed"
    PAUSED_BY_DIRECTOR = "paused-by-director"
    NOTHING_DUE = "nothing-due"
    NOT_DUE_YET = "not-due-yet"
    BAD_EXTENSION = "bad-extension"
    NOT_AN_AUDITOR = "not-an-auditor"
    INSPECTION_BY_PLAYER = "inspection-by-player"
    BAD_INSPECTION = "bad-inspection"


def require_open(state: TableState) -> None:
    """Refuse unless the game has not begun (table-not-open, game-held, in that order)."""
    if state.phase != "open":
        raise Rejected(TableCode.TABLE_NOT_OPEN, "the game has begun or ended")
    require_not_held(state)


def require_not_held(state: TableState) -> None:
    """Refuse while the game waits for its director, because a part of it is lost (game-held)."""
    if state.is_held:
        raise Rejected(TableCode.GAME_HELD, "a part of the game is lost; its director decides")


def require_live(state: TableState) -> None:
    """Refuse unless the game runs (game-over, game-not-live, game-held, table-paused, in order)."""
    if state.phase == "finished":
        raise Rejected(TableCode.GAME_OVER, "the game has ended")
    if state.phase != "live":
        raise Rejected(TableCode.GAME_NOT_LIVE, "the game has not begun")
    require_not_held(state)
    if state.paused_at is not None:
        raise Rejected(TableCode.TABLE_PAUSED, "the game is paused")


def require_director(work: Working[TableState]) -> None:
    """Refuse unless the director gives the command (not-the-director)."""
    if work.context.actor.kind != "director":
        raise Rejected(TableCode.NOT_THE_DIRECTOR, "only the table's director may do this")


def all_ready(state: TableState) -> bool:
    """Whether everybody who sits has said to be ready; house bots always are."""
    return all(seat.ready or seat.bot is not None for seat in state.seats.values())


def free_seat(state: TableState, requested: Seat | None) -> Seat:
    """The requested seat, or the first free one (no-free-seat, unknown-seat, seat-taken)."""
    free = [n for n in range(1, state.seat_count + 1) if n not in state.seats]
    if not free:
        raise Rejected(TableCode.NO_FREE_SEAT, "every seat is taken")
    if requested is None:
        return free[0]
    if not 1 <= requested <= state.seat_count:
        raise Rejected(TableCode.UNKNOWN_SEAT, "the table has no such seat")
    if requested not in free:
        raise Rejected(TableCode.SEAT_TAKEN, "somebody sits there")
    return requested


def checked_time(time: TimeControl, waits: Mapping[str, WaitClass]) -> TimeControl:
    """A time control with a limit for each of a game's classes of waits (bad-time-control)."""
    for name, limit in time.limits_s.items():
        wait = waits.get(name)
        if wait is None:
            known = ", ".join(sorted(waits))
            raise Rejected(TableCode.BAD_TIME_CONTROL, f"the game has time limits for {known} only")
        if not wait.least_s <= limit <= wait.most_s:
            bounds = f"{wait.least_s} to {wait.most_s} seconds"
            raise Rejected(TableCode.BAD_TIME_CONTROL, f"the limit for {name} has {bounds}")
    if not (1 <= time.absent_after <= STRIKES_MAX and 0 <= time.bot_pace_ms <= PACE_MAX_MS):
        raise Rejected(TableCode.BAD_TIME_CONTROL, "absent_after or bot_pace_ms is out of range")
    defaults = {name: wait.default_s for name, wait in waits.items()}
    return replace(time, limits_s={**defaults, **time.limits_s})


def check_opening(command: ev.OpenTable) -> None:
    """Refuse to open a table with what no table of any game has (bad-delay, bad-tournament)."""
    check_delay(command.delay)
    check_tournament(command.tournament)


def check_delay(delay: ev.Delay | None) -> None:
    """Refuse a delay that is none, or too long, or counted in two ways (bad-delay)."""
    if delay is None:
        return
    given = [
        (delay.turns, DELAY_MAX_TURNS, "turns"),
        (delay.seconds, DELAY_MAX_S, "seconds"),
    ]
    counted = [(number, most, what) for number, most, what in given if number is not UNSET]
    if len(counted) != 1:
        raise Rejected(TableCode.BAD_DELAY, "a delay is counted either in turns or in seconds")
    for number, most, what in counted:
        if not 1 <= number <= most:
            raise Rejected(TableCode.BAD_DELAY, f"a delay has 1 to {most} {what}")


def check_tournament(code: str | None) -> None:
    """Refuse a tournament's code that cannot be one (bad-tournament)."""
    if code is None:
        return
    if len(code) > TOURNAMENT_MAX or re.fullmatch(TOURNAMENT, code) is None:
        raise Rejected(
            TableCode.BAD_TOURNAMENT,
            f"a tournament has a code of 1 to {TOURNAMENT_MAX} characters: a to z, digits, and"
            " single hyphens between them",
        )


def check_kind(state: TableState, *, program: bool) -> None:
    """Refuse a program where only people sit down (no-programs)."""
    if program and state.programs is False:
        raise Rejected(TableCode.NO_PROGRAMS, "only people sit down at this table")


def check_entropy(text: str) -> None:
    """Refuse entropy that could say something, or that is long (bad-entropy).

    It is hashed for ever, so it must be no place for names or notes.
    """
    if not _ENTROPY.fullmatch(text):
        raise Rejected(
            TableCode.BAD_ENTROPY, "entropy is at most 64 of the characters A-Z a-z 0-9 - _"
        )


def sealed_name(c: ev.TakeSeat) -> str:
    """The seal of a name; a house bot is called by its kind.

    Raises:
        ValueError: it is none, or a house bot is to have one.
    """
    if c.bot is not None and c.name_seal:
        raise ValueError("a house bot has no name of its own")
    return require_seal(c.name_seal)
