"""Windows of a browser that one person after another uses, with what earlier ones have loaded.

A browser context that is new has nothing: it asks for a hundred modules and compiles them, in a
process that begins for it. That was two thirds of what it took to look at a page. A window that was
left is made as good as new and has the modules still; only what its next user cannot see is kept.
Its next user may have another language, size and taste: the page is told of these by its tools.

To start the page's service worker for each user, and to fetch its script, took a tenth of what was
left. Few tests need it; the others are in a browser that has none, as some private windows are.
"""

from __future__ import annotations

from typing import Any, Final, Literal
from weakref import WeakSet

import pytest
from msgspec import Struct
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route

PATIENCE_MS: Final = 120_000
"""What a page may take on a busy machine before a test gives up.

The page itself may rest for half a minute: before it tries a lost connection again, and before it
reads the finished games anew.
"""

RESTING: Final = "/health/live"
"""The address at which a window waits for its next user: of the same site as the page, so that the
page's process stays, and without a line of script."""

LATER_S: Final = 3600
"""Seconds after which a page's clock is stopped that a test has installed: it goes on by itself
until then, and no machine is so slow that the moment is over before."""

_MOST: Final = 4
"""How many windows wait; each is a process that is kept."""

_WORKERLESS: Final = "delete Navigator.prototype.serviceWorker;"

_FORGETS: Final = """(async () => {
    localStorage.clear();
    sessionStorage.clear();
    window.name = '';
    const workers = await navigator.serviceWorker?.getRegistrations();
    await Promise.all(workers?.map((each) => each.unregister()) ?? []);
    await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
})()"""

_LEAVES: Final = "document.documentElement.style.display = 'none'"
"""Done to a page that is about to go. A browser's tools tell each new document what colours its
reader likes, and the one that it follows hears of it once more: all of it would be styled anew."""

_AGENT: Final = "navigator.userAgent"

_OUTSIDE: Final = -10

_IN_TIME: Final = "Function.prototype.toString.call(Date).includes('[native code]')"
"""Whether the time that the page knows is the machine's, and no test's."""


_SPOILT: Final = WeakSet[Page]()
"""Pages that were given another file than the service's, and that it is good for ever: the process
of such a page keeps the file, and gives it to later pages without any request."""


def notes_what_is_spoilt(patched: pytest.MonkeyPatch) -> None:
    """From now on close the windows in which a test has changed what is good for ever."""
    fulfill = Route.fulfill

    def noting(route: Route, **given: Any) -> None:
        response = given.get("response")
        if response is not None and "immutable" in response.headers.get("cache-control", ""):
            _SPOILT.add(route.request.frame.page)
        fulfill(route, **given)

    patched.setattr(Route, "fulfill", noting)


class Look(Struct, frozen=True, kw_only=True):
    """The screen and the tastes of a person.

    ``worker``: the browser lets the page have a service worker, which keeps its documents.
    """

    width: int = 1280
    height: int = 860
    scheme: Literal["light", "dark"] = "light"
    motion: Literal["reduce", "no-preference"] = "reduce"
    language: str = "en-GB"
    touch: bool = False
    scale: float = 1
    worker: bool = False


class Window:
    """A browser context and its page.

    ``altered``: somebody has done something to the context, which cannot be taken back. The
    language of ``look`` is that of ``page`` alone, and no other page's of the context.

    A click that comes before what it needs, and a look at what is not there yet, are luck on a fast
    line. With a ``latency`` they fail: no file is kept, and each request takes so many milliseconds
    more. (A page that a browser slows down as well spins, and so do all windows that wait: to have
    a slow machine, let more workers run than it has cores.)
    """

    def __init__(self, browser: Browser, url: str, look: Look, latency: int = 0) -> None:
        self.url = url
        self.look = look
        self.altered = False
        self.context: BrowserContext = browser.new_context(
            base_url=url,
            viewport={"width": look.width, "height": look.height},
            color_scheme=look.scheme,
            reduced_motion=look.motion,
            has_touch=look.touch,
            is_mobile=look.touch,
            device_scale_factor=look.scale,
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        if not look.worker:
            self.context.add_init_script(_WORKERLESS)
        self.page: Page = self.context.new_page()
        self._tools = self.context.new_cdp_session(self.page)
        self._scripts: list[str] = []
        self._permitted = False
        self._agent: str = self.page.evaluate(_AGENT)
        self._speaks(look.language)
        if latency:
            self._tools.send("Network.enable")
            self._tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
            self._tools.send("Network.emulateNetworkConditions", line(latency))

    def suits(self, look: Look, url: str) -> bool:
        """Whether the window can be made one for somebody with this look at this address."""
        own = (self.look.touch, self.look.scale, self.look.worker)
        return self.url == url and own == (look.touch, look.scale, look.worker)

    def looks_like(self, look: Look) -> None:
        """Become a window of another look that it ``suits``."""
        if look.language != self.look.language:
            self._speaks(look.language)
        self.look = look
        self.page.set_viewport_size({"width": look.width, "height": look.height})
        self.page.emulate_media(
            color_scheme=look.scheme, reduced_motion=look.motion, forced_colors="none"
        )

    def _speaks(self, language: str) -> None:
        """Let the page's browser have a language: what it wishes for, and how it writes numbers."""
        wishes = {"userAgent": self._agent, "acceptLanguage": language}
        self._tools.send("Emulation.setUserAgentOverride", wishes)
        self._tools.send("Emulation.setLocaleOverride", {"locale": language})

    def evaluates(self, script: str) -> object:
        """What a script comes to where the window rests, also if that takes a while.

        A page's own ``evaluate`` first brings what it needs into each new document, which costs
        more than what is done there.
        """
        asked = {"expression": script, "awaitPromise": True, "returnByValue": True}
        answer = self._tools.send("Runtime.evaluate", asked)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def runs_first(self, script: str) -> None:
        """Let every document that the page opens run a script before its own."""
        self._tools.send("Page.enable")
        added = self._tools.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        self._scripts.append(added["identifier"])

    def permits(self, *permissions: str) -> None:
        """Permit what a browser would ask its user for."""
        self._permitted = True
        self.context.grant_permissions(permissions)

    def _forgets(self) -> None:
        """Take back what ``runs_first`` and ``permits`` have done."""
        for each in self._scripts:
            self._tools.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": each})
        if self._scripts:
            self._tools.send("Page.disable")
        self._scripts.clear()
        if self._permitted:
            self.context.clear_permissions()
        self._permitted = False

    @property
    def is_nowhere(self) -> bool:
        """Whether the page has not been opened."""
        return self.is_resting or self.page.url == "about:blank"

    @property
    def is_resting(self) -> bool:
        """Whether the page is where a window waits, at the site of its next user."""
        return self.page.url == f"{self.url}{RESTING}"

    def answers_nothing_more(self) -> None:
        """Take away what answered the page's requests, whatever it is about to answer.

        A page may ask at any moment, until it has gone: an answer that a test was still fetching
        for it has nobody to come to, and that is no failure.
        """
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.unroute_all(behavior="ignoreErrors")

    def becomes_new(self) -> bool:
        """Let go of all that its user has left; False if that cannot be done.

        The page goes on to a document of the same site, where it clears what it has kept.
        """
        altered = self.altered or self.page in _SPOILT
        if altered or self.context.pages != [self.page]:
            return False
        self._forgets()
        self.page.mouse.move(_OUTSIDE, _OUTSIDE)
        try:
            self.evaluates(_LEAVES)
            self.page.goto(RESTING)
        except Error:  # the page was just going back itself, as when something over it is closed
            return False
        if not self.evaluates(_IN_TIME):
            return False
        self.evaluates(_FORGETS)
        self.context.clear_cookies()
        self._tools.send("Page.resetNavigationHistory")
        return True

    def closes(self) -> None:
        """Close it."""
        self.context.close()


def line(trip_ms: float, bytes_down: float = -1, bytes_up: float = -1) -> dict[str, object]:
    """The conditions of a line, as a browser's tools take them: bytes a second, -1 for any."""
    return {
        "offline": False,
        "latency": trip_ms,
        "downloadThroughput": bytes_down,
        "uploadThroughput": bytes_up,
    }


class Windows:
    """The windows of a browser that nobody uses, the one that was left last at the end.

    Only those at ``url`` are kept.
    """

    def __init__(self, browser: Browser, url: str, latency: int) -> None:
        self.url = url
        self._browser = browser
        self._latency = latency
        self._waiting: list[Window] = []

    def take(self, look: Look, url: str) -> Window:
        """A window of this kind, as good as new; before others one that needs no change."""
        waiting = [each for each in reversed(self._waiting) if each.suits(look, url)]
        if not waiting:
            return Window(self._browser, url, look, self._latency)
        window = next((each for each in waiting if each.look == look), waiting[0])
        self._waiting.remove(window)
        window.looks_like(look)
        return window

    def give_back(self, window: Window) -> None:
        """Keep a window for others, or close it: at another address than ours nothing is kept."""
        window.answers_nothing_more()
        if window.url != self.url or not window.becomes_new():
            window.closes()
            return
        self._waiting.append(window)
        if len(self._waiting) > _MOST:
            self._waiting.pop(0).closes()

    def close(self) -> None:
        """Close those that wait."""
        for window in self._waiting:
            window.closes()
