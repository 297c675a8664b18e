"""Answering on the board, wherever what one chooses lies: by pointer, by finger or by keys."""

from __future__ import annotations

import json
from typing import Final, Literal

from playwright.sync_api import Page, Request
from playwright.sync_api import TimeoutError as NothingComes

from tests.e2e.clients import Client, Json
from tests.e2e.on_board import PLACES, Target, button, choose_in, targets
from tests.e2e.people import PATIENCE_MS

Way = Literal["pointer", "finger", "keys"]

MOST_PRESSES: Final = 6
"""More than any level takes: by a finger each of two things, and once more what was meant."""

_PRESSED: Final = f"""([[kind, id], choose, way]) => {{
    {PLACES}
    const node = found[kind](id).find(way === "keys" ? keyed : meets);
    if (node === undefined) {{
        return null;
    }}
    way === "keys" && node.focus();
    return meets(node) ?? [];
}}"""
"""Where to press; null: it is not there."""

_STANDS: Final = """(id) => {
    const card = [...document.querySelectorAll(`.p-panel [data-decision="${CSS.escape(id)}"]`)]
        .find((each) => !each.matches(".p-answered"));
    const one = (css) => card?.querySelector(css) ?? null;
    return {
        open: card !== undefined,
        levels: card?.querySelectorAll(".p-trail b").length ?? 0,
        narrowed: one(".p-narrowed > span")?.textContent ?? "",
        meant: one(".p-meant")?.dataset.option ?? "",
        held: one(".p-held") !== null,
    };
}"""
"""How far a decision has come on the page."""

_MOVED: Final = f"""([id, before]) => {{
    const busy = document.querySelector(".p-panel .p-option:disabled") !== null;
    const now = ({_STANDS})(id);
    return !busy && Object.keys(now).some((key) => now[key] !== before[key]);
}}"""


class Answering:
    """Somebody who answers a decision of a game, of which nothing but the board is pressed."""

    def __init__(
        self,
        page: Page,
        client: Client,
        game: str,
        *,
        of: str,
        language: str,
        patience_ms: int = PATIENCE_MS,
    ) -> None:
        self._page = page
        self._patience_ms = patience_ms
        self._client = client
        self._at = f"/games/{game}/decisions"
        self._of = of
        self._choose = choose_in(language)
        self._sent: list[str] = []

    def answers(self, decision: Json, option: Json, way: Way) -> list[str]:
        """Choose an option, and below each branch the last of the next level; what went wrong."""

        def sent(request: Request) -> None:
            if request.method == "POST" and request.url.endswith(decision["id"]):
                self._sent.append(json.loads(request.post_data or "")["option"])

        self._page.on("request", sent)
        while (found := self._chooses(decision, option, way)) == [] and option.get("branch"):
            below = self._client.get(f"{self._at}/{decision['id']}/options/{option['id']}")
            option = below["options"][-1]
        self._page.remove_listener("request", sent)
        if not found and not self._stands(decision)["held"] and self._sent != [option["id"]]:
            found = [f"{self._sent} was sent instead of {option['id']}"]
        return found

    def _chooses(self, decision: Json, option: Json, way: Way) -> list[str]:
        """Press what an option is about until it is chosen; what went wrong."""
        first = stands = self._stands(decision)
        for turn in range(MOST_PRESSES):
            target = self._next(decision, option, turn)
            if not self._press(target, way):
                return [f"{option['id']}: {target} cannot be pressed by {way}"]
            try:
                self._moves(decision, stands)
            except NothingComes:
                return [f"{option['id']}: nothing comes of pressing {target} by {way}"]
            stands = self._stands(decision)
            done = self._sent or not stands["open"] or stands["held"]
            if done or stands["levels"] > first["levels"]:
                return []
        return [f"{option['id']} is not chosen by {way}"]

    def _next(self, decision: Json, option: Json, turn: int) -> Target:
        """What to press: its button over the board where there is one, else what it is about."""
        own = button(decision, option)
        about = targets(self._of, option)
        there = self._page.locator(f".stage [id='{own[1]}']").count() > 0
        return own if there or not about else about[turn % len(about)]

    def _press(self, target: Target, way: Way) -> bool:
        at = self._page.evaluate(_PRESSED, [target, self._choose, way])
        if at is None:
            return False
        if way == "keys":
            self._page.keyboard.press("Enter")
        elif way == "finger":
            self._page.touchscreen.tap(*at)
        else:
            self._page.mouse.click(*at)
        return True

    def _moves(self, decision: Json, before: Json) -> None:
        arg = [decision["id"], before]
        self._page.wait_for_function(_MOVED, arg=arg, timeout=self._patience_ms)

    def _stands(self, decision: Json) -> Json:
        return dict(self._page.evaluate(_STANDS, decision["id"]))
