"""Plays scenarios over HTTP, with nothing that a client author could not do.

Nothing of the engine is used here, but to explain why a step could not be done. Seats are players
of their own; one of them hosts the table. The view ``full`` is public once a game has ended, so
checks of it wait until all seats have resigned.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

import httpx
import msgspec

from games.game_registry import installed_games
from replay.judge import Judge
from replay.scenario.engine import settled_in
from replay.scenario.format import Scenario, TimeOut
from replay.scenario.tables import Json, OpenDecision, SeenEvent, Settled, TableRefusal
from replay.source import SourceError, read_file

HURRY_S: Final = 3
"""The time limits at tables where a step lets the time run out."""
MOVED_S: Final = 600
"""Likewise, where the service's time can be moved on."""
STEP_LIMIT_S: Final = 24 * 3600
"""The time limits everywhere else."""
WAIT_S: Final = 25
"""How long one long poll waits."""
OVERDUE_S: Final = 60
"""How long a time-out may be overdue before the service is given up."""
PAGE: Final = 1000
_OK: Final = range(200, 300)
_TOO_MANY: Final = 429


class ServerError(Exception):
    """The service is unusable: it does not answer, or not properly."""


class RemoteService:
    """A service at an address, and one player for each seat.

    Args:
        url: the address.
        client: what speaks to it, if not a client of our own.
        move_on: moves the service's time on by so many seconds, where somebody can do that; else
            time limits are short, and waited for.
    """

    def __init__(
        self,
        url: str,
        client: httpx.Client | None = None,
        move_on: Callable[[int], None] | None = None,
    ) -> None:
        self.move_on = move_on
        self._client = client or httpx.Client(base_url=url, timeout=WAIT_S + 15)
        self._tokens: dict[int, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def table(self) -> HttpTable:
        """A new table, not yet opened."""
        return HttpTable(self)

    def token(self, seat: int) -> str:
        """The token of the player who takes this seat at every table."""
        if seat not in self._tokens:
            body = {"name": f"Scenario seat {seat}"}
            made = self._call("POST", "/v1/players", None, json=body)
            self._tokens[seat] = made["token"]["token"]
        return self._tokens[seat]

    def get(self, path: str, seat: int, **queries: str | int | None) -> Json:
        """Read something as the player of a seat."""
        given = {name.rstrip("_"): value for name, value in queries.items() if value is not None}
        return self._call("GET", path, self.token(seat), params=given)

    def post(self, path: str, seat: int, body: Json) -> Json:
        """Give a command as the player of a seat.

        Raises:
            Refused: with the code of the problem.
            ServerError: the service does not answer as it should.
        """
        return self._call("POST", path, self.token(seat), json=body)

    def download(self, path: str, seat: int) -> bytes:
        """A file as the player of a seat may read it.

        Raises:
            Refused: with the code of the problem.
        """
        answer = self._send("GET", path, self.token(seat))
        if answer.status_code in _OK:
            return answer.content
        raise _refusal(answer, _read(answer, f"GET {path}"))

    def _call(self, method: str, path: str, token: str | None, **more: Any) -> Json:  # noqa: ANN401 (httpx takes many)
        answer = self._send(method, path, token, **more)
        body = _read(answer, f"{method} {path}")
        if answer.status_code in _OK:
            return body
        raise _refusal(answer, body)

    def _send(self, method: str, path: str, token: str | None, **more: Any) -> httpx.Response:  # noqa: ANN401 (httpx takes many)
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        while True:
            try:
                answer = self._client.request(method, path, headers=headers, **more)
            except httpx.HTTPError as error:
                raise ServerError(f"{method} {path}: {error!r}") from None
            if answer.status_code != _TOO_MANY:
                return answer
            time.sleep(float(answer.headers.get("Retry-After", "1")))


def _read(answer: httpx.Response, what: str) -> Json:
    try:
        body: Json = msgspec.json.decode(answer.content)
    except msgspec.DecodeError:
        raise ServerError(f"{what}: {answer.status_code}, not JSON") from None
    return body


def _refusal(answer: httpx.Response, body: Json) -> TableRefusal:
    code = str(body.get("type", "")).rpartition("/")[2]
    return TableRefusal(code, f"{answer.status_code} {body.get('detail')}")


class HttpTable:
    """A table of the service. What has been read is kept until a command may have changed it."""

    full_at_end = True

    def __init__(self, server: RemoteService) -> None:
        self._server = server
        self._game = ""
        self._seats = 0
        self._closed = False
        self._kept: dict[tuple[str, str], Any] = {}

    def open(self, scenario: Scenario, rulebook: str, number: int) -> None:  # noqa: ARG002 (the service draws its keys itself)
        """Open the table as its host, and seat everybody."""
        hurry = HURRY_S if self._server.move_on is None else MOVED_S
        limit = hurry if lets_time_pass(scenario) else STEP_LIMIT_S
        body: dict[str, Any] = {
            "game": scenario.game.rules.id,
            "rulebook": rulebook,
            "mode": scenario.mode,
            "seats": scenario.seats,
            "options": scenario.options,
            "visibility": "unlisted",
            "time": {
                "limits_s": dict.fromkeys(scenario.game.rules.waits, limit),
                "absent_after": scenario.absent_after,
            },
        }
        if scenario.given is not None:
            body["scenario"] = msgspec.to_builtins(scenario.given)
        self._seats = scenario.seats
        self._game = self._server.post("/v1/games", 1, body)["game"]
        for seat in range(1, scenario.seats + 1):
            taking: dict[str, Any] = {"seat": seat}
            if scenario.characters:
                taking["characters"] = scenario.characters[seat - 1]
            self._server.post(self._at("/seats"), seat, taking)

    def version(self) -> int:
        """The number of the last event."""
        version: int = self._state("public")["version"]
        return version

    def decisions(self, seat: int) -> list[OpenDecision]:
        """What a seat may choose now."""
        key = ("decisions", str(seat))
        if key not in self._kept:
            self._kept[key] = self._server.get(self._at("/decisions"), seat)["decisions"]
        return [
            OpenDecision(
                id=d["id"],
                kind=d["kind"],
                options=tuple(option["id"] for option in d["options"]),
                character=d.get("subject"),
                default=d.get("default"),
                optional=d.get("optional", False),
                secret=d.get("secret", False),
                answered=d.get("answered", False),
            )
            for d in self._kept[key]
            if d["seat"] == seat
        ]

    def below(self, seat: int, decision: str, branch: str) -> tuple[str, ...]:
        """The ids of the options below a branch.

        Raises:
            Refused: with the code of the problem.
        """
        listed = self._server.get(self._at(f"/decisions/{decision}/options/{branch}"), seat)
        return tuple(option["id"] for option in listed["options"])

    def choose(self, seat: int, decision: str, option: str) -> None:
        """Send the seat's choice.

        Raises:
            Refused: with the code of the problem.
        """
        self._kept.clear()
        self._server.post(self._at(f"/decisions/{decision}"), seat, {"option": option})

    def let_time_pass(self) -> None:
        """Wait until the service has timed out what the game waits for.

        Raises:
            ServerError: it does not.
        """
        clock = self.view("public")["clock"]
        version = self.version()
        if self._server.move_on is not None:
            self._server.move_on(MOVED_S + 1)
        give_up = time.monotonic() + HURRY_S + OVERDUE_S
        while (view := self.view("public"))["clock"] == clock and view["result"] is None:
            if time.monotonic() > give_up:
                raise ServerError("a time-out is long overdue: does the service run its workers?")
            self._kept.clear()
            query: dict[str, Any] = {"after": version, "wait": HURRY_S, "as_": "public"}
            self._server.get(self._at("/events"), 1, **query)

    def close(self) -> None:
        """Let every seat resign, unless the game has ended by itself."""
        if self._closed:
            return
        self._kept.clear()
        try:
            self._resign()
        except TableRefusal as refusal:
            if refusal.code != "game-over":  # a clock may end the game while they resign
                raise
            self._kept.clear()
        self._closed = True

    def _resign(self) -> None:
        for seat in range(1, self._seats + 1):
            for decision in self.decisions(seat):
                if decision.kind == "resign":
                    self.choose(seat, decision.id, "resign")

    def unasked(self) -> Sequence[Settled]:
        """End the game, and carry the commands of its record out again to see what is not told.

        A service of other rules than ours may leave some of it unknown.
        """
        self.close()
        try:
            source = read_file(self._server.download(self._at("/record"), 1))
            judge = Judge(source, source.envelopes(), installed_games())
        except SourceError:
            return []
        return settled_in(judge.asides())

    def view(self, viewer: str, at: int | None = None) -> Json:
        """What a viewer sees, now or at a version."""
        state: Json = self._state(viewer, at)["state"]
        return state

    def events(self, viewer: str) -> Sequence[SeenEvent]:
        """The events since the game began, with what the viewer may open."""
        key = ("events", viewer)
        if key not in self._kept:
            self._kept[key] = self._read_events(viewer)
        found: list[SeenEvent] = self._kept[key]
        return found

    def _read_events(self, viewer: str) -> list[SeenEvent]:
        found: list[SeenEvent] = []
        after = 0
        while True:
            query: dict[str, Any] = {"after": after, "limit": PAGE, "as_": viewer}
            page = self._server.get(self._at("/events"), _reader(viewer), **query)
            found += [_opened(logged) for logged in page["events"]]
            if len(page["events"]) < PAGE:
                break
            after = page["next"]
        begun = [i for i, one in enumerate(found) if one.event["type"] == "table-started"]
        return found[begun[0] :]

    def _state(self, viewer: str, at: int | None = None) -> Json:
        key = ("state", f"{viewer}@{at}")
        if key not in self._kept:
            query: dict[str, Any] = {"as_": viewer, "at": at}
            self._kept[key] = self._server.get(self._at("/state"), _reader(viewer), **query)
        state: Json = self._kept[key]
        return state

    def _at(self, path: str) -> str:
        return f"/v1/games/{self._game}{path}"


def lets_time_pass(scenario: Scenario) -> bool:
    """Whether a step waits until the time of a decision has run out."""
    return any(
        isinstance(step, TimeOut) or getattr(step, "by", None) == "time_out"
        for step in scenario.when
    )


def _reader(viewer: str) -> int:
    """The token that reads for a viewer: the seat's own, or any for public views."""
    return int(viewer.removeprefix("seat:")) if viewer.startswith("seat:") else 1


def _opened(logged: Mapping[str, Any]) -> SeenEvent:
    """An event of the log with the secret fields that the reader could open put in."""
    event = dict(logged["event"])
    for path, opening in logged.get("opened", {}).items():
        where, _, name = path.partition(".")
        if where == "event":
            event[name] = opening["value"]
    return SeenEvent(logged["v"], event)
