"""The command line of whatever can be deleted and made again from the logs of a store."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import get_args

from events.clients import Client, connected
from events.identity import ForeignStoreError, layout_of
from events.layout import Layout, Tags
from events.log import StreamLog
from events.reach import UnfitStoreError, require_store, require_url
from events.scripts import LogError

Make = Callable[[StreamLog, Client], Awaitable[int]]
"""Deletes something and makes it again; returns how much of it there is."""


async def rebuilt(
    make: Make, url: str, shards: int | None = None, prefix: str = "", tags: Tags = "banded"
) -> int:
    """Rebuild something in a store; returns how much of it there is.

    Args:
        make: rebuilds it.
        url: where the store is.
        shards: how many it has; None: as it says, and how their tags are chosen likewise.
        prefix: stands before every key.
        tags: how the tags of so many shards are chosen.

    Raises:
        ForeignStoreError: it does not say.
        LogError: the store does not answer, or its feeds are broken.
    """
    async with connected(url) as (client, listener):
        if shards is None:
            layout = await layout_of(client, prefix)
        else:
            layout = Layout(shards, prefix, tags)
        return await make(StreamLog(client, listener, layout), client)


def run_rebuild(
    make: Make, said: str, prog: str, about: str | None, arguments: Sequence[str]
) -> int:
    """The command ``rebuild --store URL``; 1 if the store cannot be used.

    Args:
        make: rebuilds it.
        said: what there is so many of, such as ``tables listed``.
        prog: the program, as it is called.
        about: what it is for.
        arguments: those of the command line.
    """
    parser = argparse.ArgumentParser(prog=prog, description=about)
    parser.add_argument("what", choices=["rebuild"])
    parser.add_argument("--store", required=True, help="the store's URL")
    parser.add_argument("--shards", type=int, help="how many it has; default: as it says")
    parser.add_argument("--tags", choices=get_args(Tags), default="banded", help="of so many")
    parser.add_argument("--prefix", default="")
    asked = parser.parse_args(arguments)
    try:
        require_url(asked.store)
        asyncio.run(require_store(asked.store))
        count = asyncio.run(rebuilt(make, asked.store, asked.shards, asked.prefix, asked.tags))
    except (UnfitStoreError, ForeignStoreError, LogError, ValueError) as error:
        sys.stderr.write(f"parlour: {error}\n")
        return 1
    sys.stdout.write(f"{count} {said}\n")
    return 0
