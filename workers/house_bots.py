"""House bots: which of them are asked, and how their choices reach the table.

A bot chooses from the view of its seat. The command id of a choice follows from the decision that
it answers, so each is executed once, whoever asks for it.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from events.kernel import Actor, Decision, Rejected, Seat
from events.keys import KeyRing
from events.logger import get_logger
from events.scripts import StoreFull
from games.bots import bot_seed
from games.table.attendance import is_gone
from games.table.state import TableState
from runtime.table_service import TableService

Tried: TypeAlias = "set[tuple[Seat, str]]"
"""What bots have been asked for in one call, by seat and decision: each is asked once."""

_UNASKED: Final = "unasked"
"""Stands in for a decision's id when a bot acts of its own accord."""

_log = get_logger(__name__)


def next_of_bots(
    tables: TableService, state: TableState, tried: AbstractSet[tuple[Seat, str]] = frozenset()
) -> Decision | None:
    """The next decision that a house bot has to make now, of those that were not tried yet."""
    wait = tables.table.games[state.game].wait(state.play)
    clock = state.clock
    if wait is None or clock is None:
        return None
    if not clock.since + state.time.bot_pace_ms <= tables.clock() <= clock.due:
        return None
    for decision in wait.pending:
        place = state.seats[decision.seat]
        if place.bot and not is_gone(place) and (decision.seat, decision.id) not in tried:
            return decision
    return None


async def let_volunteer(tables: TableService, game: str, state: TableState, tried: Tried) -> bool:
    """Let one house bot take one optional action; returns whether this call executed a command.

    All bots take their optional actions before any of them answers a decision, so what a bot does
    depends on the game alone, not on which seat the workers ask first.
    """
    for seat in sorted(state.seats):
        act = await _unasked(tables, game, state, seat, tried)
        if act is not None:
            tried.add((seat, act[0]))
            if await _give(tables, game, state, seat, *act):
                return True
    return False


async def _unasked(
    tables: TableService, game: str, state: TableState, seat: Seat, tried: Tried
) -> tuple[str, str] | None:
    """The optional action that a seat's bot chooses from the seat's view: (decision, option)."""
    name = state.seats[seat].bot
    bot = None if name is None else tables.game_registry.bot(state.game, name)
    volunteer = None if bot is None else bot.volunteer
    mute = is_gone(state.seats[seat]) or (seat, _UNASKED) in tried
    if volunteer is None or mute or state.key is None:
        return None
    view = (await tables.view(game, tables.viewer(state, seat))).state
    found = [d for d in tables.table.decisions(view, seat) if d.optional]
    may = [d for d in found if (seat, d.id) not in tried]
    try:
        return volunteer(view, may, bot_seed(state.key, seat, _UNASKED))
    except Exception as error:  # noqa: BLE001 (as for a choice; and it is not asked again)
        _tell_of_failure(game, state, seat, error)
        tried.add((seat, _UNASKED))
        return None


async def let_play(tables: TableService, game: str, state: TableState, asked: Decision) -> bool:
    """Let a seat's bot choose from the seat's view; whether this call executed a command."""
    seat, place = asked.seat, state.seats[asked.seat]
    view = await tables.view(game, tables.viewer(state, seat))
    decision = next((d for d in tables.table.decisions(view.state, seat) if d.id == asked.id), None)
    bot = tables.game_registry.bot(state.game, place.bot or "")
    if decision is None or bot is None or state.key is None:
        _log.info("bot_not_asked", game=game, seat=seat, bot=place.bot)
        return False
    try:
        seed = seed_of_choice(tables.keys, game, state.key, decision)
        option = bot.choose(view.state, decision, seed)
    except Exception as error:  # noqa: BLE001 (a bot that fails runs out of time like any player)
        _tell_of_failure(game, state, seat, error)
        return False
    return await _give(tables, game, state, seat, decision.id, option)


def seed_of_choice(keys: KeyRing, game: str, game_key: str, decision: Decision) -> str:
    """The seed of a house bot's choice.

    What is kept and never counts must stay secret for ever, so its seed follows from a key that
    is never published; all others anybody can work out once the game has ended.
    """
    key = keys.kept_key(game).hex() if decision.kept is True else game_key
    return bot_seed(key, decision.seat, decision.id)


async def _give(
    tables: TableService, game: str, state: TableState, seat: Seat, decision: str, option: str
) -> bool:
    """Submit a bot's choice; returns whether this call executed it."""
    place = state.seats[seat]
    try:
        receipt = await tables.choose(
            game,
            seat,
            decision,
            option,
            actor=Actor("bot", place.player),
            command_id=f"bot:{game}:s{seat}:{decision}",
            digest="bot-choice",
        )
    except Rejected as refusal:
        _log.warning("bot_refused", game=game, seat=seat, bot=place.bot, code=refusal.code)
        return False
    except StoreFull:
        _log.info("bot_waits_for_room", game=game, seat=seat, bot=place.bot)
        return False
    return not receipt.again


def _tell_of_failure(game: str, state: TableState, seat: Seat, error: Exception) -> None:
    """Log that a bot has failed, without the error's message: it may hold what the seat knows."""
    failure = type(error).__name__
    _log.error("bot_failed", game=game, seat=seat, bot=state.seats[seat].bot, error=failure)
