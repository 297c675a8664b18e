"""Invitations by link over HTTP: whoever has one comes to a private table."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
import structlog

from club.account_events import UseInvitationLink
from events.kernel import Actor
from service.contract.invitation_bodies import DAY_MINUTES
from service.http.principals import token_hash
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, stage

READ, TAKE = "/v1/invitations/read", "/v1/invitations"


async def private(on: Stage, host: Player, **more: Any) -> str:
    return await on.table(host, visibility="private", **more)


async def link_to(host: Player, game: str, **wish: Any) -> Json:
    return ok(await host.post(f"/v1/games/{game}/invitation-links", wish), 201)


async def links_of(host: Player, game: str) -> list[Json]:
    found: list[Json] = ok(await host.get(f"/v1/games/{game}/invitation-links"))["links"]
    return found


async def test_a_link_shows_which_seats_house_bots_have(on: Stage) -> None:
    ada = await on.player("Ada")
    game = await private(on, ada)
    ok(await ada.post(f"/v1/games/{game}/seats", {"bot": "steady"}), 201)
    link = await link_to(ada, game)
    shown = ok(await on.stranger.post(READ, {"secret": link["secret"]}))
    assert shown["bots"] == {"1": "steady"}
    assert shown["names"] == {"1": {"name": "steady 1"}}


async def test_whoever_has_a_link_sees_the_table_and_sits_down(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await private(on, ada)
    await on.sit(game, ada)
    key = fresh()
    path = f"/v1/games/{game}/invitation-links"
    link = ok(await ada.post(path, {}, key), 201)
    assert ok(await ada.post(path, {}, key), 201) == link
    until = on.clock.now + DAY_MINUTES * 60_000
    assert (link["expires_at"], link["uses"]) == (until, None)
    secret = {"secret": link["secret"]}
    problem(await bob.get(f"/v1/games/{game}"), "game-not-found")

    shown = ok(await on.stranger.post(READ, secret))
    assert (shown["id"], shown["host"], shown["joined"]) == (game, "Ada", False)
    assert (shown["game"], shown["rulebook"], shown["seats"]) == ("room25", "first_edition", 2)
    assert [name["name"] for name in shown["names"].values()] == ["Ada"]

    for _ in range(2):
        assert ok(await bob.post(TAKE, secret), 201) == {"game": game}
    assert ok(await bob.post(READ, secret))["joined"] is True
    state = ok(await bob.get(f"/v1/games/{game}"))["state"]
    assert state["invited"] == [bob.id]
    listed = await links_of(ada, game)
    assert listed == [{"id": link["id"], "expires_at": until, "uses": None, "used": 1}]
    await on.sit(game, bob)
    late = await on.player("Cleo")
    problem(await late.post(TAKE, secret), "table-not-open")


async def test_a_link_is_used_up_expires_and_is_withdrawn(on: Stage) -> None:
    ada, bob, eve = await on.player("Ada"), await on.player("Bob"), await on.player("Eve")
    game = await private(on, ada, seats=3, mode="cooperation")
    once = {"secret": (await link_to(ada, game, uses=1))["secret"]}
    short = {"secret": (await link_to(ada, game, minutes=1))["secret"]}
    gone = await link_to(ada, game)
    ok(await bob.post(TAKE, once), 201)
    path = f"/v1/games/{game}/invitation-links/{gone['id']}"
    problem(await bob.delete(path), "not-the-host")
    problem(await bob.get(f"/v1/games/{game}/invitation-links"), "not-the-host")
    problem(await bob.post(f"/v1/games/{game}/invitation-links", {}), "not-the-host")
    problem(await eve.delete(path), "game-not-found")
    for _ in range(2):
        assert (await ada.delete(path)).status_code == 204
    on.clock.now += 60_000
    refused = [
        (once, "invitation-link-used-up"),
        (short, "invitation-link-expired"),
        ({"secret": gone["secret"]}, "invitation-link-withdrawn"),
        ({"secret": "nonsense"}, "unknown-invitation-link"),
        ({"secret": gone["secret"][:-43] + "A" * 43}, "unknown-invitation-link"),
        ({"secret": gone["secret"].replace(game, "gff" + game[3:])}, "unknown-invitation-link"),
        ({"secret": gone["secret"].replace(game, await on.table(ada))}, "unknown-invitation-link"),
    ]
    before = ok(await ada.get(f"/v1/games/{game}"))["version"]
    for secret, code in refused:
        for who, where in ((eve, TAKE), (eve, READ), (on.stranger, READ)):
            problem(await who.post(where, secret), code)
    assert ok(await ada.get(f"/v1/games/{game}"))["version"] == before
    assert await links_of(ada, game) == []
    assert ok(await bob.post(TAKE, once), 201) == {"game": game}


async def test_whom_the_host_has_uninvited_does_not_come_back_by_the_link(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await private(on, ada)
    secret = {"secret": (await link_to(ada, game))["secret"]}
    ok(await bob.post(TAKE, secret), 201)
    ok(await ada.delete(f"/v1/games/{game}/invitations/{bob.id}"))
    problem(await bob.post(TAKE, secret), "unknown-invitation-link")
    problem(await bob.get(f"/v1/games/{game}"), "game-not-found")


async def test_whoever_asks_again_ends_what_a_dead_process_had_begun(on: Stage) -> None:
    """The use was counted, and the process died before the player was invited."""
    ada, bob, eve = await on.player("Ada"), await on.player("Bob"), await on.player("Eve")
    game = await private(on, ada)
    link = await link_to(ada, game, uses=1)
    accounts = on.service.app_context.account_service
    named = accounts.name_request(f"invitation-link@{link['id']}", bob.id, game.encode())
    use = UseInvitationLink(secret_hash=token_hash(link["secret"]))
    await accounts.execute(ada.id, use, Actor("player", bob.id), named)
    problem(await bob.get(f"/v1/games/{game}"), "game-not-found")
    secret = {"secret": link["secret"]}
    problem(await eve.post(TAKE, secret), "invitation-link-used-up")
    assert ok(await bob.post(TAKE, secret), 201) == {"game": game}
    ok(await bob.get(f"/v1/games/{game}"))


async def test_a_table_takes_no_more_by_links_than_it_may_invite(store_url: str) -> None:
    async with stage(store_url, invitations_per_table=1) as on:
        ada, bob, eve = await on.player("Ada"), await on.player("Bob"), await on.player("Eve")
        game = await private(on, ada)
        secret = {"secret": (await link_to(ada, game))["secret"]}
        ok(await bob.post(TAKE, secret), 201)
        problem(await eve.post(TAKE, secret), "invitation-link-used-up")
        assert [link["used"] for link in await links_of(ada, game)] == [1]
        problem(await eve.get(f"/v1/games/{game}"), "game-not-found")


async def test_a_full_table_and_one_that_was_called_off_take_nobody(on: Stage) -> None:
    ada, bob, eve = await on.player("Ada"), await on.player("Bob"), await on.player("Eve")
    game = await private(on, ada, start="host")
    secret = {"secret": (await link_to(ada, game))["secret"]}
    ok(await bob.post(TAKE, secret), 201)
    await on.sit(game, ada, bob)
    problem(await eve.post(TAKE, secret), "no-free-seat")
    ok(await ada.post(f"/v1/games/{game}/close"))
    problem(await on.stranger.post(READ, secret), "table-not-open")
    problem(await ada.post(f"/v1/games/{game}/invitation-links", {}), "table-not-open")


async def test_what_a_link_must_not_be(on: Stage) -> None:
    ada = await on.player("Ada")
    game = await private(on, ada)
    path = f"/v1/games/{game}/invitation-links"
    for wish in ({"minutes": 0}, {"minutes": 10_081}, {"uses": 0}, {"uses": 51}, {"more": 1}):
        problem(await ada.post(path, wish), "invalid-body")
    problem(await on.stranger.post(path, {}), "token-needed")
    problem(await on.stranger.post(TAKE, {"secret": "x"}), "token-needed")
    problem(await ada.delete(f"{path}/i0000000000000000"), "unknown-invitation-link")
    for _ in range(20):
        await link_to(ada, game)
    problem(await ada.post(path, {}), "too-many-invitation-links")


async def test_a_deleted_host_invites_nobody(on: Stage) -> None:
    ada = await on.player("Ada")
    game = await private(on, ada)
    secret = {"secret": (await link_to(ada, game))["secret"]}
    assert (await ada.delete(f"/v1/players/{ada.id}")).status_code == 204
    problem(await on.stranger.post(READ, secret), "unknown-invitation-link")


async def test_no_secret_of_an_invitation_is_in_a_log_or_a_later_answer(
    on: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, logger="httpx")  # the client logs what it asks for
    with structlog.testing.capture_logs() as lines:
        ada, bob = await on.player("Ada"), await on.player("Bob")
        game = await private(on, ada)
        link = await link_to(ada, game, uses=1)
        ok(await on.stranger.post(READ, {"secret": link["secret"]}))
        ok(await bob.post(TAKE, {"secret": link["secret"]}), 201)
        wrong = await on.stranger.post(READ, {"secret": link["secret"]})
        problem(wrong, "invitation-link-used-up")
    later = json.dumps([await links_of(ada, game), ok(await bob.get(f"/v1/games/{game}/events"))])
    log = on.service.app_context.tables.log
    entries = [entry for stream in (ada.id, game) for entry in await log.read(stream)]
    stored = b"".join(e.public + (e.private or b"") for e in entries).decode("latin-1")
    logged = str(lines) + str(on.lines) + caplog.text
    told = link["secret"].rpartition(".")[2]
    assert [told in text for text in (logged, later, stored, wrong.text)] == [False] * 4
