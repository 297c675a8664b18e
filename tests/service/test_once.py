"""Every command happens once: repeated, by other processes, by many at a time."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from events.kernel import FULL
from service.contract.bodies import encode_canonical
from tests.service.stage import Player, Stage, Still, fresh, ok, problem, stage


def at(on: Stage, player: Player) -> Player:
    """The same player, talking to another process."""
    return Player(on.http, player.token, player.id)


@pytest.fixture
async def two(store_url: str) -> Any:
    """Two processes on one store, by one clock."""
    async with AsyncExitStack() as stack:
        clock = Still()
        yield [await stack.enter_async_context(stage(store_url, clock)) for _ in range(2)]


async def test_a_repeated_choice_has_the_first_answer_and_happens_once(two: list[Stage]) -> None:
    on, other = two
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    path, key = f"/v1/games/{game}/decisions/clue-s1", fresh()
    first = await ada.post(path, {"option": "r1c2"}, key)
    ok(await bob.post(f"/v1/games/{game}/decisions/clue-s2", {"option": "r1c2"}))
    version = ok(await ada.get(f"/v1/games/{game}"))["version"]
    assert version > ok(first)["version"]
    on.clock.now += 1_000_000
    for again in (ada, at(other, ada)):
        answer = await again.post(path, {"option": "r1c2"}, key)
        assert (answer.status_code, answer.content) == (first.status_code, first.content)
        problem(await again.post(path, {"option": "r2c3"}, key), "idempotency-key-reused")
        problem(await again.post(f"{path}x", {"option": "r1c2"}, key), "idempotency-key-reused")
    assert ok(await ada.get(f"/v1/games/{game}"))["version"] == version


async def test_every_repeated_command_has_the_first_answer(two: list[Stage]) -> None:
    on, other = two
    ada, bob = await on.player("Ada"), await on.player("Bob")
    director = await on.with_scopes(ada, "organise")
    wish = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2, "start": "host"}
    commands: list[tuple[Player, str, Any]] = [(ada, "/v1/games", wish)]
    keys, answers = [fresh()], []
    answers.append(await ada.post("/v1/games", wish, keys[0]))
    game = ok(answers[0], 201)["game"]
    for player, path, body in (
        (ada, "seats", {"characters": ["max"]}),
        (bob, "seats", {}),
        (ada, "start", None),
        (bob, "decisions/clue-s2", {"option": "r1c2"}),
        (director, "pause", {}),
        (director, "resume", None),
        (director, "extend", {"seconds": 9}),
        (director, "annul", {"reason": "other"}),
    ):
        keys.append(fresh())
        commands.append((player, f"/v1/games/{game}/{path}", body))
        answers.append(await player.post(commands[-1][1], body, keys[-1]))
        assert answers[-1].is_success, answers[-1].text
    for (player, path, body), key, first in zip(commands, keys, answers, strict=True):
        for again in (player, at(other, player)):
            answer = await again.post(path, body, key)
            assert (answer.status_code, answer.content) == (first.status_code, first.content)
            assert answer.headers.get("location") == first.headers.get("location")
    problem(await ada.post("/v1/games", wish | {"seats": 3}, keys[0]), "idempotency-key-reused")


async def test_a_key_is_its_players_own(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game, key = await on.game(ada, bob), fresh()
    for player, seat in ((ada, 1), (bob, 2)):
        path = f"/v1/games/{game}/decisions/clue-s{seat}"
        ok(await player.post(path, {"option": "r1c2"}, key))
    other = await on.table(ada, "solo", 1)
    ok(await ada.post(f"/v1/games/{other}/seats", {}, key), 201)


async def test_a_refused_command_may_be_mended_under_its_key(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game, key = await on.game(ada, bob), fresh()
    path = f"/v1/games/{game}/decisions/clue-s1"
    problem(await ada.post(path, {"option": "r0c0"}, key), "option-not-offered")
    ok(await ada.post(path, {"option": "r1c2"}, key))


async def test_the_same_command_at_the_same_time_happens_once(two: list[Stage]) -> None:
    ada, bob = await two[0].player("Ada"), await two[0].player("Bob")
    game, key = await two[0].game(ada, bob), fresh()
    path = f"/v1/games/{game}/decisions/clue-s1"
    answers = await asyncio.gather(
        *(at(on, ada).post(path, {"option": "r1c2"}, key) for on in two * 8)
    )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert ok(await ada.get(f"/v1/games/{game}"))["version"] == 9


async def choosing(player: Player, hosts: list[Stage], game: str, seat: int) -> int:
    """Answer one's decisions by their defaults, at one process after the other, until the end."""
    given = 0
    for turn in range(4000):
        me = at(hosts[turn % len(hosts)], player)
        body = ok(await me.get(f"/v1/games/{game}/decisions"))
        asked = [d for d in body["decisions"] if d["default"] and not d["answered"]]
        if asked:
            path = f"/v1/games/{game}/decisions/{asked[0]['id']}"
            ok(await me.post(path, {"option": asked[0]["default"]}))
            given += 1
        elif not body["decisions"]:
            return given
        else:
            known = {"if-none-match": f'"{body["version"]}-player:{player.id}"'}
            await me.get(f"/v1/games/{game}/decisions", known, wait=1)
    raise AssertionError(f"seat {seat} never saw the end")


@pytest.mark.slow
async def test_two_processes_with_alternating_routing_lose_and_double_nothing(
    two: list[Stage],
) -> None:
    """Four players, each talking to both processes by turns, play a game to its end."""
    players = [await two[0].player(name) for name in ("Ada", "Bob", "Cy", "Di")]
    game = await two[0].game(*players, mode="suspicion")
    given = await asyncio.gather(
        *(choosing(player, two, game, seat) for seat, player in enumerate(players, 1))
    )
    table_services = [on.service.app_context.tables for on in two]
    envelopes = await table_services[0].views.envelopes(game)
    assert [e.version for e in envelopes] == list(range(1, len(envelopes) + 1))
    by = [e.batch.command_id for e in envelopes if e.batch is not None]
    assert len(set(by)) == len(by) == 1 + len(players) + sum(given)
    views = [(await tables.view(game, FULL)).state for tables in table_services]
    assert views[0] == views[1]
    assert views[0].phase == "finished"


async def test_many_clients_of_one_game_all_get_through(two: list[Stage]) -> None:
    """Each seat replaces its secret choice again and again; every one is accepted."""
    ada, bob = await two[0].player("Ada"), await two[0].player("Bob")
    game = await two[0].game(ada, bob, mode="competition")
    path = f"/v1/games/{game}/decisions/clue-s1"
    answers = await asyncio.gather(
        *(
            at(two[number % 2], ada).post(path, {"option": ("r1c2", "r2c3")[number % 3 == 0]})
            for number in range(60)
        )
    )
    versions = sorted(ok(answer)["version"] for answer in answers)
    assert versions == list(range(versions[0], versions[0] + 60))


async def test_of_many_that_insist_on_one_version_one_gets_through(two: list[Stage]) -> None:
    """All have read the same version; whoever is first changes it for the others."""
    ada, bob = await two[0].player("Ada"), await two[0].player("Bob")
    game = await two[0].game(ada, bob, mode="competition")
    paths = [f"/v1/games/{game}/decisions/clue-s{seat}" for seat in (1, 2)]
    seen = (await ada.get(f"/v1/games/{game}")).headers["etag"]
    answers = await asyncio.gather(
        *(
            at(two[number // 2 % 2], (ada, bob)[number % 2]).post(
                paths[number % 2], {"option": "r1c2"}, headers={"if-match": seen}
            )
            for number in range(16)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 15
    for answer in answers:
        if answer.status_code != 200:
            problem(answer, "version-changed")
    first = next(ok(answer) for answer in answers if answer.status_code == 200)
    assert ok(await bob.get(f"/v1/games/{game}"))["version"] == first["version"]


async def test_a_command_may_insist_on_the_version_it_was_made_for(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game, key = await on.game(ada, bob), fresh()
    path = f"/v1/games/{game}/decisions/clue-s1"
    seen = (await ada.get(f"/v1/games/{game}")).headers["etag"]
    first = await ada.post(path, {"option": "r1c2"}, key, {"if-match": seen})
    ok(first)
    problem(await ada.post(path, {"option": "r2c3"}, headers={"if-match": seen}), "version-changed")
    again = await ada.post(path, {"option": "r1c2"}, key, {"if-match": seen})
    assert again.content == first.content
    ok(await ada.post(path, {"option": "r2c3"}, headers={"if-match": "*"}))
    other = await ada.post(path, {"option": "r2c3"}, key, {"if-match": seen})
    problem(other, "idempotency-key-reused")
    bad = await ada.post(path, {"option": "r2c3"}, headers={"if-match": "soon"})
    problem(bad, "invalid-parameter")
    pause = await on.operator.post(f"/v1/games/{game}/pause", {}, headers={"if-match": seen})
    problem(pause, "version-changed")


async def test_a_choice_outlives_what_leaves_the_game_as_it_was(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, time={"absent_after": 1})
    path = f"/v1/games/{game}"
    seen = (await ada.get(path)).headers["etag"]
    ok(await on.operator.post(f"{path}/extend", {"seconds": 5}))
    ok(await on.operator.post(f"{path}/pause", {}))
    paused = await ada.post(
        f"{path}/decisions/clue-s1", {"option": "r1c2"}, headers={"if-match": seen}
    )
    problem(paused, "table-paused")
    ok(await on.operator.post(f"{path}/resume"))
    strict = await on.operator.post(f"{path}/pause", {}, headers={"if-match": seen})
    problem(strict, "version-changed")
    chosen = await ada.post(
        f"{path}/decisions/clue-s1", {"option": "r1c2"}, headers={"if-match": seen}
    )
    assert ok(chosen)["events"][0]["event"]["type"] == "clue-chosen"
    late = await bob.post(
        f"{path}/decisions/clue-s2", {"option": "r1c2"}, headers={"if-match": seen}
    )
    problem(late, "version-changed")
    ok(await bob.post(f"{path}/decisions/clue-s2", {"option": "r1c2"}))


async def test_a_choice_made_before_the_others_were_absent_or_back_still_counts(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob, time={"absent_after": 5, "limits_s": {"programming": 10}})
    path = f"/v1/games/{game}"
    on.clock.now += 10_250
    assert await on.service.app_context.tables.time_out(game)
    asked = ok(await ada.get(f"{path}/decisions"))["decisions"]
    seen = (await ada.get(path)).headers["etag"]
    back = next(
        each
        for each in ok(await bob.get(f"{path}/decisions"))["decisions"]
        if each["kind"] == "return"
    )
    ok(await bob.post(f"{path}/decisions/{back['id']}", {"option": "return"}))
    decision = next(each for each in asked if not each["optional"])
    receipt = await ada.post(
        f"{path}/decisions/{decision['id']}",
        {"option": decision["options"][0]["id"]},
        headers={"if-match": seen},
    )
    assert ok(receipt)["version"] > int(seen.strip('"').partition("-")[0]) + 1


async def test_of_many_choices_for_one_version_one_gets_through_though_time_is_given(
    two: list[Stage],
) -> None:
    """What is incidental slips between; what is the game's does not, in whichever process."""
    ada, bob = await two[0].player("Ada"), await two[0].player("Bob")
    game = await two[0].game(ada, bob, mode="competition")
    path = f"/v1/games/{game}"
    seen = (await ada.get(path)).headers["etag"]
    more = [two[n % 2].operator.post(f"{path}/extend", {"seconds": 1}) for n in range(6)]
    choices = [
        at(two[n // 2 % 2], (ada, bob)[n % 2]).post(
            f"{path}/decisions/clue-s{n % 2 + 1}", {"option": "r1c2"}, headers={"if-match": seen}
        )
        for n in range(12)
    ]
    mixed = [each for pair in zip(more, choices, strict=False) for each in pair]
    answers = await asyncio.gather(*mixed, *choices[6:])
    given = [answer.status_code for answer in answers]
    assert sorted(given) == [200] * 7 + [412] * 11
    assert ok(await bob.get(path))["version"] == int(seen.strip('"').partition("-")[0]) + 7


def test_maps_that_go_by_numbers_are_spelt_in_one_way_too() -> None:
    by_number = {"b": {10: 1, 9: [2]}, "a": {"d": 1, "c": {2: 3, 1: 4}}}
    assert encode_canonical(by_number) == b'{"a":{"c":{"1":4,"2":3},"d":1},"b":{"10":1,"9":[2]}}'
    texts = {"b": {"x": 1, "9": [2]}, "a": None}
    assert encode_canonical(texts) == b'{"a":null,"b":{"9":[2],"x":1}}'
