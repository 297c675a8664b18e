"""The secrets of an embedded installation: made once, kept in a file private to its owner."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from runtime.settings import KEY_BYTES, Secret

KEY_ID: Final = "k1"
_OWNER_ONLY: Final = 0o600


class SecretFileError(RuntimeError):
    """The file is damaged, or others may read it too."""


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents: the master secret and the signing key (hexadecimal), and the operator's token.

    Losing the master secret makes every running game unreadable; keep it with the store.
    """

    master: str
    signing: str
    operator_token: str

    def __post_init__(self) -> None:
        for key in (self.master_key(), self.signing_key()):
            if len(key.reveal()) != KEY_BYTES:
                raise ValueError(f"a key has {KEY_BYTES} bytes")

    def __repr__(self) -> str:
        return "Kept(…)"

    def master_key(self) -> Secret:
        """The master secret."""
        return Secret(bytes.fromhex(self.master))

    def signing_key(self) -> Secret:
        """The Ed25519 seed."""
        return Secret(bytes.fromhex(self.signing))

    def token_hash(self) -> Secret:
        """The SHA-256 of the operator's token: all that the service knows of it."""
        return Secret(hashlib.sha256(self.operator_token.encode()).digest())


def kept_secrets(path: Path) -> Kept:
    """Read the secrets in ``path``, or create them if there is no such file.

    Raises:
        SecretFileError: the file is damaged, or readable by others.
    """
    try:
        return _make(path)
    except FileExistsError:
        return _read(path)


def _make(path: Path) -> Kept:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = Kept(
        secrets.token_hex(KEY_BYTES), secrets.token_hex(KEY_BYTES), secrets.token_urlsafe(KEY_BYTES)
    )
    # Written aside and linked into place: no crash leaves half a file, and no file is replaced.
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(made) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(aside, path)
    finally:
        aside.unlink()
    return made


def _read(path: Path) -> Kept:
    if path.stat().st_mode & 0o077:
        raise SecretFileError(f"others can read {path}: chmod 600 it")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept)
    except ValueError:
        raise SecretFileError(f"{path} is damaged; restore it from a backup") from None
