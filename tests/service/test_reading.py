"""Reading games: views, moments, events, records, freshness, long polls."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from projections.record import read_record
from tests.service.stage import Player, Stage, ok, problem, shown


async def finished(on: Stage) -> tuple[str, Player, Player]:
    """A game that both players gave up."""
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    for player, seat in ((ada, 1), (bob, 2)):
        path = f"/v1/games/{game}/decisions/resign-s{seat}"
        ok(await player.post(path, {"option": "resign"}))
    return game, ada, bob


async def suspects(on: Stage) -> tuple[str, list[Player]]:
    """A suspicion game: everybody has a secret role."""
    players = [await on.player(name) for name in ("Ada", "Bob", "Cy", "Di")]
    return await on.game(*players, mode="suspicion"), players


def roles(view: Any) -> list[str | None]:
    return [each.get("role") for each in view["state"]["play"]["characters"].values()]


async def test_each_sees_the_game_through_the_own_seat(on: Stage) -> None:
    game, players = await suspects(on)
    for seat, player in enumerate(players, 1):
        view = ok(await player.get(f"/v1/games/{game}"))
        assert view["viewer"] == f"seat:{seat}"
        assert [role is not None for role in roles(view)].count(True) == 1
        assert view["time"] == on.clock.now
    view = ok(await on.stranger.get(f"/v1/games/{game}"))
    assert (view["viewer"], set(roles(view))) == ("public", {None})
    assert ok(await players[0].get(f"/v1/games/{game}", as_="public"))["viewer"] == "public"
    assert ok(await players[0].get(f"/v1/games/{game}", as_="seat:1"))["viewer"] == "seat:1"


@pytest.mark.parametrize("path", ["", "/state", "/events"])
async def test_nobody_looks_through_others_eyes_while_the_game_runs(on: Stage, path: str) -> None:
    game, players = await suspects(on)
    for wish in ("seat:2", "full", "seat:7"):
        problem(await players[0].get(f"/v1/games/{game}{path}", as_=wish), "view-not-yours")
        problem(await on.stranger.get(f"/v1/games/{game}{path}", as_=wish), "view-not-yours")
    for wish in ("seat:0", "god", ""):
        problem(await on.stranger.get(f"/v1/games/{game}{path}", as_=wish), "invalid-parameter")


async def test_an_auditor_sees_all(on: Stage) -> None:
    game, _ = await suspects(on)
    auditor = await on.with_scopes(await on.player("Eve"), "audit")
    await on.inspect(auditor, game)
    view = ok(await auditor.get(f"/v1/games/{game}", as_="full"))
    assert None not in roles(view)
    assert ok(await auditor.get(f"/v1/games/{game}"))["viewer"] == "public"


@pytest.mark.parametrize("path", ["", "/state", "/events", "/head"])
async def test_an_auditor_who_sits_at_the_table_is_a_player_like_any_other(
    on: Stage, path: str
) -> None:
    game, players = await suspects(on)
    auditor = await on.with_scopes(players[0], "audit", "admin")
    for wish in ("full", "seat:3"):
        problem(await auditor.get(f"/v1/games/{game}{path}", as_=wish), "view-not-yours")
    assert ok(await auditor.get(f"/v1/games/{game}", as_="seat:1"))["viewer"] == "seat:1"


async def test_nobody_sees_the_key_of_a_table_at_which_they_can_still_sit_down(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    game = await on.table(ada, seats=2)
    await on.sit(game, ada)
    auditor = await on.with_scopes(eve, "audit")
    for who in (auditor, on.operator):
        for wish in ("full", "seat:1"):
            problem(await who.get(f"/v1/games/{game}", as_=wish), "view-not-yours")
    await on.sit(game, eve)
    problem(await auditor.get(f"/v1/games/{game}", as_="full"), "view-not-yours")
    await on.inspect(on.operator, game)
    assert ok(await on.operator.get(f"/v1/games/{game}", as_="full"))["state"]["key"] is not None


async def test_after_the_end_everything_is_everybodys(on: Stage) -> None:
    game, _, _ = await finished(on)
    full = ok(await on.stranger.get(f"/v1/games/{game}", as_="full"))
    assert full["state"]["key"] is not None
    assert all(tile.get("kind") for tile in full["state"]["play"]["grid"].values())
    assert ok(await on.stranger.get(f"/v1/games/{game}", as_="seat:2"))["viewer"] == "seat:2"
    problem(await on.stranger.get(f"/v1/games/{game}", as_="seat:3"), "view-not-yours")


async def test_what_is_known_is_not_sent_again(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    for path in ("", "/state", "/events", "/events?after=3&limit=2", "/state?at=3"):
        first = await ada.get(f"/v1/games/{game}{path}")
        etag = first.headers["etag"]
        assert first.headers["cache-control"] == "private, no-cache"
        for given in (etag, f'"x", W/{etag}', "*"):
            again = await ada.get(f"/v1/games/{game}{path}", {"if-none-match": given})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
            assert not {"content-length", "content-type"} & set(again.headers)  # RFC 9110 §15.4.5
        public = await ada.get(f"/v1/games/{game}{path}", {"if-none-match": '"8-public"'})
        assert public.status_code == 200


async def test_any_moment_is_seen_as_it_was(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    last = ok(await ada.get(f"/v1/games/{game}/state"))["version"]
    for at, phase, seats in ((1, "open", 0), (2, "open", 1), (3, "open", 2), (last, "live", 2)):
        view = ok(await ada.get(f"/v1/games/{game}/state", at=at))
        assert (view["version"], view["state"]["phase"]) == (at, phase)
        assert len(view["state"]["seats"]) == seats
    for player, seat in ((ada, 1), (bob, 2)):
        path = f"/v1/games/{game}/decisions/clue-s{seat}"
        ok(await player.post(path, {"option": "r1c2"}))
    turn = ok(await ada.get(f"/v1/games/{game}/state", at="turn:1"))
    assert turn["state"]["play"]["turn"] == 1
    before = ok(await ada.get(f"/v1/games/{game}/state", at=turn["version"] - 1))
    assert before["state"]["play"]["turn"] == 0


async def test_moments_that_have_not_come(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    problem(await ada.get(f"/v1/games/{game}/state", at=99), "version-not-found")
    problem(await ada.get(f"/v1/games/{game}/state", at="turn:9"), "turn-not-found")
    for at in ("0", "turn:0", "-1", "now", "1.5", "turn:", "9999999999"):
        problem(await ada.get(f"/v1/games/{game}/state", at=at), "invalid-parameter")


async def test_events_come_in_pages_that_lead_on(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    whole = ok(await ada.get(f"/v1/games/{game}/events"))
    assert [line["v"] for line in whole["events"]] == list(range(1, whole["next"] + 1))
    path, found = f"/v1/games/{game}/events?limit=3&as=seat:1", []
    while path:
        answer = await ada.get(path)
        found += ok(answer)["events"]
        path = answer.headers.get("link", "<>;")[1:].partition(">")[0]
    assert found == whole["events"]
    empty = await ada.get(f"/v1/games/{game}/events", after=99)
    assert (ok(empty)["events"], ok(empty)["next"]) == ([], 99)


async def test_events_come_as_lines_for_who_wants_them(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    path = f"/v1/games/{game}/events"
    answer = await ada.get(path, {"accept": "application/x-ndjson"})
    assert answer.headers["content-type"] == "application/x-ndjson"
    lines = answer.content.splitlines()
    assert [msgspec.json.decode(line) for line in lines] == ok(await ada.get(path))["events"]
    problem(await ada.get(path, {"accept": "text/html"}), "not-acceptable")
    assert ok(await ada.get(path, {"accept": "text/html, */*;q=0.1"}))


async def test_a_spectator_gets_the_very_bytes_that_are_hashed(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    lines = await on.stranger.get(f"/v1/games/{game}/events", {"accept": "application/x-ndjson"})
    stored = await on.service.app_context.tables.log.read(game)
    assert lines.content.splitlines() == [entry.public for entry in stored]


async def test_a_record_is_for_finished_games(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    running = await on.game(ada, bob)
    problem(await ada.get(f"/v1/games/{running}/record"), "game-not-finished")
    game, _, _ = await finished(on)
    answer = await on.stranger.get(f"/v1/games/{game}/record")
    assert answer.status_code == 200
    record = read_record(answer.content)
    assert record.header.stream == game
    assert record.seal.verifier is not None
    known = {"if-none-match": answer.headers["etag"]}
    assert (await on.stranger.get(f"/v1/games/{game}/record", known)).status_code == 304


async def polling(on: Stage, request: Any) -> asyncio.Task[Any]:
    """A request that has begun to wait."""
    task = asyncio.create_task(request)
    waiting = on.service.app_context.metrics.waiting
    async with asyncio.timeout(20):
        while not shown(waiting) and not task.done():  # noqa: ASYNC110 (a gauge tells nobody)
            await asyncio.sleep(0.005)
    return task


async def test_a_poll_for_events_ends_with_the_next_one(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    poll = await polling(on, bob.get(f"/v1/games/{game}/events", after=8, wait=20))
    ok(await ada.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"}))
    assert [line["v"] for line in ok(await poll)["events"]] == [9]


async def test_a_poll_of_the_state_ends_when_the_game_moves_on(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    for path in ("state", "decisions"):
        first = await bob.get(f"/v1/games/{game}/{path}")
        known = {"if-none-match": first.headers["etag"]}
        poll = await polling(on, bob.get(f"/v1/games/{game}/{path}", known, wait=20))
        ok(await ada.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"}))
        assert ok(await poll)["version"] == ok(first)["version"] + 1


async def test_a_poll_for_a_moment_ends_when_it_comes(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    for at in (10, "turn:1"):
        poll = await polling(on, bob.get(f"/v1/games/{game}/state", at=at, wait=20))
        for player, seat in ((ada, 1), (bob, 2)):
            path = f"/v1/games/{game}/decisions/clue-s{seat}"
            await player.post(path, {"option": "r1c2"})
        assert ok(await poll)["version"] >= 10


async def test_a_poll_without_news_ends_empty(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    assert ok(await bob.get(f"/v1/games/{game}/events", after=8, wait=1))["events"] == []
    first = await bob.get(f"/v1/games/{game}/state")
    known = {"if-none-match": first.headers["etag"]}
    assert (await bob.get(f"/v1/games/{game}/state", known, wait=1)).status_code == 304
    for wait in (-1, 31, "long"):
        problem(await bob.get(f"/v1/games/{game}/events", wait=wait), "invalid-parameter")


async def test_polls_let_go_when_the_service_closes(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    poll = await polling(on, bob.get(f"/v1/games/{game}/events", after=8, wait=20))
    app_context = on.service.app_context
    app_context.closing.set()
    assert ok(await poll)["events"] == []
    assert ok(await bob.get(f"/v1/games/{game}/events", after=8, wait=20))["events"] == []
    assert (await on.stranger.get("/health/ready")).status_code == 503
