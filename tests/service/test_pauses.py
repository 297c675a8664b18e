"""Pauses by agreement over HTTP: proposed, agreed, ended by all or by the clock, and recorded."""

from __future__ import annotations

from typing import Any

import pytest

from games.game_registry import installed_games
from games.table.pausing import PAUSES_MAX
from games.table.pausing import PROPOSALS_SPAN_MS as SPAN_MS
from replay.source import read_file
from replay.verify import audit
from tests.service.stage import Player, Stage, ok, problem


class Table:
    """A running game of two who may want a break."""

    def __init__(self, on: Stage) -> None:
        self.on = on

    async def begin(self) -> None:
        """Seat two, and let the game begin."""
        self.players = [await self.on.player(name) for name in ("Ada", "Bob")]
        self.game = await self.on.game(*self.players, mode="cooperation")
        self.path = f"/v1/games/{self.game}"

    async def ask(self, who: Player, minutes: int = 10) -> Any:
        """Propose a pause."""
        return await who.post(f"{self.path}/pause-proposals", {"minutes": minutes})

    async def vote(self, who: Player, vote: str) -> Any:
        """Say something of it."""
        return await who.post(f"{self.path}/pause-votes", {"vote": vote})

    async def deadline(self) -> int | None:
        """When the running wait is over, for a player."""
        decisions = ok(await self.players[0].get(f"{self.path}/decisions"))["decisions"]
        return next((d["deadline"] for d in decisions if not d["optional"]), None)


@pytest.fixture
async def table(on: Stage) -> Table:
    made = Table(on)
    await made.begin()
    return made


async def test_two_agree_and_play_on_later(table: Table) -> None:
    (ada, bob), clock = table.players, table.on.clock
    before, now = await table.deadline(), clock.now
    assert before is not None
    made = ok(await table.ask(ada))
    asked = {"type": "pause-proposed", "seat": 1, "minutes": 10, "at": now, "until": now + 900_000}
    assert [e["event"] for e in made["events"]] == [asked]
    problem(await table.ask(bob), "pause-proposed-already")
    problem(await table.vote(ada, "agree"), "already-agreed")
    begun = ok(await table.vote(bob, "agree"))["events"]
    assert [e["event"]["type"] for e in begun] == ["pause-agreed", "pause-began"]
    problem(await table.ask(ada), "table-paused")
    assert await table.deadline() is None
    clock.now += 60_000
    ok(await table.vote(ada, "resume"))
    resumed = ok(await table.vote(bob, "resume"))["events"]
    assert [e["event"]["type"] for e in resumed] == ["resumption-agreed", "table-resumed"]
    assert await table.deadline() == before + 60_000
    problem(await table.vote(ada, "resume"), "table-not-paused")


async def test_a_worker_ends_a_pause_once_when_its_time_is_over(table: Table) -> None:
    (ada, bob), clock, tables = table.players, table.on.clock, table.on.service.app_context.tables
    before = await table.deadline()
    ok(await table.ask(ada, 1))
    ok(await table.vote(bob, "agree"))
    clock.now += 59_999
    assert not await tables.time_out(table.game)
    clock.now += 1
    assert await tables.time_out(table.game)
    assert not await tables.time_out(table.game)
    assert before is not None
    assert await table.deadline() == before + 60_000


async def test_what_cannot_be_asked_is_refused_with_a_reason(table: Table) -> None:
    ada, bob = table.players
    eve = await table.on.player("Eve")
    problem(await table.ask(eve), "not-seated")
    for minutes in (0, 1441):
        problem(await table.ask(ada, minutes), "invalid-body")
    problem(await table.vote(ada, "perhaps"), "invalid-body")
    problem(await table.vote(bob, "agree"), "no-pause-proposed")
    ok(await table.ask(ada))
    ok(await table.vote(bob, "decline"))
    problem(await table.vote(bob, "agree"), "no-pause-proposed")
    ok(await table.on.operator.post(f"{table.path}/pause", {"reason": "break"}))
    problem(await table.vote(ada, "resume"), "paused-by-director")


async def test_who_has_no_say_and_who_asks_too_often_is_refused(table: Table) -> None:
    (ada, bob), clock = table.players, table.on.clock
    for _ in range(3):
        ok(await table.ask(ada))
        ok(await table.vote(ada, "decline"))
    problem(await table.ask(ada), "pauses-proposed-too-often")
    clock.now += SPAN_MS
    program = await table.on.with_scopes(await table.on.player("Robin"), "bot")
    game = await table.on.table(ada)
    for who in (ada, program):
        ok(await who.post(f"/v1/games/{game}/seats", {}), 201)
    asked = await program.post(f"/v1/games/{game}/pause-proposals", {"minutes": 1})
    problem(asked, "no-say-in-pauses")
    for number in range(PAUSES_MAX):
        clock.now += SPAN_MS
        ok(await table.ask((ada, bob)[number % 2]))
        ok(await table.vote((bob, ada)[number % 2], "agree"))
        ok(await table.vote(ada, "resume"))
        ok(await table.vote(bob, "resume"))
    clock.now += SPAN_MS
    problem(await table.ask(ada), "too-many-pauses")


async def test_a_choice_made_before_a_proposal_still_holds(table: Table) -> None:
    ada, bob = table.players
    answer = await ada.get(f"{table.path}/decisions")
    decision = next(d for d in ok(answer)["decisions"] if not d["optional"])
    ok(await table.ask(bob))
    choice = {"option": decision["options"][0]["id"]}
    headers = {"if-match": answer.headers["etag"]}
    ok(await ada.post(f"{table.path}/decisions/{decision['id']}", choice, headers=headers))


async def test_a_record_has_the_pause_and_is_verified(table: Table) -> None:
    ada, bob = table.players
    ok(await table.ask(ada, 1))
    ok(await table.vote(bob, "agree"))
    table.on.clock.now += 60_000
    assert await table.on.service.app_context.tables.time_out(table.game)
    ok(await table.on.operator.post(f"{table.path}/annul", {"reason": "mistake"}))
    content = (await table.on.stranger.get(f"{table.path}/record")).content
    for kind in (b"pause-proposed", b"pause-agreed", b"pause-began", b"end-pause"):
        assert content.count(b'"' + kind + b'"') == 1
    found = audit(read_file(content), installed_games())
    assert {finding.status for finding in found.findings} == {"ok"}
    forged = audit(read_file(content.replace(b'"minutes":1', b'"minutes":2')), installed_games())
    assert {finding.status for finding in forged.findings} != {"ok"}
