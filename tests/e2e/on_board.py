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

NOWHERE: Final = frozenset({"credits_draw", "resign", "return", "reveal_guard", "yield"})
"""The kinds of what one may always do that are about nobody and nothing on the board.

They lie folded in the panel, and are answered there alone (decision 42).
"""

FORMS: Final = frozenset({"program"})
"""The kinds whose board has what a form is made of: cards go into the slots below a figure."""

PLACES: Final = """
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
        answer: (id) => all(`.stage #${CSS.escape(id)}`),
    };
    // A finger's breadth off the middle counts, too: who stands there has a place of its own.
    const meets = (node) => {
        node.scrollIntoView({ block: "nearest" });
        const { left, right, top, bottom } = node.getBoundingClientRect();
        const parts = [0.5, 0.2, 0.8].flatMap((x) => [0.5, 0.2, 0.8].map((y) => [x, y]));
        return parts.map(([x, y]) => [left + x * (right - left), top + y * (bottom - top)])
            .find((point) => node.contains(document.elementFromPoint(...point))) ?? null;
    };
    const keyed = (node) => node.tabIndex >= 0 || node.hasAttribute("tabindex");
"""
"""For scripts that have a ``choose``: where things lie, and where a pointer meets them."""

_MET: Final = f"""([wanted, choose]) => {{
    {PLACES}
    const flaws = [];
    for (const [kind, id] of wanted) {{
        const nodes = found[kind](id);
        const here = `${{kind}} ${{id}}`;
        if (nodes.length === 0) {{
            flaws.push(`${{here}} cannot be chosen on the board`);
        }} else if (!nodes.some(meets)) {{
            flaws.push(`${{here}} cannot be met by a pointer`);
        }} else if (!nodes.some(keyed)) {{
            flaws.push(`${{here}} cannot be reached by keys`);
        }}
    }}
    return flaws;
}}"""

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


def targets(game: str, option: Json) -> list[Target]:
    """What an option is about that lies on the table."""
    if game == "room25":
        return list(_of_meaning(option.get("meaning") or {}))
    return list(_of_id(option["id"]))


def button(decision: Json, option: Json) -> Target:
    """The button over the board of an option that is about nothing there."""
    return "answer", f"answer-{decision['id']}-{option['id']}"


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
        if decision["kind"] not in NOWHERE | FORMS:
            for option in decision["options"]:
                wanted |= set(targets(game, option) or [button(decision, option)])
        found += _untold(page, decision)
    met: list[str] = page.evaluate(_MET, [sorted(wanted), choose_in(language)])
    return found + met


def choose_in(language: str) -> str:
    """How what can be chosen on the board begins to be called."""
    choose = str(json.loads((WORDS / language / "board.json").read_bytes())["board.choose"])
    return choose.partition("{")[0]


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
