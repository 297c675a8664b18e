"""Whom a game waits for: in the view, in streams that ask for it, and known to everybody alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from events.codec import Envelope
from events.kernel import FULL, PUBLIC, Viewer, redact
from games.contract import Game, Halt
from games.game_registry import installed_games
from projections.asked import AskedSeat, asked_in
from projections.views import View
from tests.golden_records import RECORDS, golden
from tests.service.listening import Listener, listen
from tests.service.stage import Json, Player, Stage, ok
from tests.service.test_delay import SECONDS, delayed

GAMES = installed_games()
CLUE = {"kind": "starting_clue", "subject": None}


async def pair(on: Stage) -> tuple[Player, Player, str]:
    """A game of two, waiting for their clues."""
    ada, bob = await on.player("Ada"), await on.player("Bob")
    return ada, bob, await on.game(ada, bob)


async def clue(who: Player, game: str, seat: int) -> int:
    path = f"/v1/games/{game}/decisions/clue-s{seat}"
    return int(ok(await who.post(path, {"option": "r1c2"}))["version"])


async def next_asked(stream: Listener) -> Json:
    """What a stream says of that next."""
    while (message := await stream.next()).event != "asked":
        pass
    return dict(message.json())


async def test_a_view_says_whom_the_game_waits_for_and_waited_for_then(on: Stage) -> None:
    ada, _, game = await pair(on)
    before = ok(await on.stranger.get(f"/v1/games/{game}"))
    assert before["asked"] == [{"seat": 1} | CLUE, {"seat": 2} | CLUE]
    last = await clue(ada, game, 1)
    for who in (on.stranger, ada):
        assert ok(await who.get(f"/v1/games/{game}"))["asked"] == [{"seat": 2} | CLUE]
        then = ok(await who.get(f"/v1/games/{game}/state", at=before["version"]))
        assert then["asked"] == before["asked"]
    assert last > before["version"]


async def test_within_a_batch_a_view_says_that_nobody_is_asked(on: Stage) -> None:
    _, _, game = await pair(on)
    newest = ok(await on.stranger.get(f"/v1/games/{game}"))["version"]
    assert ok(await on.stranger.get(f"/v1/games/{game}/state", at=newest - 1))["asked"] == []


async def test_a_stream_says_it_first_and_after_what_is_new(on: Stage) -> None:
    ada, bob, game = await pair(on)
    first = ok(await on.stranger.get(f"/v1/games/{game}"))
    path = f"/v1/games/{game}/events"
    async with listen(on, on.stranger, path, asked="true", after=0) as stream:
        told = await next_asked(stream)
        assert told == {"version": first["version"], "asked": first["asked"]}
        last = await clue(ada, game, 1)
        assert await next_asked(stream) == {"version": last, "asked": [{"seat": 2} | CLUE]}
        last = await clue(bob, game, 2)
        told = await next_asked(stream)
    now = ok(await on.stranger.get(f"/v1/games/{game}"))
    assert told == {"version": last, "asked": now["asked"]}
    assert told["asked"]


async def test_a_stream_that_does_not_ask_for_it_is_not_told(on: Stage) -> None:
    ada, _, game = await pair(on)
    ndjson = {"accept": "application/x-ndjson"}
    path = f"/v1/games/{game}/events"
    async with (
        listen(on, ada, path, ndjson, follow="true", after=0) as plain,
        listen(on, ada, path, ndjson, follow="true", after=0, asked="true") as told,
    ):
        last = await clue(ada, game, 1)
        await plain.until(f'"v":{last}')
        await told.until(f'{{"asked":{{"version":{last},')
    assert '{"asked"' not in plain.text
    said, others = (
        [line for line in stream.text.splitlines() if line and not line.startswith('{"asked"')]
        for stream in (told, plain)  # empty lines are signs of life
    )
    assert said == others


async def test_delayed_spectators_are_told_as_late_as_of_everything_else(on: Stage) -> None:
    game = await delayed(on, SECONDS)
    setup = await game.newest()
    path = f"{game.path}/events"
    async with (
        listen(on, game.stranger, path, asked="true") as public,
        listen(on, game.ada, path, asked="true") as hers,
    ):
        assert await next_asked(public) == {"version": 4, "asked": []}
        assert (await next_asked(hers))["version"] == setup
        newest = await game.clues()
        assert (await next_asked(hers))["version"] == newest
        assert ok(await game.stranger.get(game.path))["asked"] == []
        last = await game.end()
        assert await next_asked(public) == {"version": last, "asked": []}


def waits(
    envelopes: Sequence[Envelope], games: Mapping[str, Game[Any]], viewer: Viewer
) -> Iterator[tuple[Any, ...]]:
    """Whom a golden game waits for after each of its batches, as a viewer sees it."""
    table = GAMES.table
    state = table.initial()
    for number, envelope in enumerate(envelopes):
        state = table.evolve(state, redact(envelope.event, viewer.at(envelope.version)))
        after = envelopes[number + 1] if number + 1 < len(envelopes) else None
        if after is None or after.batch is not None:
            yield asked_in(games, View(state, number + 1, envelope.at, settled=True))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_everybody_knows_alike_whom_a_game_waits_for(path: Path) -> None:
    games, envelopes = GAMES.table.games, golden(path).envelopes()
    truth = list(waits(envelopes, games, FULL))
    assert any(truth)
    for viewer in (PUBLIC, Viewer("seat", seat=2)):
        assert list(waits(envelopes, games, viewer)) == truth


class _Telling:
    """A game whose waits depend on how much of its state is known."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def halt(self, state: Any) -> Halt | None:
        halt = self._game.halt(state)
        return None if len(json.encode(state)) % 2 else halt


@pytest.mark.parametrize("path", RECORDS[:1] + RECORDS[-1:], ids=lambda path: path.stem)
def test_a_wait_that_tells_a_secret_is_found(path: Path) -> None:
    games: Any = {name: _Telling(game) for name, game in GAMES.table.games.items()}
    envelopes = golden(path).envelopes()
    assert list(waits(envelopes, games, PUBLIC)) != list(waits(envelopes, games, FULL))


def test_nobody_is_asked_before_a_game_begins() -> None:
    none: tuple[AskedSeat, ...] = ()
    view = View(GAMES.table.initial(), 0, 0, settled=True)
    assert asked_in(GAMES.table.games, view) == none
