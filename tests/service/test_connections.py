"""How many connections there may be: of one address, and of all."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_network
from typing import Any

import httpx
import pytest

from service.app import create_service
from service.http.addresses import group_of
from service.http.descriptors import OWN, for_callers
from service.http.gate import Gate
from simulator.fuzz_edge import flooded
from tests.service.live import LONG, Live, live
from tests.service.raw import Caller, crowd, figure_in, request
from tests.service.stage import OPERATOR_TOKEN, fresh, settings_for

pytestmark = [pytest.mark.slow, pytest.mark.system]

EACH = 4
HERE, THERE = "127.0.0.1", "127.0.0.2"
ALIVE = request("/health/live")
FILES = 160
FLOOD_S = 600
"""Longer than any test takes: who is flooded ends the flood."""
TURNED_AWAY = {"too-many-connections": 200, "headers-too-large": 1, "address-too-long": 1}
"""How often a service has ended a connection, by its reason, once a flood stands."""
PLENTY = 1000
"""Rounds after which a flood has not become one."""


class Guest:
    """A connection, as the gate counts it."""

    def __init__(self, address: str) -> None:
        self.group = group_of(address)

    def look(self, now: float) -> None:
        """Nothing to see."""


def served(port: int, source: str = HERE, **headers: str) -> bool:
    """Whether somebody who connects now is answered well; if not, told why."""
    with Caller(port, source) as caller:
        answer = caller.ask("/health/live", **headers)
        if answer.status == 200:
            return True
        assert answer.problem("too-many-connections")["status"] == 429
        assert int(answer.headers["retry-after"]) > 0
        assert caller.rest() == b""
        return False


def until_served(port: int, source: str = HERE) -> None:
    """Try until there is a place."""
    for _ in range(5000):
        if served(port, source):
            return
    raise AssertionError("no place came free")


def all_answered(callers: list[Caller]) -> None:
    """See that every one of these connections is served."""
    for caller in callers:
        assert caller.ask("/health/live").status == 200


def test_who_has_too_many_is_told_and_others_are_served(store_url: str) -> None:
    with live(store_url, connections_per_address=EACH) as running:
        with crowd(running.port, EACH) as callers:
            all_answered(callers)
            for _ in range(3):
                assert not served(running.port)
            assert served(running.port, THERE)
            all_answered(callers)
            callers[0].socket.close()
            until_served(running.port)
        until_served(running.port)
    with (
        live(store_url, connections_per_address=0) as open_to_all,
        crowd(open_to_all.port, 300) as callers,
    ):
        all_answered(callers)


def gate_for(store_url: str, **more: Any) -> Gate:
    """A gate of a service that does not run."""
    return create_service(settings_for(store_url, **more)).gate


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:198.51.100.1", "198.51.100.1", True),
        ("198.51.100.1", "198.51.100.2", False),
    ],
)
def test_ipv6_is_counted_by_its_network(
    store_url: str, first: str, second: str, *, same: bool
) -> None:
    gate = gate_for(store_url, connections_per_address=1)
    guest = Guest(first)
    gate.enter(guest)
    assert (gate.refusal(second) is not None) is same
    gate.leave(guest)
    gate.leave(guest)
    assert gate.refusal(second) is None


def test_callers_get_a_share_of_the_descriptors() -> None:
    assert for_callers(20_000, 75) == 15_000
    assert for_callers(200, 75) == 200 - OWN
    assert for_callers(10, 75) == 1
    assert for_callers(200, 100) == 200


def register(caller: Caller) -> int:
    """Register a player, which asks the store; the answer's status."""
    body = '{"name":"Ada"}'
    head = request(
        "/v1/players",
        "POST",
        {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "idempotency-key": fresh() + "-of-a-flood",
        },
    )
    caller.send(head + body.encode())
    return caller.answer().status


@contextmanager
def flood(port: int, count: int) -> Iterator[list[Caller]]:
    """Connections from many addresses that say nothing; some may be hung up on at once."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(Caller(port, f"127.0.{1 + number // 50}.{1 + number % 50}"))
            for number in range(count)
        ]


def test_a_service_keeps_descriptors_for_itself(store_url: str) -> None:
    with (
        live(store_url, files=FILES) as running,
        Caller(running.port) as early,
        flood(running.port, FILES),
    ):
        assert early.ask("/health/ready").status == 200
        assert register(early) == 201
        with Caller(running.port, THERE) as late:
            late.answer().problem("no-free-connection")
        text = early.ask("/metrics").body.decode()
        assert figure_in(text, "parlour_connections") == FILES - OWN
        assert figure_in(text, "parlour_accept_failures_total") == 0


def test_without_descriptors_to_be_had_accepting_rests(store_url: str) -> None:
    """The control: every descriptor is a caller's."""
    with (
        live(store_url, files=FILES, connections_percent=100, log=subprocess.PIPE) as running,
        Caller(running.port) as early,
    ):
        assert early.ask("/health/live").status == 200
        with flood(running.port, FILES), Caller(running.port, THERE) as late:
            failures = 0.0
            for _ in range(20_000):
                text = early.ask("/metrics").body.decode()
                failures = figure_in(text, "parlour_accept_failures_total")
                if failures >= 2:
                    break
            assert 2 <= failures < 1000
            late.send(ALIVE)
            assert not late.says_something(0.5)
        until_served(running.port, THERE)
        running.stop()
        assert running.process.stderr is not None
        with running.process.stderr as said:
            assert "accept failed: Too many open files" in said.read()


def stands(text: str) -> bool:
    """Whether a flood has been met, by the metrics of a service."""
    ended = 'parlour_connections_ended_total{{why="{}"}}'
    return all(figure_in(text, ended.format(why)) >= n for why, n in TURNED_AWAY.items())


def test_who_behaves_is_answered_while_a_flood_stands(store_url: str) -> None:
    """Its control is the test before: callers who have every descriptor shut all others out.

    The flood has a process of its own. In ours its threads and we would wait for each other.
    """
    with (
        live(store_url, connections_per_address=16, registrations_per_day=PLENTY) as running,
        flooded(running.port, FLOOD_S, floods=1),
        Caller(running.port, THERE) as steady,
    ):
        asked = 0
        while asked < 24 or not stands(steady.ask("/metrics").body.decode()):
            assert steady.ask("/health/live").status == 200
            assert register(steady) == 201
            assert served(running.port, THERE)
            asked += 1
            assert asked < PLENTY


def lifting(running: Live, method: str, address: str) -> None:
    """Have an operator lift the limits of an address, or hold it to them again."""
    headers = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
    url = f"{running.url}/v1/exemptions/{address}"
    assert httpx.request(method, url, headers=headers, timeout=LONG).is_success


@contextmanager
def streams(port: int, source: str, count: int, **headers: str) -> Iterator[None]:
    """So many requests that are under way: streams of a player's own."""
    with crowd(port, count, source) as callers:
        for caller in callers:
            caller.send(request("/v1/stream", headers={"accept": "text/event-stream"} | headers))
            assert b" 200 " in caller.until(b"\r\n\r\n")
        yield


def test_proxies_and_lifted_addresses_have_any_number(store_url: str) -> None:
    proxies = (ip_network(THERE),)
    with live(store_url, connections_per_address=EACH, trusted_proxies=proxies) as running:
        port, many = running.port, 5 * EACH
        with crowd(port, many, THERE) as callers:
            all_answered(callers)
            assert served(port, THERE)
        player = httpx.post(
            f"{running.url}/v1/players",
            json={"name": "Ada"},
            headers={"idempotency-key": fresh() + "-behind-a-proxy"},
        ).json()
        mine = {"authorization": f"Bearer {player['token']['token']}"}
        # Whom the proxy names is counted by requests under way.
        with streams(port, THERE, EACH, x_forwarded_for="198.51.100.1", **mine):
            with Caller(port, THERE) as caller:
                full = caller.ask("/health/live", x_forwarded_for="198.51.100.1")
                assert full.problem_code() == "too-many-connections"
                assert full.status == 429
                for other in ("198.51.100.2", "198.51.100.1, 198.51.100.2"):
                    assert caller.ask("/health/live", x_forwarded_for=other).status == 200
            lifting(running, "PUT", "198.51.100.1")
            with Caller(port, THERE) as caller:
                again = caller.ask("/health/live", x_forwarded_for="198.51.100.1")
                assert again.status == 200
        # A lifted address has any number, and another has not; that is the control.
        lifting(running, "PUT", "127.0.0.3")
        with crowd(port, many, "127.0.0.3") as callers, crowd(port, EACH, "127.0.0.4") as others:
            all_answered(callers)
            all_answered(others)
            assert served(port, "127.0.0.3")
            assert not served(port, "127.0.0.4")
            lifting(running, "DELETE", "127.0.0.3")
            assert not served(port, "127.0.0.3")
            all_answered(callers)
