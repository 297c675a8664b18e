"""How a table fills: opening, sitting down and up again, readiness, house bots, the start."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from events.kernel import Actor, Seat
from games.table.checks import LEAVINGS_MAX, TableCode
from games.table.events import (
    AnnulTable,
    CloseTable,
    DeclineInvitation,
    InvitePlayers,
    LeaveSeat,
    StartTable,
    TakeSeat,
    WithdrawInvitation,
)
from simulator.chance import chance
from simulator.illegal import (
    STRANGER,
    GameProbes,
    opening,
    probe_inspections,
    probe_openings,
    probe_some,
)
from simulator.plans import BOT
from simulator.run import DIRECTOR, HOST, AnyRun

HESITATION: Final = 0.1
"""How often somebody stands up again before the game begins."""

RESTLESS_EVERY: Final = 150
"""Once in so many seats somebody stands up as often as a table allows."""

TRIED: Final = 2
"""Illegal commands tried after each step of the seating."""

Wish = Callable[[Any, Random], tuple[str, ...]]
"""``wish(match, rng)`` is what a seat may surely ask for in the game; nothing: what it gets."""


def seat_all(match: AnyRun, rng: Random, probes: GameProbes, wish: Wish) -> bool:
    """Open the table and fill it until the game begins; False if it was annulled before."""
    probe_openings(match, rng, TRIED, probes)
    # Chance of its own: what a seed leads to in the game does not depend on who else was invited.
    luck = chance("invitations", match.plan.key)
    people_only = not match.plan.bots and luck.randrange(4) == 0
    match.give(opening(match, programs=not people_only), Actor("player", HOST))
    _invite(match, luck)
    probe_inspections(match)
    if rng.random() < match.plan.temper.annul:
        if luck.randrange(2):
            match.give(CloseTable(), Actor("player", HOST))
        else:
            match.give(AnnulTable(reason="unbegun"), DIRECTOR)
        probe_inspections(match)
        return False
    seats = list(range(1, match.plan.seats + 1))
    rng.shuffle(seats)
    for seat in seats:
        probe_some(match, rng, TRIED, probes)
        _sit(match, rng, seat, wish)
        if match.state.phase == "open" and luck.randrange(RESTLESS_EVERY) == 0:
            _stand_up_again_and_again(match, seat)
        begun = match.state.phase != "open"
        _refuse_guests(match, TableCode.TABLE_NOT_OPEN if begun else TableCode.PLAYER_SEATED)
        restless = match.state.phase == "open" and rng.random() < HESITATION
        if restless and match.state.leavings < LEAVINGS_MAX:
            _hesitate(match, rng, seat, wish)
    _start(match, rng, probes)
    return True


def _invite(match: AnyRun, luck: Random) -> None:
    """Invite somebody more, who declines or is uninvited again; and what is refused about that."""
    host, guest = Actor("player", HOST), Actor("player", "guest")
    few, invited = 50, match.state.invited
    ask = InvitePlayers(players=("guest",), limit=few)
    match.refuse(ask, STRANGER, (TableCode.NOT_THE_HOST,))
    match.refuse(CloseTable(), STRANGER, (TableCode.NOT_THE_HOST,))
    match.refuse(
        InvitePlayers(players=("guest",), limit=0), host, (TableCode.TOO_MANY_INVITATIONS,)
    )
    match.refuse(DeclineInvitation(), guest, (TableCode.UNKNOWN_INVITATION,))
    if invited:
        again = InvitePlayers(players=(luck.choice(invited),), limit=few)
        match.refuse(again, host, (TableCode.ALREADY_INVITED,))
    if luck.randrange(4):
        return
    match.give(ask, host)
    match.refuse(WithdrawInvitation(player="guest"), STRANGER, (TableCode.NOT_THE_HOST,))
    if luck.randrange(2):
        match.give(DeclineInvitation(), guest)
    else:
        match.give(WithdrawInvitation(player="guest"), host)


def _refuse_guests(match: AnyRun, code: str) -> None:
    """Nobody who sits at the table is invited, and to a table that has begun nobody is."""
    seated = next((s.player for s in match.state.seats.values() if s.bot is None), None)
    if seated is not None:
        command = InvitePlayers(players=(seated,), limit=50)
        match.refuse(command, Actor("player", HOST), (code,))


def _sit(match: AnyRun, rng: Random, seat: Seat, wish: Wish) -> None:
    match.now += rng.randrange(5_000)
    entropy = rng.choice(("", "dice", "Kaffeesatz"))
    characters = wish(match, rng)
    if seat in match.plan.bots:
        command = TakeSeat(seat=seat, bot=BOT, characters=characters)
        match.give(command, Actor("player", HOST))
        return
    program = chance("program", match.plan.key, seat).randrange(4) == 0
    command = TakeSeat(
        seat=seat,
        characters=characters,
        entropy=entropy,
        program=program and match.state.programs is not False,
    )
    match.give(command, Actor("player", f"player{seat}"))


def _hesitate(match: AnyRun, rng: Random, seat: Seat, wish: Wish) -> None:
    """Stand up, by one's own will or the host's, and sit down again."""
    place = match.state.seats[seat]
    by_host = place.bot is not None or rng.randrange(2)
    if match.state.start == "ready" and place.bot is None and rng.randrange(2):
        match.give(StartTable(), Actor("player", place.player))
    if match.state.phase == "open":
        match.give(LeaveSeat(seat=seat), Actor("player", HOST if by_host else place.player))
        _sit(match, rng, seat, wish)


def _stand_up_again_and_again(match: AnyRun, seat: Seat) -> None:
    """Give a seat up and take it again until the table has had enough of it."""
    host, place = Actor("player", HOST), match.state.seats[seat]
    again = TakeSeat(seat=seat, bot=place.bot, characters=place.characters)
    actor = host if place.bot is not None else Actor("player", place.player)
    while match.state.leavings < LEAVINGS_MAX:
        match.give(LeaveSeat(seat=seat), host)
        match.give(again, actor)
    match.refuse(LeaveSeat(seat=seat), host, (TableCode.TOO_MANY_LEAVINGS,))


def _start(match: AnyRun, rng: Random, probes: GameProbes) -> None:
    """Bring the table to its start by whichever way it is opened with."""
    state = match.state
    if state.phase == "open" and state.start == "host":
        probe_some(match, rng, TRIED, probes)
        match.give(StartTable(), Actor("player", HOST))
    people = [s.player for s in match.state.seats.values() if s.bot is None]
    for player in rng.sample(people, len(people)):
        if match.state.phase == "open" and match.state.start == "ready":
            match.give(StartTable(), Actor("player", player))
            probe_some(match, rng, 1, probes)
