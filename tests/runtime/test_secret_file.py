"""The secrets of an embedded installation."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from runtime.embedded.secret_file import SecretFileError, kept_secrets


def test_secrets_are_made_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secrets.json"
    made = kept_secrets(path)
    assert kept_secrets(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["secrets.json"]


def test_two_installations_have_different_secrets(tmp_path: Path) -> None:
    one, two = (kept_secrets(tmp_path / name) for name in ("one", "two"))
    assert len({one.master, one.signing, two.master, two.signing}) == 4
    assert one.operator_token != two.operator_token


def test_secrets_do_not_show(tmp_path: Path) -> None:
    made = kept_secrets(tmp_path / "secrets.json")
    for shown in (repr(made), str(made), repr(made.master_key())):
        assert made.master not in shown
        assert made.operator_token not in shown


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    kept_secrets(path)
    path.chmod(0o640)
    with pytest.raises(SecretFileError, match="chmod 600"):
        kept_secrets(path)


@pytest.mark.parametrize(
    "content", ["", "{}", '{"master":"ab","signing":"cd","operator_token":""}']
)
def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "secrets.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(SecretFileError, match="damaged"):
        kept_secrets(path)
    assert path.read_text() == content
