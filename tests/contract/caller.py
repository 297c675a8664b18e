"""Asks a service by plain requests, and collects what it answers."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final, Self

import httpx

_TABLE: Final = {"rulebook": "first_edition", "mode": "solo", "seats": 1}


class Caller:
    """A stranger, and after ``join`` a player."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def get(self, path: str, **queries: Any) -> Any:
        """A good answer, read."""
        return self._http.get(path, params=queries or None).raise_for_status().json()

    def post(self, path: str, body: Any) -> Any:
        """The good answer to a command."""
        headers = {"idempotency-key": str(uuid.uuid4())}
        return self._http.post(path, json=body, headers=headers).raise_for_status().json()

    def document(self) -> Any:
        """The document as it is served."""
        return self.get("/v1/openapi.json")

    def answers(self) -> Iterator[tuple[str, Any]]:
        """Play a game, and tell what the service answers on the way, with the schema's name."""
        made = self.post("/v1/players", {"name": "Cyd"})
        yield "PlayerRegistered", made
        self._http.headers["authorization"] = f"Bearer {made['token']['token']}"
        receipt = self.post("/v1/games", _TABLE)
        there = f"/v1/games/{receipt['game']}"
        yield "Receipt", receipt
        yield "Receipt", self.post(f"{there}/seats", {})
        yield "GameView", self.get(there)
        yield "DecisionList", self.get(f"{there}/decisions")
        yield from self._to_the_end(there)
        yield "EventPage", self.get(f"{there}/events", limit=1000)
        yield "GameView", self.get(there)
        for path, name in (
            ("/v1", "ApiInfo"),
            ("/v1/games", "GamePage"),
            ("/v1/rulebooks", "RulebookList"),
            ("/v1/rulebooks/ultimate", "Room25RulebookDescription"),
            ("/v1/tokens", "TokenList"),
            (f"/v1/players/{made['id']}", "PlayerInfo"),
            (f"{there}/head", "HeadInfo"),
            ("/problems", "ProblemKinds"),
            ("/health/live", "HealthLive"),
            ("/health/ready", "HealthReady"),
        ):
            yield name, self.get(path)
        yield "Problem", self._http.get("/v1/games/none").json()

    def _to_the_end(self, there: str) -> Iterator[tuple[str, Any]]:
        """Choose defaults until the game is over."""
        while True:
            found = self.get(f"{there}/decisions")
            asked = [each for each in found["decisions"] if each["default"]]
            if not asked:
                yield "DecisionList", found
                return
            path = f"{there}/decisions/{asked[0]['id']}"
            yield "Receipt", self.post(path, {"option": asked[0]["default"]})
