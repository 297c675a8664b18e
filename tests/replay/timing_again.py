"""Follows the clock of a record, as "Time" in ``docs/audit.md`` tells it, with no code of ours."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from tests.replay.auditor import Json

GRACE_MS: Final = 250

SPECIAL: Final[Mapping[str, tuple[str, str]]] = {
    "room25": ("programming", r"clue|t\d+-program"),
    "cerveauuu": ("response", r"r\d+-(w\d+-v\d+|batch|discards|\d+-consent)"),
}
"""By game the class of waits that only some keys are of, and these keys; else it is a decision."""


class Timing:
    """The clock of one game: how often each sentence was put to the test, and ``faults``."""

    def __init__(self, record: str, book: Json) -> None:
        """``book``: the rulebook as the service tells it."""
        lines = [json.loads(text) for text in record.splitlines()]
        self.lines: list[Json] = [line for line in lines if "event" in line]
        opened = self.lines[0]["event"]
        self.special, self.keys = SPECIAL[opened["game"]]
        self.limits: Json = opened["time"]["limits_s"]
        self.absent_after = opened["time"]["absent_after"]
        self.strikes = {wait["id"]: wait["strikes"] for wait in book["waits"]}
        self.now = self.turn = 0
        self.key, self.since, self.due, self.paused_at = "", 0, 0, 0
        self.command: Json = {}
        self.missed: Json = {}
        self.struck: Counter[int] = Counter()
        self.absent: set[int] = set()
        self.resigned: set[int] = set()
        self.tested: Counter[str] = Counter()
        self.faults: list[str] = []

    def run(self) -> Timing:
        for line in self.lines:
            self.version, event = line["v"], line["event"]
            first = "batch" in line
            at_last, self.now = self.now, line["at"]
            self.expect("time", holds=self.now >= at_last if first else self.now == at_last)
            if first:
                self.command = line["batch"]["command"]
                self.batch()
            getattr(self, event["type"].replace("-", "_"), lambda _: None)(event)
        return self

    def expect(self, what: str, *, holds: bool) -> None:
        self.tested[what] += 1
        if not holds:
            self.faults.append(f"version {self.version}: {what}")

    @property
    def wait(self) -> str:
        """The class of what is waited for."""
        return self.special if re.fullmatch(self.keys, self.key) else "decision"

    def batch(self) -> None:
        kind = self.command["type"]
        if kind == "time-out":
            gone = bool(self.absent or self.resigned)
            self.expect("key", holds=self.command["key"] == self.key)
            self.expect("due", holds=self.now >= self.due + (0 if gone else GRACE_MS))
        elif kind.startswith("choose") and self._answers(self.command["decision"]):
            self.expect("in time", holds=self.now <= self.due)

    def _answers(self, decision: str) -> bool:
        key = self.key.replace("discards", "discard")
        return decision == key or decision.startswith(f"{key}-")

    def clock_started(self, event: Json) -> None:
        self.key, self.since, self.due = event["key"], event["since"], event["due"]
        limit = 1000 * self.limits[self.wait]
        gone = bool(self.absent or self.resigned)
        self.expect("since", holds=self.since == self.now)
        self.expect("limit", holds=self.due - self.since in ({0, limit} if gone else {limit}))

    def time_extended(self, event: Json) -> None:
        self.expect("extended", holds=event["due"] > self.due)
        self.due = event["due"]

    def table_paused(self, event: Json) -> None:
        self.paused_at = event["at"]

    pause_began = table_paused
    store_restored = table_paused

    def table_resumed(self, event: Json) -> None:
        if event["due"] is not None:
            length = self.now - self.paused_at
            self.expect("moved", holds=event["due"] == self.due + length)
            self.since, self.due = event["since"], event["due"]

    def turn_began(self, event: Json) -> None:
        self.turn = event["turn"]

    def situation_set(self, event: Json) -> None:
        self.turn = event.get("turn", 0)

    def seat_timed_out(self, event: Json) -> None:
        seat, turn = event["seat"], max(1, self.turn)
        self.expect(
            "timed out", holds=self.command["type"] == "time-out" and seat not in self.absent
        )
        counted = self.strikes[self.wait]
        if counted == "wait" or (counted == "turn" and self.missed.get(seat) != turn):
            self.struck[seat] += 1
        self.missed[seat] = turn
        self.expect("strikes", holds=event["strikes"] == self.struck[seat])

    def seat_went_absent(self, event: Json) -> None:
        self.expect("absent", holds=self.struck[event["seat"]] >= self.absent_after)
        self.absent.add(event["seat"])

    def seat_returned(self, event: Json) -> None:
        self.struck[event["seat"]] = 0
        self.absent.discard(event["seat"])

    def seat_resigned(self, event: Json) -> None:
        self.resigned.add(event["seat"])
