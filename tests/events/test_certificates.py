"""What is wrong with certificates is told by the file or the side that has to be mended."""

from __future__ import annotations

import asyncio
import ssl
from functools import partial
from pathlib import Path

import pytest
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import TimeoutError as NoAnswerInTime

from events.certificates import files_fault
from events.handshakes import connection_fault
from events.reach import UnfitStoreError, require_store
from runtime.embedded.ports import free_ports
from runtime.embedded.store import Store
from tests.tls import Authority, Signed, behind_tls


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "authority")


def url_of(**files: Path) -> str:
    return "rediss://h1?" + "&".join(f"{name}={path}" for name, path in files.items())


def test_files_that_fit_are_no_fault(authority: Authority) -> None:
    own = authority.signs("own")
    for scheme in ("rediss", "rediss+cluster", "rediss+sentinel"):
        url = url_of(ssl_ca_certs=authority.path, ssl_certfile=own.certificate, ssl_keyfile=own.key)
        there = "//h1/service?" if "sentinel" in scheme else "//h1?"
        assert files_fault(url.replace("rediss://h1?", f"{scheme}:{there}")) == ""
    assert files_fault("rediss://h1") == ""
    assert files_fault("redis://h1") == ""
    assert files_fault("unix:///nowhere") == ""


@pytest.mark.parametrize("option", ["ssl_ca_certs", "ssl_certfile", "ssl_keyfile"])
def test_a_file_that_is_not_there_is_named(
    authority: Authority, tmp_path: Path, option: str
) -> None:
    own, lost = authority.signs("own"), tmp_path / "lost.pem"
    files = {
        "ssl_ca_certs": authority.path,
        "ssl_certfile": own.certificate,
        "ssl_keyfile": own.key,
    }
    said = files_fault(url_of(**{**files, option: lost}))
    assert (
        said
        == f"{lost}, which {option} in its URL names, cannot be read: No such file or directory"
    )


def test_files_that_do_not_fit_are_named(authority: Authority, tmp_path: Path) -> None:
    own, other = authority.signs("own"), authority.signs("other")
    text = tmp_path / "text.pem"
    text.write_text("planted", encoding="utf-8")
    assert files_fault(url_of(ssl_ca_certs=text)) == (
        f"{text}, which ssl_ca_certs in its URL names, holds no certificate"
    )
    assert files_fault(url_of(ssl_certfile=own.certificate, ssl_keyfile=other.key)) == (
        f"the key in {other.key} (ssl_keyfile) is not that of the certificate in {own.certificate}"
    )
    assert "are no certificate and its key" in files_fault(
        url_of(ssl_certfile=text, ssl_keyfile=own.key)
    )
    assert "without its certificate" in files_fault(url_of(ssl_keyfile=own.key))


async def test_no_store_is_asked_with_files_that_do_not_fit(tmp_path: Path) -> None:
    lost = tmp_path / "lost.pem"
    url = f"rediss://ada:planted@127.0.0.1:{free_ports(1)[0]}?ssl_ca_certs={lost}"
    with pytest.raises(UnfitStoreError, match=f"cannot be reached over TLS: {lost}") as refused:
        await require_store(url)
    assert "planted" not in str(refused.value)


@pytest.mark.system
async def test_a_store_that_does_not_believe_our_certificate_is_told_apart(
    store: Store, store_url: str, authority: Authority, tmp_path: Path
) -> None:
    del store_url  # it empties the store
    stranger = Authority(tmp_path, "another").signs("stranger")
    opens = partial(asyncio.open_unix_connection, store.path)
    with behind_tls(authority.signs("store"), authority, [opens]) as (port,):
        place = f"127.0.0.1:{port}"
        for shown in (stranger, None):
            with pytest.raises(UnfitStoreError, match="it may not believe our certificate"):
                await require_store(reached(place, authority, shown))
        with pytest.raises(UnfitStoreError, match="if it speaks TLS, its URL must begin with"):
            await require_store(f"redis://{place}")
        await require_store(reached(place, authority, authority.signs("own")))  # the control


def reached(place: str, authority: Authority, shown: Signed | None) -> str:
    own = "" if shown is None else f"&ssl_certfile={shown.certificate}&ssl_keyfile={shown.key}"
    return f"rediss://parlour@{place}?ssl_ca_certs={authority.path}{own}"


def test_an_alert_that_ends_a_handshake_is_told() -> None:
    alert = ssl.SSLError(1, "[SSL: TLSV13_ALERT_CERTIFICATE_REQUIRED] alert")
    alert.reason = "TLSV13_ALERT_CERTIFICATE_REQUIRED"
    error = NoConnection("Error while reading")
    error.__context__ = alert
    said = connection_fault("rediss://h1", error)
    assert said.startswith("it ended the handshake (TLSV13_ALERT_CERTIFICATE_REQUIRED): it may not")
    assert connection_fault("rediss://h1", NoConnection("of another kind")) == ""


@pytest.mark.parametrize("broken", [ConnectionResetError, BrokenPipeError])
def test_a_reset_that_overtakes_the_alert_is_told(broken: type[OSError]) -> None:
    error = NoConnection("Error while reading from h1:6379 : (104, 'Connection reset by peer')")
    error.__cause__ = broken()
    said = connection_fault("rediss://h1", error)
    assert said.startswith("it closed the connection before it said anything: it may not believe")
    assert "must begin with rediss" in connection_fault("redis://h1", error)
    error.__cause__ = OSError("another")
    assert connection_fault("rediss://h1", error) == ""


def test_a_port_without_tls_is_guessed() -> None:
    late = NoAnswerInTime("Timeout connecting to server")
    assert "perhaps it speaks no TLS" in connection_fault("rediss://h1", late)
    assert connection_fault("redis://h1", late) == ""
    closed = NoConnection("Connection closed by server.")
    assert "must begin with rediss" in connection_fault("redis://h1", closed)
    assert connection_fault("unix:///nowhere", closed) == "", "no socket speaks TLS"
