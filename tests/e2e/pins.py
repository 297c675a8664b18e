"""Games that are drawn alike in every run: players, games and deals follow from keys of commands.

The service derives the ids of players and games from its master secret and the key of the command
that makes them, and every draw of a game from its id. Here the secret is always the same, and so
are the keys, as long as nobody asks for other draws (``--draws``, as ``make nightly`` does).
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from playwright.sync_api import Page

from runtime.embedded.secret_file import Kept

BY_DAY: Final = "by day"
"""The draws of every run that is asked for no others."""

_SAME_KEYS: Final = """(keys) => {
    const own = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = (array) => {
        const key = array.byteLength === 16 && keys.shift();
        if (!key) {
            return own(array);
        }
        array.set(key.match(/../g).map((byte) => parseInt(byte, 16)));
        return array;
    };
}"""
_PAGE_KEYS: Final = 16


def digest(text: str) -> str:
    """32 hexadecimal digits that follow from a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def keys(pin: str) -> Iterator[str]:
    """Keys of commands, one after another, that are the same for the same pin."""
    return (digest(f"{pin}/{number}") for number in itertools.count())


def pin_page(page: Page, pin: str) -> None:
    """Let a page take the keys of a pin for its next commands, until it is loaded anew."""
    page.evaluate(_SAME_KEYS, list(itertools.islice(keys(pin), _PAGE_KEYS)))


def keep_secrets(var: Path) -> None:
    """Leave the secrets of all services of tests in a folder that is to be a service's."""
    var.mkdir(mode=0o700)
    secrets = Kept(
        *(digest(f"{what}/1") + digest(f"{what}/2") for what in ("master", "sign", "op"))
    )
    path = var / "secrets.json"
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_bytes(msgspec.json.encode(secrets))
