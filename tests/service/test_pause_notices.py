"""``GET /v1/stream`` on pauses: who is asked, who hears that one begins or is over, and who not."""

from __future__ import annotations

import pytest

from games.table.pausing import PROPOSAL_STANDS_MS, with_a_say
from runtime import pause_notices
from runtime.pause_notices import NO_PAUSES, PauseCall, PausesTold, RunningPause, pause_news
from tests.service.listening import Listener, Message, listen
from tests.service.stage import Player, Stage, ok
from tests.service.test_delay import delayed
from tests.service.test_held import hold
from tests.service.test_pauses import Table

STREAM = "/v1/stream"


@pytest.fixture
async def table(on: Stage) -> Table:
    made = Table(on)
    await made.begin()
    await on.list_up()
    return made


async def pause_of(stream: Listener) -> Message:
    """The next notice of a pause."""
    while (told := await stream.next()).event not in {
        "pause-proposed",
        "pause-settled",
        "game-paused",
        "game-resumed",
    }:
        pass
    return told


async def test_who_has_to_answer_is_asked_and_all_hear_what_comes_of_it(table: Table) -> None:
    (ada, bob), now = table.players, table.on.clock.now
    async with listen(table.on, ada, STREAM) as hers, listen(table.on, bob, STREAM) as his:
        for stream in (hers, his):
            await stream.next()
        ok(await table.ask(ada, 10))
        told = (await pause_of(his)).json()
        assert told["what"] == "pause-proposed"
        until = now + PROPOSAL_STANDS_MS
        assert told["proposed"] == {"seat": 1, "minutes": 10, "until": until}
        ok(await table.vote(bob, "agree"))
        settled, began = await pause_of(his), await pause_of(his)
        assert (settled.event, settled.json()["proposed"]) == ("pause-settled", told["proposed"])
        pause = {"by": "players", "number": 1, "until": now + 600_000}
        for paused in (began, await pause_of(hers)):
            assert (paused.event, paused.json()["pause"]) == ("game-paused", pause)
        ok(await table.vote(bob, "resume"))
        ok(await table.vote(ada, "resume"))
        for stream in (hers, his):
            resumed = await pause_of(stream)
            assert (resumed.event, resumed.json()["pause"]) == ("game-resumed", pause)
    assert "pause-proposed" not in hers.text, "nobody is asked about their own proposal"


async def test_who_comes_back_is_told_what_waits_and_what_runs(table: Table) -> None:
    ada, bob = table.players
    ok(await table.ask(ada, 10))

    async def told(who: Player) -> object:
        async with listen(table.on, who, STREAM) as stream:
            [game] = (await stream.next()).json()
            return game["pauses"]

    call = {"seat": 1, "minutes": 10, "until": table.on.clock.now + PROPOSAL_STANDS_MS}
    assert await told(ada) == {"call": None, "running": None}
    assert await told(bob) == {"call": call, "running": None}
    table.on.clock.now += PROPOSAL_STANDS_MS
    assert await told(bob) == {"call": None, "running": None}, "it has lapsed"
    ok(await table.on.operator.post(f"{table.path}/pause", {"reason": "break"}))
    running = {"by": "director", "number": 0, "until": None}
    for who in (ada, bob):
        assert await told(who) == {"call": None, "running": running}


async def test_a_proposal_that_is_turned_down_is_settled(table: Table) -> None:
    ada, bob = table.players
    async with listen(table.on, bob, STREAM) as his:
        await his.next()
        ok(await table.ask(ada))
        assert (await pause_of(his)).event == "pause-proposed"
        ok(await table.vote(ada, "decline"))
        assert (await pause_of(his)).event == "pause-settled"
    assert "game-paused" not in his.text


async def test_a_director_who_takes_a_pause_over_begins_no_other(table: Table) -> None:
    ada, bob = table.players
    async with listen(table.on, ada, STREAM) as hers:
        await hers.next()
        ok(await table.ask(bob))
        assert (await pause_of(hers)).event == "pause-proposed"
        ok(await table.vote(ada, "agree"))
        assert [(await pause_of(hers)).event for _ in range(2)] == ["pause-settled", "game-paused"]
        ok(await table.on.operator.post(f"{table.path}/pause", {"reason": "break"}))
        ok(await table.on.operator.post(f"{table.path}/resume"))
        resumed = (await pause_of(hers)).json()
        assert (resumed["what"], resumed["pause"]["number"]) == ("game-resumed", 1)
    assert hers.text.count("event: game-paused") == 1


async def test_a_game_that_is_held_stands_still(table: Table) -> None:
    async with listen(table.on, table.players[0], STREAM) as hers:
        await hers.next()
        await hold(table.on, table.game)
        assert (await pause_of(hers)).json()["pause"]["by"] == "held"


async def hear_nothing_without_a_seat(on: Stage, delay: dict[str, int] | None) -> None:
    game = await delayed(on, delay)
    await on.list_up()
    async with (
        listen(on, game.hana, STREAM) as host,
        listen(on, game.eve, STREAM) as stranger,
        listen(on, game.bob, STREAM) as seated,
    ):
        for stream in (host, stranger, seated):
            await stream.next()
        ok(await game.ada.post(f"{game.path}/pause-proposals", {"minutes": 5}))
        ok(await game.bob.post(f"{game.path}/pause-votes", {"vote": "agree"}))
        while (await pause_of(seated)).event != "game-paused":
            pass
        ok(await game.hana.post(f"{game.path}/annul", {"reason": "other"}))
        assert (await host.next()).event == "game-ended"
    assert "pause" not in host.text.replace('"pauses":{"call":null,"running":null}', "")
    assert "pause" not in stranger.text


@pytest.mark.parametrize("delay", [None, {"seconds": 120}], ids=str)
async def test_only_those_who_sit_there_hear_of_pauses(
    on: Stage, delay: dict[str, int] | None
) -> None:
    await hear_nothing_without_a_seat(on, delay)


async def test_who_hears_without_a_seat_is_found_out(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: were the seats not asked for, the host would hear."""
    told = pause_notices.pauses_told
    monkeypatch.setattr(
        "runtime.notifications.pauses_told",
        lambda state, _, is_out, now: told(state, with_a_say(state, is_out), is_out, now),
    )
    with pytest.raises(AssertionError, match="pause"):
        await hear_nothing_without_a_seat(on, None)


CALL = PauseCall(seat=1, minutes=5, until=900)
LATER = PauseCall(seat=1, minutes=5, until=1800)
FIRST = RunningPause(by="players", number=1, until=900)
SECOND = RunningPause(by="players", number=2, until=1800)
TAKEN_OVER = RunningPause(by="director", number=1)


@pytest.mark.parametrize(
    ("before", "now", "news"),
    [
        (NO_PAUSES, NO_PAUSES, []),
        (PausesTold(call=CALL), PausesTold(call=CALL), []),
        (
            PausesTold(call=CALL),
            PausesTold(call=LATER),
            [("pause-settled", CALL), ("pause-proposed", LATER)],
        ),
        (
            PausesTold(running=FIRST),
            PausesTold(running=SECOND),
            [("game-resumed", FIRST), ("game-paused", SECOND)],
        ),
        (PausesTold(running=FIRST), PausesTold(running=TAKEN_OVER), []),
        (PausesTold(running=TAKEN_OVER), NO_PAUSES, [("game-resumed", TAKEN_OVER)]),
    ],
    ids=str,
)
def test_what_is_new_of_pauses(before: PausesTold, now: PausesTold, news: list[object]) -> None:
    assert list(pause_news(before, now)) == news
