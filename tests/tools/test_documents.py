"""Writers of files: they write all of them, and name those that differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.documents import Documents, task_parser, write_or_check

WANTED: Documents = {"a.md": b"# A\n", "deep/er/b.json": b"{}\n"}


def called(root: Path, *arguments: str) -> int:
    parser = task_parser("tools.example", "Writes two files.")
    return write_or_check(parser, arguments, lambda: WANTED, root, "make example")


def test_all_files_are_written(tmp_path: Path) -> None:
    assert called(tmp_path, "--write") == 0
    assert {name: (tmp_path / name).read_bytes() for name in WANTED} == WANTED
    assert called(tmp_path, "--check") == 0


def test_files_that_differ_or_are_missing_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_bytes(b"# A\r\n")
    assert called(tmp_path, "--check") == 1
    assert capsys.readouterr().err.splitlines() == [
        "a.md is not what the code says: make example",
        "deep/er/b.json is not what the code says: make example",
    ]
    assert (tmp_path / "a.md").read_bytes() == b"# A\r\n", "a check writes nothing"
    (tmp_path / "a.md").write_bytes(WANTED["a.md"])
    assert called(tmp_path, "--check") == 1
    assert capsys.readouterr().err.split()[0] == "deep/er/b.json"


@pytest.mark.parametrize("arguments", [(), ("--write", "--check"), ("--neither",)])
def test_one_task_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as ended:
        called(tmp_path, *arguments)
    assert ended.value.code == 2
    assert "python -m tools.example" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
