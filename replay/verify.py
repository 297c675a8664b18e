"""An audit: all checks of a game, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from games.game_registry import GameRegistry
from games.table.keeping import released
from projections.board import clean
from replay.archives import RulesArchives
from replay.checks import (
    check_chain,
    check_commitments,
    check_fold,
    check_form,
    check_seed,
    check_signature,
    unplayed,
)
from replay.decoding import Decoded, decode
from replay.findings import (
    CHAIN,
    COMMITMENTS,
    DRAWS,
    FOLD,
    FORM,
    JUDGEMENT,
    SEED,
    SIGNATURE,
    Finding,
    failed,
    not_checked,
)
from replay.heads import compare, narrowed
from replay.judge import Judge
from replay.source import Source

_LONGEST: Final = 240
"""The most characters shown of a finding: what a forger wrote may be long."""


class Audit(Struct, frozen=True):
    """What an audit found.

    ``findings`` are one for each check, in the order in which they are told; ``types`` the tags of
    the events by version, as far as they could be read; ``places`` the numbers of a file's lines by
    version, and of its header and its seal. ``heads`` is how a heads file compares, if there is
    one: it is not a check, and no verdict depends on it.
    """

    findings: tuple[Finding, ...]
    types: Mapping[int, str]
    places: Mapping[int | str, int] = {}
    heads: Finding | None = None

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(finding.status != "FAILED" for finding in self.findings)

    @property
    def divergence(self) -> Finding | None:
        """The failure with the earliest event, if a failure is about an event."""
        found = [f for f in self.findings if f.status == "FAILED" and f.version]
        return min(found, key=lambda finding: finding.version, default=None)

    def lines(self) -> list[str]:
        """The report: a line for each check, the first event that diverges, the verdict."""
        found = self.findings if self.heads is None else (*self.findings, self.heads)
        lines = [f"{f.name:<15} {f.status:<11} {self._told(f)}" for f in found]
        first = self.divergence
        if first is not None:
            lines.append(f"first diverging event: {self._told(first)} ({first.name})")
        left = [f.name for f in self.findings if f.status == "not checked"]
        verdict = "verified" if self.passed else "NOT verified"
        return [*lines, verdict + (f", but for {', '.join(left)}" if left else "")]

    def _told(self, found: Finding) -> str:
        """A finding's text, after the place that it is about: line, version and type."""
        place = found.part
        if found.version:
            place = f"version {found.version}, {self.types.get(found.version, 'no event')}"
        text = f"{place}: {found.detail}" if place else found.detail
        text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        line = self.places.get(found.version or found.part)
        return clean(text if line is None else f"{text} (line {line})")


def audit(
    source: Source,
    game_registry: GameRegistry,
    trusted: str | None = None,
    heads: bytes | None = None,
    archives: RulesArchives | None = None,
) -> Audit:
    """Make every check.

    Args:
        source: the game; a broken one is checked as far as it can be read.
        game_registry: the games and rules of this program.
        trusted: the verifier key of the service, if the auditor knows it.
        heads: a heads file of the game, if the auditor has one.
        archives: the rules of earlier releases; those of this program by default.
    """
    chain, compared = check_chain(source), None
    if heads is not None:
        compared = compare(source, heads)
        chain = narrowed(chain, compared, len(source.entries))
    decoded = decode(source, game_registry)
    open_to_all = released(game_registry.table.games, decoded.envelopes)
    draws, judgement = _judged(source, decoded, game_registry, archives)
    findings = (
        check_form(source, decoded.loose),
        chain,
        check_signature(source, trusted),
        check_commitments(source, decoded.registry, open_to_all),
        check_seed(source, decoded),
        draws,
        check_fold(game_registry.table, decoded),
        judgement,
    )
    told = None if compared is None else compared.finding
    return Audit(findings, decoded.types, source.places, told)


def damaged(why: str) -> Audit:
    """The audit of a game of which the store lacks a part."""
    left = "the store does not hold the game in one piece"
    checks = (FORM, CHAIN, SIGNATURE, COMMITMENTS, SEED, DRAWS, FOLD, JUDGEMENT)
    findings = [failed(n, why) if n == CHAIN else not_checked(n, left) for n in checks]
    return Audit(tuple(findings), {})


def _judged(
    source: Source, decoded: Decoded, game_registry: GameRegistry, archives: RulesArchives | None
) -> list[Finding]:
    """Draws and re-adjudication, as far as there is something to be judged."""
    why, names = "", (DRAWS, JUDGEMENT)
    if decoded.unknown_game:
        why = unplayed(decoded)
    elif not decoded.envelopes and decoded.stop is None:
        why = "there are no events"
    elif not source.game:
        why = "it is not known which game this is"
    if why:
        return [not_checked(name, why) for name in names]
    try:
        found = Judge(source, decoded.judgeable(), game_registry, archives).findings()
    except ValueError:
        return [not_checked(name, "the game key is not in hexadecimal") for name in names]
    if decoded.stop is None:
        return found
    # What comes before the stop can be wrong, but nothing can be right as a whole.
    end = f"version {decoded.stop.version} cannot be read"
    return [f if f.status == "FAILED" else not_checked(f.name, f"{f.detail}; {end}") for f in found]
