"""A client that behaves, for beside a flood: it asks, commands, connects anew, and counts waits."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Final, Self

import httpx

ADDRESS: Final = "127.0.0.2"
PATIENCE_S: Final = 60.0


class SteadyError(RuntimeError):
    """A request of a client that behaves was not answered, or not well."""


class SteadyClient:
    """A player that comes from an address of its own.

    Args:
        url: of the service.
        address: from where we come.

    Attributes:
        waits: how long each request took so far, in seconds.
    """

    def __init__(self, url: str, address: str = ADDRESS) -> None:
        self.waits: list[float] = []
        self._url = url
        self._address = address
        self._http = self._client()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def round(self) -> None:
        """Ask for health, a page of games and a document, register a player, and connect anew.

        Raises:
            SteadyError: something was not answered, or not well.
        """
        for path in ("/health/live", "/v1/games", "/v1/rulebooks/first_edition"):
            self._measure(lambda path=path: self._http.get(path))  # type: ignore[misc]  # bound now
        key = {"idempotency-key": secrets.token_urlsafe(16)}
        self._measure(lambda: self._http.post("/v1/players", json={"name": "Ada"}, headers=key))
        with self._client() as anew:
            self._measure(lambda: anew.get("/health/live"))

    def _measure(self, ask: Callable[[], httpx.Response]) -> None:
        began = time.perf_counter()
        try:
            answer = ask()
        except httpx.HTTPError as error:
            raise SteadyError(f"{type(error).__name__}: {error}") from error
        self.waits.append(time.perf_counter() - began)
        if not answer.is_success:
            raise SteadyError(f"{answer.request.url}: {answer.status_code} {answer.text}")

    def _client(self) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=self._address)
        return httpx.Client(base_url=self._url, transport=transport, timeout=PATIENCE_S)


def percentile(waits: list[float], percent: float) -> float:
    """The wait that so many percent of the requests did not exceed, in seconds."""
    ordered = sorted(waits)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
