"""Passkeys over HTTP: made by who is signed in, used by who is not, and all that is refused."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
import structlog

from events.seal import text_of
from service.access.challenges import GOOD_MS, KNOWN_MS
from service.access.passkey_site import PasskeySite
from tests.service.authenticator import ORIGIN, PRESENT, Passkey
from tests.service.stage import Json, Player, Stage, fresh, ok, problem, settings_for, stage

PASSKEYS, BEGIN = "/v1/passkeys", "/v1/passkeys/challenge"
SIGN_INS, BEGIN_SIGN_IN = "/v1/sign-ins/passkey", "/v1/sign-ins/passkey/challenge"


async def asked(who: Player, path: str = BEGIN) -> Json:
    return ok(await who.post(path), 201)


async def made(player: Player, passkey: Passkey | None = None, label: str = "") -> Passkey:
    """A passkey of a player."""
    passkey = passkey or Passkey()
    body = passkey.made(await asked(player)) | {"label": label}
    ok(await player.post(PASSKEYS, body), 201)
    return passkey


async def signed(on: Stage, passkey: Passkey, **more: Any) -> Json:
    """What a passkey signs for somebody who signs in."""
    return passkey.signed(await asked(on.stranger, BEGIN_SIGN_IN), **more)


async def listed(player: Player) -> list[Json]:
    found: list[Json] = ok(await player.get("/v1/tokens"))["passkeys"]
    return found


async def version_of(on: Stage, player: Player) -> int:
    head = await on.service.app_context.tables.log.head(player.id)
    assert head is not None
    return head.version


async def test_a_passkey_signs_its_player_in_who_has_typed_nothing(on: Stage) -> None:
    ada = await on.player("Ada")
    begun = await asked(ada)
    assert (begun["domain"], begun["name"], begun["exclude"]) == ("localhost", "Ada", [])
    assert begun["expires_at"] == on.clock.now + GOOD_MS
    key = fresh()
    once, again = [await ada.post(BEGIN, key=key) for _ in range(2)]
    assert once.content == again.content
    assert ok(once, 201)["challenge"] != begun["challenge"]
    passkey, key = Passkey(), fresh()
    body = passkey.made(begun) | {"label": "the phone"}
    first = await ada.post(PASSKEYS, body, key)
    shown = ok(first, 201)
    again = await ada.post(PASSKEYS, body, key)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert shown["label"] == "the phone"
    assert await listed(ada) == [shown]
    assert (await asked(ada))["exclude"] == [text_of(passkey.id)]

    on.clock.now += 1000
    proof, key = await signed(on, passkey), fresh()
    first = await on.stranger.post(SIGN_INS, proof, key)
    arrived = ok(first, 201)
    assert (arrived["id"], arrived["name"], arrived["token"]["scopes"]) == (ada.id, "Ada", ["play"])
    again = await on.stranger.post(SIGN_INS, proof, key)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    other = Player(on.http, arrived["token"]["token"], ada.id)
    tokens = ok(await other.get("/v1/tokens"))["tokens"]
    assert [token["origin"] for token in tokens] == ["registration", "passkey"]
    assert (await listed(other))[0]["last_used_at"] == on.clock.now


async def test_passkeys_are_labelled_and_revoked_one_by_one(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    kept, lost = await made(ada, label="kept"), await made(ada)
    first, second = await listed(ada)
    path = f"{PASSKEYS}/{second['id']}"
    assert (await ada.post(f"{path}/label", {"label": "lost"})).status_code == 204
    assert [each["label"] for each in await listed(ada)] == ["kept", "lost"]
    problem(await ada.post(f"{path}/label", {"label": "\n"}), "bad-label")
    problem(await eve.post(f"{path}/label", {"label": "mine"}), "unknown-passkey")
    problem(await eve.delete(path), "unknown-passkey")
    for _ in range(2):
        assert (await ada.delete(path)).status_code == 204
    problem(await ada.post(f"{path}/label", {"label": "gone"}), "passkey-revoked")
    problem(await on.stranger.post(SIGN_INS, await signed(on, lost)), "passkey-revoked")
    ok(await on.stranger.post(SIGN_INS, await signed(on, kept)), 201)
    assert [each["revoked_at"] for each in await listed(ada)] == [None, on.clock.now]
    assert first["revoked_at"] is None


async def test_what_signs_nobody_in_changes_nothing(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    passkey, foreign = await made(ada), await made(eve)
    before = await version_of(on, ada)
    good = await signed(on, passkey)
    refused: list[tuple[Json, str]] = [
        (await signed(on, passkey, origin="https://elsewhere.example"), "passkey-other-site"),
        (await signed(on, passkey, origin="http://localhost.example"), "passkey-other-site"),
        (await signed(on, passkey, domain="elsewhere.example"), "passkey-other-site"),
        (await signed(on, passkey, framed=True), "passkey-other-site"),
        (await signed(on, passkey, challenge=text_of(b"x" * 32)), "passkey-challenge-unknown"),
        (passkey.signed(await asked(ada)), "passkey-challenge-unknown"),
        (await signed(on, passkey, flags=PRESENT), "passkey-invalid"),
        (await signed(on, passkey, flags=0), "passkey-invalid"),
        (await signed(on, passkey, deed="webauthn.create"), "passkey-invalid"),
        (good | {"signature": (await signed(on, passkey))["signature"]}, "passkey-invalid"),
        (good | {"signature": "AAAA"}, "passkey-invalid"),
        (good | {"client_data": text_of(b"[]")}, "passkey-invalid"),
        (good | {"client_data": text_of(b'{"type":1}')}, "passkey-invalid"),
        (good | {"client_data": "A"}, "passkey-invalid"),
        (good | {"authenticator_data": good["authenticator_data"][:44]}, "passkey-invalid"),
        (await signed(on, foreign) | {"user": passkey.user}, "unknown-passkey"),
        (good | {"credential": text_of(foreign.id)}, "unknown-passkey"),
        (good | {"user": foreign.user}, "unknown-passkey"),
        (good | {"user": text_of(b"p00-" + b"0" * 26)}, "unknown-passkey"),
        (good | {"user": text_of(b"pff-" + b"0" * 26)}, "unknown-passkey"),
        (good | {"user": text_of(b"\xff")}, "unknown-passkey"),
        (good | {"signature": "no base64url"}, "invalid-body"),
    ]
    for body, code in refused:
        problem(await on.stranger.post(SIGN_INS, body), code)
    assert await version_of(on, ada) == before
    assert len(ok(await ada.get("/v1/tokens"))["tokens"]) == 1
    ok(await on.stranger.post(SIGN_INS, await signed(on, passkey)), 201)


async def test_a_challenge_is_good_once_and_for_five_minutes(on: Stage) -> None:
    ada = await on.player()
    passkey = await made(ada, Passkey(counter=None))
    proof, key = await signed(on, passkey), fresh()
    first = ok(await on.stranger.post(SIGN_INS, proof, key), 201)
    for _ in range(2):
        problem(await on.stranger.post(SIGN_INS, proof, "replayed" * 3), "passkey-challenge-used")
    assert ok(await on.stranger.post(SIGN_INS, proof, key), 201) == first
    assert len(ok(await ada.get("/v1/tokens"))["tokens"]) == 2
    late, new = await signed(on, passkey), Passkey()
    body = new.made(await asked(ada))
    on.clock.now += GOOD_MS
    problem(await on.stranger.post(SIGN_INS, late), "passkey-challenge-expired")
    problem(await ada.post(PASSKEYS, body), "passkey-challenge-expired")
    assert len(await listed(ada)) == 1
    ok(await on.stranger.post(SIGN_INS, await signed(on, passkey)), 201)


async def test_a_passkey_that_counts_backwards_may_be_a_copy(on: Stage) -> None:
    ada = await on.player()
    passkey = await made(ada)
    ok(await on.stranger.post(SIGN_INS, await signed(on, passkey)), 201)
    passkey.counter = 0
    before = await version_of(on, ada)
    problem(await on.stranger.post(SIGN_INS, await signed(on, passkey)), "passkey-counter-behind")
    assert await version_of(on, ada) == before
    ok(await on.stranger.post(SIGN_INS, await signed(on, passkey)), 201)


async def test_what_is_no_new_passkey_is_refused_and_changes_nothing(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    passkey = await made(ada)
    before = await version_of(on, ada)

    async def tried(**more: Any) -> Json:
        return Passkey().made(await asked(ada), **more)

    good = await tried()
    strangers = Passkey().made((await asked(ada)) | await asked(on.stranger, BEGIN_SIGN_IN))
    refused: list[tuple[Json, str]] = [
        (await tried(origin="https://elsewhere.example"), "passkey-other-site"),
        (await tried(domain="elsewhere.example"), "passkey-other-site"),
        (await tried(challenge=text_of(b"x" * 32)), "passkey-challenge-unknown"),
        (Passkey().made(await asked(eve)), "passkey-challenge-unknown"),
        (strangers, "passkey-challenge-unknown"),
        (await tried(flags=PRESENT), "passkey-invalid"),
        (await tried(deed="webauthn.get"), "passkey-invalid"),
        (good | {"attestation": "oA"}, "passkey-invalid"),
        (good | {"attestation": text_of(b"\x9f" * 900)}, "passkey-invalid"),
        (good | {"label": "\n"}, "bad-label"),
        (passkey.made(await asked(ada)), "passkey-exists"),
    ]
    for body, code in refused:
        problem(await ada.post(PASSKEYS, body), code)
    assert await version_of(on, ada) == before
    problem(await ada.post(PASSKEYS, good | {"more": 1}), "invalid-body")
    ok(await ada.post(PASSKEYS, good), 201)


async def test_an_account_has_so_many_passkeys_and_a_program_none(on: Stage) -> None:
    ada = await on.player()
    bot = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    program = Player(on.http, bot["token"], ada.id)
    for path in (BEGIN, PASSKEYS):
        problem(await program.post(path, None if path == BEGIN else {}), "scope-missing")
    problem(await on.stranger.post(BEGIN), "token-needed")
    for _ in range(20):
        await made(ada)
    problem(await ada.post(PASSKEYS, Passkey().made(await asked(ada))), "too-many-passkeys")


async def test_a_deleted_account_has_no_passkeys(on: Stage) -> None:
    ada = await on.player()
    passkey = await made(ada)
    proof = await signed(on, passkey)
    assert (await ada.delete(f"/v1/players/{ada.id}")).status_code == 204
    problem(await on.stranger.post(SIGN_INS, proof), "unknown-passkey")


async def test_what_is_signed_before_another_process_is_checked_by_this_one(
    on: Stage, store_url: str
) -> None:
    """Challenges are in the store: whichever process is asked knows them."""
    prefix = on.service.app_context.settings.prefix
    ada = await on.player()
    async with stage(store_url, on.clock, prefix=prefix) as other:
        passkey = await made(Player(other.http, ada.token, ada.id))
        proof = passkey.signed(await asked(other.stranger, BEGIN_SIGN_IN))
        ok(await on.stranger.post(SIGN_INS, proof), 201)
        problem(await other.stranger.post(SIGN_INS, proof), "passkey-challenge-used")


async def test_a_service_without_a_name_has_no_passkeys(store_url: str) -> None:
    async with stage(store_url, host="192.0.2.1") as on:
        ada = await on.player()
        problem(await ada.post(BEGIN), "passkeys-unavailable")
        problem(await on.stranger.post(BEGIN_SIGN_IN), "passkeys-unavailable")
        proof = Passkey().signed({"challenge": "AAAA", "domain": "localhost"}) | {"user": "AAAA"}
        problem(await on.stranger.post(SIGN_INS, proof), "passkeys-unavailable")


@pytest.mark.parametrize(
    ("settings", "domain", "yes", "no"),
    [
        ({}, "localhost", ORIGIN, "http://127.0.0.1:8025"),
        ({"public_url": "https://a.example"}, "a.example", "https://a.example", ORIGIN),
        (
            {"public_url": "https://a.example:443"},
            "a.example",
            "https://a.example",
            "http://a.example",
        ),
        (
            {"passkey_domain": "example", "passkey_origins": ("https://b.example",)},
            "example",
            "https://b.example",
            "https://c.example",
        ),
    ],
)
def test_passkeys_are_for_the_service_s_own_pages(
    settings: Json, domain: str, yes: str, no: str
) -> None:
    site = PasskeySite.of(settings_for("redis://localhost:1", **settings))
    assert site is not None
    assert (site.domain, site.accepts(yes), site.accepts(no)) == (domain, True, False)


def test_an_address_is_no_name() -> None:
    for settings in ({"public_url": "https://192.0.2.1"}, {"public_url": "http://[::1]:80"}):
        assert PasskeySite.of(settings_for("redis://localhost:1", **settings)) is None


async def test_no_challenge_or_key_of_a_passkey_is_in_a_log_or_in_the_clear(
    on: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, logger="httpx")  # the client logs what it asks for
    with structlog.testing.capture_logs() as lines:
        ada = await on.player()
        passkey, begun = Passkey(), await asked(ada)
        ok(await ada.post(PASSKEYS, passkey.made(begun) | {"label": "the phone"}), 201)
        asked_for = await asked(on.stranger, BEGIN_SIGN_IN)
        proof = passkey.signed(asked_for)
        wrong = await on.stranger.post(SIGN_INS, proof | {"signature": "AAAA"})
        problem(wrong, "passkey-invalid")
        arrived = ok(await on.stranger.post(SIGN_INS, proof), 201)
    later = json.dumps(ok(await ada.get("/v1/tokens")))
    log = on.service.app_context.tables.log
    entries = await log.read(ada.id)
    stored = b"".join(e.public + (e.private or b"") for e in entries).decode("latin-1")
    prefix = on.service.app_context.settings.prefix
    keys = [key.decode() async for key in on.store.scan_iter(f"{prefix}*challenge*")]
    assert len(keys) >= 3
    assert all([0 < await on.store.pttl(key) <= KNOWN_MS for key in keys])
    held = str(keys) + str([await on.store.get(key) for key in keys])
    logged = str(lines) + str(on.lines) + caplog.text
    token = arrived["token"]["token"].rpartition(".")[2]
    for told in (begun["challenge"], asked_for["challenge"], proof["credential"], token):
        assert [told in text for text in (logged, later, stored, held, wrong.text)] == [False] * 5
    assert "the phone" not in stored
