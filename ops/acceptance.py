"""Accepting a store as it is: a new epoch begins, and games that have lost a part are held.

What the games have lost is known from the marks that the clock keeps outside the store. Games are
held before the epoch begins: until then no process that knows of the loss writes, and from then on
all of them do.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from events.clients import Client, commanding, connected
from events.identity import Epoch, Identities, Identity, checks_of
from events.kernel import Actor, Rejected, Version
from events.keys import SecretError
from events.known import Marks, StoreStatement, newest
from events.layout import BadStreamIdError
from events.log import Damaged, StreamLog
from events.registry import CodecError
from events.stand import read_stand
from events.transact import Moved, NoSuchStream
from games.table.checks import TableCode
from games.table.events import HoldTable
from ops.branches import Fork, PutBack, put_back
from runtime.game_marks import known_games
from runtime.journal.frames import StoreNamed
from runtime.journal.healing import set_aside_for_good
from runtime.journal.segments import JournalError, last_store, segments
from runtime.mark_files import MarksError, read_marks, write_accepted
from runtime.settings import Settings
from runtime.table_service import TableService

OPERATOR: Final = Actor("director", "store")
"""The actor that holds games."""

Fate: TypeAlias = Literal["held", "gone", "unreadable"]
"""What becomes of a game that has lost a part, see ``Accepted``."""

_UNREADABLE: Final = (Damaged, CodecError, SecretError, BadStreamIdError)


class Reason(StrEnum):
    """The reasons to begin an epoch."""

    BACKUP_RESTORED = "backup-restored"
    TAIL_LOST = "tail-lost"
    STORE_REPLACED = "store-replaced"
    MARKS_LOST = "marks-lost"
    KEYS_REPLACED = "keys-replaced"
    SHARDS_ADDED = "shards-added"
    ADOPTED = "adopted"


class AcceptanceError(RuntimeError):
    """Nothing was accepted. The message is a sentence."""


class Accepted(Struct, frozen=True):
    """What was accepted, and what the games have lost.

    ``held`` have lost a part, of ``gone`` nothing is left; ``unreadable`` have lost a part but
    cannot be held, because they cannot be read. ``put_back`` batches came from the journal;
    ``forked`` streams have gone another way than it knows, and those that are games are held too.
    """

    identity: Identity
    held: tuple[str, ...]
    gone: tuple[str, ...]
    unreadable: tuple[str, ...]
    put_back: int = 0
    forked: tuple[str, ...] = ()


class Seen(Struct, frozen=True):
    """A store as it is, with its epochs so far, and what was known of it and of its games."""

    stand: StoreStatement
    epochs: tuple[Epoch, ...]
    marks: Marks | None
    games: Mapping[str, int]


async def see(settings: Settings, others: Iterable[Path]) -> Seen:
    """What a store says of itself, and what the marks in its own folder and in others say of it.

    Raises:
        MarksError: the marks cannot be read, or are of two stores.
        ForeignStoreError, LogUnavailable: see ``read_stand``.
    """
    own = settings.marks_folder
    folders = [*others, *([] if own is None else [own])]
    marks = _newest(folders)
    name = "" if marks is None else f"{marks.store}:{marks.epoch}"
    games: dict[str, int] = {}
    for folder in folders:
        for game, version in known_games(folder, name).items():
            games[game] = max(version, games.get(game, 0))
    layout = settings.layout()
    async with commanding(settings.store_url) as client:
        epochs = tuple(await Identities(client, layout).epochs())
        return Seen(await read_stand(client, layout, marks), epochs, marks, games)


async def accept(
    settings: Settings,
    reason: Reason,
    by: str,
    folders: Iterable[Path] = (),
    journals: Iterable[Path] = (),
) -> Accepted:
    """Begin an epoch on the store, with what the journal has of what it lacks.

    Args:
        settings: those of the service.
        reason: why.
        by: the operator's name.
        folders: further marks folders, beside that of the settings.
        journals: further folders of journals, or of what was kept aside, beside that of the
            settings.

    Raises:
        AcceptanceError: the settings have fewer shards than the store, or another acceptance is
            under way.
        MarksError, ForeignStoreError, LogUnavailable: see ``see``.
        JournalError: a journal cannot be read, or is another store's.
    """
    seen = await see(settings, folders)
    before = seen.stand.identity
    if before is not None and before.shards > settings.shards:
        raise AcceptanceError(
            f"the store has {before.shards} shards, and the settings say {settings.shards}:"
            " there may be more, but never fewer"
        )
    if before is not None and before.tags != settings.shard_tags:
        raise AcceptanceError(
            f"the store's shards have {before.tags} tags, and the settings say"
            f" {settings.shard_tags}: that can never be changed"
        )
    copies = [*journals, *filter(None, [settings.journal_folder])]
    identity = _next(settings, seen, _journaled(copies))
    async with connected(settings.store_url) as (client, listener):
        log = StreamLog(client, listener, settings.layout())
        if before is None:  # nothing says how it was begun
            await Identities(client, log.layout).require_no_others()
        tables = TableService(log, settings.key_ring())
        found = await put_back(log, client, copies)
        forked = await _hold_forks(tables, found, identity)
        lost = await _hold_all(tables, seen.games, identity)
        epoch = Epoch(identity.epoch, time.time_ns() // 1_000_000, by, reason)
        if not await Identities(client, log.layout).accept(identity, before, epoch):
            raise AcceptanceError("another epoch has just begun: look at it first")
        for folder in copies:
            set_aside_for_good(folder, identity.epoch)
        if settings.marks_folder is not None:
            await _begin_marks(client, log, identity, settings.marks_folder)
    return replace(
        lost,
        held=tuple(sorted({*lost.held, *forked})),
        put_back=found.batches,
        forked=tuple(sorted(found.forks)),
    )


def _journaled(folders: Iterable[Path]) -> StoreNamed | None:
    """The store that journals are of, as it last was.

    Raises:
        JournalError: a journal cannot be read, or they are of two stores.
    """
    named = [last_store(folder) for folder in folders if segments(folder)]
    found = [each for each in named if each is not None]
    if len({each.store for each in found}) > 1:
        raise JournalError("the journals are of two stores")
    return max(found, key=lambda each: each.epoch, default=None)


def _newest(folders: Iterable[Path]) -> Marks | None:
    found = (read_marks(folder) for folder in folders)
    try:
        return newest(each for each in found if each is not None)
    except ValueError as error:
        raise MarksError(str(error)) from error


def _next(settings: Settings, seen: Seen, journaled: StoreNamed | None) -> Identity:
    """What the store will say of itself: the store that was known, in a later epoch than any.

    Raises:
        JournalError: the journal is of another store.
    """
    known = [each for each in (seen.marks, seen.stand.identity, journaled) if each is not None]
    store = known[0].store if known else ""
    if journaled is not None and journaled.store != store:
        raise JournalError(f"the journal is of the store {journaled.store}, and this is {store}")
    epochs = [each.epoch for each in known]
    epochs += [epoch.number for epoch in seen.epochs]
    return Identity(
        store or secrets.token_hex(8),
        max(epochs, default=0) + 1,
        settings.shards,
        checks_of(settings.key_ring()),
        settings.shard_tags,
    )


async def _begin_marks(client: Client, log: StreamLog, identity: Identity, folder: Path) -> None:
    """Leave marks for processes that have none."""
    stand = await read_stand(client, log.layout, None)
    shards = {shard: end.mark for shard, end in stand.ends.items()}
    write_accepted(folder, Marks(identity.store, identity.epoch, shards))


async def _hold_forks(tables: TableService, found: PutBack, identity: Identity) -> list[str]:
    """Hold every unfinished game that has two branches; returns them."""
    held = []
    for game, fork in found.forks.items():
        if game.startswith("g") and await _hold_fork(tables, game, fork, identity.epoch):
            held.append(game)
    return held


async def _hold_fork(tables: TableService, game: str, fork: Fork, epoch: int) -> bool:
    """Hold a game on the branch that the store has; whether it is held."""
    hold = HoldTable(known=fork.known, kept=fork.common, epoch=epoch)
    try:
        return await _hold(tables, game, hold, "forked")
    except (NoSuchStream, *_UNREADABLE):
        return False


async def _hold_all(tables: TableService, games: Mapping[str, int], identity: Identity) -> Accepted:
    """Hold every unfinished game that had come further than it now stands."""
    fates = {
        game: await _hold_lost(tables, game, known, identity.epoch) for game, known in games.items()
    }
    held, gone, unreadable = (
        tuple(game for game, found in fates.items() if found == fate) for fate in get_args(Fate)
    )
    return Accepted(identity, held, gone, unreadable)


async def _hold_lost(tables: TableService, game: str, known: Version, epoch: int) -> Fate | None:
    """Hold one game if it has lost something; None: it has not, or is over."""
    try:
        head = await tables.log.head(game)
        if head is None:
            return "gone"
        if head.version >= known or head.status == "finished":
            return None
        hold = HoldTable(known=known, kept=head.version, epoch=epoch)
        is_held = await _hold(tables, game, hold, "restored", after=head.version)
    except NoSuchStream:
        return "gone"
    except (Moved, *_UNREADABLE):
        return "unreadable"
    return "held" if is_held else None


async def _hold(
    tables: TableService, game: str, hold: HoldTable, why: str, after: Version | None = None
) -> bool:
    """Hold a game; whether it is held. A second run holds what an interrupted first one did not.

    Raises:
        LogError: see ``TableService.command``.
    """
    try:
        await tables.command(
            game,
            hold,
            actor=OPERATOR,
            command_id=f"{why}:{game}:{hold.epoch}",
            digest=why,
            after=after,
        )
    except Rejected as refusal:
        return refusal.code == TableCode.RESTORED_BEFORE
    return True
