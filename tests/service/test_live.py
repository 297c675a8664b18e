"""The service as a process: its beginning, its end, and connections that break."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from typing import Any

import httpx
import pytest

from tests.service.live import LONG, ROOT, live, start
from tests.service.stage import OPERATOR_TOKEN, fresh

pytestmark = [pytest.mark.slow, pytest.mark.system]


def command(url: str, path: str, body: Any, token: str | None = None, key: str = "") -> Any:
    """Give a command; its good answer."""
    headers = {"idempotency-key": key or fresh()}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    answer = httpx.post(f"{url}{path}", json=body, headers=headers, timeout=LONG)
    assert answer.is_success, answer.text
    return answer.json()


def game_of_two(url: str) -> tuple[str, list[str]]:
    """A running game, and its players' tokens."""
    made = [command(url, "/v1/players", {"name": name}) for name in ("Ada", "Bob")]
    tokens = [player["token"]["token"] for player in made]
    wish = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}
    game = command(url, "/v1/games", wish, tokens[0])["game"]
    for token in tokens:
        command(url, f"/v1/games/{game}/seats", {}, token)
    return game, tokens


def test_a_process_serves_until_it_is_told_to_stop(store_url: str) -> None:
    with live(store_url) as running:
        assert httpx.get(f"{running.url}/health/ready").json()["ready"] is True
        game, tokens = game_of_two(running.url)
        answers: list[httpx.Response] = []

        def poll() -> None:
            answers.append(
                httpx.get(
                    f"{running.url}/v1/games/{game}/events?after=8&wait=25",
                    headers={"authorization": f"Bearer {tokens[0]}"},
                    timeout=LONG,
                )
            )

        waiting = threading.Thread(target=poll)
        waiting.start()
        for _ in range(5000):
            if "parlour_long_polls 1.0" in httpx.get(f"{running.url}/metrics").text:
                break
        else:
            pytest.fail("the poll never began")
        code = running.stop()
        waiting.join(LONG)
        assert code in {0, -signal.SIGTERM}
        assert answers[0].json()["events"] == []


def test_a_reply_that_was_lost_is_given_again(store_url: str) -> None:
    with live(store_url) as running:
        game, tokens = game_of_two(running.url)
        path, key = f"/v1/games/{game}/decisions/clue-s1", fresh()
        body = json.dumps({"option": "r2c3"}, separators=(",", ":"))
        head = (
            f"POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {tokens[0]}\r\n"
            f"idempotency-key: {key}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", running.port)) as broken:
            broken.sendall((head + body).encode())
        first = command(running.url, path, {"option": "r2c3"}, tokens[0], key)
        assert command(running.url, path, {"option": "r2c3"}, tokens[0], key) == first
        view = httpx.get(f"{running.url}/v1/games/{game}").json()
        assert (first["version"], view["version"]) == (9, 9)


def test_what_was_acknowledged_outlives_the_process(store_url: str) -> None:
    with live(store_url) as running:
        game, tokens = game_of_two(running.url)
        path, key = f"/v1/games/{game}/decisions/clue-s1", fresh()
        first = command(running.url, path, {"option": "r2c3"}, tokens[0], key)
        running.stop(signal.SIGKILL)
    with live(store_url) as running:
        assert command(running.url, path, {"option": "r2c3"}, tokens[0], key) == first
        key = fresh()
        later = command(running.url, path, {"option": "r1c2"}, tokens[0], key)
        assert later["version"] == first["version"] + 1


def test_a_store_that_may_lose_games_is_refused(store_url: str) -> None:
    refused = start(store_url, log=subprocess.PIPE, allow_lossy_store=False)
    assert (refused.url, refused.process.returncode) == ("", 3)
    assert refused.process.stderr is not None
    assert refused.process.stdout is not None
    with refused.process.stderr as log, refused.process.stdout:
        *lines, last = log.read().splitlines()
        events = [json.loads(line) for line in lines]
    assert last.startswith("parlour: this store may lose games: ")
    (said,) = [event["reason"] for event in events if event["event"] == "store_refused"]
    assert "appendfsync is 'no', set it to 'always'" in said


def test_settings_that_are_wrong_are_refused() -> None:
    environ = {**os.environ, "PARLOUR_STORE_URL": "unix:///x", "PARLOUR_KEYS": "k1:planted"}
    done = subprocess.run(  # as anybody starts it
        [sys.executable, "-m", "service"],
        env=environ,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "PARLOUR_KEYS" in done.stderr
    assert "planted" not in done.stderr


def test_logs_of_a_process_are_json_lines_without_secrets(store_url: str) -> None:
    running = start(store_url, log=subprocess.PIPE, log_level="info")
    game, tokens = game_of_two(running.url)
    httpx.get(f"{running.url}/v1/games?limit=planted")
    headers = {"authorization": f"Bearer {OPERATOR_TOKEN}", "idempotency-key": fresh()}
    httpx.post(f"{running.url}/v1/games/{game}/annul", json={"reason": "other"}, headers=headers)
    running.stop()
    assert running.process.stderr is not None
    assert running.process.stdout is not None
    with running.process.stderr as log, running.process.stdout:
        text = log.read()
    events = [json.loads(line)["event"] for line in text.splitlines()]
    assert {"service_open", "request", "service_closed"} <= set(events)
    for secret in ("planted", OPERATOR_TOKEN, *tokens):
        assert secret not in text
