"""The worked HAProxy configuration, in a HAProxy, before two processes that tell who they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx
import pytest

from ops.cluster import haproxy
from ops.haproxy import Proxy, configuration

pytestmark = pytest.mark.system

PROGRAM: Final = haproxy()
LONG_S: Final = 20.0


class Api:
    """Answers everything with its own name, and checks of its health as it is told."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.health = {"/health/ready": 200, "/health/writable": 200}
        self.heads: list[bytes] = []
        self.port = 0
        self._serving: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode()
                status = self.health.get(path, 200)
                if path not in self.health:
                    self.heads.append(head.lower())
                body = self.name.encode()
                size = f"content-length: {len(body)}"
                writer.write(f"HTTP/1.1 {status} So\r\n{size}\r\n\r\n".encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.transport.abort()
            self._serving.discard(task)

    async def has_ended(self) -> None:
        """Return when no connection is served any more."""
        while self._serving:
            await asyncio.wait(self._serving)


class Behind(httpx.AsyncClient):
    """Asks through the proxy."""

    async def is_there(self) -> bool:
        """Whether anybody listens."""
        try:
            await self.get("/")
        except httpx.TransportError:
            return False
        return True

    async def told(self, method: str, path: str, **headers: str) -> str:
        """Who has answered, or the status if nobody has."""
        answer = await self.request(method, path, headers=headers)
        return answer.text if answer.is_success else str(answer.status_code)

    async def until(self, method: str, path: str, expected: set[str]) -> None:
        """Ask until nobody else than expected has answered twenty times in a row."""
        async with asyncio.timeout(LONG_S):
            while {await self.told(method, path) for _ in range(20)} != expected:  # noqa: ASYNC110 (it asks)
                await asyncio.sleep(0.05)


@asynccontextmanager
async def proxied(home: Path) -> AsyncIterator[tuple[Behind, Api, Api]]:
    """A HAProxy before two processes, once it has found both."""
    assert PROGRAM is not None
    apis = Api("one"), Api("two")
    servers = [await asyncio.start_server(api.serve, "127.0.0.1", 0) for api in apis]
    for api, server in zip(apis, servers, strict=True):
        api.port = server.sockets[0].getsockname()[1]
    proxy = Proxy(PROGRAM, home, [f"127.0.0.1:{api.port}" for api in apis], {})
    try:
        async with Behind(base_url=f"http://{proxy.address}", timeout=LONG_S) as http:
            async with asyncio.timeout(LONG_S):
                while not await http.is_there():
                    assert proxy.exit_code() is None
                    await asyncio.sleep(0.05)
            await http.until("POST", "/v1/games", {"one", "two"})
            yield http, *apis
    finally:
        await asyncio.to_thread(proxy.stop)
        for api, server in zip(apis, servers, strict=True):
            server.close()
            await api.has_ended()


def test_the_configuration_is_for_any_addresses() -> None:
    text = configuration("*:80", ["a:1", "b:2", "c:3"])
    assert text.count("    bind *:80\n") == 1
    for server in ("api1 a:1", "api2 b:2", "api3 c:3"):
        assert text.count(f"    server {server} check\n") == 4
    assert "8025" not in text


@pytest.mark.skipif(PROGRAM is None, reason="HAProxy is not installed; CI installs it")
async def test_games_stay_together_and_commands_go_where_they_can_be_written(home: Path) -> None:
    async with proxied(home) as (http, one, two):
        shards = [f"{shard:02x}" for shard in range(64)]
        at = {shard: await http.told("GET", f"/v1/games/g{shard}-a") for shard in shards}
        share = sum(api == "one" for api in at.values())
        assert 16 <= share <= 48, "each has its share of the shards"
        for shard in shards[:8]:
            for method, path in (
                ("POST", f"/v1/games/g{shard}-b/decisions/x"),
                ("DELETE", f"/v1/games/g{shard}-c/seats/1"),
                ("GET", f"/v1/games/g{shard}-d/events"),
            ):
                assert await http.told(method, path) == at[shard]
        mine = next(shard for shard in shards if at[shard] == "one")

        one.heads.clear()
        said = {"x-forwarded-for": "203.0.113.9"}
        assert await http.told("GET", f"/v1/games/g{mine}-a", **said) == "one"
        assert b"x-forwarded-for: 127.0.0.1\r\n" in one.heads[0]
        assert b"203.0.113.9" not in one.heads[0]
        for path in ("/metrics", "/health/ready", "/health/writable"):
            assert await http.told("GET", path) == "404"

        one.health["/health/writable"] = 503  # it can be read from still
        await http.until("POST", f"/v1/games/g{mine}-a/seats", {"two"})
        await http.until("DELETE", "/v1/tokens/x", {"two"})
        assert await http.told("GET", f"/v1/games/g{mine}-a") == "one"
        one.health["/health/ready"] = 503
        await http.until("GET", f"/v1/games/g{mine}-a", {"two"})
        two.health["/health/writable"] = 503
        await http.until("POST", f"/v1/games/g{mine}-a/seats", {"503"})
        one.health["/health/writable"] = 200
        await http.until("POST", f"/v1/games/g{mine}-a/seats", {"one"})
