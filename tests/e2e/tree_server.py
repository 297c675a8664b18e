"""Serves the page's modules and those of its tests as they are, at an address of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

from tests.e2e.serving import ROOT
from tests.e2e.windows import RESTING

POLICY: Final = "default-src 'self'; style-src 'self'; script-src 'self'; object-src 'none'"
BLANK: Final = '<!doctype html><meta name="files" content="/web/"><title>-</title>'

_FOLDERS: Final = {"web": ROOT, "pages": Path(__file__).parent}
"""In which folder the folders lie that are served."""

_KINDS: Final = {".js": "text/javascript", ".json": "application/json", ".css": "text/css"}
_FOREVER: Final = "max-age=31536000, immutable"
"""No file changes as long as the server runs."""


@contextmanager
def tree_server() -> Iterator[str]:
    """A server of ``/web/…``, of ``/pages/…`` and of a blank document, ``/``; its address.

    The address is that of a secure place, and all that it serves has the strict policy of the page.
    Whatever else is asked for is not found.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path in {"/", RESTING}:
            self._sends(HTTPStatus.OK, "text/html", BLANK.encode())
        elif (file := _file(path)) is not None:
            self._sends(HTTPStatus.OK, _KINDS[file.suffix], file.read_bytes(), _FOREVER)
        else:
            self._sends(HTTPStatus.NOT_FOUND, "text/plain", path.encode())

    def _sends(
        self, status: HTTPStatus, media_type: str, body: bytes, cached: str = "no-store"
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", media_type)
        self.send_header("content-length", str(len(body)))
        self.send_header("content-security-policy", POLICY)
        self.send_header("cache-control", cached)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
        """Say nothing: a file that is missing is noticed by whoever imports it."""


def _file(path: str) -> Path | None:
    """The file that is served at a path, if there is one."""
    folder = _FOLDERS.get(path.removeprefix("/").partition("/")[0])
    file = None if folder is None else folder / path.removeprefix("/")
    return file if file and ".." not in path and file.suffix in _KINDS and file.is_file() else None
