"""What the supervisor itself knows of its store."""

from __future__ import annotations

import asyncio
import shutil

import redis
import structlog

from ops.witness import Witness
from runtime.mark_files import read_marks
from runtime.settings import NO_MARKS, Settings
from runtime.store_watch import found_store
from tests.lossy import Lossy
from tests.service.stage import Still, ok, settings_for, stage


def settings(lossy: Lossy, marks: str = "marks") -> Settings:
    folder = marks if marks == NO_MARKS else str(lossy.home / marks)
    return settings_for(lossy.store.url, marks=folder)


def play(lossy: Lossy) -> None:
    """Somebody registers, at a service that keeps marks beside the supervisor's."""

    async def register() -> None:
        folder = str(lossy.home / "marks")
        await found_store(settings(lossy))
        async with stage(lossy.store.url, Still(), marks=folder) as on:
            ok(await on.stranger.post("/v1/players", {"name": "Ada"}), 201)

    asyncio.run(register())


def test_it_keeps_what_it_sees(lossy: Lossy) -> None:
    witness = Witness(settings(lossy))
    witness.look()  # the store has no name yet, and it gives none
    assert read_marks(lossy.home / "marks") is None
    play(lossy)
    kept = (lossy.home / "marks" / "api-1.json").read_bytes()
    witness.look()
    assert (lossy.home / "marks" / "supervisor-1.json").read_bytes() == kept
    witness.close()


def test_a_store_that_was_set_back_is_told_of_once(lossy: Lossy) -> None:
    witness = Witness(settings(lossy))
    lossy.mark()
    play(lossy)
    witness.look()
    lossy.lose()
    with structlog.testing.capture_logs() as lines:
        witness.look()
        witness.look()
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["store_behind"]
    with redis.Redis.from_url(lossy.store.admin_url) as client:
        assert not [key for key in client.keys("*") if key.endswith(b"}:store")]
    witness.close()


def test_a_store_that_does_not_answer_is_waited_for(lossy: Lossy) -> None:
    witness = Witness(settings(lossy))
    play(lossy)
    lossy.store.stop()
    with structlog.testing.capture_logs() as lines:
        witness.look()
    assert [line["log_level"] for line in lines] == ["debug"]
    lossy.store.start()
    witness.close()


def test_where_nobody_looks_nothing_is_kept(lossy: Lossy) -> None:
    witness = Witness(settings(lossy, NO_MARKS))
    play(lossy)
    shutil.rmtree(lossy.home / "marks")
    witness.look()
    witness.close()
    assert not (lossy.home / "marks").exists()
