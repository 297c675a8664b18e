"""``parlour store``: which store this is, and accepting it as it is.

``show`` prints what the store says of itself, how it differs from what was known, and who began
each of its epochs. ``accept`` begins another epoch on the store as it is, for a given reason: from
then on the service writes to it again, and games that have lost a part are held for their
directors. ``rights`` needs no store: it prints a line for the ACL file of one, which makes a user
with the rights that the service needs and no others; it can log in once it has a password.

The store is that of ``PARLOUR_STORE_URL``, or else that of ``make run`` in a folder, which need not
be running.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import redis

from events import rights
from events.identity import Epoch, ForeignStoreError, mismatch
from events.known import judge
from events.reach import UnfitStoreError, require_store
from events.scripts import LogError
from ops.acceptance import AcceptanceError, Accepted, Reason, Seen, accept, see
from ops.run_folder import NoRunFolderError, secrets_of, settings_of, store_running
from runtime.embedded.private import UMASK
from runtime.embedded.secret_file import SecretFileError
from runtime.embedded.store import StoreError
from runtime.journal.segments import JournalError
from runtime.mark_files import MarksError
from runtime.settings import PREFIX, Settings, SettingsError, load_settings

_SENTENCES: Final[tuple[type[Exception], ...]] = (
    AcceptanceError,
    ForeignStoreError,
    JournalError,
    LogError,
    NoRunFolderError,
    SecretFileError,
    StoreError,
    UnfitStoreError,
    redis.RedisError,
)
"""What says in a sentence why a command cannot be done."""


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="parlour store", description=__doc__)
    tasks = made.add_subparsers(title="commands", required=True, dest="task", metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--var", type=Path, help="the folder of make run; default: PARLOUR_VAR")
    common.add_argument(
        "--marks",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="another folder of marks to go by, as that of the folder that was lost",
    )
    tasks.add_parser("show", parents=[common], help="tell which store it is")
    task = tasks.add_parser("rights", help="print the user that a store needs, for its ACL")
    task.add_argument("--user", default=rights.USER, help=f"its name; default: {rights.USER}")
    task.add_argument("--prefix", default="", help="what stands before all keys: PARLOUR_PREFIX")
    task.add_argument(
        "--part",
        choices=("service", "sentinel"),
        default="service",
        help="of all processes of the service (default), or of the Sentinel that watches it",
    )
    task = tasks.add_parser("accept", parents=[common], help="begin an epoch on it as it is")
    task.add_argument("--reason", required=True, choices=[str(each) for each in Reason])
    task.add_argument(
        "--journal",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="another journal to put back what is lost, or what was kept aside on another machine",
    )
    task.add_argument("--by", default="", help="who does so; default: the name of the user")
    return made


@contextmanager
def _reached(given: argparse.Namespace, environ: Mapping[str, str]) -> Iterator[Settings]:
    """The settings of the service; its store answers while the context is open.

    Raises:
        NoRunFolderError: the folder has no store.
        SettingsError, SecretFileError, StoreError: it cannot be reached.
    """
    if f"{PREFIX}STORE_URL" in environ and given.var is None:
        yield load_settings(environ)
        return
    var = given.var or Path(environ.get(f"{PREFIX}VAR") or "var")
    settings = settings_of(var, secrets_of(var), environ)
    with store_running(var, settings):
        yield settings


async def _show(settings: Settings, folders: Sequence[Path]) -> list[str]:
    seen = await see(settings, folders)
    return [*_told(settings, seen), *map(_epoch, seen.epochs)]


def _told(settings: Settings, seen: Seen) -> Iterator[str]:
    identity, marks = seen.stand.identity, seen.marks
    if identity is None:
        yield "store     without a name"
    else:
        yield f"store     {identity.store}, epoch {identity.epoch}, {identity.shards} shards"
        yield f"keys      {', '.join(sorted(identity.keys))}"
        wrong = mismatch(identity, settings.layout(), settings.key_ring())
        yield f"settings  {wrong or 'those of the store'}"
    for shard, end in sorted(seen.stand.ends.items()):
        known = None if marks is None else marks.shards.get(shard)
        told = "" if known is None else f", {known.seq} were seen"
        yield f"shard {shard:<3} {end.mark.seq} batches{told}"
    if marks is None:
        yield "marks     none"
    else:
        trouble = judge(marks, seen.stand)
        yield f"marks     of {marks.store}, epoch {marks.epoch}: {trouble or 'nothing is missing'}"


def _epoch(epoch: Epoch) -> str:
    at = datetime.fromtimestamp(epoch.at / 1000, UTC).isoformat(timespec="seconds")
    return f"epoch {epoch.number:<3} {at} {epoch.reason}, by {epoch.by}"


def accepted(done: Accepted) -> Iterator[str]:
    """What was accepted, in lines."""
    yield f"accepted  the store {done.identity.store} is in epoch {done.identity.epoch} now"
    if done.put_back:
        yield f"put back  {done.put_back} batches, from the journal"
    yield from _listed("held", "games", done.held)
    yield from _listed("gone", "games", done.gone)
    yield from _listed("damaged", "games", done.unreadable)
    if done.forked:
        yield from _listed("forked", "streams", done.forked)


def _listed(what: str, kind: str, names: Sequence[str]) -> Iterator[str]:
    yield f"{what:<10}{len(names)} {kind}"
    yield from (f"          {name}" for name in names)


async def _do(given: argparse.Namespace, settings: Settings) -> list[str]:
    await require_store(settings.store_url)
    if given.task == "show":
        return await _show(settings, given.marks)
    by = given.by or getpass.getuser()
    return list(
        accepted(await accept(settings, Reason(given.reason), by, given.marks, given.journal))
    )


def answered(
    given: argparse.Namespace,
    do: Callable[[argparse.Namespace, Settings], Coroutine[Any, Any, list[str]]],
    also: tuple[type[Exception], ...] = (),
) -> int:
    """Run a command on the store that is meant, and print its lines or one sentence.

    Args:
        given: the command line, of a command that has ``--var``.
        do: the command.
        also: what else it may raise of which the message is such a sentence.

    Returns: 0, 1 if it cannot be done, 2 if the settings are wrong.
    """
    os.umask(UMASK)
    sentences = (*_SENTENCES, *also)
    try:
        with _reached(given, os.environ) as settings:
            lines = asyncio.run(do(given, settings))
    except SettingsError as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"parlour: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except sentences as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


def main(arguments: Sequence[str]) -> int:
    """Run one command; 1 and a sentence if it cannot be done, 2 if the settings are wrong."""
    given = _parser().parse_args(arguments)
    if given.task == "rights":
        if given.part == "sentinel":
            print(rights.watcher_line(given.user, "resetpass"))
        else:
            print(rights.line(given.user, "resetpass", given.prefix))
        return 0
    return answered(given, _do, (MarksError, ValueError))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
