"""Phrases over HTTP: said once, heard by everybody, in the record, and refused with a reason."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from games.game_registry import installed_games
from replay.source import read_file
from replay.verify import audit
from tests.jammed import HUSH
from tests.service.stage import Player, Stage, ok, problem

SAFE = {"phrase": "safe_here", "place": "r1c2"}


class Table:
    """A running game in which people talk."""

    def __init__(self, on: Stage) -> None:
        self.on = on

    async def begin(self, **more: Any) -> None:
        """Seat four, and let the game begin."""
        names = ("Ada", "Bob", "Cy", "Di")
        self.players = [await self.on.player(name) for name in names]
        game = await self.on.game(*self.players, **({"mode": "suspicion"} | more))
        self.game, self.path = game, f"/v1/games/{game}"

    async def say(self, who: Player, body: dict[str, Any], key: str | None = None) -> Any:
        """Ask to say something."""
        return await who.post(f"{self.path}/phrases", body, key)

    async def heard(self, who: Any) -> list[dict[str, Any]]:
        """The phrases in somebody's stream."""
        events = ok(await who.get(f"{self.path}/events", limit=1000))["events"]
        return [e["event"] for e in events if e["event"]["type"] == "phrase-said"]

    async def version(self) -> int:
        """The newest version, for a player."""
        return int(ok(await self.players[0].get(self.path))["version"])


@pytest.fixture
async def table(on: Stage) -> Table:
    made = Table(on)
    await made.begin()
    return made


async def test_a_phrase_is_heard_by_everybody_with_its_author_and_target(table: Table) -> None:
    ada, bob = table.players[:2]
    made = ok(await table.say(ada, SAFE))
    ok(await table.say(bob, {"phrase": "accuse", "to": 1}))
    at = table.on.clock.now
    safe = {"type": "phrase-said", "seat": 1, "at": at, **SAFE}
    accuse = {"type": "phrase-said", "seat": 2, "at": at, "phrase": "accuse", "to": 1}
    assert [e["event"] for e in made["events"]] == [safe]
    for who in (table.on.stranger, *table.players):
        assert await table.heard(who) == [safe, accuse]


async def test_a_phrase_that_comes_twice_is_said_once(table: Table) -> None:
    ada = table.players[0]
    both = await asyncio.gather(*(table.say(ada, SAFE, "same-key-same-key") for _ in range(2)))
    assert both[0].content == both[1].content
    assert len(await table.heard(ada)) == 1
    other = await table.say(ada, {"phrase": "thanks"}, "same-key-same-key")
    problem(other, "idempotency-key-reused")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"phrase": "free text"}, "unknown-phrase"),
        ({"phrase": "hello_world"}, "unknown-phrase"),
        ({"phrase": "safe_here"}, "phrase-to-nobody"),
        ({"phrase": "safe_here", "place": "r9c9"}, "phrase-to-nobody"),
        ({"phrase": "accuse", "to": 9}, "phrase-to-nobody"),
        ({"phrase": "laugh", "to": 2}, "phrase-target-not-allowed"),
        ({"phrase": "thanks", "text": "hello"}, "invalid-body"),
    ],
)
async def test_what_cannot_be_said_changes_nothing(
    table: Table, body: dict[str, Any], code: str
) -> None:
    before = await table.version()
    problem(await table.say(table.players[0], body), code)
    assert await table.version() == before


async def test_spectators_say_nothing(table: Table) -> None:
    eve = await table.on.player("Eve")
    problem(await table.say(eve, SAFE), "not-seated")


async def test_too_fast_is_refused_until_time_has_passed(table: Table) -> None:
    ada, clock = table.players[0], table.on.clock
    for _ in range(3):
        ok(await table.say(ada, SAFE))
    clock.now += 14_999
    problem(await table.say(ada, SAFE), "phrases-too-fast")
    clock.now += 1
    ok(await table.say(ada, SAFE))


async def test_nobody_talks_after_the_end(table: Table) -> None:
    ok(await table.on.operator.post(f"{table.path}/annul", {"reason": "mistake"}))
    problem(await table.say(table.players[0], SAFE), "game-over")


async def test_choices_made_before_a_phrase_still_hold(table: Table) -> None:
    ada, bob = table.players[:2]
    answer = await ada.get(f"{table.path}/decisions")
    decision = next(d for d in ok(answer)["decisions"] if not d["optional"])
    ok(await table.say(bob, {"phrase": "thanks"}))
    choice = {"option": decision["options"][0]["id"]}
    headers = {"if-match": answer.headers["etag"]}
    path = f"{table.path}/decisions/{decision['id']}"
    ok(await ada.post(path, choice, headers=headers))


async def test_spectators_hear_it_as_late_as_everything_else(on: Stage) -> None:
    table = Table(on)
    await table.begin(delay={"seconds": 60})
    ok(await table.say(table.players[0], SAFE))
    assert await table.heard(table.on.stranger) == []
    assert len(await table.heard(table.players[1])) == 1
    on.clock.now += 61_000
    assert len(await table.heard(table.on.stranger)) == 1


async def test_a_record_has_them_and_is_verified(table: Table) -> None:
    ok(await table.say(table.players[0], SAFE))
    ok(await table.say(table.players[1], {"phrase": "accuse", "to": 1}))
    ok(await table.on.operator.post(f"{table.path}/annul", {"reason": "mistake"}))
    content = (await table.on.stranger.get(f"{table.path}/record")).content
    assert content.count(b'"phrase-said"') == 2
    assert content.count(b'"say-phrase"') == 2
    found = audit(read_file(content), installed_games())
    assert {finding.status for finding in found.findings} == {"ok"}
    forged = audit(read_file(content.replace(b'"safe_here"', b'"stay_away"')), installed_games())
    assert {finding.status for finding in forged.findings} != {"ok"}


async def test_in_a_jammed_complex_nobody_talks(on: Stage) -> None:
    table = Table(on)
    table.players = [await on.player(name) for name in ("Ada", "Bob")]
    wish = {"rulebook": "ultimate", "mode": "cooperation", "scenario": HUSH}
    table.game = await on.game(*table.players, **wish)
    table.path = f"/v1/games/{table.game}"
    before = await table.version()
    for who in table.players:
        problem(await table.say(who, {"phrase": "thanks"}), "phrases-silenced")
    assert await table.version() == before
