"""A store, and a cluster, that are reached over TLS alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import RedisCluster

from events.clients import Client, close_client, commands, listening
from events.log import Appended, StreamLog
from events.reach import UnfitStoreError, require_store
from runtime.embedded.cluster import EmbeddedCluster
from runtime.embedded.store import Store
from tests.conftest import SHARDS
from tests.events.bank import OTHER, STREAM
from tests.events.lab import batch
from tests.naming import name_store
from tests.ops.test_bad_settings import HELLO, answering, bulk
from tests.tls import Authority, Signed, behind_tls
from workers.jobs import queue_client

pytestmark = pytest.mark.system


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "authority")


@pytest.fixture
def files(authority: Authority) -> Signed:
    """What the service shows of itself."""
    return authority.signs("service")


def url_of(scheme: str, port: int, authority: Authority, shown: Signed | None) -> str:
    url = f"{scheme}://parlour@127.0.0.1:{port}?ssl_ca_certs={authority.path}"
    if shown is None:
        return url
    return f"{url}&ssl_certfile={shown.certificate}&ssl_keyfile={shown.key}"


@pytest.fixture
def port(store: Store, store_url: str, authority: Authority) -> Iterator[int]:
    """Where the store is reached over TLS."""
    del store_url  # it empties the store
    opens = partial(asyncio.open_unix_connection, store.path)
    with behind_tls(authority.signs("store"), authority, [opens]) as ports:
        yield ports[0]


async def follows(client: Client, listener: Client) -> None:
    """Append to two shards, and hear of both by their bells."""
    log = StreamLog(client, listener, SHARDS)
    await name_store(client, log.layout)
    pointers = log.follow({1: 0, 2: 0})
    waiting = asyncio.create_task(anext(pointers))
    assert await log.append(batch()) == Appended(1, 1)
    assert await log.append(batch(stream=OTHER)) == Appended(1, 1)
    async with asyncio.timeout(30):
        found = {(await waiting).stream, (await anext(pointers)).stream}
    assert found == {STREAM, OTHER}
    await pointers.aclose()


async def test_the_log_is_kept_and_heard_over_tls(
    port: int, authority: Authority, files: Signed
) -> None:
    url = url_of("rediss", port, authority, files)
    await require_store(url, "{s000z}:m")
    client, listener = commands(url), listening(url)
    try:
        await follows(client, listener)
    finally:
        await close_client(client)
        await listener.aclose()
    with queue_client(url) as queue:
        assert queue.ping()


async def test_whom_another_authority_has_signed_is_not_believed(
    port: int, tmp_path: Path, files: Signed
) -> None:
    url = url_of("rediss", port, Authority(tmp_path, "another"), files)
    with pytest.raises(UnfitStoreError, match=r"is not believed: .*; see ssl_ca_certs"):
        await require_store(url)


async def test_a_certificate_for_another_host_is_not_believed(
    store: Store, authority: Authority, files: Signed
) -> None:
    elsewhere = authority.signs("elsewhere", "127.0.0.2")
    opens = partial(asyncio.open_unix_connection, store.path)
    with behind_tls(elsewhere, authority, [opens]) as ports:
        url = url_of("rediss", ports[0], authority, files)
        with pytest.raises(
            UnfitStoreError, match=r"is for another host: IP address mismatch.*'127\.0\.0\.1'"
        ):
            await require_store(url)


@pytest.mark.parametrize("shown", ["nothing", "another's"])
async def test_who_shows_no_certificate_is_not_let_in(
    port: int, authority: Authority, tmp_path: Path, shown: str
) -> None:
    other = None if shown == "nothing" else Authority(tmp_path, "another").signs("intruder")
    with pytest.raises(UnfitStoreError, match="does not answer"):
        await require_store(url_of("rediss", port, authority, other))


async def test_a_store_behind_sentinel_is_reached_over_tls_as_the_watchers_are(
    port: int, authority: Authority, tmp_path: Path, files: Signed
) -> None:
    place = b"*2\r\n" + bulk("127.0.0.1") + bulk(str(port))
    with answering({b"HELLO": HELLO, b"SENTINEL": place, b"": b"+OK\r\n"}) as plain:
        at = int(plain.rpartition(":")[2])
        opens = partial(asyncio.open_connection, "127.0.0.1", at)
        with behind_tls(authority.signs("watcher"), authority, [opens]) as watchers:
            url = url_of("rediss+sentinel", watchers[0], authority, files)
            url = url.replace("?", "/club?")
            await require_store(url, "{s000z}:m")
            client, listener = commands(url), listening(url)
            try:
                await follows(client, listener)
            finally:
                await close_client(client)
                await listener.aclose()
            other = url.replace(str(authority.path), str(Authority(tmp_path, "another").path))
            told_so = (
                rf"127\.0\.0\.1:{watchers[0]} does not answer \(its certificate is not"
                r" believed: [a-z -]+; see ssl_ca_certs in its URL\)$"
            )
            with pytest.raises(UnfitStoreError, match=told_so):
                await require_store(other)


async def test_watchers_whose_certificates_do_not_match_are_told_by_name(
    authority: Authority, tmp_path: Path, files: Signed
) -> None:
    stranger = Authority(tmp_path, "another").signs("stranger")
    place = b"*2\r\n" + bulk("127.0.0.1") + bulk("1")
    with answering({b"HELLO": HELLO, b"SENTINEL": place, b"": b"+OK\r\n"}) as plain:
        opens = partial(asyncio.open_connection, "127.0.0.1", int(plain.rpartition(":")[2]))
        elsewhere = authority.signs("elsewhere", "127.0.0.2")
        with (
            behind_tls(authority.signs("watcher"), authority, [opens]) as (watcher,),
            behind_tls(elsewhere, authority, [opens]) as (other,),
        ):
            for scheme, port, shown, told_so in (
                ("rediss", other, files, "its certificate is for another host: IP address"),
                ("rediss", watcher, stranger, "it may not believe our certificate: see ssl_cert"),
                ("redis", watcher, None, "if it speaks TLS, its URL must begin with rediss"),
            ):
                url = url_of(f"{scheme}+sentinel", port, authority, shown).replace("?", "/club?")
                if scheme == "redis":
                    url = url.partition("?")[0]
                with pytest.raises(UnfitStoreError, match=told_so) as refused:
                    await require_store(url)
                assert f"127.0.0.1:{port} does not answer (" in str(refused.value)
                assert "[SSL" not in str(refused.value), "as OpenSSL says it"


async def test_plain_text_is_not_answered(port: int) -> None:
    with pytest.raises(UnfitStoreError, match="does not answer"):
        await require_store(f"redis://127.0.0.1:{port}")


async def test_every_node_of_a_cluster_is_reached_over_tls(
    home: Path, authority: Authority, files: Signed
) -> None:
    with EmbeddedCluster(home / "cluster", 3) as cluster:
        opens = [partial(asyncio.open_connection, "127.0.0.1", n.port) for n in cluster.nodes]
        with behind_tls(authority.signs("store"), authority, opens) as ports:
            announced(cluster, ports)
            url = url_of("rediss+cluster", ports[0], authority, files)
            await require_store(url, "{s000z}:m")
            client, listener = commands(url), listening(url)
            try:
                await follows(client, listener)
                assert isinstance(client, RedisCluster)
                assert {node.port for node in client.get_nodes()} == set(ports)
            finally:
                await close_client(client)
                await listener.aclose()


def announced(cluster: EmbeddedCluster, ports: list[int]) -> None:
    """Have the nodes tell clients of the ports of their relays, as those of TLS alone would."""
    for node, port in zip(cluster.nodes, ports, strict=True):
        node.call("CONFIG", "SET", "cluster-announce-port", port)
    for node in cluster.nodes:
        while {primary[1] for _, _, primary, *_ in node.call("CLUSTER", "SLOTS")} != set(ports):
            pass
