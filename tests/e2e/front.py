"""HTTP/2 in front of a service: the proxy of an installation, as far as loading depends on it."""

from __future__ import annotations

import hashlib
import subprocess
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright._impl._driver import compute_driver_executable

HERE: Final = Path(__file__).resolve().parent
HOST: Final = "127.0.0.1"


class Front:
    """TLS and HTTP/2 on a port of its own, in front of a service's port.

    ``trust`` is the flag of a browser that believes its certificate. A context that only ignores
    errors of certificates would not do: Chromium then keeps nothing in its cache. What is under
    paths that end with ``spoilt`` it forbids to keep: a mistake that a test plants.
    """

    def __init__(self, port: int, folder: Path, spoilt: str = "") -> None:
        self._port = port
        self._folder = folder
        self._spoilt = [spoilt] if spoilt else []
        self._process: subprocess.Popen[str] | None = None
        self.url = ""
        self.trust = ""

    def __enter__(self) -> Self:
        key, certificate, self.trust = _certificate(self._folder)
        node, _ = compute_driver_executable()
        self._process = subprocess.Popen(
            [
                node,
                str(HERE / "front.mjs"),
                str(self._port),
                str(key),
                str(certificate),
                *self._spoilt,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.url = f"https://{HOST}:{int(self._process.stdout.readline())}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process is not None
        self._process.communicate()  # the end of its input is the end of it


def _certificate(folder: Path) -> tuple[Path, Path, str]:
    """A key, a certificate that it has signed for itself, and the flag by which it is believed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    paths = folder / "front.key", folder / "front.crt"
    paths[0].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    paths[1].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    pin = b64encode(hashlib.sha256(public).digest()).decode()
    return *paths, f"--ignore-certificate-errors-spki-list={pin}"
