"""A service whose store is set back, emptied or forked, with a journal: nothing is lost unseen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from events.log import StreamLog
from events.tasks import end_tasks
from ops.acceptance import Reason, accept
from ops.journal_command import main, show
from replay.store_audit import StoreAudit
from runtime.journal.healing import kept_aside
from runtime.journal.segments import JournalError
from runtime.settings import NO_MARKS, Settings, environment
from tests.conftest import Sometimes
from tests.lossy import Lossy
from tests.service.listening import PATIENCE_S
from tests.service.stage import Player, Stage, Still, fresh, ok, problem, settings_for, stage
from tests.workers.shipping import ship_all, shipper
from workers.host import Host

pytestmark = pytest.mark.system


def more(lossy: Lossy, **others: Any) -> dict[str, Any]:
    """The settings that concern marks and the journal."""
    folders = {"marks": str(lossy.home / "marks"), "journal": str(lossy.home / "journal")}
    return folders | others


def settings(lossy: Lossy, **others: Any) -> Settings:
    return settings_for(lossy.store.url, **more(lossy, **others))


@asynccontextmanager
async def there(lossy: Lossy, **others: Any) -> AsyncIterator[Stage]:
    """A service, and the clock's watch, which names the store and tells others of its marks."""
    host = Host(settings(lossy, **others), kind="clock")
    await host.watch.begin()
    watch = asyncio.create_task(host.watch.run())
    try:
        async with stage(lossy.store.url, Still(), **more(lossy, **others)) as on:
            yield on
    finally:
        await end_tasks(watch)
        await host.close()


async def ship(lossy: Lossy) -> None:
    """Let the journal have all that the store has."""
    async with shipper(lossy.store.url, lossy.home / "journal") as made:
        await ship_all(made)


class Play:
    """Two games of one host, who directs them too."""

    def __init__(self, ada: Player, director: Player, one: str, two: str) -> None:
        self.ada, self.director, self.one, self.two = ada, director, one, two

    def at(self, on: Stage) -> Play:
        """The same, as clients of another service."""
        ada, director = (Player(on.http, p.token, p.id) for p in (self.ada, self.director))
        return Play(ada, director, self.one, self.two)

    async def toggle(self, game: str, times: int = 1) -> int:
        """Pause and resume a game; the version that it then has."""
        version = 0
        for _ in range(times):
            ok(await self.director.post(f"/v1/games/{game}/pause", {}))
            version = ok(await self.director.post(f"/v1/games/{game}/resume"))["version"]
        return version


def forget_all(log: StreamLog) -> None:
    """Let a process have nothing that it could put back itself."""
    kept = log.unshipped
    assert kept is not None
    for shard in kept.shards:
        kept.forget(shard, 1 << 40)


async def begun(on: Stage) -> Play:
    ada = await on.player("Ada")
    director = await on.with_scopes(ada, "organise")
    one, two = [await on.game(ada, mode="solo") for _ in range(2)]
    return Play(ada, director, one, two)


async def may_write(on: Stage) -> None:
    """Wait until the service knows its store again."""
    async with asyncio.timeout(PATIENCE_S):
        while not on.service.app_context.watch.may_write:  # noqa: ASYNC110 (nobody is told)
            await asyncio.sleep(0.02)


async def is_behind(on: Stage) -> None:
    """Wait until the service has seen that its store has lost something."""
    async with asyncio.timeout(PATIENCE_S):
        while on.service.app_context.watch.may_write:  # noqa: ASYNC110 (nobody is told)
            await asyncio.sleep(0.02)


async def version_of(game: str, reader: Player) -> int:
    """How far a game has come as it is shown now; 0 while the store does not answer."""
    answer = await reader.get(f"/v1/games/{game}")
    return 0 if answer.is_server_error else int(ok(answer)["version"])


@pytest.mark.parametrize("who", ["the shipper", "the service"])
async def test_a_store_that_was_set_back_is_healed_to_the_acknowledged_head(
    lossy: Lossy, who: str, sometimes: Sometimes
) -> None:
    async with there(lossy) as on:
        play = await begun(on)
        await play.toggle(play.one)
        lossy.mark()
        await may_write(on)
        key, path = fresh(), f"/v1/games/{play.one}"
        receipt = ok(await play.director.post(f"{path}/pause", {}, key=key))
        known = await play.toggle(play.two, 3)
        head = ok(await play.ada.get(f"/v1/games/{play.two}/head"))
        if who == "the shipper":
            await ship(lossy)
            forget_all(on.service.app_context.tables.log)
        sometimes("bytes lost with the tail", lossy.lose())
        if who == "the shipper":
            await ship(lossy)
        async with asyncio.timeout(PATIENCE_S):
            while await version_of(play.two, play.ada) < known:  # noqa: ASYNC110 (nobody is told)
                await asyncio.sleep(0.02)
        await may_write(on)
        assert ok(await play.ada.get(f"/v1/games/{play.two}/head"))["head"] == head["head"]
        again = ok(await play.director.post(f"{path}/pause", {}, key=key))
        assert again == receipt, "a repeated command has its first answer"
        ok(await play.director.post(f"{path}/resume"))


async def test_without_a_journal_it_stays_set_back(lossy: Lossy) -> None:
    """The control of the test above."""
    async with there(lossy, journal="") as on:
        play = await begun(on)
        lossy.mark()
        await may_write(on)
        known = await play.toggle(play.two)
        lossy.lose()
        await is_behind(on)
        for _ in range(3):
            await on.service.app_context.watch.look()
        assert not on.service.app_context.watch.may_write
        assert ok(await play.ada.get(f"/v1/games/{play.two}"))["version"] < known


async def faults(lossy: Lossy) -> list[str]:
    """What an audit of the whole store finds, but for lists, which no clock follows here."""
    found = [fault.line() async for fault in StoreAudit(settings(lossy), timeout_s=0.0).faults()]
    return [line for line in found if not line.startswith("lists ")]


async def forked(lossy: Lossy, *, ships: bool = True) -> tuple[Play, int, int]:
    """The store loses a tail of both games, and one goes on otherwise, even farther.

    Returns the play, the version acknowledged of the first game, and that of the second.
    """
    async with there(lossy) as on:
        play = await begun(on)
        await ship(lossy)
    lossy.mark()
    async with there(lossy) as on:
        here = play.at(on)
        one, two = await here.toggle(play.one), await here.toggle(play.two)
        if ships:
            await ship(lossy)
    lossy.lose()
    async with stage(lossy.store.url, Still(), marks=NO_MARKS) as careless:
        await play.at(careless).toggle(play.one, 3)
    return play, one, two


async def test_a_fork_is_held_and_all_else_put_back_until_an_operator_decides(
    lossy: Lossy,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    sometimes: Sometimes,
) -> None:
    play, known, two = await forked(lossy)
    async with there(lossy) as on:
        await is_behind(on)
        here = play.at(on)
        problem(await here.director.post(f"/v1/games/{play.two}/pause", {}), "store-behind")
        done = await accept(settings(lossy), Reason.TAIL_LOST, "Ada of the house")
        assert (done.held, done.forked, done.gone) == ((play.one,), (play.one,), ())
        assert done.put_back == 2
        sometimes("forks that are held", len(done.forked))
        await on.service.app_context.watch.look()
        assert ok(await here.ada.get(f"/v1/games/{play.two}"))["version"] == two
        await here.toggle(play.two)
        path = f"/v1/games/{play.one}"
        problem(await here.ada.post(f"{path}/decisions/clue-s1", {"option": "r1c2"}), "game-held")
        events = ok(await here.ada.get(f"{path}/events", limit=1000))["events"]
        held = events[-1]["event"]
        assert held["type"] == "store-restored"
        assert (held["from_version"], held["epoch"]) == (known, 2)
        common = held["to_version"]
        assert common < known < events[-1]["v"], "the store's branch had come farther"
        for name, text in environment(settings(lossy)).items():
            monkeypatch.setenv(name, text)
        assert await asyncio.to_thread(main, ["decide", play.one, "--outcome", "go-on"]) == 0
        assert "go-on, at version" in capsys.readouterr().out
        events = ok(await here.ada.get(f"{path}/events", limit=1000))["events"]
        assert events[-1]["event"]["type"] == "table-resumed"
        ok(await here.ada.post(f"{path}/decisions/clue-s1", {"option": "r1c2"}))
        assert await asyncio.to_thread(main, ["decide", play.one, "--outcome", "annul"]) == 1
        assert "is not held" in capsys.readouterr().err
        assert await faults(lossy) == []
        # The journal goes on from where both had been one.
        await ship(lossy)
        assert all("0 are to be shipped" in line for line in (await show(settings(lossy)))[1:-1])


async def test_the_branch_of_the_journal_may_be_chosen(
    lossy: Lossy,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    sometimes: Sometimes,
) -> None:
    """Whoever has a receipt of the other branch is told, too: by a hold in the game's log."""
    async with there(lossy) as on:
        play = await begun(on)
        await ship(lossy)
    lossy.mark()
    async with there(lossy) as on:
        here = play.at(on)
        key, path = fresh(), f"/v1/games/{play.one}"
        receipt = ok(await here.director.post(f"{path}/pause", {}, key=key))
        ok(await here.director.post(f"{path}/resume"))
        head = ok(await here.ada.get(f"{path}/head"))
        await ship(lossy)
    lossy.lose()
    async with stage(lossy.store.url, Still(), marks=NO_MARKS) as careless:
        others = play.at(careless)
        newer, two = await others.toggle(play.one, 3), await others.toggle(play.two)
        late = await careless.game(others.ada, mode="solo")
    for name, text in environment(settings(lossy)).items():
        monkeypatch.setenv(name, text)
    assert await asyncio.to_thread(main, ["show"]) == 0
    told = f"{play.one}: one up to {receipt['version'] - 1}, to {head['version']} in the journal"
    assert f"{told}, to {newer} in the store" in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["choose", play.one, "--by", "Ada"]) == 0
    said = capsys.readouterr().out
    assert "chosen    the journal's branch" in said
    assert f"forked    1 streams\n          {play.one}\n" in said
    sometimes("branches of the journal that were chosen", said.count("chosen "))
    async with there(lossy) as on:
        here = play.at(on)
        events = ok(await here.ada.get(f"{path}/events", limit=1000))["events"]
        held = events[-1]["event"]
        assert (held["type"], held["epoch"]) == ("store-restored", 2)
        assert (held["from_version"], held["to_version"]) == (newer, receipt["version"] - 1)
        assert events[-1]["v"] == head["version"] + 1, "what was acknowledged first goes on"
        assert events[-2]["h"] == head["head"] if "h" in events[-2] else True
        again = ok(await here.director.post(f"{path}/pause", {}, key=key))
        assert again == receipt, "a repeated command has its first answer"
        # What moved on the store's branch alone goes on from there, also what began on it.
        assert ok(await here.ada.get(f"/v1/games/{play.two}"))["version"] == two
        ok(await here.ada.get(f"/v1/games/{late}"))
        assert await asyncio.to_thread(main, ["decide", play.one, "--outcome", "go-on"]) == 0
        await here.toggle(play.one)
        await here.toggle(play.two)
    assert await faults(lossy) == []
    await ship(lossy)
    assert await asyncio.to_thread(main, ["choose", play.one]) == 1
    assert "has one branch" in capsys.readouterr().err
    assert await asyncio.to_thread(main, ["choose", "nonsense"]) == 1
    assert "there is no game nonsense" in capsys.readouterr().err


async def test_what_was_decided_is_not_held_again(lossy: Lossy) -> None:
    play, *_ = await forked(lossy, ships=False)
    assert kept_aside(lossy.home / "journal")
    done = await accept(settings(lossy), Reason.TAIL_LOST, "x")
    assert (done.held, done.forked) == ((play.one,), (play.one,)), "by what was kept aside alone"
    assert kept_aside(lossy.home / "journal") == []
    again = await accept(settings(lossy), Reason.TAIL_LOST, "x")
    assert (again.held, again.forked, again.put_back) == ((), (), 0)


async def test_without_the_journal_a_fork_that_has_come_farther_is_not_seen(lossy: Lossy) -> None:
    """The control of the test above: the numbers of versions alone do not tell branches apart."""
    await forked(lossy)
    done = await accept(settings(lossy, journal=""), Reason.TAIL_LOST, "x")
    assert (done.held, done.forked, done.put_back) == ((), (), 0)


async def test_a_held_game_may_be_annulled(
    lossy: Lossy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play, *_ = await forked(lossy)
    await accept(settings(lossy), Reason.TAIL_LOST, "x")
    for name, text in environment(settings(lossy)).items():
        monkeypatch.setenv(name, text)
    assert await asyncio.to_thread(main, ["decide", play.one, "--outcome", "annul"]) == 0
    async with there(lossy) as on:
        events = ok(await on.stranger.get(f"/v1/games/{play.one}/events", limit=1000))["events"]
        closed = [each["event"] for each in events if each["event"]["type"] == "table-closed"]
        assert [each["reason"] for each in closed] == ["annulled"]
    capsys.readouterr()
    for wrong in ("g00-none", "nonsense"):
        assert await asyncio.to_thread(main, ["decide", wrong, "--outcome", "annul"]) == 1
        assert f"there is no game {wrong}" in capsys.readouterr().err


@pytest.mark.parametrize("marks", ["kept", "lost"])
async def test_a_store_that_was_lost_comes_back_from_the_journal(lossy: Lossy, marks: str) -> None:
    async with there(lossy) as on:
        play = await begun(on)
        versions = [await play.toggle(game) for game in (play.one, play.two)]
        names = ok(await play.ada.get(f"/v1/games/{play.one}"))["names"]
        await ship(lossy)
    lossy.empty()
    others = {} if marks == "kept" else {"marks": str(lossy.home / "new marks")}
    done = await accept(settings(lossy, **others), Reason.STORE_REPLACED, "x")
    assert (done.held, done.gone, done.forked) == ((), (), ())
    assert done.identity.epoch == 2
    assert await faults(lossy) == []
    async with there(lossy, **others) as on:
        here = play.at(on)
        for game, version in zip((play.one, play.two), versions, strict=True):
            assert ok(await here.ada.get(f"/v1/games/{game}"))["version"] == version
            await here.toggle(game)
        await ship(lossy)
        # Names lie beside the log and are in no journal, because they must be erasable.
        account = ok(await here.ada.get(f"/v1/players/{here.ada.id}"))
        assert (account["name"], account["deleted"]) == (None, False)
        shown = ok(await here.ada.get(f"/v1/games/{play.one}"))["names"]
        assert (names["1"]["name"], shown["1"].get("name")) == ("Ada", None)
        assert shown["1"]["deleted"]


async def test_a_lost_store_without_a_journal_is_gone(lossy: Lossy) -> None:
    """The control of the test above."""
    async with there(lossy, journal="") as on:
        await begun(on)
    lossy.empty()
    done = await accept(settings(lossy, journal=""), Reason.STORE_REPLACED, "x")
    assert done.put_back == 0


async def test_the_journal_of_another_store_is_refused(lossy: Lossy) -> None:
    async with there(lossy) as on:
        await begun(on)
        await ship(lossy)
    lossy.empty()
    async with there(lossy, marks=str(lossy.home / "others"), journal="") as on:
        await begun(on)
    with pytest.raises(JournalError, match=r"is of the store .*, and this is"):
        await accept(settings(lossy, marks=str(lossy.home / "others")), Reason.TAIL_LOST, "x")


async def test_the_journal_is_compared_with_the_store(
    lossy: Lossy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in environment(settings(lossy)).items():
        monkeypatch.setenv(name, text)
    async with there(lossy) as on:
        play = await begun(on)
        lossy.mark()
        await may_write(on)
        assert await asyncio.to_thread(main, ["show"]) == 1
        assert "there is no journal in" in capsys.readouterr().err
        await ship(lossy)
        await play.toggle(play.one)
        assert await asyncio.to_thread(main, ["show"]) == 0
        assert "2 are to be shipped" in capsys.readouterr().out
        await ship(lossy)
    lossy.lose()
    assert "the store has lost a part" in "".join(await show(settings(lossy)))
    with pytest.raises(JournalError, match="names no folder"):
        await show(settings(lossy, journal=""))
