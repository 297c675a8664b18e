"""The settings of every process: one frozen record, read from the environment once.

It lives here, in the lowest layer that all the shells (service, workers, replay, ops) share; no
other module reads the environment. Names begin with ``PARLOUR_``; an unknown one is an error, so
that a misspelt setting stops the program instead of being ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final, get_args

from msgspec import Struct, field
from msgspec.structs import asdict, fields

from events.clients import has_replicas
from events.durability import Durability
from events.keys import KEY_ID, MAX_SHARDS, KeyRing
from events.layout import Layout, Tags
from events.reach import require_url
from events.signing import require_name
from runtime.fullness import PERCENTS, Percents

PREFIX: Final = "PARLOUR_"
NO_MARKS: Final = "none"
"""The value that turns off the check that the store is the known one."""

_OLD_PREFIX: Final = "ROOM25_"
KEY_BYTES: Final = 32
EMBEDDED_SHARDS: Final = 4
"""As many as a store of one node needs, such as that of ``make run``."""

SHARDS: Final = 64
"""As many as the environment means if it says nothing: the store may be, or become, a cluster."""

SHARD_TAGS: Final[Tags] = "spread"
"""How the tags of shards are chosen if the environment says nothing."""

_PORTS = 65_535
_PREFIX: Final = re.compile(r"[A-Za-z0-9:._-]{0,64}")
_ADDRESS: Final = re.compile(
    r"https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?"
)


_DOMAIN: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*")


class SettingsError(ValueError):
    """A setting is missing, unknown or malformed. The message never shows a secret's value."""


class Secret:
    """Bytes that are never printed in a log line or traceback; ``reveal`` returns them."""

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
    """The configuration of a process.

    ``shards`` and ``shard_tags`` must be those that the store began with; what they are here is
    meant for a store of one node, and the environment's defaults are for others.
    ``keys`` are the master secrets by key id, 32 bytes each; new streams take ``current_key``,
    ids and digests come from ``naming_key``. ``signing_key`` is an Ed25519 seed that signs heads
    in the name of ``head_origin``. ``admin_token_hash`` is the SHA-256 of the operator's token,
    from which all other powers are handed out. Rates are per minute and caller; ``body_limit`` is
    in bytes, ``wait_limit_s`` the longest long-poll in seconds, ``stream_limit_s`` the longest
    stream.
    ``streams_per_caller`` and ``streams_per_address`` are how many streams and long polls a player,
    or all anonymous callers of one address, may have open in one process. A request line with its
    header section has at most ``header_limit`` bytes and ``header_fields`` fields and comes within
    ``header_timeout_ms``, a body within ``body_timeout_ms``; a connection without a request is
    closed after ``idle_timeout_ms``, one whose client takes nothing of an answer after
    ``write_timeout_ms``; 0: never. ``connections_per_address`` is how many connections an address
    may have open in one process (0: any number), ``connections_percent`` the share of the process's
    descriptors that callers may have. An account has at most ``tables_per_account`` tables that
    have not begun, which end after ``open_table_hours``, ``bot_games_per_account`` live games of
    bots alone and ``tokens_per_account`` live tokens; a table invites at most
    ``invitations_per_table`` players, and ``registrations_per_day`` players register from an
    address. An inspection of a running game lasts ``inspection_seconds``. ``store_levels`` are the
    percentages at which a filling store warns and refuses more and more (``runtime.fullness``). A
    process whose clock is off the store's by more than ``clock_tolerance_ms`` does not write; 0:
    unchecked, for tests alone. ``marks`` is the folder in which processes keep how far the store
    had come; empty: ``marks`` in ``var``; ``none``: no marks are kept or asked for, for tests and
    experiments. ``journal`` is the folder of the journal, within ``var`` unless it is absolute;
    empty: there is none. ``store_memory`` is how many bytes the store of ``make run`` may fill; 0:
    half of what there is. ``trusted_proxies`` are the networks of the proxies whose
    ``X-Forwarded-For`` is trusted. ``cors_origins`` are the sites whose pages may register players
    and use an operator's or an auditor's token. ``public_url`` is where people find the page, for
    link previews; ``reload_pages`` reads its files again at every request, for development.
    ``passkey_domain`` is the domain that passkeys are made for (the RP id of WebAuthn), and
    ``passkey_origins`` are the origins of the pages that may make and use them.
    ``allow_lossy_store`` lets the service start on a store that may lose acknowledged commands: for
    development only.
    ``durability`` is where a command is when it is acknowledged, and an event when it is shown; the
    environment's default is ``replicated`` for a cluster and behind Sentinel.
    """

    store_url: str
    rq_url: str
    keys: Mapping[str, Secret]
    current_key: str
    naming_key: str
    shards: int = EMBEDDED_SHARDS
    shard_tags: Tags = "banded"
    prefix: str = ""
    signing_key: Secret | None = None
    head_origin: str = "parlour"
    admin_token_hash: Secret | None = None
    host: str = "127.0.0.1"
    port: int = 8025
    var: Path = field(default_factory=lambda: Path("var"))
    marks: str = ""
    journal: str = ""
    store_memory: int = 0
    allow_lossy_store: bool = False
    durability: Durability = "local"
    reads_per_minute: int = 1200
    commands_per_minute: int = 600
    registrations_per_minute: int = 60
    body_limit: int = 65_536
    wait_limit_s: int = 25
    stream_limit_s: int = 3600
    streams_per_caller: int = 20
    streams_per_address: int = 200
    header_limit: int = 32_768
    header_fields: int = 100
    header_timeout_ms: int = 10_000
    body_timeout_ms: int = 30_000
    idle_timeout_ms: int = 75_000
    write_timeout_ms: int = 30_000
    connections_per_address: int = 256
    connections_percent: int = 75
    clock_tolerance_ms: int = 2000
    tables_per_account: int = 10
    bot_games_per_account: int = 2
    invitations_per_table: int = 50
    tokens_per_account: int = 20
    registrations_per_day: int = 100
    open_table_hours: int = 24
    inspection_seconds: int = 900
    store_levels: Percents = PERCENTS
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    public_url: str = ""
    cors_origins: tuple[str, ...] = ()
    passkey_domain: str = ""
    passkey_origins: tuple[str, ...] = ()
    reload_pages: bool = False
    log_level: str = "info"

    @property
    def marks_folder(self) -> Path | None:
        """The folder of marks; None if none are kept."""
        if self.marks == NO_MARKS:
            return None
        return Path(self.marks) if self.marks else self.var / "marks"

    @property
    def journal_folder(self) -> Path | None:
        """The folder of the journal; None if there is none."""
        return self.var / self.journal if self.journal else None

    def layout(self) -> Layout:
        """Where everything lies in the store."""
        return Layout(self.shards, self.prefix, self.shard_tags)

    def key_ring(self) -> KeyRing:
        """The master secrets as a key ring."""
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
    """``id:hex`` pairs separated by commas; the first is the current one."""
    result: dict[str, Secret] = {}
    for pair in text.split(","):
        name, colon, value = pair.partition(":")
        if not colon or not name or name in result:
            raise ValueError("must be id:hex pairs with commas between them, each id once")
        if not KEY_ID.fullmatch(name):
            raise ValueError("an id has 1 to 16 letters, digits, _ or -")
        result[name] = _secret(value)
    return result


def _one_of(known: Sequence[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in known:
            raise ValueError(f"must be one of {', '.join(known)}")
        return text

    return read


def _store_url(text: str) -> str:
    require_url(text)
    return text


def _prefix(text: str) -> str:
    if not _PREFIX.fullmatch(text):
        raise ValueError("must be at most 64 letters, digits and : . _ -")
    return text


def _origin(text: str) -> str:
    require_name("an origin", text)
    return text


def _host(text: str) -> str:
    if not text or any(each.isspace() or each == "/" for each in text):
        raise ValueError("must be a name or an address, without a port")
    return text


def _folder(text: str) -> Path:
    if not text or "\0" in text:
        raise ValueError("must be a folder")
    return Path(text)


def _marks(text: str) -> str:
    if "\0" in text:
        raise ValueError("must be a folder, or none")
    return text


def _journal(text: str) -> str:
    if "\0" in text:
        raise ValueError("must be a folder, or nothing")
    return text


def _address(text: str) -> str:
    """Scheme, host and perhaps a port, or nothing; a slash at the end is dropped."""
    found = text.removesuffix("/")
    if found and not _ADDRESS.fullmatch(found):
        raise ValueError("must be like https://games.example, without a path")
    return found


def _origins(text: str) -> tuple[str, ...]:
    """Origins as browsers write them (RFC 6454 §6.2), separated by commas, or nothing."""
    found = [_address(each.strip()) for each in text.split(",")] if text.strip() else []
    if not all(found):
        raise ValueError("must be origins with commas between them")
    return tuple(map(origin_of, found))


def origin_of(address: str) -> str:
    """The origin of an address without a path, as browsers write it: without the usual port."""
    usual = {"http": ":80", "https": ":443"}
    return address.removesuffix(usual[address.partition(":")[0]])


def _domain(text: str) -> str:
    """A name, as ``games.example``, or nothing; no address: browsers make no passkeys for those."""
    if text and (not _DOMAIN.fullmatch(text) or text[-1].isdigit()):
        raise ValueError("must be a name like games.example, in lower case")
    return text


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Addresses and networks (RFC 4632, RFC 4291) separated by commas, or nothing."""
    return tuple(ip_network(each.strip()) for each in text.split(",")) if text.strip() else ()


def _percents(text: str) -> Percents:
    """Four percentages separated by commas, each above the one before."""
    found = [int(each) for each in text.split(",")]
    if len(found) != len(PERCENTS) or sorted({*found, 0, 101}) != [0, *found, 101]:
        raise ValueError("must be four rising per cents from 1 to 100, as 70,80,90,97")
    low, newcomers, games, choices = found
    return low, newcomers, games, choices


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "store_url": _store_url,
    "rq_url": _store_url,
    "keys": _keys,
    "current_key": str,
    "naming_key": str,
    "shards": _number(1, MAX_SHARDS),
    "shard_tags": _one_of(get_args(Tags)),
    "prefix": _prefix,
    "signing_key": _secret,
    "head_origin": _origin,
    "admin_token_hash": _secret,
    "host": _host,
    "port": _number(0, _PORTS),
    "var": _folder,
    "marks": _marks,
    "journal": _journal,
    "store_memory": _number(0, 2**50),
    "allow_lossy_store": _flag,
    "durability": _one_of(get_args(Durability)),
    "reads_per_minute": _number(1, 10**9),
    "commands_per_minute": _number(1, 10**9),
    "registrations_per_minute": _number(1, 10**9),
    "body_limit": _number(1024, 2**30),
    "wait_limit_s": _number(0, 300),
    "stream_limit_s": _number(1, 10**6),
    "streams_per_caller": _number(1, 10**6),
    "streams_per_address": _number(1, 10**6),
    "header_limit": _number(1024, 2**30),
    "header_fields": _number(1, 10**6),
    "header_timeout_ms": _number(0, 10**7),
    "body_timeout_ms": _number(0, 10**7),
    "idle_timeout_ms": _number(0, 10**7),
    "write_timeout_ms": _number(0, 10**7),
    "connections_per_address": _number(0, 10**6),
    "connections_percent": _number(1, 100),
    "clock_tolerance_ms": _number(0, 60_000),
    "tables_per_account": _number(1, 10**6),
    "bot_games_per_account": _number(0, 10**6),
    "invitations_per_table": _number(0, 1000),
    "tokens_per_account": _number(1, 10**6),
    "registrations_per_day": _number(1, 10**6),
    "open_table_hours": _number(1, 24 * 365),
    "inspection_seconds": _number(1, 24 * 3600),
    "store_levels": _percents,
    "trusted_proxies": _networks,
    "public_url": _address,
    "cors_origins": _origins,
    "passkey_domain": _domain,
    "passkey_origins": _origins,
    "reload_pages": _flag,
    "log_level": _level,
}

assert set(_READERS) == {f.name for f in fields(Settings)}


def load_settings(environ: Mapping[str, str]) -> Settings:
    """Read the settings: field ``store_url`` from ``PARLOUR_STORE_URL``, and so on.

    Needed: ``PARLOUR_STORE_URL`` and ``PARLOUR_KEYS``. ``rq_url`` is the store's URL by default,
    ``current_key`` the first key, ``naming_key`` the current one.

    Raises:
        SettingsError: a name is unknown or missing, or a value malformed.
    """
    values: dict[str, Any] = {}
    for name, text in environ.items():
        if name.startswith(_OLD_PREFIX):
            new = PREFIX + name.removeprefix(_OLD_PREFIX)
            raise SettingsError(f"{name} is an old name: it is {new} now, and nothing migrates")
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
    many = has_replicas(values["store_url"])
    values.setdefault("durability", "replicated" if many else "local")
    values.setdefault("shards", SHARDS)
    values.setdefault("shard_tags", SHARD_TAGS)
    values.setdefault("current_key", next(iter(values["keys"])))
    values.setdefault("naming_key", values["current_key"])
    for name in ("current_key", "naming_key"):
        if values[name] not in values["keys"]:
            raise SettingsError(f"{PREFIX}{name.upper()} names no key of {PREFIX}KEYS")
    if values["durability"] == "journaled" and not values.get("journal"):
        raise SettingsError(f"{PREFIX}DURABILITY=journaled needs a folder: {PREFIX}JOURNAL")
    _check_passkeys(values.get("passkey_domain", ""), values.get("passkey_origins", ()))
    if has_replicas(values["rq_url"]):
        what = "must name one store of its own: RQ knows no clusters and no Sentinel"
        raise SettingsError(f"{PREFIX}RQ_URL {what}")
    return Settings(**values)


def _check_passkeys(domain: str, origins: tuple[str, ...]) -> None:
    """Browsers make passkeys for the host of a page, or for a domain above it.

    Raises:
        SettingsError: one of the two is missing, or an origin is of another domain.
    """
    name = f"{PREFIX}PASSKEY_ORIGINS"
    if bool(domain) != bool(origins):
        raise SettingsError(f"{PREFIX}PASSKEY_DOMAIN and {name} are set together, or neither is")
    for origin in origins:
        if not f".{origin.split('/')[2].partition(':')[0]}".endswith(f".{domain}"):
            raise SettingsError(f"{name}: {origin} is not of the domain {domain}")


def _text(value: object) -> str:
    """A setting as its parser reads it."""
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
