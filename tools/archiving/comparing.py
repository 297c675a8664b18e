"""Whether an archive and the present rules agree where they have a tag in common.

Both judge the same games: the golden ones, and games played at random by the present rules. They
agree if they say the same of every command, offer every seat the same before it, and answer the
same to commands that were refused. How either is written is nobody's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from events import seal
from events.codec import Codec, batch_by
from events.envelope import Fields
from events.kernel import Command
from events.registry import Registry
from events.secrecy import InTheClear
from projections.record import stored_of
from replay.archived import Court
from replay.archives import RulesArchive
from replay.cases import Case, Try, Verdict
from replay.checks import salt_key
from replay.isolation import ProcessLimits
from replay.lines import fields_of
from replay.source import Source, read_file
from simulator.driver import Rates
from simulator.registry import SIMULATORS
from simulator.run import TableRun

RANDOM_GAMES: Final = 60
"""By day; `make nightly` plays five hundred. They cost as much CPU as all golden ones.

So many are played of the lightest game, of each other one by its weight."""
LIMITS: Final = ProcessLimits(seconds=300, memory=2 << 30, output=64 << 20)

_PROBES: Final = 0.4
"""How many illegal commands are tried in a random game at each step."""

_COMMAND_ID: Final = "AAAAAAAAAAAAAAAAAAAAAA"


class Trial(Struct, frozen=True):
    """A case, and what a complaint calls the game that it is about."""

    name: str
    case: Case


def golden_trials(paths: Iterable[Path]) -> list[Trial]:
    """A trial for each of the tags in each of some records.

    Raises:
        SourceError: one is no record.
    """
    return [
        Trial(f"{path.parent.name}/{path.name}", case)
        for path in paths
        for case in _cases(read_file(path.read_bytes()))
    ]


def _cases(source: Source) -> Iterator[Case]:
    entries = tuple((s.version, s.public, s.private) for s in stored_of(source.entries))
    header = source.header
    assert header is not None  # a whole record has one
    for tags in header.rules:
        yield Case(
            stream=source.stream,
            game=header.game,
            rulebook=header.rulebook,
            rules=tags,
            salt_key=salt_key(source),
            entries=entries,
            offers=True,
        )


def random_trials(games: int, court: Court) -> list[Trial]:
    """Trials of each game that has a simulator, ``games`` of the lightest."""
    return [
        random_trial(game, seed, court)
        for game, simulator in SIMULATORS.items()
        for seed in range(games // simulator.weight)
    ]


def random_trial(game: str, seed: int, court: Court) -> Trial:
    """A game played at random by the present rules, and what was refused in it.

    Args:
        game: the id of its game.
        seed: says which one it is.
        court: the present rules.

    Raises:
        PropertyBroken: the present rules break a property of every game.
    """
    match = SIMULATORS[game].random_game(seed, Rates(probes=_PROBES))
    plan = match.plan
    rules = court.rules_for(game, plan.rulebook)
    assert rules.tags is not None  # the court has them
    case = Case(
        stream=f"g00-{seed:026d}",
        game=game,
        rulebook=plan.rulebook,
        rules=rules.tags,
        salt_key=bytes.fromhex(plan.key),
        entries=(),
        offers=True,
    )
    entries, tries = _recorded(match, case, rules.registry)
    whole = msgspec.structs.replace(case, entries=entries, tries=tries)
    return Trial(f"{game}, the game of seed {seed}", whole)


def _recorded(
    match: TableRun[Any, Any], case: Case, registry: Registry
) -> tuple[tuple[tuple[int, bytes, bytes | None], ...], tuple[Try, ...]]:
    """The events of a game as they would be stored, and the commands that were refused."""
    codec = Codec(registry, InTheClear(case.salt_key))
    entries: list[tuple[int, bytes, bytes | None]] = []
    tries: list[Try] = []
    for step in match.steps:
        if step.refusal is None:
            sealed = codec.encode_batch(
                case.stream,
                step.events,
                batch_by(step.actor, step.command, _COMMAND_ID, case.rules),
                at=step.now,
                first_version=len(entries) + 1,
                previous_head=seal.genesis(case.stream),
            )
            numbered = enumerate(sealed.entries, len(entries) + 1)
            entries += [(version, public, private) for version, (public, private) in numbered]
        elif (fields := _fields(step.command)) is not None:
            by = f"{step.actor.kind}:{step.actor.id}"
            tries.append(Try(after=len(entries), at=step.now, by=by, command=fields))
    return tuple(entries), tuple(tries)


def _fields(command: Command) -> Fields | None:
    """A command's fields; None if it has no form in which it could be asked about."""
    try:
        return fields_of(seal.canonical(command))
    except ValueError:
        return None


def differences(archive: RulesArchive, trials: Sequence[Trial], court: Court) -> Iterator[str]:
    """Where an archive says otherwise than the present rules, or finds a game wrong.

    Trials by tags that it does not judge are left out; it is a difference if that leaves none. By
    tags that are not the present ones it must find every game right.

    Args:
        archive: archived rules.
        trials: games, those that other rules judged among them.
        court: the present rules.

    Raises:
        ArchiveError: the archive gives no verdicts.
    """
    manifest = archive.listed.manifest
    ours = [t for t in trials if manifest.tags(t.case.game, t.case.rulebook) == t.case.rules]
    if not ours:
        yield "it judges none of the golden games"
        return
    for trial, theirs in zip(ours, archive.verdicts([t.case for t in ours]), strict=True):
        complaint = _fault(theirs, "the archive") or _difference(trial.case, theirs, court)
        if complaint:
            yield f"{trial.name}, {trial.case.rules}: {complaint}"


def _fault(verdict: Verdict, whose: str) -> str:
    """What a verdict finds wrong with a game that is right."""
    found = verdict.judgement or verdict.draws or verdict.stuck
    if found is not None:
        return f"{whose} finds version {found.version} wrong: {found.why}"
    return "" if verdict.judged else f"{whose} has judged no command"


def _difference(case: Case, theirs: Verdict, court: Court) -> str:
    """Where the present rules say otherwise, if they have the tags of a case."""
    if court.rules_for(case.game, case.rulebook).tags != case.rules:
        return ""
    ours = court.judge(case)
    if ours == theirs:
        return ""
    for what, mine, other in (
        ("what may be chosen before command", ours.offers, theirs.offers),
        ("the answer to refused command", ours.answers, theirs.answers),
    ):
        for number, pair in enumerate(zip(mine, other, strict=False), 1):
            if pair[0] != pair[1]:
                return f"{what} {number}: {pair[0]!r} by the present code, {pair[1]!r} by it"
    mine_and_theirs = [(v.judged, v.drawn) for v in (ours, theirs)]
    return _fault(ours, "the present code") or f"commands and draws judged: {mine_and_theirs}"
