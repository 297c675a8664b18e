"""The journal on disk: what was told of is there or is missed by name, what was torn is cut off."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from events.known import Mark
from events.unshipped import JournalEntry
from runtime.journal import segments, watermark
from runtime.journal.frames import MAGIC, StoreNamed, frame_of
from runtime.journal.segments import JournalError, JournalWriter, last_store, marked, tails
from runtime.journal.watermark import NAME, read_watermark

SHARD = 1


def named(epoch: int = 1, store: str = "abc", **ends: Mark) -> StoreNamed:
    return StoreNamed(store, epoch, 4, {}, "spread", {int(s[1:]): m for s, m in ends.items()})


def entry(seq: int, shard: int = SHARD, branch: str = "") -> JournalEntry:
    return JournalEntry(
        shard,
        seq,
        f"{branch}{seq}",
        "g",
        seq - 1,
        b"",
        b"",
        f"c{seq}",
        "d",
        "s",
        None,
        [(b"e", b"p")],
    )


@contextmanager
def writer(folder: Path, segment_bytes: int = 1 << 20) -> Iterator[JournalWriter]:
    made = JournalWriter(folder, segment_bytes)
    try:
        yield made
    finally:
        made.close()


def filled(folder: Path, last: int = 9, segment_bytes: int = 1 << 20) -> None:
    with writer(folder, segment_bytes) as to:
        to.name(named())
        for seq in range(1, last + 1):
            to.append([entry(seq), entry(seq, shard=2)])


def numbers(folder: Path, after: int = 0) -> list[int]:
    return [each.seq for each in tails(folder, {SHARD: after})[SHARD]]


def newest(folder: Path) -> Path:
    return max(folder.glob("*.journal"))


@pytest.mark.parametrize("segment_bytes", [1, 300, 1 << 20])
def test_what_was_appended_is_read_again(tmp_path: Path, segment_bytes: int) -> None:
    filled(tmp_path, segment_bytes=segment_bytes)
    assert tails(tmp_path, {SHARD: 6, 2: 8, 3: 0}) == {
        SHARD: [entry(7), entry(8), entry(9)],
        2: [entry(9, shard=2)],
        3: [],
    }
    assert numbers(tmp_path, 0) == [*range(1, 10)]
    assert numbers(tmp_path, 9) == []
    assert len(list(tmp_path.glob("*.journal"))) == {1: 10, 300: 3, 1 << 20: 1}[segment_bytes]
    found = last_store(tmp_path)
    assert found is not None
    assert found.store == "abc"


@pytest.mark.parametrize("segment_bytes", [1, 1 << 20])
def test_it_goes_on_where_it_ended(tmp_path: Path, segment_bytes: int) -> None:
    filled(tmp_path, 3, segment_bytes)
    with writer(tmp_path, segment_bytes) as to:
        assert to.end(SHARD) == entry(3).mark
        assert (to.mark.store, to.mark.epoch) == ("abc", 1)
        to.append([entry(4)])
    assert numbers(tmp_path) == [1, 2, 3, 4]


def test_a_gap_is_refused(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    with writer(tmp_path) as to:
        for seq in (3, 5):
            with pytest.raises(JournalError, match=f"gap before {seq}"):
                to.append([entry(seq)])
    assert numbers(tmp_path) == [1, 2, 3]


def test_who_does_not_count_leaves_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the test above."""
    monkeypatch.setattr(segments, "_require_next", lambda *_: None)
    filled(tmp_path, 3)
    with writer(tmp_path) as to:
        to.append([entry(5)])
    assert numbers(tmp_path) == [1, 2, 3, 5]


def test_one_process_writes(tmp_path: Path) -> None:
    with writer(tmp_path), pytest.raises(JournalError, match="another process"):
        JournalWriter(tmp_path)
    with writer(tmp_path):
        pass


def test_without_the_lock_two_lose_what_one_was_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above."""
    filled(tmp_path, 3)
    monkeypatch.setattr(segments, "_lock", lambda _: os.open(os.devnull, os.O_RDONLY))
    with writer(tmp_path) as one, writer(tmp_path) as other:
        one.append([entry(4, branch="one"), entry(5, branch="one")])
        other.append([entry(4, branch="other")])
        assert one.end(SHARD).seq == 5, "so it was told"
    assert marked(tmp_path).shards[SHARD] == entry(4, branch="other").mark


def test_what_is_closed_is_not_written(tmp_path: Path) -> None:
    with writer(tmp_path) as to:
        pass
    with pytest.raises(JournalError, match="closed"):
        to.append([entry(1)])


def test_who_closes_waits_for_what_is_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    sync = os.fdatasync

    def slow(handle: int) -> None:
        begun.set()
        assert go_on.wait(20)
        sync(handle)

    to = JournalWriter(tmp_path)
    to.name(named())
    with monkeypatch.context() as patched:
        patched.setattr(os, "fdatasync", slow)
        writing = threading.Thread(target=to.append, args=([entry(1)],))
        writing.start()
        assert begun.wait(20)
        closing = threading.Thread(target=to.close)
        closing.start()
        go_on.set()
        writing.join(20)
        closing.join(20)
    assert numbers(tmp_path) == [1]


# --- what crashes leave behind ---


def test_a_torn_frame_is_cut_off_and_kept_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(tmp_path, 3)
    whole = newest(tmp_path).read_bytes()
    torn = frame_of(entry(4))
    for size in (1, 7, 8, len(torn) - 1):
        newest(tmp_path).write_bytes(whole + torn[:size])
        with writer(tmp_path) as to:
            assert to.end(SHARD) == entry(3).mark
        assert newest(tmp_path).read_bytes() == whole
    aside = sorted(path.read_bytes() for path in tmp_path.glob("*.cut-*"))
    assert aside == sorted(torn[:size] for size in (1, 7, 8, len(torn) - 1))
    assert capsys.readouterr().out.count("journal_tail_cut") == 4
    with writer(tmp_path) as to:
        to.append([entry(4)])
    assert numbers(tmp_path) == [1, 2, 3, 4]


def test_a_whole_frame_behind_the_watermark_is_kept(tmp_path: Path) -> None:
    """It was on disk, and the process died before it could say so."""
    filled(tmp_path, 3)
    with newest(tmp_path).open("ab") as file:
        file.write(frame_of(entry(4)) + frame_of(named(2, s1=entry(2).mark)))
        file.write(frame_of(entry(3, branch="other")))
    with writer(tmp_path) as to:
        assert to.end(SHARD) == entry(3, branch="other").mark
        assert to.mark.epoch == 2
    assert tails(tmp_path, {SHARD: 1})[SHARD] == [entry(2), entry(3, branch="other")]


def test_a_segment_that_was_only_just_begun_is_begun_again(tmp_path: Path) -> None:
    for number, begun in enumerate((b"", MAGIC[:5])):
        folder = tmp_path / str(number)
        filled(folder, 3)
        (folder / "00000002.journal").write_bytes(begun)
        assert numbers(folder) == [1, 2, 3]
        with writer(folder, segment_bytes=1) as to:
            to.append([entry(4)])
        assert numbers(folder) == [1, 2, 3, 4]


# --- what is missing is missed ---


def test_a_truncated_segment_is_told(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    whole = newest(tmp_path).read_bytes()
    for size in (0, len(MAGIC), len(whole) - 1):
        newest(tmp_path).write_bytes(whole[:size])
        for read in (lambda: JournalWriter(tmp_path), lambda: tails(tmp_path, {SHARD: 0})):
            with pytest.raises(JournalError, match="it was cut off"):
                read()
    newest(tmp_path).write_bytes(whole)
    assert numbers(tmp_path) == [1, 2, 3]


def test_without_the_watermark_a_truncated_segment_would_pass(tmp_path: Path) -> None:
    """The control of the test above."""
    filled(tmp_path, 3)
    whole = newest(tmp_path).read_bytes()
    newest(tmp_path).write_bytes(whole[:-1])
    (tmp_path / NAME).unlink()
    with writer(tmp_path) as to:
        assert to.end(SHARD) == entry(3).mark
        assert to.end(2) == entry(2).mark, "a batch is gone, and nobody is told"


def test_a_wrong_check_is_told(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    whole = newest(tmp_path).read_bytes()
    for at in (len(MAGIC) + 5, len(whole) // 2, len(whole) - 1):
        altered = bytearray(whole)
        altered[at] ^= 1
        newest(tmp_path).write_bytes(altered)
        for read in (lambda: JournalWriter(tmp_path), lambda: tails(tmp_path, {SHARD: 0})):
            with pytest.raises(JournalError, match=r"is damaged: .* at byte"):
                read()


def test_without_the_check_altered_bytes_would_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above."""
    monkeypatch.setattr("runtime.journal.frames.crc32c", lambda _: 0)
    filled(tmp_path, 3)
    whole = newest(tmp_path).read_bytes()
    newest(tmp_path).write_bytes(whole.replace(b"c3", b"c7"))
    assert [each.command_id for each in tails(tmp_path, {SHARD: 0})[SHARD]] == ["c1", "c2", "c7"]


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_a_missing_segment_is_told(tmp_path: Path, gone: int) -> None:
    filled(tmp_path, 2, segment_bytes=1)
    assert len(segments.segments(tmp_path)) == 3
    (tmp_path / f"{gone:08}.journal").unlink()
    for read in (lambda: JournalWriter(tmp_path), lambda: tails(tmp_path, {SHARD: 0})):
        with pytest.raises(JournalError, match="a segment is missing: there were 3"):
            read()


def test_who_does_not_count_segments_takes_half_a_journal_for_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above."""
    filled(tmp_path, 3, segment_bytes=1)
    monkeypatch.setattr(segments, "_require_all", lambda *_: None)
    for each in (1, 2):
        (tmp_path / f"{each:08}.journal").unlink()
    assert numbers(tmp_path) == [2, 3], "the first batch is gone, and nobody is told"


def test_a_missing_or_altered_watermark_is_told(tmp_path: Path) -> None:
    filled(tmp_path, 2, segment_bytes=1)
    content = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(bytes(len(content)))
    with pytest.raises(JournalError, match="watermark is damaged"):
        JournalWriter(tmp_path)
    (tmp_path / NAME).unlink()
    with pytest.raises(JournalError, match="watermark is missing"):
        JournalWriter(tmp_path)


def test_a_torn_watermark_is_the_one_before(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    content = (tmp_path / NAME).read_bytes()
    place = 32 << 10
    mark = read_watermark(tmp_path)
    assert mark is not None
    at = place * (mark.count % 2)
    torn = bytearray(content)
    torn[at + 20] ^= 1
    (tmp_path / NAME).write_bytes(torn)
    before = read_watermark(tmp_path)
    assert before is not None
    assert before.count == mark.count - 1
    with writer(tmp_path) as to:
        assert to.end(SHARD) == entry(3).mark, "the frames themselves are there"


def test_in_one_place_a_torn_watermark_would_be_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above."""
    monkeypatch.setattr(watermark, "PLACES", 1)
    filled(tmp_path, 3)
    torn = bytearray((tmp_path / NAME).read_bytes())
    torn[20] ^= 1
    (tmp_path / NAME).write_bytes(torn)
    with pytest.raises(JournalError, match="watermark is damaged"):
        JournalWriter(tmp_path)


def test_where_there_is_no_journal_nothing_is_read(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal in"):
        tails(tmp_path, {SHARD: 0})


# --- stores and epochs ---


def test_a_journal_is_of_one_store(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    with writer(tmp_path) as to:
        with pytest.raises(JournalError, match="is of the store abc, and this is the store xyz"):
            to.name(named(store="xyz"))
        to.name(named(2, s1=entry(3).mark))
        with pytest.raises(JournalError, match="is of epoch 2, and the store is in epoch 1"):
            to.name(named(1))


def test_who_does_not_compare_stores_mixes_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above."""
    filled(tmp_path, 3)
    monkeypatch.setattr(segments, "_require_same_store", lambda *_: None)
    with writer(tmp_path) as to:
        to.name(named(store="xyz", s1=entry(3).mark))
        to.append([entry(4, branch="xyz")])
    found = last_store(tmp_path)
    assert found is not None
    assert found.store == "xyz"
    assert [each.link for each in tails(tmp_path, {SHARD: 0})[SHARD]] == ["1", "2", "3", "xyz4"]


@pytest.mark.parametrize("segment_bytes", [1, 300, 1 << 20])
def test_a_later_epoch_goes_another_way(tmp_path: Path, segment_bytes: int) -> None:
    filled(tmp_path, 9, segment_bytes)
    with writer(tmp_path, segment_bytes) as to:
        to.name(named(2, s1=entry(5).mark, s2=entry(9, shard=2).mark))
        to.append([entry(6, branch="other")])
        to.append([entry(7, branch="other")])
    found = tails(tmp_path, {SHARD: 3, 2: 7})
    assert [each.link for each in found[SHARD]] == ["4", "5", "other6", "other7"]
    assert [each.link for each in found[2]] == ["8", "9"]


@pytest.mark.usefixtures("usual_umask")
def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    filled(tmp_path / "j", 3, segment_bytes=1)
    for path in (tmp_path / "j", *(tmp_path / "j").iterdir()):
        assert not path.stat().st_mode & 0o077, path
