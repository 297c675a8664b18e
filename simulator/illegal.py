"""Illegal commands of every kind, each with the code it must be refused with.

The codes here are worked out from the table's words alone (its phase, who sits where, what is
asked), not by the engine: a probe and the engine must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from msgspec import UNSET, Struct
from msgspec.structs import replace

from events.kernel import Actor, Command, Decision, Rejected, Seat, TimestampMs, Working
from games.contract import TimeControl
from games.dispatch import evolve_by
from games.table.checks import TableCode
from games.table.events import (
    AnnulTable,
    Choose,
    ChooseSecretly,
    Delay,
    ExtendTime,
    HoldTable,
    InspectGame,
    LeaveSeat,
    OpenTable,
    PauseTable,
    ResumeTable,
    SayPhrase,
    StartTable,
    TakeSeat,
    TimeOut,
)
from games.table.inspections import inspection_of
from games.table.pause_events import EndPause, ProposePause, VoteOnPause
from games.table.state import Restored, TableState
from simulator.plans import BOT
from simulator.run import AUDITOR, DIRECTOR, HOST, WORKER, AnyRun, choice, option_ids, require

STRANGER: Final = Actor("player", "stranger")
UNKNOWN_GAME: Final = "unknown-game"
LONG: Final = "x" * 201
LOOK: Final = inspection_of("full", "complaint", 900)


class IllegalCommand(NamedTuple):
    """A command that must be refused with one of ``codes``, given at ``now`` or at once."""

    command: Command
    actor: Actor
    codes: tuple[str, ...]
    now: TimestampMs | None = None


WrongOpening = tuple[Mapping[str, Any], str]
"""What to change of an opening, and the code that refuses it."""


class GameProbes(Struct, frozen=True, kw_only=True):
    """What only one game knows of illegal commands.

    ``openings``: what may be wrong with the opening of a plan. ``wishes``: wishes that a free seat
    of an open table does not get. ``choices``: what a seat of a running game may not choose.
    ``stray``: the code with which the game itself refuses a decision that is not open.
    """

    openings: Callable[[Any], Sequence[WrongOpening]]
    wishes: Callable[[Any, Random], Iterator[IllegalCommand]]
    choices: Callable[[Any, Random, Seat], Iterator[IllegalCommand]]
    stray: str


def probe_some(match: AnyRun, rng: Random, count: int, probes: GameProbes) -> None:
    """Give ``count`` illegal commands that the state of the table makes possible.

    Raises:
        PropertyBroken: the table does not refuse one of them as it should.
    """
    found = list(_probes(match, rng, probes))
    for probe in rng.sample(found, min(count, len(found))):
        match.refuse(probe.command, probe.actor, probe.codes, probe.now)


def probe_inspections(match: AnyRun) -> None:
    """Try to inspect a table at which no game runs. It takes no lot, so it changes no game.

    Raises:
        PropertyBroken: the table does not refuse.
    """
    code = TableCode.GAME_OVER if match.state.phase == "finished" else TableCode.GAME_NOT_LIVE
    for probe in _of_no_inspection(code):
        match.refuse(probe.command, probe.actor, probe.codes, probe.now)


def _probes(match: AnyRun, rng: Random, probes: GameProbes) -> Iterator[IllegalCommand]:
    state = match.state
    for command in (
        PauseTable(),
        ResumeTable(),
        HoldTable(known=9, kept=8, epoch=2),
        ExtendTime(seconds=5),
        AnnulTable(reason="dispute"),
    ):
        yield IllegalCommand(command, rng.choice((WORKER, STRANGER)), (TableCode.NOT_THE_DIRECTOR,))
    by_phase: dict[str, Callable[[AnyRun, Random, GameProbes], Iterator[IllegalCommand]]] = {
        "open": _while_open,
        "live": _while_live if state.paused_at is None else _while_paused,
        "finished": _after_the_end,
    }
    yield from by_phase[state.phase](match, rng, probes)


def _of_a_game(code: str, match: AnyRun) -> Iterator[IllegalCommand]:
    """Commands that a running game takes, where none runs."""
    yield IllegalCommand(Choose(seat=1, decision="resign-s1", option="resign"), STRANGER, (code,))
    yield IllegalCommand(
        ChooseSecretly(seat=1, decision="secret-s1", option="any"), STRANGER, (code,)
    )
    yield IllegalCommand(TimeOut(key="any"), WORKER, (code,))
    if match.state.pauses_held.running is None:  # which the director may take over
        yield IllegalCommand(PauseTable(), DIRECTOR, (code,))
    yield IllegalCommand(ProposePause(seat=1, minutes=5), STRANGER, (code,))
    yield IllegalCommand(VoteOnPause(seat=1, vote="agree"), STRANGER, (code,))
    yield IllegalCommand(ExtendTime(seconds=match.plan.seats), DIRECTOR, (code,))


def _of_an_open_table(match: AnyRun) -> Iterator[IllegalCommand]:
    """Commands that an open table takes, after the game has begun."""
    code = (TableCode.TABLE_NOT_OPEN,)
    yield IllegalCommand(TakeSeat(), STRANGER, code)
    yield IllegalCommand(LeaveSeat(seat=1), Actor("player", HOST), code)
    yield IllegalCommand(StartTable(), Actor("player", HOST), code)
    yield IllegalCommand(opening(match), Actor("player", HOST), (TableCode.TABLE_EXISTS,))


# --- before the table is open ---


def opening(match: AnyRun, **changes: Any) -> OpenTable:  # noqa: ANN401 (fields of OpenTable)
    """The command that opens the table of a plan, or one that differs from it."""
    plan = match.plan
    command = OpenTable(
        game=match.rules.id,
        rulebook=plan.rulebook,
        mode=plan.mode,
        seats=plan.seats,
        options=plan.options,
        time=plan.time,
        visibility=plan.visibility,
        start=plan.start,
        invited=tuple(f"player{n}" for n in range(2, plan.seats + 1)),
        key=plan.key,
        situation=UNSET if plan.situation is None else plan.situation,
    )
    return replace(command, **changes)


def _bad_times(waits: Sequence[str]) -> tuple[TimeControl, ...]:
    """Time controls that no table has, by the names of a game's classes of waits."""
    return (
        TimeControl(limits_s={waits[0]: 0}),
        TimeControl(limits_s={waits[-1]: 14 * 24 * 3600 + 1}),
        TimeControl(limits_s={"no-such-wait": 60}),
        TimeControl(absent_after=0),
        TimeControl(absent_after=101),
        TimeControl(bot_pace_ms=-1),
        TimeControl(bot_pace_ms=60_001),
    )


BAD_DELAYS: Final = (
    Delay(),
    Delay(turns=1, seconds=60),
    Delay(turns=0),
    Delay(turns=101),
    Delay(seconds=0),
    Delay(seconds=-5),
)

BAD_TOURNAMENTS: Final = ("", "Spring", "spring cup", "spring--cup", "-spring", "spring-", "a" * 41)

NO_GAME: Final[WrongOpening] = ({"game": "chess"}, UNKNOWN_GAME)


def probe_openings(match: AnyRun, rng: Random, count: int, probes: GameProbes) -> None:
    """Try to open tables that cannot be, and to use a table that is not there yet."""
    host = Actor("player", HOST)
    found = [
        IllegalCommand(opening(match, time=bad), host, (TableCode.BAD_TIME_CONTROL,))
        for bad in _bad_times(list(match.rules.waits))
    ]
    found += [
        IllegalCommand(opening(match, delay=bad), host, (TableCode.BAD_DELAY,))
        for bad in BAD_DELAYS
    ]
    found += [
        IllegalCommand(opening(match, tournament=bad), host, (TableCode.BAD_TOURNAMENT,))
        for bad in BAD_TOURNAMENTS
    ]
    wrong = (NO_GAME, *probes.openings(match.plan))
    found += [IllegalCommand(opening(match, **bad), host, (code,)) for bad, code in wrong]
    found += _of_a_game(TableCode.GAME_NOT_LIVE, match)
    found.append(IllegalCommand(TakeSeat(), STRANGER, (TableCode.TABLE_NOT_OPEN,)))
    found.append(IllegalCommand(ResumeTable(), DIRECTOR, (TableCode.TABLE_NOT_PAUSED,)))
    for probe in rng.sample(found, min(count, len(found))):
        match.refuse(probe.command, probe.actor, probe.codes)


# --- while people sit down ---


def _while_open(match: AnyRun, rng: Random, probes: GameProbes) -> Iterator[IllegalCommand]:
    state = match.state
    host = Actor("player", HOST)
    yield from _of_a_game(TableCode.GAME_NOT_LIVE, match)
    yield IllegalCommand(ResumeTable(), DIRECTOR, (TableCode.TABLE_NOT_PAUSED,))
    yield IllegalCommand(opening(match), host, (TableCode.TABLE_EXISTS,))
    yield IllegalCommand(TakeSeat(entropy=LONG), STRANGER, (TableCode.BAD_ENTROPY,))
    yield IllegalCommand(TakeSeat(bot=BOT), STRANGER, (TableCode.NOT_THE_HOST,))
    yield IllegalCommand(TakeSeat(bot=BOT, entropy="dice"), host, (TableCode.BOT_WITH_ENTROPY,))
    yield IllegalCommand(TakeSeat(bot="genius"), host, (TableCode.UNKNOWN_BOT,))
    if state.visibility == "private":
        yield IllegalCommand(TakeSeat(), STRANGER, (TableCode.NOT_INVITED,))
    yield from _with_seats(state, rng)
    yield from _at_the_start(state, rng)
    if len(state.seats) < state.seat_count:
        yield from probes.wishes(match, rng)


def _with_seats(state: TableState, rng: Random) -> Iterator[IllegalCommand]:
    host = Actor("player", HOST)
    free = [n for n in range(1, state.seat_count + 1) if n not in state.seats]
    people = [s.player for s in state.seats.values() if s.bot is None]
    seat_a_bot = TakeSeat(bot=BOT)
    if state.programs is False:
        yield IllegalCommand(seat_a_bot, host, (TableCode.NO_PROGRAMS,))
    elif not free:
        yield IllegalCommand(seat_a_bot, host, (TableCode.NO_FREE_SEAT,))
    else:
        yield IllegalCommand(LeaveSeat(seat=rng.choice(free)), host, (TableCode.UNKNOWN_SEAT,))
        for wrong in (0, state.seat_count + 1):
            yield IllegalCommand(replace(seat_a_bot, seat=wrong), host, (TableCode.UNKNOWN_SEAT,))
        for taken in state.seats:
            yield IllegalCommand(replace(seat_a_bot, seat=taken), host, (TableCode.SEAT_TAKEN,))
    for player in people:
        yield IllegalCommand(TakeSeat(), Actor("player", player), (TableCode.ALREADY_SEATED,))
    for taken in state.seats:
        yield IllegalCommand(LeaveSeat(seat=taken), STRANGER, (TableCode.NOT_YOUR_SEAT,))


def _at_the_start(state: TableState, rng: Random) -> Iterator[IllegalCommand]:
    people = [s for s in state.seats.values() if s.bot is None]
    if state.start == "ready":
        yield IllegalCommand(StartTable(), STRANGER, (TableCode.NOT_SEATED,))
        ready = [s.player for s in people if s.ready]
        if ready:
            yield IllegalCommand(
                StartTable(), Actor("player", rng.choice(ready)), (TableCode.ALREADY_READY,)
            )
        return
    yield IllegalCommand(StartTable(), STRANGER, (TableCode.NOT_THE_HOST,))
    if len(state.seats) < state.seat_count:
        yield IllegalCommand(StartTable(), Actor("player", HOST), (TableCode.TABLE_NOT_FULL,))


# --- while the game runs ---


def _while_live(match: AnyRun, rng: Random, probes: GameProbes) -> Iterator[IllegalCommand]:
    state = match.state
    clock = state.clock
    yield from _of_an_open_table(match)
    yield from _of_inspections(match)
    yield IllegalCommand(ResumeTable(), DIRECTOR, (TableCode.TABLE_NOT_PAUSED,))
    for seconds in (0, -5, 24 * 3600 + 1):
        yield IllegalCommand(ExtendTime(seconds=seconds), DIRECTOR, (TableCode.BAD_EXTENSION,))
    yield IllegalCommand(TimeOut(key="never"), WORKER, (TableCode.NOTHING_DUE,))
    yield IllegalCommand(EndPause(pause=1), WORKER, (TableCode.NOTHING_DUE,))
    for command in (ProposePause(seat=1, minutes=5), VoteOnPause(seat=1, vote="agree")):
        yield IllegalCommand(command, STRANGER, (TableCode.NOT_YOUR_SEAT,))
    resume = VoteOnPause(seat=1, vote="resume")
    yield IllegalCommand(resume, STRANGER, (TableCode.TABLE_NOT_PAUSED,))
    yield from _wrong_phrases(match, rng)
    yield IllegalCommand(
        Choose(seat=0, decision="d", option="o"), STRANGER, (TableCode.UNKNOWN_SEAT,)
    )
    if clock is not None:
        late = max(clock.due + 1, match.now)
        yield IllegalCommand(ExtendTime(seconds=5), DIRECTOR, (TableCode.DEADLINE_PASSED,), late)
        if not all(match.is_gone(d.seat) for d in match.pending()):
            early = max(clock.since, clock.due + rng.randrange(250))
            yield IllegalCommand(TimeOut(key=clock.key), WORKER, (TableCode.NOT_DUE_YET,), early)
        for decision in match.pending():
            yield from _late(match, decision, late)
    yield from _choices(match, rng, probes)


def _wrong_phrases(match: AnyRun, rng: Random) -> Iterator[IllegalCommand]:
    """Phrases that the game does not have, or not with such a target, or to nobody."""
    people = [n for n, place in sorted(match.state.seats.items()) if place.bot is None]
    aims = match.rules.phrases.aims
    if not people or not aims:
        return
    seat, phrase = rng.choice(people), rng.choice(sorted(aims))
    said, actor = SayPhrase(seat=seat, phrase=phrase), match.actor(seat)
    unfit, nobody = (TableCode.PHRASE_TARGET_NOT_ALLOWED,), (TableCode.PHRASE_TO_NOBODY,)
    both = replace(said, place="r0c0", to=seat)
    yield IllegalCommand(replace(said, phrase="hello"), actor, (TableCode.UNKNOWN_PHRASE,))
    yield IllegalCommand(both, actor, unfit)
    for aim, aimed in (
        ("nothing", said),
        ("seat", replace(said, to=match.state.seat_count + 1)),
        ("place", replace(said, place="nowhere")),
    ):
        if aim not in aims[phrase]:
            yield IllegalCommand(aimed, actor, nobody if aim == "nothing" else unfit)
        elif aim != "nothing":
            yield IllegalCommand(aimed, actor, nobody)


def _late(match: AnyRun, decision: Decision, late: TimestampMs) -> Iterator[IllegalCommand]:
    if not match.state.seats[decision.seat].resigned:
        command = choice(decision, decision.options[0].id)
        yield IllegalCommand(
            command, match.actor(decision.seat), (TableCode.DEADLINE_PASSED,), late
        )


def _choices(match: AnyRun, rng: Random, probes: GameProbes) -> Iterator[IllegalCommand]:
    """Choices of others, of nothing that is open, of nothing offered, and in the wrong form."""
    state = match.state
    for seat, place in state.seats.items():
        actor = match.actor(seat)
        wrong = Actor("player" if actor.kind == "bot" else "bot", actor.id)
        for decision in rng.sample(found := match.decisions(seat), min(2, len(found))):
            command = choice(decision, rng.choice(option_ids(decision)))
            for other in (STRANGER, wrong):
                yield IllegalCommand(command, other, (TableCode.NOT_YOUR_SEAT,))
            yield from _malformed(command, decision, actor)
            for n in state.seats:
                if n != seat:
                    swapped = replace(command, seat=n)
                    yield IllegalCommand(swapped, match.actor(n), (TableCode.DECISION_NOT_OPEN,))
        yield from probes.choices(match, rng, seat)
        if place.resigned:
            gone = Choose(seat=seat, decision=f"resign-s{seat}", option="resign")
            yield IllegalCommand(gone, actor, (TableCode.DECISION_NOT_OPEN,))


def _malformed(
    command: Choose | ChooseSecretly, decision: Decision, actor: Actor
) -> Iterator[IllegalCommand]:
    for wrong in (decision.id + "x", decision.id[:-1], "", decision.kind):
        probe = replace(command, decision=wrong)
        if wrong != decision.id:
            yield IllegalCommand(probe, actor, (TableCode.DECISION_NOT_OPEN,))
    for wrong in (f"{command.option}x", str(command.option)[:-1], "", "any+any", "r9c9"):
        if wrong not in option_ids(decision):
            yield IllegalCommand(
                replace(command, option=wrong), actor, (TableCode.OPTION_NOT_OFFERED,)
            )
    seat, name, option = command.seat, command.decision, str(command.option)
    if isinstance(command, ChooseSecretly):
        public = Choose(seat=seat, decision=name, option=option)
        yield IllegalCommand(public, actor, (TableCode.CHOICE_NOT_PUBLIC,))
    else:
        secret = ChooseSecretly(seat=seat, decision=name, option=option)
        yield IllegalCommand(secret, actor, (TableCode.CHOICE_NOT_SECRET,))


def probe_game(match: AnyRun, probes: GameProbes) -> None:
    """Ask the game itself, past the table, for a decision that is not open.

    Raises:
        PropertyBroken: it does not refuse.
    """
    game = match.rules.decider
    work = Working(evolve_by(game.recorders), game.copy(match.play), match.context(WORKER))
    try:
        game.choose(work, Decision(id="nothing", kind="nothing", seat=1, options=()), "at all")
    except Rejected as refusal:
        require(refusal.code == probes.stray, f"the game said {refusal.code}")
        require(not work.events, "the game refused and made events")
        match.asides.append(str(refusal.code))
    else:
        require(holds=False, text="the game took a decision that is not open")


def _of_inspections(match: AnyRun) -> Iterator[IllegalCommand]:
    """Looks at a running game that nobody may take, or that are not padded."""
    for other in (WORKER, STRANGER, DIRECTOR):
        yield IllegalCommand(LOOK, other, (TableCode.NOT_AN_AUDITOR,))
    player = next((p.player for p in match.state.seats.values() if p.bot is None), None)
    if player is not None:
        yield IllegalCommand(LOOK, Actor("auditor", player), (TableCode.INSPECTION_BY_PLAYER,))
    elsewhere = inspection_of("seat:99", "complaint", 900)
    yield IllegalCommand(elsewhere, AUDITOR, (TableCode.UNKNOWN_SEAT,))
    for wrong in (
        InspectGame(seconds=900, eyes="full", reason=LOOK.reason),
        InspectGame(seconds=900, eyes=LOOK.eyes, reason="complaint"),
        InspectGame(seconds=0, eyes=LOOK.eyes, reason=LOOK.reason),
    ):
        yield IllegalCommand(wrong, AUDITOR, (TableCode.BAD_INSPECTION,))


def _of_no_inspection(code: str) -> Iterator[IllegalCommand]:
    """Looks at a game that does not run: its table is open, or it is over, or annulled."""
    for other in (WORKER, STRANGER, DIRECTOR):
        yield IllegalCommand(LOOK, other, (TableCode.NOT_AN_AUDITOR,))
    for look in (
        LOOK,
        inspection_of("seat:1", "complaint", 1),
        InspectGame(seconds=0, eyes="", reason=""),
    ):
        yield IllegalCommand(look, AUDITOR, (code,))


# --- while it is paused, and after its end ---


def _while_paused(match: AnyRun, _: Random, __: GameProbes) -> Iterator[IllegalCommand]:
    code = TableCode.GAME_HELD if match.state.is_held else TableCode.TABLE_PAUSED
    yield from _of_a_game(code, match)
    yield from _of_an_open_table(match)
    if match.state.clock is not None:
        yield IllegalCommand(TimeOut(key=match.state.clock.key), WORKER, (code,))
    yield from _of_the_store(match)


def _of_the_store(match: AnyRun) -> Iterator[IllegalCommand]:
    """That a part of a running game is lost, where none is, or none any more."""
    restored = match.state.restored
    if isinstance(restored, Restored):
        again = HoldTable(known=9, kept=8, epoch=restored.epoch)
        yield IllegalCommand(again, DIRECTOR, (TableCode.RESTORED_BEFORE,))
    else:
        yield IllegalCommand(
            HoldTable(known=8, kept=8, epoch=2), DIRECTOR, (TableCode.NOTHING_LOST,)
        )


def _after_the_end(match: AnyRun, _: Random, __: GameProbes) -> Iterator[IllegalCommand]:
    yield from _of_a_game(TableCode.GAME_OVER, match)
    yield from _of_an_open_table(match)
    yield from _of_no_inspection(TableCode.GAME_OVER)
    yield IllegalCommand(ResumeTable(), DIRECTOR, (TableCode.GAME_OVER,))
    yield IllegalCommand(HoldTable(known=9, kept=8, epoch=2), DIRECTOR, (TableCode.GAME_OVER,))
    yield IllegalCommand(AnnulTable(reason="other"), DIRECTOR, (TableCode.GAME_OVER,))
