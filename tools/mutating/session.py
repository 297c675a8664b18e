"""A session of Cosmic Ray: all mutants of the rules, thinned out to those that are worth a run.

A session is a SQLite file that Cosmic Ray fills (``init``) and works off (``exec``); thinning it
out in between is how it is meant to be filtered.
"""

from __future__ import annotations

import ast
import os
import random
import re
import sqlite3
import subprocess
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from typing import Final, NamedTuple

import msgspec

from tools.mutating import tree
from tools.mutating.places import shapes

KEPT: Final = re.compile(
    r"rules/.*"
    r"|core/(AddNot|Replace(TrueWithFalse|FalseWithTrue|AndWithOr|OrWithAnd|ContinueWithBreak"
    r"|BreakWithContinue)|ExceptionReplacer|NumberReplacer|ZeroIterationForLoop|RemoveDecorator"
    r"|ReplaceUnaryOperator_(Delete_Not|USub_UAdd)"
    r"|ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_FloorDiv"
    r"|Pow_Mul|BitOr_BitAnd|BitAnd_BitOr|BitXor_BitOr)"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt"
    r"|Lt_GtE|GtE_Lt|Gt_LtE|LtE_Gt))"
)
"""One or two replacements for each operator: its border and its opposite. ``a == b`` also turned
into ``<``, ``>``, ``>=``... would count one missing test five times."""


class Mutant(NamedTuple):
    """A mutant before it is tried.

    ``was`` is the line where it begins, ``nth`` tells it from others of the same line and kind.
    """

    job: str
    module: str
    function: str
    operator: str
    at: tuple[int, int]
    was: str
    nth: int

    @property
    def name(self) -> tuple[str | int, ...]:
        """What names it as long as its line stands as it is, wherever that has moved."""
        return (self.module, self.function, self.operator, self.was, self.at[1], self.nth)


def fill() -> None:
    """Have Cosmic Ray list every mutant."""
    tree.SESSION.unlink(missing_ok=True)
    _cosmic_ray("init", str(tree.CONFIG), str(tree.SESSION))


def work_off() -> None:
    """Have Cosmic Ray try every mutant that has no result yet."""
    _cosmic_ray("exec", str(tree.CONFIG), str(tree.SESSION))


def _cosmic_ray(*arguments: str) -> None:
    environ = {
        **os.environ,
        # What changes twice within a second is as old and as long as its bytecode says.
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": f"{tree.PLUGIN}{os.pathsep}{tree.TREE}",
        "XDG_CACHE_HOME": str(tree.BUILD / "cache"),
    }
    program = tree.VENV / "bin" / "cosmic-ray"
    subprocess.run([program, *arguments], cwd=tree.TREE, check=True, env=environ)


def mutants() -> list[Mutant]:
    """Every mutant of a session that is still whole, in the order of the text."""
    with closing(sqlite3.connect(tree.SESSION)) as base:
        rows = base.execute(
            "SELECT job_id, module_path, coalesce(definition_name, ''), operator_name,"
            " start_pos_row, start_pos_col, occurrence FROM mutation_specs"
        ).fetchall()
    texts: dict[str, list[str]] = {}
    alike: Counter[tuple[str | int, ...]] = Counter()
    made = []
    for job, path, function, operator, row, column, _ in sorted(rows, key=_place):
        module = path.removeprefix(f"{tree.rules()}/")
        if module not in texts:
            texts[module] = (tree.PRISTINE / module).read_text(encoding="utf-8").splitlines()
        was = texts[module][row - 1].strip()
        mutant = Mutant(job, module, function, operator, (row, column), was, 0)
        made.append(mutant._replace(nth=alike[mutant.name]))
        alike[mutant.name] += 1
    return made


def _place(row: tuple[str, ...]) -> tuple[object, ...]:
    """Module, line, column, operator, and which one of several there."""
    return (row[1], row[4], row[5], row[3], row[6])


def worthwhile(found: Sequence[Mutant]) -> list[Mutant]:
    """Without those that say the same twice, and those of what is no rule."""
    no_rules = {
        module: shapes(ast.parse((tree.PRISTINE / module).read_text(encoding="utf-8")))
        for module in {m.module for m in found}
    }
    return [
        m
        for m in found
        if KEPT.fullmatch(m.operator)
        and not any(first <= m.at < last for first, last in no_rules[m.module])
    ]


def sample(
    found: Sequence[Mutant], share: float, seed: int, modules: Collection[str] = ()
) -> list[Mutant]:
    """That share of each module's mutants, at least one; the same for the same seed and text."""
    by_module = defaultdict(list)
    for mutant in found:
        by_module[mutant.module].append(mutant)
    chosen: list[Mutant] = []
    for module, all_of_it in sorted(by_module.items()):
        if not modules or module.removesuffix(".py") in modules:
            chance = random.Random(f"{seed} {module}")  # noqa: S311 (a sample, no secret)
            size = max(1, round(len(all_of_it) * share))
            chosen += chance.sample(all_of_it, size)
    return chosen


def like(found: Sequence[Mutant], wanted: Collection[Mutant]) -> list[Mutant]:
    """The mutants that others, of an earlier text, have become."""
    names = {mutant.name for mutant in wanted}
    return [mutant for mutant in found if mutant.name in names]


def keep(picked: Sequence[Mutant]) -> None:
    """Remove all others from the session, and remember these by the names they have among all."""
    tree.PICKED.write_bytes(msgspec.json.encode(picked))
    with closing(sqlite3.connect(tree.SESSION)) as base, base:
        base.execute("CREATE TEMPORARY TABLE chosen (job_id VARCHAR PRIMARY KEY)")
        base.executemany("INSERT INTO chosen VALUES (?)", [(m.job,) for m in picked])
        for name in ("work_results", "mutation_specs", "work_items"):
            base.execute(
                f"DELETE FROM {name} WHERE job_id NOT IN (SELECT job_id FROM chosen)"  # noqa: S608 (our names)
            )


def kept() -> list[Mutant]:
    """The mutants that the session has kept."""
    return msgspec.json.decode(tree.PICKED.read_bytes(), type=list[Mutant])


def results() -> Mapping[str, tuple[str, str]]:
    """Each tried mutant's output and unified diff, by job."""
    with closing(sqlite3.connect(tree.SESSION)) as base:
        rows = base.execute(
            "SELECT job_id, coalesce(output, ''), coalesce(diff, '') FROM work_results"
        ).fetchall()
    return {job: (output, diff) for job, output, diff in rows}
