"""Trees of options over HTTP: walking down, choosing a leaf, and who may not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple
from urllib.parse import quote

import pytest

from games.game_registry import GameRegistry
from replay.source import read_file
from replay.verify import audit
from tests.games.toy import TOY
from tests.games.toy_package import TOY_GAME
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage
from workers.advance import play_all

WISH = {"game": TOY.id, "rulebook": "toybook", "mode": "plain", "seats": 2}
REGISTRY = GameRegistry({TOY.id: TOY_GAME})


class Picking(NamedTuple):
    """A game of two in which Ada must pick."""

    on: Stage
    game: str
    ada: Player
    bob: Player
    eve: Player

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game}/decisions"

    def below(self, option: str, decision: str = "pick-t1") -> str:
        return f"{self.path}/{decision}/options/{quote(option, safe='')}"


async def begun(*players: Player, **more: object) -> str:
    game: str = ok(await players[0].post("/v1/games", {**WISH, **more}), 201)["game"]
    for player in players:
        ok(await player.post(f"/v1/games/{game}/seats", {}), 201)
    return game


@pytest.fixture
async def picking(store_url: str) -> AsyncIterator[Picking]:
    async with stage(store_url, game_registry=REGISTRY) as on:
        ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
        game = await begun(ada, bob)
        for seat, player in ((1, ada), (2, bob)):
            path = f"/v1/games/{game}/decisions/number-t1-s{seat}"
            ok(await player.post(path, {"option": "2"}))
        yield Picking(on, game, ada, bob, eve)


async def leaves(player: Player, path: str, options: list[Json]) -> list[str]:
    """Every leaf that a client comes to, walking."""
    found = []
    for option in options:
        if option.get("branch"):
            below = ok(await player.get(f"{path}/options/{option['id']}"))
            assert below["option"] == option["id"]
            found += await leaves(player, path, below["options"])
        else:
            found.append(option["id"])
    return found


async def test_a_tree_is_walked_level_by_level_and_a_leaf_is_chosen(picking: Picking) -> None:
    ada = picking.ada
    (pick, *_) = ok(await ada.get(picking.path))["decisions"]
    first = [{"id": "single", "meaning": {}}, {"id": "favour", "meaning": {}, "branch": True}]
    assert [{"meaning": {}, **each} for each in pick["options"][:2]] == first
    assert "branch" not in pick["options"][0]
    every = await leaves(ada, f"{picking.path}/pick-t1", pick["options"])
    parties = [f"favour.{party}" for party in ("s1", "s2", "s1-s2")]
    paths = [f"{party}.{times}" for party in parties for times in ("once", "twice")]
    assert every == ["single", "favour.nobody", *paths, "double"]
    answer = ok(await ada.post(f"{picking.path}/pick-t1", {"option": every[-2]}))
    assert answer["events"][0]["event"]["pick"] == "favour.s1-s2.twice"
    problem(await ada.get(picking.below("favour")), "decision-not-open")


async def test_a_list_names_its_version_and_is_kept_by_nobody_else(picking: Picking) -> None:
    answer = await picking.ada.get(picking.below("favour.s2"))
    body = ok(answer)
    told = ok(await picking.ada.get(picking.path))
    assert (body["game"], body["version"]) == (picking.game, told["version"])
    assert (body["decision"], body["option"]) == ("pick-t1", "favour.s2")
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "authorization" in answer.headers["vary"]
    tag = {"if-none-match": answer.headers["etag"]}
    again = await picking.ada.get(picking.below("favour.s2"), tag)
    assert (again.status_code, again.content) == (304, b"")
    bare = await picking.ada.http.head(
        picking.below("favour.s2"), headers=picking.ada.headers(None)
    )
    assert (bare.status_code, bare.content) == (200, b"")
    assert bare.headers["etag"] == answer.headers["etag"]
    leaf = {"option": "favour.s2.once"}
    ok(await picking.bob.post(f"{picking.path}/wave-t1-s2", {"option": "wave"}))
    assert (await picking.ada.get(picking.below("favour.s2"), tag)).status_code == 200
    stale = {"if-match": answer.headers["etag"]}
    refused = await picking.ada.post(f"{picking.path}/pick-t1", leaf, fresh(), headers=stale)
    problem(refused, "version-changed")


async def test_what_is_no_leaf_is_not_chosen(picking: Picking) -> None:
    ada, path = picking.ada, f"{picking.path}/pick-t1"
    for option in ("favour", "favour.s1", "favour.s1-s2"):
        problem(await ada.post(path, {"option": option}, fresh()), "option-is-a-branch")
    for option in ("single.s1", "favour.s1.once.once"):
        problem(await ada.post(path, {"option": option}, fresh()), "option-is-a-leaf")
    for option in ("favour.s3.once", "favour.", "favour.s2-s1.once", "FAVOUR"):
        problem(await ada.post(path, {"option": option}, fresh()), "option-not-offered")


async def test_what_is_no_branch_is_not_listed(picking: Picking) -> None:
    for option in ("single", "favour.nobody", "favour.s1.once"):
        problem(await picking.ada.get(picking.below(option)), "option-is-a-leaf")
    strange = ("favour.s3", "favour.", ".favour", "favour..s1", "x", "\N{GAME DIE}", "single.s1")
    for option in (*strange, "favour+s1", "favour s1", "favour%2Es1", "a" * 300):
        problem(await picking.ada.get(picking.below(option)), "option-not-found")
    problem(await picking.ada.get(picking.below("resign", "resign-s1")), "option-is-a-leaf")


async def test_a_path_is_one_segment_of_a_url_as_it_stands(picking: Picking) -> None:
    """Encoded or not it is the same; what is no segment leads to no operation."""
    there = f"{picking.path}/pick-t1/options"
    plain = ok(await picking.ada.get(f"{there}/favour.s1-s2"))
    assert ok(await picking.ada.get(f"{there}/favour%2Es1%2ds2")) == plain
    for strange in (f"{there}/favour/s1", f"{there}/favour%2Fs1", there, f"{there}/"):
        answer = await picking.ada.get(strange)
        assert answer.status_code == 404, strange
        assert answer.json()["type"] in {"/problems/not-found", "/problems/option-not-found"}


async def test_only_its_own_seat_walks_a_tree(picking: Picking) -> None:
    """Others are answered alike whatever they ask for, so they learn nothing of it."""
    for option in ("favour", "single", "favour.s3", "x"):
        problem(await picking.bob.get(picking.below(option)), "decision-not-open")
        problem(await picking.eve.get(picking.below(option)), "not-seated")
        problem(await picking.on.stranger.get(picking.below(option)), "token-needed")
    none = await picking.bob.get(picking.below("favour", "pick-t9"))
    other = await picking.bob.get(picking.below("favour"))
    assert none.content == other.content
    problem(await picking.ada.get(picking.below("favour", "number-t1-s2")), "decision-not-open")


async def test_a_table_that_one_may_not_know_of_has_no_tree_either(store_url: str) -> None:
    async with stage(store_url, game_registry=REGISTRY) as on:
        ada, eve = await on.player("Ada"), await on.player("Eve")
        game = await begun(ada, visibility="private")
        path = f"/v1/games/{game}/decisions/pick-t1/options/favour"
        problem(await eve.get(path), "game-not-found")
        problem(await ada.get(path), "game-not-live")


async def test_no_tree_is_walked_while_a_game_stands_still(picking: Picking) -> None:
    on, game, ada, _, _ = picking
    ok(await on.operator.post(f"/v1/games/{game}/pause", {}))
    problem(await ada.get(picking.below("favour")), "table-paused")
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    problem(await ada.get(picking.below("favour")), "game-over")


async def test_walking_is_charged_as_reading(picking: Picking) -> None:
    answer = await picking.ada.get(picking.below("favour"))
    assert answer.headers["ratelimit"].startswith('"reads"')


async def test_a_game_of_paths_is_recorded_and_judged_again(store_url: str) -> None:
    """A person who always favours plays with a house bot, which walks by chance."""
    async with stage(store_url, game_registry=REGISTRY) as on:
        ada = await on.player("Ada")
        wish = {**WISH, "options": {"rounds": 8}}
        game: str = ok(await ada.post("/v1/games", wish), 201)["game"]
        ok(await ada.post(f"/v1/games/{game}/seats", {}), 201)
        ok(await ada.post(f"/v1/games/{game}/seats", {"bot": "random"}), 201)
        path = f"/v1/games/{game}/decisions"
        while ok(await ada.get(f"/v1/games/{game}"))["state"]["phase"] == "live":
            on.clock.now += 1000
            asked = ok(await ada.get(path))["decisions"]
            for each in [d for d in asked if not d["optional"] and not d["answered"]][:1]:
                choice = {"option": "favour.s1.twice" if each["kind"] == "pick" else "3"}
                ok(await ada.post(f"{path}/{each['id']}", choice))
            await play_all(on.service.app_context.tables, [game])
        record = (await on.stranger.get(f"/v1/games/{game}/record")).content
        # She picks in every second round; the bot may have come upon the same path.
        assert record.count(b'"option":"favour.s1.twice"') >= 4
        found = audit(read_file(record), REGISTRY)
        assert {finding.status for finding in found.findings} == {"ok"}, found.lines()
