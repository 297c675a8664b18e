"""``parlour journal``: what is in the journal, and what becomes of a game that has two branches.

``show`` compares the journal with the store, and names the games that have two branches. ``parlour
store accept`` keeps the branch of the store; ``choose`` keeps that of the journal, for the whole
shard of a game, and then accepts the store likewise. Either way the games that have two branches
are held, and their logs say how far the other branch had come. ``decide`` ends the hold of a game:
``--outcome go-on`` resumes it on the branch that was chosen, ``--outcome annul`` ends it without a
result. Either is an event of the game's log, by the operator.

The store is that of ``parlour store``.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import secrets
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from events.clients import commanding
from events.kernel import Command
from events.known import Mark
from events.layout import BadStreamIdError
from events.log import StreamLog
from events.reach import require_store
from events.restoring import Restoring
from events.transact import NoSuchStream
from games.table.events import AnnulTable, ResumeTable
from ops.acceptance import OPERATOR, AcceptanceError, Reason, accept
from ops.branch_choice import Branches, branches_of, choose_journal
from ops.store_command import accepted, answered
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
    task = tasks.add_parser("choose", parents=[common], help="keep the branch of the journal")
    task.add_argument("game", help="its id; the choice is for the whole shard of it")
    task.add_argument("--by", default="", help="who does so; default: the name of the user")
    return made


async def show(settings: Settings) -> list[str]:
    """What is in the journal and in the store, in lines.

    Raises:
        JournalError: there is no journal, or it cannot be read.
        Damaged: a batch in the store is not what its link names.
        LogUnavailable: the store does not answer.
    """
    folder = _folder(settings)
    async with commanding(settings.store_url) as client:
        restoring = Restoring(client, settings.layout())
        shards = range(settings.shards)
        ends = await asyncio.gather(*map(restoring.feed_end, shards))
        own = marked(folder).shards
        links = await asyncio.gather(
            *(restoring.link_at(shard, own.get(shard, Mark(0)).seq) for shard in shards)
        )
        log = StreamLog(client, client, settings.layout())
        split = [await branches_of(log, client, folder, shard) for shard in shards]
    found = [(own.get(s, Mark(0)), ends[s][0], links[s]) for s in shards]
    return [*_told(folder, found), *(line for each in split if each for line in _parted(each))]


def _folder(settings: Settings) -> Path:
    """The journal's.

    Raises:
        JournalError: there is none.
    """
    if settings.journal_folder is None:
        raise JournalError("PARLOUR_JOURNAL names no folder for the journal")
    return settings.journal_folder


def _parted(branches: Branches) -> Iterator[str]:
    yield f"forked    shard {branches.shard}: both branches have {branches.common.seq} batches"
    for stream, at in branches.both().items():
        yield (
            f"          {stream}: one up to {at.common}, to {at.journal} in the journal,"
            f" to {at.store} in the store"
        )


async def choose(settings: Settings, game: str, by: str) -> list[str]:
    """Keep the journal's branch of a game's shard, and accept the store with it.

    Raises:
        AcceptanceError: there are no two branches, or see ``choose_journal`` and ``accept``.
        JournalError: the journal cannot be read, or what goes cannot be kept aside.
        Damaged, StoreBehind, LogUnavailable: see ``choose_journal``.
    """
    folder = _folder(settings)
    try:
        async with commanding(settings.store_url) as client:
            log = StreamLog(client, client, settings.layout())
            found = await branches_of(log, client, folder, log.layout.shard_of(game))
            if found is None:
                raise AcceptanceError(f"the shard of {game} has one branch")
            await choose_journal(log, client, folder, found)
    except BadStreamIdError as error:
        raise AcceptanceError(f"there is no game {game}") from error
    done = await accept(settings, Reason.TAIL_LOST, by)
    said = (
        f"chosen    the journal's branch of shard {found.shard}; {len(found.store)} batches aside"
    )
    return [*_parted(found), said, *accepted(done)]


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
    order: Command = ResumeTable() if outcome == "go-on" else AnnulTable(reason="dispute")
    command_id = secrets.token_urlsafe(16)
    try:
        async with commanding(settings.store_url) as client:
            tables = TableService(StreamLog(client, client, settings.layout()), settings.key_ring())
            if not (await tables.load(game)).state.is_held:
                raise AcceptanceError(f"{game} is not held")
            done = await tables.command(
                game, order, actor=OPERATOR, command_id=command_id, digest=outcome
            )
    except (BadStreamIdError, NoSuchStream) as error:
        raise AcceptanceError(f"there is no game {game}") from error
    return f"decided   {game}: {outcome}, at version {done.version}"


async def _do(given: argparse.Namespace, settings: Settings) -> list[str]:
    await require_store(settings.store_url)
    if given.task == "show":
        return await show(settings)
    if given.task == "choose":
        return await choose(settings, given.game, given.by or getpass.getuser())
    return [await decide(settings, given.game, given.outcome)]


def main(arguments: Sequence[str]) -> int:
    """Run one command; 1 and a sentence if it cannot be done, 2 if the settings are wrong."""
    return answered(_parser().parse_args(arguments), _do)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
