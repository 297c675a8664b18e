"""``python -m simulator.judged_demo demo|cluster``: each of them, and a judge of what it was told.

``ops.demo`` and ``ops.cluster`` play whole games through a service as it is deployed. Here what
their players were answered is held against the verified record: what was acknowledged is there,
once, where its receipt says and in the order of the answers; what was refused is not; and nobody
but the service itself has done what no player asked for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from events.durability import Durability
from events.keys import KeyRing
from events.seal import bytes_of
from ops import cluster, demo
from ops.demo_client import TOLD
from projections.record import Record, read_record
from simulator.history import Attempt, FinalBatch, FinalStream, History, Violation, judge


class ToldCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player was told of a command, as ``ops.demo_client`` says."""

    player: str
    key: str
    sent: int
    answered: int
    accepted: bool
    game: str = ""
    first: int = 0
    version: int = 0
    level: Durability = "local"


def read_told(content: bytes) -> list[ToldCommand]:
    """The lines of a file of ``ops.demo_client``.

    Raises:
        msgspec.ValidationError: they are none.
    """
    return msgspec.json.Decoder(ToldCommand).decode_lines(content)


def judge_record(record: Record, told: Sequence[ToldCommand], keys: KeyRing) -> list[Violation]:
    """What of a record does not agree with what its players were told."""
    stream = record.header.stream
    attempts = [
        Attempt(
            client=each.player,
            stream=each.game,
            command_id=keys.command_id(each.player, each.key),
            sent=each.sent,
            answered=each.answered,
            outcome="accepted" if each.accepted else "refused",
            level=each.level,
            first=each.first,
            version=each.version,
        )
        for each in told
    ]
    end = FinalStream(stream, record.stored(), record.seal.version, bytes_of(record.seal.head))
    return judge(History(attempts, []), [end], is_house=_is_house)


def _is_house(batch: FinalBatch) -> bool:
    """Whether the service did it by itself: time-outs, and the choices of house bots."""
    return not batch.by.startswith("player:")


def judge_files(path: Path, keys: KeyRing) -> str:
    """Judge a record by the file beside it; what does not hold, or ""."""
    told = read_told(Path(f"{path}{TOLD}").read_bytes())
    found = judge_record(read_record(path.read_bytes()), told, keys)
    if found:
        return "\n".join(["the record is not what players were told:", *(v.line() for v in found)])
    accepted = sum(each.accepted for each in told)
    print(
        f"told      all {accepted} commands that were accepted are where receipts say", flush=True
    )
    return "" if accepted else "no command was accepted"


def main(arguments: Sequence[str]) -> int:
    """Play and judge; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m simulator.judged_demo", description=__doc__)
    parser.add_argument("what", choices=["demo", "cluster"])
    run = demo.main if parser.parse_args(arguments).what == "demo" else cluster.main
    return run(judge_files)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
