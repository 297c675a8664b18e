"""Accepting a store that was set back: an epoch begins, and games that lost something are held."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from events.identity import ForeignStoreError, Identities
from events.layout import Layout
from events.tasks import end_tasks
from ops import acceptance
from ops.acceptance import AcceptanceError, Accepted, Reason, accept, see
from ops.store_command import main
from runtime.game_marks import (
    SUFFIX,
    GameMarks,
    GameMarksKeeper,
    known_games,
    read_game_marks,
)
from runtime.mark_files import MarksError, read_marks
from runtime.settings import NO_MARKS, Secret, Settings, environment
from tests.lossy import Lossy
from tests.service.listening import PATIENCE_S
from tests.service.stage import Player, Stage, Still, ok, problem, settings_for, stage
from workers.host import Host

pytestmark = pytest.mark.system


def settings(lossy: Lossy, **more: Any) -> Settings:
    return settings_for(lossy.store.url, **{"marks": str(lossy.home / "marks")} | more)


@asynccontextmanager
async def there(lossy: Lossy) -> AsyncIterator[Stage]:
    """A service that keeps marks, and what the clock keeps of the games."""
    host = Host(settings(lossy), kind="clock")
    await host.watch.begin()
    assert host.watch.path is not None
    path = host.watch.path.with_suffix(SUFFIX)
    games = asyncio.create_task(GameMarksKeeper(host.log, path).run())
    watch = asyncio.create_task(host.watch.run())
    try:
        async with stage(lossy.store.url, Still(), marks=str(lossy.home / "marks")) as on:
            yield on
    finally:
        await end_tasks(games, watch)
        await host.close()


async def marked(lossy: Lossy, game: str, version: int) -> None:
    """Wait until the clock has written down how far a game had come."""
    async with asyncio.timeout(PATIENCE_S):
        while _known(lossy).get(game, 0) < version:  # noqa: ASYNC110 (a file tells nobody)
            await asyncio.sleep(0.02)


def _known(lossy: Lossy) -> dict[str, int]:
    marks = read_marks(lossy.home / "marks")
    name = "" if marks is None else f"{marks.store}:{marks.epoch}"
    return known_games(lossy.home / "marks", name)


class Play:
    """Two games that have begun, of one host; the first has lost what came after a backup."""

    def __init__(self, ada: Player, director: Player, lost: str, whole: str) -> None:
        self.ada, self.director, self.lost, self.whole = ada, director, lost, whole
        self.known = 0

    def at(self, on: Stage, director: Player | None = None) -> Player:
        """The host's, or the director's, client of another service."""
        who = director or self.ada
        return Player(on.http, who.token, who.id)


async def set_back(lossy: Lossy) -> Play:
    """Play on after a backup, and restore that backup."""
    async with there(lossy) as on:
        ada = await on.player("Ada")
        director = await on.with_scopes(ada, "organise")
        play = Play(ada, director, await on.game(ada, mode="solo"), await on.game(ada, mode="solo"))
    lossy.mark()
    async with there(lossy) as on:
        director = play.at(on, play.director)
        for _ in range(3):
            ok(await director.post(f"/v1/games/{play.lost}/pause", {}))
            play.known = ok(await director.post(f"/v1/games/{play.lost}/resume"))["version"]
        await marked(lossy, play.lost, play.known)
    lossy.lose()
    return play


async def test_the_whole_way_of_a_restored_backup(lossy: Lossy) -> None:
    play = await set_back(lossy)
    async with there(lossy) as on:
        ada, director = play.at(on), play.at(on, play.director)
        choice = {"option": "r1c2"}
        problem(await ada.post(f"/v1/games/{play.whole}/decisions/clue-s1", choice), "store-behind")
        problem(await ada.get(f"/v1/games/{play.lost}/head"), "store-behind")
        kept = ok(await ada.get(f"/v1/games/{play.lost}"))["version"]
        assert kept < play.known
        done = await accept(settings(lossy), Reason.BACKUP_RESTORED, "Ada of the house")
        assert (done.held, done.gone, done.unreadable) == ((play.lost,), (), ())
        await on.service.app_context.watch.look()
        ok(await ada.post(f"/v1/games/{play.whole}/decisions/clue-s1", choice))
        path = f"/v1/games/{play.lost}"
        problem(await ada.post(f"{path}/decisions/clue-s1", choice), "game-held")
        events = ok(await on.stranger.get(f"{path}/events", after=kept))["events"]
        assert [line["event"]["type"] for line in events] == ["store-restored"]
        assert events[0]["event"]["from_version"] == play.known
        assert events[0]["event"]["to_version"] == kept
        note = ok(await ada.get(f"{path}/head"))["note"].split("\n")
        assert note[7] == "2"
        ok(await director.post(f"{path}/resume"))
        ok(await ada.post(f"{path}/decisions/clue-s1", choice))


async def test_not_accepted_nothing_is_held(lossy: Lossy) -> None:
    """The control: without marks nobody would know."""
    play = await set_back(lossy)
    async with stage(lossy.store.url, Still(), marks=NO_MARKS) as on:
        ada = play.at(on)
        path = f"/v1/games/{play.lost}/decisions/clue-s1"
        ok(await ada.post(path, {"option": "r1c2"}))


async def test_a_second_acceptance_holds_nothing_twice(lossy: Lossy) -> None:
    play = await set_back(lossy)
    first = await accept(settings(lossy), Reason.BACKUP_RESTORED, "x")
    second = await accept(settings(lossy), Reason.TAIL_LOST, "y")
    assert (first.held, second.held) == ((play.lost,), ())
    assert (first.identity.epoch, second.identity.epoch) == (2, 3)
    assert first.identity.store == second.identity.store
    seen = await see(settings(lossy), [])
    assert seen.stand.identity == second.identity


async def test_an_acceptance_that_was_interrupted_is_taken_up(
    lossy: Lossy, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = await set_back(lossy)

    async def die(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Identities, "accept", die)
        with pytest.raises(KeyboardInterrupt):
            await accept(settings(lossy), Reason.BACKUP_RESTORED, "x")
    done = await accept(settings(lossy), Reason.BACKUP_RESTORED, "x")
    assert (done.held, done.identity.epoch) == ((play.lost,), 2)
    async with there(lossy) as on:
        events = ok(await on.stranger.get(f"/v1/games/{play.lost}/events", limit=1000))["events"]
        types = [line["event"]["type"] for line in events]
        assert types.count("store-restored") == 1


async def test_an_empty_store_takes_the_place_of_the_known_one(lossy: Lossy) -> None:
    play = await set_back(lossy)
    known = read_marks(lossy.home / "marks")
    assert known is not None
    lossy.empty()
    done = await accept(settings(lossy), Reason.STORE_REPLACED, "x")
    assert set(done.gone) == {play.lost, play.whole}
    assert (done.identity.store, done.identity.epoch) == (known.store, 2)
    async with there(lossy) as on:
        ok(await on.stranger.post("/v1/players", {"name": "Ben"}), 201)


async def test_a_game_that_nobody_can_read_is_told(lossy: Lossy) -> None:
    play = await set_back(lossy)
    with redis.Redis.from_url(lossy.store.admin_url) as client:
        (entries,) = client.keys(f"*g:{play.lost}:e")
        client.xtrim(entries, maxlen=1, approximate=False)
    done = await accept(settings(lossy), Reason.BACKUP_RESTORED, "x")
    assert done.unreadable == (play.lost,)


async def test_a_store_from_before_is_adopted(lossy: Lossy) -> None:
    async with there(lossy) as on:
        ok(await on.stranger.post("/v1/players", {"name": "Ben"}), 201)
    with redis.Redis.from_url(lossy.store.admin_url) as client:
        for key in client.keys("*}:store"):
            client.delete(key)
        client.xadd(feed := Layout(4).feed(3), {"g": "x"}, "1000-0")
        for others in ({"shards": 2}, {"shard_tags": "spread"}):
            with pytest.raises(ForeignStoreError, match="shards that the settings do not know"):
                await accept(settings(lossy, **others), Reason.ADOPTED, "x")
        client.xdel(feed, "1000-0")
    shutil.rmtree(lossy.home / "marks")
    with pytest.raises(ForeignStoreError, match="--reason adopted"):
        async with _host(lossy):
            pass
    await accept(settings(lossy), Reason.ADOPTED, "x")
    async with there(lossy) as on:
        ok(await on.stranger.post("/v1/players", {"name": "Cleo"}), 201)


@asynccontextmanager
async def _host(lossy: Lossy, **more: Any) -> AsyncIterator[Host]:
    host = Host(settings(lossy, **more), kind="clock")
    try:
        await host.watch.begin()
        yield host
    finally:
        await host.close()


async def test_a_clock_that_has_lost_its_marks_does_not_guess(lossy: Lossy) -> None:
    async with there(lossy) as on:
        ok(await on.stranger.post("/v1/players", {"name": "Ben"}), 201)
    shutil.rmtree(lossy.home / "marks")
    async with _host(lossy) as host:
        assert not host.watch.may_write
        await accept(settings(lossy), Reason.MARKS_LOST, "x")
        await host.watch.look()
        assert host.watch.may_write


async def test_shards_are_added_and_never_taken_away(lossy: Lossy) -> None:
    async with there(lossy) as on:
        ok(await on.stranger.post("/v1/players", {"name": "Ben"}), 201)
    with pytest.raises(AcceptanceError, match="never fewer"):
        await accept(settings(lossy, shards=2), Reason.SHARDS_ADDED, "x")
    with pytest.raises(AcceptanceError, match="have banded tags, and the settings say spread"):
        await accept(settings(lossy, shard_tags="spread"), Reason.SHARDS_ADDED, "x")
    done = await accept(settings(lossy, shards=8), Reason.SHARDS_ADDED, "x")
    assert done.identity.shards == 8
    async with _host(lossy, shards=8) as host:
        assert host.watch.may_write


async def test_another_secret_is_accepted_for_a_reason(lossy: Lossy) -> None:
    async with there(lossy):
        pass
    keys = {"k1": Secret(b"2" * 32)}
    await accept(settings(lossy, keys=keys), Reason.KEYS_REPLACED, "x")
    async with _host(lossy, keys=keys) as host:
        assert host.watch.may_write


async def test_two_at_once_begin_one_epoch(lossy: Lossy, monkeypatch: pytest.MonkeyPatch) -> None:
    async with there(lossy):
        pass
    hold_all = acceptance._hold_all

    async def after_another(*given: Any) -> Accepted:
        monkeypatch.setattr(acceptance, "_hold_all", hold_all)
        await accept(settings(lossy), Reason.TAIL_LOST, "the other")
        return await hold_all(*given)

    monkeypatch.setattr(acceptance, "_hold_all", after_another)
    with pytest.raises(AcceptanceError, match="another epoch"):
        await accept(settings(lossy), Reason.TAIL_LOST, "x")
    seen = await see(settings(lossy), [])
    assert seen.stand.identity is not None
    assert seen.stand.identity.epoch == 2


# --- the command ---


async def test_the_command_tells_and_accepts(
    lossy: Lossy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play = await set_back(lossy)
    for name, text in environment(settings(lossy)).items():
        monkeypatch.setenv(name, text)

    async def run(*arguments: str) -> tuple[int, str, str]:
        code = await asyncio.to_thread(main, arguments)
        said = capsys.readouterr()
        return code, said.out, said.err

    code, out, _ = await run("show")
    assert code == 0
    assert "the store has lost a part" in out
    assert "founded, by clock" in out
    code, out, _ = await run("accept", "--reason", "backup-restored", "--by", "Ada")
    assert code == 0
    assert f"held      1 games\n          {play.lost}\n" in out
    code, out, _ = await run("show")
    assert "epoch 2" in out
    assert "nothing is missing" in out
    assert "backup-restored, by Ada" in out
    assert "1" * 32 not in out
    lossy.store.stop()
    code, _, err = await run("show")
    assert code == 1
    assert err.startswith("parlour: ")
    assert err.count("\n") == 1
    lossy.store.start()


@pytest.mark.parametrize("arguments", [["accept"], ["accept", "--reason", "because"], []])
def test_an_epoch_needs_a_reason(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_a_folder_that_is_none_of_make_run_has_no_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "--var", str(tmp_path)]) == 1
    assert "is no folder of make run" in capsys.readouterr().err


# --- what the clock keeps of the games ---


def test_games_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "clock-1.games"
    assert read_game_marks(path) is None
    marks = GameMarks("a:1")
    marks.note("g00-a", 3)
    marks.note("g01-b", 9)
    marks.reached[1] = 7
    path.write_text(marks.lines() + "g00-a 5\ng00-c 1")
    found = read_game_marks(path)
    assert found is not None
    assert (found.name, dict(found.versions.items()), found.reached) == (
        "a:1",
        {"g00-a": 5, "g01-b": 9},
        {1: 7},
    )
    assert known_games(tmp_path, "a:1") == {"g00-a": 5, "g01-b": 9}
    assert known_games(tmp_path, "a:2") == {}


@pytest.mark.parametrize("text", ["", "x\n", "parlour/game-marks/1 a:1\ng00-a many\n"])
def test_what_is_no_such_file_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "clock-1.games"
    path.write_text(text)
    with pytest.raises(MarksError, match="is damaged"):
        read_game_marks(path)


def test_of_too_many_games_those_that_moved_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.game_marks.KEPT", 2)
    marks = GameMarks("a:1")
    for game, version in (("g00-a", 1), ("g00-b", 1), ("g00-a", 2), ("g00-c", 1)):
        marks.note(game, version)
    assert dict(marks.versions.items()) == {"g00-a": 2, "g00-c": 1}


async def test_what_is_written_follows_what_is_played(
    lossy: Lossy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over restarts, and when the file is written anew."""
    monkeypatch.setattr("runtime.game_marks.KEEP_S", 0.01)
    monkeypatch.setattr("runtime.game_marks._SPARE_LINES", 0)
    for _ in range(2):
        async with there(lossy) as on:
            ada = await on.player("Ada")
            director = await on.with_scopes(ada, "organise")
            game = await on.game(ada, mode="solo")
            for _ in range(6):
                ok(await director.post(f"/v1/games/{game}/pause", {}))
                version = ok(await director.post(f"/v1/games/{game}/resume"))["version"]
                await marked(lossy, game, version)
    assert len(_known(lossy)) == 2
