"""Archives of rules: what is in one, when one is written, and what the command says of ours."""

from __future__ import annotations

import os
import re
import shutil
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
import pytest

from games.room25.tags import TAGS
from games.rules import RULES as ALL
from replay.archives import LIST, RulesArchives
from tests.golden_records import SHORT
from tests.replay.mending import MENDED, OLD, listing, mended, planted
from tools import rules_archive
from tools.archiving import building, stripping
from tools.archiving.building import BuildError, Built, build
from tools.archiving.closure import ClosureError, closure
from tools.archiving.keeping import faults, keep
from tools.archiving.stripping import StrippingError, stripped

pytestmark = pytest.mark.slow

ROOT = rules_archive.ROOT
DEV, RELEASE = "0.2.0.dev0", "0.2.0"
PRESENT = {("room25", rulebook): f"table/1 {tag}" for rulebook, tag in TAGS.items()}


def copied(root: Path) -> Path:
    """A copy of all that an archive is made of, to be changed."""
    for name in ("events", "games", "replay", "projections"):
        shutil.copytree(
            ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "archives")
        )
    return root


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Such a copy of the test's own."""
    return copied(tmp_path / "tree")


@pytest.fixture(scope="module")
def one_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for tests that change the same module, and leave it as it was."""
    return copied(tmp_path_factory.mktemp("rules") / "tree")


@cache
def built(version: str = DEV) -> Built:
    """The archive of the present rules."""
    return build(ROOT, version, ALL)


@cache
def raised() -> Built:
    """An archive of the same rules under a raised tag."""
    rules = mended("nothing")
    return build(ROOT, DEV, {**ALL, rules.id: rules})


def append(path: Path, text: str) -> None:
    """Write something to the end of a module."""
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


# --- what is in one ---


def test_the_same_source_gives_the_same_bytes(tree: Path) -> None:
    for path in tree.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    assert build(tree, DEV, ALL) == built()


def test_comments_and_docstrings_are_nothing_to_an_archive(tree: Path) -> None:
    append(tree / "games/table/decider.py", '\n\n# a remark\n"""An afterthought."""\n')
    assert build(tree, DEV, ALL) == built()
    append(tree / "games/table/decider.py", "\nAFTERTHOUGHT = 1\n")
    assert build(tree, DEV, ALL).listed.file != built().listed.file


def test_an_archive_holds_the_rules_and_who_judges_by_them_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / built().listed.file
    path.write_bytes(built().content)
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    tops = {name.split("/")[0] for name in names}
    assert tops == {"__main__.py", "manifest.json", "events", "games", "replay"}
    assert {"games/table/decider.py", "games/room25/rules/engine.py", "replay/archived.py"} < names
    assert not any(re.search(r"/(bots|words|keys|log|store)\b", name) for name in names)
    assert len(built().content) < building.MOST_BYTES


def test_an_archive_is_not_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "MOST_BYTES", 50_000)
    with pytest.raises(BuildError, match=r"the archive has \d+ bytes, over 50000"):
        build(ROOT, DEV, ALL)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("import os", "games.table.decider imports os"),
        ("import redis", "games.table.decider imports redis"),
        ("import litestar.testing", "games.table.decider imports litestar.testing"),
        ("from importlib import import_module", "games.table.decider imports importlib"),
        ("from random import random", "games.table.decider imports random"),
        ("import time", "games.table.decider imports time"),
        ("from games import bots", "games.table.decider imports games.bots"),
        ("from games.words import word", "games.table.decider imports games.words"),
        ("from events.keys import KeyRing", "games.table.decider imports events.keys"),
        ("from projections import shelf", "games.table.decider imports projections"),
        ("from replay import source", "games.table.decider imports replay.source"),
        ("from . import contract", "games.table.decider imports by a relative name"),
        ("def f():\n    import socket", "games.table.decider imports socket"),
        ("open('x')", "games.table.decider uses open"),
        ("__import__('os')", "games.table.decider uses __import__"),
        ("eval('1')", "games.table.decider uses eval"),
    ],
)
def test_what_an_archive_may_not_hold_stops_the_build(line: str, what: str, one_tree: Path) -> None:
    path = one_tree / "games/table/decider.py"
    before = path.read_bytes()
    append(path, f"\n\n{line}\n")
    try:
        with pytest.raises(ClosureError, match=re.escape(what)):
            closure(one_tree, "games.table.decider")  # part of the whole, as the next test sees
    finally:
        path.write_bytes(before)


def test_what_the_table_imports_belongs_to_an_archive() -> None:
    assert {"games.table.decider", *closure(ROOT, "games.table.decider")} <= set(closure(ROOT))


SOURCE = '''"""A module."""

# A remark.
from x import y  # and another

"""A text that nobody reads."""


class A:
    """What it is.

    At length.
    """

    B = "# no remark"  # a remark

    def f(self) -> str:
        """What it does."""
        return f"{self.B}#"

    def g(self) -> None:
        """Nothing."""


class E(Exception):
    """An error."""


TEXT = """one

  # two
"""; ODD = "äöü"  # ÄÖÜ
if TEXT:

    """Ä"""; ODD = 1
'''

LEFT = '''from x import y
class A:
    "-"
    B = "# no remark"
    def f(self) -> str:
        return f"{self.B}#"
    def g(self) -> None:
        ...
class E(Exception):
    "-"
TEXT = """one

  # two
"""; ODD = "äöü"
if TEXT:
    ODD = 1
'''


def test_comments_and_docstrings_are_cut_out_and_nothing_else() -> None:
    assert stripped(SOURCE.replace('"""Ä"""; ', "")) == LEFT
    assert stripped(LEFT) == LEFT


def test_another_program_is_not_taken_for_a_stripped_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stripping, "_without_comments", lambda text: text.replace("B", "C"))
    with pytest.raises(StrippingError):
        stripped(f"{LEFT}B = 1\n")  # which nobody has asked for yet: answers are remembered


# --- when one is written ---


def names(folder: Path) -> list[str]:
    """The archives in a folder, which are those of its list."""
    listed = [each.file for each in RulesArchives(folder).listed()]
    assert sorted(listed) == sorted(path.name for path in folder.glob("*.pyz"))
    return listed


def test_until_a_release_the_last_archive_is_replaced(tmp_path: Path) -> None:
    assert "was written" in keep(tmp_path, built())
    assert "letter for letter" in keep(tmp_path, built())
    other = msgspec.structs.replace(
        built(), listed=msgspec.structs.replace(raised().listed, file="rules-other.pyz")
    )
    assert "was written" in keep(tmp_path, other)
    assert names(tmp_path) == ["rules-other.pyz"]


def test_the_archive_of_a_release_stays(tmp_path: Path) -> None:
    keep(tmp_path, built())
    keep(tmp_path, built(RELEASE))
    (kept,) = RulesArchives(tmp_path).listed()
    assert kept.manifest.version == RELEASE
    assert keep(tmp_path, built()) == "every present tag has an archive of a release"
    assert RulesArchives(tmp_path).listed() == (kept,)


def test_a_raised_tag_gets_an_archive_after_that_of_a_release(tmp_path: Path) -> None:
    keep(tmp_path, built(RELEASE))
    content = (tmp_path / built().listed.file).read_bytes()
    other = msgspec.structs.replace(raised().listed, file="rules-other.pyz")
    keep(tmp_path, Built(raised().content, other))
    assert names(tmp_path) == [built().listed.file, "rules-other.pyz"]
    assert (tmp_path / built().listed.file).read_bytes() == content
    archives = RulesArchives(tmp_path)
    for tags, file in ((OLD, built().listed.file), (f"table/1 {MENDED}", "rules-other.pyz")):
        found = archives.find("room25", "ultimate", tags)
        assert found is not None
        assert found.listed.file == file


# --- what is wrong with a folder ---


def test_nothing_is_wrong_with_ours() -> None:
    assert list(faults(rules_archive.FOLDER, PRESENT, DEV)) == []


@pytest.mark.parametrize(
    ("tags", "version", "wrong"),
    [
        ({("room25", "ultimate"): f"table/1 {MENDED}"}, DEV, f"table/1 {MENDED} has no archive"),
        ({("chess", "blitz"): "table/1 chess/1"}, DEV, "table/1 chess/1 has no archive"),
        (PRESENT, RELEASE, "{} is of no release, and this is one"),
    ],
)
def test_tags_that_are_not_kept_are_told(
    tags: Mapping[tuple[str, str], str], version: str, wrong: str, tmp_path: Path
) -> None:
    keep(tmp_path, built())
    assert list(faults(tmp_path, PRESENT, DEV)) == []
    (found,) = faults(tmp_path, tags, version)
    assert found.startswith(wrong.format(built().listed.file))


def test_the_archive_of_a_release_will_do_for_one(tmp_path: Path) -> None:
    keep(tmp_path, built(RELEASE))
    assert list(faults(tmp_path, PRESENT, RELEASE)) == []


def test_files_that_are_not_what_the_list_says_are_told(tmp_path: Path) -> None:
    keep(tmp_path, built())
    path = tmp_path / built().listed.file
    path.write_bytes(path.read_bytes() + b"\n")
    assert "its digest differs" in next(faults(tmp_path, PRESENT, DEV))
    path.rename(tmp_path / "rules-more.pyz")
    first, second = faults(tmp_path, PRESENT, DEV)
    assert "their file cannot be read" in first
    assert second == "rules-more.pyz is not in the list"
    (tmp_path / LIST).unlink()
    assert list(faults(tmp_path, PRESENT, DEV)) == ["the list of archives cannot be read"]


# --- the command ---


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One golden record instead of all; what has been built is not built again."""
    folder = tmp_path / "golden/records"
    folder.mkdir(parents=True)
    shutil.copy(SHORT, folder)
    monkeypatch.setattr(rules_archive, "GOLDEN", folder.parent)
    monkeypatch.setattr(rules_archive, "build", lambda *_: built())


@pytest.mark.usefixtures("few")
def test_the_check_passes_where_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules_archive.main(["--check", "--games", "2"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("few")
def test_the_check_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    listing(folder)
    monkeypatch.setattr(rules_archive, "FOLDER", folder)
    assert rules_archive.main(["--check", "--games", "0"]) == 1
    assert f"rules-archive: {OLD} has no archive" in capsys.readouterr().err
    assert rules_archive.main(["--write"]) == 0
    assert rules_archive.main(["--check", "--games", "0"]) == 0
    planted(folder, "print('hm')")
    for path in folder.glob("rules-[0-9a-f]*.pyz"):
        path.unlink()
    capsys.readouterr()
    assert rules_archive.main(["--check", "--games", "0"]) == 1
    assert "rules-planted.pyz: " in capsys.readouterr().err


def test_make_check_compares_them() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^READERS = .*\brules-check\b", makefile, re.MULTILINE)
    assert re.search(r"^check: .*\n.*\$\(READERS\)$", makefile, re.MULTILINE)
    assert re.search(
        r"^rules-check:.*\n.* -m tools\.rules_archive --check$", makefile, re.MULTILINE
    )
