"""Whatever is set wrongly ends in one sentence and an exit code, at every entry."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis

import replay.__main__
import workers.__main__
from events.clients import close_client, commands
from events.keys import KeyRing
from events.known import Marks
from events.layout import Layout
from events.reach import UnfitStoreError, require_store, require_url, shown
from projections import lobby
from runtime.embedded.store import Store
from runtime.mark_files import write_accepted
from runtime.settings import PREFIX
from tests.naming import STORE, name_store
from tests.prefork import Prefork
from tests.unlimited import unlimited

pytestmark = [pytest.mark.slow, pytest.mark.system]

ROOT = Path(__file__).parents[2]
KEY = "ab" * 32
GAME = "g00-0123456789abcdefghjkmnpqrs"
LONG = 120.0
ENTRIES = {
    "service": ("-m", "service"),
    "clock": ("-m", "workers", "clock"),
    "worker": ("-m", "workers", "work"),
    "replay": ("-m", "replay", "show", GAME),
    "run": ("-m", "ops.run"),
}


_LIBC = ctypes.CDLL(None)
_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE = 1


def be_no_superuser() -> None:
    """Give up the right to write what is read-only, if we have it (capabilities(7))."""
    _LIBC.prctl(_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE, 0, 0, 0)


def told(*program: str, **settings: str) -> tuple[int, str]:
    """The exit code of a program of ours, and the one sentence that it says beside its log."""
    return outcome(partial(Prefork, [sys.executable, *program]), settings)


def told_to_an_ordinary_user(*program: str, **settings: str) -> tuple[int, str]:
    """The same where the program may not write what is read-only."""
    # What a process gives up of its rights shows when it starts another program, not when it forks.
    start = partial(subprocess.Popen, [sys.executable, *program], preexec_fn=be_no_superuser)
    return outcome(start, settings)


def outcome(
    start: Callable[..., subprocess.Popen[str]], said: Mapping[str, str]
) -> tuple[int, str]:
    """Start a program with those settings and no others of ours, and wait for its end."""
    clean = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    settings = {PREFIX + name: text for name, text in {"MARKS": "none", **said}.items()}
    pipe = subprocess.PIPE
    with start(env=clean | settings, cwd=ROOT, stdout=pipe, stderr=pipe, text=True) as process:
        printed, logged = process.communicate(timeout=LONG)
    assert "Traceback" not in logged
    assert printed == ""
    (sentence,) = [line for line in logged.splitlines() if not line.startswith("{")]
    return process.returncode, sentence


# --- settings that are wrong by themselves ---


@pytest.mark.parametrize("entry", sorted(ENTRIES))
def test_a_wrong_setting_is_named_at_every_entry(entry: str, tmp_path: Path) -> None:
    needed = {"STORE_URL": "unix:///nowhere", "KEYS": f"k1:{KEY}"}
    settings = {"VAR": str(tmp_path)} if entry == "run" else needed
    code, said = told(*ENTRIES[entry], **settings, HEAD_ORIGIN="two words")
    assert code == 2
    assert "PARLOUR_HEAD_ORIGIN: an origin must be printable, without spaces" in said
    assert said.startswith("parlour")


# --- stores that cannot be used ---


@contextlib.contextmanager
def answering(answers: dict[bytes, bytes]) -> Iterator[str]:
    """Something on a port that has an answer for each command; its URL."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    peer, _ = listening.accept()
                    with peer:
                        while said := peer.recv(65536):
                            for name in COMMAND.findall(said):
                                peer.sendall(answers.get(name, answers[b""]))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"redis://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(LONG)


def bulk(text: str) -> bytes:
    return f"${len(text)}\r\n{text}\r\n".encode()


COMMAND = re.compile(rb"\*[0-9]+\r\n\$[0-9]+\r\n([A-Z]+)\r\n")
HELLO = b"%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n"
OLD = {b"HELLO": HELLO, b"INFO": bulk("redis_version:6.2.14\r\n"), b"": b"+OK\r\n"}
WEB = {b"": b"HTTP/1.1 400 Bad Request\r\n\r\n"}


@pytest.mark.parametrize("entry", ["service", "clock", "worker", "replay"])
def test_a_store_that_is_not_there_is_told_at_every_entry(entry: str, tmp_path: Path) -> None:
    url = f"unix://{tmp_path}/nobody.sock"
    code, said = told(*ENTRIES[entry], STORE_URL=url, KEYS=f"k1:{KEY}")
    assert code == (2 if entry == "replay" else 3)
    assert "does not answer" in said or "No such file" in said


async def test_an_old_store_is_refused_by_its_version() -> None:
    told_so = pytest.raises(UnfitStoreError, match=r"is of version 6\.2\.14; 7\.0 or newer")
    with answering(OLD) as url, told_so:
        await require_store(url)


async def test_what_is_no_store_is_refused() -> None:
    told_so = pytest.raises(UnfitStoreError, match="does not answer")
    with answering(WEB) as url, told_so:
        await require_store(url)


async def test_a_store_that_can_be_used_is_not(store_url: str) -> None:
    await require_store(store_url)


@pytest.mark.parametrize("entry", ["service", "clock", "worker"])
def test_an_old_store_ends_each_process(entry: str) -> None:
    with answering(OLD) as url:
        code, said = told(*ENTRIES[entry], STORE_URL=url, KEYS=f"k1:{KEY}")
    assert (code, said) == (
        3,
        f"parlour: the store at {url} is of version 6.2.14; 7.0 or newer is needed",
    )


def test_a_worker_needs_its_queue(store_url: str, tmp_path: Path) -> None:
    url = f"unix://{tmp_path}/nobody.sock"
    code, said = told(*ENTRIES["worker"], STORE_URL=store_url, RQ_URL=url, KEYS=f"k1:{KEY}")
    assert code == 3
    assert str(tmp_path) in said


def test_a_password_is_told_to_nobody() -> None:
    assert shown("redis://ada:planted@host:1/0?protocol=3") == "redis://host:1/0"
    with pytest.raises(ValueError, match="options") as caught:
        require_url("redis://ada:planted@host:1?db=planted")
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize("url", ["nonsense", "unix:///nowhere/store.sock"])
def test_the_lists_are_rebuilt_on_no_store(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lobby.main(["rebuild", "--store", url]) == 1
    said = capsys.readouterr().err
    assert said.startswith("parlour: ")
    assert said.count("\n") == 1


# --- a store of other settings, or of nobody ---


@pytest.fixture
def lasting(home: Path) -> Iterator[str]:
    """A store that keeps what it is given, and has been named with four shards; its URL."""
    with Store(home / "store") as store:
        asyncio.run(named(store.url))
        yield store.url


async def named(url: str) -> None:
    client = commands(url)
    await name_store(client, Layout(4), KeyRing({"k1": bytes.fromhex(KEY)}, "k1"))
    await close_client(client)


BANDED = {"SHARDS": "4", "SHARD_TAGS": "banded"}
MISFITS: list[tuple[dict[str, str], str]] = [
    ({}, "the store has 4 shards, and the settings say 64"),
    ({"SHARDS": "4"}, "the store's shards have banded tags, and the settings say spread"),
    (BANDED | {"KEYS": f"k2:{KEY}"}, "the settings lack the master secret 'k1'"),
    (BANDED | {"KEYS": f"k1:{'cd' * 32}"}, "the master secret 'k1' is not the one"),
]


# All processes ask the same function: each is shown to ask it, and one of them whatever it says.
@pytest.mark.parametrize(
    ("entry", "settings", "why"),
    [
        pytest.param(
            entry, *misfit, marks=() if entry == "service" or not n else pytest.mark.nightly
        )
        for entry in ("service", "clock", "worker")
        for n, misfit in enumerate(MISFITS)
    ],
)
def test_settings_of_another_store_end_each_process(
    entry: str, settings: dict[str, str], why: str, lasting: str
) -> None:
    code, said = told(*ENTRIES[entry], **{"STORE_URL": lasting, "KEYS": f"k1:{KEY}"} | settings)
    assert code == 2
    assert said.startswith(f"parlour: {why}")
    assert KEY not in said


@pytest.mark.parametrize("entry", ["service", "clock", "worker"])
def test_a_store_that_says_not_what_it_is_ends_each_process(entry: str, lasting: str) -> None:
    with redis.Redis.from_url(unlimited(lasting)) as client:
        client.delete(Layout(4).identity())
        client.xadd(Layout(256).feed(200), {"g": "x"}, "1-0")
    code, said = told(*ENTRIES[entry], STORE_URL=lasting, KEYS=f"k1:{KEY}", **BANDED)
    assert code == 3
    assert "does not say which store it is" in said


@pytest.mark.parametrize("entry", ["service", "clock"])
def test_marks_that_cannot_be_kept_end_who_keeps_them(
    entry: str, lasting: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    marks = str(tmp_path / "file" / "marks")
    given = {"STORE_URL": lasting, "KEYS": f"k1:{KEY}", "MARKS": marks}
    code, said = told(*ENTRIES[entry], **given | BANDED)
    assert code == 3
    assert said == f"parlour: {marks} cannot be written: Not a directory"


@contextlib.contextmanager
def running(*program: str, **settings: str) -> Iterator[Iterator[Any]]:
    """A program of ours with those settings and no others: the lines that it logs, as they come."""
    clean = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    environ = clean | {PREFIX + name: text for name, text in settings.items()}
    process = Prefork(
        [sys.executable, *program],
        env=environ,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    late = threading.Timer(LONG, process.kill)
    late.start()
    try:
        with process:
            assert process.stderr is not None
            yield (json.loads(line) for line in process.stderr if line.startswith("{"))
            process.terminate()
            process.communicate()
    finally:
        late.cancel()


def kept_in(url: str) -> dict[bytes, bytes]:
    """All that shards hold."""
    with redis.Redis.from_url(unlimited(url)) as client:
        return {key: client.dump(key) for key in client.keys("{s*")}


@pytest.mark.parametrize("entry", ["service", "clock", "worker"])
def test_another_store_than_the_known_one_is_told_and_not_written_to(
    entry: str, lasting: str, tmp_path: Path
) -> None:
    marks, before = tmp_path / "marks", kept_in(lasting)
    write_accepted(marks, Marks("fedcba9876543210", 1, {}))
    given = {"STORE_URL": lasting, "KEYS": f"k1:{KEY}", "MARKS": str(marks), "PORT": "0"} | BANDED
    with running(*ENTRIES[entry], **given) as lines:
        told = next(line for line in lines if line["level"] == "error")
    assert told["event"] == "store_behind"
    assert told["reason"] == f"this is the store {STORE}, and fedcba9876543210 was known here"
    assert kept_in(lasting) == before


# --- the machine ---


def test_a_port_that_is_taken_ends_the_service(store_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = told(
            *ENTRIES["service"],
            STORE_URL=store_url,
            KEYS=f"k1:{KEY}",
            PORT=str(port),
            ALLOW_LOSSY_STORE="1",
        )
    assert code == 3
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in said


def test_a_folder_that_cannot_be_made_ends_the_run(home: Path) -> None:
    (home / "file").write_text("x")
    code, said = told(*ENTRIES["run"], VAR=str(home / "file" / "var"))
    assert code == 1
    assert str(home / "file") in said


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_that_is_read_only_ends_the_run(home: Path, *, made: bool) -> None:
    folder = home / "var"
    if made:
        folder.mkdir(mode=0o555)
        folder.chmod(0o555)
    else:
        home.chmod(0o555)
    code, said = told_to_an_ordinary_user(*ENTRIES["run"], VAR=str(folder))
    assert code == 1
    assert said == f"parlour: {folder}: Permission denied" or (
        said.startswith(f"parlour: {folder}") and said.endswith("Permission denied")
    )


def test_the_environment_and_make_choose_the_folder(home: Path) -> None:
    (home / "file").write_text("x")
    done = subprocess.run(
        # What is installed is not its subject: it must not be made anew while others run by it.
        ["make", "-s", "-o", ".venv/ready", "run", f"VAR={home}/file/from make"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
        timeout=LONG,
    )
    assert f"{home}/file" in done.stderr
    assert done.returncode


def test_in_process_the_entries_say_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PARLOUR_STORE_URL", "nonsense")
    monkeypatch.setenv("PARLOUR_KEYS", f"k1:{KEY}")
    assert workers.__main__.main(["clock"]) == 2
    assert replay.__main__.main(["show", GAME]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert all("PARLOUR_STORE_URL: must begin with redis://" in line for line in said)
