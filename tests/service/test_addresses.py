"""Where requests come from: the peer, or what trusted proxies say of theirs."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import httpx
import pytest

from service.http.addresses import Addresses
from tests.service.stage import Player, Stage, ok, problem, stage

OURS = ("10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48")


def scope(peer: str | None, *forwarded: str) -> Any:
    headers = [(b"host", b"x"), *((b"x-forwarded-for", each.encode()) for each in forwarded)]
    return {"client": None if peer is None else (peer, 40_000), "headers": headers}


def seen(peer: str | None, *forwarded: str, proxies: tuple[str, ...] = OURS) -> str:
    return Addresses([ip_network(each) for each in proxies]).of(scope(peer, *forwarded))


def test_without_proxies_nothing_that_a_client_says_is_believed() -> None:
    assert seen("10.0.0.1", "203.0.113.9", proxies=()) == "10.0.0.1"
    assert Addresses().of(scope("::1", "203.0.113.9")) == "::1"
    assert seen(None, "203.0.113.9") == "local"


@pytest.mark.parametrize("peer", ["203.0.113.50", "11.0.0.1", "2001:db8:2::1", "192.0.2.8"])
def test_a_peer_that_is_no_proxy_is_the_client(peer: str) -> None:
    assert seen(peer, "198.51.100.1") == peer


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6, 10.0.0.3, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3,10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("192.0.2.7", ["198.51.100.1:5678"], "198.51.100.1"),
        ("2001:db8:1::5", ["2001:DB8:2:0::1"], "2001:db8:2::1"),
        ("2001:db8:1::5", ["[2001:db8:2::1]:443"], "2001:db8:2::1"),
        ("::ffff:10.0.0.1", ["::ffff:198.51.100.1"], "198.51.100.1"),
    ],
)
def test_proxies_are_believed_from_the_end_of_the_list(
    peer: str, forwarded: list[str], client: str
) -> None:
    assert seen(peer, *forwarded) == client


@pytest.mark.parametrize(
    "junk", ["unknown", "", "_hidden", "1.2.3", "[::1", "198.51.100.1 x", "\xff"]
)
def test_what_is_no_address_leads_no_further_than_the_proxy(junk: str) -> None:
    assert seen("10.0.0.1", f"6.6.6.6, {junk}") == "10.0.0.1"
    assert seen("10.0.0.1", f"6.6.6.6, {junk}, 10.0.0.2") == "10.0.0.2"


def test_a_peer_without_an_address_is_named_as_it_is() -> None:
    assert seen("somewhere", "6.6.6.6") == "somewhere"


async def test_strangers_behind_a_proxy_have_budgets_of_their_own(store_url: str) -> None:
    proxies = (ip_network("127.0.0.0/8"),)
    async with stage(store_url, reads_per_minute=4, trusted_proxies=proxies) as on:
        path = "/v1/rulebooks"
        ok(await on.stranger.get(path, {"x-forwarded-for": "198.51.100.1"}))
        problem(await on.stranger.get(path, {"x-forwarded-for": "198.51.100.1"}), "rate-limited")
        ok(await on.stranger.get(path, {"x-forwarded-for": "198.51.100.2"}))
        spoofed = {"x-forwarded-for": "6.6.6.6, 198.51.100.2"}
        problem(await on.stranger.get(path, spoofed), "rate-limited")


async def test_a_client_cannot_choose_its_address_by_itself(store_url: str) -> None:
    async with stage(store_url, reads_per_minute=4) as on:
        ok(await on.stranger.get("/v1/rulebooks", {"x-forwarded-for": "198.51.100.1"}))
        again = await on.stranger.get("/v1/rulebooks", {"x-forwarded-for": "198.51.100.2"})
        problem(again, "rate-limited")


async def test_guessed_tokens_cost_the_budget_of_the_guesser_alone(store_url: str) -> None:
    proxies = (ip_network("127.0.0.1"),)
    async with stage(store_url, reads_per_minute=4, trusted_proxies=proxies) as on:
        guesser = Player(on.http, "plr.nonsense")
        away, home = {"x-forwarded-for": "198.51.100.1"}, {"x-forwarded-for": "198.51.100.2"}
        problem(await guesser.get("/v1/tokens", away), "token-invalid")
        problem(await guesser.get("/v1/tokens", away), "rate-limited")
        problem(await guesser.get("/v1/tokens", home), "token-invalid")


async def test_a_registration_is_repeated_from_the_same_address_only(store_url: str) -> None:
    async with stage(store_url, trusted_proxies=(ip_network("127.0.0.1"),)) as on:
        made = [await register(on, address) for address in ("198.51.100.1", "198.51.100.2")]
        assert made[0]["id"] != made[1]["id"]
        assert await register(on, "6.6.6.6, 198.51.100.1") == made[0]


async def register(on: Stage, forwarded: str) -> Any:
    """Become a player under a key that everybody uses."""
    answer: httpx.Response = await on.stranger.post(
        "/v1/players", {"name": "Ada"}, "the-same-long-key", {"x-forwarded-for": forwarded}
    )
    return ok(answer, 201)
