"""A store behind Sentinel: several watchers agree which node is the primary, and replace it.

The URL names the watchers and the service that they watch, as
``redis+sentinel://user:password@h1:26379,h2:26379/service``. Each connection asks them for the
primary before it is opened, and makes sure that the node takes itself for one: for some seconds
after a failover the watchers and the nodes may be of different minds. A node that turns out to be a
replica ends its connections, and the next ones go where the primary is by then.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode

from msgspec import Struct
from redis.asyncio import Redis
from redis.asyncio.connection import SSLConnection
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import NoPermissionError, ReadOnlyError, RedisError, ResponseError

from events.connections import StoreConnection, as_text
from events.handshakes import connection_fault
from events.places import Place, address_of, read_places

SENTINEL: Final = "redis+sentinel://"
"""The scheme of the URL of a store behind Sentinel."""

TLS_SENTINEL: Final = "rediss+sentinel://"
"""The same over TLS, to the watchers and to the store."""

PORT: Final = 26379
"""Where Sentinel listens if the URL does not say."""

_FORM: Final = re.compile(
    r"rediss?\+sentinel://(?:(?P<user>[^@/]*)@)?(?P<places>[^@/?]+)/(?P<service>[^/?]+)"
    r"(?:/(?P<db>\d+))?(?:\?(?P<options>.*))?"
)
_OWN: Final = {"sentinel_username": "username", "sentinel_password": "password"}
_TLS_OPTIONS: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs")
WATCHER_S = 1.0
"""How long a watcher has to answer before the next is asked, in seconds."""


class WatchedStore(Struct, frozen=True, kw_only=True):
    """What the URL of a store behind Sentinel says.

    Args:
        watchers: hosts and ports of Sentinel's processes.
        service: the name under which they know the store.
        tls: whether they and the store speak TLS.
        store_url: the store's part of the URL, with a host that stands for the primary.
        own: the user and the password by which the watchers know us.
        options: those of TLS.
    """

    watchers: tuple[Place, ...]
    service: str
    tls: bool
    store_url: str
    own: dict[str, str]
    options: dict[str, str]


class NoPrimaryError(NoConnection):
    """No watcher names a primary that takes itself for one. The message is a clause."""


def is_watched(url: str) -> bool:
    """Whether a URL names a store behind Sentinel."""
    return url.startswith((SENTINEL, TLS_SENTINEL))


def read_watched(url: str) -> WatchedStore:
    """What a URL says.

    Raises:
        ValueError: it has another form; the message quotes nothing of it.
    """
    found = _FORM.fullmatch(url)
    if found is None:
        raise ValueError("must name watchers and a service, as redis+sentinel://h1,h2:26379/name")
    try:
        places = read_places(found["places"], PORT)
    except ValueError:
        what = "must name watchers by host and perhaps port, with commas between them"
        raise ValueError(what) from None
    pairs = dict(parse_qsl(found["options"] or "", keep_blank_values=True))
    own = {_OWN[name]: pairs.pop(name) for name in tuple(pairs) if name in _OWN}
    tls = url.startswith(TLS_SENTINEL)
    user = f"{found['user']}@" if found["user"] else ""
    query = f"?{urlencode(pairs, quote_via=quote)}" if pairs else ""
    return WatchedStore(
        watchers=places,
        service=found["service"],
        tls=tls,
        store_url=f"{'rediss' if tls else 'redis'}://{user}primary/{found['db'] or 0}{query}",
        own=own,
        options={name: pairs[name] for name in _TLS_OPTIONS if name in pairs},
    )


class Primary:
    """Asks the watchers where the primary is; the first to answer is asked first the next time.

    Args:
        store: where they are, and what they watch.
    """

    def __init__(self, store: WatchedStore) -> None:
        self.service = store.service
        self._store = store
        self._watchers = list(store.watchers)

    async def place(self) -> Place:
        """Host and port of the primary.

        Raises:
            NoPrimaryError: nobody knows it; the message names each watcher and what it said, or
                what of its certificates and ours does not match.
        """
        said = []
        for watcher in tuple(self._watchers):
            try:
                async with asyncio.timeout(WATCHER_S):
                    found = await self._ask(watcher)
            except ResponseError as refusal:
                said.append(f"{address_of(watcher)} refuses to tell ({refusal})")
                continue
            except (RedisError, OSError, TimeoutError) as error:
                said.append(f"{address_of(watcher)} does not answer ({self._reason(error)})")
                continue
            if found is not None:
                self._watchers.remove(watcher)
                self._watchers.insert(0, watcher)
                return found
            said.append(f"{address_of(watcher)} does not watch it")
        raise NoPrimaryError(f"no primary of {self.service!r} is known: {'; '.join(said)}")

    def _reason(self, error: BaseException) -> str:
        """Why a watcher does not answer: what of TLS is to be mended, if it is that."""
        scheme = "rediss://" if self._store.tls else "redis://"
        return connection_fault(scheme, error) or str(error) or type(error).__name__

    async def _ask(self, watcher: Place) -> Place | None:
        store = self._store
        options: dict[str, Any] = {**store.own, **store.options}
        client = Redis(
            host=watcher[0],
            port=watcher[1],
            ssl=store.tls,
            socket_timeout=WATCHER_S,
            single_connection_client=True,
            **options,
        )
        async with client:
            words = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", store.service)
            found: Sequence[bytes | str] | None = await client.execute_command(*words)
        if found is None:
            return None
        host, port = found
        return as_text(host), int(port)


class WatchedConnection(StoreConnection):
    """A connection to whichever node is the primary when it is opened."""

    def __init__(self, *, primary: Primary, **options: Any) -> None:  # noqa: ANN401 (redis-py's own)
        super().__init__(**options)
        self._primary = primary

    async def find(self) -> None:
        """Learn where the primary is.

        Raises:
            NoPrimaryError: nobody knows it.
        """
        self.host, self.port = await self._primary.place()

    async def _connect(self) -> None:
        await self.find()
        await super()._connect()  # type: ignore[no-untyped-call]  # redis-py says no types

    async def on_connect_check_health(self, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 (redis-py's own)
        """As redis-py has it; and the node must take itself for a primary.

        Raises:
            NoPrimaryError: it does not.
        """
        await super().on_connect_check_health(check_health=check_health)
        await self.send_command("INFO", "replication")
        try:
            said: Any = await super().read_response()
        except NoPermissionError:  # the check of rights names it, over this very connection
            return
        if "role:master" not in as_text(said):
            raise NoPrimaryError(
                f"{address_of((self.host, self.port))}, which is called the primary of "
                f"{self._primary.service!r}, is a replica"
            )

    async def read_response(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 (redis-py's own)
        """As redis-py has it; a node that has become a replica is left at once."""
        try:
            return await super().read_response(*args, **options)
        except ReadOnlyError:
            await self.disconnect(nowait=True)
            raise


class WatchedTlsConnection(WatchedConnection, SSLConnection):
    """The same over TLS."""
