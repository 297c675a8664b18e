"""Plays one whole game of suspicion over HTTP, like any client: it imports nothing of ours.

``python -m ops.demo_client URL FILE``: five players sit down, four of them choose any option that
they are offered, the fifth never answers. The record of the game is written to FILE.
"""

from __future__ import annotations

import random
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import httpx

NAMES: Final = ("Ada", "Blaise", "Carl", "Dorothy", "Sleepy")
SLEEPER: Final = NAMES[-1]
LIMITS: Final = {"limits_s": {"programming": 2, "decision": 2}, "absent_after": 2}
LATE: Final = frozenset({"decision-not-open", "deadline-passed", "game-over", "game-not-live"})
"""Refusals that merely mean that the game has moved on."""

_WAIT_S: Final = 10
_SLACK_S: Final = 10


class DemoError(RuntimeError):
    """The service gave an unexpected answer."""


class Player:
    """A program that plays, with its own player and token."""

    def __init__(self, http: httpx.Client, name: str) -> None:
        self._http = http
        self.name = name
        made = self.post("/players", {"name": name}, headers={})
        self.id: str = made["id"]
        self._headers = {"authorization": f"Bearer {made['token']['token']}"}
        made = self.post("/tokens", {"scopes": ["bot"], "label": "demo"})
        self._headers = {"authorization": f"Bearer {made['token']}"}

    def post(
        self, path: str, body: dict[str, Any] | None, headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Send a command under a fresh key; None if a refusal merely says it is too late."""
        own = self._headers if headers is None else headers
        own = {**own, "idempotency-key": str(uuid.uuid4())}
        answer = self._http.post(path, json=body, headers=own)
        if answer.is_success:
            return dict(answer.json())
        problem = answer.json()
        if problem["type"].rsplit("/", 1)[-1].rsplit(":", 1)[-1] in LATE:
            return {}
        raise DemoError(f"POST {path}: {answer.status_code} {problem}")

    def get(self, path: str, **queries: str | int) -> httpx.Response:
        """Read something as this player."""
        answer = self._http.get(path, params=queries, headers=self._headers)
        if not answer.is_success:
            raise DemoError(f"GET {path}: {answer.status_code} {answer.text}")
        return answer

    def move(self, game: str, choice: random.Random) -> int:
        """Choose an option of every decision that the game waits for; returns how many."""
        decisions = self.get(f"/games/{game}/decisions").json()["decisions"]
        asked = [d for d in decisions if not d["optional"] and not d["answered"]]
        for decision in asked:
            option = choice.choice(decision["options"])["id"]
            self.post(f"/games/{game}/decisions/{decision['id']}", {"option": option})
        return len(asked)


def play(http: httpx.Client, choice: random.Random) -> tuple[Player, str]:
    """Open a table, fill it and play to the end; returns a player and the game's id."""
    players = [Player(http, name) for name in NAMES]
    host = players[0]
    table = {"rulebook": "first_edition", "mode": "suspicion", "seats": len(players)}
    game: str = host.post("/games", {**table, "time": LIMITS})["game"]
    print(f"table     {game}: {', '.join(NAMES)}; {SLEEPER} will never answer", flush=True)
    for player in players:
        player.post(f"/games/{game}/seats", {"entropy": str(choice.getrandbits(64))})
    awake = [player for player in players if player.name != SLEEPER]
    seen = 0
    while host.get(f"/games/{game}").json()["state"]["phase"] != "finished":
        if not sum(player.move(game, choice) for player in awake):
            seen = host.get(f"/games/{game}/events", after=seen, wait=_WAIT_S, limit=1000).json()[
                "next"
            ]
    return host, game


def summary(host: Player, game: str) -> list[str]:
    """What happened, in a few lines."""
    view = host.get(f"/games/{game}", **{"as": "public"}).json()
    state, names = view["state"], view["names"]
    lines = host.get(f"/games/{game}/events", limit=1000).json()["events"]
    commands = [line["batch"] for line in lines if "batch" in line]
    outs = [c for c in commands if c["command"]["type"] == "time-out"]
    if not outs or any(c["by"].split(":", 1)[0] != "worker" for c in outs):
        raise DemoError("nobody was timed out by the workers")
    result = state["result"]
    winners = [names[str(seat)]["name"] for seat in result["winners"]]
    sleeper = next(seat for seat, each in names.items() if each["name"] == SLEEPER)
    if not state["seats"][sleeper]["absent"]:
        raise DemoError(f"{SLEEPER} should be absent by now")
    return [
        f"ended     turn {state['play']['turn']}: {result['outcome']}",
        f"winners   {', '.join(winners) or 'nobody'}",
        f"log       {len(lines)} events of {len(commands)} commands",
        f"time-outs {len(outs)} by the workers; {SLEEPER} was marked absent",
    ]


def main(arguments: Sequence[str]) -> int:
    """Play and write the record; returns 1 if the service gave an unexpected answer."""
    if len(arguments) != 2:  # noqa: PLR2004 (a URL and a file)
        print("usage: python -m ops.demo_client URL FILE", file=sys.stderr)
        return 2
    url, file = arguments
    choice = random.Random()  # noqa: S311 (the demo needs no secure randomness)
    try:
        with httpx.Client(base_url=url, timeout=_WAIT_S + _SLACK_S) as http:
            host, game = play(http, choice)
            for line in summary(host, game):
                print(line)
            record = host.get(f"/games/{game}/record").content
    except (DemoError, httpx.HTTPError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    Path(file).write_bytes(record)
    print(f"record    {len(record)} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
