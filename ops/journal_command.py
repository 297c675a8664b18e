"""``parlour journal``: what is in the journal, and what becomes of a game that has two branches.

``show`` compares the journal with the store. ``decide`` ends the hold of a game of which the store
has another branch than was acknowledged: ``--outcome go-on`` resumes it on the store's branch,
``--outcome annul`` ends it without a result. Either is an event of the game's log, by the operator.

The store is that of ``parlour store``.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from events.clients import commands
from events.kernel import Command
from events.known import Mark
from events.layout import BadStreamIdError
from events.log import StreamLog
from events.reach import require_store
from events.restoring import Restoring
from events.transact import NoSuchStream
from games.table.events import AnnulTable, ResumeTable
from ops.acceptance import OPERATOR, AcceptanceError
from ops.store_command import answered
from runtime.journal.healing import kept_aside
from runtime.journal.segments import JournalError, last_store, marked
from runtime.settings import Settings
from runtime.table_service import TableService

OUTCOMES: Final = ("go-on", "annul")


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="parlour journal", description=__doc__)
    tasks = made.add_subparsers(title="commands", required=True, dest="task", metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--var", type=Path, help="the folder of make run; default: PARLOUR_VAR")
    tasks.add_parser("show", parents=[common], help="compare the journal with the store")
    task = tasks.add_parser("decide", parents=[common], help="end the hold of a game")
    task.add_argument("game", help="its id")
    task.add_argument("--outcome", required=True, choices=OUTCOMES)
    return made


async def show(settings: Settings) -> list[str]:
    """What is in the journal and in the store, in lines.

    Raises:
        JournalError: there is no journal, or it cannot be read.
        LogUnavailable: the store does not answer.
    """
    folder = settings.journal_folder
    if folder is None:
        raise JournalError("PARLOUR_JOURNAL names no folder for the journal")
    client = commands(settings.store_url)
    try:
        restoring = Restoring(client, settings.layout())
        shards = range(settings.shards)
        ends = await asyncio.gather(*map(restoring.feed_end, shards))
        own = marked(folder).shards
        links = await asyncio.gather(
            *(restoring.link_at(shard, own.get(shard, Mark(0)).seq) for shard in shards)
        )
    finally:
        await client.aclose()
    found = [(own.get(s, Mark(0)), ends[s][0], links[s]) for s in shards]
    return list(_told(folder, found))


def _told(folder: Path, found: Sequence[tuple[Mark, Mark, str | None]]) -> Iterator[str]:
    named = last_store(folder)
    if named is not None:
        yield f"journal   of the store {named.store}, epoch {named.epoch}"
    for shard, (own, end, link) in enumerate(found):
        if end.seq < own.seq:
            said = "the store has lost a part"
        elif link != own.chain:
            said = "the store has another history"
        else:
            said = f"{end.seq - own.seq} are to be shipped"
        yield f"shard {shard:<3} {own.seq} batches, in the store {end.seq}: {said}"
    yield f"kept      {len(kept_aside(folder))} batches aside"


async def decide(settings: Settings, game: str, outcome: str) -> str:
    """Resume a held game, or annul it; a line that says what was done.

    Raises:
        AcceptanceError: there is no such game, or it is not held.
        LogError: see ``TableService.command``.
    """
    client = commands(settings.store_url)
    try:
        log = StreamLog(client, client, settings.layout())
        tables = TableService(log, settings.key_ring())
        state = (await tables.load(game)).state
        if not state.is_held:
            raise AcceptanceError(f"{game} is not held")
        order: Command = ResumeTable() if outcome == "go-on" else AnnulTable(reason="dispute")
        done = await tables.command(
            game, order, actor=OPERATOR, command_id=secrets.token_urlsafe(16), digest=outcome
        )
    except (BadStreamIdError, NoSuchStream) as error:
        raise AcceptanceError(f"there is no game {game}") from error
    finally:
        await client.aclose()
    return f"decided   {game}: {outcome}, at version {done.version}"


async def _do(given: argparse.Namespace, settings: Settings) -> list[str]:
    await require_store(settings.store_url)
    if given.task == "show":
        return await show(settings)
    return [await decide(settings, given.game, given.outcome)]


def main(arguments: Sequence[str]) -> int:
    """Run one command; 1 and a sentence if it cannot be done, 2 if the settings are wrong."""
    return answered(_parser().parse_args(arguments), _do)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
