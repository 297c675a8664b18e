"""How mutants fared: killed, survived, timed out, not covered, or judged equivalent."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, convert

from tools.mutating.session import Mutant

TOOLS: Final = Path(__file__).parents[1]
JUDGED: Final = "equivalent_mutants.toml"
"""In the folder of a game's tools; a game without this file has none yet."""

KINDS: Final = ("killed", "timed out", "survived", "not covered", "equivalent")
_VERDICT: Final = re.compile(r"^(killed|timed out|survived|not covered)\b.*$", re.MULTILINE)


class Equivalent(Struct, frozen=True, forbid_unknown_fields=True):
    """A mutant that no test can or should notice, and why; ``module`` is in its game's folder."""

    module: str
    was: str
    now: str
    why: str


class MutantVerdict(Struct, frozen=True):
    """How one mutant fared. ``was`` and ``now`` are the changed lines, without indentation."""

    mutant: Mutant
    kind: str
    told: str
    was: str
    now: str


def judged(game: str, tools: Path = TOOLS) -> list[Equivalent]:
    """The equivalents in the rules of a game that somebody has looked at."""
    path = tools / game / JUDGED
    if not path.is_file():
        return []
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    return convert(read["equivalent"], list[Equivalent])


def changed(diff: str) -> tuple[str, str]:
    """What a unified diff removes and what it adds, each on one line."""
    body = [line for line in diff.splitlines() if not line.startswith(("---", "+++", "@@"))]
    return (
        " ".join(line[1:].strip() for line in body if line.startswith("-")),
        " ".join(line[1:].strip() for line in body if line.startswith("+")),
    )


def verdicts(
    tried: Sequence[Mutant],
    results: Mapping[str, tuple[str, str]],
    equivalents: Sequence[Equivalent],
) -> list[MutantVerdict]:
    """The verdict of every mutant that has been tried, in the order of the text."""
    known = {(each.module, each.was, each.now) for each in equivalents}
    found = []
    for mutant in tried:
        if mutant.job in results:
            output, diff = results[mutant.job]
            was, now = changed(diff)
            kind, told = _kind(output)
            if kind in {"survived", "not covered"} and (mutant.module, was, now) in known:
                kind = "equivalent"
            found.append(MutantVerdict(mutant, kind, told, was, now))
    return found


def _kind(output: str) -> tuple[str, str]:
    told = [match.group() for match in _VERDICT.finditer(output)]
    if told:
        return next(kind for kind in KINDS if told[-1].startswith(kind)), told[-1]
    if output == "timeout":
        return "timed out", "timed out: all in all"
    return "killed", "killed by falling over"


def score(counts: Mapping[str, int]) -> float | None:
    """The share of the noticed among those that could be, in per cent."""
    noticed = counts["killed"] + counts["timed out"]
    all_of_them = noticed + counts["survived"] + counts["not covered"]
    return 100 * noticed / all_of_them if all_of_them else None


def table(found: Sequence[MutantVerdict]) -> list[str]:
    """The score of each module and of all, as a Markdown table."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for verdict in found:
        counts[verdict.mutant.module][verdict.kind] += 1
    rows = [(module, counts[module]) for module in sorted(counts)]
    rows.append(("**all**", sum(counts.values(), Counter())))
    lines = [
        f"| module | mutants | {' | '.join(KINDS)} | score |",
        f"|---|{'--:|' * (len(KINDS) + 2)}",
    ]
    for module, count in rows:
        rate = score(count)
        cells = [str(count[kind] or "") for kind in KINDS]
        told = "–" if rate is None else f"{rate:.0f} %"
        lines.append(f"| {module} | {count.total()} | {' | '.join(cells)} | {told} |")
    return lines


def survivors(found: Sequence[MutantVerdict]) -> list[str]:
    """What nobody noticed, for reading."""
    return [
        f"{v.mutant.module}:{v.mutant.at[0]} {v.mutant.function or '(module)'}"
        f" [{v.mutant.operator.partition('/')[2]}] {v.told}\n  - {v.was}\n  + {v.now}"
        for v in found
        if v.kind in {"survived", "not covered"}
    ]
