"""The settings of every process: one frozen record, read from the environment once.

It lives here, in the lowest layer that all the shells (service, workers, replay, ops) share; no
other module reads the environment. Names begin with ``ROOM25_``; an unknown one is an error, so
that a misspelt setting stops the program instead of being passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import asdict, fields

from events.clients import CLUSTER
from events.keys import KeyRing

PREFIX: Final = "ROOM25_"
KEY_BYTES: Final = 32
_PORTS = 65_535
_ADDRESS: Final = re.compile(
    r"https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?"
)


class SettingsError(ValueError):
    """A setting is missing, unknown or malformed. The message never shows a secret's value."""


class Secret:
    """Bytes that no log line and no traceback prints; ``reveal`` gives them."""

    __slots__ = ("_value",)

    def __init__(self, value: bytes) -> None:
        self._value = value

    def reveal(self) -> bytes:
        """The bytes themselves."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class Settings(Struct, frozen=True, kw_only=True):
    """What a process must know.

    ``keys`` are the master secrets by key id, 32 bytes each; new streams take ``current_key``,
    ids and digests come from ``naming_key``. ``signing_key`` is an Ed25519 seed that signs heads
    in the name of ``origin``. ``admin_token_hash`` is the SHA-256 of the operator's token, from
    which all other powers are handed out. Rates are per minute and caller; ``body_limit`` is in
    bytes, ``wait_limit_s`` the longest long-poll in seconds, ``stream_limit_s`` the longest stream.
    ``streams_per_caller`` and ``streams_per_address`` are how many streams a player, or everybody
    without a token at one address, may have open in one process.
    ``trusted_proxies`` are the networks of the proxies whose ``X-Forwarded-For`` is believed.
    ``public_url`` is where people find the page, for link previews; ``reload_pages`` has its files
    read anew at every request, for who works on them.
    ``allow_lossy_store`` lets the service start on a store that may lose acknowledged commands: for
    development only.
    """

    store_url: str
    rq_url: str
    keys: Mapping[str, Secret]
    current_key: str
    naming_key: str
    shards: int = 4
    prefix: str = ""
    signing_key: Secret | None = None
    origin: str = "room25"
    admin_token_hash: Secret | None = None
    host: str = "127.0.0.1"
    port: int = 8025
    var: Path = field(default_factory=lambda: Path("var"))
    allow_lossy_store: bool = False
    reads_per_minute: int = 1200
    commands_per_minute: int = 600
    registrations_per_minute: int = 60
    body_limit: int = 65_536
    wait_limit_s: int = 25
    stream_limit_s: int = 3600
    streams_per_caller: int = 20
    streams_per_address: int = 200
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    public_url: str = ""
    reload_pages: bool = False
    log_level: str = "info"

    def key_ring(self) -> KeyRing:
        """The master secrets, as what seals and names things wants them."""
        secrets = {name: secret.reveal() for name, secret in self.keys.items()}
        return KeyRing(secrets, self.current_key, self.naming_key)


def _number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise ValueError(f"must be {low} to {high}")
        return value

    return read


def _flag(text: str) -> bool:
    if text not in {"0", "1"}:
        raise ValueError("must be 0 or 1")
    return text == "1"


def _level(text: str) -> str:
    levels = ("debug", "info", "warning", "error")
    if text not in levels:
        raise ValueError(f"must be one of {', '.join(levels)}")
    return text


def _secret(text: str) -> Secret:
    """A secret of 32 bytes in hexadecimal; the error does not quote it."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != KEY_BYTES:
        raise ValueError(f"must be {KEY_BYTES} bytes in hexadecimal")
    return Secret(value)


def _keys(text: str) -> dict[str, Secret]:
    """``id:hex`` pairs with commas between them; the first is the current one."""
    result: dict[str, Secret] = {}
    for pair in text.split(","):
        name, colon, value = pair.partition(":")
        if not colon or not name or name in result:
            raise ValueError("must be id:hex pairs with commas between them, each id once")
        result[name] = _secret(value)
    return result


def _address(text: str) -> str:
    """Scheme, host and perhaps a port, or nothing; a slash at the end is dropped."""
    found = text.removesuffix("/")
    if found and not _ADDRESS.fullmatch(found):
        raise ValueError("must be like https://games.example, without a path")
    return found


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Addresses and networks (RFC 4632, RFC 4291) with commas between them, or nothing."""
    return tuple(ip_network(each.strip()) for each in text.split(",")) if text.strip() else ()


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "store_url": str,
    "rq_url": str,
    "keys": _keys,
    "current_key": str,
    "naming_key": str,
    "shards": _number(1, 256),
    "prefix": str,
    "signing_key": _secret,
    "origin": str,
    "admin_token_hash": _secret,
    "host": str,
    "port": _number(0, _PORTS),
    "var": Path,
    "allow_lossy_store": _flag,
    "reads_per_minute": _number(1, 10**9),
    "commands_per_minute": _number(1, 10**9),
    "registrations_per_minute": _number(1, 10**9),
    "body_limit": _number(1024, 2**30),
    "wait_limit_s": _number(0, 300),
    "stream_limit_s": _number(1, 10**6),
    "streams_per_caller": _number(1, 10**6),
    "streams_per_address": _number(1, 10**6),
    "trusted_proxies": _networks,
    "public_url": _address,
    "reload_pages": _flag,
    "log_level": _level,
}

assert set(_READERS) == {f.name for f in fields(Settings)}


def load_settings(environ: Mapping[str, str]) -> Settings:
    """Read the settings: field ``store_url`` from ``ROOM25_STORE_URL``, and so on.

    Needed: ``ROOM25_STORE_URL`` and ``ROOM25_KEYS``. ``rq_url`` is the store's URL by default,
    ``current_key`` the first key, ``naming_key`` the current one.

    Raises:
        SettingsError: a name is unknown or missing, or a value malformed.
    """
    values: dict[str, Any] = {}
    for name, text in environ.items():
        if not name.startswith(PREFIX):
            continue
        key = name.removeprefix(PREFIX).lower()
        if key not in _READERS or name != name.upper():
            raise SettingsError(f"unknown setting {name}")
        try:
            values[key] = _READERS[key](text)
        except ValueError as error:
            # int() quotes the text it could not read; no secret passes through int()
            raise SettingsError(f"{name}: {error}") from None
    for needed in ("store_url", "keys"):
        if needed not in values:
            raise SettingsError(f"{PREFIX}{needed.upper()} is missing")
    values.setdefault("rq_url", values["store_url"])
    values.setdefault("current_key", next(iter(values["keys"])))
    values.setdefault("naming_key", values["current_key"])
    for name in ("current_key", "naming_key"):
        if values[name] not in values["keys"]:
            raise SettingsError(f"{PREFIX}{name.upper()} names no key of {PREFIX}KEYS")
    if values["rq_url"].startswith(CLUSTER):
        raise SettingsError(f"{PREFIX}RQ_URL must name a store of its own: RQ knows no clusters")
    return Settings(**values)


def _text(value: object) -> str:
    """A setting as its reader takes it."""
    if isinstance(value, Secret):
        return value.reveal().hex()
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{_text(secret)}" for name, secret in value.items())
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)


def environment(settings: Settings) -> dict[str, str]:
    """The environment that ``load_settings`` reads back as ``settings``; it holds the secrets."""
    return {
        PREFIX + name.upper(): _text(value)
        for name, value in asdict(settings).items()
        if value is not None
    }
