"""What axe-core says of a page (the copy that comes with axe-playwright-python)."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from playwright.sync_api import Page

_SCRIPT: Final = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
_DRAW_ALL: Final = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`.log-part > li { content-visibility: visible !important }
        *, *::before, *::after { transition: none !important }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
_RUN: Final = """async (within) => {
    const { violations } = await axe.run(within ?? document, {
        resultTypes: ["violations"],
        elementRef: true,
        rules: { "label-content-name-mismatch": { enabled: true } },
    });
    const isDrawn = (id, element) =>
        id === "label-content-name-mismatch" && element.closest(".b-board") !== null;
    return violations.flatMap(({ id, impact, nodes }) =>
        nodes.filter(({ element }) => !isDrawn(id, element))
            .map(({ html, failureSummary: why }) =>
                `${id} (${impact}): ${html.slice(0, 160)}: ${why}`));
}"""


def violations(page: Page, within: str | None = None) -> list[str]:
    """Every place at which the page breaks a rule of axe, whatever its impact; no rule is waived.

    One is asked besides the usual ones: that names hold what is written (WCAG 2.5.3). It reads a
    drawing's letters without their spaces, so ``tests.e2e.layout`` looks at the board instead.

    The script comes in by the debugger, which the page's content policy does not bind. Lines out
    of sight are not drawn, and keep colours of before; they are judged as they look in sight. So is
    what is still on its way from one colour to another, as it looks in the end.

    ``within`` is a selector of the part that is judged, where all others have been judged before.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_SCRIPT)
        page.evaluate(_DRAW_ALL)
    found: list[str] = page.evaluate(_RUN, within)
    return found
