"""The simulated append contract: it holds, the same seed is the same run, and no guard is idle."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
import structlog

from events import skew
from simulator import append_simulation
from simulator.append_simulation import SOMETIMES, SeedResult, main, simulate
from simulator.appends.guards import Guards
from simulator.appends.machines import StorePair
from simulator.appends.model import words_of
from simulator.appends.network import Network
from simulator.appends.process import LAYOUT, SHARDS, STORE, LedgerService
from simulator.appends.store_checks import STORE_CHECKS
from simulator.appends.trial import PROGRESS, RUN_CHECKS, SETTINGS, run_trial
from simulator.appends.virtual_time import run_virtually
from simulator.deadline_history import DEADLINE_CHECKS
from simulator.delivery_history import DELIVERY_CHECKS
from simulator.feed_history import EARLY, FEED_CHECKS
from simulator.history import CHECKS, Violation
from tests.conftest import Sometimes
from tests.simulator import pinned

ROOT = Path(__file__).parents[3]
SHARE = 36
"""Seeds that always run: twelve of each setting, about five seconds."""

FOUND_BY = {
    "remembers_commands": "doubled",
    "compares_versions": "chain",
    "compares_heads": "chain",
    "compares_stores": "writer",
    "compares_links": "untold",
    "writes_whole_batches": "versions",
    "syncs_before_answers": "lost",
    "waits_for_replicas": "lost",
    "hides_unreplicated": "vanished",
    "measures_clocks": "time",
    "watches_the_store": "untold",
}
"""For each guard the check that fails without it."""

DOUBLES = 19
"""A seed that breaks without ``remembers_commands``."""

WATCHED_S = 3
"""Virtual seconds in which a store is looked at more than once."""

SEEDS = 150
"""Without a guard one of so many breaks; ``shown_in.json`` knows which."""


@pytest.fixture(autouse=True)
def own_logs() -> Iterator[None]:
    """The command silences all logs, and others of this process have something to say."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@cache
def run_of(seed: int) -> SeedResult:
    """A run under all guards; several tests look at the same ones."""
    (result,) = simulate([seed])
    return result


def test_what_was_promised_holds_whatever_fails(sometimes: Sometimes) -> None:
    counts: Counter[str] = Counter()
    settings = set()
    for result in map(run_of, range(SHARE)):
        assert result.violations == [], f"seed {result.seed}"
        counts.update(result.counts)
        settings.add(result.setting)
    assert settings == {setting.name for setting in SETTINGS}
    rare = {
        "feed broken",
        "history rewritten",
        "answered behind",
        "told StoreBehind",
        "losses accepted",
    }
    for what in SOMETIMES:
        if what not in rare:
            sometimes(what, counts[what])


@pytest.mark.nightly
def test_what_was_promised_holds_in_many_runs() -> None:
    assert main(["--first", "1000", "--seeds", "1500", "--processes", "2"]) == 0


@pytest.mark.parametrize("guard", Guards.__struct_fields__)
def test_without_a_guard_it_does_not(guard: str) -> None:
    seed = breaks(guard, FOUND_BY[guard])
    assert run_of(seed).violations == []


def test_who_is_told_of_what_no_replica_has_is_found() -> None:
    breaks("hides_unreplicated", EARLY)


def breaks(guard: str, check: str) -> int:
    """A seed whose run fails this check without the guard."""
    off = Guards(**{guard: False})
    tried = []

    def judge(seed: int) -> str:
        tried.append(seed)
        return check if any(each.check == check for each in run_trial(seed, off).violations) else ""

    assert pinned.complaint(check, range(SEEDS), judge) == check
    return tried[-1]


def test_a_store_whose_clock_is_right_again_is_written_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In this run a process measured just before the store's clock jumped back."""
    seed = 95659867
    assert run_trial(seed).violations == []
    monkeypatch.setattr(skew, "IN_DOUBT_S", skew.MEASURE_S)
    assert [each.check for each in run_trial(seed).violations] == [PROGRESS]


def test_a_machine_that_was_deposed_vouches_for_nothing() -> None:
    """What lies on its disk is another log, however long that is."""
    guards = Guards()

    async def with_the_replica() -> tuple[int, int]:
        pair = StorePair(Random(1), guards, Counter(), replicated=True)
        pair.link(up=False)
        words = words_of(["HSET", "key", "field", "value"])
        for _ in range(2):
            pair.execute(pair.primary, words)
        pair.fail_over(from_disk=True)
        pair.execute(pair.primary, words)
        before = await pair.replicas_with(pair.primary, 1, 0.1)
        pair.rejoin()
        return before, await pair.replicas_with(pair.primary, 1, 0.1)

    assert run_virtually(with_the_replica()) == (0, 1)


def test_the_same_seed_is_the_same_run_in_any_process() -> None:
    """Two interpreters that hash texts differently."""
    said = []
    for salt in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "simulator.append_simulation", "--only", "7"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            check=True,
            text=True,
        )
        said.append(done.stdout)
    assert said[0] == said[1]
    assert "accepted 1 to 1" in said[0]


@pytest.mark.parametrize("watches", [True, False])
def test_a_shard_whose_name_a_failover_has_lost_is_named_again(*, watches: bool) -> None:
    guards = Guards(watches_the_store=watches)

    async def name_after_a_while() -> object:
        counts: Counter[str] = Counter()
        pair = StorePair(Random(1), guards, counts, replicated=False)
        said = ("store", STORE, "epoch", "1", "shards", str(SHARDS))
        pair.execute(pair.primary, words_of(["HSET", LAYOUT.identity(), *said]))
        service = LedgerService("s0", Network(pair, Random(2), counts), guards, "local", counts)
        service.start()
        await asyncio.sleep(WATCHED_S)
        return pair.primary.store.run(words_of(["HGET", LAYOUT.meta(1), "store"]), 0)

    assert run_virtually(name_after_a_while()) == (f"{STORE}:1".encode() if watches else None)


def test_no_check_has_two_names() -> None:
    told = (*FEED_CHECKS, *DELIVERY_CHECKS, *DEADLINE_CHECKS)
    names = [*CHECKS, *STORE_CHECKS, *RUN_CHECKS, *told]
    assert len(names) == len(set(names))


def test_a_broken_run_is_told_with_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", str(DOUBLES), "--without", "remembers_commands"]) == 1
    said = capsys.readouterr()
    assert f"seed {DOUBLES}: " in said.out
    assert said.err.startswith(f"{FOUND_BY['remembers_commands']}: ")


def test_what_never_happened_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def one(seed: int) -> SeedResult:
        broken = [Violation("lost", "g00-a", "it is nowhere")] if seed == 3 else []
        return SeedResult(seed, "one machine", broken, dict.fromkeys(SOMETIMES[1:], 1))

    monkeypatch.setattr(append_simulation, "_result", one)
    monkeypatch.setattr(append_simulation, "ENOUGH", 2)
    assert main(["--seeds", "1", "--first", "1", "--processes", "1"]) == 0
    assert main(["--seeds", "2", "--first", "1", "--processes", "1"]) == 1
    assert f"NEVER: {SOMETIMES[0]}" in capsys.readouterr().err
    assert main(["--seeds", "1", "--first", "3", "--processes", "1"]) == 1
    assert "BROKEN by seed 3: lost: g00-a: it is nowhere" in capsys.readouterr().err
