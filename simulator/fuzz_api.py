"""The API's part of ``make fuzz``: schemathesis against a live service, with a time budget.

It starts a store and a service of its own, brings a few games into being, so that requests find
something to do, and lets schemathesis loose on them with a token that may do everything.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx

from runtime.embedded.children import Child, ChildError
from runtime.embedded.store import Store
from runtime.settings import NO_MARKS, Secret, Settings, environment

SECONDS: Final = 120
KNOWN: Final = "FUZZ_KNOWN"
"""The environment variable that tells the hooks which ids exist."""

ROOT: Final = Path(__file__).resolve().parent.parent
_TABLE: Final = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}
_SCOPES: Final = ("play", "organise", "audit", "admin")
_PLENTY: Final = 10**9


def settings_for(store_url: str, operator: str) -> Settings:
    """A service that does not mind being hurried, and whose long polls do not wait."""
    return Settings(
        store_url=store_url,
        rq_url=store_url,
        keys={"fuzz": Secret(secrets.token_bytes(32))},
        current_key="fuzz",
        naming_key="fuzz",
        admin_token_hash=Secret(hashlib.sha256(operator.encode()).digest()),
        port=0,
        marks=NO_MARKS,
        wait_limit_s=0,
        stream_limit_s=1,
        commands_per_minute=_PLENTY,
        reads_per_minute=_PLENTY,
        registrations_per_minute=_PLENTY,
        log_level="error",
    )


class FuzzedService:
    """A few players and games on a service.

    ``token`` may do everything; ``known`` are ids that exist, by the name of the path parameter.
    """

    def __init__(self, url: str, operator: str) -> None:
        self._http = httpx.Client(base_url=url)
        player = self._post("/v1/players", {"name": "Fuzz"})
        wish = {"scopes": _SCOPES, "player": player["id"]}
        self.token: str = self._post("/v1/tokens", wish, operator)["token"]
        spare = self._post("/v1/tokens", {"scopes": ["bot"]}, self.token)
        other: str = self._post("/v1/players", {"name": "Other"})["token"]["token"]
        open_one, live = (self._post("/v1/games", _TABLE, self.token)["game"] for _ in range(2))
        over = self._post("/v1/games", _TABLE, self.token)["game"]
        for game in (live, over):
            for token in (self.token, other):
                self._post(f"/v1/games/{game}/seats", {}, token)
        self._post(f"/v1/games/{over}/annul", {"reason": "other"}, self.token)
        self.known: Mapping[str, list[Any]] = {
            "game": [open_one, live, live, over],
            "option": ["r1c2", "resign", "look"],
            "decision": ["clue-s1", "clue-s2", "resign-s1", "t1-program-emmett"],
            "seat": [1, 2],
            "player": [player["id"]],
            "token": [spare["id"]],
            "rulebook": ["first_edition"],
            "problem": ["game-over", "not-found"],
        }
        self._http.close()

    def _post(self, path: str, body: object, token: str | None = None) -> dict[str, Any]:
        headers = {"idempotency-key": secrets.token_urlsafe(16)}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        answer = self._http.post(path, json=body, headers=headers)
        answer.raise_for_status()
        return dict(answer.json())


def fuzz(url: str, world: FuzzedService, seconds: int, arguments: Sequence[str] = ()) -> int:
    """Run schemathesis; its exit code."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{url}/v1/openapi.json"]
    command += ["--max-time", str(seconds), "-H", f"Authorization: Bearer {world.token}"]
    environ = {**os.environ, KNOWN: json.dumps(world.known)}
    done = subprocess.run([*command, *arguments], env=environ, cwd=ROOT, check=False)
    return done.returncode


def main(argv: Sequence[str] | None = None) -> int:
    """Start a service, fuzz it, stop it; 0 if schemathesis found nothing and all ended well."""
    parser = argparse.ArgumentParser(prog="python -m simulator.fuzz_api", description=__doc__)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="default: %(default)s")
    seconds: int = parser.parse_args(argv).seconds
    operator = secrets.token_urlsafe(32)
    with tempfile.TemporaryDirectory(prefix="plr-") as folder, Store(Path(folder) / "s") as store:
        environ = {**os.environ, **environment(settings_for(store.url, operator))}
        service = Child("service", ["-m", "service"], environ, speaks=True)
        try:
            url = service.first_line().split()[-1]
            code = fuzz(url, FuzzedService(url, operator), seconds)
        except (ChildError, httpx.HTTPError) as error:
            print(f"fuzz: {error}", file=sys.stderr)
            code = 1
        finally:
            service.stop()
    return code


if __name__ == "__main__":
    sys.exit(main())
