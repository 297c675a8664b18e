"""Device links and recovery files over HTTP: a token for a browser that has none."""

from __future__ import annotations

import json
import logging

import pytest
import structlog

from club.sign_ins import LINK_LASTS_MS
from tests.service.stage import Json, Player, Stage, fresh, ok, problem

LINKS, FILES = "/v1/sign-ins/device-link", "/v1/sign-ins/recovery-file"


async def link_of(player: Player) -> Json:
    return ok(await player.post("/v1/device-links"), 201)


async def file_of(player: Player) -> Json:
    return ok(await player.post("/v1/recovery-file"), 201)


async def tokens_of(player: Player) -> Json:
    return ok(await player.get("/v1/tokens"))


async def test_a_link_signs_one_device_in_and_no_second_one(on: Stage) -> None:
    ada = await on.player("Ada")
    link = await link_of(ada)
    assert link["expires_at"] == on.clock.now + LINK_LASTS_MS
    shown = await tokens_of(ada)
    assert shown["device_link"] == {"id": link["id"], "expires_at": link["expires_at"]}
    key, secret = fresh(), {"secret": link["secret"]}
    first = await on.stranger.post(LINKS, secret, key)
    made = ok(first, 201)
    assert (made["id"], made["name"], made["token"]["scopes"]) == (ada.id, "Ada", ["play"])
    other = Player(on.http, made["token"]["token"], ada.id)
    shown = await tokens_of(other)
    assert [(t["origin"], t["current"]) for t in shown["tokens"]] == [
        ("registration", False),
        ("device-link", True),
    ]
    assert shown["device_link"] is None
    again = await on.stranger.post(LINKS, secret, key)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    for _ in range(2):
        problem(await on.stranger.post(LINKS, secret), "device-link-used")
    assert len((await tokens_of(ada))["tokens"]) == 2


async def test_a_link_is_good_for_ten_minutes(on: Stage) -> None:
    ada = await on.player()
    link = await link_of(ada)
    on.clock.now += LINK_LASTS_MS
    problem(await on.stranger.post(LINKS, {"secret": link["secret"]}), "device-link-expired")
    shown = await tokens_of(ada)
    assert (len(shown["tokens"]), shown["device_link"]) == (1, None)


async def test_a_withdrawn_link_signs_nobody_in(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    link = await link_of(ada)
    path = f"/v1/device-links/{link['id']}"
    problem(await eve.delete(path), "unknown-device-link")
    for _ in range(2):
        assert (await ada.delete(path)).status_code == 204
    problem(await on.stranger.post(LINKS, {"secret": link["secret"]}), "unknown-device-link")


async def test_a_link_goes_with_the_token_that_asked_for_it(on: Stage) -> None:
    """Whoever has stolen a token must not come back by a link made with it."""
    ada = await on.player()
    stolen = ok(await ada.post("/v1/tokens", {"scopes": ["play"]}), 201)
    link = await link_of(Player(on.http, stolen["token"], ada.id))
    assert (await ada.delete("/v1/tokens")).status_code == 204
    problem(await on.stranger.post(LINKS, {"secret": link["secret"]}), "unknown-device-link")


async def test_what_is_no_secret_signs_nobody_in(on: Stage) -> None:
    ada = await on.player()
    link, file = await link_of(ada), await file_of(ada)
    foreign = ada.id[:-1] + ("0" if ada.id[-1] != "0" else "1")
    links = (
        *("nonsense", file["secret"], str(ada.token)),
        f"plr-link.{ada.id}.{'A' * 43}",
        link["secret"].replace(ada.id, foreign),
        link["secret"].replace(ada.id, "pff" + ada.id[3:]),
    )
    for secret in links:
        problem(await on.stranger.post(LINKS, {"secret": secret}), "unknown-device-link")
    for secret in (link["secret"], file["secret"].replace(ada.id, foreign), "x"):
        problem(await on.stranger.post(FILES, {"secret": secret}), "recovery-file-invalid")
    problem(await on.stranger.post(FILES, {"secret": "x" * 129}), "invalid-body")
    assert len((await tokens_of(ada))["tokens"]) == 1


async def test_a_recovery_file_gives_a_lost_account_back(on: Stage) -> None:
    ada = await on.player("Ada")
    older, newer = await file_of(ada), await file_of(ada)
    assert (await tokens_of(ada))["recovery_file_made_at"] == on.clock.now
    (first,) = (await tokens_of(ada))["tokens"]
    assert (await ada.delete(f"/v1/tokens/{first['id']}")).status_code == 204
    problem(await on.stranger.post(FILES, {"secret": older["secret"]}), "recovery-file-invalid")
    made = ok(await on.stranger.post(FILES, {"secret": newer["secret"]}), 201)
    back = Player(on.http, made["token"]["token"], made["id"])
    assert (made["id"], made["name"]) == (ada.id, "Ada")
    assert [token["origin"] for token in (await tokens_of(back))["tokens"]] == [
        "registration",
        "recovery-file",
    ]
    assert (await back.delete(f"/v1/players/{ada.id}")).status_code == 204
    problem(await on.stranger.post(FILES, {"secret": newer["secret"]}), "recovery-file-invalid")


async def test_a_program_makes_neither_links_nor_files(on: Stage) -> None:
    ada = await on.player()
    bot = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    program = Player(on.http, bot["token"], ada.id)
    for path in ("/v1/device-links", "/v1/recovery-file"):
        problem(await program.post(path), "scope-missing")
        problem(await on.stranger.post(path), "token-needed")


async def test_pages_of_other_sites_sign_nobody_in(on: Stage) -> None:
    """The service listens on one machine here, so it tells pages of others at once."""
    foreign = {"origin": "https://elsewhere.example"}
    for path in (LINKS, FILES):
        answer = await on.stranger.post(path, {"secret": "x"}, headers=foreign)
        assert "access-control-allow-origin" not in answer.headers


async def test_no_secret_of_a_sign_in_is_in_a_log_or_a_later_answer(
    on: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, logger="httpx")  # the client logs what it asks for
    with structlog.testing.capture_logs() as lines:
        ada = await on.player()
        link, file = await link_of(ada), await file_of(ada)
        signed = [
            ok(await on.stranger.post(path, {"secret": each["secret"]}), 201)
            for path, each in ((LINKS, link), (FILES, file))
        ]
        problem(await on.stranger.post(LINKS, {"secret": link["secret"]}), "device-link-used")
        wrong = await on.stranger.post(FILES, {"secret": file["secret"] + "x"})
        problem(wrong, "recovery-file-invalid")
    later = json.dumps(await tokens_of(ada))
    log = on.service.app_context.tables.log
    stored = b"".join(e.public + (e.private or b"") for e in await log.read(ada.id)).decode(
        "latin-1"
    )
    logged = str(lines) + str(on.lines) + caplog.text
    assert len(on.lines) > 6
    for secret in (link["secret"], file["secret"], *(each["token"]["token"] for each in signed)):
        told = secret.rpartition(".")[2]
        assert [told in text for text in (logged, later, stored, wrong.text)] == [False] * 4
