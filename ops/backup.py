"""``python -m ops.backup``: save the games of ``make run`` while it runs, and restore them.

A backup is a folder: ``store.rdb``, everything the store held at one moment, and ``backup.json``,
what must be in it. It does not include the secrets, because with both every running game can be
read: ``secrets`` copies them to a separate file, to be kept elsewhere. Nothing is ever overwritten.

A restored store is verified before it is put in place: its checksum, that it has everything
acknowledged when the save began, and every chain of every game and account.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BufferedWriter
from pathlib import Path
from typing import Any, Final

import msgspec
import redis
from msgspec import Struct
from msgspec.structs import replace

from events.scripts import LogError
from ops.run_folder import (
    SECRETS,
    STORE,
    NoRunFolderError,
    secrets_of,
    settings_of,
    store_running,
)
from replay.store_audit import StoreAudit
from replay.stream_audit import NOT_CHECKED
from runtime.embedded.aof import FOLDER, MANIFEST
from runtime.embedded.private import UMASK, make_private, sync_folder
from runtime.embedded.secret_file import Kept, SecretFileError, kept_secrets
from runtime.embedded.store import Store, StoreError, url_of
from runtime.settings import PREFIX, Settings, SettingsError
from workers.host import Host

FORMAT: Final = "parlour/backup/1"
STORE_FILE: Final = "store.rdb"
ABOUT_FILE: Final = "backup.json"

_BASE: Final = "appendonly.aof.1.base.rdb"
_MANIFEST: Final = f"file {_BASE} seq 1 type b\n"
_POLL_S: Final = 0.05


class BackupError(RuntimeError):
    """Nothing was saved, or nothing restored. The message is a sentence."""


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """What ``backup.json`` says.

    ``events`` is how many entries each shard's feed had when the save began, by the shard's number;
    ``secrets`` is a fingerprint of the master secret, which reveals nothing of it.
    """

    format: str
    made_at: str
    sha256: str
    bytes: int
    events: dict[str, int]
    secrets: str


def save(var: Path, to: Path) -> About:
    """Save the store of ``var``, whether it runs or not, to a new folder.

    Raises:
        BackupError: it cannot be saved.
        NoRunFolderError, StoreError, SecretFileError, OSError, redis.RedisError: likewise.
    """
    kept = secrets_of(var)
    settings = settings_of(var, kept, os.environ)
    _require_new(to)
    with store_running(var, settings):
        return _save_running(settings, var, to, kept)


def copy_secrets(var: Path, to: Path) -> None:
    """Copy the secrets to a new file that only its owner can read.

    Raises:
        BackupError: there are none, or there is a file already.
        OSError: it cannot be written.
    """
    if not (var / SECRETS).exists():
        raise BackupError(f"{var / SECRETS} does not exist")
    kept_secrets(var / SECRETS)
    _require_new(to)
    _copy(var / SECRETS, to)


def restore(source: Path, var: Path, secrets: Path | None) -> str:
    """Restore a backup to a folder without a store; returns what was verified, in words.

    Args:
        source: the folder of the backup.
        var: where the store goes, and the secrets if they are not there yet.
        secrets: a copy of them.

    Raises:
        BackupError: the backup is damaged, or something is in the way.
        StoreError, SecretFileError, LogError, OSError, redis.RedisError: likewise.
    """
    about = _read_about(source)
    if (var / STORE).exists():
        raise BackupError(f"{var / STORE} exists already, and nothing is overwritten")
    _require_whole(source / STORE_FILE, about)
    kept = kept_secrets(_secrets_for(var, secrets))
    if _fingerprint(kept) != about.secrets:
        raise BackupError("these are not the secrets of the games in this backup")
    new = var / f"restoring-{os.getpid()}"
    make_private(new / FOLDER)
    try:
        _copy(source / STORE_FILE, new / FOLDER / _BASE)
        (new / FOLDER / MANIFEST).write_text(_MANIFEST)
        settings = settings_of(var, kept, os.environ)
        found = _verified(new, replace(settings, store_url=url_of(new)), about)
        if not (var / SECRETS).exists() and secrets is not None:
            _copy(secrets, var / SECRETS)
        new.rename(var / STORE)
        sync_folder(var)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return found


# --- saving ---


def _save_running(settings: Settings, var: Path, to: Path, kept: Kept) -> About:
    to.mkdir(mode=0o700, parents=True)
    try:
        with redis.Redis.from_url(settings.store_url) as client:
            events = _feed_ends(client, settings)
            _snapshot(client)
        dump = var / STORE / "dump.rdb"
        try:
            digest = _copy(dump, to / STORE_FILE)
        finally:
            dump.unlink()
        about = About(
            format=FORMAT,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            sha256=digest,
            bytes=(to / STORE_FILE).stat().st_size,
            events=events,
            secrets=_fingerprint(kept),
        )
        _write(to / ABOUT_FILE, msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    except BaseException:
        shutil.rmtree(to, ignore_errors=True)  # half a backup is useless
        raise
    return about


def _snapshot(client: redis.Redis) -> None:
    """Have the store write what it holds now to one file; wait for its end."""
    before = _persistence(client)["rdb_saves"]
    client.execute_command("BGSAVE", "SCHEDULE")
    while True:
        state = _persistence(client)
        if not state["rdb_bgsave_in_progress"]:
            if state["rdb_last_bgsave_status"] != "ok":
                raise BackupError("the store could not write its file: see store.log")
            if state["rdb_saves"] > before:
                return
        time.sleep(_POLL_S)


def _persistence(client: redis.Redis) -> dict[str, Any]:
    found: dict[str, Any] = client.info("persistence")
    return found


def _feed_ends(client: redis.Redis, settings: Settings) -> dict[str, int]:
    """How many entries the feed of each shard has."""
    layout = settings.layout()
    shards = range(settings.shards)
    found: list[Any] = [client.hget(layout.meta(shard), "seq") for shard in shards]
    return {str(shard): int(seq or 0) for shard, seq in zip(shards, found, strict=True)}


# --- restoring ---


def _read_about(source: Path) -> About:
    try:
        about = msgspec.json.decode((source / ABOUT_FILE).read_bytes(), type=About)
    except (OSError, msgspec.DecodeError) as error:
        raise BackupError(f"{source} is no backup: {ABOUT_FILE} cannot be read") from error
    if about.format != FORMAT:
        raise BackupError(f"{source} is of another format: {about.format}")
    return about


def _require_whole(file: Path, about: About) -> None:
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if digest != about.sha256:
        raise BackupError(f"{file} is damaged: it is not what was saved")


def _secrets_for(var: Path, secrets: Path | None) -> Path:
    own = var / SECRETS
    if own.exists():
        return own
    if secrets is None or not secrets.exists():
        raise BackupError(f"name a copy of the secrets by --secrets: there is no {own}")
    return secrets


def _verified(home: Path, settings: Settings, about: About) -> str:
    """Start a restored store, verify all that is in it, and stop it."""
    with Store(home, memory=settings.store_memory) as store:
        with redis.Redis.from_url(store.url) as client:
            found = _feed_ends(client, settings)
        lost = [shard for shard, seq in about.events.items() if found.get(shard, 0) < seq]
        if lost:
            raise BackupError(f"shards {', '.join(lost)} end before what had been acknowledged")
        return asyncio.run(_audit(settings))


async def _audit(settings: Settings) -> str:
    """Bring the lists up to date and verify every game and account."""
    host = Host(settings)
    try:
        await host.lobby.catch_up()
    finally:
        await host.close()
    audit = StoreAudit(settings)
    found = [fault async for fault in audit.faults()]
    faults = [fault.line() for fault in found if fault.check != NOT_CHECKED]
    if faults:
        raise BackupError(f"the backup does not verify, {len(faults)} faults; first: {faults[0]}")
    return audit.tally.line()


# --- files ---


def _fingerprint(kept: Kept) -> str:
    return hashlib.sha256(FORMAT.encode() + kept.master_key().reveal()).hexdigest()[:16]


def _require_new(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise BackupError(f"{path} exists already, and nothing is overwritten")


def _copy(source: Path, to: Path) -> str:
    """Copy a file to a new one private to its owner, synced to disk; returns its SHA-256."""
    to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with source.open("rb") as content, _new(to) as copy:
        shutil.copyfileobj(content, copy)
        copy.flush()
        os.fsync(copy.fileno())
        content.seek(0)
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    sync_folder(to.parent)
    return digest


def _write(to: Path, content: bytes) -> None:
    with _new(to) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(to.parent)


def _new(path: Path) -> BufferedWriter:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


# --- the command line ---


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m ops.backup", description=__doc__)
    tasks = made.add_subparsers(title="commands", required=True, dest="task", metavar="COMMAND")
    var = argparse.ArgumentParser(add_help=False)
    folder = os.environ.get(f"{PREFIX}VAR") or "var"
    var.add_argument("--var", type=Path, default=Path(folder), help="the folder of make run")
    task = tasks.add_parser("save", parents=[var], help="save the store to a new folder")
    task.add_argument("folder", type=Path)
    task = tasks.add_parser("secrets", parents=[var], help="copy the secrets to a new file")
    task.add_argument("file", type=Path)
    task = tasks.add_parser("restore", parents=[var], help="restore a store where there is none")
    task.add_argument("folder", type=Path)
    task.add_argument("--secrets", type=Path, metavar="FILE", help="a copy of the secrets")
    return made


def main(arguments: Sequence[str]) -> int:
    """Run one command; 1 and a sentence if it cannot be done."""
    given = _parser().parse_args(arguments)
    os.umask(UMASK)
    try:
        print(_done(given))
    except OSError as error:
        print(f"parlour: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except (
        BackupError,
        NoRunFolderError,
        StoreError,
        SecretFileError,
        SettingsError,
        LogError,
        redis.RedisError,
        ValueError,
    ) as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 1
    return 0


def _done(given: argparse.Namespace) -> str:
    """Run a command; returns what to print about it."""
    if given.task == "secrets":
        copy_secrets(given.var, given.file)
        return f"{given.file} opens every private thing in the store: keep it apart from backups"
    if given.task == "restore":
        return f"restored and verified: {restore(given.folder, given.var, given.secrets)}"
    about = save(given.var, given.folder)
    return (
        f"saved {about.bytes} bytes to {given.folder}; the secrets are not in it, and without them"
        " no running game can be read: python -m ops.backup secrets FILE"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
