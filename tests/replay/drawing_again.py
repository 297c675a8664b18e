"""Makes every draw of a record again, from the tables of ``docs/draws.md`` and no code of ours.

A record tells which game it is of, and ``GET /v1/rulebooks/{rulebook}`` what that is made of.
What the record has is folded as it stands, so that one fault is told once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tests.replay import auditor
from tests.replay.auditor import Json


class Redrawing:
    """The draws of one game: the ``labels`` that were drawn, and in ``faults`` what differs.

    A game has a method for each type of event that hangs on chance, or says what there is to draw.
    """

    def __init__(self, record: str, book: Json, misread: str = "") -> None:
        """``misread``: the beginning of labels that are read wrongly, as a fault is planted."""
        lines = [json.loads(text) for text in record.splitlines()]
        self.lines: list[Json] = [line for line in lines if "event" in line]
        self.events = [whole(line) for line in self.lines]
        self.opened, self.book, self.misread = self.events[0], book, misread
        self.mode: Json = next(m for m in book["modes"] if m["id"] == self.opened["mode"])
        self.situation: Json | None = self.opened.get("situation")
        key = bytes.fromhex(self.events[-1]["key"])
        self.seed = auditor.seed(key, auditor.entropies(self.events))
        self.labels: set[str] = set()
        self.faults: list[str] = []
        self.options: Json = {}
        self.command: Json = {}
        self.taking_over = False
        self.deck: list[str] = []
        self.shuffles = 0

    def run(self) -> Redrawing:
        """Go through all events; those that a branch takes over are only folded."""
        laid = self.opened.get("laid", [])
        begun = 1 + next(i for i, e in enumerate(self.events) if e["type"] == "table-started")
        if [*laid] != self.events[begun : begun + len(laid)]:
            self.faults.append(f"version {begun + 1}: not what the branch takes over")
        for i, (line, event) in enumerate(zip(self.lines, self.events, strict=True)):
            self.taking_over = begun <= i < begun + len(laid)
            self.command = whole(line, "command") or self.command
            self.version = line["v"]
            getattr(self, event["type"].replace("-", "_"), lambda _: None)(event)
        return self

    def expect(self, label: str, drawn: object, recorded: object) -> None:
        if drawn != recorded and not self.taking_over:
            self.faults.append(f"version {self.version}: {label} is {drawn}, not {recorded}")

    def shuffled(self, label: str, items: Iterable[Any]) -> list[Any]:
        return auditor.shuffled(self.seed, self._read(label), [*items])

    def choice(self, label: str, items: Sequence[Any]) -> Any:
        return auditor.choice(self.seed, self._read(label), items)

    def _read(self, label: str) -> str:
        if not self.taking_over:
            self.labels.add(label)
        return f"{label}?" if self.misread and re.fullmatch(self.misread, label) else label

    def top_card(self, card: str) -> None:
        """A card was drawn from the deck, so it was the one on top."""
        self.expect("the card on top", self.deck[:1], [card])
        del self.deck[:1]


def whole(line: Json, path: str = "event") -> Json:
    """An event, or the command of a batch, with its secret fields."""
    part: Json = line["event"] if path == "event" else line.get("batch", {}).get("command", {})
    opened = {
        name.removeprefix(f"{path}."): opening["value"]
        for name, opening in line.get("opened", {}).items()
        if name.startswith(f"{path}.")
    }
    return {**part, **opened}


CELLS: Final = [(row, column) for row in range(5) for column in range(5)]

APART: Final[Mapping[str, Sequence[str]]] = {
    "prototype": ("room25",),
    "first_edition": ("room25", "vision"),
    "bga": ("room25", "key", "moving", "vision", "robot"),
    "ultimate": ("room25", "key", "moving", "vision", "robot"),
}
"""The rooms that lie in the corners only, by rulebook."""


class Room25(Redrawing):
    """The draws of Room 25 in its four rulebooks."""

    def __init__(self, record: str, book: Json, misread: str = "") -> None:
        super().__init__(record, book, misread)
        self.turn = 0
        self.rooms: Json = {}
        self.tiles: list[str] = []
        self.tokens: dict[str, list[str]] = {}
        self.entries: dict[str, int] = {}
        self.done: list[str] = []
        self.staying: list[str] = []
        given: Json = (self.situation or {}).get("characters", {})
        self.stacks = {name: c["stack"] for name, c in given.items() if c.get("stack")}
        self.next_stacks = {
            name: c["next_stack"] for name, c in given.items() if c.get("next_stack")
        }

    def game_began(self, event: Json) -> None:
        self.options, self.rooms = event["options"], event["composition"]
        self.tokens = {figure["id"]: [*figure["tokens"]] for figure in event["figures"]}
        if self.situation is None:
            seats = {figure["id"]: figure["seat"] for figure in event["figures"]}
            drawn = self.choice("first-player", sorted({*seats.values()}))
            self.expect("first-player", drawn, seats[event["order"][0]])
            self._compose(event["composition"])

    def _compose(self, recorded: Json) -> None:
        named = (c for c in self.book["compositions"] if c["id"] == self.options["composition"])
        chosen: Json = next(named, {"fill": {}})
        if not chosen["fill"]:
            return
        drawn = dict(chosen["rooms"])
        for color, count in chosen["fill"].items():
            pool = [
                room["id"]
                for room in sorted(self.book["rooms"], key=lambda room: str(room["id"]))
                if room["color"] == color
                if room["id"] not in {*chosen["rooms"], *chosen["never"]}
                for _ in range(room["copies"] - (3 if room["id"] == "empty" else 0))
            ]
            for kind in self.shuffled(f"composition/{color}", pool)[:count]:
                drawn[kind] = drawn.get(kind, 0) + 1
        self.expect("composition/<>", drawn, recorded)

    def complex_laid(self, event: Json) -> None:
        if self.situation is not None:
            return
        outside = APART[self.opened["rulebook"]]
        apart = [kind for kind in outside for _ in range(self.rooms.get(kind, 0))]
        others = [
            kind
            for kind, count in sorted(self.rooms.items())
            if kind not in {"central", *outside}
            for _ in range(count)
        ]
        inner = self.shuffled("complex/inner", others)
        outer = iter(self.shuffled("complex/outer", [*inner[12:], *apart]))
        near = iter(inner[:12])
        far = [abs(row - 2) + abs(column - 2) for row, column in CELLS]
        drawn = [next(near if d <= 2 else outer) if d else "central" for d in far]
        self.expect("complex/inner", drawn, event["kinds"])

    def role_dealt(self, event: Json) -> None:
        if self.situation is not None:
            return
        if not self.tiles:
            self.tiles = self._roles()
        self.expect("roles", self.tiles.pop(), event["role"])

    def _roles(self) -> list[str]:
        seats = str(self.opened["seats"])
        counts = [self.mode["roles"][seats], self.mode["other_roles"].get(seats)]
        asked = self.options.get("guards")
        prisoners, guards = next(c for c in counts if c and asked in {None, c[1]})
        kinds = ["guard"] * guards
        if self.opened["rulebook"] == "prototype":
            identities = ["hacker", "brute", "architect", "killer", "traitor"]
            kinds = self.shuffled("guards", identities)[:guards]
        return self.shuffled("roles", ["prisoner"] * prisoners + kinds)

    def roles_left_over(self, event: Json) -> None:
        if self.situation is None:
            self.expect("roles", self.tiles, event["roles"])

    def situation_set(self, event: Json) -> None:
        self.turn, self.staying = event["turn"], [*event.get("shown", [])]
        for name, figure in event["figures"].items():
            self.entries[name] = figure.get("entry", 0)
            self.tokens[name] = [
                token for token in self.tokens[name] if token not in figure.get("lost", [])
            ]

    def deck_shuffled(self, event: Json) -> None:
        self.shuffles += 1
        aside = event.get("discard", [])
        mad = self.options.get("madness") or self.options.get("madness_cards")
        box = [c["id"] for c in self.book["cards"] if mad or c["kind"] != "madness"]
        label = f"deck/{self.shuffles}"
        if self.shuffles > 1:
            drawn = self.shuffled(label, [card for card in self.done if card not in aside])
        elif self.situation is None:
            drawn = self.shuffled(label, box)
        else:
            on_top, label = self.situation.get("deck") or [], "deck/scenario"
            named = {*on_top, *aside, *self.situation.get("shown", [])}
            rest = [card for card in box if card not in named]
            below = self.shuffled(label, rest) if self.situation.get("deck_rest", True) else []
            drawn = [*on_top, *below]
        self.expect(label, drawn, event["cards"])
        self.deck, self.done = [*event["cards"]], [*aside]

    def card_drawn(self, event: Json) -> None:
        self.top_card(event["card"])
        (self.staying if event.get("stays") else self.done).append(event["card"])

    def turn_began(self, event: Json) -> None:
        self.turn = event["turn"]
        self.done, self.staying = [*self.done, *self.staying], []

    def character_moved(self, event: Json) -> None:
        self.entries[event["character"]] = event["entry"]

    character_returned = character_moved

    def action_penalised(self, event: Json) -> None:
        self.tokens[event["character"]].remove(event["token"])

    def paranoia_began(self, event: Json) -> None:
        name = event["character"]
        label = f"paranoia/{name}/t{self.turn}/e{self.entries[name]}"
        if name in self.stacks:
            label, drawn = "the stack of the situation", self.stacks.pop(name)
        elif name in self.next_stacks:
            drawn = [token for token in self.next_stacks[name] if token in self.tokens[name]]
        else:
            drawn = self.shuffled(label, self.tokens[name])
        self.expect(label, drawn, event["stack"])


class Cerveauuu(Redrawing):
    """The draws of Cerveauuu!."""

    def __init__(self, record: str, book: Json, misread: str = "") -> None:
        super().__init__(record, book, misread)
        self.hands: dict[int, dict[int, str]] = {}
        self.inside: list[str] = []
        self.border: list[str] = []
        self.taken: set[str] = set()
        self.scattered: list[str] = []
        self.returned = ""
        self.played: Json = {}

    def game_began(self, event: Json) -> None:
        self.options = event["options"]
        if self.situation is not None:
            return
        found = next(m for m in self.book["maps"] if m["id"] == event["map"])
        text, rows, columns = found["text"].split("\n"), found["height"], found["width"]
        for row in range(rows):
            for column in range(columns):
                edge = row in {0, rows - 1} or column in {0, columns - 1}
                if text[2 * row + 1][2 * column + 1] != "#":
                    (self.border if edge else self.inside).append(f"r{row}c{column}")
        if not self.options["first_chief"]:
            seats = sorted(int(seat) for seat in event["colours"])
            self.expect("first-chief", self.choice("first-chief", seats), event["chief"])

    def deck_shuffled(self, event: Json) -> None:
        cards = [card["id"] for card in self.book["cards"]]
        label = f"deck/{self.shuffles}"
        if self.shuffles:
            drawn = self.shuffled(label, [*self.deck, self.returned])
        elif self.situation is not None:
            on_top, named = self._named(self.situation)
            drawn = [*on_top, *self.shuffled(label, (c for c in cards if c not in named))]
        elif self.options["credits"] == "spread":
            drawn = self._spread()
        else:
            drawn = self.shuffled(label, cards)
        self.expect(label, drawn, event["cards"])
        self.deck = [*event["cards"]]
        self.shuffles += 1

    def _named(self, situation: Json) -> tuple[list[str], set[str]]:
        held = [*situation.get("hands", {}).values(), *situation.get("piles", {}).values()]
        weather = situation.get("weather") or {}
        on_top = situation.get("deck", [])
        named = {card for cards in held for card in cards} | {*on_top, weather.get("card", "")}
        return on_top, named | {*situation.get("credits", [])}

    def _spread(self) -> list[str]:
        ends = [c["id"] for c in self.book["cards"] if c["type"] == "end_credits"]
        others = [c["id"] for c in self.book["cards"] if c["type"] != "end_credits"]
        eighth, others = len(others) // 8, self.shuffled("deck/others", others)
        deck: list[str] = []
        for part, end in enumerate(self.shuffled("deck/credits", ends)):
            size = eighth + part % 2
            deck += self.shuffled(f"deck/part-{part}", [*others[:size], end])
            others = others[size:]
        return deck

    def credits_returned(self, event: Json) -> None:
        self.returned = event["card"]

    def hand_dealt(self, event: Json) -> None:
        self.hands[event["seat"]] = dict(zip(event["numbers"], event["cards"], strict=True))

    def card_drawn(self, event: Json) -> None:
        self.top_card(event.get("credits") or event["card"])
        if not event.get("credits"):
            self.hands.setdefault(event["seat"], {})[event["number"]] = event["card"]

    def card_played(self, event: Json) -> None:
        self.played = event
        self.card_swapped(event)

    def card_swapped(self, event: Json) -> None:
        del self.hands[event["seat"]][event["number"]]

    def discards_judged(self, event: Json) -> None:
        for seat, cards in event["cards"].items():
            for number in cards:
                del self.hands[int(seat)][int(number)]

    def cards_dropped(self, event: Json) -> None:
        seat, numbers = event["seat"], sorted(int(number) for number in event["cards"])
        card = self.played["card"]
        text = next(c["effect"] for c in self.book["cards"] if c["id"] == card)
        if "of your choice" not in text:
            label = f"{card}/drop/{seat}"
            drawn = self.shuffled(label, sorted(self.hands[seat]))[: len(numbers)]
            self.expect(label, sorted(drawn), numbers)
        for number in numbers:
            del self.hands[seat][number]

    def card_taken(self, event: Json) -> None:
        hand, label = self.hands[event["seat"]], f"{self.played['card']}/take"
        self.expect(label, self.choice(label, sorted(hand)), event["number"])
        self.hands.setdefault(event["taker"], {})[event["taker_number"]] = hand.pop(event["number"])

    def piece_appeared(self, event: Json) -> None:
        piece, cell = event["piece"], event["cell"]
        if self.situation is None and event.get("cause", "placed") == "placed":
            chosen = self.command.get("option") if self.command["type"] == "choose" else None
            if piece[0] == "h" and self.options["placement"] == "random":
                self.scattered = self.scattered or self.shuffled("humans", self.inside)
                self.expect("humans", self.scattered.pop(0), cell)
            elif chosen in {None, "random"}:
                places = self.border if piece[0] == "z" else self.inside
                free = [place for place in places if place not in self.taken]
                label = f"placing/{piece}"
                self.expect(label, self.choice(label, free), cell)
        self.taken.add(cell)


GAMES: Final[Mapping[str, type[Redrawing]]] = {"room25": Room25, "cerveauuu": Cerveauuu}
