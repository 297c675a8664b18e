"""The append-only file after a crash: an unfinished end is cut and kept, all else is refused."""

from __future__ import annotations

import contextlib
import stat
from pathlib import Path
from typing import Any

import pytest
import redis
from hypothesis import assume, given
from hypothesis import strategies as st

from runtime.embedded import aof
from runtime.embedded.aof import (
    AlteredError,
    AofError,
    UnfinishedEnd,
    unfinished_tail,
    whole_records,
)
from runtime.embedded.store import Store, StoreDamagedError, StoreError
from tests.conftest import Sometimes
from tests.unlimited import unlimited

pytestmark = pytest.mark.system


def record(*words: bytes) -> bytes:
    """A command as the store writes it."""
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


SET = record(b"SET", b"a", b"x\r\ny\0z")
TRANSACTION = record(b"MULTI") + record(b"XADD", b"s", b"1-0", b"e", b"\0\0") + record(b"EXEC")

values = st.binary(max_size=20).filter(lambda value: b"\r" not in value)
commands = st.builds(lambda k, v: record(b"SET", k, v), values, values)
batches = st.lists(commands, max_size=3).map(
    lambda inside: record(b"MULTI") + b"".join(inside) + record(b"EXEC")
)
records = st.lists(commands | batches, min_size=1, max_size=5)


@given(records)
def test_whole_records_are_whole(parts: list[bytes]) -> None:
    data = b"".join(parts)
    assert whole_records(data) == len(data)


@given(records, st.data(), st.integers(0, 5))
def test_cut_at_any_byte_what_was_whole_before_it_stays(
    parts: list[bytes], draw: st.DataObject, zeros: int
) -> None:
    data = b"".join(parts)
    at = draw.draw(st.integers(0, len(data)))
    ends = [sum(map(len, parts[:n])) for n in range(len(parts) + 1)]
    assert whole_records(data[:at] + bytes(zeros)) == max(end for end in ends if end <= at)


@given(records, st.data(), st.integers(0, 255))
def test_one_altered_byte_never_has_whole_records_after_it_cut(
    parts: list[bytes], draw: st.DataObject, byte: int
) -> None:
    parts = [*parts, SET]  # whose loss would show
    data = bytearray(b"".join(parts))
    at = draw.draw(st.integers(0, len(data) - len(SET) - 1))
    assume(data[at] != byte)
    data[at] = byte
    with contextlib.suppress(AlteredError):
        assert whole_records(bytes(data)) == len(data), "a value may be another, and none is lost"


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"+OK\r\n", "no record at byte 0"),
        (SET + b"\r\n" + SET, "no record"),
        (SET + b"*x\r\n" + SET, "no number"),
        (SET + b"*0\r\n" + SET, "without a name"),
        (SET + b"*-1\r\n", "no number"),
        (SET + b"*12345678901\r\n", "no number"),
        (SET + record(b"SETT", b"a", b"b") + SET, "no store writes"),
        (SET + record(b"GET", b"a") + SET, "no store writes"),
        (SET.replace(b"$1", b"$2") + SET, "not ended"),
        (SET.replace(b"$6", b"$600") + SET, "without an end"),
        (SET.replace(b"$6", b"$600") + record(b"MULTI") + SET, "without an end"),
        (record(b"MULTI") + TRANSACTION, "within another"),
        (record(b"EXEC") + SET, "did not begin"),
        (SET + bytes(5) + SET, "no record"),
        (record(b"MULTI") + record(b"EXEX") + SET, "no store writes"),
    ],
)
def test_what_no_store_writes_is_told(data: bytes, what: str) -> None:
    with pytest.raises(AlteredError, match=what):
        whole_records(data)


def test_every_command_that_writes_is_known(store_url: str) -> None:
    with redis.Redis.from_url(unlimited(store_url)) as client:
        client.response_callbacks.clear()  # raw answers: redis-py does not expect all of them
        found: Any = client.execute_command("COMMAND")
    writing = {
        name.upper()
        for name, _, flags, *rest in found
        if b"write" in flags or any(b"write" in sub[2] for sub in rest[6])
    }
    assert writing | {b"MULTI", b"EXEC", b"SELECT"} == aof._NAMES


# --- with the real store ---


@pytest.fixture
def newest(home: Path) -> Path:
    """The newest file of a store that has been killed, with a transaction at its end."""
    with Store(home) as store, redis.Redis.from_url(store.admin_url) as client:
        client.set("a", "1")
        client.set("b", "some text with\r\n in it")
        script = "redis.call('XADD', 's', '1-0', 'e', 'x') redis.call('SET', 'c', '3')"
        client.eval(script, 0)
        store.kill()
    return home / aof.FOLDER / "appendonly.aof.1.incr.aof"


def found(home: Path) -> list[bytes]:
    """The keys of a store that is started."""
    with Store(home) as store, redis.Redis.from_url(store.admin_url) as client:
        return sorted(client.keys())


def kept(home: Path) -> list[Path]:
    return sorted((home / aof.FOLDER).glob("*.cut-*"))


def test_a_whole_file_is_left_alone(home: Path, newest: Path) -> None:
    before = newest.read_bytes()
    assert unfinished_tail(newest.parent) is None
    assert found(home) == [b"a", b"b", b"c", b"s"]
    assert newest.read_bytes() == before
    assert kept(home) == []


def test_cut_at_every_byte_of_the_last_transaction_it_is_cut_off(
    newest: Path, sometimes: Sometimes
) -> None:
    data = newest.read_bytes()
    begin = data.index(record(b"MULTI"))
    for at in range(begin + 1, len(data)):
        newest.write_bytes(data[:at])
        assert unfinished_tail(newest.parent) == UnfinishedEnd(newest, begin, at - begin)
    assert whole_records(data[:begin]) == begin
    sometimes("bytes at which the file was cut", len(data) - begin - 1)


@pytest.mark.parametrize("left", [1, 9, 40, -1])
def test_the_store_starts_without_the_end_and_keeps_it(
    home: Path, newest: Path, left: int, capsys: pytest.CaptureFixture[str]
) -> None:
    data = newest.read_bytes()
    begin = data.index(record(b"MULTI"))
    at = begin + left if left > 0 else len(data) + left
    newest.write_bytes(data[:at])
    assert found(home) == [b"a", b"b"]
    (copy,) = kept(home)
    assert copy.read_bytes() == data[begin:at]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert newest.read_bytes()[:begin] == data[:begin]
    assert "store_tail_cut" in capsys.readouterr().out
    assert found(home) == [b"a", b"b"]
    assert len(kept(home)) == 1


def test_zeros_that_a_power_loss_leaves_are_cut(home: Path, newest: Path) -> None:
    with newest.open("ab") as file:
        file.write(bytes(5000))
    assert found(home) == [b"a", b"b", b"c", b"s"]
    assert [copy.stat().st_size for copy in kept(home)] == [5000]


def test_by_itself_the_server_would_cut_and_keep_nothing(home: Path, newest: Path) -> None:
    # The control: what "aof-load-truncated no" is for.
    newest.write_bytes(newest.read_bytes()[:-1])
    with Store(home, "aof-load-truncated yes"):
        pass
    assert kept(home) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"$3\r\nSET", b"$4\r\nSET"),
        (b"*3", b"*4"),
        (b"SET", b"SEX"),
        (b"$22", b"$99"),
        (b"*1", b"x1"),
    ],
)
def test_what_was_altered_stops_the_store(
    home: Path, newest: Path, old: bytes, new: bytes, sometimes: Sometimes
) -> None:
    data = newest.read_bytes()
    assert old in data
    newest.write_bytes(data.replace(old, new, 1))
    with pytest.raises(StoreDamagedError, match="was altered or damaged") as caught:
        Store(home).start()
    assert str(newest) in str(caught.value)
    assert "\n" not in str(caught.value)
    sometimes("files altered", 1)
    assert newest.read_bytes() == data.replace(old, new, 1)
    assert kept(home) == []
    newest.write_bytes(data)
    assert found(home) == [b"a", b"b", b"c", b"s"]


def test_a_long_end_is_more_than_one_write(home: Path, newest: Path) -> None:
    with newest.open("ab") as file:
        file.truncate(newest.stat().st_size + aof.TAIL_MAX + 1)
    with pytest.raises(StoreDamagedError, match="more than one write"):
        Store(home).start()


def test_without_its_manifest_a_store_is_not_taken_for_a_new_one(home: Path, newest: Path) -> None:
    (newest.parent / aof.MANIFEST).rename(home / "aside")
    with pytest.raises(StoreDamagedError, match="is missing"):
        Store(home).start()


@pytest.mark.parametrize("text", ["", "file x seq 1 type i", "nonsense\n", "file x seq 1 type q\n"])
def test_a_damaged_manifest_stops_the_store(home: Path, newest: Path, text: str) -> None:
    (newest.parent / aof.MANIFEST).write_text(text)
    with pytest.raises(StoreDamagedError, match="manifest"):
        Store(home).start()


def test_an_older_file_must_be_whole(newest: Path) -> None:
    manifest = newest.parent / aof.MANIFEST
    manifest.write_text(manifest.read_text() + "file newer.aof seq 2 type i\n")
    (newest.parent / "newer.aof").write_bytes(SET)
    newest.write_bytes(newest.read_bytes()[:-1])
    with pytest.raises(AofError, match="a newer file follows"):
        unfinished_tail(newest.parent)


def test_a_file_that_is_gone_stops_the_store(home: Path, newest: Path) -> None:
    newest.unlink()
    with pytest.raises(StoreDamagedError, match="cannot be read"):
        Store(home).start()


def test_an_rdb_base_that_was_altered_stops_the_store(home: Path) -> None:
    with Store(home) as store, redis.Redis.from_url(store.admin_url) as client:
        client.set("a", "x" * 1000)
        client.execute_command("BGREWRITEAOF")
        while client.info("persistence")["aof_rewrite_in_progress"]:
            pass
    (base,) = (home / aof.FOLDER).glob("*.base.rdb")
    data = bytearray(base.read_bytes())
    data[-12] ^= 1
    base.write_bytes(data)
    with pytest.raises(StoreError, match="did not start"):
        Store(home).start()


def test_a_killed_store_comes_up_by_itself(home: Path) -> None:
    store = Store(home)
    store.start()
    with redis.Redis.from_url(store.admin_url) as client:
        client.set("a", "1")
    store.kill()
    store.start()
    store.stop()
    assert kept(home) == []
