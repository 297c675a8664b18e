"""Players who speak to the service by themselves, without a browser: a test's other people."""

from __future__ import annotations

import itertools
import random
import ssl
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import httpx

from games.registry import GAMES

Json = dict[str, Any]

PACE_MS = 20
"""How soon house bots answer at the tables of these tests."""

HOUR_S = 3600

_NOBODY: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Whom clients trust. No service of these tests speaks TLS, and a client that is told nothing reads
whom the world trusts: 60 ms of a core each."""


def no_hurry(game: str = "room25") -> Json:
    """The time control of a table at which nobody is ever late, whatever its game waits for."""
    return {"limits_s": dict.fromkeys(GAMES[game].rules.waits, HOUR_S), "bot_pace_ms": PACE_MS}


class Client:
    """A player; ``token`` is the secret that speaks for it. Without one it registers.

    ``keys`` are those of its commands, and by default ones that nobody knows: whoever has the same
    ones is the same player, and opens the same tables.
    """

    def __init__(
        self, url: str, name: str, token: str | None = None, keys: Iterator[str] | None = None
    ) -> None:
        self.url = url
        self._keys = keys or (str(uuid.uuid4()) for _ in itertools.count())
        # The service hangs up after five idle seconds, and no request may cross with that.
        limits = httpx.Limits(keepalive_expiry=1)
        self._http = httpx.Client(base_url=f"{url}/v1", timeout=60, limits=limits, verify=_NOBODY)
        self.name = name
        self.token = token or str(self.post("/players", {"name": name})["token"]["token"])
        self._http.headers["authorization"] = f"Bearer {self.token}"

    @property
    def player(self) -> str:
        """Its id."""
        return str(self.get("/tokens")["player"])

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Json:
        """A command under a key of its own; a refusal fails the test."""
        answer = self._http.post(path, json=body, headers={"idempotency-key": next(self._keys)})
        assert answer.is_success, f"POST {path}: {answer.text}"
        return dict(answer.json())

    def get(self, path: str, **queries: str | int) -> Json:
        """What this player may read; a trailing underscore in a query's name is dropped (as_)."""
        answer = self.ask(path, **queries)
        assert answer.is_success, f"GET {path}: {answer.text}"
        return dict(answer.json())

    def ask(self, path: str, **queries: str | int) -> httpx.Response:
        """The same, as it comes."""
        return self._http.get(path, params={k.rstrip("_"): v for k, v in queries.items()})

    def opens(self, mode: str, seats: int, rulebook: str = "first_edition", **more: object) -> str:
        """Open a table without hurry; its id."""
        wish = {"rulebook": rulebook, "mode": mode, "seats": seats, **more}
        time = no_hurry(str(wish.get("game", "room25")))
        return str(self.post("/games", {"time": time, **wish})["game"])

    def sits(self, game: str, **wish: object) -> int:
        """Sit down at a table; the seat."""
        made = self.post(f"/games/{game}/seats", wish)
        return next(int(e["event"]["seat"]) for e in made["events"] if "seat" in e["event"])

    def revokes(self, token: str) -> None:
        """Revoke a token of one's own, by its id."""
        answer = self._http.delete(f"/tokens/{token}")
        assert answer.is_success, answer.text

    def leaves(self, game: str, seat: int) -> None:
        """Leave a seat, or have somebody leave it at a table of one's own."""
        key = {"idempotency-key": next(self._keys)}
        answer = self._http.delete(f"/games/{game}/seats/{seat}", headers=key)
        assert answer.is_success, answer.text

    def deletes_account(self) -> None:
        """Be gone for good."""
        answer = self._http.delete(f"/players/{self.player}")
        assert answer.is_success, answer.text

    def seats_bot(self, game: str, bot: str = "random") -> None:
        """Seat a house bot at a table of one's own."""
        self.post(f"/games/{game}/seats", {"bot": bot})

    def asked(self, game: str) -> list[Json]:
        """The decisions that the game waits for."""
        found = self.get(f"/games/{game}/decisions")["decisions"]
        return [d for d in found if not d["optional"] and not d["answered"]]

    def chooses(self, game: str, option: str) -> None:
        """Answer the first decision that the game waits for."""
        decision = self.asked(game)[0]["id"]
        self.post(f"/games/{game}/decisions/{decision}", {"option": option})

    def moves(self, game: str, choice: random.Random) -> int:
        """Answer what the game waits for, one decision after another; how many there were."""
        answered = 0
        while found := self.asked(game):
            self.chooses(game, choice.choice(found[0]["options"])["id"])
            answered += 1
        return answered

    def state(self, game: str, as_: str = "public") -> Json:
        """A viewer's state of the table."""
        return dict(self.get(f"/games/{game}", as_=as_)["state"])

    def version(self, game: str) -> int:
        """The newest version."""
        return int(self.get(f"/games/{game}")["version"])

    def waits(self, game: str, after: int) -> None:
        """Wait until something happens in a game after a version, for a while."""
        self.ask(f"/games/{game}/events", after=after, wait=20)

    def lines(self, game: str, as_: str = "public") -> list[str]:
        """All events of a game as raw lines."""
        answer = self._http.get(
            f"/games/{game}/events",
            params={"as": as_, "limit": 1000},
            headers={"accept": "application/x-ndjson"},
        )
        found = answer.text.splitlines()
        while "next" in answer.links:
            answer = self._http.get(
                answer.links["next"]["url"], headers={"accept": "application/x-ndjson"}
            )
            found += answer.text.splitlines()
        return [line for line in found if line]


class Mover(Protocol):
    """Whoever answers what a game asks, in whatever way."""

    def moves(self, game: str, choice: random.Random) -> int:
        """Answer what the game waits for; how many decisions there were."""
        ...


def play_on(
    game: str,
    eyes: Client,
    movers: Sequence[Mover],
    choice: random.Random,
    *,
    turns: int | None = None,
) -> None:
    """Play until the game has ended, or until a turn is over; house bots move by themselves."""
    while True:
        state = eyes.state(game)
        turn = (state["play"] or {}).get("turn", 0)
        if state["phase"] == "finished" or (turns is not None and turn > turns):
            return
        version = eyes.version(game)  # of before the questions: what a bot does now counts
        if not sum(mover.moves(game, choice) for mover in movers):
            eyes.waits(game, version)


def play_out(game: str, players: Sequence[Client], choice: random.Random) -> None:
    """Let players choose at random until the game has ended."""
    play_on(game, players[0], players, choice)


def begun(players: Sequence[Client], mode: str = "cooperation", **more: Any) -> str:
    """A game at which these players sit, the first one at seat 1."""
    game = players[0].opens(mode, len(players), **more)
    for number, player in enumerate(players, 1):
        player.sits(game, seat=number)
    return game


def finished_game(
    players: list[Client], mode: str, rulebook: str = "first_edition", seed: int = 25
) -> str:
    """Open a table for these players and play it out; the game's id."""
    game = begun(players, mode, rulebook=rulebook)
    play_out(game, players, random.Random(seed))
    return game
