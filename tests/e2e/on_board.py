"""Whether what a decision offers can be met where it is: on the board, in the hand, in the list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from tests.e2e.clients import Json

WORDS: Final = Path(__file__).parents[2] / "web" / "words"

NOWHERE: Final[Mapping[str, frozenset[str] | None]] = {
    "adrenaline_action": None,
    "android": None,
    "card_android": None,
    "consent": None,
    "credits_draw": None,
    "delay_single": None,
    "free_action": None,
    "go": frozenset({"down"}),
    "killer_step": frozenset({"stop"}),
    "place_human": frozenset({"random"}),
    "place_zombie": frozenset({"random"}),
    "program": None,  # its cards go into the slots below its figure
    "replan": frozenset({"keep", "end"}),
    "resign": None,
    "respond": frozenset({"pass", "play"}),
    "return": None,
    "reveal_guard": None,
    "summon_refuse": None,
    "support": frozenset({"none"}),
    "traitor_change": None,
    "wander_batch": frozenset({"stay"}),
    "wander_turn": frozenset({"pass"}),
    "yield": None,
}
"""What is about nothing that lies on the table, by kind: some options, or (None) all of them.

Yes and no, passing, an action or an order: these are buttons beside the board (decision 42).
"""

_MET: Final = """([wanted, choose]) => {
    const one = (css) => document.querySelector(css);
    const all = (css) => [...document.querySelectorAll(css)];
    const marked = (css) => all(css).filter((each) => each.matches(".b-choosable"));
    const called = (css) => all(css).filter((each) => each.getAttribute("role") === "button"
        && each.getAttribute("aria-label")?.startsWith(choose));
    const standing = (piece) => {
        const box = one(`[data-piece="${piece}"]`)?.getBoundingClientRect();
        return box ? all("[data-cell]").filter((each) => {
            const cell = each.getBoundingClientRect();
            const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
            return x > cell.left && x < cell.right && y > cell.top && y < cell.bottom;
        }).map((each) => `[data-cell="${each.dataset.cell}"]`) : [];
    };
    const town = one(".cv-board") !== null;
    const found = {
        cell: (id) => town ? called(`[data-cell="${id}"]`) : marked(`.b-tile[data-cell="${id}"]`),
        line: (id) => marked(`.b-arrow[data-about="${id}"]`),
        figure: (id) => marked(`.b-figure[data-figure="${id}"]`),
        robot: (id) => marked(`.b-figure[data-robot="${id}"]`),
        piece: (id) => standing(id).flatMap(called),
        edge: (id) => called(`[data-edge="${id}"]`),
        building: () => called("[data-cell]"),
        card: (number) => all(`.cv-hand li:nth-child(${number}).cv-choosable > button`),
    };
    // A finger's breadth off the middle counts, too: who stands there has a place of its own.
    const hit = (node) => {
        node.scrollIntoView({ block: "nearest" });
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return [0.5, 0.2, 0.8].some((x) => [0.5, 0.2, 0.8].some((y) => node.contains(
            document.elementFromPoint(left + x * (right - left), top + y * (bottom - top)))));
    };
    const flaws = [];
    for (const [kind, id] of wanted) {
        const nodes = found[kind](id);
        const here = `${kind} ${id}`;
        if (nodes.length === 0) {
            flaws.push(`${here} cannot be chosen on the board`);
        } else if (!nodes.some(hit)) {
            flaws.push(`${here} cannot be met by a pointer`);
        } else if (!nodes.some((each) => each.tabIndex >= 0 || each.hasAttribute("tabindex"))) {
            flaws.push(`${here} cannot be reached by keys`);
        }
    }
    return flaws;
}"""

Target = tuple[str, str]


def _of_meaning(meaning: Json) -> Iterator[Target]:
    """What an option of Room 25 is about."""
    for name in ("cell", "move", "hide", "first", "second", "character", "push"):
        if value := meaning.get(name):
            yield "cell" if re.fullmatch(r"r\dc\d", str(value)) else "figure", str(value)
    if line := meaning.get("line"):
        yield "line", f"{line}:{meaning['way']}"
    if robot := meaning.get("robot"):
        yield "robot", str(robot)


_PARTS: Final[Mapping[str, str]] = {
    "piece": r"(?:attack-)?([hz]\d+)",
    "cell": r"(r\d+c\d+)",
    "edge": r"(r\d+c\d+[es])",
    "card": r"k(\d+)",
    "building": r"([a-z])",
}


def _of_id(option: str) -> Iterator[Target]:
    """What an option of Cerveauuu! is about, by the form of its id."""
    members = re.sub(r"^attack-", "", option.rsplit(".", 1)[-1]).split("-")
    for member in members:
        for kind, form in _PARTS.items():
            if met := re.fullmatch(form, member):
                yield kind, met[1]


def _targets(game: str, option: Json) -> list[Target]:
    if game == "room25":
        return list(_of_meaning(option.get("meaning") or {}))
    return list(_of_id(option["id"]))


def unmet(page: Page, game: str, decisions: Sequence[Json], language: str) -> list[str]:
    """What of these decisions cannot be met on the board or by a screen reader, though it ought.

    Args:
        page: shows them.
        game: of the registry.
        decisions: as the service lists them; the board has the options of all of them.
        language: of the page.
    """
    found: list[str] = []
    wanted: set[Target] = set()
    for decision in decisions:
        kind = decision["kind"]
        spared = NOWHERE.get(kind, frozenset())
        for option in decision["options"]:
            targets = _targets(game, option)
            wanted |= set(targets)
            if (spared is None or option["id"] in spared) == bool(targets) and kind != "program":
                found.append(f"{kind} {option['id']} has {len(targets)} places")
        found += _untold(page, decision)
    choose = str(json.loads((WORDS / language / "board.json").read_bytes())["board.choose"])
    met: list[str] = page.evaluate(_MET, [sorted(wanted), choose.partition("{")[0]])
    return found + met


def _untold(page: Page, decision: Json) -> list[str]:
    """The options in the list that a screen reader's tree has not."""
    card = page.locator(f"[data-decision='{decision['id']}']").first
    texts: list[str] = card.locator("button[data-option]:visible").all_inner_texts()
    tree = _plain(card.aria_snapshot())
    # What is written in short has a longer name beside it, of which a reader is told one.
    told = (text for text in texts if not any(_plain(line) in tree for line in text.splitlines()))
    return [f"no reader is told of {each}" for each in told]


def _plain(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()
