"""``python -m replay``, also installed as ``parlour replay``: look at games, and verify them."""

from __future__ import annotations

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

import msgspec
from redis.exceptions import RedisError

from events.clients import connected
from events.codec import CodecError
from events.identity import ForeignStoreError, layout_of
from events.layout import BadStreamIdError
from events.log import StreamLog
from events.scripts import LogError
from events.transact import NoSuchStream
from games.game_registry import installed_games
from games.words import ENGLISH, LANGUAGES
from projections.board import clean, describe
from projections.board_svg import board_svg
from projections.board_text import board_text
from replay.checks import check_chain
from replay.chronicle import chronicle
from replay.difference import differences, state_json
from replay.heads import SUFFIX, heads_of
from replay.people import without_player
from replay.source import (
    DamagedStream,
    Source,
    SourceError,
    examine,
    open_source,
    settings_for,
)
from replay.stepping import clearing, step, typed_commands
from replay.store_audit import AuditTally, StoreAudit
from replay.verify import audit, damaged
from replay.viewing import Show, moment_names
from runtime.settings import Settings
from runtime.signed import Signer
from runtime.table_service import NotFinished, TableService

OK, FAILED, UNREADABLE = 0, 1, 2
"""Exit codes. Wrong arguments also exit with 2."""

_ABOUT = """\
A TARGET is a record file, or a game id together with --store (or PARLOUR_STORE_URL). A store needs
the service's settings in the environment (PARLOUR_KEYS and so on); a file needs nothing."""


def parser() -> ArgumentParser:
    """The command line."""
    made = ArgumentParser(prog="parlour replay", description=__doc__, epilog=_ABOUT)
    tasks = made.add_subparsers(title="commands", required=True, metavar="COMMAND")
    store = ArgumentParser(add_help=False)
    store.add_argument("--store", metavar="URL", help="read TARGET from this store")
    target = ArgumentParser(add_help=False, parents=[store])
    target.add_argument("target", metavar="TARGET", help="a record file or a game id")
    eyes = ArgumentParser(add_help=False)
    eyes.add_argument("--as", dest="who", default="public", metavar="public|seat:N|full")
    out = ArgumentParser(add_help=False)
    out.add_argument("--out", type=Path, metavar="FILE", help="write here, not to the terminal")

    task = tasks.add_parser("show", parents=[target, eyes, out], help="draw the table")
    task.add_argument("--at", metavar="VERSION|turn:N", help="as it was then; now by default")
    task.add_argument("--format", choices=("text", "json", "svg"), default="text")
    task.set_defaults(run=run_show)
    task = tasks.add_parser("log", parents=[target, eyes, out], help="tell all that happened")
    task.add_argument("--lang", default=ENGLISH, metavar="|".join(LANGUAGES), help="in a language")
    task.set_defaults(run=run_log)
    task = tasks.add_parser("step", parents=[target, eyes], help="walk through the game")
    task.set_defaults(run=run_step)
    task = tasks.add_parser("diff", parents=[target, eyes, out], help="compare two versions")
    task.add_argument("first", metavar="A", help="VERSION or turn:N")
    task.add_argument("second", metavar="B", help="VERSION or turn:N")
    task.set_defaults(run=run_diff)
    task = tasks.add_parser("export", parents=[store], help="write a finished game's record")
    task.add_argument("game", metavar="GAME")
    task.add_argument("--out", type=Path, metavar="FILE", required=True)
    task.add_argument("--heads", action="store_true", help="write a heads file beside it, too")
    task.set_defaults(run=run_export)
    task = tasks.add_parser("heads", parents=[target], help="keep the head of every version")
    task.add_argument(
        "--game", metavar="GAME", default="", help="of which game TARGET's events are"
    )
    task.add_argument("--out", type=Path, metavar="FILE", required=True)
    task.set_defaults(run=run_heads)
    task = tasks.add_parser("erase", parents=[], help="take a player's name out of a record")
    task.add_argument("record", type=Path, metavar="FILE")
    task.add_argument("--player", metavar="ID|seat:N", required=True)
    task.add_argument("--out", type=Path, metavar="FILE", required=True)
    task.set_defaults(run=run_erase)
    task = tasks.add_parser("verify", parents=[target], help="check all that can be checked")
    task.add_argument(
        "--verifier", metavar="KEY", help="the service's verifier key, if you know it"
    )
    task.add_argument(
        "--heads", type=Path, metavar="FILE", help="heads that were kept; else those beside TARGET"
    )
    task.set_defaults(run=run_verify)
    task = tasks.add_parser("verify-store", parents=[store], help="check a whole store")
    task.set_defaults(run=run_verify_store)
    tasks.add_parser("scenario", add_help=False, help="play scenario files (see scenario --help)")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 if a check failed, or 2 if nothing can be read."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["scenario"]:
        from replay.scenario import cli  # noqa: PLC0415 (an HTTP client is no use to the others)

        return cli.main(arguments[1:])
    given = parser().parse_args(arguments)
    try:
        code: int = given.run(given)
        sys.stdout.flush()
    except SourceError as error:
        print(f"parlour replay: {error}", file=sys.stderr)
        return UNREADABLE
    except BrokenPipeError:
        # The reader has closed the pipe; nothing more must be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    return code


def _source(given: Namespace) -> Source:
    return open_source(given.target, given.store, os.environ)


def _show(given: Namespace, language: str = ENGLISH) -> Show:
    source = _source(given)
    if source.faults or check_chain(source).status == "FAILED":
        warning = "warning: this was changed after it was recorded; verify says where"
        print(f"parlour replay: {warning}", file=sys.stderr)
    return Show(source, installed_games(), given.who, language)


def _write(given: Namespace, text: str) -> None:
    """To the file that was asked for, or to the terminal."""
    if given.out is None:
        print(text, end="")
        return
    try:
        given.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{given.out}: {error.strerror}") from error


def run_show(given: Namespace) -> int:
    """Draw the table at a version."""
    show = _show(given)
    moment = show.at(show.version_of(given.at))
    if given.format == "json":
        view = {
            "id": show.stream,
            "names": msgspec.to_builtins(moment_names(show, moment), str_keys=True),
            "scenario": moment.state.scenario,
            "state": state_json(moment.state),
            "time": moment.at,
            "version": moment.version,
            "viewer": show.who,
        }
        _write(given, msgspec.json.format(msgspec.json.encode(view)).decode() + "\n")
        return OK
    board = describe(
        show.game_registry, moment.state, moment_names(show, moment), settled=moment.settled
    )
    caption = f"{show.stream}, version {moment.version} of {show.version}, as {show.who}"
    draw = board_svg if given.format == "svg" else board_text
    _write(given, draw(board, caption))
    return OK


def run_log(given: Namespace) -> int:
    """Tell all that happened."""
    _write(given, "".join(f"{line}\n" for line in chronicle(_show(given, given.lang))))
    return OK


def run_step(given: Namespace) -> int:
    """Walk through the game."""
    is_screen = sys.stdin.isatty() and sys.stdout.isatty()
    write = clearing(sys.stdout.write) if is_screen else sys.stdout.write
    step(_show(given), typed_commands(sys.stdin), write)
    return OK


def run_diff(given: Namespace) -> int:
    """Compare two versions of a view."""
    show = _show(given)
    first, second = show.version_of(given.first), show.version_of(given.second)
    lines = differences(show, first, second)
    _write(given, "".join(f"{line}\n" for line in lines))
    return OK


def run_verify(given: Namespace) -> int:
    """Check all that can be checked."""
    try:
        kept = _kept_heads(given)
        source = open_source(given.target, given.store, os.environ, examine)
        found = audit(source, installed_games(), given.verifier, kept)
    except DamagedStream as error:
        found = damaged(str(error))
    print("\n".join(found.lines()))
    return OK if found.passed else FAILED


def run_verify_store(given: Namespace) -> int:
    """Check a whole store."""
    tally = asyncio.run(_verify_store(settings_for(given.store, os.environ)))
    what = "verified" if not tally.faults else f"NOT verified, {tally.faults} faults"
    print(f"{what}: {tally.line()}")
    return FAILED if tally.faults else OK


async def _verify_store(settings: Settings) -> AuditTally:
    def tell(tally: AuditTally) -> None:
        print(f"parlour replay: {tally.line()} so far", file=sys.stderr)

    audit = StoreAudit(settings, tell=tell)
    try:
        async for fault in audit.faults():
            print(clean(fault.line()), flush=True)
    except LogError as error:
        raise SourceError(f"the store does not answer: {error}") from error
    return audit.tally


def _kept_heads(given: Namespace) -> bytes | None:
    """The heads file that is named, or that lies beside a record file."""
    path: Path | None = given.heads
    if path is None:
        beside = Path(given.target)
        if given.store is not None or not beside.is_file():
            return None
        path = beside.with_suffix(SUFFIX)
        if not path.exists():
            return None
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error


def run_export(given: Namespace) -> int:
    """Write the record of a finished game."""
    content = asyncio.run(_record(given.game, settings_for(given.store, os.environ)))
    _write_bytes(given.out, content)
    if given.heads:
        _write_bytes(given.out.with_suffix(SUFFIX), heads_of(examine(content)))
    return OK


def run_erase(given: Namespace) -> int:
    """Write a record without the names of one player; it verifies as before."""
    try:
        content = given.record.read_bytes()
    except OSError as error:
        raise SourceError(f"{given.record}: {error.strerror}") from error
    _write_bytes(given.out, without_player(content, examine(content), given.player))
    return OK


def run_heads(given: Namespace) -> int:
    """Write the heads file of a game, or of the events of one."""
    source = open_source(given.target, given.store, os.environ, examine)
    _write_bytes(given.out, heads_of(source, given.game))
    return OK


def _write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file or none: what it replaces is there until the new one is on disk."""
    try:
        if path.exists() and not path.is_file():  # a device or a pipe, such as /dev/stdout
            path.write_bytes(content)
        else:
            _replace(path, content)
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error


def _replace(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


async def _record(game: str, settings: Settings) -> bytes:
    signing, origin = settings.signing_key, settings.head_origin
    signer = None if signing is None else Signer(origin, signing.reveal())
    try:
        async with connected(settings.store_url) as (client, listener):
            layout = await layout_of(client, settings.prefix, settings.layout())
            log = StreamLog(client, listener, layout)
            tables = TableService(log, settings.key_ring(), signer=signer, origin=origin)
            return await tables.record(game)
    except NoSuchStream as error:
        raise SourceError(f"the store has no game {game}") from error
    except (
        NotFinished,
        BadStreamIdError,
        ForeignStoreError,
        LogError,
        CodecError,
        RedisError,
    ) as error:
        raise SourceError(str(error)) from error


if __name__ == "__main__":
    sys.exit(main())
