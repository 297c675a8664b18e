"""People in front of a browser, each in a window of their own, watched for anything that fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import BrowserContext, CDPSession, ConsoleMessage, Page, Request, WebError

from tests.e2e.clients import Client
from tests.e2e.windows import PATIENCE_MS, RESTING, Look, Window

__all__ = ["DESKTOP", "PATIENCE_MS", "PHONE", "SESSION", "Look", "Person"]


SESSION: Final = (
    '(await import(document.querySelector("meta[name=files]").content + "chunks/main.js"))'
    ".$net_session"
)
"""Where the page that is shown has its session."""

KEPT: Final = "parlour.session"
"""Under which name a browser keeps who its reader is (web/net/identity.js)."""

BROKEN_LINE: Final = "net::ERR_|error occurred when fetching the script"
"""What a browser complains of while nothing reaches the service: its page's requests, and the
script of a service worker, which it asks for whenever it likes."""

_LINK: Final = """(path) => {
    if (new URL(path, location.href).pathname === location.pathname && location.pathname !== "/") {
        throw new Error(`${path} is here`);
    }
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
}"""
"""What a link within the page does."""

_HURRIES: Final = """{
    const own = window.setTimeout;
    window.setTimeout = (act, ms = 0, ...given) => own(act, ms / 10, ...given);
}"""

DESKTOP: Final = Look()
PHONE: Final = Look(width=360, height=740, touch=True)
RETURNING: Final = Look(worker=True)
"""A desktop on which a second visit begins with what was kept of the first."""


class Person:
    """One person with one page, at the service behind the window's ``url``.

    ``complaints`` is all that went wrong in the browser and was not ``allowed``: errors and
    warnings of the console (whatever the policy of the page refused is among them), exceptions,
    failed requests, requests to anybody but the service. It must be empty in the end.

    By its ``pin`` whoever becomes a player on the page is the same player in every run, and what
    they open then is dealt alike.

    Whoever uses the ``context`` has altered the window for good, and nobody gets it after them.
    Therefore a page's ``clock``, its tools and its ``on`` are asked for there. A window of which a
    route has changed a file that is good for ever is not kept either (``tests.e2e.windows``). What
    ``notes``, ``runs_first`` and ``permits`` do is taken back.
    """

    def __init__(self, window: Window, name: str) -> None:
        self.name = name
        self.url = window.url
        self.pin = name
        self.page: Page = window.page
        self.complaints: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        self._window = window
        self._touches: CDPSession | None = None
        self._notes: list[Callable[[Request], None]] = []
        window.context.on("console", self._on_console)
        window.context.on("weberror", self._on_error)

    @property
    def context(self) -> BrowserContext:
        """The context of the window, to do to it what cannot be taken back."""
        self._window.altered = True
        return self._window.context

    def allow(self, pattern: str) -> None:
        """Complaints that match a regular expression are expected in this test."""
        self._allowed.append(re.compile(pattern))

    def notes(self, note: Callable[[Request], None]) -> None:
        """Let a note be taken of each request that the browser makes from now on."""
        self._notes.append(note)
        self._window.context.on("request", note)

    def runs_first(self, script: str) -> None:
        """Let every document that the page opens from now on run a script before its own."""
        self._window.runs_first(script)

    def hurries(self) -> None:
        """Let whatever the next documents put off come ten times as soon, as their next reading.

        How long they wait for an answer stays as it is, and so does what they do again and again.
        """
        self.runs_first(_HURRIES)

    def permits(self, *permissions: str) -> None:
        """Permit what the browser would ask for, as ``clipboard-read``."""
        self._window.permits(*permissions)

    def opens(self, path: str) -> Page:
        """Go to a path of the page."""
        self.page.goto(path)
        return self.page

    def goes_to(self, path: str) -> Page:
        """Go to another place of the page, as by a link of it: nothing is loaded anew.

        Not to the game that is shown already: what is on the page then is not taken away before.
        """
        assert not self._window.is_nowhere, "there is no page to go on from"
        self.page.evaluate(_LINK, path)
        return self.page

    def touches(self, kind: str, *points: tuple[float, float]) -> None:
        """Let the screen tell of fingers: what they do (``touchMove``), and where each is, if any.

        The window is none the worse for it, once all fingers have left the screen.
        """
        if self._touches is None:
            self._touches = self._window.context.new_cdp_session(self.page)
        there = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": there})

    @property
    def token(self) -> str:
        """The token of whoever is signed in on the page."""
        found: str = self.page.evaluate(f"async () => {SESSION}.session().token")
        return found

    def signs_in(self, client: Client) -> None:
        """Become a player who exists already: the browser has kept who it is, or a page is told."""
        if self._window.is_nowhere:
            who = {"player": client.player, "name": client.name, "token": client.token}
            if not self._window.is_resting:
                self.page.goto(RESTING)
            kept = json.dumps([KEPT, json.dumps(who)])
            self._window.evaluates(f"localStorage.setItem(...{kept})")
            return
        self.page.evaluate(
            f"async (token) => {{ await {SESSION}.signIn(token); }}",
            client.token,
        )

    def unexpected(self) -> list[str]:
        """The complaints that nobody allowed."""
        return [c for c in self.complaints if not any(p.search(c) for p in self._allowed)]

    def leaves(self) -> Window:
        """Let go of the window, of which nothing is heard any more."""
        context = self._window.context
        if self._touches is not None:
            self._touches.detach()
        context.cookies()  # once this is answered, all that went wrong before has been heard
        for note in self._notes:
            context.remove_listener("request", note)
        context.remove_listener("console", self._on_console)
        context.remove_listener("weberror", self._on_error)
        return self._window

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            self._complain(f"console {message.type}", message.text, message.location.get("url", ""))

    def _on_error(self, error: WebError) -> None:
        thrown = error.error
        self._complain("exception", str(thrown), thrown.stack or "")

    def _complain(self, kind: str, what: str, where: str) -> None:
        self.complaints.append(f"{self.name}: {kind}: {what} [{where}]")
