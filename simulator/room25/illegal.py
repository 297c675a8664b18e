"""Illegal commands of every kind, each with the code it must be refused with.

The codes here are worked out from the table's words alone (its phase, who sits where, what is
asked), not by the engine: a probe and the engine must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from events.kernel import Actor, Command, Decision, Millis, Rejected, Working
from games.contract import TimeControl
from games.inspecting import inspection_of
from games.room25 import ROOM25
from games.room25 import Code as Rule
from games.room25.editions import RULEBOOKS
from games.table import Code
from games.table_events import (
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
    StartTable,
    TakeSeat,
    TimeOut,
)
from games.table_state import Restored, TableState
from ops.fuzzing.foreign import foreign_openings
from ops.fuzzing.match import AUDITOR, DIRECTOR, HOST, WORKER, Match, choice, option_ids, require
from ops.fuzzing.plans import BOT

STRANGER: Final = Actor("player", "stranger")
UNKNOWN_GAME: Final = "unknown-game"
LONG: Final = "x" * 201
LOOK: Final = inspection_of("full", "complaint", 900)


class Probe(NamedTuple):
    """A command that must be refused with one of ``codes``, given at ``now`` or at once."""

    command: Command
    actor: Actor
    codes: tuple[str, ...]
    now: Millis | None = None


def probe_some(match: Match, rng: Random, count: int) -> None:
    """Give ``count`` illegal commands that the state of the table makes possible.

    Raises:
        Broken: the table does not refuse one of them as it should.
    """
    found = list(_probes(match, rng))
    for probe in rng.sample(found, min(count, len(found))):
        match.refuse(probe.command, probe.actor, probe.codes, probe.now)


def probe_inspections(match: Match) -> None:
    """Try to inspect a table at which no game runs. It takes no lot, so it changes no game.

    Raises:
        Broken: the table does not refuse.
    """
    code = Code.GAME_OVER if match.state.phase == "finished" else Code.GAME_NOT_LIVE
    for probe in _of_no_inspection(code):
        match.refuse(probe.command, probe.actor, probe.codes, probe.now)


def _probes(match: Match, rng: Random) -> Iterator[Probe]:
    state = match.state
    for command in (
        PauseTable(),
        ResumeTable(),
        HoldTable(known=9, kept=8, epoch=2),
        ExtendTime(seconds=5),
        AnnulTable(reason="dispute"),
    ):
        yield Probe(command, rng.choice((WORKER, STRANGER)), (Code.NOT_THE_DIRECTOR,))
    by_phase: dict[str, Callable[[Match, Random], Iterator[Probe]]] = {
        "open": _while_open,
        "live": _while_live if state.paused_at is None else _while_paused,
        "finished": _after_the_end,
    }
    yield from by_phase[state.phase](match, rng)


def _of_a_game(code: str, match: Match) -> Iterator[Probe]:
    """Commands that a running game takes, where none runs."""
    yield Probe(Choose(seat=1, decision="resign-s1", option="resign"), STRANGER, (code,))
    yield Probe(ChooseSecretly(seat=1, decision="clue-s1", option="r1c2"), STRANGER, (code,))
    yield Probe(TimeOut(key="clue"), WORKER, (code,))
    yield Probe(PauseTable(), DIRECTOR, (code,))
    yield Probe(ExtendTime(seconds=match.plan.seats), DIRECTOR, (code,))


def _of_an_open_table(match: Match) -> Iterator[Probe]:
    """Commands that an open table takes, after the game has begun."""
    code = (Code.TABLE_NOT_OPEN,)
    yield Probe(TakeSeat(), STRANGER, code)
    yield Probe(LeaveSeat(seat=1), Actor("player", HOST), code)
    yield Probe(StartTable(), Actor("player", HOST), code)
    yield Probe(opening(match), Actor("player", HOST), (Code.TABLE_EXISTS,))


# --- before the table is open ---


def opening(match: Match, **changes: Any) -> OpenTable:  # noqa: ANN401 (fields of OpenTable)
    """The command that opens the table of a plan, or one that differs from it."""
    plan = match.plan
    command = OpenTable(
        game=ROOM25.id,
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


BAD_TIMES: Final = (
    TimeControl(limits_s={"programming": 0}),
    TimeControl(limits_s={"decision": 14 * 24 * 3600 + 1}),
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

BAD_OPENINGS: Final[tuple[tuple[Mapping[str, Any], str], ...]] = (
    ({"game": "chess"}, UNKNOWN_GAME),
    ({"rulebook": "second_edition"}, Rule.UNKNOWN_RULEBOOK),
    ({"mode": "tournament"}, Rule.UNKNOWN_MODE),
    ({"seats": 0}, Rule.BAD_SEAT_COUNT),
    ({"seats": 9}, Rule.BAD_SEAT_COUNT),
    ({"options": {"jokers": True}}, Rule.UNKNOWN_OPTION),
    ({"options": {"composition": 1}}, Rule.BAD_OPTION),
    ({"options": {"composition": "empty"}}, Rule.BAD_OPTION),
    ({"options": {"rooms": {"empty": 25}}}, Rule.BAD_COMPOSITION),
    ({"options": {"composition": "custom"}}, Rule.BAD_COMPOSITION),
    ({"options": {"composition": "custom", "rooms": [1]}}, Rule.BAD_COMPOSITION),
    ({"options": {"composition": "custom", "rooms": {"empty": 24}}}, Rule.BAD_COMPOSITION),
    (
        {"options": {"composition": "custom", "rooms": {"empty": 8, "central": 1, "room25": 1}}},
        Rule.BAD_COMPOSITION,
    ),
    ({"situation": {"turn": 3}}, Rule.MALFORMED_SCENARIO),
    ({"situation": {"characters": {}, "weather": "fine"}}, Rule.MALFORMED_SCENARIO),
    ({"situation": {"characters": {}}}, Rule.IMPOSSIBLE_SCENARIO),
    ({"situation": {"characters": {}, "robots": ["r1c1"]}}, Rule.IMPOSSIBLE_SCENARIO),
    ({"situation": {"characters": {}, "rest": "ballroom"}}, Rule.IMPOSSIBLE_SCENARIO),
)
"""What may be wrong with an opening, and the code that says so; plans vary the rest."""


def probe_openings(match: Match, rng: Random, count: int) -> None:
    """Try to open tables that cannot be, and to use a table that is not there yet."""
    host = Actor("player", HOST)
    found = [Probe(opening(match, time=bad), host, (Code.BAD_TIME_CONTROL,)) for bad in BAD_TIMES]
    found += [Probe(opening(match, delay=bad), host, (Code.BAD_DELAY,)) for bad in BAD_DELAYS]
    wrong = (*BAD_OPENINGS, *foreign_openings(match.plan))
    found += [Probe(opening(match, **bad), host, (code,)) for bad, code in wrong]
    found += _of_a_game(Code.GAME_NOT_LIVE, match)
    found.append(Probe(TakeSeat(), STRANGER, (Code.TABLE_NOT_OPEN,)))
    found.append(Probe(ResumeTable(), DIRECTOR, (Code.TABLE_NOT_PAUSED,)))
    for probe in rng.sample(found, min(count, len(found))):
        match.refuse(probe.command, probe.actor, probe.codes)


# --- while people sit down ---


def _while_open(match: Match, rng: Random) -> Iterator[Probe]:
    state = match.state
    host = Actor("player", HOST)
    yield from _of_a_game(Code.GAME_NOT_LIVE, match)
    yield Probe(ResumeTable(), DIRECTOR, (Code.TABLE_NOT_PAUSED,))
    yield Probe(opening(match), host, (Code.TABLE_EXISTS,))
    yield Probe(TakeSeat(entropy=LONG), STRANGER, (Code.BAD_ENTROPY,))
    yield Probe(TakeSeat(bot=BOT), STRANGER, (Code.NOT_THE_HOST,))
    yield Probe(TakeSeat(bot=BOT, entropy="dice"), host, (Code.BOT_WITH_ENTROPY,))
    yield Probe(TakeSeat(bot="genius"), host, (Code.UNKNOWN_BOT,))
    if state.visibility == "private":
        yield Probe(TakeSeat(), STRANGER, (Code.NOT_INVITED,))
    yield from _with_seats(state, rng)
    yield from _at_the_start(state, rng)
    if len(state.seats) < state.seat_count:
        yield from _casting(match, rng)


def _with_seats(state: TableState, rng: Random) -> Iterator[Probe]:
    host = Actor("player", HOST)
    free = [n for n in range(1, state.seat_count + 1) if n not in state.seats]
    people = [s.player for s in state.seats.values() if s.bot is None]
    seat_a_bot = TakeSeat(bot=BOT)
    if state.programs is False:
        yield Probe(seat_a_bot, host, (Code.NO_PROGRAMS,))
    elif not free:
        yield Probe(seat_a_bot, host, (Code.NO_FREE_SEAT,))
    else:
        yield Probe(LeaveSeat(seat=rng.choice(free)), host, (Code.UNKNOWN_SEAT,))
        for wrong in (0, state.seat_count + 1):
            yield Probe(replace(seat_a_bot, seat=wrong), host, (Code.UNKNOWN_SEAT,))
        for taken in state.seats:
            yield Probe(replace(seat_a_bot, seat=taken), host, (Code.SEAT_TAKEN,))
    for player in people:
        yield Probe(TakeSeat(), Actor("player", player), (Code.ALREADY_SEATED,))
    for taken in state.seats:
        yield Probe(LeaveSeat(seat=taken), STRANGER, (Code.NOT_YOUR_SEAT,))


def _at_the_start(state: TableState, rng: Random) -> Iterator[Probe]:
    people = [s for s in state.seats.values() if s.bot is None]
    if state.start == "ready":
        yield Probe(StartTable(), STRANGER, (Code.NOT_SEATED,))
        ready = [s.player for s in people if s.ready]
        if ready:
            yield Probe(StartTable(), Actor("player", rng.choice(ready)), (Code.ALREADY_READY,))
        return
    yield Probe(StartTable(), STRANGER, (Code.NOT_THE_HOST,))
    if len(state.seats) < state.seat_count:
        yield Probe(StartTable(), Actor("player", HOST), (Code.TABLE_NOT_FULL,))


def _casting(match: Match, rng: Random) -> Iterator[Probe]:
    """Wishes for characters that this seat may not have; a situation deals them itself."""
    state = match.state
    if state.scenario or state.programs is False:
        return
    host = Actor("player", HOST)
    wish = TakeSeat(bot=BOT)
    unknown = replace(wish, characters=("nobody",))
    yield Probe(unknown, host, (Rule.UNKNOWN_CHARACTER,))
    taken = [name for s in state.seats.values() for name in s.characters]
    if taken:
        yield Probe(replace(wish, characters=(rng.choice(taken),)), host, (Rule.CHARACTER_TAKEN,))
    known = RULEBOOKS[match.plan.rulebook].characters
    free = [name for name in known if name not in taken]
    too_many = replace(wish, characters=tuple(free[:5]))
    if len(free) >= 5:  # noqa: PLR2004 (nobody plays five)
        yield Probe(too_many, host, (Rule.CHARACTER_NOT_ALLOWED,))


# --- while the game runs ---


def _while_live(match: Match, rng: Random) -> Iterator[Probe]:
    state = match.state
    clock = state.clock
    yield from _of_an_open_table(match)
    yield from _of_inspections(match)
    yield Probe(ResumeTable(), DIRECTOR, (Code.TABLE_NOT_PAUSED,))
    for seconds in (0, -5, 24 * 3600 + 1):
        yield Probe(ExtendTime(seconds=seconds), DIRECTOR, (Code.BAD_EXTENSION,))
    yield Probe(TimeOut(key="never"), WORKER, (Code.NOTHING_DUE,))
    yield Probe(Choose(seat=0, decision="d", option="o"), STRANGER, (Code.UNKNOWN_SEAT,))
    if clock is not None:
        late = max(clock.due + 1, match.now)
        yield Probe(ExtendTime(seconds=5), DIRECTOR, (Code.DEADLINE_PASSED,), late)
        if not all(match.is_gone(d.seat) for d in match.pending()):
            early = max(clock.since, clock.due + rng.randrange(250))
            yield Probe(TimeOut(key=clock.key), WORKER, (Code.NOT_DUE_YET,), early)
        for decision in match.pending():
            yield from _late(match, decision, late)
    yield from _choices(match, rng)


def _late(match: Match, decision: Decision, late: Millis) -> Iterator[Probe]:
    if not match.state.seats[decision.seat].resigned:
        command = choice(decision, decision.options[0].id)
        yield Probe(command, match.actor(decision.seat), (Code.DEADLINE_PASSED,), late)


def _choices(match: Match, rng: Random) -> Iterator[Probe]:
    """Choices of others, of nothing that is open, of nothing offered, and in the wrong form."""
    state = match.state
    for seat, place in state.seats.items():
        actor = match.actor(seat)
        wrong = Actor("player" if actor.kind == "bot" else "bot", actor.id)
        for decision in rng.sample(found := match.decisions(seat), min(2, len(found))):
            command = choice(decision, rng.choice(option_ids(decision)))
            for other in (STRANGER, wrong):
                yield Probe(command, other, (Code.NOT_YOUR_SEAT,))
            yield from _malformed(command, decision, actor)
            for n in state.seats:
                if n != seat:
                    swapped = replace(command, seat=n)
                    yield Probe(swapped, match.actor(n), (Code.DECISION_NOT_OPEN,))
        if match.play.blocks_talk():
            claim = Choose(seat=seat, decision=f"claim-s{seat}-1", option="r0c0:red")
            yield Probe(claim, actor, (Code.DECISION_NOT_OPEN,))
        if place.resigned:
            gone = Choose(seat=seat, decision=f"resign-s{seat}", option="resign")
            yield Probe(gone, actor, (Code.DECISION_NOT_OPEN,))


def _malformed(
    command: Choose | ChooseSecretly, decision: Decision, actor: Actor
) -> Iterator[Probe]:
    for wrong in (decision.id + "x", decision.id[:-1], "", decision.kind):
        probe = replace(command, decision=wrong)
        if wrong != decision.id:
            yield Probe(probe, actor, (Code.DECISION_NOT_OPEN,))
    for wrong in (f"{command.option}x", str(command.option)[:-1], "", "look+look", "r9c9"):
        if wrong not in option_ids(decision):
            yield Probe(replace(command, option=wrong), actor, (Code.OPTION_NOT_OFFERED,))
    seat, name, option = command.seat, command.decision, str(command.option)
    if isinstance(command, ChooseSecretly):
        public = Choose(seat=seat, decision=name, option=option)
        yield Probe(public, actor, (Code.CHOICE_NOT_PUBLIC,))
    else:
        secret = ChooseSecretly(seat=seat, decision=name, option=option)
        yield Probe(secret, actor, (Code.CHOICE_NOT_SECRET,))


def probe_game(match: Match) -> None:
    """Ask the game itself, past the table, for a decision that is not open.

    Raises:
        Broken: it does not refuse.
    """
    context = match.context(WORKER)
    play = ROOM25.copy(match.play)
    work = Working(ROOM25.evolve, play, context)
    try:
        ROOM25.choose(work, Decision(id="nothing", kind="nothing", seat=1, options=()), "at all")
    except Rejected as refusal:
        require(refusal.code == Rule.UNKNOWN_DECISION, f"the game said {refusal.code}")
        require(not work.events, "the game refused and made events")
        match.asides.append(str(refusal.code))
    else:
        require(holds=False, text="the game took a decision that is not open")


def _of_inspections(match: Match) -> Iterator[Probe]:
    """Looks at a running game that nobody may take, or that are not padded."""
    for other in (WORKER, STRANGER, DIRECTOR):
        yield Probe(LOOK, other, (Code.NOT_AN_AUDITOR,))
    player = next((p.player for p in match.state.seats.values() if p.bot is None), None)
    if player is not None:
        yield Probe(LOOK, Actor("auditor", player), (Code.INSPECTION_BY_PLAYER,))
    elsewhere = inspection_of("seat:99", "complaint", 900)
    yield Probe(elsewhere, AUDITOR, (Code.UNKNOWN_SEAT,))
    for wrong in (
        InspectGame(seconds=900, eyes="full", reason=LOOK.reason),
        InspectGame(seconds=900, eyes=LOOK.eyes, reason="complaint"),
        InspectGame(seconds=0, eyes=LOOK.eyes, reason=LOOK.reason),
    ):
        yield Probe(wrong, AUDITOR, (Code.BAD_INSPECTION,))


def _of_no_inspection(code: str) -> Iterator[Probe]:
    """Looks at a game that does not run: its table is open, or it is over, or annulled."""
    for other in (WORKER, STRANGER, DIRECTOR):
        yield Probe(LOOK, other, (Code.NOT_AN_AUDITOR,))
    for look in (
        LOOK,
        inspection_of("seat:1", "complaint", 1),
        InspectGame(seconds=0, eyes="", reason=""),
    ):
        yield Probe(look, AUDITOR, (code,))


# --- while it is paused, and after its end ---


def _while_paused(match: Match, _: Random) -> Iterator[Probe]:
    code = Code.GAME_HELD if match.state.is_held else Code.TABLE_PAUSED
    yield from _of_a_game(code, match)
    yield from _of_an_open_table(match)
    if match.state.clock is not None:
        yield Probe(TimeOut(key=match.state.clock.key), WORKER, (code,))
    yield from _of_the_store(match)


def _of_the_store(match: Match) -> Iterator[Probe]:
    """That a part of a running game is lost, where none is, or none any more."""
    restored = match.state.restored
    if isinstance(restored, Restored):
        again = HoldTable(known=9, kept=8, epoch=restored.epoch)
        yield Probe(again, DIRECTOR, (Code.RESTORED_BEFORE,))
    else:
        yield Probe(HoldTable(known=8, kept=8, epoch=2), DIRECTOR, (Code.NOTHING_LOST,))


def _after_the_end(match: Match, _: Random) -> Iterator[Probe]:
    yield from _of_a_game(Code.GAME_OVER, match)
    yield from _of_an_open_table(match)
    yield from _of_no_inspection(Code.GAME_OVER)
    yield Probe(ResumeTable(), DIRECTOR, (Code.GAME_OVER,))
    yield Probe(HoldTable(known=9, kept=8, epoch=2), DIRECTOR, (Code.GAME_OVER,))
    yield Probe(AnnulTable(reason="other"), DIRECTOR, (Code.GAME_OVER,))
