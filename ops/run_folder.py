"""The folder of ``make run``: its secrets, its store, and the settings that go with both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from runtime.embedded.secret_file import KEY_ID, Kept, kept_secrets
from runtime.embedded.store import DirectoryTakenError, Store, url_of
from runtime.settings import PREFIX, Settings, SettingsError, environment, load_settings

SECRETS: Final = "secrets.json"
STORE: Final = "store"

OWN: Final = (
    "store_url",
    "rq_url",
    "shards",
    "shard_tags",
    "prefix",
    "keys",
    "current_key",
    "naming_key",
    "signing_key",
    "admin_token_hash",
)
"""The settings that follow from the folder: the place of the games, and their secrets."""


class NoRunFolderError(RuntimeError):
    """A folder is none of ``make run``. The message is a sentence."""


def settings_of(
    var: Path, kept: Kept, environ: Mapping[str, str], port: int | None = None
) -> Settings:
    """The settings of all parts: those of the folder, and the rest from the environment.

    Args:
        var: the folder, whatever the environment says of it.
        kept: its secrets.
        environ: the source of all other settings.
        port: the API's; None: as the environment says.

    Raises:
        SettingsError: the environment has an unknown setting, a malformed one, or one of ``OWN``.
    """
    said = {name: text for name, text in environ.items() if name.startswith(PREFIX)}
    for field in OWN:
        if (name := PREFIX + field.upper()) in said:
            raise SettingsError(f"{name} is not for make run, which brings a store and secrets")
    store_url = url_of(var / STORE)
    own = Settings(
        store_url=store_url,
        rq_url=store_url,
        keys={KEY_ID: kept.master_key()},
        current_key=KEY_ID,
        naming_key=KEY_ID,
        signing_key=kept.signing_key(),
        admin_token_hash=kept.token_hash(),
        var=var,
    )
    overrides = {f"{PREFIX}VAR": str(var)}
    if port is not None:
        overrides[f"{PREFIX}PORT"] = str(port)
    return load_settings({**environment(own), **said, **overrides})


def secrets_of(var: Path) -> Kept:
    """The secrets of a folder that has a store.

    Raises:
        NoRunFolderError: it has no store, or no secrets.
        SecretFileError: they cannot be read.
    """
    if not (var / SECRETS).exists() or not (var / STORE).exists():
        raise NoRunFolderError(f"{var} is no folder of make run: it has no store and secrets")
    return kept_secrets(var / SECRETS)


@contextmanager
def store_running(var: Path, settings: Settings) -> Iterator[None]:
    """The store of a folder answers while the context is open; one that runs already runs on.

    Raises:
        StoreError: it does not start.
    """
    store = Store(var / STORE, memory=settings.store_memory)
    try:
        store.start()
    except DirectoryTakenError:  # by whoever runs it
        yield
        return
    try:
        yield
    finally:
        store.stop()
