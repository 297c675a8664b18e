"""The outermost layer: request ids, headers, the access log, metrics, health."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import msgspec
import pytest
import structlog

from events.version import VERSION
from service.app import create_service
from service.http.access_log import AccessLog, nothing
from service.http.metrics import Metrics
from service.http.outer_middleware import OuterMiddleware
from tests.service.stage import Stage, ok, problem


async def test_every_answer_has_a_request_id_and_safe_headers(on: Stage) -> None:
    for path in ("/v1/rulebooks", "/v1/nothing", "/metrics", "/v1/tokens"):
        answer = await on.stranger.get(path)
        assert len(answer.headers["x-request-id"]) == 16
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_a_harmless_request_id_of_the_client_is_kept(on: Stage) -> None:
    answer = await on.stranger.get("/v1/rulebooks", {"x-request-id": "my-request-1"})
    assert answer.headers["x-request-id"] == "my-request-1"


@pytest.mark.parametrize("given", ["short", "a b c d e f", "x" * 65])
async def test_another_request_id_is_replaced(on: Stage, given: str) -> None:
    answer = await on.stranger.get("/v1/rulebooks", {"x-request-id": given})
    assert answer.headers["x-request-id"] != given


async def test_a_request_is_one_line_in_the_log(on: Stage) -> None:
    ada = await on.player()
    game = await on.table(ada)
    on.lines.clear()
    ok(await ada.get(f"/v1/games/{game}", as_="public"))
    problem(await ada.post(f"/v1/games/{game}/start"), "table-not-full")
    await on.http.put("/v1/games")
    await on.http.request("BREW", "/v1/games")
    lines = on.lines
    assert len({line.pop("request_id") for line in lines}) == 4
    for line in lines:
        assert line.pop("ms") >= 0
    common = {"event": "request", "level": "info"}
    mine = {"player": ada.id, "game": game}
    assert lines[0] == common | mine | {
        "method": "GET",
        "route": "/v1/games/{game}",
        "status": 200,
    }
    assert lines[1] == common | mine | {
        "method": "POST",
        "route": "/v1/games/{game}/start",
        "status": 409,
        "problem": "table-not-full",
    }
    assert [(line["method"], line["route"]) for line in lines[2:]] == [
        ("PUT", "unmatched"),
        ("other", "unmatched"),
    ]


async def test_metrics_count_by_path_template(on: Stage) -> None:
    ada = await on.player()
    for name in ("moth", "crow"):
        await ada.get(f"/v1/games/{name}")
        await ada.get(f"/{name}")
    answer = await on.stranger.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    text = answer.text
    assert 'parlour_requests_total{method="GET",route="/v1/games/{game}",status="404"} 2.0' in text
    assert 'parlour_requests_total{method="GET",route="unmatched",status="404"} 2.0' in text
    assert 'parlour_problems_total{code="game-not-found"} 2.0' in text
    assert 'parlour_request_seconds_count{route="/v1/games/{game}"} 2.0' in text
    assert "parlour_feeds_healthy 1.0" in text
    assert "moth" not in text


async def test_a_service_that_can_serve_says_so(on: Stage) -> None:
    assert ok(await on.stranger.get("/health/live")) == {"version": VERSION, "status": "ok"}
    checks = {"store": True, "settings": True, "feeds": True, "open": True}
    assert ok(await on.stranger.get("/health/ready")) == {"ready": True, "checks": checks}
    await on.service.app_context.feed_subscriber.stop()
    answer = await on.stranger.get("/health/ready")
    assert ok(answer, 503)["checks"] == checks | {"feeds": False}


async def test_what_breaks_outside_the_app_is_answered_too() -> None:
    async def broken(*_: Any) -> Any:
        raise RuntimeError("no secret")

    sent: list[Any] = []

    async def remember(message: Any) -> None:
        sent.append(message)

    access: list[Any] = []
    edge = OuterMiddleware(broken, Metrics(), {}, access.append)
    scope: Any = {"type": "http", "method": "GET", "headers": [], "state": {}}
    with structlog.testing.capture_logs() as lines:
        await edge(scope, broken, remember)
    assert (sent[0]["status"], b"internal-error" in sent[1]["body"]) == (500, True)
    assert [line["event"] for line in lines] == ["request_crashed"]
    assert [line["status"] for line in access] == [500]


async def test_what_breaks_after_the_answer_began_is_only_logged() -> None:
    async def half(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("too late")

    sent: list[Any] = []

    async def remember(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nobody reads the body")

    scope: Any = {"type": "http", "method": "GET", "headers": [], "state": {}}
    await OuterMiddleware(half, Metrics(), {}, nothing)(scope, receive, remember)
    assert len(sent) == 1


async def test_log_lines_of_a_request_carry_its_id() -> None:
    bound: list[Any] = []

    async def app(_: Any, __: Any, send: Any) -> None:
        bound.append(structlog.contextvars.get_contextvars())
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def forget(*_: Any) -> Any:
        return None

    edge = OuterMiddleware(app, Metrics(), {}, nothing)
    headers = [(b"x-request-id", b"my-request-1")]
    scope: Any = {"type": "http", "method": "GET", "headers": headers, "state": {}}
    await edge(scope, forget, forget)
    assert bound[0]["request_id"] == "my-request-1"
    assert "request_id" not in structlog.contextvars.get_contextvars()


def test_times_are_counted_in_buckets() -> None:
    metrics = Metrics()
    for seconds in (0.0005, 0.001, 0.002, 0.7, 31.0):
        metrics.answered("GET", "/x", 200, seconds)
    metrics.answered("GET", "/x", 404, 0.3)
    text = metrics.render().decode()
    for line in (
        "# TYPE parlour_requests_total counter",
        'parlour_requests_total{method="GET",route="/x",status="200"} 5.0',
        'parlour_requests_total{method="GET",route="/x",status="404"} 1.0',
        "# TYPE parlour_request_seconds histogram",
        'parlour_request_seconds_bucket{le="0.001",route="/x"} 2.0',
        'parlour_request_seconds_bucket{le="0.0025",route="/x"} 3.0',
        'parlour_request_seconds_bucket{le="0.5",route="/x"} 4.0',
        'parlour_request_seconds_bucket{le="1.0",route="/x"} 5.0',
        'parlour_request_seconds_bucket{le="30.0",route="/x"} 5.0',
        'parlour_request_seconds_bucket{le="+Inf",route="/x"} 6.0',
        'parlour_request_seconds_count{route="/x"} 6.0',
    ):
        assert f"{line}\n" in text
    assert 'parlour_requests_created{method="GET",route="/x",status="404"}' in text
    (total,) = re.findall(r"parlour_request_seconds_sum{.*} (.*)", text)
    assert float(total) == pytest.approx(32.0035)


async def test_lines_are_stamped_as_they_come() -> None:
    times = iter([0.0, 0.9994, 1.0, 1_800_000_000.25])
    written: list[bytes] = []
    log = AccessLog(written.append, "test", lambda: next(times))
    for number in range(4):
        log({"number": number})
    log.flush()
    stamps = [msgspec.json.decode(line)["timestamp"] for line in written[0].splitlines()]
    assert stamps == [
        "1970-01-01T00:00:00.000+00:00",
        "1970-01-01T00:00:00.999+00:00",
        "1970-01-01T00:00:01.000+00:00",
        "2027-01-15T08:00:00.250+00:00",
    ]


async def test_lines_of_the_access_log_go_out_together() -> None:
    written: list[bytes] = []
    out = asyncio.Event()

    def write(lines: bytes) -> None:
        written.append(lines)
        out.set()

    log = AccessLog(write, "test")
    log({"event": "request", "status": 200})
    log({"event": "request", "status": 404})
    assert written == []
    await asyncio.wait_for(out.wait(), 20)
    (both,) = written
    lines = [msgspec.json.decode(line) for line in both.splitlines()]
    assert [(line["status"], line["process"]) for line in lines] == [(200, "test"), (404, "test")]
    assert all(line["timestamp"].endswith("+00:00") for line in lines)
    log({"event": "request", "status": 500})
    log.flush()
    log.flush()
    assert len(written) == 2


async def test_a_service_on_a_store_that_became_lossy_is_not_writable(on: Stage) -> None:
    strict = create_service(
        msgspec.structs.replace(on.service.app_context.settings, allow_lossy_store=False)
    )
    assert await strict.app_context.health.keeps.holds() is False
    assert await on.service.app_context.health.keeps.holds() is True
    await strict.app_context.tables.log.timers._client.aclose()
