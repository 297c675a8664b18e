"""What others hear does not depend on a secret, also through losses, failovers and healing.

The oracle of ``tests/service/test_secrets``: one game is played twice, with another secret choice
each time. What its opponent and a stranger hear, before the store loses it, while it is gone and
after it was put back, is the same to the byte, but for commitments and hashes.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from events.layout import slot, tag
from runtime.embedded.cluster import EmbeddedCluster
from tests.conftest import Sometimes
from tests.homes import passing_home
from tests.lossy import Lossy
from tests.ops.test_journal import may_write, there, version_of
from tests.ops.test_journal_cluster import fail_over, is_level, service
from tests.runtime.stage import until
from tests.service.listening import PATIENCE_S
from tests.service.stage import Player, Stage, ok
from tests.service.test_secrets import heard

CHOICES = ("r1c2", "r2c3")
NDJSON = {"accept": "application/x-ndjson"}
Loss = Callable[[], Awaitable[None]]
Answer = tuple[int, dict[str, str], bytes]
Heard = list[Answer]
TIME = re.compile(rb"\b1[0-9]{12}\b")


class SecretGame:
    """A game of two, in which one is about to choose in secret; all that is drawn is the same."""

    def __init__(self, on: Stage) -> None:
        self.on = on
        self._names = (f"{name:020}" for name in count())
        self.game = ""

    async def begin(self, fits: Callable[[str], bool] = lambda _: True) -> None:
        """Register, and open a table whose id fits."""
        salts = count(1)
        store = self.on.service.app_context.tables.names.store
        store._new_salt = lambda: next(salts).to_bytes(16, "big")  # noqa: SLF001 (what is drawn would differ)
        self.players = []
        for name in ("Ada", "Bob"):
            made = await self._post(self.on.stranger, "/v1/players", {"name": name})
            self.players.append(Player(self.on.http, made["token"]["token"], made["id"]))
        wish = {"rulebook": "first_edition", "mode": "competition", "seats": 2}
        while not self.game or not fits(self.game):
            self.game = (await self._post(self.players[0], "/v1/games", wish))["game"]
        for player in self.players:
            await self._post(player, f"/v1/games/{self.game}/seats", {})

    async def choose(self, option: str) -> int:
        """Make the secret choice; the version that it leads to."""
        path = f"/v1/games/{self.game}/decisions/clue-s1"
        made = await self.players[0].post(path, {"option": option}, next(self._names))
        assert option in made.text, "who chooses is told"
        return int(ok(made)["version"])

    async def heard(self) -> Heard:
        """All that the others hear of it now."""
        path, found = f"/v1/games/{self.game}", []
        for viewer in (self.players[1], self.on.stranger):
            found += [
                await viewer.get(path),
                await viewer.get(f"{path}/state"),
                await viewer.get(f"{path}/events", limit=1000),
                await viewer.get(f"{path}/events", NDJSON),
                await viewer.get(f"{path}/record"),
                await viewer.get(f"{path}/log.jsonl"),
                await viewer.get(f"{path}/replay.html"),
                await viewer.get(f"{path}/decisions"),
            ]
        return [self._since_the_beginning(heard(answer)) for answer in found]

    def _since_the_beginning(self, said: Answer) -> Answer:
        """The same with each time as the distance from when the run began, which stands still."""
        status, headers, content = said
        began = self.on.clock.now
        return status, headers, TIME.sub(lambda at: b"now%+d" % (int(at[0]) - began), content)

    async def is_back(self, version: int) -> None:
        """Wait until a version is shown again, and the service writes."""
        async with asyncio.timeout(PATIENCE_S):
            while await version_of(self.game, self.on.stranger) < version:  # noqa: ASYNC110 (nobody is told)
                await asyncio.sleep(0.02)
        await may_write(self.on)

    async def _post(self, by: Player, path: str, wish: Any) -> Any:
        return ok(await by.post(path, wish, next(self._names)), 201)


async def set_back(home: Path, option: str) -> Heard:
    """What others hear of a game whose store was set back, and healed from the journal."""
    lossy = Lossy(home)
    lossy.store.start()
    try:
        async with there(lossy) as on:
            game = SecretGame(on)
            await game.begin()
            lossy.mark()
            await may_write(on)
            known = await game.choose(option)
            before = await game.heard()
            lossy.lose()
            await game.is_back(known)
            after = await game.heard()
    finally:
        lossy.store.stop()
    return before + after


async def failed_over(home: Path, option: str) -> Heard:
    """What others hear of a game whose primary died with its last events, and was healed."""
    lines = ("repl-diskless-sync-delay 0", "appendfsync no")
    with EmbeddedCluster(home / "c", 3, 1, *lines, node_timeout_ms=500) as cluster:
        first = cluster.primaries[0]
        async with service(cluster, home) as here:
            game = SecretGame(here.on)
            await game.begin(
                lambda name: cluster.primary_of(slot(tag(int(name[1:3], 16), "banded"))) is first
            )
            await until(lambda: is_level(cluster))
            os.kill(cluster.replicas[0].store.pid, signal.SIGSTOP)
            first.call("CLIENT", "KILL", "TYPE", "replica")
            known = await game.choose(option)
            before = await game.heard()
            fail_over(cluster)
            await game.is_back(known)
            return before + await game.heard()


async def both(loss: Callable[[Path, str], Awaitable[Heard]]) -> list[Heard]:
    """The same with one secret and with the other."""
    found = []
    for option in CHOICES:
        with passing_home() as home:
            found.append(await loss(home, option))
    return found


async def test_a_healed_game_tells_nobody_a_secret(sometimes: Sometimes) -> None:
    one, other = await both(set_back)
    assert one == other
    sometimes("answers compared through a loss", len(one))


@pytest.mark.nightly  # two clusters: make faults runs it
async def test_nor_does_a_failover(sometimes: Sometimes) -> None:
    one, other = await both(failed_over)
    assert one == other
    sometimes("answers compared through a failover", len(one))


async def test_openings_for_everybody_would_be_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: whoever has a seat is opened what belongs to the others."""
    # Of each field, and before anything is deciphered.
    for asked in ("_may_open", "Opener._may_open_some"):
        monkeypatch.setattr(f"events.openings.{asked}", lambda *_: True)
    one, other = await both(set_back)
    assert one != other
