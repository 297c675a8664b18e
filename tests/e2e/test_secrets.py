"""A live spectator is never given what the table may not see: every byte is looked at (§4)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.clients import Client, play_out
from tests.e2e.people import Person
from tests.e2e.secrets import leaked, secrets_of
from tests.e2e.serving import Service
from tests.e2e.wire import Wire


def test_no_secret_reaches_a_live_spectator(
    service: Service,
    client: Callable[..., Client],
    person: Callable[..., Person],
    wire: Callable[[int], Wire],
) -> None:
    players = [client(name) for name in ("Ada", "Bob", "Cleo", "Dan")]
    game = players[0].opens("suspicion", len(players))
    near, seated = wire(service.port), wire(service.port)
    eve = person("Eve", url=near.url)
    eve.opens(f"/watch/{game}")
    for player in players:
        player.sits(game)
    choice = random.Random(4)
    for player in players:
        player.moves(game, choice)

    # Ada looks through her own seat, in a browser: the control of what follows.
    ada = person("Ada", url=seated.url)
    ada.signs_in(players[0])
    ada.opens(f"/watch/{game}?as=seat:1")
    for _ in range(3):
        for player in players:
            player.moves(game, choice)
    now = players[0].version(game)
    for one in (eve, ada):
        expect(one.page.locator("[data-version]")).to_have_attribute("data-version", str(now))
    secrets = secrets_of(game, players)
    assert len(secrets) > 20
    assert leaked(secrets, near.arrived) == []
    assert leaked(secrets_of(game, players[:1]), seated.arrived)

    play_out(game, players, choice)
    last = players[0].version(game)
    expect(eve.page.locator("[data-version]")).to_have_attribute("data-version", str(last))
    assert leaked(secrets_of(game, players), near.arrived) == []
    assert sealed_and_told(near.arrived) == []


def sealed_and_told(arrived: bytes) -> list[int]:
    """The versions of event lines that open anything, or tell what they hold a commitment of."""
    lines = [json.loads(each) for each in arrived.splitlines() if each.startswith(b'{"at":')]
    assert lines
    return [
        line["v"]
        for line in lines
        if "opened" in line or set(line.get("seals", {})) & set(line["event"])
    ]
