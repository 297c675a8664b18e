"""The fast path answers as Litestar does: the same requests by both ways, compared to the byte."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from msgspec import Struct

from events.kernel import Rejected
from events.keys import SecretError
from events.log import Damaged, KeyReused
from events.scripts import LogUnavailable
from events.skew import ClockSkew
from events.transact import Busy, NoSuchStream
from runtime.table_service import TableService
from service.access.fast_path import FastPath
from service.http.outer_middleware import OuterMiddleware
from tests.service.stage import Json, Player, Stage, Still, hung_up, ok, stage, told

GOOD = b'{"option":"r1c2"}'
OTHER = b'{"option":"r2c3"}'
LARGE = b'{"option":"' + b"x" * 70_000 + b'"}'
NOBODYS = "g00-0123456789abcdefghjkmnpqrs"
"""The id of a game that nobody has opened."""

Headers = list[tuple[str, str]]

FAR = "192.0.2.1"
"""Where names are not checked, so that odd ones get as far as the fast path."""


class Asked(Struct, frozen=True):
    """A request. ``fast_path``: it is one for the fast path; ``chunks`` send the body in pieces."""

    name: str
    path: str
    headers: Headers
    content: bytes = GOOD
    method: str = "POST"
    chunks: bool = False
    fast_path: bool = True


class Cast(Struct, frozen=True):
    """Who plays, and where."""

    ada: Player
    bob: Player
    eve: Player
    watcher: Player
    game: str
    private: str
    waiting: str

    @property
    def clue(self) -> str:
        """Where Ada chooses her starting clue, again and again."""
        return f"/v1/games/{self.game}/decisions/clue-s1"


async def cast(on: Stage) -> Cast:
    """The same people and games at every service, to the id."""
    keys = (f"cast-key-{number:012}" for number in range(100))

    async def made(player: Player, path: str, body: Json) -> Json:
        return ok(await player.post(path, body, next(keys)), 201)

    people = []
    for name in ("Ada", "Bob", "Eve"):
        shown = await made(on.stranger, "/v1/players", {"name": name})
        people.append(Player(on.http, shown["token"]["token"], shown["id"]))
    ada, bob, eve = people
    wish = {"scopes": ["organise"], "player": ada.id}
    watcher = Player(on.http, (await made(on.operator, "/v1/tokens", wish))["token"], ada.id)
    games = []
    for visibility in ("public", "private", "public"):
        table = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}
        games.append((await made(ada, "/v1/games", table | {"visibility": visibility}))["game"])
    await made(ada, f"/v1/games/{games[0]}/seats", {})
    await made(bob, f"/v1/games/{games[0]}/seats", {})
    await made(ada, f"/v1/games/{games[2]}/seats", {})
    return Cast(ada, bob, eve, watcher, *games)


def basic(player: Player, key: str, **more: str) -> Headers:
    """The headers of a good request, and others instead or besides."""
    headers = {"content-type": "application/json", "idempotency-key": key} | player.headers()
    return list((headers | {name.replace("_", "-"): value for name, value in more.items()}).items())


def without(headers: Headers, name: str) -> Headers:
    return [header for header in headers if header[0] != name]


def choices(on: Cast) -> Iterator[Asked]:
    """Good ones, repeated ones, and those that insist on a version."""
    first = basic(on.ada, "k1")
    yield Asked("good", on.clue, first)
    yield Asked("again", on.clue, first)
    yield Asked("again, other content", on.clue, first, OTHER)
    yield Asked("again, other address", on.clue.replace("s1", "s2"), first)
    yield Asked("again, other caller", on.clue, basic(on.bob, "k1"))
    yield Asked("good and in pieces", on.clue, basic(on.ada, "k2"), OTHER, chunks=True)
    yield Asked("with spaces", on.clue, basic(on.ada, "k3"), b' {"option" : "r1c2"}\n')
    yield Asked("old version", on.clue, basic(on.ada, "k4", if_match='"3-seat:1"'))
    yield Asked("old version, repeated", on.clue, basic(on.ada, "k1", if_match='"3"'))
    yield Asked("no version", on.clue, basic(on.ada, "k5", if_match="soon"))
    yield Asked("any version", on.clue, basic(on.ada, "k6", if_match="*"))
    yield Asked("languages", on.clue, basic(on.ada, "k7", accept_language="fr, pl;q=0.5"))
    yield Asked("accept", on.clue, basic(on.ada, "k8", accept="text/html"))
    yield Asked("own id", on.clue, basic(on.ada, "k9", x_request_id="a-very-own-id"))
    yield Asked(
        "charset", on.clue, basic(on.ada, "k10", content_type="application/json;charset=UTF-8")
    )


def callers(on: Cast) -> Iterator[Asked]:
    """Who may not, and why."""
    headers = basic(on.ada, "c1")
    yield Asked("stranger", on.clue, without(headers, "authorization"))
    yield Asked("other scheme", on.clue, basic(on.ada, "c2", authorization="Basic x"))
    yield Asked("no token", on.clue, basic(on.ada, "c3", authorization="Bearer"))
    yield Asked("nonsense", on.clue, basic(on.ada, "c4", authorization="Bearer plr.x.y"))
    yield Asked("not ASCII", on.clue, basic(on.ada, "c5", authorization="Bearer \xfc"))
    forged = f"{on.ada.token}"[:-1] + "!"
    yield Asked("forged", on.clue, basic(on.ada, "c6", authorization=f"Bearer {forged}"))
    doubled = [*basic(on.ada, "c7"), ("authorization", f"Bearer {on.ada.token}")]
    yield Asked("two tokens", on.clue, doubled, fast_path=False)
    yield Asked("no scope for it", on.clue, basic(on.watcher, "c8"))
    yield Asked("not seated", on.clue, basic(on.eve, "c9"))
    yield Asked("other seat", on.clue, basic(on.bob, "c10"))
    secret = f"/v1/games/{on.private}/decisions/clue-s1"
    yield Asked("private", secret, basic(on.eve, "c11"))
    yield Asked("not begun", f"/v1/games/{on.waiting}/decisions/clue-s1", basic(on.ada, "c12"))


def bodies(on: Cast) -> Iterator[Asked]:
    """What is no choice, and what is declared as something else."""
    texts = {
        "empty": b"",
        "cut off": b"{",
        "two": GOOD + GOOD,
        "no text": b"\xff\xfe",
        "half a pair": b'{"option":"\\ud800"}',
        "deep": b'{"option":' + b"[" * 5000,
        "number": b'{"option":1}',
        "nothing": b'{"option":null}',
        "too short": b'{"option":""}',
        "too long": b'{"option":"' + b"y" * 300 + b'"}',
        "no field": b"{}",
        "more fields": b'{"option":"r1c2","x":1}',
        "list": b"[]",
        "large": LARGE,
        "not offered": b'{"option":"r0c0"}',
    }
    for number, (name, text) in enumerate(texts.items()):
        yield Asked(name, on.clue, basic(on.ada, f"b{number}"), text)
    yield Asked("large and in pieces", on.clue, basic(on.ada, "b20"), LARGE, chunks=True)
    yield Asked("odd length", on.clue, basic(on.ada, "b21", content_length="many"))
    yield Asked("negative length", on.clue, basic(on.ada, "b22", content_length="-1"))
    plain = basic(on.ada, "b23", content_type="text/plain")
    yield Asked("plain", on.clue, plain)
    yield Asked("plain and large", on.clue, plain, LARGE)
    yield Asked("plain and empty", on.clue, plain, b"")
    yield Asked("untyped", on.clue, without(basic(on.ada, "b24"), "content-type"))
    yield Asked("compressed", on.clue, basic(on.ada, "b25", content_encoding="gzip"))
    yield Asked("latin", on.clue, basic(on.ada, "b26", content_type="application/json;charset=x"))
    yield Asked("no key", on.clue, without(basic(on.ada, ""), "idempotency-key"))
    for number, key in enumerate(("", "a b", "x" * 129, "\xfc")):
        yield Asked(f"bad key {number}", on.clue, basic(on.ada, key))


def addresses(on: Cast) -> Iterator[Asked]:
    """Paths, methods and hosts; the fast path leaves all but the plain ones alone."""
    headers = basic(on.ada, "a1")
    for method in ("PUT", "PATCH", "DELETE", "GET", "HEAD", "OPTIONS", "BREW"):
        yield Asked(f"by {method}", on.clue, headers, b"", method, fast_path=False)
    odd = {
        "slash": f"{on.clue}/",
        "two slashes": on.clue.replace("/decisions", "//decisions"),
        "outer slash": f"/{on.clue}",
        "longer": f"{on.clue}/x",
        "shorter": on.clue.rpartition("/")[0],
        "escaped slash": on.clue.replace("clue-", "clue%2F"),
        "capitals": on.clue.replace("games", "Games"),
        "nothing": on.clue.replace("clue-s1", ""),
    }
    for name, path in odd.items():
        yield Asked(name, path, headers, fast_path=False)
    plain = {
        "escaped": on.clue.replace("clue", "%63lue"),
        "escaped twice": on.clue.replace("clue", "%2563lue"),
        "not a text": on.clue.replace("clue", "%FF"),
        "dice": on.clue.replace("clue-s1", "%F0%9F%8E%B2"),
        "new line": on.clue.replace("clue", "%0Aclue"),
        "query": f"{on.clue}?x=1",
        "two queries": f"{on.clue}?x=1&x=2",
        "bare query": f"{on.clue}?",
        "no such decision": on.clue.replace("s1", "s9"),
        "no such game": on.clue.replace(on.game, NOBODYS),
        "no game at all": on.clue.replace(on.game, "chess"),
        "other shard": on.clue.replace(on.game, f"gff{NOBODYS[3:]}"),
    }
    for name, path in plain.items():
        yield Asked(name, path, headers)
    for host, fast_path in (("[::1]:80", True), ("a_b", False), ("a b", False), ("", False)):
        yield Asked(f"host {host}", on.clue, [*headers, ("host", host)], fast_path=fast_path)
    yield Asked("two hosts", on.clue, [*headers, ("host", "a"), ("host", "b c")], fast_path=False)


async def send(http: httpx.AsyncClient, asked: Asked) -> Any:
    """What is heard: status, headers but for the id, body."""
    headers = [(name.encode(), value.encode("latin-1")) for name, value in asked.headers]

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(asked.content), 9_000 if len(asked.content) > 100 else 5):
            yield asked.content[start : start + 9_000 if len(asked.content) > 100 else start + 5]

    content = pieces() if asked.chunks else asked.content
    answer = await http.request(asked.method, asked.path, content=content, headers=headers)
    shown = told(answer)
    if "allow" in shown:  # Litestar lists them as they come
        shown["allow"] = " ".join(sorted(shown["allow"].split(", ")))
    return answer.status_code, shown, answer.content


class Ways(Struct):
    """Two services alike but for the fast path; ``passed`` are the requests that one passes on."""

    short: Stage
    long: Stage
    passed: list[str]

    async def same(self, asked: Asked) -> Any:
        """Ask both; the answer, which is the same by both ways."""
        self.passed.clear()
        heard = [await send(on.http, asked) for on in (self.short, self.long)]
        assert heard[0] == heard[1], asked.name
        assert bool(self.passed) is not asked.fast_path, asked.name
        return heard[0]


@asynccontextmanager
async def two_ways(store_url: str, **more: Any) -> AsyncIterator[Ways]:
    """The services; their keys in the store differ by a prefix, and nothing else does."""
    clock, passed = Still(), list[str]()
    async with (
        stage(store_url, clock, prefix="short:", host=FAR, **more) as short,
        stage(store_url, clock, prefix="long:", host=FAR, **more) as hidden,
    ):
        fast_path: Any = short.service.asgi.app
        app = fast_path._app

        async def passing(scope: Any, receive: Any, send: Any) -> None:
            passed.append(scope["path"])
            await app(scope, receive, send)

        fast_path._app = passing
        edge, lines = hidden.service.asgi, list[Json]()
        bare = OuterMiddleware(hidden.service.app, edge.metrics, edge.allowed, lines.append)
        transport = httpx.ASGITransport(app=bare, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield Ways(short, Stage(hidden.service, http, hidden.store, clock, lines), passed)


def logged(on: Stage) -> list[Json]:
    """The access log, without what differs from one request to the next anyway."""
    return [{k: v for k, v in line.items() if k not in {"request_id", "ms"}} for line in on.lines]


def counted(on: Stage) -> list[str]:
    """The counters of answers and problems."""
    lines = on.service.app_context.metrics.render().decode().splitlines()
    return sorted(line for line in lines if "_total{" in line or "seconds_count{" in line)


@pytest.mark.slow
async def test_every_kind_of_request_is_answered_alike(store_url: str) -> None:
    async with two_ways(store_url) as ways:
        on, other = await cast(ways.short), await cast(ways.long)
        assert [p.token for p in (on.ada, on.bob, on.eve)] == [
            p.token for p in (other.ada, other.bob, other.eve)
        ]
        statuses = set()
        for part in (choices, callers, bodies, addresses):
            for asked in part(on):
                statuses.add((await ways.same(asked))[0])
        assert statuses == {200, 204, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422}
        assert logged(ways.short) == logged(ways.long)
        assert counted(ways.short) == counted(ways.long)


async def test_late_paused_and_annulled_games_answer_alike(store_url: str) -> None:
    async with two_ways(store_url) as ways:
        on, other = await cast(ways.short), await cast(ways.long)
        assert on.game == other.game
        for command, body in (("pause", {}), ("resume", None)):
            for where in (ways.short, ways.long):
                answer = await where.operator.post(f"/v1/games/{on.game}/{command}", body, command)
                assert answer.is_success, answer.text
            status, _, content = await ways.same(Asked(command, on.clue, basic(on.ada, command)))
            assert (status, b"table-paused" in content) == (
                (409, True) if body == {} else (200, False)
            )
        ways.short.clock.now += 10_000_000
        late = await ways.same(Asked("late", on.clue, basic(on.ada, "l1"), OTHER))
        assert b"deadline-passed" in late[2]
        await ways.same(Asked("later", on.clue, basic(on.ada, "l2"), OTHER))
        for where in (ways.short, ways.long):
            ok(
                await where.operator.post(
                    f"/v1/games/{on.game}/annul", {"reason": "other"}, "annul"
                )
            )
        over = await ways.same(Asked("over", on.clue, basic(on.ada, "l3")))
        assert b"game-over" in over[2]


async def test_a_spent_budget_is_answered_alike(store_url: str) -> None:
    async with two_ways(store_url, commands_per_minute=40, reads_per_minute=4) as ways:
        on, _ = await cast(ways.short), await cast(ways.long)
        asked = [Asked("spent", on.clue, basic(on.eve, "r")) for _ in range(12)]
        answers = [await ways.same(each) for each in asked]
        assert [answer[0] for answer in answers] == [403] * 10 + [429] * 2
        guess = Asked("guess", on.clue, basic(on.ada, "g", authorization="Bearer plr.x.y"))
        assert [(await ways.same(guess))[0] for _ in range(2)] == [401, 429]


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("a secret"),
        Rejected("no-such-code", "a secret"),
        Rejected("decision-not-open", "it is not open"),
        KeyReused("x"),
        Busy("x"),
        NoSuchStream("x"),
        Damaged("a secret"),
        SecretError("a secret"),
        ClockSkew("x"),
        LogUnavailable("x"),
    ],
    ids=lambda error: f"{type(error).__name__}-{error.args[0]}",
)
async def test_whatever_breaks_is_answered_alike(
    store_url: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_ways(store_url) as ways:
        on, _ = await cast(ways.short), await cast(ways.long)

        async def broken(*_: Any, **__: Any) -> Any:
            raise error

        monkeypatch.setattr(TableService, "choose", broken)
        status, _, content = await ways.same(Asked("broken", on.clue, basic(on.ada, "x1")))
        assert status >= 400
        assert b"a secret" not in content
        assert logged(ways.short)[-1] == logged(ways.long)[-1]
        assert logged(ways.short)[-1]["problem"] in content.decode()


async def test_a_client_that_hangs_up_is_answered_alike(store_url: str) -> None:
    async with two_ways(store_url) as ways:
        on, _ = await cast(ways.short), await cast(ways.long)
        answers = []
        for edge in (
            ways.short.service.asgi,
            OuterMiddleware(ways.long.service.app, *_parts(ways.long)),
        ):
            sent = await hung_up(edge, on.clue, dict(basic(on.ada, "h1")))
            answers.append((sent[0]["status"], sent[1]["body"]))
        assert answers[0] == answers[1]
        assert answers[0][0] == 400


async def test_the_lane_takes_only_what_it_serves_whole(on: Stage) -> None:
    fast_path: Any = on.service.asgi.app
    app, auth = on.service.app, fast_path._auth
    with pytest.raises(ValueError, match="operation Cheat not found"):
        FastPath(app, auth, "Cheat")
    with pytest.raises(ValueError, match="ReadDecisions takes query parameters"):
        FastPath(app, auth, "ReadDecisions")
    with pytest.raises(ValueError, match="ReadMetrics has no body"):
        FastPath(app, auth, "ReadMetrics")


async def test_a_lane_leaves_nothing_out(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    fast_path: Any = on.service.asgi.app

    def guard(*_: Any) -> None:
        raise AssertionError("never asked")

    monkeypatch.setattr(fast_path._handler, "resolve_guards", lambda: [guard])
    with pytest.raises(ValueError, match="Choose has guards"):
        FastPath(on.service.app, fast_path._auth, "Choose")


def _parts(on: Stage) -> Any:
    edge = on.service.asgi
    return edge.metrics, edge.allowed, on.lines.append
