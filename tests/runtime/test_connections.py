"""Who is connected to any process, as all of them know it."""

from __future__ import annotations

from redis.asyncio import Redis

from events.clients import Client
from runtime.connections import Connections

GAME = "g00-01jdq3v5k8m2n4p6r7s9t0w1xy"
ADA, BOB, CLEO = "p00-ada", "p00-bob", "p00-cleo"


async def test_another_process_knows_who_is_at_the_table_and_who_is_elsewhere(
    client: Client,
) -> None:
    here, there = Connections(client), Connections(client)
    with here.stay(ADA, GAME), here.stay(BOB), there.stay(CLEO, "another game"):
        await here.announce()
        await there.announce()
        for each in (here, there):
            found = await each.at([(each, GAME) for each in (ADA, BOB, CLEO, "p00-dan")])
            assert found == ["here", "away", "away", "disconnected"]


async def test_what_is_announced_holds_for_a_while_and_no_longer(client: Client) -> None:
    lasting, over = Connections(client), Connections(client, holds_ms=0)
    with lasting.stay(ADA, GAME):
        await lasting.announce()
    await lasting.announce()
    assert await lasting.at([(ADA, GAME)]) == ["here"], (
        "a page that is loaded anew shows in nothing"
    )
    assert await over.at([(ADA, GAME)]) == ["disconnected"]


async def test_nobody_is_announced_who_has_gone(client: Client, admin: Redis) -> None:
    one = Connections(client)
    with one.stay(ADA, GAME):
        with one.stay(ADA, GAME):
            pass
        await one.announce()
    await admin.flushall()
    await one.announce()
    assert await one.at([(ADA, GAME)]) == ["disconnected"]
    assert await one.at([]) == []
