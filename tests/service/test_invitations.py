"""Invitations to a table that has not begun, and calling it off, over HTTP."""

from __future__ import annotations

import asyncio

from msgspec import json

from tests.service.listening import listen
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage, told

NOBODY = "p00-" + "0" * 26


async def invited(on: Stage, who: Player) -> list[str]:
    """The tables that the list says one is invited to."""
    await on.list_up()
    return [row["id"] for row in ok(await who.get("/v1/games", invited="me"))["games"]]


def kinds(receipt: Json) -> list[str]:
    return [line["event"]["type"] for line in receipt["events"]]


async def test_a_host_invites_after_opening_and_the_invited_sit_down(on: Stage) -> None:
    ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
    game = await on.table(ada, visibility="private")
    path = f"/v1/games/{game}"
    problem(await bob.get(path), "game-not-found")
    receipt = ok(await ada.post(f"{path}/invitations", {"players": [bob.id]}), 201)
    assert kinds(receipt) == ["player-invited"]
    assert ok(await bob.get(path))["state"]["invited"] == [bob.id]
    assert (await invited(on, bob), await invited(on, eve)) == ([game], [])
    ok(await bob.post(f"{path}/seats", {}), 201)
    assert await invited(on, bob) == [], "who sits there is asked no more"
    problem(await eve.get(path), "game-not-found")
    problem(await on.stranger.get("/v1/games", invited="me"), "token-needed")
    problem(await ada.get("/v1/games", invited="you"), "invalid-parameter")


async def test_a_table_is_opened_for_other_players_each_once(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    wish = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}
    for whom, code in (
        ([bob.id, NOBODY], "player-not-found"),
        ([bob.id, bob.id], "already-invited"),
        ([bob.id, ada.id], "already-invited"),
    ):
        problem(await ada.post("/v1/games", wish | {"invited": whom}), code)
    await on.list_up()
    assert ok(await ada.get("/v1/games"))["games"] == []
    ok(await ada.post("/v1/games", wish | {"invited": [bob.id]}), 201)


async def test_who_has_deleted_their_account_is_not_invited(on: Stage) -> None:
    ada, bob, cy = [await on.player(name) for name in ("Ada", "Bob", "Cy")]
    game = await on.table(ada, seats=3)
    assert (await bob.delete(f"/v1/players/{bob.id}")).status_code == 204
    path = f"/v1/games/{game}/invitations"
    problem(await ada.post(path, {"players": [cy.id, bob.id]}), "player-not-found")
    wish = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}
    problem(await ada.post("/v1/games", wish | {"invited": [bob.id]}), "player-not-found")
    assert await invited(on, cy) == []
    ok(await ada.post(path, {"players": [cy.id]}), 201)


async def test_what_is_refused_about_invitations(on: Stage) -> None:
    ada, bob, cy = [await on.player(name) for name in ("Ada", "Bob", "Cy")]
    game = await on.table(ada, seats=3)
    path = f"/v1/games/{game}/invitations"
    ok(await bob.post(f"/v1/games/{game}/seats", {}), 201)
    problem(await bob.post(path, {"players": [cy.id]}), "not-the-host")
    problem(await ada.post(path, {"players": [cy.id, NOBODY]}), "player-not-found")
    problem(await ada.post(path, {"players": [bob.id]}), "player-seated")
    problem(await ada.post(path, {"players": [ada.id]}), "already-invited")
    problem(await ada.post(path, {"players": []}), "invalid-body")
    problem(await ada.post(path, {"players": ["Bob"]}), "invalid-body")
    problem(await ada.delete(f"{path}/{cy.id}"), "unknown-invitation")
    ok(await ada.post(path, {"players": [cy.id]}), 201)
    problem(await ada.post(path, {"players": [cy.id]}), "already-invited")
    problem(await bob.delete(f"{path}/{cy.id}"), "not-the-host")
    await on.sit(game, ada, cy)
    problem(await ada.post(path, {"players": [cy.id]}), "table-not-open")
    problem(await ada.delete(f"{path}/{cy.id}"), "table-not-open")
    problem(await cy.delete(f"{path}/{cy.id}"), "table-not-open")
    problem(await on.stranger.post(path, {"players": [cy.id]}), "token-needed")
    unseen = f"/v1/games/g00-{'0' * 26}/invitations"
    problem(await ada.post(unseen, {"players": [cy.id]}), "game-not-found")


async def test_declining_and_withdrawing_close_a_private_table_again(on: Stage) -> None:
    ada, bob, cy = [await on.player(name) for name in ("Ada", "Bob", "Cy")]
    game = await on.table(ada, visibility="private", invited=[bob.id, cy.id])
    path = f"/v1/games/{game}"
    key = {"idempotency-key": fresh()}
    declined = await bob.delete(f"{path}/invitations/{bob.id}", headers=key)
    assert kinds(ok(declined)) == ["invitation-declined"]
    again = await bob.delete(f"{path}/invitations/{bob.id}", headers=key)
    assert again.content == declined.content, "a repetition has its answer"
    assert kinds(ok(await ada.delete(f"{path}/invitations/{cy.id}"))) == ["invitation-withdrawn"]
    for gone in (bob, cy):
        problem(await gone.get(path), "game-not-found")
        problem(await gone.post(f"{path}/seats", {}), "game-not-found")
        assert await invited(on, gone) == []
    assert ok(await ada.get(path))["state"]["invitations"] == 2


async def test_declining_tells_nothing_of_a_private_table(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    private, public = await on.table(ada, visibility="private"), await on.table(ada)
    nowhere = private[:-1] + ("0" if private[-1] != "0" else "1")
    answers = [
        await eve.delete(f"/v1/games/{game}/invitations/{eve.id}")
        for game in (private, nowhere, f"gff-{'0' * 26}", "nonsense")
    ]
    for answer in answers:
        problem(answer, "game-not-found")
    assert len({answer.content for answer in answers}) == 1
    assert told(answers[0]) == told(answers[1])
    problem(await eve.delete(f"/v1/games/{public}/invitations/{eve.id}"), "unknown-invitation")
    problem(await eve.post(f"/v1/games/{private}/close"), "game-not-found")


async def test_an_invitation_given_elsewhere_is_known_here_at_once(store_url: str) -> None:
    """A process that has the table in its cache asks again before it says that there is none."""
    async with stage(store_url) as here, stage(store_url, here.clock) as there:
        ada, bob = await here.player("Ada"), await here.player("Bob")
        game = await here.table(ada, visibility="private", start="host")
        path = f"/v1/games/{game}"
        bob_there = Player(there.http, bob.token, bob.id)
        problem(await bob_there.get(path), "game-not-found")
        ok(await ada.post(f"{path}/invitations", {"players": [bob.id]}), 201)
        ok(await bob_there.post(f"{path}/seats", {}), 201)


async def test_who_is_uninvited_follows_the_table_no_longer(on: Stage) -> None:
    ada, bob, cy = [await on.player(name) for name in ("Ada", "Bob", "Cy")]
    game = await on.table(ada, visibility="private", invited=[bob.id, cy.id])
    path = f"/v1/games/{game}"
    events = f"{path}/events"
    etag = (await bob.get(path)).headers["etag"]
    waiting = asyncio.create_task(bob.get(f"{path}/state", {"if-none-match": etag}, wait=20))
    async with (
        listen(on, bob, events, follow="true") as his,
        listen(on, ada, events, {"accept": "text/event-stream"}, follow="true") as hers,
    ):
        await his.until("snapshot")
        await hers.until("snapshot")
        ok(await ada.delete(f"{path}/invitations/{bob.id}"))
        ok(await cy.post(f"{path}/seats", {}), 201)
        async with asyncio.timeout(20):
            await his.ended.wait()
            await hers.ended.wait()
    assert "reset" in his.text
    assert "invitation-withdrawn" not in his.text
    assert "seat-taken" not in his.text
    problem(await waiting, "game-not-found")
    problem(await bob.get(events), "game-not-found")
    assert ok(await ada.get(path))["version"] == 3


async def test_a_host_calls_off_a_table_that_has_not_begun(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game, key = await on.table(ada), fresh()
    path = f"/v1/games/{game}"
    ok(await bob.post(f"{path}/seats", {}), 201)
    problem(await bob.post(f"{path}/close"), "not-the-host")
    problem(await on.operator.post(f"{path}/close"), "not-the-host")
    closed = await ada.post(f"{path}/close", key=key)
    assert kinds(ok(closed)) == ["table-closed", "key-published"]
    assert (await ada.post(f"{path}/close", key=key)).content == closed.content
    problem(await ada.post(f"{path}/close"), "table-not-open")
    view = ok(await bob.get(path))
    assert view["state"]["phase"] == "finished"
    assert view["state"]["result"]["reason"] == "cancelled"
    lines = (await bob.get(f"{path}/record")).content.splitlines()
    assert json.decode(lines[0])["events"] == view["version"]
    await on.list_up()
    (row,) = ok(await on.stranger.get("/v1/games", status="finished"))["games"]
    assert row["result"]["outcome"] == "cancelled"


async def test_what_has_begun_is_not_called_off(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    problem(await ada.post(f"/v1/games/{game}/close"), "table-not-open")
