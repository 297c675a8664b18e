"""What the embedded store and the supervisor keep is their owner's alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
import redis

from runtime.embedded.private import make_private
from runtime.embedded.store import Store

pytestmark = pytest.mark.usefixtures("usual_umask")


def modes(folder: Path) -> dict[str, str]:
    """What is open to others, in a folder and below."""
    return {
        str(path): oct(stat.S_IMODE(path.stat().st_mode))
        for path in (folder, *folder.rglob("*"))
        if path.stat().st_mode & 0o077
    }


def rewrite(client: redis.Redis) -> None:
    client.execute_command("BGREWRITEAOF")
    while client.info("persistence")["aof_rewrite_in_progress"]:
        pass


def test_all_files_of_a_store_are_its_owners(home: Path) -> None:
    folder = home / "var" / "store"
    with Store(folder) as store, redis.Redis.from_url(store.admin_url) as client:
        client.set("a", "b")
        rewrite(client)
        client.execute_command("BGSAVE")
        while client.info("persistence")["rdb_bgsave_in_progress"]:
            pass
        assert {path.name for path in folder.iterdir()} >= {"store.log", "dump.rdb", "store.sock"}
        assert modes(home / "var") == {}


def test_the_server_alone_would_leave_them_open(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The control: with the usual umask the games can be read by everybody.
    monkeypatch.setattr("runtime.embedded.store.UMASK", 0o022)
    with Store(home / "store"):
        assert {Path(path).suffix for path in modes(home / "store")} >= {".aof", ".rdb", ".log"}


def test_what_an_older_version_has_left_open_is_shut(home: Path) -> None:
    folder = home / "store"
    with Store(folder):
        pass
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    with Store(folder):
        assert modes(folder) == {}


def test_only_the_folder_itself_is_shut_and_no_link_is_followed(home: Path) -> None:
    shared, inner = home / "shared", home / "shared" / "inner"
    shared.mkdir(mode=0o755)
    outside = home / "outside"
    outside.write_text("x")
    inner.mkdir()
    (inner / "link").symlink_to(outside)
    make_private(inner)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644
    assert stat.S_IMODE(inner.stat().st_mode) == 0o700
