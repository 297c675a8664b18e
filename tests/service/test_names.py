"""Names of players: shown where they may be, in no event, and erased everywhere at once."""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final

import pytest
import redis

from events.log import StreamLog
from events.name_store import KeptNames
from games.game_registry import installed_games
from replay.source import examine
from replay.verify import audit
from service.api import long_polls
from service.http.metrics import Metrics
from tests.runtime.stage import until
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage
from tests.unlimited import unlimited

ADA = "Ada Lovelace-Canary"
BOB = "Bob Canary-Neighbour"


def seal_of(name: str, salt: str) -> str:
    """As the documents say, with nothing of ours."""
    content = b"parlour/name/1\x00" + urlsafe_b64decode(salt + "==") + name.encode()
    return urlsafe_b64encode(sha256(content).digest()).decode().rstrip("=")


async def view(who: Player, game: str) -> Json:
    return ok(await who.get(f"/v1/games/{game}"))


async def over(on: Stage, *players: Player) -> str:
    """A game that has been annulled."""
    game = await on.game(*players)
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    return game


def reads(on: Stage, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The accounts whose names are read from the store from now on."""
    store, asked = on.service.app_context.tables.names.store, list[str]()
    read = store.read

    async def noted(account: str) -> KeptNames:
        asked.append(account)
        return await read(account)

    monkeypatch.setattr(store, "read", noted)
    return asked


async def gone(player: Player) -> None:
    assert (await player.delete(f"/v1/players/{player.id}")).status_code == 204


# --- where names are shown ---


async def test_a_view_has_the_names_of_its_seats_beside_the_state(on: Stage) -> None:
    ada, bob = await on.player(ADA), await on.player(BOB)
    game = await on.table(ada, seats=3)
    await on.sit(game, ada)
    ok(await bob.post(f"/v1/games/{game}/seats", {"name": "Bobby"}), 201)
    ok(await ada.post(f"/v1/games/{game}/seats", {"bot": "steady"}), 201)
    shown = await view(on.stranger, game)
    assert shown["names"] == {
        "1": {"name": ADA},
        "2": {"name": "Bobby"},
        "3": {"name": "steady 3"},
    }
    assert shown["links"]["names"] == f"/v1/games/{game}/names"
    assert ADA not in json.dumps(shown["state"])
    assert "name" not in shown["state"]["seats"]["1"]


async def test_no_name_is_in_an_event_or_a_receipt(on: Stage) -> None:
    ada = await on.player(ADA)
    game = await on.table(ada)
    receipt = await ada.post(f"/v1/games/{game}/seats", {"name": "Countess"})
    events = (await on.stranger.get(f"/v1/games/{game}/events")).text
    for text in (receipt.text, events):
        assert '"name_seal":"' in text
        assert ADA not in text
        assert "Countess" not in text


async def test_anybody_can_check_what_a_seal_opens_to(on: Stage) -> None:
    ada, bob = await on.player(ADA), await on.player(BOB)
    game = await on.table(ada)
    await on.sit(game, bob)
    ok(await bob.delete(f"/v1/games/{game}/seats/1"))
    await on.sit(game, ada)
    events = ok(await on.stranger.get(f"/v1/games/{game}/events"))["events"]
    sealed = [e["event"]["name_seal"] for e in events if e["event"]["type"] == "seat-taken"]
    answer = await on.stranger.get(f"/v1/games/{game}/names")
    names = ok(answer)["names"]
    assert [names[seal]["name"] for seal in sealed] == [BOB, ADA]
    assert all(seal_of(**opening) == seal for seal, opening in names.items())
    known = {"if-none-match": answer.headers["etag"]}
    assert (await on.stranger.get(f"/v1/games/{game}/names", known)).status_code == 304
    await gone(bob)
    fresh_one = await on.stranger.get(f"/v1/games/{game}/names", known)
    assert [opening["name"] for opening in ok(fresh_one)["names"].values()] == [ADA]


async def test_a_private_table_tells_strangers_no_names(on: Stage) -> None:
    ada = await on.player(ADA)
    game = await on.table(ada, visibility="private")
    await on.sit(game, ada)
    problem(await on.stranger.get(f"/v1/games/{game}/names"), "game-not-found")


async def test_the_log_of_an_account_holds_neither_names_nor_labels(
    on: Stage, store_url: str
) -> None:
    ada = await on.player(ADA)
    ok(await ada.post("/v1/tokens", {"scopes": ["bot"], "label": "my Canary"}), 201)
    log: StreamLog = on.service.app_context.tables.log
    stored = b"".join(e.public + (e.private or b"") for e in await log.read(ada.id))
    assert b"Canary" not in stored
    labels = [each["label"] for each in ok(await ada.get("/v1/tokens"))["tokens"]]
    assert labels == ["", "my Canary"]
    with redis.Redis.from_url(unlimited(store_url)) as raw:
        holding = [key for key in raw.scan_iter() if b"Canary" in whole(raw, key)]
    assert holding == [log.layout.stream(ada.id).names.encode()]


def whole(raw: redis.Redis, key: Any) -> bytes:
    """All that a key holds."""
    return bytes(raw.dump(key) or b"")


# --- nobody has another's name ---


ANOTHERS: Final = (
    "another player at this table has this name, or one that looks like it; choose a different one"
)
NOBODYS: Final = "a seat without a name is called so; choose a different one"
A_BOTS: Final = "house bots are called by this name; choose a different one"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ada", ANOTHERS),
        ("ADA", ANOTHERS),
        ("\uff21\uff44\uff41", ANOTHERS),
        ("\u0410d\u0430", ANOTHERS),
        ("seat 2", NOBODYS),
        ("Place 1", NOBODYS),
        ("Miejsce l", NOBODYS),
        ("Joueur supprim\u00e9", NOBODYS),
        ("steady 1", A_BOTS),
        ("Random 2", A_BOTS),
        ("clever bot 1", A_BOTS),
        ("Losowy bot 2", A_BOTS),
    ],
)
async def test_two_at_a_table_are_called_differently(on: Stage, name: str, said: str) -> None:
    host, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.table(host)
    await on.sit(game, host)
    there = f"/v1/games/{game}/seats"
    refused = problem(await bob.post(there, {"name": name}), "name-taken")
    assert refused["detail"] == said
    ok(await bob.post(there, {"name": "Adah"}), 201)


async def test_ones_own_name_may_be_anothers_at_another_table(on: Stage) -> None:
    ada, twin = await on.player("Ada"), await on.player("Ada")
    game = await on.table(ada)
    await on.sit(game, ada)
    problem(await twin.post(f"/v1/games/{game}/seats", {}), "name-taken")
    await on.sit(await on.table(twin), twin)
    ok(await ada.delete(f"/v1/games/{game}/seats/1"))
    await on.sit(game, twin)


async def test_other_refusals_come_before_that_of_a_name(on: Stage) -> None:
    ada, twin = await on.player("Ada"), await on.player("Ada")
    game = await on.game(ada, await on.player("Bob"))
    problem(await twin.post(f"/v1/games/{game}/seats", {}), "table-not-open")
    table = await on.table(ada)
    await on.sit(table, ada)
    problem(await ada.post(f"/v1/games/{table}/seats", {"name": "Adah"}), "already-seated")


async def test_of_two_who_come_at_once_under_one_name_one_sits_down(on: Stage) -> None:
    host = await on.player("Host")
    for _ in range(5):
        game = await on.table(host, seats=4)
        twins = [await on.player("Twin") for _ in range(4)]
        there = f"/v1/games/{game}/seats"
        answers = await asyncio.gather(*(twin.post(there, {}) for twin in twins))
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
        named = [each["name"] for each in (await view(host, game))["names"].values()]
        assert named == ["Twin"]


async def test_a_repeated_request_has_the_first_answer_though_the_name_is_taken_by_now(
    on: Stage,
) -> None:
    ada, twin, key = await on.player("Ada"), await on.player("Ada"), fresh()
    game = await on.table(ada)
    there = f"/v1/games/{game}/seats"
    first = await ada.post(there, {}, key)
    ok(await ada.delete(f"{there}/1"))
    await on.sit(game, twin)
    again = await ada.post(there, {}, key)
    assert (again.status_code, again.content) == (201, first.content)
    problem(await ada.post(there, {}), "name-taken")


async def test_a_house_bot_takes_no_name(on: Stage) -> None:
    ada = await on.player()
    game = await on.table(ada)
    wish = {"bot": "steady", "name": "Robby"}
    problem(await ada.post(f"/v1/games/{game}/seats", wish), "bot-with-name")


@pytest.mark.parametrize("name", [" Ada", "A\u202eda", "\t", "\u0301Ada", f"A{4 * chr(0x30D)}da"])
async def test_a_name_at_a_table_is_a_name(on: Stage, name: str) -> None:
    ada = await on.player()
    game = await on.table(ada)
    problem(await ada.post(f"/v1/games/{game}/seats", {"name": name}), "bad-name")


async def test_an_account_has_so_many_names(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.name_store.NAMES_MAX", 2)
    ada = await on.player()
    game = await on.table(ada)
    there = f"/v1/games/{game}/seats"
    ok(await ada.post(there, {"name": "Ada the 1st"}), 201)
    ok(await ada.delete(f"{there}/1"))
    problem(await ada.post(there, {"name": "Ada the 2nd"}), "too-many-names")
    label = {"scopes": ["bot"], "label": "one more"}
    problem(await ada.post("/v1/tokens", label), "too-many-names")
    ok(await ada.post(there, {"name": "Ada the 1st"}), 201)


# --- erasing ---


async def everywhere(games: list[str], *eyes: Player) -> list[str]:
    """Every answer that could hold a name."""
    found: list[str] = []
    for who in eyes:
        for game in games:
            at = f"/v1/games/{game}"
            paths = ("", "/state", "/names", "/events", "/log.jsonl", "/preview.svg", "/head")
            found += [(await who.get(at + path)).text for path in paths]
            found.append((await who.get(f"{at}/state", {"accept": "image/svg+xml"})).text)
            found.append((await who.get(f"{at}/state", at=3)).text)
            for path in ("/record", "/replay.html"):
                answer = await who.get(at + path)
                found.append(answer.text if answer.status_code == 200 else "")
        found.append((await who.get("/v1/games")).text)
    return found


async def test_an_erased_player_is_in_no_answer_and_every_check_holds(
    on: Stage, capsys: pytest.CaptureFixture[str], store_url: str
) -> None:
    """A live game, a finished one, and a record that somebody has kept."""
    ada, bob = await on.player(ADA), await on.player(BOB)
    live, ended = await on.game(ada, bob), await over(on, ada, bob)
    ok(await ada.post("/v1/tokens", {"scopes": ["bot"], "label": f"{ADA}'s"}), 201)
    await on.list_up()
    games, eyes = [live, ended], (on.stranger, bob, on.operator)
    kept = (await bob.get(f"/v1/games/{ended}/record")).content
    before = [text for text in await everywhere(games, *eyes) if ADA in text]
    assert len(before) > 20, "the control: names are shown"
    await gone(ada)
    after = await everywhere(games, *eyes)
    assert [text for text in after if ADA in text] == []
    assert any(BOB in text for text in after)
    assert sum("deleted player" in text for text in after) > 5
    for game in games:
        names = (await view(bob, game))["names"]
        assert names == {"1": {"deleted": True}, "2": {"name": BOB}}
        row = next(r for r in ok(await bob.get("/v1/games"))["games"] if r["id"] == game)
        assert [(s.get("name"), s.get("deleted")) for s in row["seats"]] == [
            (None, True),
            (BOB, None),
        ]
    record = (await bob.get(f"/v1/games/{ended}/record")).content
    for content, known in ((kept, 2), (record, 1)):
        source = examine(content)
        found = audit(source, installed_games())
        assert [f.status for f in found.findings] == ["ok"] * 8
        assert len(source.names) == known
    with redis.Redis.from_url(unlimited(store_url)) as raw:
        assert [key for key in raw.scan_iter() if ADA.encode() in whole(raw, key)] == []
    assert ADA not in capsys.readouterr().err
    assert ADA not in json.dumps(on.lines)
    metrics: Metrics = on.service.app_context.metrics
    assert ADA not in str(vars(metrics))
    assert ADA not in (await on.stranger.get("/metrics")).text


async def test_the_tag_of_a_view_changes_when_a_name_is_erased(on: Stage) -> None:
    ada, bob = await on.player(ADA), await on.player(BOB)
    game = await over(on, ada, bob)
    paths = ("", "/state", "/record", "/replay.html", "/preview.svg", "/names")
    tags = {}
    for path in paths:
        answer = await bob.get(f"/v1/games/{game}{path}")
        tags[path] = {"if-none-match": answer.headers["etag"]}
        assert (await bob.get(f"/v1/games/{game}{path}", tags[path])).status_code == 304
    await gone(ada)
    for path in paths:
        answer = await bob.get(f"/v1/games/{game}{path}", tags[path])
        assert (answer.status_code, ADA in answer.text) == (200, False), path
        known = {"if-none-match": answer.headers["etag"]}
        assert (await bob.get(f"/v1/games/{game}{path}", known)).status_code == 304


async def test_at_a_table_of_a_deleted_player_a_long_poll_still_waits(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await on.player(ADA), await on.player(BOB)
    game = await on.game(ada, bob)
    await gone(ada)
    at = f"/v1/games/{game}/state"
    known = {"if-none-match": (await bob.get(at)).headers["etag"]}
    inside, take = asyncio.Event(), long_polls.long_poll_slot

    def noted(*given: Any) -> Any:
        inside.set()
        return take(*given)

    monkeypatch.setattr(long_polls, "long_poll_slot", noted)
    waiting = asyncio.create_task(bob.get(at, known, wait=20))
    await asyncio.wait_for(inside.wait(), 20)
    ok(await bob.post(f"/v1/games/{game}/decisions/clue-s2", {"option": "r1c2"}))
    answer = await waiting
    assert (answer.status_code, answer.headers["etag"][-4:]) == (200, '-d1"')


async def test_a_deleted_account_opens_nothing_and_its_game_goes_on(on: Stage) -> None:
    ada, bob = await on.player(ADA), await on.player(BOB)
    game = await on.game(ada, bob)
    await gone(ada)
    problem(await ada.get(f"/v1/games/{game}/decisions"), "token-invalid")
    problem(await ada.delete(f"/v1/players/{ada.id}"), "token-invalid")
    found = ok(await bob.get(f"/v1/players/{ada.id}"))
    assert (found["name"], found["deleted"]) == (None, True)
    ok(await bob.post(f"/v1/games/{game}/decisions/clue-s2", {"option": "r1c2"}))
    due = (await view(bob, game))["state"]["clock"]["due"]
    on.clock.now = due + 1000
    assert await on.service.app_context.tables.time_out(game)
    shown = (await view(bob, game))["state"]
    assert (shown["phase"], shown["seats"]["1"]["strikes"]) == ("live", 1)


async def test_the_operator_deletes_whom_it_must_and_again(on: Stage) -> None:
    ada = await on.player(ADA)
    await on.with_scopes(ada, "play")
    for who in (on.operator, on.operator):
        assert (await who.delete(f"/v1/players/{ada.id}")).status_code == 204
    wish = {"scopes": ["play"], "player": ada.id}
    problem(await on.operator.post("/v1/tokens", wish), "account-deleted")
    admin = await on.with_scopes(await on.player("Root"), "admin")
    assert (await admin.delete(f"/v1/players/{ada.id}")).status_code == 204


async def test_nobody_deletes_another_or_with_a_bots_token(on: Stage) -> None:
    ada, bob = await on.player(ADA), await on.player(BOB)
    problem(await bob.delete(f"/v1/players/{ada.id}"), "not-your-account")
    bot = await on.with_scopes(ada, "bot")
    problem(await bot.delete(f"/v1/players/{ada.id}"), "scope-missing")
    problem(await on.stranger.delete(f"/v1/players/{ada.id}"), "token-needed")
    nobody = f"{ada.id[:-4]}zzzz"
    problem(await on.operator.delete(f"/v1/players/{nobody}"), "player-not-found")
    assert ok(await bob.get(f"/v1/players/{ada.id}"))["name"] == ADA


async def test_who_registers_again_under_the_key_of_a_deleted_account_gets_none(
    on: Stage,
) -> None:
    key = fresh()
    made = ok(await on.stranger.post("/v1/players", {"name": ADA}, key), 201)
    await gone(Player(on.http, made["token"]["token"], made["id"]))
    problem(await on.stranger.post("/v1/players", {"name": ADA}, key), "account-deleted")


async def test_other_processes_show_an_erased_name_no_more(
    on: Stage, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await on.player(ADA), await on.player(BOB)
    game = await on.game(ada, bob)
    async with stage(store_url) as other:
        await view(other.stranger, game)
        asked = reads(other, monkeypatch)
        assert (await view(other.stranger, game))["names"]["1"] == {"name": ADA}
        assert asked == [], "it is kept there"
        await gone(ada)
        account = await on.service.app_context.tables.log.head(ada.id)
        assert account is not None
        accounts, version = other.service.app_context.account_subscriber, account.version
        await until(lambda: accounts.last_version(ada.id) == version)
        assert (await view(other.stranger, game))["names"]["1"] == {"deleted": True}


async def test_a_process_that_does_not_hear_keeps_no_name(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await on.player(ADA)
    game = await on.table(ada)
    await on.sit(game, ada)
    await view(on.stranger, game)
    asked = reads(on, monkeypatch)
    await view(on.stranger, game)
    assert asked == []
    with monkeypatch.context() as deaf:
        deaf.setattr(on.service.app_context.account_subscriber, "_healthy", False)
        for _ in range(2):
            assert (await view(on.stranger, game))["names"] == {"1": {"name": ADA}}
    assert asked == [ada.id] * 2
    await view(on.stranger, game)
    assert asked == [ada.id] * 3, "what was kept before is forgotten"


async def test_an_erasing_that_broke_off_is_finished_by_whoever_reads(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies between the event and the erasing."""
    ada, bob = await on.player(ADA), await on.player(BOB)
    game = await on.game(ada, bob)
    store = on.service.app_context.tables.names.store

    async def die(_: str) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(store, "erase", die)
        problem(await ada.delete(f"/v1/players/{ada.id}"), "internal-error")
        assert (await store.read(ada.id)).openings
    assert (await view(bob, game))["names"]["1"] == {"deleted": True}
    assert not (await store.read(ada.id)).openings


async def test_a_name_comes_too_late_for_a_deleted_account(on: Stage) -> None:
    """The request was let in before its account was deleted."""
    ada = await on.player(ADA)
    account_service = on.service.app_context.account_service
    assert ada.token is not None
    principal = await account_service.bearer(ada.token)
    await gone(ada)
    assert principal is not None
    with pytest.raises(Exception, match="account-deleted"):
        await account_service.seal(principal.player, "Countess", None)
    assert not (await on.service.app_context.tables.names.store.read(ada.id)).openings
