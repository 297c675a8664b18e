"""Secrets stay where they belong: not in others' bytes, not in problems, not in logs."""

from __future__ import annotations

import logging
import re
from itertools import count
from typing import Any

import pytest
import redis
import structlog

from events.codec import Codec, Stored
from events.kernel import FULL, Viewer
from tests.service.stage import (
    OPERATOR_TOKEN,
    Player,
    Stage,
    Still,
    fresh,
    ok,
    problem,
    stage,
    told,
)
from tests.unlimited import unlimited

PLANTED = "planted-secret"
SEALED = re.compile(rb'"[A-Za-z0-9_-]{43}"')
"""Commitments and hashes: they differ when a secret does, and tell nothing."""


def heard(answer: Any) -> tuple[int, dict[str, str], bytes]:
    """All that an answer tells, hashes masked."""
    return answer.status_code, told(answer), SEALED.sub(b'"*"', answer.content)


async def transcript(store_url: str, clock: Still, option: str) -> list[Any]:
    """What Bob and a stranger hear of a game in which Ada chooses ``option`` in secret."""
    with redis.Redis.from_url(unlimited(store_url)) as client:
        client.flushall()
    names = iter(f"{name:020}" for name in range(1000))
    async with stage(store_url, clock) as on:
        salts = count(1)
        store = on.service.app_context.tables.names.store
        store._new_salt = lambda: next(salts).to_bytes(16, "big")  # what is drawn would differ
        players = []
        for name in ("Ada", "Bob"):
            made = ok(await on.stranger.post("/v1/players", {"name": name}, next(names)), 201)
            players.append(Player(on.http, made["token"]["token"], made["id"]))
        ada, bob = players
        wish = {"rulebook": "first_edition", "mode": "competition", "seats": 2}
        game = ok(await ada.post("/v1/games", wish, next(names)), 201)["game"]
        for player in players:
            ok(await player.post(f"/v1/games/{game}/seats", {}, next(names)), 201)
        path = f"/v1/games/{game}"
        choice = {"option": option}
        chosen = await ada.post(f"{path}/decisions/clue-s1", choice, next(names))
        assert option in chosen.text
        answers = []
        for viewer in (bob, on.stranger):
            answers += [
                await viewer.get(path),
                await viewer.get(f"{path}/state", at=9),
                await viewer.get(f"{path}/events", limit=1000),
                await viewer.get(f"{path}/events", {"accept": "application/x-ndjson"}),
                await viewer.get(f"{path}/record"),
                await viewer.get(f"{path}/log.jsonl"),
                await viewer.get(f"{path}/replay.html"),
                await viewer.get(f"{path}/decisions"),
                await viewer.post(f"{path}/decisions/clue-s1", choice, next(names)),
            ]
        await on.list_up()
        answers.append(await bob.get("/v1/games"))
        return [heard(answer) for answer in answers]


async def test_what_others_hear_does_not_depend_on_a_secret_choice(store_url: str) -> None:
    clock = Still()
    first = await transcript(store_url, clock, "r1c2")
    second = await transcript(store_url, clock, "r2c3")
    assert first == second
    assert any(b'"*"' in content for _, _, content in first)


async def test_an_opening_for_everybody_is_heard_where_events_are_read(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oracle is not deaf: pages of events are opened apart from streams, by the codec alone."""
    honest = Codec.openings

    def openings(self: Codec, stream: str, stored: Stored, _: Viewer, *rest: Any) -> bytes | None:
        return honest(self, stream, stored, FULL, *rest)

    monkeypatch.setattr(Codec, "openings", openings)
    clock = Still()
    first = await transcript(store_url, clock, "r1c2")
    second = await transcript(store_url, clock, "r2c3")
    differ = [one for one, other in zip(first, second, strict=True) if one != other]
    assert len(differ) == 2 * 3  # pages, lines and the log of the game, for Bob and the stranger
    assert all(b'"opened"' in content for _, _, content in differ)


async def test_logs_hold_no_secret(on: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, logger="httpx")  # the client logs what it asks for
    with structlog.testing.capture_logs() as lines:
        ada, bob = await on.player("Ada"), await on.player("Bob")
        game = await on.game(ada, bob)
        path = f"/v1/games/{game}"
        key = f"{PLANTED}-key"
        ok(await ada.post(f"{path}/decisions/clue-s1", {"option": "r1c2"}, key))
        problem(
            await ada.post(f"{path}/decisions/{PLANTED}", {"option": PLANTED}), "decision-not-open"
        )
        problem(await ada.get(f"/v1/games?cursor={PLANTED}"), "bad-cursor")
        problem(await ada.get(f"/v1/{PLANTED}"), "not-found")
        problem(await ada.post("/v1/games", {PLANTED: 1}), "invalid-body")
        problem(await Player(on.http, PLANTED).get("/v1/tokens"), "token-invalid")
        auditor = await on.with_scopes(await on.player("Eve"), "audit")
        await on.inspect(auditor, game)
        ok(await auditor.get(path, {"x-planted": PLANTED, "user-agent": PLANTED}, as_="full"))
    text = str(lines) + str(on.lines) + caplog.text
    assert len(on.lines) > 10
    tables = on.service.app_context.tables
    for secret in (
        PLANTED,
        "r1c2",
        OPERATOR_TOKEN,
        tables.game_key(game),
        "31" * 32,
        *(each.token for each in (ada, bob, auditor) if each.token),
    ):
        assert secret not in text
    known = {
        *("event", "level", "log_level", "method", "route", "status", "ms", "problem", "game"),
        *("player", "request_id", "until"),
    }
    assert {name for line in (*lines, *on.lines) for name in line} <= known


async def test_a_crash_tells_nobody_anything(
    on: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)

    async def crash(*_: object, **__: object) -> None:
        raise RuntimeError(f"the guard is {PLANTED}")

    monkeypatch.setattr(type(on.service.app_context.tables), "view", crash)
    with structlog.testing.capture_logs() as lines:
        answer = await ada.get(f"/v1/games/{game}")
    problem(answer, "internal-error")
    (line,) = [line for line in lines if line["event"] == "request_crashed"]
    assert (line["error"], line["where"][-1].split()[1]) == ("RuntimeError", "crash")
    assert PLANTED not in answer.text + str(lines) + caplog.text


async def test_the_game_key_is_told_at_the_end_and_not_before(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = await on.game(ada, bob)
    key = on.service.app_context.tables.game_key(game)
    path = f"/v1/games/{game}"
    reads = ("", "/events?limit=1000", "/state", "/decisions")
    for player in (ada, bob, on.stranger):
        assert all([key not in (await player.get(f"{path}{read}")).text for read in reads])
    ok(await on.operator.post(f"{path}/annul", {"reason": "other"}))
    assert key in (await on.stranger.get(path)).text


async def test_a_token_is_shown_by_no_later_answer(on: Stage) -> None:
    ada = await on.player()
    made = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}, fresh()), 201)
    secret = made["token"].rpartition(".")[2]
    for path in ("/v1/tokens", f"/v1/players/{ada.id}", "/v1/games", "/metrics"):
        assert secret not in (await ada.get(path)).text
