"""What of a page sticks out, is cut off or covered, and which controls are called otherwise."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

_FLAWS: Final = """() => {
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
    const seen = [...document.querySelectorAll("body *")].filter((node) => {
        const { width: w, height: h } = node.getBoundingClientRect();
        const shown = node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        return w > 1 && h > 1 && shown && !node.closest(spared);
    });
    const bare = (node) => [...node.childNodes].some((child) =>
        child.nodeType === Node.TEXT_NODE && child.data.trim() !== "");
    const scrolls = (node, way) => /auto|scroll/.test(getComputedStyle(node)[`overflow${way}`]);
    const inside = (node) => node.parentElement && (scrolls(node.parentElement, "X")
        || inside(node.parentElement));
    for (const node of seen) {
        const { left, right } = node.getBoundingClientRect();
        if ((left < -1 || right > width + 1) && !inside(node)) {
            found.push(`sticks out: ${told(node)}`);
        }
        const style = getComputedStyle(node);
        const clips = /hidden|clip/.test(style.overflowX) || bare(node);
        if (node instanceof HTMLElement && style.display !== "inline" && clips
            && node.scrollWidth > node.clientWidth + 1 && !scrolls(node, "X")) {
            found.push(`cut at ${node.clientWidth} of ${node.scrollWidth}: ${told(node)}`);
        }
    }
    return found;
}"""

_COVERED: Final = """(within) => {
    const found = [];
    const bare = (node) => [...node.childNodes].some((child) =>
        child.nodeType === Node.TEXT_NODE && child.data.trim() !== "");
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
