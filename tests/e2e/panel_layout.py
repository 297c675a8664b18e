"""What of a decision is cut, covered or too low to be pressed, and what is drawn off the board."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

from tests.e2e.layout import BARE, OVERLAP

_CROWDED: Final = (
    f"() => {{{BARE}{OVERLAP}"
    """
    const found = [];
    const panel = document.querySelector(".watch-rest");
    const box = (node) => node.getBoundingClientRect();
    const told = (node) => `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""} (${
        node.textContent.trim().slice(0, 40)})`;
    const shown = (node) => box(node).width > 1 && box(node).height > 1
        && node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const spared = "svg, option, .b-unseen, .unseen, .log-lines, .legend ul";
    const all = [...panel.querySelectorAll("*")].filter((node) => !node.closest(spared));
    const controls = "button, select, input, summary, a, label:has(input)";
    const things = all.filter((node) => shown(node) && (node.matches(controls) || bare(node)));
    // Of a text each line by itself: one box would hold what runs on beside it as well.
    const marks = (node) => {
        if (node.matches(controls)) {
            return [box(node)];
        }
        const range = document.createRange();
        const texts = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
        return texts.flatMap((text) => {
            range.selectNodeContents(text);
            return [...range.getClientRects()];
        });
    };
    const over = (one, other) => marks(one).some((a) => marks(other).some((b) =>
        Math.min(...Object.values(overlap(a, b))) > 1));
    const meet = (a, b) => a.left < b.right && b.left < a.right
        && a.top < b.bottom && b.top < a.bottom;
    const scroller = (node) => node.closest(".p-hand-in, .now, .log, .watch-scroll");
    const boxes = things.map(box);
    const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).flatMap((b, j) =>
        (meet(a, b) ? [[things[i], things[i + 1 + j]]] : [])));
    for (const [one, other] of pairs) {
        const apart = scroller(one) !== scroller(other)
            || one.contains(other) || other.contains(one)
            || (one.closest("label") ?? one) === other.closest("label");
        if (!apart && over(one, other)) {
            found.push(`${told(one)} lies over ${told(other)}`);
        }
    }
    for (const node of things) {
        const style = getComputedStyle(node);
        const runs = node.scrollHeight > node.clientHeight + 2
            && !/auto|scroll/.test(style.overflowY);
        const field = node.matches("input, select");
        if (!field && style.display !== "inline" && runs && node.clientHeight > 0) {
            found.push(`cut at ${node.clientHeight} of ${node.scrollHeight}: ${told(node)}`);
        }
        const { height } = box(node.closest("label") ?? node);
        const pressed = node.closest(".p-panel") && node.matches("button, summary, label");
        if (pressed && height < 43.9) {
            found.push(`only ${height} high: ${told(node)}`);
        }
    }
    return found;
}"""
)

_ASTRAY: Final = (
    f"() => {{{OVERLAP}"
    """
    const found = [];
    const board = document.querySelector(".stage > svg");
    const outer = board.getBoundingClientRect();
    const told = (node) => `${node.tagName}.${node.getAttribute("class") ?? ""} (${
        node.textContent.trim().slice(0, 40)})`;
    const visible = { visibilityProperty: true, opacityProperty: true };
    const drawn = [...board.querySelectorAll("text, [data-figure], .b-ghost, [data-cell]")]
        // Of a text in a drawing's hidden part Chromium says that it is visible; it has no size.
        .filter((node) => node.checkVisibility(visible) && node.getBoundingClientRect().width > 0);
    for (const node of drawn) {
        const { left, right, top, bottom, height } = node.getBoundingClientRect();
        // A line of text is higher than its letters and digits.
        const spare = 1 + (node.matches("text") ? 0.2 * height : 0);
        if (left < outer.left - 1 || right > outer.right + 1
            || top < outer.top - spare || bottom > outer.bottom + spare) {
            found.push(`off the board: ${told(node)}`);
        }
    }
    const texts = drawn.filter((node) => node.matches("text") && node.textContent.trim() !== "");
    const boxes = texts.map((node) => node.getBoundingClientRect());
    for (const [i, a] of boxes.entries()) {
        for (const [j, b] of boxes.entries()) {
            const { across, down } = overlap(a, b);
            if (i < j && across > 2 && down > 0.4 * Math.min(a.height, b.height)) {
                found.push(`on the board ${told(texts[i])} lies over ${told(texts[j])}`);
            }
        }
    }
    return found;
}"""
)


def crowded(page: Page) -> list[str]:
    """What beside the board lies over something else, is cut, or is too low to be pressed.

    What scrolls counts as a whole, in sight or not; what sticks may lie over what scrolls below it.
    """
    found: list[str] = page.evaluate(_CROWDED)
    return found


def astray(page: Page) -> list[str]:
    """What is drawn off the board, and which of its texts lie over each other."""
    found: list[str] = page.evaluate(_ASTRAY)
    return found


_OUT_OF_SIGHT: Final = """(what) => [...document.querySelectorAll(what)].filter((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const there = [top + 4, bottom - 4].map((y) =>
        document.elementFromPoint((left + right) / 2, y));
    return there.some((each) => each === null || !node.contains(each));
}).map((node) => `out of sight: ${node.textContent.trim()}, at ${node.getBoundingClientRect().top}`)
"""


def out_of_sight(page: Page, what: str) -> list[str]:
    """Which elements of a selector have to be scrolled to, at least in part."""
    found: list[str] = page.evaluate(_OUT_OF_SIGHT, what)
    return found


_BROKEN: Final = """(what) => [...document.querySelectorAll(what)].flatMap((node) => {
    const range = document.createRange();
    const texts = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
    return texts.flatMap((text) => [...text.data.matchAll(/\\S+/g)].filter((word) => {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map(([word]) => `broken: ${word}`));
})"""


def broken_words(page: Page, what: str) -> list[str]:
    """Which words of the elements of a selector stand in two lines."""
    found: list[str] = page.evaluate(_BROKEN, what)
    return found
