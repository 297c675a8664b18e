"""People in front of a browser, each in a context of their own, watched for anything that fails."""

from __future__ import annotations

import re
from typing import Final, Literal

from msgspec import Struct
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    WebError,
)

from tests.e2e.clients import Client

PATIENCE_MS: Final = 120_000
"""What a page may take on a busy machine before a test gives up.

The page itself may rest for half a minute: before it tries a lost connection again, and before it
reads the finished games anew.
"""

_OWN: Final = ("data:", "blob:", "about:")
_ABORTED: Final = "net::ERR_ABORTED"  # the page itself let go of it


class Look(Struct, frozen=True, kw_only=True):
    """The screen and the tastes of a person."""

    width: int = 1280
    height: int = 860
    scheme: Literal["light", "dark"] = "light"
    motion: Literal["reduce", "no-preference"] = "reduce"
    language: str = "en-GB"
    touch: bool = False
    scale: float = 1


SESSION: Final = """document.querySelector("meta[name=files]").content + "net/session.js\""""
"""Where the page that is shown has its session."""

DESKTOP: Final = Look()
PHONE: Final = Look(width=360, height=740, touch=True)


class Person:
    """One person with one page, at the service behind ``url``.

    ``complaints`` is all that went wrong in the browser and was not ``allowed``: errors and
    warnings of the console (whatever the policy of the page refused is among them), exceptions,
    failed requests, requests to anybody but the service. It must be empty in the end.
    """

    def __init__(self, browser: Browser, url: str, name: str, look: Look = DESKTOP) -> None:
        self.name = name
        self.url = url
        self.complaints: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        self.context: BrowserContext = browser.new_context(
            base_url=url,
            locale=look.language,
            viewport={"width": look.width, "height": look.height},
            color_scheme=look.scheme,
            reduced_motion=look.motion,
            has_touch=look.touch,
            is_mobile=look.touch,
            device_scale_factor=look.scale,
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.on("console", self._on_console)
        self.context.on("weberror", self._on_error)
        self.context.on("requestfailed", self._on_failure)
        self.context.on("request", self._on_request)
        self.page: Page = self.context.new_page()

    def allow(self, pattern: str) -> None:
        """Complaints that match a regular expression are expected in this test."""
        self._allowed.append(re.compile(pattern))

    def opens(self, path: str) -> Page:
        """Go to a path of the page."""
        self.page.goto(path)
        return self.page

    @property
    def token(self) -> str:
        """The token of whoever is signed in on the page."""
        found: str = self.page.evaluate(f"async () => (await import({SESSION})).session().token")
        return found

    def signs_in(self, client: Client) -> None:
        """Become a player who exists already."""
        if not self.page.url.startswith(self.url):
            self.opens("/")
        self.page.evaluate(
            f"async (token) => {{ await (await import({SESSION})).signIn(token); }}",
            client.token,
        )

    def unexpected(self) -> list[str]:
        """The complaints that nobody allowed."""
        return [c for c in self.complaints if not any(p.search(c) for p in self._allowed)]

    def leaves(self) -> None:
        """Close the browser's context."""
        self.context.close()

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            self._complain(f"console {message.type}", message.text, message.location.get("url", ""))

    def _on_error(self, error: WebError) -> None:
        thrown = error.error
        self._complain("exception", str(thrown), thrown.stack or "")

    def _on_failure(self, request: Request) -> None:
        if request.failure != _ABORTED:
            self._complain("request failed", str(request.failure), request.url)

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", *_OWN)):
            self._complain("foreign request", request.method, request.url)

    def _complain(self, kind: str, what: str, where: str) -> None:
        self.complaints.append(f"{self.name}: {kind}: {what} [{where}]")
