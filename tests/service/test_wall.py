"""``GET /v1/wall``: how many tables stand, and what the public does not see stays unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.kernel import PUBLIC, redact
from games.game_registry import installed_games
from projections.names import SeatName
from projections.views import View
from service.access import view_scope
from service.api import wall as wall_module
from service.api.wall import TABLES_A_READ, TABLES_MAX, wall_table, weight_of
from tests.golden_records import RECORDS, golden
from tests.service.listening import listen
from tests.service.stage import Json, Player, Stage, ok, problem, stage
from tests.service.test_delay import delayed
from tests.service.test_held import hold

GAMES = installed_games()
HURRY = {"limits_s": {"programming": 60, "decision": 60}}


async def wall(who: Player, *games: str) -> Json:
    return ok(await who.get("/v1/wall", tables=",".join(games)))


async def table_on(who: Player, game: str) -> Json:
    [table] = (await wall(who, game))["tables"]
    return dict(table)


async def test_a_table_says_whom_it_waits_for_and_until_when(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, time=HURRY)
    told = await table_on(on.stranger, game)
    assert (told["status"], told["turn"], told["wait"]) == ("live", 0, "programming")
    assert told["due"] - told["since"] == 60_000
    assert [seat["asked"] for seat in told["seats"]] == ["starting_clue", "starting_clue"]
    ok(await ada.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"}))
    told = await table_on(on.stranger, game)
    assert [seat.get("asked") for seat in told["seats"]] == [None, "starting_clue"]
    assert [seat["name"] for seat in told["seats"]] == ["Ada", "Bob"]


async def test_who_lets_time_run_out_is_told_of(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, time=HURRY | {"absent_after": 1})
    on.clock.now += 61_000
    await on.service.app_context.tables.time_out(game)
    told = await table_on(on.stranger, game)
    assert [(seat["strikes"], seat["absent"]) for seat in told["seats"]] == [(1, True), (1, True)]


async def test_pauses_say_whose_they_are(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    director = await on.with_scopes(ada, "organise")
    game = await on.game(ada, bob)
    at = f"/v1/games/{game}"
    ok(await ada.post(f"{at}/pause-proposals", {"minutes": 5}))
    assert (await table_on(bob, game))["pause_proposed"] == 1
    ok(await bob.post(f"{at}/pause-votes", {"vote": "agree"}))
    told = await table_on(on.stranger, game)
    assert (told["paused"], told["paused_at"]) == ("players", on.clock.now)
    ok(await director.post(f"{at}/pause", {}))
    assert (await table_on(on.stranger, game))["paused"] == "director"
    ok(await director.post(f"{at}/resume"))
    await hold(on, game)
    assert (await table_on(on.stranger, game))["paused"] == "held"
    ok(await director.post(f"{at}/annul", {"reason": "other"}))
    told = await table_on(on.stranger, game)
    assert (told["status"], told["paused"]) == ("finished", None)
    assert told["result"]["outcome"] == "annulled"


async def test_a_table_says_which_tournament_it_is_played_for(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game, other = await on.game(ada, bob, tournament="cup-2026"), await on.game(ada, bob)
    told = (await wall(on.stranger, game, other))["tables"]
    assert [table["tournament"] for table in told] == ["cup-2026", None]


async def test_an_ended_table_says_who_has_won_and_everybody_may_see_its_last_board(
    on: Stage,
) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, mode="competition")
    ok(await bob.post(f"/v1/games/{game}/decisions/resign-s2", {"option": "resign"}))
    told = await table_on(on.stranger, game)
    assert (told["status"], told["result"]["winners"]) == ("finished", [1])
    picture = {"accept": "image/svg+xml"}
    path = f"/v1/games/{game}/state"
    board = await on.stranger.get(path, picture, at=told["version"])
    assert (board.status_code, board.headers["content-type"]) == (200, "image/svg+xml")


async def test_many_tables_come_in_the_order_that_was_asked_for(on: Stage) -> None:
    ada = await on.player("Ada")
    games = [await on.table(ada) for _ in range(3)]
    asked = [games[2], games[0], games[2], games[1]]
    assert [each["id"] for each in (await wall(on.stranger, *asked))["tables"]] == [
        games[2],
        games[0],
        games[1],
    ]


async def test_what_has_not_changed_is_not_sent_again(on: Stage) -> None:
    ada = await on.player("Ada")
    game = await on.table(ada)
    first = await on.stranger.get("/v1/wall", tables=game)
    known = {"if-none-match": first.headers["etag"]}
    again = await on.stranger.get("/v1/wall", known, tables=game)
    assert (again.status_code, again.content) == (304, b"")
    await on.sit(game, ada)
    ok(await on.stranger.get("/v1/wall", known, tables=game))


async def test_a_private_table_is_as_if_it_were_not_there(on: Stage) -> None:
    ada = await on.player("Ada")
    hidden = await on.table(ada, visibility="private")
    unlisted = await on.table(ada, visibility="unlisted")
    nothing = f"{hidden[:-1]}{'0' if hidden[-1] != '0' else '1'}"
    # A wall is for a room full of people: not even its host has a private table on it.
    for who in (on.stranger, ada, on.operator):
        told = await wall(who, hidden, nothing, unlisted)
        assert [each["id"] for each in told["tables"]] == [unlisted]
        assert told["missing"] == [hidden, nothing]


async def test_a_private_table_that_anybody_might_know_of_is_found_out(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: were the door open, the table would be on the wall."""
    ada = await on.player("Ada")
    hidden = await on.table(ada, visibility="private")
    monkeypatch.setattr(view_scope, "may_know", lambda *_: True)
    assert [each["id"] for each in (await wall(on.stranger, hidden))["tables"]] == [hidden]


async def test_only_its_host_is_told_who_is_connected(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await on.table(eve)
    await on.sit(game, ada, bob)

    async def told(who: Player) -> list[str | None]:
        await on.service.app_context.connections.announce()
        return [seat.get("connection") for seat in (await table_on(who, game))["seats"]]

    async with listen(on, bob, f"/v1/games/{game}/events") as stream:
        await stream.next()
        assert await told(eve) == ["disconnected", "here"]
        assert await told(on.operator) == ["disconnected", "here"]
        for other in (ada, bob, on.stranger):
            assert await told(other) == [None, None]


async def test_a_table_with_a_delay_is_told_as_its_spectators_see_it(on: Stage) -> None:
    game = await delayed(on, {"seconds": 120})
    on.clock.now += 121_000
    before = [(await who.get("/v1/wall", tables=game.id)).content for who in game.onlookers]
    await game.clues()
    after = [(await who.get("/v1/wall", tables=game.id)).content for who in game.onlookers]
    assert before == after
    assert (await table_on(game.ada, game.id))["version"] == await game.seen()
    on.clock.now += 121_000
    assert (await table_on(on.stranger, game.id))["version"] == await game.newest()


NO_TABLE = "number {} of the tables is no table's id; ids have commas between them"
ZEROS = "g00-" + "0" * 26


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ("", "name at least one table by its id"),
        ("x", NO_TABLE.format(1)),
        (",", NO_TABLE.format(1)),
        (ZEROS[:-1], NO_TABLE.format(1)),
        (f"{ZEROS},", NO_TABLE.format(2)),
        (f"{ZEROS},{ZEROS} ", NO_TABLE.format(2)),
        (f"{ZEROS},{ZEROS},{ZEROS.upper()}", NO_TABLE.format(3)),
    ],
)
async def test_what_names_no_table_is_refused_in_words(on: Stage, tables: str, told: str) -> None:
    found = problem(await on.stranger.get("/v1/wall", tables=tables), "invalid-parameter")
    assert found["detail"] == told
    assert found["errors"] == [{"source": "query", "at": "tables", "message": told}]


async def test_a_wall_that_names_nothing_is_told_what_is_missing(on: Stage) -> None:
    found = problem(await on.stranger.get("/v1/wall"), "invalid-parameter")
    assert found["detail"] == "Missing required query parameter 'tables'"


async def test_a_wall_has_an_end(on: Stage) -> None:
    ids = [f"g00-{number:026}" for number in range(TABLES_MAX + 1)]
    assert len((await wall(on.stranger, *ids[:-1]))["missing"]) == TABLES_MAX
    found = problem(await on.stranger.get("/v1/wall", tables=",".join(ids)), "wall-too-large")
    assert found["detail"] == "a wall has room for 50 tables, and 51 were asked for"
    assert found["errors"][0]["at"] == "tables"


@pytest.mark.parametrize(
    ("tables", "charged"), [(1, 1), (10, 1), (11, 2), (20, 2), (50, 5), (51, 5), (900, 5)]
)
@pytest.mark.parametrize("comma", [",", "%2C", "%2c"])
def test_a_wall_weighs_by_the_number_of_its_tables(tables: int, charged: int, comma: str) -> None:
    """In whatever way its commas are written, and whether it is refused or not."""
    assert weight_of(f"tables={comma.join([ZEROS] * tables)}".encode()) == charged


async def test_what_a_wall_weighs_is_charged(store_url: str) -> None:
    async with stage(store_url, reads_per_minute=8) as on:
        many = ",".join(f"g00-{number:026}" for number in range(TABLES_A_READ + 1))
        for left, tables in ((0, many), (1, ZEROS)):
            who = await on.player("Ada")
            answer = await who.get("/v1/wall", tables=tables)
            assert answer.headers["ratelimit"].startswith(f'"reads";r={left};')
            problem(await who.get("/v1/wall", tables=many), "rate-limited")


async def test_who_is_told_of_connections_without_being_the_host_is_found_out(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: were everybody taken for a host, players would be told as well."""
    ada, eve = await on.player("Ada"), await on.player("Eve")
    game = await on.table(eve)
    await on.sit(game, ada)

    async def told(who: Player) -> list[str | None]:
        return [seat.get("connection") for seat in (await table_on(who, game))["seats"]]

    assert (await told(eve), await told(ada)) == (["disconnected"], [None])
    monkeypatch.setattr(wall_module, "_watches_over", lambda *_: True)
    assert await told(ada) == ["disconnected"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_public_knows_whom_a_game_waits_for(path: Path) -> None:
    """Of each golden game: what the view of a stranger says is what the truth says."""
    table, envelopes = GAMES.table, golden(path).envelopes()
    truth, public = table.initial(), table.initial()
    for number, envelope in enumerate(envelopes):
        truth = table.evolve(truth, envelope.event)
        public = table.evolve(public, redact(envelope.event, PUBLIC))
        after = envelopes[number + 1] if number + 1 < len(envelopes) else None
        if after is None or after.batch is not None:
            names = dict.fromkeys(truth.seats, SeatName())
            told = [
                wall_table(
                    table, "g", View(state, number + 1, envelope.at, settled=True), names, {}
                )
                for state in (truth, public)
            ]
            assert told[0] == told[1]
