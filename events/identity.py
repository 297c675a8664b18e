"""What a store is: a random id, its number of shards, its epoch, and a check of each master secret.

It is written once, by the clock when it first starts on an empty store; each later epoch is begun
by an operator (``parlour store accept``), who thereby takes responsibility for what the store
lacks. A store that holds data but has no identity is refused: no process guesses what it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, get_args

from msgspec import Struct, convert

from events.clients import NO_ANSWER, Client
from events.kernel import TimestampMs
from events.keys import MAX_SHARDS, KeyRing
from events.layout import Layout, Tags
from events.scripts import Caller, LogUnavailable, load_script

FIRST_EPOCH: Final = 1
FOUNDED: Final = "founded"
"""The reason of the first epoch."""

_KEY: Final = "key:"
_begin = load_script(__package__, "begin_epoch.lua")


class StoreMismatchError(RuntimeError):
    """The settings do not match the store. The message is a sentence."""


class ForeignStoreError(RuntimeError):
    """The store holds data but does not say what it is. The message is a sentence."""


class Identity(Struct, frozen=True):
    """What a store says it is. ``keys`` are checks of the master secrets, by their ids."""

    store: str
    epoch: int
    shards: int
    keys: Mapping[str, str]
    tags: Tags = "banded"

    @property
    def sharding(self) -> str:
        """Shards and tags in one text, which a release that knows only ``banded`` cannot read."""
        return str(self.shards) if self.tags == "banded" else f"{self.shards} {self.tags}"

    @property
    def name(self) -> str:
        """The store and its epoch as one string, as each shard records them."""
        return f"{self.store}:{self.epoch}"


class Epoch(Struct, frozen=True):
    """How an epoch began."""

    number: int
    at: TimestampMs
    by: str
    reason: str


def checks_of(keys: KeyRing) -> dict[str, str]:
    """A check of each master secret by its id."""
    return {key_id: keys.check(key_id) for key_id in keys.key_ids}


def mismatch(identity: Identity, layout: Layout, keys: KeyRing) -> str:
    """How a process's settings differ from those the store began with; empty: not at all.

    An added master secret does not count as a difference.
    """
    if identity.shards != layout.shards:
        return f"the store has {identity.shards} shards, and the settings say {layout.shards}"
    if identity.tags != layout.tags:
        return f"the store's shards have {identity.tags} tags, and the settings say {layout.tags}"
    for key_id, check in sorted(identity.keys.items()):
        if key_id not in keys.key_ids:
            return f"the settings lack the master secret {key_id!r}, which the store began with"
        if keys.check(key_id) != check:
            return f"the master secret {key_id!r} is not the one that the store began with"
    return ""


def identity_of(fields: Any) -> Identity | None:  # noqa: ANN401 (as redis-py types answers)
    """The identity in the fields of its hash; None if the hash is empty.

    Raises:
        ForeignStoreError: they are not those of an identity.
    """
    if not fields:
        return None
    said = {name.decode(): value.decode() for name, value in fields.items()}
    try:
        shards, _, tags = said["shards"].partition(" ")
        return Identity(
            said["store"],
            int(said["epoch"]),
            int(shards),
            {
                name.removeprefix(_KEY): check
                for name, check in said.items()
                if name.startswith(_KEY)
            },
            convert(tags or "banded", Tags),
        )
    except (KeyError, ValueError):  # a ValidationError of msgspec is a ValueError
        raise ForeignStoreError("what the store says of itself cannot be read") from None


async def layout_of(client: Client, prefix: str = "", otherwise: Layout | None = None) -> Layout:
    """Where everything lies in a store, as the store says; for those who only read.

    Args:
        client: the store.
        prefix: stands before every key.
        otherwise: the layout of a store that does not say.

    Raises:
        ForeignStoreError: it does not say, and nothing else is known.
        LogUnavailable: it does not answer.
    """
    try:
        fields: Any = await client.hgetall(Layout(1, prefix).identity())
    except NO_ANSWER as error:
        raise LogUnavailable(str(error)) from error
    identity = identity_of(fields)
    if identity is None and otherwise is not None:
        return otherwise
    if identity is None:
        raise ForeignStoreError("the store does not say how many shards it has")
    return Layout(identity.shards, prefix, identity.tags)


class Identities:
    """Reads and writes the identity of one store.

    Args:
        client: the store.
        layout: its keys.
    """

    def __init__(self, client: Client, layout: Layout) -> None:
        self._client = client
        self._caller = Caller(client)
        self._layout = layout

    async def found(self, store: str, keys: KeyRing, at: TimestampMs, by: str) -> bool:
        """Give an empty store its identity; False: another process has just done so.

        Raises:
            ForeignStoreError: it is not empty.
            LogUnavailable: it does not answer.
        """
        await self.require_empty()
        layout = self._layout
        identity = Identity(store, FIRST_EPOCH, layout.shards, checks_of(keys), layout.tags)
        return await self._begin(identity, None, Epoch(FIRST_EPOCH, at, by, FOUNDED), adopts=False)

    async def accept(self, identity: Identity, before: Identity | None, epoch: Epoch) -> bool:
        """Begin an epoch, whatever the store holds; False: it is no longer ``before``.

        Raises:
            LogUnavailable: it does not answer.
        """
        if not await self._begin(identity, before, epoch, adopts=True):
            return False
        for shard in range(identity.shards):
            await self._caller.command("HSET", self._layout.meta(shard), "store", identity.name)
        return True

    async def name_new_shards(self, name: str) -> None:
        """Mark empty shards as belonging to this store, if they are not marked yet.

        Raises:
            LogUnavailable: it does not answer.
        """
        for shard in range(self._layout.shards):
            await self._caller.command("HSETNX", self._layout.meta(shard), "store", name)

    async def add_keys(self, identity: Identity, keys: KeyRing) -> None:
        """Record the checks of new master secrets.

        Raises:
            LogUnavailable: it does not answer.
        """
        for key_id, check in checks_of(keys).items():
            if key_id not in identity.keys:
                place = self._layout.identity()
                await self._caller.command("HSETNX", place, _KEY + key_id, check)

    async def epochs(self) -> list[Epoch]:
        """How each epoch began, in order.

        Raises:
            LogUnavailable: it does not answer.
        """
        try:
            page: Any = await self._client.xrange(self._layout.epochs())
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        return [
            Epoch(
                int(number.partition(b"-")[0]),
                int(said[b"at"]),
                said[b"by"].decode(),
                said[b"reason"].decode(),
            )
            for number, said in page
        ]

    async def require_empty(self) -> None:
        """Check that no shard holds anything, not even one beyond the settings.

        Raises:
            ForeignStoreError: one does.
            LogUnavailable: it does not answer.
        """
        if await self._there_are(_every_feed(self._layout.prefix)):
            raise _foreign()

    async def require_no_others(self) -> None:
        """Check that no shard holds anything that these settings know nothing of.

        Raises:
            ForeignStoreError: one does.
            LogUnavailable: the store does not answer.
        """
        layout = self._layout
        known = {layout.feed(shard).encode() for shard in range(layout.shards)}
        if await self._there_are(f for f in _every_feed(layout.prefix) if f not in known):
            raise ForeignStoreError(
                "the store holds shards that the settings do not know: it was begun with more"
                " shards, or with other tags"
            )

    async def _there_are(self, feeds: Iterable[bytes]) -> bool:
        """Whether any of these feeds is there: asked at once, by node of a cluster."""
        try:
            return bool(await self._client.exists(*feeds))
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error

    async def _begin(
        self, identity: Identity, before: Identity | None, epoch: Epoch, *, adopts: bool
    ) -> bool:
        layout = self._layout
        keys = (layout.identity(), layout.epochs(), layout.meta(0), layout.feed(0))
        checks = itertools.chain.from_iterable(
            (_KEY + key_id, check) for key_id, check in sorted(identity.keys.items())
        )
        args = ["" if before is None else before.epoch, "1" if adopts else ""]
        args += [
            identity.store,
            identity.epoch,
            identity.sharding,
            epoch.at,
            epoch.by,
            epoch.reason,
        ]
        match await self._caller.call(_begin, keys, [*args, *checks]):
            case [b"begun"]:
                return True
            case [b"known"]:
                return False
        raise _foreign()


@cache
def _every_feed(prefix: str) -> tuple[bytes, ...]:
    """The feeds of as many shards as there can be, by any tags."""
    every = (Layout(MAX_SHARDS, prefix, tags) for tags in get_args(Tags))
    feeds = {layout.feed(shard).encode() for layout in every for shard in range(MAX_SHARDS)}
    return tuple(sorted(feeds))


def _foreign() -> ForeignStoreError:
    return ForeignStoreError(
        "the store holds games and does not say which store it is; if it is the right one:"
        " parlour store accept --reason adopted"
    )
