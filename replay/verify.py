"""An audit: all checks of a game, by name."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from events.codec import Envelope
from projections.board import clean
from projections.shelf import Shelf
from replay.checks import (
    Unreadable,
    check_chain,
    check_commitments,
    check_fold,
    check_form,
    check_seed,
    check_signature,
    decode_all,
)
from replay.findings import DRAWS, FOLD, JUDGEMENT, SEED, Finding, failed, not_checked
from replay.judge import Judge
from replay.source import Source


class Audit(Struct, frozen=True):
    """What an audit found.

    ``findings`` are one for each check, in the order in which they are told; ``types`` the tags of
    the events by version, as far as they could be read.
    """

    findings: tuple[Finding, ...]
    types: dict[int, str]

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
        lines = [f"{f.name:<15} {f.status:<11} {clean(f.detail)}" for f in self.findings]
        first = self.divergence
        if first is not None:
            kind = self.types.get(first.version, "no event")
            lines.append(f"first diverging event: version {first.version}, {kind}: ")
            lines[-1] += f"{clean(first.detail)} ({first.name})"
        left = [f.name for f in self.findings if f.status == "not checked"]
        verdict = "verified" if self.passed else "NOT verified"
        return [*lines, verdict + (f", but for {', '.join(left)}" if left else "")]


def audit(source: Source, shelf: Shelf, trusted: str | None = None) -> Audit:
    """Make every check.

    Args:
        source: the game.
        shelf: the games and rules of this program.
        trusted: the verifier key of the service, if the auditor knows it.
    """
    trouble: Unreadable | None = None
    envelopes: list[Envelope] = []
    try:
        envelopes = decode_all(source)
    except Unreadable as error:
        trouble = error
    findings = [
        check_form(source, envelopes or None),
        check_chain(source),
        check_signature(source, trusted),
        check_commitments(source, shelf.registry),
        *_with_events(source, envelopes, shelf, trouble),
    ]
    return Audit(tuple(findings), _types(source, envelopes))


def _with_events(
    source: Source, envelopes: Sequence[Envelope], shelf: Shelf, trouble: Unreadable | None
) -> list[Finding]:
    """The checks that need every event in full."""
    if trouble is not None:
        why = f"version {trouble.version} cannot be read"
        return [
            not_checked(SEED, why),
            not_checked(DRAWS, why),
            failed(FOLD, f"it cannot be read: {trouble}", trouble.version),
            not_checked(JUDGEMENT, why),
        ]
    seed, fold = check_seed(source, envelopes), check_fold(shelf.table, envelopes)
    try:
        draws, judgement = Judge(source, envelopes, shelf).findings()
    except ValueError:
        why = "the game key is not in hexadecimal"
        draws, judgement = not_checked(DRAWS, why), not_checked(JUDGEMENT, why)
    return [seed, draws, fold, judgement]


def _types(source: Source, envelopes: Sequence[Envelope]) -> dict[int, str]:
    found = {e.version: str(type(e.event).__struct_config__.tag) for e in envelopes}
    for entry in source.entries:
        found.setdefault(entry.version, "an unreadable event")
    return found
