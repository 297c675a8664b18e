"""What of a page is cut off, covered or called otherwise, and how a table shares the screen."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from playwright.sync_api import Page

from tests.e2e.windows import PATIENCE_MS

BARE: Final = """
    const bare = (node) => [...node.childNodes].some((child) =>
        child.nodeType === Node.TEXT_NODE && child.data.trim() !== "");
"""
"""For scripts: whether an element has a text of its own, and not only in others."""

OVERLAP: Final = """
    const overlap = (one, other) => ({
        across: Math.min(one.right, other.right) - Math.max(one.left, other.left),
        down: Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
    });
"""
"""For scripts: how many pixels of two boxes lie over each other each way; below 0: between them."""

_FLAWS: Final = (
    f"() => {{{BARE}"
    """
    const found = [];
    const wide = document.documentElement;
    const width = wide.clientWidth;
    if (wide.scrollWidth > width) {
        found.push(`the page is ${wide.scrollWidth} wide, and the screen ${width}`);
    }
    const told = (node) => {
        const text = (node.textContent ?? "").trim().slice(0, 50);
        return `${node.tagName} ${node.getAttribute("class") ?? ""}: ${text}`;
    };
    // The head shortens a long name of one's own; a field for copying, and what one types, scroll.
    const spared = ".b-unseen, .unseen, .skip, .who, input, textarea, select, option";
    // What nothing can be wrong with is told by its box alone, which takes the least time.
    const seen = (node, { width: w, height: h }) => w > 1 && h > 1
        && node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        && !node.closest(spared);
    const scrolls = (node, way) => /auto|scroll/.test(getComputedStyle(node)[`overflow${way}`]);
    const inside = (node) => node.parentElement && (scrolls(node.parentElement, "X")
        || inside(node.parentElement));
    const clips = (node) => {
        const style = getComputedStyle(node);
        return style.display !== "inline" && !scrolls(node, "X")
            && (/hidden|clip/.test(style.overflowX) || bare(node));
    };
    for (const node of document.querySelectorAll("body *")) {
        const box = node.getBoundingClientRect();
        const out = box.left < -1 || box.right > width + 1;
        const more = node instanceof HTMLElement && node.scrollWidth > node.clientWidth + 1;
        if (!(out || more) || !seen(node, box)) {
            continue;
        }
        if (out && !inside(node)) {
            found.push(`sticks out: ${told(node)}`);
        }
        if (more && clips(node)) {
            found.push(`cut at ${node.clientWidth} of ${node.scrollWidth}: ${told(node)}`);
        }
    }
    return found;
}"""
)

_COVERED: Final = (
    f"(within) => {{{BARE}"
    """
    const found = [];
    const all = [...document.querySelectorAll(`${within} *`)];
    for (const node of all) {
        const control = node.matches("button, select, input, summary, a");
        if (!(control || bare(node)) || !node.checkVisibility({ visibilityProperty: true })
            || node.closest("svg, option, .b-unseen, .unseen")) {
            continue;
        }
        const { left, right, top, bottom } = node.getBoundingClientRect();
        for (const x of [left + 2, (left + right) / 2, right - 2]) {
            const y = (top + bottom) / 2;
            const there = document.elementFromPoint(x, y);
            if (there && !there.contains(node) && !node.contains(there)
                && !node.closest("label")?.contains(there)) {
                found.push(`${node.className || node.tagName} (${node.textContent.trim()
                    .slice(0, 30)}) lies under ${there.className?.baseVal ?? there.className}`);
            }
        }
    }
    return found;
}"""
)

_MISNAMED: Final = """() => {
    const plain = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}?]+/gu, "");
    const controls = "a[href], button, select, input, textarea, summary, [role=button]";
    const found = [];
    for (const node of document.querySelectorAll(controls)) {
        const name = node.getAttribute("aria-label");
        if (name === null || !node.checkVisibility()) {
            continue;
        }
        const field = node.matches("select, input, textarea");
        const written = node instanceof SVGElement
            ? [...node.querySelectorAll(".b-name")].map((each) => each.textContent).join(" ")
            : field ? (node.labels[0]?.innerText ?? "") : node.innerText;
        if (!plain(name).includes(plain(written))) {
            found.push(`${plain(written)}, but called ${plain(name)}`);
        }
    }
    return found;
}"""


_SHARES: Final = (
    f"(least) => {{{OVERLAP}"
    """
    const found = [];
    const box = (node) => node.getBoundingClientRect();
    const drawing = document.querySelector(".stage > svg");
    const { width, height } = drawing.viewBox.baseVal;
    const scale = Math.min(box(drawing).width / width, box(drawing).height / height);
    const share = (100 * width * height * scale * scale) / (innerWidth * innerHeight);
    if (share < least) {
        found.push(`the board has ${share.toFixed(1)} % of the screen, not ${least}`);
    }
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement;
    if (scrollHeight > clientHeight || scrollWidth > clientWidth) {
        found.push(`the page scrolls: ${scrollWidth} by ${scrollHeight}`);
    }
    for (const text of drawing.querySelectorAll("text")) {
        const { a, b } = text.getScreenCTM();
        const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
        if (text.checkVisibility() && size < 10.99) {
            found.push(`${text.textContent} is written in ${size.toFixed(1)} px`);
        }
    }
    const lines = document.querySelector(".log-lines");
    const over = box(lines).bottom - box(lines.parentElement).bottom;
    if (lines.checkVisibility({ visibilityProperty: true }) && over > 1) {
        found.push(`the lines of the log stick out of it by ${over.toFixed(0)} px`);
    }
    const parts = [".bar", ".watch-names", ".watch-tools > summary", ".stage", ".now",
        ".watch-scroll", ".log", ".watch-bar"]
        .map((name) => [name, document.querySelector(name)])
        .filter(([, node]) => node.checkVisibility({ visibilityProperty: true }))
        .map(([name, node]) => [name, box(node)]);
    for (const [i, [name, one]] of parts.entries()) {
        if (one.top < -1 || one.left < -1 || one.bottom > innerHeight + 1
            || one.right > innerWidth + 1) {
            found.push(`${name} is not all in sight`);
        }
        for (const [other, two] of parts.slice(i + 1)) {
            const { across, down } = overlap(one, two);
            if (across > 3 && down > 1) {
                found.push(`${name} and ${other} overlap by ${across} by ${down}`);
            }
        }
    }
    for (const line of document.querySelectorAll(".watch-head, .now")) {
        const outer = box(line);
        for (const node of line.querySelectorAll("h1, p, button, summary, .b-clock-text")) {
            const inner = box(node);
            const seen = node.checkVisibility({ visibilityProperty: true }) && inner.height > 1;
            if (seen && (inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1)) {
                found.push(`cut off: ${node.textContent}`);
            }
        }
    }
    return found;
}"""
)

_IN_VIEW: Final = """(whole) => {
    const found = [];
    const middle = (node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return [(left + right) / 2, (top + bottom) / 2];
    };
    const at = (node) => document.elementFromPoint(...middle(node));
    const met = (node) => {
        const there = at(node);
        return there !== null && (node.contains(there) || there.contains(node));
    };
    const where = (node) => {
        const there = at(node);
        return `at ${middle(node)} there is ${there?.className.baseVal ?? there?.className}`;
    };
    const card = document.querySelector("section[data-decision]:not(.p-answered)");
    const asked = document.querySelector(".now-who");
    const question = card?.querySelector("h3");
    // What one card asks, the strip alone asks.
    const unseen = question?.parentElement.getBoundingClientRect().width <= 1
        && question.textContent === asked.textContent;
    const answer = card?.querySelector("[data-option], .p-card, .p-branch, [data-ask]");
    const named = { clock: document.querySelector(".b-clock-text"),
        "who is asked": asked, decision: unseen ? asked : question,
        ...(whole && { "first answer": answer }) };
    for (const hint of document.querySelectorAll(".lesson p")) {
        named[hint.textContent] = hint;
    }
    for (const [name, node] of Object.entries(named)) {
        if (!node || !met(node)) {
            found.push(`the ${name} is not in view; ${node ? where(node) : "it is nowhere"}`);
        }
    }
    return found;
}"""

_GROWN: Final = """() => {
    const board = document.querySelector(".stage > svg");
    const place = () => JSON.stringify(board.getBoundingClientRect());
    const before = place();
    const moved = [];
    for (const name of [".now-who", ".chapter", ".caption", ".banners", ".b-clock-text", ".where",
        ".b-people h2", ".p-note", ".log h2", ".watch-head h1"]) {
        for (const node of document.querySelectorAll(name)) {
            const text = document.createTextNode(" and so on and on".repeat(20));
            node.append(text);
            if (place() !== before) {
                moved.push(name);
            }
            text.remove();
        }
    }
    return moved;
}"""


NEXT_FRAME: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
"""For scripts: wait until a frame has been drawn."""


def lasting(page: Page, look: Callable[[], list[str]]) -> list[str]:
    """What is wrong with a page for good: what it draws later may be on its way still.

    It is looked at again after each frame, for as long as a page may take.
    """
    late = monotonic() + PATIENCE_MS / 1000
    while (found := look()) and monotonic() < late:
        page.evaluate(NEXT_FRAME)
    return found


def shares(page: Page, least: float) -> list[str]:
    """What is wrong with how a table shares the screen.

    Args:
        page: one that shows a table.
        least: how many per cent of the screen the drawing of the board must have.
    """
    found: list[str] = page.evaluate(_SHARES, least)
    return found


def in_view(page: Page, *, whole: bool) -> list[str]:
    """What of a decision, its hint, who is asked and the clock is not in view with the board.

    ``whole``: something to choose must be, too, and not the question only.
    """
    found: list[str] = page.evaluate(_IN_VIEW, whole)
    return found


def moves_the_board(page: Page) -> list[str]:
    """Which parts of the page move the board when their text grows."""
    found: list[str] = page.evaluate(_GROWN)
    return found


def flaws(page: Page) -> list[str]:
    """What sticks out of the screen, or is cut where nothing scrolls."""
    found: list[str] = page.evaluate(_FLAWS)
    return found


def covered(page: Page, within: str) -> list[str]:
    """Controls and texts inside a part of the page, all of it in sight, that lie under others."""
    found: list[str] = page.evaluate(_COVERED, within)
    return found


def misnamed(page: Page) -> list[str]:
    """Controls whose accessible name lacks what is written on them (WCAG 2.5.3)."""
    found: list[str] = page.evaluate(_MISNAMED)
    return found
