"""What players are told of all their games: a real service and its streams, judged by the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from runtime import notifications
from simulator.faults.received import take_notice
from simulator.history import Violation
from simulator.notice_history import ANOTHERS, LEFT_OUT, TOLD_TWICE, OwnListening, judge_notices
from tests.conftest import Sometimes
from tests.runtime.stage import until
from tests.service.conftest import on
from tests.service.listening import Listener, listen
from tests.service.stage import Stage, ok

__all__ = ["on"]

STREAMS = 3


async def _note(stream: Listener, to: OwnListening, until: str) -> None:
    """Note what comes, up to a notice of this kind."""
    while True:
        message = await stream.next()
        take_notice(to, [("event", message.event), ("data", message.data[0])])
        if message.event == until:
            return


async def _all_are_told(on: Stage, game: str) -> None:
    """Wait until all streams know the newest version.

    Who looks at several at once is told of what is left of them: on a busy machine of no decision
    that has closed, because the game is over.
    """
    version = ok(await on.operator.get(f"/v1/games/{game}"))["version"]

    def have_looked() -> bool:
        listeners = on.service.app_context.notifications._everybody()
        known = [each.known[game].version for each in listeners if game in each.known]
        return len(known) == STREAMS and min(known) >= version

    await until(have_looked)


async def _told(on: Stage) -> tuple[list[OwnListening], list[Violation]]:
    """What Ada, twice, and Bob are told of a game from its opening to its end, and the verdict."""
    ada, bob = await on.player("Ada"), await on.player("Bob")
    told = [OwnListening(player=who.id) for who in (ada, ada, bob)]
    async with (
        listen(on, ada, "/v1/stream") as first,
        listen(on, ada, "/v1/stream") as second,
        listen(on, bob, "/v1/stream") as third,
    ):
        streams = (first, second, third)
        for stream, to in zip(streams, told, strict=True):
            await _note(stream, to, "games")
        game = await on.game(ada, bob)
        await _all_are_told(on, game)
        for who, seat in ((ada, 1), (bob, 2)):
            answer = {"option": "r1c2"}
            ok(await who.post(f"/v1/games/{game}/decisions/clue-s{seat}", answer))
            ok(await on.operator.post(f"/v1/games/{game}/extend", {"seconds": 5}))
            await _all_are_told(on, game)
        ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
        for stream, to in zip(streams, told, strict=True):
            await _note(stream, to, "game-ended")
    log = await on.service.app_context.tables.log.read(game)
    return told, judge_notices(told, {game: [entry.public for entry in log]})


async def test_players_are_told_what_the_log_says(on: Stage, sometimes: Sometimes) -> None:
    told, found = await _told(on)
    assert found == []
    for what in ("seat-taken", "game-started", "decision-opened", "decision-closed"):
        sometimes(f"told of {what}", sum(n["what"] == what for each in told for n in each.notices))


def nothing_of_the_table(*_: object) -> None:
    """Who sits down is told to nobody."""


def everything_as_new(
    honest: Callable[..., None],
) -> Callable[[notifications.Listener, Any, Any], None]:
    """What is asked is told at every look, as if nothing had been told before."""
    return lambda listener, _, now: honest(listener, (), now)


async def test_a_service_that_tells_of_no_newcomer_is_found(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(notifications, "_tell_of_table", nothing_of_the_table)
    _, found = await _told(on)
    assert {each.check for each in found} == {LEFT_OUT}


async def test_a_service_that_forgets_what_it_has_told_is_found(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    honest = notifications._tell_of_calls
    monkeypatch.setattr(notifications, "_tell_of_calls", everything_as_new(honest))
    _, found = await _told(on)
    assert TOLD_TWICE in {each.check for each in found}


async def test_a_service_that_tells_what_others_are_asked_is_found(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    honest = notifications.Notifications._standing

    async def of_all(self: Any, game: str, loaded: Any, player: str) -> notifications.Standing:
        of_each = [
            await honest(self, game, loaded, place.player) for place in loaded.state.seats.values()
        ]
        calls = tuple(call for each in of_each for call in each.calls)
        return replace(await honest(self, game, loaded, player), calls=calls)

    monkeypatch.setattr(notifications.Notifications, "_standing", of_all)
    _, found = await _told(on)
    assert ANOTHERS in {each.check for each in found}
