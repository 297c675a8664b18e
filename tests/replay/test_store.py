"""Games in a store: read, exported and verified there, whole or damaged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis

from events.clients import Client, close_client, commands, listening
from events.layout import Layout
from events.log import StreamLog
from replay.__main__ import main
from replay.memory import MemoryTable
from replay.sittings import sittings
from replay.source import SourceError, read_store, settings_for
from runtime.table_service import TableService
from simulator.golden_files import KEYS, SIGNER
from tests.events.lab import batch
from tests.naming import name_store
from tests.replay.forging import begun, fresh_table, original, played
from tests.unlimited import unlimited

SHARDS = 4
CHECKS = ("form", "chain", "signature", "commitments", "seed", "draws", "fold", "re-adjudication")


async def restage(url: str, *found: MemoryTable) -> None:
    """Give the commands of games once more, to the table service of a store."""
    client, listener = commands(url), listening(url)
    tables = TableService(StreamLog(client, listener, SHARDS), KEYS, signer=SIGNER)
    for table in found:
        for sitting in sittings(stored.public for stored in table.stored):
            opening = msgspec.json.encode(table.names[sitting.name_seal])
            keys = tables.log.layout.stream(sitting.player)
            await client.hset(keys.names, sitting.name_seal, opening)
        for envelope in table.envelopes:
            batch = envelope.batch
            if batch is not None:
                await tables.command(
                    table.stream,
                    batch.command,
                    actor=batch.actor,
                    command_id=batch.command_id,
                    digest="restaged",
                    at=envelope.at,
                    opens=envelope.version == 1,
                )
    await close_client(client)
    await listener.aclose()


@pytest.fixture
def stage(store_url: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[MemoryTable], str]:
    """Puts a game into the store and its settings into the environment; gives its id."""
    monkeypatch.setenv("PARLOUR_KEYS", f"golden:{b'golden files are no secret, ever'.hex()}")
    monkeypatch.setenv("PARLOUR_SIGNING_KEY", b"golden files are signed by this!".hex())
    monkeypatch.setenv("PARLOUR_HEAD_ORIGIN", SIGNER.origin)
    monkeypatch.setenv("PARLOUR_SHARDS", str(SHARDS))
    monkeypatch.setenv("PARLOUR_SHARD_TAGS", "banded")

    def staging(table: MemoryTable) -> str:
        asyncio.run(restage(store_url, table))
        return table.stream

    return staging


@pytest.fixture
def raw(store_url: str) -> Iterator[redis.Redis]:
    """The store itself, to be tampered with."""
    with redis.Redis.from_url(unlimited(store_url)) as client:
        yield client


Stage = Callable[[MemoryTable], str]


def test_memory_and_store_make_the_same_record(
    stage: Stage, store_url: str, tmp_path: Path
) -> None:
    game, out = stage(played()), tmp_path / "record.jsonl"
    assert main(["export", game, "--store", store_url, "--out", str(out)]) == 0
    assert out.read_bytes() == original()
    assert main(["verify", str(out), "--verifier", SIGNER.verifier]) == 0


def test_an_export_with_its_heads(
    stage: Stage, store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, out = stage(played()), tmp_path / "record.jsonl"
    assert main(["export", game, "--store", store_url, "--out", str(out), "--heads"]) == 0
    assert len((tmp_path / "record.heads").read_bytes()) == 32 * played().version
    assert main(["verify", str(out)]) == 0
    assert "heads file      agrees " in capsys.readouterr().out


def test_the_heads_of_a_running_game(
    stage: Stage, store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, kept = stage(begun()), tmp_path / "kept.heads"
    assert main(["heads", game, "--store", store_url, "--out", str(kept)]) == 0
    assert kept.read_bytes()[-32:] == begun().head
    assert main(["verify", game, "--store", store_url, "--heads", str(kept)]) == 0
    assert "heads file      agrees " in capsys.readouterr().out


def test_a_finished_game_is_verified_where_it_lies(
    stage: Stage, store_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", stage(played()), "--store", store_url]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "verified, but for signature"


def test_an_unfinished_game_is_verified_but_not_exported(
    stage: Stage, store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = stage(begun())
    assert main(["verify", game, "--store", store_url]) == 0
    text = capsys.readouterr().out
    assert "without a result yet" in text
    assert played().game_key() not in text
    out = tmp_path / "record.jsonl"
    assert main(["export", game, "--store", store_url, "--out", str(out)]) == 2
    assert not out.exists()
    assert "not over" in capsys.readouterr().err


def test_a_table_that_has_not_begun(
    stage: Stage, store_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = fresh_table("waiting", seats=2)
    early = MemoryTable(table.stream, KEYS, table.envelopes[0].at)
    for envelope in table.envelopes[:2]:
        assert envelope.batch is not None
        early.give(envelope.batch.command, envelope.batch.actor)
    game = stage(early)
    for command in ("verify", "show", "log"):
        assert main([command, game, "--store", store_url]) == 0
    assert "1 of 2 seats are free" in capsys.readouterr().out


def test_a_store_and_a_file_show_the_same(
    stage: Stage, store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, path = stage(played()), tmp_path / "record.jsonl"
    path.write_bytes(original())
    for command in (["show", "--at", "turn:2"], ["log"], ["diff", "9", "99"]):
        name, *rest = command
        texts = []
        for target in ([game, "--store", store_url], [str(path)]):
            assert main([name, *target, *rest, "--as", "seat:2"]) == 0
            texts.append(capsys.readouterr().out)
        assert texts[0] == texts[1]


async def test_what_the_store_says_of_its_shards_goes_before_the_settings(
    client: Client, store_url: str
) -> None:
    layout = Layout(16, "", "spread")
    log, game = StreamLog(client, client, layout), "g0f-00000000000000000000000001"
    settings = settings_for(store_url, {"PARLOUR_KEYS": f"k1:{'00' * 32}", "PARLOUR_SHARDS": "4"})
    with pytest.raises(SourceError, match="there is no shard 15"):
        await read_store(game, settings)
    await name_store(client, layout)
    await log.append(batch(stream=game))
    assert (await read_store(game, settings)).version == 1


def test_the_environment_may_name_the_store(
    stage: Stage, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = stage(begun())
    monkeypatch.setenv("PARLOUR_STORE_URL", store_url)
    assert main(["verify", game]) == 0


# --- damage ---


def entries_key(game: str) -> str:
    """The key under which the events lie."""
    return Layout(SHARDS).stream(game).entries


def rewrite(raw: redis.Redis, game: str, change: Callable[[int, dict[bytes, bytes]], None]) -> None:
    """Write the events of a game again, some of them changed."""
    key = entries_key(game)
    entries: Any = raw.xrange(key)
    raw.delete(key)
    for number, (version, fields) in enumerate(entries, 1):
        change(number, fields)
        raw.xadd(key, fields, id=version)


def test_a_changed_event_in_the_store(
    stage: Stage, store_url: str, raw: redis.Redis, capsys: pytest.CaptureFixture[str]
) -> None:
    game = stage(played())

    def change(version: int, fields: dict[bytes, bytes]) -> None:
        if version == 2:
            before, _, after = fields[b"e"].rpartition(b'"entropy-of-Ada"')
            fields[b"e"] = before + b'"entropy-of-Eva"' + after

    rewrite(raw, game, change)
    assert main(["verify", game, "--store", store_url]) == 1
    text = capsys.readouterr().out
    assert "chain           FAILED" in text
    assert "version 2, seat-taken" in text


@pytest.mark.parametrize("junk", [b"", b"junk", b"\xff{}", b"[" * 10_000])
def test_an_event_in_the_store_that_is_none(
    junk: bytes,
    stage: Stage,
    store_url: str,
    raw: redis.Redis,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = stage(begun())

    def change(version: int, fields: dict[bytes, bytes]) -> None:
        if version == 5:
            fields[b"e"] = junk

    rewrite(raw, game, change)
    assert main(["verify", game, "--store", store_url]) == 1
    text = capsys.readouterr().out
    for name in ("form", "chain", "fold"):
        assert f"{name:<15} FAILED" in text
    assert "first diverging event: version 5, an unreadable event" in text
    assert main(["show", game, "--store", store_url]) == 2


def test_an_altered_secret_in_the_store(
    stage: Stage, store_url: str, raw: redis.Redis, capsys: pytest.CaptureFixture[str]
) -> None:
    game = stage(begun())

    def change(version: int, fields: dict[bytes, bytes]) -> None:
        if version == 1:
            fields[b"p"] = fields[b"p"][:-1] + bytes([fields[b"p"][-1] ^ 1])

    rewrite(raw, game, change)
    assert main(["verify", game, "--store", store_url]) == 1
    text = capsys.readouterr().out
    assert "commitments     FAILED" in text
    assert "version 1, " in text


def test_a_missing_event_in_the_store(
    stage: Stage, store_url: str, raw: redis.Redis, capsys: pytest.CaptureFixture[str]
) -> None:
    game = stage(begun())
    raw.xdel(entries_key(game), "5-0")
    assert main(["verify", game, "--store", store_url]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in told[:-1]] == list(CHECKS)
    assert told[1].startswith("chain           FAILED")
    assert told[-1].startswith("NOT verified, but for form, signature, ")
    assert main(["show", game, "--store", store_url]) == 2


def test_a_store_with_other_keys(
    stage: Stage,
    store_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = stage(begun())
    monkeypatch.setenv("PARLOUR_KEYS", f"golden:{'00' * 32}")
    assert main(["verify", game, "--store", store_url]) == 1
    assert "commitments     FAILED" in capsys.readouterr().out
    assert main(["show", game, "--store", store_url, "--as", "full"]) == 2


NOWHERE = ["g00-00000000000000000000000000", "gff-00000000000000000000000000", "g", "../etc", "G1"]
"""Ids of no game."""


@pytest.mark.parametrize("command", ["verify", "show", "export"])
def test_a_game_that_is_not_there(
    command: str, stage: Stage, store_url: str, tmp_path: Path
) -> None:
    stage(begun())
    out = ["--out", str(tmp_path / "x")] if command == "export" else []
    ends = {game: main([command, game, "--store", store_url, *out]) for game in NOWHERE}
    assert ends == dict.fromkeys(NOWHERE, 2)


def test_a_store_that_does_not_answer(stage: Stage, tmp_path: Path) -> None:
    game = stage(begun())
    nowhere = f"unix://{tmp_path}/nobody.sock"
    assert main(["verify", game, "--store", nowhere]) == 2
    assert main(["export", game, "--store", nowhere, "--out", str(tmp_path / "x")]) == 2
