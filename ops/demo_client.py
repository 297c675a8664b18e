"""Plays one whole game over HTTP, like any client: it imports nothing of ours and knows no rules.

``python -m ops.demo_client URL FILE TABLE BOT``: at the table that the JSON object TABLE describes
(game, rulebook, mode and seats) two players choose any option that they are offered, another never
answers, and house bots called BOT have the other seats. The record of the game is written to FILE,
and to FILE.told what players were answered to their commands to games, a JSON object for each:
``player`` and ``key``, when it was ``sent`` and ``answered`` (ns of a clock that never goes back),
whether it was ``accepted``, and of an accepted one ``game``, ``first`` and ``version`` (those of
its events), and ``level`` (where its receipt says that it is kept).
"""

from __future__ import annotations

import json
import random
import sys
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import httpx

NAMES: Final = ("Ada", "Blaise", "Sleepy")
SLEEPER: Final = NAMES[-1]
LIMIT_S: Final = 2
"""The time limit of every class of waits."""

LATE: Final = frozenset({"decision-not-open", "deadline-passed", "game-over", "game-not-live"})
"""Refusals that merely mean that the game has moved on."""

TOLD: Final = ".told"
"""What the name of the second file ends in."""

_WAIT_S: Final = 10
_SLACK_S: Final = 10


class DemoError(RuntimeError):
    """The service gave an unexpected answer."""


class Player:
    """A program that plays, with its own player and token.

    Args:
        http: asks the service.
        name: of the player.
        told: receives what is answered to each command to a game.
    """

    def __init__(self, http: httpx.Client, name: str, told: list[dict[str, Any]]) -> None:
        self._http = http
        self._told = told
        self.name = name
        made = self.post("/players", {"name": name}, headers={})
        self.id: str = made["id"]
        self._headers = {"authorization": f"Bearer {made['token']['token']}"}
        made = self.post("/tokens", {"scopes": ["bot"], "label": "demo"})
        self._headers = {"authorization": f"Bearer {made['token']}"}

    def post(
        self, path: str, body: dict[str, Any] | None, headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Send a command under a fresh key; nothing if a refusal merely says it is too late."""
        own = self._headers if headers is None else headers
        own = {**own, "idempotency-key": str(uuid.uuid4())}
        sent = time.monotonic_ns()
        answer = self._send("POST", path, own, json=body)
        if path.startswith("/games"):
            self._told.append(self._noted(own["idempotency-key"], sent, answer))
        return dict(answer.json()) if answer.is_success else self._late(answer)

    def _noted(self, key: str, sent: int, answer: httpx.Response) -> dict[str, Any]:
        """What is told of a command, see above."""
        noted = {"player": self.id, "key": key, "sent": sent, "answered": time.monotonic_ns()}
        if not answer.is_success:
            return {**noted, "accepted": False}
        said = answer.json()
        receipt = {"game": said["game"], "first": said["events"][0]["v"]}
        level = said["durability"]
        return {**noted, "accepted": True, **receipt, "version": said["version"], "level": level}

    def _send(self, method: str, path: str, headers: dict[str, str], **more: Any) -> httpx.Response:  # noqa: ANN401 (as httpx takes it)
        """Ask; where too much has been asked, wait as long as the answer says, and ask again."""
        while True:
            answer = self._http.request(method, path, headers=headers, **more)
            if answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
                return answer
            time.sleep(int(answer.headers["retry-after"]))

    def _late(self, answer: httpx.Response) -> dict[str, Any]:
        """Nothing, if a refusal merely says that the game has moved on."""
        if answer.json()["type"].rsplit("/", 1)[-1] in LATE:
            return {}
        asked = answer.request
        raise DemoError(f"{asked.method} {asked.url}: {answer.status_code} {answer.text}")

    def get(self, path: str, **queries: str | int) -> httpx.Response:
        """Read something as this player."""
        answer = self._send("GET", path, self._headers, params=queries)
        if not answer.is_success:
            raise DemoError(f"GET {path}: {answer.status_code} {answer.text}")
        return answer

    def leaf(self, path: str, options: Sequence[Any], choice: random.Random) -> str | None:
        """Any option that can be chosen, found by walking down; None if it is too late."""
        while options:
            option = choice.choice(options)
            if not option.get("branch"):
                return str(option["id"])
            below = self._send("GET", f"{path}/options/{option['id']}", self._headers)
            options = (below.json() if below.is_success else self._late(below)).get("options", ())
        return None

    def move(self, game: str, choice: random.Random) -> int:
        """Choose an option of every decision that the game waits for; returns how many."""
        decisions = self.get(f"/games/{game}/decisions").json()["decisions"]
        asked = [d for d in decisions if not d["optional"] and not d["answered"]]
        for decision in asked:
            path = f"/games/{game}/decisions/{decision['id']}"
            option = self.leaf(path, decision["options"], choice)
            if option is not None:
                self.post(path, {"option": option})
        return len(asked)


def play(
    http: httpx.Client,
    choice: random.Random,
    table: dict[str, Any],
    bot: str,
    told: list[dict[str, Any]],
) -> tuple[Player, str]:
    """Open a table, fill it and play to the end; returns a player and the game's id."""
    players = [Player(http, name, told) for name in NAMES]
    host = players[0]
    book = host.get(f"/rulebooks/{table['rulebook']}", game=table["game"]).json()
    limits = {"limits_s": {wait["id"]: LIMIT_S for wait in book["waits"]}, "absent_after": 2}
    game: str = host.post("/games", {**table, "time": limits})["game"]
    bots = table["seats"] - len(players)
    print(f"game      {book['name']}, {table['mode']}", flush=True)
    print(f"table     {game}: {', '.join(NAMES)}, house bots: {bots}", flush=True)
    for player in players:
        player.post(f"/games/{game}/seats", {"entropy": str(choice.getrandbits(64))})
    for _ in range(bots):
        host.post(f"/games/{game}/seats", {"bot": bot})
    awake = [player for player in players if player.name != SLEEPER]
    seen = 0
    while host.get(f"/games/{game}").json()["state"]["phase"] != "finished":
        if not sum(player.move(game, choice) for player in awake):
            seen = host.get(f"/games/{game}/events", after=seen, wait=_WAIT_S, limit=1000).json()[
                "next"
            ]
    return host, game


def events_of(host: Player, game: str) -> list[dict[str, Any]]:
    """All events of a game, page by page."""
    lines: list[dict[str, Any]] = []
    while page := host.get(f"/games/{game}/events", after=len(lines), limit=1000).json()["events"]:
        lines += page
    return lines


def summary(host: Player, game: str) -> list[str]:
    """What happened, in a few lines."""
    view = host.get(f"/games/{game}", **{"as": "public"}).json()
    state, names = view["state"], view["names"]
    lines = events_of(host, game)
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
        f"ended     {result['outcome']}",
        f"winners   {', '.join(winners) or 'nobody'}",
        f"log       {len(lines)} events of {len(commands)} commands",
        f"time-outs {len(outs)} by the workers; {SLEEPER} was marked absent",
    ]


def main(arguments: Sequence[str]) -> int:
    """Play and write the record; returns 1 if the service gave an unexpected answer."""
    if len(arguments) != 4:  # noqa: PLR2004 (as the usage says)
        print("usage: python -m ops.demo_client URL FILE TABLE BOT", file=sys.stderr)
        return 2
    url, file, table, bot = arguments
    choice = random.Random()  # noqa: S311 (the demo needs no secure randomness)
    told: list[dict[str, Any]] = []
    try:
        with httpx.Client(base_url=url, timeout=_WAIT_S + _SLACK_S) as http:
            host, game = play(http, choice, json.loads(table), bot, told)
            for line in summary(host, game):
                print(line)
            record = host.get(f"/games/{game}/record").content
    except (DemoError, httpx.HTTPError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    Path(file).write_bytes(record)
    lines = "".join(f"{json.dumps(each)}\n" for each in told)
    Path(f"{file}{TOLD}").write_text(lines, encoding="utf-8")
    print(f"record    {len(record)} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
