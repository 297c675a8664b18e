"""``GET /v1/stream``: a player's notices over all its games."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from msgspec import json
from msgspec.structs import replace

from events.log import Again, Append, Appended
from runtime.notifications import NEAR_MS
from tests.lossy import Lossy
from tests.service.listening import Listener, listen
from tests.service.stage import Player, Stage, ok, problem, stage
from tests.unlimited import unlimited

STREAM = "/v1/stream"


async def clue(who: Player, game: str, seat: int) -> None:
    ok(await who.post(f"/v1/games/{game}/decisions/clue-s{seat}", {"option": "r1c2"}))


async def test_a_player_is_told_what_begins_asks_and_ends(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    async with listen(on, ada, STREAM) as stream:
        first = await stream.next()
        assert (first.event, first.json()) == ("games", [])
        game = await on.game(ada, bob)
        came, began, asked = [await stream.next() for _ in range(3)]
        assert (came.event, came.json()["seat"]["player"]) == ("seat-taken", bob.id)
        assert (began.event, began.json()["game"]) == ("game-started", game)
        assert asked.event == "decision-opened"
        call = asked.json()["call"]
        assert (call["decision"], call["seat"], call["kind"]) == ("clue-s1", 1, "starting_clue")
        state = ok(await ada.get(f"/v1/games/{game}/decisions"))
        assert call["deadline"] == state["decisions"][0]["deadline"]
        await clue(ada, game, 1)
        closed = await stream.next()
        assert (closed.event, closed.json()["call"]["decision"]) == ("decision-closed", "clue-s1")
        await clue(bob, game, 2)
        assert (await stream.next()).json()["call"]["kind"] == "program"
        ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
        while (ended := await stream.next()).event == "decision-opened":
            assert ended.json()["call"]["kind"] == "program", "one for each of her figures"
        assert ended.event == "game-ended"
        assert ended.json()["result"]["reason"] == "annulled"


async def test_who_comes_back_is_told_where_each_game_stands(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    live = await on.game(ada, bob)
    waiting = await on.table(ada)
    await on.list_up()
    async with listen(on, ada, STREAM) as stream:
        games = {each["game"]: each for each in (await stream.next()).json()}
        assert games.keys() == {live, waiting}
        assert [call["decision"] for call in games[live]["calls"]] == ["clue-s1"]
        assert (games[waiting]["status"], games[waiting]["calls"]) == ("open", [])
        await clue(ada, live, 1)
        assert (await stream.next()).event == "decision-closed"
        await clue(bob, live, 2)
        assert (await stream.next()).json()["call"]["kind"] == "program"


async def test_others_secrets_are_never_in_it(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    await on.list_up()
    async with listen(on, ada, STREAM) as hers, listen(on, bob, STREAM) as his:
        await hers.next()
        await his.next()
        await clue(bob, game, 2)
        await clue(ada, game, 1)
        await hers.next()
        await his.next()
    assert "clue-s2" not in hers.text
    assert "clue-s1" not in his.text
    assert "r1c2" not in hers.text + his.text


async def test_a_deadline_that_is_near_is_told_once(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    on.service.app_context.notifications.beat_s = 0.01
    async with listen(on, ada, STREAM) as stream:
        await stream.next()
        game = await on.game(ada, bob)
        assert [(await stream.next()).event for _ in range(2)] == ["seat-taken", "game-started"]
        due = (await stream.next()).json()["call"]["deadline"]
        on.clock.now = due - NEAR_MS
        near = await stream.next()
        assert (near.event, near.json()["game"]) == ("deadline-near", game)
        assert near.json()["call"]["decision"] == "clue-s1"
        beats = stream.text.count("still here")
        await _beats(stream, beats + 3)
    assert stream.text.count("deadline-near") == 2, "its event's name and its own, once"


async def test_an_invitation_reaches_who_listens(on: Stage) -> None:
    ada, bob, cy = [await on.player(name) for name in ("Ada", "Bob", "Cy")]
    async with listen(on, bob, STREAM) as his, listen(on, cy, STREAM) as others:
        await his.next()
        await others.next()
        first = await on.table(ada, visibility="private", invited=[bob.id])
        told = await his.next()
        assert (told.event, told.json()) == (
            "invited",
            {"what": "invited", "game": first, "version": 1},
        )
        second = await on.table(ada, seats=3)
        ok(await ada.post(f"/v1/games/{second}/invitations", {"players": [bob.id]}), 201)
        told = await his.next()
        assert (told.event, told.json()["game"]) == ("invited", second)
        ok(await bob.delete(f"/v1/games/{second}/invitations/{bob.id}"))
        ok(await ada.delete(f"/v1/games/{first}/invitations/{bob.id}"))
        ok(await ada.post(f"/v1/games/{first}/seats", {}), 201)
        ok(await ada.post(f"/v1/games/{first}/close"))
        ok(await ada.post(f"/v1/games/{second}/invitations", {"players": [cy.id]}), 201)
        assert (await others.next()).json()["game"] == second
        ok(await ada.post(f"/v1/games/{second}/invitations", {"players": [bob.id]}), 201)
        again = await his.next()
        assert (again.event, again.json()["game"]) == ("invited", second)
    assert "table-closed" not in his.text, "of what one is not invited to any more nothing is told"
    assert "seat-taken" not in his.text
    assert first not in others.text


async def test_who_hosts_and_who_sits_is_told_who_comes_and_nobody_else(on: Stage) -> None:
    ada, bob, cy, di = [await on.player(name) for name in ("Ada", "Bob", "Cy", "Di")]
    async with (
        listen(on, ada, STREAM) as host,
        listen(on, bob, STREAM) as seated,
        listen(on, cy, STREAM) as guest,
        listen(on, di, STREAM) as stranger,
    ):
        for each in (host, seated, guest, stranger):
            await each.next()
        game = await on.table(ada, "suspicion", 4, invited=[cy.id])
        await on.sit(game, bob)
        ok(await ada.post(f"/v1/games/{game}/seats", {"bot": "random"}), 201)
        came = [(await host.next()).json()["seat"] for _ in range(2)]
        assert [(each["seat"], each["player"]) for each in came] == [(1, bob.id), (2, "bot:random")]
        assert (came[0]["name"], came[1]["bot"]) == ("Bob", "random")
        assert (await seated.next()).json()["seat"] == came[1], "one's own seat is no news"
        ok(await ada.post(f"/v1/games/{game}/close"))
        for each in (host, seated):
            closed = await each.next()
            assert (closed.event, closed.json()["result"]["reason"]) == (
                "table-closed",
                "cancelled",
            )
        assert [(await guest.next()).event for _ in range(2)] == ["invited", "table-closed"]
    assert game not in stranger.text
    assert "seat-taken" not in guest.text
    assert "game-ended" not in host.text + seated.text + guest.text


async def test_a_table_that_its_director_annuls_is_closed_or_ended(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    async with listen(on, ada, STREAM) as stream:
        await stream.next()
        unbegun, begun = await on.table(ada), await on.game(ada, bob)
        await on.sit(unbegun, bob)
        while (await stream.next()).json()["game"] != unbegun:
            pass  # she has been told of both
        for game in (unbegun, begun):
            ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
        ends: dict[str, str] = {}
        while len(ends) < 2:
            notice = await stream.next()
            if notice.event in {"table-closed", "game-ended"}:
                ends[notice.json()["game"]] = notice.event
    assert ends == {unbegun: "table-closed", begun: "game-ended"}


async def test_the_first_frame_says_what_invites_and_who_sits(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(ada, invited=[bob.id])
    await on.sit(game, ada)
    await on.list_up()
    async with listen(on, bob, STREAM) as stream:
        (standing,) = (await stream.next()).json()
        assert (standing["game"], standing["invited"], standing["status"]) == (game, True, "open")
        assert [seat["player"] for seat in standing["seats"]] == [ada.id]
        await on.sit(game, bob)
        assert (await stream.next()).event == "game-started", "nothing is told twice"


async def _beats(stream: Listener, number: int) -> None:
    async with asyncio.timeout(20):
        while stream.text.count("still here") < number:
            await stream.until("still here")
            await asyncio.sleep(0)


async def test_ndjson_and_what_is_refused(on: Stage) -> None:
    ada = await on.player("Ada")
    async with listen(on, ada, STREAM, {"accept": "application/x-ndjson"}) as stream:
        await stream.until("\n")
        assert json.decode(stream.text) == {"games": []}
    problem(await on.stranger.get(STREAM, {"accept": "text/event-stream"}), "token-needed")
    problem(await ada.get(STREAM, {"accept": "application/json"}), "not-acceptable")


@pytest.mark.parametrize("accept", ["text/event-stream", "application/x-ndjson"])
async def test_streams_end_when_the_service_does(on: Stage, accept: str) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    async with (
        listen(on, ada, STREAM, {"accept": accept}) as own,
        listen(on, ada, f"/v1/games/{game}/events", {"accept": accept}, follow="true") as one,
    ):
        await own.until("games")
        await one.until("snapshot")
        on.service.app_context.closing.set()
        async with asyncio.timeout(20):
            await own.ended.wait()
            await one.ended.wait()
    assert "reset" not in own.text + one.text


@contextmanager
def mute(on: Stage) -> Iterator[None]:
    """Within the context, appends ring for nobody, as if the bells were lost."""
    log = on.service.app_context.tables.log
    append = log.append

    async def quietly(batch: Append) -> Appended | Again:
        return await append(replace(batch, concerns=()))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "append", quietly)
        yield


async def test_a_bell_that_is_lost_is_made_up_for(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    context = on.service.app_context
    context.notifications.beat_s = 0.001
    monkeypatch.setattr("runtime.notifications.ROUND", 10**9)  # the control: nobody looks
    async with listen(on, ada, STREAM) as stream:
        await _beats(stream, 2)
        with mute(on):
            unrung = await on.game(ada, bob)
        await on.list_up()
        rung = await on.game(ada, bob)
        await stream.until(rung)
        assert unrung not in stream.text
        monkeypatch.setattr("runtime.notifications.ROUND", 12)
        await stream.until(unrung)


async def test_a_connection_for_bells_that_ends_loses_no_notice(on: Stage, store_url: str) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    async with listen(on, ada, STREAM) as stream:
        await stream.next()
        unrung = await on.table(ada, invited=[bob.id])
        await on.list_up()
        with mute(on):
            await on.sit(unrung, bob)
        with redis.Redis.from_url(unlimited(store_url)) as client:
            client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        await stream.until("seat-taken")


async def test_a_store_that_lost_what_was_told_is_noticed(lossy: Lossy) -> None:
    async with stage(lossy.store.url) as on:
        ada, bob = await on.player("Ada"), await on.player("Bob")
        table = await on.table(ada)
        lossy.mark()
        async with listen(on, ada, STREAM) as stream:
            await stream.next()
            await on.sit(table, bob)
            await stream.until("seat-taken")
            lossy.lose()
            await stream.until("reset")
