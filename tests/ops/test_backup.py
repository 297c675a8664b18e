"""Backups: saved while the store runs, restored elsewhere, verified, and never over anything."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import msgspec
import pytest
import redis

from games.registry import GAMES
from ops import backup
from ops.backup import ABOUT_FILE, STORE_FILE, About, BackupError, main, restore, save
from ops.demo_table import demo_tables
from ops.run_folder import NoRunFolderError, settings_of
from runtime.embedded.aof import FOLDER
from runtime.embedded.secret_file import kept_secrets
from runtime.embedded.store import Store
from runtime.settings import Settings
from runtime.store_watch import found_store

pytestmark = [pytest.mark.usefixtures("usual_umask"), pytest.mark.system]


def settings(var: Path) -> Settings:
    return settings_of(var, kept_secrets(var / "secrets.json"), {})


@pytest.fixture
def var(home: Path) -> Path:
    """The folder of a house in which a table of each game has been opened."""
    var = home / "var"
    chosen = settings(var)
    with Store(var / "store"):
        asyncio.run(found_store(chosen))
        asyncio.run(demo_tables(chosen))
    return var


def content(var: Path) -> dict[bytes, bytes]:
    """All that a store holds, but for the lists, which are made anew."""
    with Store(var / "store") as store, redis.Redis.from_url(store.admin_url) as client:
        keys = sorted(key for key in client.scan_iter() if b":g:" in key or key.endswith(b":log"))
        return {key: client.dump(key) or b"" for key in keys}


def test_what_was_saved_is_restored_whole(var: Path, home: Path) -> None:
    before = content(var)
    assert len(before) > 3
    about = save(var, home / "saved")
    assert sum(about.events.values()) > 0
    found = restore(home / "saved", home / "new", var / "secrets.json")
    assert found.startswith(f"{len(GAMES)} games, ")
    assert content(home / "new") == before
    assert (home / "new" / "secrets.json").read_bytes() == (var / "secrets.json").read_bytes()
    assert [path.name for path in (home / "new").iterdir() if "restoring" in path.name] == []


def test_a_store_is_saved_while_it_runs_and_goes_on(var: Path, home: Path) -> None:
    with Store(var / "store") as store, redis.Redis.from_url(store.admin_url) as client:
        pid = store.pid
        save(var, home / "saved")
        client.set("later", "1")
        assert store.pid == pid
        assert store.alive
    assert not (var / "store" / "dump.rdb").exists()
    restore(home / "saved", home / "new", var / "secrets.json")
    with Store(home / "new" / "store") as store, redis.Redis.from_url(store.admin_url) as client:
        assert not client.exists("later")
    with Store(var / "store") as store, redis.Redis.from_url(store.admin_url) as client:
        assert client.exists("later")


def test_two_saves_in_a_row_are_two_moments(var: Path, home: Path) -> None:
    with Store(var / "store") as store, redis.Redis.from_url(store.admin_url) as client:
        save(var, home / "one")
        client.execute_command("BGREWRITEAOF")  # a save waits for it
        client.set("later", "1")
        save(var, home / "two")
    one, two = ((home / name / STORE_FILE).read_bytes() for name in ("one", "two"))
    assert b"later" not in one
    assert b"later" in two


def test_a_backup_and_what_is_restored_are_the_owners_alone(var: Path, home: Path) -> None:
    save(var, home / "saved")
    assert main(["secrets", "--var", str(var), str(home / "secrets")]) == 0
    restore(home / "saved", home / "new", home / "secrets")
    shut = [home / "saved", home / "secrets", home / "new" / "store", home / "new" / "secrets.json"]
    for path in [*shut, *(home / "saved").iterdir(), *(home / "new" / "store").rglob("*")]:
        assert not path.stat().st_mode & 0o077, path
    assert stat.S_IMODE((home / "secrets").stat().st_mode) == 0o600


def test_no_secret_is_in_a_backup(var: Path, home: Path) -> None:
    save(var, home / "saved")
    kept = kept_secrets(var / "secrets.json")
    for path in (home / "saved").iterdir():
        held = path.read_bytes()
        for secret in (kept.master, kept.signing, kept.operator_token):
            assert secret.encode() not in held
        assert kept.master_key().reveal() not in held


# --- what is refused ---


def refused(home: Path, var: Path, secrets: Path | None, what: str) -> None:
    """A restore that fails leaves nothing behind."""
    with pytest.raises(BackupError, match=what):
        restore(home / "saved", var, secrets)
    assert not list(var.glob("restoring-*"))


def test_nothing_is_overwritten(var: Path, home: Path) -> None:
    save(var, home / "saved")
    before = content(var)
    with pytest.raises(BackupError, match="exists already"):
        save(var, home / "saved")
    refused(home, var, None, "exists already")
    (home / "secrets").write_text("mine")
    with pytest.raises(BackupError, match="exists already"):
        backup.copy_secrets(var, home / "secrets")
    assert (home / "secrets").read_text() == "mine"
    assert content(var) == before


def test_a_damaged_backup_is_not_restored(var: Path, home: Path) -> None:
    save(var, home / "saved")
    file = home / "saved" / STORE_FILE
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    refused(home, home / "new", var / "secrets.json", "is damaged")
    (home / "saved" / ABOUT_FILE).write_text("{}")
    refused(home, home / "new", var / "secrets.json", "is no backup")
    assert not (home / "new" / "store").exists()


def lie(home: Path, **changes: object) -> None:
    """Change what a backup says of itself."""
    file = home / "saved" / ABOUT_FILE
    about = msgspec.structs.replace(msgspec.json.decode(file.read_bytes(), type=About), **changes)
    file.write_bytes(msgspec.json.encode(about))


def test_a_backup_that_lacks_what_was_acknowledged_is_not_restored(var: Path, home: Path) -> None:
    about = save(var, home / "saved")
    shard, seq = max(about.events.items(), key=lambda item: item[1])
    lie(home, events={**about.events, shard: seq + 1})
    refused(home, home / "new", var / "secrets.json", f"shards {shard} end before")
    assert not (home / "new" / "store").exists()


def test_a_backup_of_a_game_that_was_altered_is_not_restored(var: Path, home: Path) -> None:
    with Store(var / "store") as store, redis.Redis.from_url(store.admin_url) as client:
        entries = min(key for key in client.scan_iter() if key.endswith(b":e"))
        newest = client.xrevrange(entries, count=1)[0][0]
        client.xdel(entries, newest)
        save(var, home / "saved")
    refused(home, home / "new", var / "secrets.json", "does not verify")
    assert not (home / "new" / "store").exists()


def test_other_secrets_open_no_backup(var: Path, home: Path) -> None:
    save(var, home / "saved")
    refused(home, home / "new", None, "--secrets")
    kept_secrets(home / "other")
    refused(home, home / "new", home / "other", "not the secrets")


def test_a_folder_without_a_store_is_not_saved(home: Path) -> None:
    with pytest.raises(NoRunFolderError, match="no folder of make run"):
        save(home / "nothing", home / "saved")
    assert not (home / "nothing").exists()
    assert not (home / "saved").exists()


def test_when_the_store_cannot_write_there_is_half_a_backup_nowhere(var: Path, home: Path) -> None:
    with Store(var / "store"):
        (var / "store" / "dump.rdb").mkdir()  # nothing can be renamed to a folder
        with pytest.raises(BackupError, match="could not write"):
            save(var, home / "saved")
    assert not (home / "saved").exists()


def test_on_the_command_line_what_fails_is_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (
        ["save", "--var", str(home / "x"), str(home / "y")],
        ["secrets", "--var", str(home / "x"), str(home / "y")],
        ["restore", "--var", str(home / "x"), str(home / "y")],
    ):
        assert main(command) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("parlour: ")
        assert said.err.count("\n") == 1


def test_a_snapshot_is_the_base_of_an_append_only_file(var: Path, home: Path) -> None:
    save(var, home / "saved")
    restore(home / "saved", home / "new", var / "secrets.json")
    names = {path.name for path in (home / "new" / "store" / FOLDER).iterdir()}
    assert "appendonly.aof.1.base.rdb" in names
    assert any(name.endswith(".incr.aof") for name in names)
