"""The reference of ``command``: what somebody would write who keeps every post in a Redis stream.

``python -m bench.peer STORE_URL``: Litestar and redis-py, no authentication, no rules, no
rate limits, no log lines. One script appends to a stream at its next version, to a feed, to the
deadlines, and remembers the request. It prints ``listening on http://127.0.0.1:PORT``.
"""

from __future__ import annotations

import socket
import sys
from typing import Any, Final

import uvicorn
from litestar import Litestar, post
from litestar.params import FromPath, JSONBody
from msgspec import Struct
from redis.asyncio import Redis
from redis.commands.core import AsyncScript

APPEND: Final = """
local seen = redis.call('GET', KEYS[4])
if seen then return tonumber(seen) end
local version = redis.call('XLEN', KEYS[1]) + 1
redis.call('XADD', KEYS[1], string.format('%d-0', version), 'e', ARGV[1])
redis.call('XADD', KEYS[2], '*', 'g', ARGV[2], 'v', version)
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
redis.call('SET', KEYS[4], version, 'EX', 600)
return version
"""
_CONNECTIONS: Final = 16


class PeerChoice(Struct, frozen=True):
    """What is posted."""

    option: str


class Taken(Struct, frozen=True):
    """What is answered."""

    game: str
    version: int


class _Bench:
    """The application's one handler, and what it needs."""

    def __init__(self, url: str) -> None:
        self.client = Redis.from_url(url, max_connections=_CONNECTIONS * 2)
        self.append: AsyncScript = self.client.register_script(APPEND)
        self.number = 0

    def app(self) -> Litestar:
        """The application."""

        @post("/games/{game:str}/decisions/{decision:str}", status_code=200)
        async def choose(
            game: FromPath[str], decision: FromPath[str], data: JSONBody[PeerChoice]
        ) -> Taken:
            self.number += 1
            keys = [f"peer:{game}", "peer:feed", "peer:due", f"peer:i:{self.number}"]
            payload = f'{{"decision":"{decision}","option":"{data.option}","seat":1}}'
            args: list[Any] = [payload, game, self.number]
            return Taken(game, await self.append(keys=keys, args=args))

        return Litestar(
            [choose],
            on_shutdown=[self.client.aclose],
            openapi_config=None,
            logging_config=None,
        )


class PeerServer(uvicorn.Server):
    """A server that tells its port."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, and say where."""
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]
        print(f"listening on http://127.0.0.1:{port}", flush=True)


def main(arguments: list[str]) -> int:
    """Serve the store at the url that is given."""
    if len(arguments) != 1:
        print("usage: python -m bench.peer STORE_URL", file=sys.stderr)
        return 2
    config = uvicorn.Config(
        _Bench(arguments[0]).app(),
        host="127.0.0.1",
        port=0,
        loop="uvloop",
        http="httptools",
        lifespan="on",
        log_config=None,
        access_log=False,
    )
    PeerServer(config).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
