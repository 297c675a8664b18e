"""A rematch of a finished game, over HTTP: same seats, same options, by whoever asks first."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from events.kernel import Command
from events.scripts import LogUnavailable
from events.transact import CommandReceipt
from games.registry import GAMES
from games.table.events import TakeSeat
from service.api.rematches import PROPOSALS_MAX
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage

TABLES: dict[str, Json] = {
    "room25": {
        "rulebook": "first_edition",
        "mode": "suspicion",
        "seats": 4,
        "options": {},
        "time": {"limits_s": {"programming": 77}, "absent_after": 3, "bot_pace_ms": 20},
    },
    "cerveauuu": {"rulebook": "prototype", "mode": "standard", "seats": 3},
}
"""A table of each game, with something to find again in its rematch."""


async def opened(on: Stage, host: Player, *players: Player, bots: int = 1, **more: Any) -> str:
    """A table that has begun, with house bots on the last seats."""
    wish = {"rulebook": "first_edition", "mode": "suspicion", "seats": len(players) + bots} | more
    game: str = ok(await host.post("/v1/games", wish), 201)["game"]
    await on.sit(game, *players)
    for _ in range(bots):
        ok(await host.post(f"/v1/games/{game}/seats", {"bot": "random"}), 201)
    return game


async def annulled(on: Stage, game: str) -> str:
    """The same game, ended by the operator."""
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    return game


async def ended(on: Stage, *players: Player, **more: Any) -> str:
    """A game of these players, hosted by the first, and of house bots, that is over."""
    return await annulled(on, await opened(on, players[0], *players, **more))


async def state_of(who: Player, game: str) -> Json:
    state: Json = ok(await who.get(f"/v1/games/{game}"))["state"]
    return state


def test_every_game_is_tried() -> None:
    assert TABLES.keys() == GAMES.keys()


@pytest.mark.parametrize("played", sorted(GAMES))
async def test_a_rematch_has_the_same_seats_and_options(on: Stage, played: str) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    wish = TABLES[played]
    bots = int(wish["seats"]) - 2
    game = await opened(on, ada, bob, ada, bots=bots, game=played, start="host", **wish)
    ok(await ada.post(f"/v1/games/{game}/start"))
    await annulled(on, game)
    old = await state_of(ada, game)
    answer = await bob.post(f"/v1/games/{game}/rematch", {})
    receipt = ok(answer, 201)
    rematch = receipt["game"]
    assert answer.headers["location"] == f"/v1/games/{rematch}"
    assert [line["event"]["seat"] for line in receipt["events"]] == [1]
    new = await state_of(bob, rematch)
    same = ("game", "rulebook", "mode", "seat_count", "options", "time", "start", "delay")
    assert {name: new[name] for name in same} == {name: old[name] for name in same}
    assert (new["host"], new["phase"], new["visibility"]) == (bob.id, "open", "unlisted")
    assert new["invited"] == [ada.id]
    ok(await ada.post(f"/v1/games/{game}/rematch", {}), 201)
    new = await state_of(bob, rematch)
    assert new["seats"].keys() == old["seats"].keys()
    for seat, place in old["seats"].items():
        kept = ("player", "characters", "name_seal", "bot")
        assert {n: new["seats"][seat][n] for n in kept} == {n: place[n] for n in kept}
    ok(await bob.post(f"/v1/games/{rematch}/start"))
    assert (await state_of(bob, rematch))["phase"] == "live"
    assert new["key_hash"] != old["key_hash"], "another game, with other secrets"


async def test_one_player_with_bots_plays_again_at_once(on: Stage) -> None:
    ada = await on.player()
    game = await ended(on, ada, bots=3)
    assert ok(await ada.get(f"/v1/games/{game}/rematch")) == {
        "game": game,
        "rematch": None,
        "status": None,
        "host": None,
        "missing": [],
    }
    key = fresh()
    first = await ada.post(f"/v1/games/{game}/rematch", {}, key)
    receipt = ok(first, 201)
    types = [line["event"]["type"] for line in receipt["events"]]
    assert types[:2] == ["seat-taken", "table-started"], "the game has begun"
    assert (await ada.post(f"/v1/games/{game}/rematch", {}, key)).content == first.content
    problem(await ada.post(f"/v1/games/{game}/rematch", {"entropy": "x"}, key), KEY_REUSED)
    problem(await ada.post(f"/v1/games/{game}/rematch", {}), "table-not-open")
    told = ok(await ada.get(f"/v1/games/{game}/rematch"))
    assert told == {
        "game": game,
        "rematch": receipt["game"],
        "status": "live",
        "host": 1,
        "missing": [],
    }
    assert ok(await on.stranger.get(f"/v1/games/{game}/rematch")) == told, "it has begun"


KEY_REUSED = "idempotency-key-reused"


async def test_only_those_who_played_are_told_before_it_begins(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await ended(on, ada, bob, bots=2)
    path = f"/v1/games/{game}/rematch"
    problem(await eve.post(path, {}), "not-seated")
    problem(await on.stranger.post(path, {}), "token-needed")
    rematch = ok(await ada.post(path, {}), 201)["game"]
    told = ok(await bob.get(path))
    assert (told["rematch"], told["host"], told["missing"]) == (rematch, 1, [2])
    for other in (eve, on.stranger, on.operator):
        assert ok(await other.get(path))["rematch"] is None
    problem(await ada.post(path, {}), "already-seated")
    ok(await bob.post(path, {}), 201)
    assert ok(await eve.get(path))["rematch"] == rematch
    seen = await bob.get(path)
    assert (await bob.get(path, {"if-none-match": seen.headers["etag"]})).status_code == 304


async def test_a_rematch_of_a_private_game_is_private(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await ended(on, ada, bob, bots=2, visibility="private", invited=[bob.id])
    path = f"/v1/games/{game}/rematch"
    problem(await eve.get(path), "game-not-found")
    problem(await eve.post(path, {}), "game-not-found")
    rematch = ok(await bob.post(path, {}), 201)["game"]
    problem(await eve.get(f"/v1/games/{rematch}"), "game-not-found")
    ok(await ada.post(path, {}), 201)
    assert (await state_of(ada, rematch))["phase"] == "live"


async def test_a_rematch_that_is_refused_opens_nothing(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    running = await opened(on, ada, ada, bob, bots=2)
    problem(await ada.post(f"/v1/games/{running}/rematch", {}), "not-played-out")
    called_off = await on.table(ada, seats=3)
    await on.sit(called_off, ada, bob)
    problem(await ada.post(f"/v1/games/{called_off}/rematch", {}), "not-played-out")
    ok(await ada.post(f"/v1/games/{called_off}/close"))
    problem(await ada.post(f"/v1/games/{called_off}/rematch", {}), "not-played-out")
    waiting = await on.table(ada, seats=2, start="host")
    await on.sit(waiting, ada, bob)
    problem(
        await ada.post(f"/v1/games/{await annulled(on, waiting)}/rematch", {}), "not-played-out"
    )
    await annulled(on, running)
    path = f"/v1/games/{running}/rematch"
    program = await on.with_scopes(ada, "bot")
    problem(await program.post(path, {}), "wrong-kind-of-token")
    problem(await ada.post(path, {"entropy": "no spaces"}), "bad-entropy")
    problem(await ada.post(path, {"seat": 2}), "invalid-body")
    old = (await ada.get(f"/v1/games/{running}")).headers["etag"]
    version = int(old.strip('"').partition("-")[0])
    stale = {"if-match": f'"{version - 1}-public"'}
    problem(await ada.post(path, {}, headers=stale), "version-changed")
    problem(await ada.post(f"/v1/games/g00-{'0' * 26}/rematch", {}), "game-not-found")
    assert ok(await ada.get(path))["rematch"] is None
    ok(await ada.post(path, {}, headers={"if-match": old}), 201)


async def test_after_all_others_have_gone_there_is_no_rematch(on: Stage) -> None:
    ada, bob, cy = [await on.player(name) for name in ("Ada", "Bob", "Cy")]
    game = await ended(on, ada, bob, cy, bots=1)
    path = f"/v1/games/{game}/rematch"
    assert (await bob.delete(f"/v1/players/{bob.id}")).status_code == 204
    one_left = ok(await ada.post(path, {}), 201)["game"]
    assert (await state_of(ada, one_left))["invited"] == [cy.id], "who has gone is not asked"
    ok(await ada.post(f"/v1/games/{one_left}/close"))
    assert (await cy.delete(f"/v1/players/{cy.id}")).status_code == 204
    problem(await ada.post(path, {}), "players-gone")
    assert ok(await ada.get(path))["rematch"] is None


async def test_a_rematch_that_was_called_off_or_annulled_may_be_proposed_again(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await ended(on, ada, bob, bots=2)
    path, key = f"/v1/games/{game}/rematch", fresh()
    first = await ada.post(path, {}, key)
    rematches = [ok(first, 201)["game"]]
    problem(await bob.post(f"/v1/games/{rematches[0]}/close"), "not-the-host")
    for number in range(PROPOSALS_MAX - 1):
        if number == 0:
            await annulled(on, rematches[-1])
        else:
            ok(await ada.post(f"/v1/games/{rematches[-1]}/close"))
        assert ok(await bob.get(path))["rematch"] is None
        rematches.append(ok(await ada.post(path, {}), 201)["game"])
    assert len(set(rematches)) == PROPOSALS_MAX
    ok(await ada.post(f"/v1/games/{rematches[-1]}/close"))
    problem(await bob.post(path, {}), "too-many-rematches")
    assert ok(await bob.get(path))["rematch"] is None
    assert (await ada.post(path, {}, key)).content == first.content, "a repetition has its answer"


async def test_two_who_ask_at_once_meet_at_one_table(store_url: str) -> None:
    async with stage(store_url) as here, stage(store_url, here.clock) as there:
        ada, bob = await here.player("Ada"), await here.player("Bob")
        game = await ended(here, ada, bob, bots=2)
        bob_there = Player(there.http, bob.token, bob.id)
        path = f"/v1/games/{game}/rematch"
        answers = await asyncio.gather(*(who.post(path, {}) for who in (ada, bob_there)))
        assert len({ok(answer, 201)["game"] for answer in answers}) == 1
        new = await state_of(ada, ok(answers[0], 201)["game"])
        assert (new["phase"], sorted(new["seats"])) == ("live", ["1", "2", "3", "4"])


async def test_who_comes_next_completes_a_table_that_was_left_half_made(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await ended(on, ada, bob, bots=2)
    path, tables = f"/v1/games/{game}/rematch", on.service.app_context.tables
    carry_out = tables.command

    async def die_after_opening(name: str, command: Command, **more: Any) -> CommandReceipt:
        if isinstance(command, TakeSeat):
            raise LogUnavailable("gone")
        return await carry_out(name, command, **more)

    with monkeypatch.context() as patch:
        patch.setattr(tables, "command", die_after_opening)
        problem(await ada.post(path, {}), "store-unavailable")
    told = ok(await bob.get(path))
    assert (told["host"], told["missing"]) == (None, [1, 2, 3, 4])
    ok(await bob.post(path, {}), 201)
    new = await state_of(bob, told["rematch"])
    assert (new["host"], sorted(new["seats"])) == (ada.id, ["2", "3", "4"])
    ok(await ada.post(path, {}), 201)
    assert (await state_of(bob, told["rematch"]))["phase"] == "live"


async def test_a_rematch_of_a_scenario_is_the_scenario_again(on: Stage) -> None:
    ada = await on.player()
    cells = {"max": "r1c1", "alice": "r1c2", "emmett": "r2c2", "kevin": "r3c3"}
    characters = {name: {"seat": 1, "cell": cell} for name, cell in cells.items()}
    scenario = {"characters": characters, "turn": 2}
    game = await on.table(ada, mode="solo", seats=1, scenario=scenario)
    await on.sit(game, ada)
    await annulled(on, game)
    rematch = ok(await ada.post(f"/v1/games/{game}/rematch", {}), 201)["game"]
    new = await state_of(ada, rematch)
    assert new["scenario"] is True
    assert new["play"]["characters"]["max"]["cell"] == "r1c1"


async def test_a_rematch_counts_among_the_tables_that_have_not_begun(store_url: str) -> None:
    async with stage(store_url, tables_per_account=1) as on:
        ada, bob = await on.player("Ada"), await on.player("Bob")
        game = await ended(on, ada, bob, bots=2)
        await on.table(ada)
        problem(await ada.post(f"/v1/games/{game}/rematch", {}), "too-many-tables")
        assert ok(await bob.get(f"/v1/games/{game}/rematch"))["rematch"] is None
        ok(await bob.post(f"/v1/games/{game}/rematch", {}), 201)
        ok(await ada.post(f"/v1/games/{game}/rematch", {}), 201)
