"""The identity of a store: one store, in one epoch, in each of its shards. Reads only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from events.clients import Client
from events.identity import ForeignStoreError, Identities, mismatch
from events.keys import KeyRing
from events.known import StoreStatement, misnamed
from events.layout import Layout
from events.stand import read_stand
from replay.stream_audit import AuditFault

STORE: Final = "store"

IDENTITY_CHECKS: Final = {
    STORE: "it says which store it is, in which epoch, and so do all its shards; the settings are"
    " its own",
}
"""The check of what a store is, and what it shows."""

_PAUSE_S: Final = 0.05
_TRIES: Final = 20


async def identity_faults(
    client: Client, layout: Layout, keys: KeyRing
) -> AsyncIterator[AuditFault]:
    """What is wrong with what a store says of itself, if it stays so.

    An epoch is written to the shards one by one, so a mismatch is checked again.

    Raises:
        LogUnavailable: the store does not answer.
    """
    found: list[str] = []
    for _ in range(_TRIES):
        found = await _faults(client, layout, keys)
        if not found:
            return
        await asyncio.sleep(_PAUSE_S)
    for text in found:
        yield AuditFault(STORE, "store", 0, text)


async def _faults(client: Client, layout: Layout, keys: KeyRing) -> list[str]:
    """What is wrong now.

    Raises:
        LogUnavailable: the store does not answer.
    """
    try:
        stand = await read_stand(client, layout, None)
        epochs = await Identities(client, layout).epochs()
    except ForeignStoreError as error:
        return [str(error)]
    except (LookupError, ValueError):
        return ["what it says of its epochs and shards cannot be read"]
    identity = stand.identity
    if identity is None:
        return _nameless(stand)
    last = epochs[-1].number if epochs else 0
    said = [mismatch(identity, layout, keys), misnamed(identity, stand)]
    if last != identity.epoch:
        said.append(f"it is in epoch {identity.epoch}, and the last that was begun is {last}")
    return [text for text in said if text]


def _nameless(stand: StoreStatement) -> list[str]:
    """A new store has no identity yet, which is fine."""
    if stand.is_empty and all(end.name is None for end in stand.ends.values()):
        return []
    return ["it holds something and does not say which store it is"]
