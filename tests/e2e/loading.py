"""What it takes to load a page: its requests as Chromium records them, over an emulated network."""

from __future__ import annotations

import itertools
import re
from contextlib import nullcontext
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.e2e.clients import Client
from tests.e2e.windows import line


class Network(Struct, frozen=True):
    """A network: milliseconds of each round trip, bytes a second (0: any number)."""

    name: str
    trip_ms: float
    bandwidth: float


NEAR: Final = Network("100 ms", 100, 0)
FAST_3G: Final = Network("Fast 3G", 562.5, 180_000)
"""What the tools of Chromium call so: 1.6 Mbit/s less a tenth, and 150 ms taken 3.75 times."""


AFTERWARDS: Final = re.compile(
    r"/v1/games/[^/]+/(head|names)"
    r"|/assets/[0-9a-f]{24}/chunks/(games/\w+/board/(heroes|motion)|watch/(effect|sound)[-\w]*)\.js"
    r"|/assets/[0-9a-f]{24}/fonts/"
)
"""What the page of a table asks for beside its board: to check the log, and to name people, and
what it fetches when it has nothing better to do."""

LATER: Final = "/watch/extras.js"
"""The first file that a table asks for once its board stands."""


class Asked(Struct):
    """A request: when it was sent and when its answer was complete, in seconds of the browser.

    ``size`` is what came over the network, headers included; ``cached``: nothing did.
    """

    url: str
    sent: float
    done: float | None = None
    status: int = 0
    size: int = 0
    cached: bool = False
    protocol: str = ""
    headers: dict[str, str] = {}

    @property
    def path(self) -> str:
        """The path of its address."""
        return urlsplit(self.url).path


class Recording:
    """The requests of a page, from now on; ``network`` is what they go over."""

    def __init__(self, page: Page, network: Network | None) -> None:
        self._found: dict[str, Asked] = {}
        tools = page.context.new_cdp_session(page)
        tools.on("Network.requestWillBeSent", self._sent)
        tools.on("Network.requestServedFromCache", self._from_memory)
        tools.on("Network.responseReceived", self._answered)
        tools.on("Network.dataReceived", self._received)
        tools.on("Network.loadingFinished", self._finished)
        tools.on("Network.loadingFailed", self._finished)
        tools.send("Network.enable")
        if network is not None:
            bandwidth = network.bandwidth or -1
            conditions = line(network.trip_ms, bandwidth, bandwidth)
            tools.send("Network.emulateNetworkConditions", conditions)

    @property
    def all(self) -> list[Asked]:
        """All requests, in the order in which they were sent."""
        return sorted(self._found.values(), key=lambda each: each.sent)

    @property
    def over_the_network(self) -> list[Asked]:
        """Those that no cache has answered."""
        return [each for each in self.all if not each.cached]

    @property
    def needed(self) -> list[Asked]:
        """Those of them that were sent before what is loaded later; all where nothing is."""
        begin = min((e.sent for e in self.all if e.path.endswith(LATER)), default=float("inf"))
        return [each for each in self.over_the_network if each.sent < begin]

    def _sent(self, told: dict[str, Any]) -> None:
        if not told["request"]["url"].startswith(("data:", "blob:")):
            self._found[told["requestId"]] = Asked(told["request"]["url"], told["timestamp"])

    def _from_memory(self, told: dict[str, Any]) -> None:
        if (asked := self._found.get(told["requestId"])) is not None:
            asked.cached = True

    def _answered(self, told: dict[str, Any]) -> None:
        if (asked := self._found.get(told["requestId"])) is not None:
            answer = told["response"]
            asked.status = answer["status"]
            asked.protocol = answer.get("protocol", "")
            asked.cached = asked.cached or answer.get("fromDiskCache", False) or _is_kept(answer)
            asked.headers = {name.lower(): text for name, text in answer["headers"].items()}

    def _received(self, told: dict[str, Any]) -> None:
        if (asked := self._found.get(told["requestId"])) is not None:
            asked.size += int(told.get("encodedDataLength", 0))

    def _finished(self, told: dict[str, Any]) -> None:
        if (asked := self._found.get(told["requestId"])) is not None:
            asked.done = told["timestamp"]
            asked.size = max(asked.size, int(told.get("encodedDataLength", 0)))


def _is_kept(answer: dict[str, Any]) -> bool:
    """Whether a service worker has given what it had kept."""
    return bool(answer.get("serviceWorkerResponseSource") == "cache-storage")


def round_trips(asked: list[Asked]) -> int:
    """How many round trips follow one another.

    It is the longest chain of requests of which each was sent after the answer to the one before.
    """
    deep: list[tuple[float, int]] = []
    for each in sorted(asked, key=lambda one: one.sent):
        before = max((d for done, d in deep if done <= each.sent), default=0)
        deep.append((each.done if each.done is not None else float("inf"), before + 1))
    return max((d for _, d in deep), default=0)


def least_seconds(asked: list[Asked], network: Network) -> float:
    """What a network takes, whatever the machine does: its round trips, then all the bytes."""
    size = sum(each.size for each in asked)
    wire = size / network.bandwidth if network.bandwidth else 0.0
    return round_trips(asked) * network.trip_ms / 1000 + wire


class Shown(Struct, frozen=True):
    """What a page is for, by its selector; called, it waits until that can be seen."""

    css: str

    def __call__(self, page: Page) -> None:
        """Wait for it."""
        expect(page.locator(self.css).first).to_be_visible()


shows_lobby: Final = Shown("[data-section=live] li.table")
"""The lobby with its tables."""
shows_board: Final = Shown(".watch[data-version] .stage svg")
"""A table with its board."""

_SINCE: Final = """(css) => {
    const found = document.querySelector(css);
    return found?.checkVisibility() ? performance.now() / 1000 : null;
}"""
"""How long ago the page was asked for, once something can be seen; null before. It is asked with
each frame: what waits from outside looks at growing intervals, of a second in the end."""


KEPT: Final = "async (address) => (await caches.match(address)) !== undefined"
"""Whether a document is kept for the next visit."""


_NUMBERS: Final = itertools.count()


def waits_until(page: Page, condition: str, arg: object = None) -> None:
    """Wait until an async function of the page gives something true.

    Playwright alone would not wait for what it gives: a promise is as true as anything.
    """
    met = f"window.met{next(_NUMBERS)}"
    page.wait_for_function(
        f"(arg) => {{ ({condition})(arg).then((met) => {{ {met} ||= met; }}); return {met}; }}",
        arg=arg,
    )


class Visit(Struct):
    """A page that was loaded.

    ``needed`` is what it asked for until it showed what it is for, ``beside`` the paths of what its
    service worker asked for, and ``seconds`` how long it took from its first request.
    """

    needed: list[Asked]
    beside: list[str]
    seconds: float


def visit(
    context: BrowserContext, url: str, network: Network, shown: Shown, *, keeps: bool = True
) -> Visit:
    """Load a page, and leave it when its document is kept; or when it shows what it is for."""
    page = context.new_page()
    beside: list[str] = []

    def note(request: Request) -> None:
        if _is_beside(request):
            beside.append(urlsplit(request.url).path)

    context.on("request", note)
    noted = context.expect_event("request", _is_beside) if keeps else nullcontext()
    try:
        recording = Recording(page, network)
        with noted:
            page.goto(url, wait_until="commit")
            seconds = float(page.wait_for_function(_SINCE, arg=shown.css).json_value())
            shown(page)
            needed = recording.needed
        if keeps:
            waits_until(page, KEPT, url)
        return Visit(needed, beside, seconds)
    finally:
        page.close()
        context.remove_listener("request", note)


def _is_beside(request: Request) -> bool:
    """Whether a service worker asks, and not the page."""
    return request.service_worker is not None


def tables(url: str) -> dict[str, str]:
    """A live table of each game that can be played here, by the game's id; it stays live."""
    players = [Client(url, name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    found: dict[str, str] = {}
    for rulebook in players[0].get("/rulebooks")["rulebooks"]:
        if rulebook["game"] not in found:
            book = players[0].get(f"/rulebooks/{rulebook['id']}", game=rulebook["game"])
            mode = next(each for each in book["modes"] if max(each["seats"]) > 1)
            seats = min(count for count in mode["seats"] if count > 1)
            played = rulebook["game"]
            game = players[0].opens(mode["id"], seats, rulebook["id"], game=played)
            for player in players[:seats]:
                player.sits(game)
            found[rulebook["game"]] = game
    for player in players:
        player.close()
    return found
