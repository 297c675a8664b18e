"""Two games with the same event tags and other fields, in one store and one app (ADR 23)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from events.codec import Registry
from events.kernel import PUBLIC
from events.registry import CodecError
from games.game_registry import GameRegistry
from games.registry import DEFAULT_GAME
from games.table.events import TABLE_COMMANDS, TABLE_EVENTS
from projections.lobby import Lobby
from replay.source import read_store
from replay.store_audit import StoreAudit
from replay.stream_audit import AuditFault
from replay.verify import Audit, audit
from replay.viewing import Show
from runtime.listing import Listing
from runtime.table_service import TableService
from tests.games.auction import AUCTION, AUCTION_EVENTS
from tests.games.toy import TOY, TOY_EVENTS
from tests.service.listening import listen
from tests.service.stage import Player, Stage, ok, problem, stage
from tests.service.two_games import BOTH, GAMES, RULEBOOK, begun, played, recorded

pytestmark = pytest.mark.system


def crossed() -> GameRegistry:
    """The fault: each game's streams are read by the types of the other one."""
    game_registry = GameRegistry(GAMES)
    toy, auction = game_registry._registries[TOY.id], game_registry._registries[AUCTION.id]
    game_registry._registries = {TOY.id: auction, AUCTION.id: toy}
    return game_registry


@pytest.fixture
async def on(store_url: str) -> AsyncIterator[Stage]:
    async with stage(store_url, game_registry=BOTH) as made:
        yield made


async def both(on: Stage) -> tuple[Player, dict[str, str]]:
    """One game of each, played at the same table of one person."""
    ada = await on.player("Ada")
    return ada, {game: await played(on, game, ada) for game in GAMES}


def own_tags(events: tuple[type[Any], ...]) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in events}


async def faults(on: Stage, game_registry: GameRegistry) -> list[AuditFault]:
    checked = StoreAudit(on.service.app_context.settings, game_registry, timeout_s=0)
    return [fault async for fault in checked.faults()]


def statuses(found: Audit) -> set[str]:
    return {finding.status for finding in found.findings}


def test_the_games_have_tags_in_common_and_other_fields_under_them() -> None:
    assert own_tags(AUCTION_EVENTS) < own_tags(TOY_EVENTS)
    with pytest.raises(CodecError, match="share 'toy-began'"):
        Registry((*TABLE_EVENTS, *TOY_EVENTS, *AUCTION_EVENTS), TABLE_COMMANDS)


async def test_each_is_played_to_its_end_and_is_in_one_list_with_the_other(on: Stage) -> None:
    _, names = await both(on)
    await on.list_up()
    rows = ok(await on.stranger.get("/v1/games"))["games"]
    found = {row["game"]: (row["id"], row["status"], row["result"]["outcome"]) for row in rows}
    assert found == {
        TOY.id: (names[TOY.id], "finished", "most-points"),
        AUCTION.id: (names[AUCTION.id], "finished", "most-lots"),
    }


async def test_each_is_shown_and_told_by_its_own_types(on: Stage) -> None:
    ada, names = await both(on)
    for game, name in names.items():
        view = ok(await ada.get(f"/v1/games/{name}"))
        assert view["state"]["game"] == game
        assert ("lots" in view["state"]["play"]) == (game == AUCTION.id)
        page = ok(await ada.get(f"/v1/games/{name}/events", as_="full", limit=200))["events"]
        told = (line.get("opened", {}).get("event.number") for line in page)
        opened = [each for each in told if each is not None]
        kind = str if game == TOY.id else int
        assert opened
        assert {type(each["value"]) for each in opened} == {kind}


async def test_both_are_followed_live_at_once(on: Stage) -> None:
    ada = await on.player("Ada")
    toy, auction = await begun(TOY.id, ada), await begun(AUCTION.id, ada)
    numbers = {}
    for name, decision, option in ((toy, "number-t1-s1", "3"), (auction, "bid-0-s1", "30")):
        last = ok(await ada.get(f"/v1/games/{name}"))["version"]
        async with listen(on, ada, f"/v1/games/{name}/events") as stream:
            assert (await stream.next()).event == "snapshot"
            path = f"/v1/games/{name}/decisions/{decision}"
            chosen = ok(await ada.post(path, {"option": option}))["version"]
            said = await stream.events(chosen)
        assert [int(message.id) for message in said] == list(range(last + 1, chosen + 1))
        values = [message.json(1)["opened"] for message in said if len(message.data) > 1]
        numbers[name] = [each["event.number"]["value"] for each in values if "event.number" in each]
    assert numbers == {toy: ["3"], auction: [30]}


async def test_each_record_verifies_and_shows_by_its_own_rules(on: Stage) -> None:
    _, names = await both(on)
    for name in names.values():
        source = await recorded(on, name)
        found = audit(source, BOTH)
        assert statuses(found) == {"ok"}, found.lines()
        shown = Show(source, BOTH, "full")
        assert shown.at(shown.version).state.phase == "finished"
        stored = await read_store(name, on.service.app_context.settings, BOTH)
        assert {f.name for f in audit(stored, BOTH).findings if f.status != "ok"} == {"signature"}


async def test_rulebooks_of_one_id_are_each_games_own(on: Stage) -> None:
    listed = ok(await on.stranger.get("/v1/rulebooks"))["rulebooks"]
    assert {(each["game"], each["id"]) for each in listed} == {(g, RULEBOOK) for g in GAMES}
    tags = set()
    for each in listed:
        answer = await on.stranger.get(f"/v1/rulebooks/{each['id']}", game=each["game"])
        told = ok(answer)
        assert (told["game"], told["name"]) == (each["game"], each["name"])
        assert ("numbers" in told) == (each["game"] == TOY.id)
        tags.add(answer.headers["etag"])
    assert len(tags) == 2
    path = f"/v1/rulebooks/{RULEBOOK}"
    problem(await on.stranger.get(path), "rulebook-not-found")  # no game here is the usual one
    for game in ("none", DEFAULT_GAME):
        problem(await on.stranger.get(path, game=game), "rulebook-not-found")


async def test_tables_are_listed_by_game_and_kept_with_its_own_rulebook(on: Stage) -> None:
    _, names = await both(on)
    await on.list_up()
    wish: dict[str, Any] = {"rulebook": RULEBOOK, "limit": 1}
    first = await on.stranger.get("/v1/games", **wish)
    assert "rulebook=toybook" in first.headers["link"]
    for game, name in names.items():
        found = ok(await on.stranger.get("/v1/games", game=game, **wish))
        assert [row["id"] for row in found["games"]] == [name]
        kept = (await on.stranger.get(f"/v1/games/{name}/replay.html")).text
        assert f'"game":"{game}","name":"{BOTH.games[game].published.title}"' in kept
    assert ok(await on.stranger.get("/v1/games", game="none"))["games"] == []


async def test_the_whole_store_is_verified(on: Stage) -> None:
    await both(on)
    await on.list_up()
    assert await faults(on, BOTH) == []


async def test_a_repeated_command_has_its_first_answer_from_another_process(on: Stage) -> None:
    ada = await on.player("Ada")
    for game in GAMES:
        wish = {"game": game, "rulebook": RULEBOOK, "mode": "plain", "seats": 2}
        first = await ada.post("/v1/games", wish, key=f"the-same-key-{game}")
        on.service.app_context.tables.forget_all()
        again = await ada.post("/v1/games", wish, key=f"the-same-key-{game}")
        assert (first.status_code, first.content) == (again.status_code, again.content)
        name, key = ok(first, 201)["game"], f"to-sit-{game}"
        sat = await ada.post(f"/v1/games/{name}/seats", {}, key=key)
        on.service.app_context.tables.forget_all()
        again = await ada.post(f"/v1/games/{name}/seats", {}, key=key)
        assert (sat.status_code, sat.content) == (again.status_code, again.content)


# --- the planted fault: everything above would notice it ---


async def test_types_of_the_other_game_are_noticed_by_every_reader(on: Stage) -> None:
    _, names = await both(on)
    await on.list_up()
    wrong, app_context = crossed(), on.service.app_context
    worker = TableService(
        app_context.tables.log, app_context.tables.keys, on.clock, game_registry=wrong
    )
    lobby = Lobby(app_context.tables.log, on.store, game_registry=wrong)
    await lobby.forget()
    await lobby.catch_up()
    listing = Listing(on.store, app_context.tables.log.layout)
    for name in names.values():
        source = await recorded(on, name)
        assert not audit(source, wrong).passed
        with pytest.raises(CodecError):
            await worker.load(name)
        with pytest.raises(CodecError):
            await worker.view(name, PUBLIC)
        assert await listing.row(name) is None
    found = {(fault.check, fault.stream) for fault in await faults(on, wrong)}
    assert {("form", name) for name in names.values()} <= found


async def test_a_game_begins_by_the_types_of_its_own(on: Stage) -> None:
    """With the types of the other one nobody could begin it."""
    ada = await on.player("Ada")
    async with stage(on.service.app_context.settings.store_url, game_registry=crossed()) as other:
        wish = {"game": TOY.id, "rulebook": "toybook", "mode": "plain", "seats": 2}
        there = Player(other.http, ada.token, ada.id)
        name = ok(await there.post("/v1/games", wish), 201)["game"]
        ok(await there.post(f"/v1/games/{name}/seats", {}), 201)
        full = await there.post(f"/v1/games/{name}/seats", {"bot": "random"})
        assert full.status_code == 500
