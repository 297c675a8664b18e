"""Fault 19: what is written half: backups, segments of the journal, records.

There is no archive of finished games yet. What is written today beside the store is cut at random
places and runs into full disks here: nothing of it is believed before it verifies, and nothing that
it was made of is gone.
"""

from __future__ import annotations

import contextlib
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from ops import backup
from ops.backup import ABOUT_FILE, STORE_FILE, BackupError, restore, save
from replay import __main__ as replaying
from replay.source import SourceError
from runtime.embedded.store import Store
from runtime.journal.segments import JournalError
from simulator.faults.rig import Disk
from tests.conftest import Sometimes
from tests.ops.test_backup import content, var
from tests.replay.forging import audited, failures, small
from tests.runtime.test_journal_segments import SHARD, entry, filled, newest, numbers, writer

__all__ = ["var"]

CUTS = 8
LEFT = 2000
"""Bytes that a full disk still takes: not enough for anything here."""


@pytest.fixture
def disk(home: Path) -> Iterator[Disk]:
    """A small disk of our own."""
    made = Disk(home / "disk")
    assert made.is_mounted, "a small disk is mounted by root alone"
    try:
        yield made
    finally:
        made.close()


# --- backups ---


def test_a_backup_that_is_cut_anywhere_is_not_restored(
    var: Path, home: Path, sometimes: Sometimes
) -> None:
    before, chance, cut = content(var), random.Random(25), 0
    save(var, home / "saved")
    for number in range(CUTS):
        broken = home / f"broken {number}"
        shutil.copytree(home / "saved", broken)
        file = broken / (ABOUT_FILE, STORE_FILE)[number % 2]
        whole = file.read_bytes().rstrip(b"\n")
        file.write_bytes(whole[: chance.randrange(len(whole))])
        with pytest.raises(BackupError):
            restore(broken, home / "new", var / "secrets.json")
        assert not (home / "new" / "store").exists()
        cut += 1
    assert content(var) == before
    restore(home / "saved", home / "new", var / "secrets.json")
    sometimes("backups cut", cut)


def test_a_backup_without_a_look_at_what_it_holds_is_believed(
    var: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the newest event of a game is gone, and nobody looks."""

    async def nobody_looks(_: object) -> str:
        return "not verified"

    with Store(var / "store") as store, redis.Redis.from_url(store.admin_url) as client:
        entries = min(key for key in client.scan_iter() if key.endswith(b":e"))
        client.xdel(entries, client.xrevrange(entries, count=1)[0][0])
        save(var, home / "saved")
    with pytest.raises(BackupError, match="does not verify"):
        restore(home / "saved", home / "new", var / "secrets.json")
    monkeypatch.setattr(backup, "_audit", nobody_looks)
    assert restore(home / "saved", home / "new", var / "secrets.json") == "not verified"
    assert (home / "new" / "store").exists()


def test_a_full_disk_has_half_a_backup_nowhere(
    var: Path, home: Path, disk: Disk, sometimes: Sometimes
) -> None:
    before = content(var)
    disk.fill(LEFT)
    with pytest.raises(OSError, match="No space left"):
        save(var, disk.folder / "saved")
    assert not (disk.folder / "saved").exists()
    assert not (var / "store" / "dump.rdb").exists()
    disk.empty()
    save(var, disk.folder / "saved")
    disk.fill(LEFT)
    with pytest.raises(OSError, match="No space left"):
        restore(disk.folder / "saved", disk.folder / "new", var / "secrets.json")
    assert not (disk.folder / "new" / "store").exists()
    disk.empty()
    restore(disk.folder / "saved", home / "new", var / "secrets.json")
    assert content(home / "new") == content(var) == before
    sometimes("writes to a full disk", 2)


# --- the journal ---


def test_a_journal_that_is_cut_anywhere_is_refused_or_whole(
    tmp_path: Path, sometimes: Sometimes
) -> None:
    filled(tmp_path, 3)
    whole, chance, cut = newest(tmp_path).read_bytes(), random.Random(25), 0
    for _ in range(4 * CUTS):
        newest(tmp_path).write_bytes(whole[: chance.randrange(len(whole))])
        with pytest.raises(JournalError):
            numbers(tmp_path)
        cut += 1
    newest(tmp_path).write_bytes(whole)
    assert numbers(tmp_path) == [1, 2, 3]
    sometimes("segments cut", cut)


def test_a_full_disk_confirms_nothing_and_keeps_what_was_confirmed(disk: Disk) -> None:
    folder = disk.folder / "journal"
    filled(folder, 3)
    with writer(folder) as to:
        disk.fill(0)
        last = 3
        with contextlib.suppress(JournalError):
            for seq in range(4, 2000):
                to.append([entry(seq), entry(seq, shard=2)])
                last = seq
        assert last < 1999, "the disk was not full"
        assert to.end(SHARD) == entry(last).mark
    assert numbers(folder)[:last] == [*range(1, last + 1)]
    disk.empty()
    with writer(folder) as to:
        known = to.end(SHARD).seq
        assert known >= last, "what was confirmed is there, and perhaps what was only written"
        to.append([entry(known + 1)])
    assert numbers(folder) == [*range(1, known + 2)]


# --- records ---


def test_a_record_that_is_cut_anywhere_does_not_verify(sometimes: Sometimes) -> None:
    whole, chance, cut = small(), random.Random(25), 0
    assert failures(audited(whole)) == {}
    for _ in range(CUTS):
        part = whole[: chance.randrange(len(whole) - 1)]
        with contextlib.suppress(SourceError):  # it is told before anything is checked
            assert failures(audited(part))
        cut += 1
    sometimes("records cut", cut)


def exported(disk: Disk) -> bytes:
    """What is there of an earlier record after a full disk has taken no other."""
    out = disk.folder / "record.jsonl"
    out.write_bytes(small())
    disk.fill(LEFT)
    with pytest.raises((OSError, SourceError), match="No space left"):
        replaying._write_bytes(out, small() * 2)  # noqa: SLF001 (by this way all records are written)
    assert [each.name for each in disk.folder.iterdir() if each.name.startswith(".")] == []
    return out.read_bytes()


def test_a_full_disk_leaves_the_earlier_record(disk: Disk) -> None:
    assert exported(disk) == small()


def test_written_in_place_the_earlier_record_is_gone(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(replaying, "_replace", Path.write_bytes)
    assert exported(disk) != small()
