"""The service's user in a store may do what the code does, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.exceptions import NoPermissionError

from events import rights
from events.reach import UnfitStoreError, require_store
from events.rights import BACKUP, LOG, SCRIPTS, USER, right, rules, trials
from events.rights import rights as names_of
from ops.store_command import main
from runtime.embedded.store import Store

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["club", "events", "ops", "projections", "replay", "runtime", "service", "workers"]
CALLED = re.compile(r"redis\.p?call\(\s*['\"]([A-Z]+)['\"]")
KEY = "{s000z}:m"
"""A key of the first shard."""


def code(*endings: str) -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in endings and path.name != "rights.py":
                yield path.read_text()


def called() -> set[str]:
    """What the scripts call, wherever they are written."""
    return {name.lower() for text in code(".lua", ".py") for name in CALLED.findall(text)}


@pytest.fixture
def limited(store: Store, store_url: str) -> Iterator[redis.Redis]:
    """A client of the service's user."""
    del store_url  # it empties the store
    with redis.Redis.from_url(store.url) as client:
        yield client


def test_scripts_may_call_what_they_call_and_nothing_else() -> None:
    assert called() == names_of(SCRIPTS)


@pytest.mark.parametrize("call", LOG + BACKUP)
def test_no_right_is_idle(call: str) -> None:
    """The code says each as a word of its own, or by the name of a method of redis-py."""
    word = right(call).partition("|")[0]
    said = re.compile(rf"[\"'b]{word}\b|\.{word}(_iter)?\(|b\"{word}\"", re.IGNORECASE)
    assert any(said.search(text) for text in code(".py", ".lua")), word


def test_the_users_rights_are_these(store: Store, limited: redis.Redis) -> None:
    assert limited.execute_command("ACL WHOAMI") == USER
    with redis.Redis.from_url(store.admin_url, decode_responses=True) as admin:
        seen = admin.acl_getuser(USER)
    assert seen["keys"] == [each for each in rules() if each.startswith("~")]
    assert seen["channels"] == [each for each in rules() if each.startswith("&")]
    assert sorted(seen["commands"]) == sorted(each for each in rules() if each[0] == "+")


@pytest.mark.parametrize(
    "words",
    [
        "FLUSHALL",
        "FLUSHDB",
        "KEYS *",
        "CONFIG SET maxmemory 0",
        "CONFIG REWRITE",
        "SHUTDOWN",
        "SCRIPT FLUSH",
        "FUNCTION FLUSH",
        "ACL SETUSER parlour +@all",
        "CLIENT KILL TYPE normal",
        "REPLICAOF NO ONE",
        "MONITOR",
        f"XDEL {KEY} 1-0",
        f"XTRIM {KEY} MAXLEN 0",
        f"XSETID {KEY} 1-0",
        f"RENAME {KEY} {KEY}",
        f"COPY {KEY} {KEY}",
        f"DUMP {KEY}",
        f"RESTORE {KEY} 0 x",
        "GET elsewhere",
        "GET rq{s000z}",
        "SPUBLISH elsewhere x",
    ],
)
def test_what_nobody_here_does_is_denied(limited: redis.Redis, words: str) -> None:
    with pytest.raises(NoPermissionError):
        limited.execute_command(*words.split())


@pytest.mark.parametrize("words", [f"XTRIM {KEY} MAXLEN 0", f"LRANGE {KEY} 0 1"])
def test_the_rights_of_the_queue_end_at_its_keys(limited: redis.Redis, words: str) -> None:
    verb, _, *more = words.split()
    limited.execute_command(verb, "rq:queue", *more)
    with pytest.raises(NoPermissionError):
        limited.execute_command(*words.split())


async def test_who_has_the_rights_is_let_in(store: Store, store_url: str) -> None:
    await require_store(store_url, KEY)
    await require_store(store.admin_url, KEY)


@pytest.mark.parametrize("name", sorted(dict(trials(KEY))))
async def test_a_right_that_is_missing_is_named(store: Store, name: str) -> None:
    user = f"less-{name.replace('|', '-')}"
    said = [*rules(), f"-{name}"]
    with redis.Redis.from_url(store.admin_url) as admin:
        admin.execute_command("ACL", "SETUSER", user, "on", "nopass", *said[:-2], said[-1])
        try:
            with pytest.raises(UnfitStoreError, match=rf"no right to {re.escape(name)} in keys"):
                await require_store(f"unix://{user}@{store.path}", KEY)
        finally:
            admin.execute_command("ACL", "DELUSER", user)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("-acl|dryrun", r"acl\|dryrun, acl\|whoami"),
        ("resetkeys", "del, .*zscore"),
        ("resetchannels", "spublish, ssubscribe"),
    ],
)
async def test_a_user_of_other_keys_is_refused(store: Store, said: str, named: str) -> None:
    with redis.Redis.from_url(store.admin_url) as admin:
        admin.execute_command("ACL", "SETUSER", "less", "on", "nopass", *rules()[:-1], said)
        try:
            with pytest.raises(UnfitStoreError, match=named):
                await require_store(f"unix://less@{store.path}", KEY)
        finally:
            admin.execute_command("ACL", "DELUSER", "less")


def test_a_line_of_an_acl_file_names_its_keys() -> None:
    line = rights.line("ann", "resetpass", "club:")
    assert line.startswith("user ann on resetpass resetkeys resetchannels -@all ~club:{s*}:* ")
    assert " &club:{s*}:* " in line


def test_the_command_prints_the_user_of_either_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rights", "--user", "ann", "--prefix", "club:"]) == 0
    assert capsys.readouterr().out == rights.line("ann", "resetpass", "club:") + "\n"
    assert main(["rights", "--user", "watcher", "--part", "sentinel"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("user watcher on resetpass resetkeys allchannels -@all +client|kill ")
    assert not {"+get", "+xrange", "+xadd", "+set", "+config|get"} & set(said.split())
