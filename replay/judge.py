"""The checks that run the rules: draws, and every command judged again.

Commands judged by this program's rules are judged by them again; those of earlier rules by their
archive, if we ship one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from events.codec import Envelope
from games.game_registry import GameRegistry
from games.table.events import TableOpened
from projections.record import stored_of
from replay.adjudication import Adjudicator, JudgingRules, Recorded
from replay.archives import ArchiveError, RulesArchives, house_archives
from replay.cases import Case, Verdict, Wrong
from replay.checks import salt_key
from replay.decoding import rules_of
from replay.findings import DRAWS, JUDGEMENT, Finding, failed, not_checked, ok
from replay.source import Source

_UNITS: Final[Mapping[str, str]] = {DRAWS: "draws made again", JUDGEMENT: "commands judged again"}


class _Hearing(Struct, frozen=True):
    """The verdict of some rules, or why there is none."""

    tags: str
    verdict: Verdict | None
    why: str = ""
    is_archived: bool = True


class Judge:
    """Judges the recorded commands by the rules that judged them.

    Args:
        source: what is judged.
        envelopes: its events in full, of whole commands, from the first on.
        game_registry: the games and the rules of this program.
        archives: the rules of earlier releases.

    Raises:
        UnknownGame: nobody plays the source's game here.
        ValueError: the game key is not written in hexadecimal.
    """

    def __init__(
        self,
        source: Source,
        envelopes: Sequence[Envelope],
        game_registry: GameRegistry,
        archives: RulesArchives | None = None,
    ) -> None:
        self._source = source
        self._envelopes = envelopes
        self._archives = house_archives() if archives is None else archives
        self._salt_key = salt_key(source)
        self._tags = rules_of(envelopes, game_registry)
        recorded = [
            Recorded(envelope, entry.public)
            for envelope, entry in zip(envelopes, source.entries, strict=False)
        ]
        rules = JudgingRules(game_registry.table, game_registry.registry(source.game), self._tags)
        self._ours = Adjudicator(rules, source.stream, recorded, self._salt_key)

    def findings(self) -> list[Finding]:
        """Draws and re-adjudication: what is wrong first, or how much was found right."""
        verdict = self._ours.verdict()
        hearings = [_Hearing(self._tags or "", verdict, is_archived=False), *self._archived()]
        return [_finding(name, hearings) for name in _UNITS]

    def asides(self) -> list[tuple[int, object]]:
        """What the rules say beside the events, each with the version of the last event before it.

        As far as the commands can be carried out again: none of what follows one that cannot.
        """
        return self._ours.asides()

    def _archived(self) -> Iterator[_Hearing]:
        """What earlier rules say of the commands that ours have not judged."""
        opened = self._envelopes[0].event if self._envelopes else None
        counts: dict[str, int] = {}
        for each in self._envelopes:
            if each.batch is not None and each.batch.rules != self._tags:
                counts[each.batch.rules] = counts.get(each.batch.rules, 0) + 1
        for tags, count in sorted(counts.items()):
            if not isinstance(opened, TableOpened):
                yield _Hearing(tags, None)
                continue
            try:
                yield self._ask(opened, tags, count)
            except ArchiveError as error:
                yield _Hearing(tags, None, str(error))

    def _ask(self, opened: TableOpened, tags: str, count: int) -> _Hearing:
        """What the archive of some rules says of ``count`` commands.

        Raises:
            ArchiveError: it is not as we shipped it, or gives no verdict on them.
        """
        archive = self._archives.find(opened.game, opened.rulebook, tags)
        if archive is None:
            return _Hearing(tags, None)
        entries = self._source.entries[: len(self._envelopes)]
        case = Case(
            stream=self._source.stream,
            game=opened.game,
            rulebook=opened.rulebook,
            rules=tags,
            salt_key=self._salt_key,
            entries=tuple((s.version, s.public, s.private) for s in stored_of(entries)),
        )
        (verdict,) = archive.verdicts([case])
        is_whole = verdict.judged == count
        if not is_whole and verdict.judgement is None and verdict.stuck is None:
            raise ArchiveError(f"gave a verdict on {verdict.judged} of {count} commands")
        return _Hearing(tags, verdict)


def _finding(name: str, hearings: Sequence[_Hearing]) -> Finding:
    """What all rules together say of one check."""
    wrong = [w for each in hearings if (w := _wrong(name, each)) is not None]
    if wrong:
        first = min(wrong, key=lambda each: each.version)
        return failed(name, first.why, first.version)
    done = _sum(name, hearings)
    unjudged = [why for each in hearings if (why := _unjudged(each))]
    unknown = [each.tags for each in hearings if each.verdict is None and not each.why]
    if unknown:
        unjudged.append(f"others were judged by {', '.join(unknown)}")
    if unjudged:
        count = _sum(JUDGEMENT, hearings)
        return not_checked(name, "; ".join([f"{count} commands checked", *unjudged]))
    archived = _sum(name, [each for each in hearings if each.is_archived])
    by = f", {archived} of them by archived rules" if archived else ""
    return ok(name, f"{done} {_UNITS[name]}{by}")


def _sum(name: str, hearings: Sequence[_Hearing]) -> int:
    """How many commands were judged again, or draws made again."""
    found = [each.verdict for each in hearings if each.verdict is not None]
    return sum(each.drawn if name == DRAWS else each.judged for each in found)


def _wrong(name: str, hearing: _Hearing) -> Wrong | None:
    """What some rules found wrong; our own must be able to fold whatever was recorded."""
    verdict = hearing.verdict
    if verdict is None:
        return None
    if name == DRAWS:
        return verdict.draws
    return verdict.judgement or (None if hearing.is_archived else verdict.stuck)


def _unjudged(hearing: _Hearing) -> str:
    """Why some rules have not judged all that they should have; "" if they have."""
    if hearing.why:
        return f"the archived rules of {hearing.tags}: {hearing.why}"
    stuck = None if hearing.verdict is None else hearing.verdict.stuck
    if not hearing.is_archived or stuck is None:
        return ""
    return f"the archived rules of {hearing.tags} end before version {stuck.version}: {stuck.why}"
