"""What the documents name is there: files, links, modules, folders, and the members of a game."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Iterator
from posixpath import dirname, normpath
from typing import Final

import pytest

from games.contract import Rules
from games.game_registry import installed_games
from games.package import GamePackage
from replay.archives import house_archives
from replay.source import read_file
from replay.verify import audit
from tests.house import rules, tree

FILES: Final = tree.tracked()
TOPS: Final = frozenset(name.split("/")[0] for name in FILES if "/" in name)
GUIDES: Final = [
    name
    for name in FILES
    if name in {"README.md", "CONTRIBUTING.md"} or re.fullmatch(r"docs/[\w-]+\.md", name)
]
"""The documents of today. A decision record may name what was there when it was taken."""

LINKED: Final = [*GUIDES, *(n for n in FILES if re.fullmatch(r"docs/\w+/[\w-]+\.md", n))]

_SOURCE = r"(?:py|js|lua|md|css|toml)"
_FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"[\w.<>*-]+(?:/[\w.<>*-]+)*/?")
_ANYWHERE = re.compile(rf"(?<![\w./<>*-])(?:{'|'.join(sorted(TOPS))})/[\w./-]*\.{_SOURCE}\b")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_MODULE = re.compile(r"python -m ([a-z]\w*(?:\.\w+)*)")


def named_paths(text: str) -> set[str]:
    """All that looks like a path of ours: in code spans, and files of source anywhere.

    A code span's word is one if it begins with a folder of ours, or ends as source does. What is
    made (``build/…``), an address (``/v1/…``) and a media type are none.
    """
    found = set(_ANYWHERE.findall(text))
    for span in _SPAN.findall(_FENCE.sub("", text)):
        for word in span.split():
            if _PATH.fullmatch(word) and (
                ("/" in word and word.split("/")[0] in TOPS)
                or re.fullmatch(rf"[\w.<>*/-]*\w\.{_SOURCE}", word)
            ):
                found.add(word)
    return found


def is_there(path: str, files: Collection[str]) -> bool:
    """Whether a path names a file or a folder.

    ``<game>`` and ``*`` stand for any name. What does not begin with a folder of ours is the end of
    some path, as where a text has said which folder it is about.
    """
    pattern = re.sub(r"<\w+>", "*", path.rstrip("/"))
    wanted = [pattern, f"{pattern}/*"]
    if pattern.split("/")[0] not in TOPS:
        wanted += [f"*/{pattern}"]
    return any(fnmatch.filter(files, each) for each in wanted)


def slug(title: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def anchors(text: str) -> set[str]:
    return {slug(title) for title in re.findall(r"^#+ (.+)$", _FENCE.sub("", text), re.MULTILINE)}


def broken_links(name: str, text: str, files: Collection[str]) -> Iterator[str]:
    """The relative links of a document that lead nowhere."""
    for target in _LINK.findall(_FENCE.sub("", text)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        found = normpath(f"{dirname(name)}/{path}".lstrip("/")) if path else name
        is_folder = any(each.startswith(f"{found}/") for each in files)
        told = anchors(tree.read(found) or "") if anchor and found in files else {anchor}
        if anchor not in told or not (is_folder or found in files):
            yield target


def run_on_headings(text: str) -> list[str]:
    """Headings into which the text below them has run."""
    titles = re.findall(r"^#+ (.+)$", _FENCE.sub("", text), re.MULTILINE)
    return [title for title in titles if title.endswith((":", ".", ","))]


def unknown_modules(text: str, files: Collection[str]) -> list[str]:
    """What is to be run by ``python -m`` and cannot be."""
    return [
        module
        for module in _MODULE.findall(text)
        if module.split(".")[0] in rules.PACKAGES
        and not {f"{module.replace('.', '/')}{end}" for end in (".py", "/__main__.py")} & {*files}
    ]


def read(name: str) -> str:
    text = tree.read(name)
    assert text is not None
    return text


@pytest.mark.parametrize("name", GUIDES)
def test_every_file_and_module_that_a_document_names_is_there(name: str) -> None:
    text = read(name)
    assert [path for path in sorted(named_paths(text)) if not is_there(path, FILES)] == []
    assert unknown_modules(text, FILES) == []


def test_every_link_leads_somewhere() -> None:
    broken = {name: list(broken_links(name, read(name), FILES)) for name in LINKED}
    assert {name: links for name, links in broken.items() if links} == {}


@pytest.mark.parametrize(
    "planted",
    [
        "see `events/trans_act.py`",
        "see `events/nowhere/`",
        "`tests/games/toy_story.py` and `games/<game>/nowhere.py`",
        "```text\na -> runtime/nowhere.py -> b\n```",
        "in this folder: `rules/nowhere.py`",
        "`nowhere.md`",
    ],
)
def test_a_path_that_is_not_there_is_found(planted: str) -> None:
    assert [path for path in named_paths(planted) if not is_there(path, FILES)]


@pytest.mark.parametrize(
    "right",
    [
        "`events/transact.py` in `events/`, `games/<game>/package.py`, `model/board.py`",
        "`/v1/games`, `application/json`, `room25/room.acid.name`, `build/page`, `game.jsonl`",
    ],
)
def test_a_path_that_is_there_or_is_none_is_fine(right: str) -> None:
    assert [path for path in named_paths(right) if not is_there(path, FILES)] == []


@pytest.mark.parametrize(
    "planted", ["[a](nowhere.md)", "[a](../docs/audit.md#nowhere)", "[a](#b)\n```\n# b\n```"]
)
def test_a_link_that_leads_nowhere_is_found(planted: str) -> None:
    assert len(list(broken_links("docs/audit.md", planted, FILES))) == 1


def test_a_link_that_leads_somewhere_is_fine() -> None:
    right = "[a](https://example.com/b) [b](decisions) [c](../README.md) [d](#the-record)"
    assert list(broken_links("docs/audit.md", right, FILES)) == []


@pytest.mark.parametrize("name", GUIDES)
def test_no_text_has_run_into_a_heading(name: str) -> None:
    assert run_on_headings(read(name)) == []


def test_a_heading_into_which_text_has_run_is_found() -> None:
    text = "# Games\n\nSome:\n\n## Pictures Its pictures:\n\n```sh\n# a comment:\n```\n"
    assert run_on_headings(text) == ["Pictures Its pictures:"]


def test_a_module_that_is_not_there_is_found() -> None:
    text = "python -m replay, python -m ops.run, python -m ops.nowhere, python -m venv"
    assert unknown_modules(text, FILES) == ["ops.nowhere"]


# --- what the documents say ---


def test_the_map_in_the_readme_has_every_folder_once() -> None:
    rows = re.findall(r"^\| `([\w.-]+)/` \|", read("README.md"), re.MULTILINE)
    assert sorted(rows) == sorted(top for top in TOPS if not top.startswith("."))


def test_the_proof_in_the_readme_is_what_verify_says() -> None:
    """If golden records were made anew: the command above the lines prints the new ones."""
    text = read("README.md")
    (record, told) = re.findall(
        r"^\$ parlour replay verify (tests/golden/records/\S+)\n(.*?)^```$",
        text,
        re.MULTILINE | re.DOTALL,
    )[0]
    source = read_file((tree.ROOT / record).read_bytes())
    found = audit(source, game_registry=installed_games(), archives=house_archives()).lines()
    assert told.splitlines() == found
    assert sum(" ok " in line for line in found) == len(found) - 1


def test_the_glossary_has_each_term_once_and_in_order() -> None:
    terms = [
        term.strip()
        for row in re.findall(r"^\| \*\*(.+?)\*\* \|", read("docs/glossary.md"), re.MULTILINE)
        for term in row.split(",")
    ]
    first = re.findall(r"^\| \*\*([^*,]+)", read("docs/glossary.md"), re.MULTILINE)
    assert len(terms) > 50
    assert len(set(terms)) == len(terms)
    assert first == sorted(first, key=str.lower)


def test_the_guide_to_a_new_game_tells_of_every_member() -> None:
    text = read("docs/adding-a-game.md")
    told = set(re.findall(r"^### `(\w+)`", text, re.MULTILINE))
    assert set(GamePackage.__struct_fields__) <= told
    assert {f"`{name}`" for name in Rules.__struct_fields__} <= set(re.findall(r"`\w+`", text))
    page = re.findall(
        r"^ \* @property \{Game\w+\} (\w+)", read("web/games/contract.js"), re.MULTILINE
    )
    row = re.search(r"exports one value: (.+)", text)
    assert row is not None
    assert re.findall(r"`(\w+)`", row[1]) == page
