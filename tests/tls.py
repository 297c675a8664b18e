"""A store behind TLS: an authority, its certificates, and relays that end TLS before nodes.

The embedded server speaks no TLS, so a relay speaks it for each node.
"""

from __future__ import annotations

import asyncio
import selectors
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final, TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from msgspec import Struct

_DAY: Final = timedelta(days=1)
_CHUNK: Final = 1 << 16
_HANDSHAKE_S: Final = 5.0


class Authority:
    """Signs certificates, and keeps them in a folder.

    Attributes:
        path: its own certificate.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named(name)
        own = _certificate(self._name, self._key.public_key(), self._name)
        signed = own.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        self.path = folder / f"{name}.pem"
        self.path.write_bytes(
            signed.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        )

    def signs(self, name: str, host: str = "127.0.0.1") -> Signed:
        """A certificate for a host, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = _certificate(_named(name), key.public_key(), self._name).add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), critical=False
        )
        signed = Signed(self._folder / f"{name}.crt", self._folder / f"{name}.key")
        certificate = made.sign(self._key, hashes.SHA256())
        signed.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        signed.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return signed


class Signed(Struct, frozen=True):
    """Files of a certificate and its key."""

    certificate: Path
    key: Path


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _certificate(
    subject: x509.Name, key: ec.EllipticCurvePublicKey, issuer: x509.Name
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return x509.CertificateBuilder(
        issuer_name=issuer,
        subject_name=subject,
        public_key=key,
        serial_number=x509.random_serial_number(),
        not_valid_before=now - _DAY,
        not_valid_after=now + _DAY,
    )


Streams: TypeAlias = "tuple[asyncio.StreamReader, asyncio.StreamWriter]"


@contextmanager
def behind_tls(
    own: Signed, clients: Authority, opens: Sequence[Callable[[], Awaitable[Streams]]]
) -> Iterator[list[int]]:
    """Relays on 127.0.0.1, one for each node, that let in whose certificate an authority signed.

    Args:
        own: what the relays show.
        clients: who signs for those who come.
        opens: for each node, what opens a connection to it.

    Returns: their ports.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own.certificate, own.key)
    context.load_verify_locations(clients.path)
    context.verify_mode = ssl.CERT_REQUIRED
    selector = selectors.DefaultSelector()
    loop = asyncio.SelectorEventLoop(selector)
    idle = len(selector.get_map())  # the loop watches a pipe of its own
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    starts = (
        asyncio.start_server(
            _relay(each), "127.0.0.1", ssl=context, ssl_handshake_timeout=_HANDSHAKE_S
        )
        for each in opens
    )
    servers = [asyncio.run_coroutine_threadsafe(start, loop).result() for start in starts]
    try:
        yield [server.sockets[0].getsockname()[1] for server in servers]
    finally:
        asyncio.run_coroutine_threadsafe(_end_all(servers), loop).result()
        # Who is turned away in the middle of a handshake has no task that could be ended: his
        # connection goes when its end has been read, or his time is over.
        asyncio.run_coroutine_threadsafe(_until_quiet(selector, idle), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _relay(
    opens: Callable[[], Awaitable[Streams]],
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        try:
            far_reader, far_writer = await opens()
            writers.append(far_writer)
            await asyncio.gather(_carry(reader, far_writer), _carry(far_reader, writer))
        finally:
            for each in writers:  # `close` would wait for the other side to take its leave of TLS
                each.transport.abort()

    return relay


async def _carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while chunk := await source.read(_CHUNK):
            sink.write(chunk)
            await sink.drain()
    except OSError:
        pass  # an end is an end, however it comes
    finally:
        sink.close()


async def _end_all(servers: Sequence[asyncio.Server]) -> None:
    for server in servers:
        server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def _until_quiet(selector: selectors.BaseSelector, idle: int) -> None:
    while len(selector.get_map()) > idle:  # noqa: ASYNC110 (a selector tells nobody)
        await asyncio.sleep(0.001)
