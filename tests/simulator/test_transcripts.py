"""Non-interference over streams: twin worlds send the same bytes, and planted leaks are caught."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Final
from zlib import crc32

import pytest
from msgspec import json
from msgspec.structs import replace

from events.codec import Codec, Stored
from events.kernel import FULL, PUBLIC, Viewer
from events.openings import Opener
from games.room25 import RULES
from games.room25.editions import RULEBOOKS
from games.table.events import ChooseSecretly
from projections.views import StreamReading, View, Views
from runtime.broadcaster import Broadcaster
from runtime.notifications import Notifications
from runtime.table_service import TableService
from service.access.streaming import NDJSON_FORM, SSE_FORM
from simulator.chance import chance
from simulator.room25 import transcripts
from simulator.room25.driver import play
from simulator.room25.interference import compare
from simulator.room25.plans import GROUPS, Plan, plan_of
from simulator.room25.run import Run
from simulator.room25.transcripts import (
    StreamInterference,
    StreamRequest,
    StreamWorld,
    listen,
    masked,
    versions,
)
from simulator.room25.twins import Swap, swaps
from simulator.run import PropertyBroken
from tests.simulator import pinned
from tests.simulator.planting import Patch, near, seeds
from tests.simulator.test_interference import TELLS

BOTH = [StreamRequest(0, SSE_FORM, 0), StreamRequest(0, NDJSON_FORM, 0)]
OWN = [StreamRequest(0, SSE_FORM, None, own=True), StreamRequest(0, NDJSON_FORM, None, own=True)]


def plans() -> Iterator[Plan]:
    """Games of all rulebooks and modes, and some in which the rarer secrets come up."""
    yield from map(plan_of, seeds(GROUPS, 1))
    for games in (
        near(("prototype", "suspicion"), "secrets", "vision", laps=2),
        near(("ultimate", "suspicion"), "paranoia", "mac", "mac", "mirror", laps=2),
        near(("bga", "cooperation"), "paranoia", "robot", laps=2),
    ):
        yield from games


def leak(games: Callable[[], Iterator[Plan]] = plans) -> str:
    """What the oracle says of the first game that it dislikes; ``""`` if it likes all."""

    def judge(plan: Plan) -> str:
        try:
            play(plan, [StreamInterference(chance("streams", plan.seed), most=9)])
        except PropertyBroken as complaint:
            return str(complaint)
        return ""

    return pinned.complaint("streams", games(), judge)


# --- without a fault ---


TOLD: Final = frozenset({*RULEBOOKS, "rooms", "roles", "programme", "clue", "deck", "key"})
"""The rulebooks that are played, and the secrets that come out where they may."""


@pytest.mark.slow
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_streams_of_twin_worlds_are_the_same_until_they_may_tell(*, every: bool) -> None:
    """Also, they part at the very event where the worlds themselves do.

    By day as many games as it takes to meet every rulebook and secret; at night all of them.
    """
    met = _met_by_all() if every else pinned.meet("secrets", plans(), TOLD, _met)
    assert met >= TOLD


def _met(plan: Plan) -> set[str]:
    """Compare twin worlds of a game: which secrets come out, and its rulebook."""
    match = play(plan)
    rng = chance("streams", plan.seed)
    met = {plan.rulebook}
    for swap in swaps(match, rng):
        late = [StreamRequest(rng.randrange(len(match.steps)), wish.form, None) for wish in BOTH]
        told = asyncio.run(listen(match, swap, [*BOTH, *late, *OWN]))
        assert told in TELLS[swap.what] | {""}
        assert told == compare(match, swap)
        met |= {swap.what} if told else set()
    return met


def _met_by_all() -> set[str]:
    return set[str]().union(*map(_met, plans()))


@pytest.mark.parametrize("viewer", [PUBLIC, Viewer("seat", 1)])
def test_a_world_without_a_difference_sends_the_same(viewer: Viewer) -> None:
    match = play(plan_of(40))
    assert asyncio.run(listen(match, Swap("nothing", viewer), BOTH)) == ""


def test_the_oracle_hears_all_that_streams_say() -> None:
    """Every event, the snapshot, a heartbeat at every step, and the end."""
    match = play(plan_of(40))
    events = len(match.log)

    async def hear() -> StreamWorld:
        world = StreamWorld(Viewer("seat", 1))
        wishes = [*BOTH, StreamRequest(0, SSE_FORM, None), StreamRequest(0, NDJSON_FORM, None)]
        for number, step in enumerate(match.steps):
            if step.refusal is None:
                await world.happen(number, step, step.command, step.events)
                wishes = [w for w in wishes if not await world.open(w.form, w.after)]
        await world.close()
        return world

    world = asyncio.run(hear())
    assert len(world.channels) == 4
    for channel in world.channels:
        said = [m for piece in channel.pieces for m in transcripts.messages(channel.form, piece)]
        found = [version for m in said if (version := versions(channel.form, m)[0]) > 0]
        shown = [version for m in said if (version := versions(channel.form, m)[1]) > 0]
        first = shown[0] if shown else 0
        assert found == list(range(first + 1, events + 1))
        assert b"end" in channel.pieces[-1]
        assert channel.beats > 10
        assert b'"opened"' in b"".join(channel.pieces)
    assert [bool(c.pieces) for c in world.channels] == [True] * 4


def test_the_oracle_hears_what_a_player_is_told() -> None:
    """Where its games stand, what they ask, and their end, in the player's own stream."""
    match = play(plan_of(40))

    async def hear() -> list[str]:
        world = StreamWorld(Viewer("seat", 1))
        waiting = list(OWN)
        for number, step in enumerate(match.steps):
            if step.refusal is None:
                await world.happen(number, step, step.command, step.events)
                waiting = [wish for wish in waiting if not await wish.granted(world)]
        await world.close()
        return [b"".join(channel.pieces).decode() for channel in world.channels]

    texts = asyncio.run(hear())
    assert len(texts) == 2
    for text in texts:
        for word in ("games", "game-started", "decision-opened", "game-ended"):
            assert word in text


def test_a_notice_that_depends_on_a_secret(monkeypatch: Patch) -> None:
    honest = Notifications._standing

    async def standing(self: Notifications, game: str, loaded: Any, player: str) -> Any:
        found = await honest(self, game, loaded, player)
        entries = await self._tables.views.entries(game, FULL, max(0, loaded.version - 60))
        secrets = "".join(_secret(self._tables.codecs.of(RULES.id), game, each) for each in entries)
        return replace(found, calls=()) if crc32(secrets.encode()) % 2 else found

    monkeypatch.setattr(Notifications, "_standing", standing)
    assert "can tell" in leak()


def test_streams_tell_whoever_may_open_a_secret(monkeypatch: Patch) -> None:
    """The oracle is not deaf: what is sealed for others differs for its owner at once."""
    match, swap = _programme()
    ((place, command),) = swap.commands.items()
    assert isinstance(command, ChooseSecretly)
    told = replace(swap, viewer=Viewer("seat", command.seat))
    monkeypatch.setattr(transcripts, "may_tell", lambda *_: True)
    said = asyncio.run(listen(match, told, BOTH))
    assert said in {type(event).__name__ for event in match.steps[place].events}


def _programme() -> tuple[Run, Swap]:
    """A game, and somebody's programme in it that could have been another."""
    for plan in map(plan_of, seeds([("first_edition", "suspicion")], 20)):
        match = play(plan)
        rng = chance("programme", plan.seed)
        for _ in range(10):
            for swap in swaps(match, rng):
                if swap.what == "programme" and len(swap.commands) == 1:
                    return match, swap
    raise AssertionError("no game has a programme to swap")


def test_only_what_differs_as_it_should_is_masked() -> None:
    commitment, salt = "A" * 43, "_-9"
    line = {
        "event": {"type": "x", "key_hash": "abc", "text": commitment},
        "opened": {"event.cell": {"salt": salt, "value": "r1c2"}},
        "seals": {"cell": commitment, "short": "A" * 42},
        "v": 3,
    }
    found = json.decode(masked(json.encode(line)))
    line["event"]["key_hash"] = ""  # type: ignore[index]  # a dict of dicts
    line["opened"]["event.cell"]["salt"] = ""  # type: ignore[index]
    line["seals"]["cell"] = ""  # type: ignore[index]
    assert found == line


# --- planted leaks ---


def test_an_opening_that_goes_to_another_seat(monkeypatch: Patch) -> None:
    honest = Broadcaster._eyes

    def eyes(self: Broadcaster, audience: Any, state: Any) -> Viewer:
        seat = audience.seat
        if seat is None or len(state.seats) == 1:
            return honest(self, audience, state)
        return self._tables.viewer(state, seat % len(state.seats) + 1)

    monkeypatch.setattr(Broadcaster, "_eyes", eyes)
    assert "can tell" in leak()


@pytest.mark.slow
def test_an_opening_that_goes_to_the_public(monkeypatch: Patch) -> None:
    honest = Opener.openings

    def openings(self: Opener, viewer: Viewer) -> bytes | None:
        return honest(self, FULL if viewer == PUBLIC else viewer)

    monkeypatch.setattr(Opener, "openings", openings)
    assert "the public can tell" in leak()


def _secret(codec: Codec, stream: str, stored: Stored) -> str:
    """All that is secret in an entry, without the salts."""
    opened = json.decode(Codec.opened(codec, stream, stored, FULL)).get("opened", {})
    return str({path: each["value"] for path, each in opened.items()})


def test_a_line_that_depends_on_a_secret(monkeypatch: Patch) -> None:
    honest = Opener.openings

    def openings(self: Opener, viewer: Viewer) -> bytes | None:
        secret = json.decode(honest(self, FULL) or b"{}")
        size = len(str([each["value"] for each in secret.values()]))
        return honest(self, viewer) or b'{"size":%d}' % size

    monkeypatch.setattr(Opener, "openings", openings)
    assert "can tell" in leak()


@pytest.mark.slow
def test_an_order_of_events_that_depends_on_a_secret(monkeypatch: Patch) -> None:
    honest = Views.openings

    def openings(
        self: Views, reading: StreamReading, *rest: Any
    ) -> list[tuple[Stored, bytes | None]]:
        found, codec = honest(self, reading, *rest), reading.codec
        assert codec is not None
        for first in range(len(found) - 1):
            pair = found[first : first + 2]
            secrets = [_secret(codec, reading.stream, each) for each, _ in pair]
            if "{}" not in secrets and secrets[0] > secrets[1]:
                found[first : first + 2] = pair[::-1]
        return found

    monkeypatch.setattr(Views, "openings", openings)
    assert "can tell" in leak()


def _drawn(reading: StreamReading) -> int:
    """A number that depends on the latest secrets."""
    codec, entries = reading.codec, reading.stored[-60:]
    assert codec is not None
    return crc32("".join(_secret(codec, reading.stream, each) for each in entries).encode())


def test_a_piece_that_is_longer_by_a_secret(monkeypatch: Patch) -> None:
    honest = Broadcaster._chunk

    def chunk(self: Broadcaster, audience: Any, reading: StreamReading, *rest: Any) -> Any:
        found = honest(self, audience, reading, *rest)
        beat = NDJSON_FORM.beat if audience.frames is NDJSON_FORM.event else SSE_FORM.beat
        return found._replace(data=found.data + beat * (_drawn(reading) % 3))

    monkeypatch.setattr(Broadcaster, "_chunk", chunk)
    assert "can tell" in leak()


def test_a_heartbeat_that_depends_on_a_secret(monkeypatch: Patch) -> None:
    """A game of the Ultimate edition, which has the most secrets, is where it shows first."""
    honest = Broadcaster._deliver

    def deliver(
        self: Broadcaster, audience: Any, channel: Any, reading: StreamReading, state: Any
    ) -> bool:
        goes_on = honest(self, audience, channel, reading, state)
        if _drawn(reading) % 3:
            self.beat()
        return goes_on

    monkeypatch.setattr(Broadcaster, "_deliver", deliver)
    assert "can tell" in leak(lambda: chain([plan_of(14)], plans()))


def test_a_snapshot_that_shows_all(monkeypatch: Patch) -> None:
    honest = TableService.view

    async def view(self: TableService, game: str, _: Viewer, *rest: Any, **more: Any) -> View:
        return await honest(self, game, FULL, *rest, **more)

    monkeypatch.setattr(TableService, "view", view)
    found = leak()
    assert '{"snapshot":' in found or "event: snapshot" in found


def test_a_stream_that_ends_by_a_secret(monkeypatch: Patch) -> None:
    honest = Broadcaster._deliver

    def deliver(
        self: Broadcaster, audience: Any, channel: Any, reading: StreamReading, state: Any
    ) -> bool:
        goes_on = honest(self, audience, channel, reading, state)
        if _drawn(reading) % 7 == 3:
            for follower in tuple(channel.followers):
                follower.lose()
            return False
        return goes_on

    monkeypatch.setattr(Broadcaster, "_deliver", deliver)
    assert "can tell" in leak()
