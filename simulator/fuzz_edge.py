"""The edge's part of ``make fuzz``: floods, and a client that behaves beside them.

It starts a store and a service of its own. Floods (``simulator.flood``) come from several addresses
at once, and all the while each request of a well-behaved client from another one must be answered.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec

from runtime.embedded.children import Child, ChildError
from runtime.embedded.store import Store
from runtime.settings import environment
from simulator import fuzz_api
from simulator.steady import SteadyClient, SteadyError, percentile

SECONDS: Final = 60
FLOODS: Final = 3
_BOUNDS: Final = {
    "header_timeout_ms": 2000,
    "body_timeout_ms": 2000,
    "idle_timeout_ms": 2000,
    "write_timeout_ms": 2000,
    "registrations_per_day": 10**6,
}
"""Shorter than they are by default, so that each runs out again and again."""


@contextmanager
def flooded(port: int, seconds: float, floods: int = FLOODS) -> Iterator[list[Child]]:
    """Flood a service from so many addresses, each by a process of its own."""
    with ExitStack() as stack:
        children = []
        for number in range(floods):
            address = f"127.0.1.{number + 1}"
            arguments = ["-m", "simulator.flood", str(port), str(seconds), address]
            child = Child(f"flood {number + 1}", arguments, os.environ, speaks=True)
            stack.callback(child.stop)
            child.first_line()
            children.append(child)
        yield children


def stand(url: str, seconds: float) -> int:
    """Let floods stand for some seconds, and behave meanwhile; 0 if every request was answered."""
    port = int(url.rpartition(":")[2])
    with flooded(port, seconds), SteadyClient(url) as steady:
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                steady.round()
        except SteadyError as error:
            print(f"fuzz: beside a flood a request failed: {error}", file=sys.stderr)
            return 1
        waits = [f"{1000 * percentile(steady.waits, share):.1f}" for share in (50, 99, 100)]
        print(f"{len(steady.waits)} requests beside a flood, all answered; waits in ms:", end=" ")
        print("median {}, 99 % {}, longest {}".format(*waits))
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Start a service, flood it, stop it; 0 if all ended well."""
    parser = argparse.ArgumentParser(prog="python -m simulator.fuzz_edge", description=__doc__)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="default: %(default)s")
    seconds: int = parser.parse_args(argv).seconds
    with tempfile.TemporaryDirectory(prefix="plr-") as folder, Store(Path(folder) / "s") as store:
        settings = fuzz_api.settings_for(store.url, secrets.token_urlsafe(32))
        settings = msgspec.structs.replace(settings, **_BOUNDS)
        environ = {**os.environ, **environment(settings)}
        service = Child("service", ["-m", "service"], environ, speaks=True)
        try:
            code = stand(service.first_line().split()[-1], seconds)
        except ChildError as error:
            print(f"fuzz: {error}", file=sys.stderr)
            code = 1
        finally:
            service.stop()
    return code


if __name__ == "__main__":
    sys.exit(main())
