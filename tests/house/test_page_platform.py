"""The page uses what the browsers know that docs/look.md names, and says so in those that do not.

What scripts use is held by the tools of ``make web-check``. In a style sheet a browser passes over
a property that it does not know, and nothing else happens; but for an unknown selector it drops a
rule, for an unknown function a declaration. So these are listed: whoever adds one looks up since
when Chrome, Firefox and Safari have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from tests.house import tree

NOT_RULES: Final = re.compile(r"/\*.*?\*/|\"[^\"\n]*\"|'[^'\n]*'", re.DOTALL)
PARTS: Final = re.compile(r"([^{};]*)([{;}])")
AT_RULES: Final = frozenset({"container", "keyframes", "media", "page", "supports"})
PSEUDOS: Final = frozenset(
    {
        *("-webkit-details-marker", "active", "after", "backdrop", "before", "checked", "disabled"),
        *("empty", "first-child", "first-letter", "focus", "focus-visible", "focus-within", "has"),
        *("hover", "is", "last-child", "not", "nth-child", "root"),
    }
)
FUNCTIONS: Final = frozenset(
    {
        *("attr", "calc", "clamp", "color-mix", "env", "grayscale", "inset", "linear-gradient"),
        *("max", "min", "minmax", "repeat", "repeating-linear-gradient", "rgb", "rotateY", "scale"),
        *("translate", "translateX", "translateY", "var"),
    }
)
UNITS: Final = frozenset({"ch", "deg", "dvh", "em", "fr", "mm", "ms", "px", "rem", "s", "vh", "vw"})
PREFIXED: Final = ("user-select",)
"""Properties that Safari knows by ``-webkit-`` alone."""
KNOWN: Final = "(transition-behavior: allow-discrete) and selector(:dir(ltr))"
"""What the named versions, and none before them, know: it hides the notice for the others."""

SHEETS: Final = tuple(
    name for name in tree.tracked() if name.startswith("web/") and name.endswith(".css")
)


def unlisted(sheet: str) -> Iterator[str]:
    """The parts of a style sheet that are not listed above, and properties without a prefix."""
    for text, end in PARTS.findall(NOT_RULES.sub("", sheet)):
        part = text.strip()
        if part.startswith("@"):
            name = re.split(r"[^\w-]", part[1:], maxsplit=1)[0]
            if name not in AT_RULES:
                yield f"@{name}"
        elif end == "{":
            yield from (
                f":{name}" for name in re.findall(r":([\w-]+)", part) if name not in PSEUDOS
            )
        elif part:
            yield from unlisted_in(part)
    for name in PREFIXED:
        if len(re.findall(rf"(?<!-){name}:", sheet)) != sheet.count(f"-webkit-{name}:"):
            yield name


def unlisted_in(declaration: str) -> Iterator[str]:
    """The functions and units of a declaration that are not listed."""
    value = re.sub(r"#[\da-f]+\b|--[\w-]+", "", declaration.partition(":")[2])
    yield from (f"{name}()" for name in re.findall(r"([\w-]+)\(", value) if name not in FUNCTIONS)
    yield from (
        unit for unit in re.findall(r"(?<![\w-])-?[\d.]+([a-z]+)", value) if unit not in UNITS
    )


@pytest.mark.parametrize("name", SHEETS)
def test_styles_use_what_is_listed(name: str) -> None:
    assert list(unlisted(tree.read(name) or "")) == []


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("@starting-style {\n}\n", "@starting-style"),
        ("a:popover-open {\n  gap: 0;\n}\n", ":popover-open"),
        ("details::details-content {\n}\n", ":details-content"),
        ("a {\n  color: light-dark(#fff, #000);\n}\n", "light-dark()"),
        ("@media print {\n  a {\n    gap: 1rcap;\n  }\n}\n", "rcap"),
        ("a {\n  user-select: none;\n}\n", "user-select"),
    ],
)
def test_what_is_not_listed_is_found(planted: str, found: str) -> None:
    assert list(unlisted(planted)) == [found]
    sound = "a:not(.b:is(c)) > d::after {\n  gap: calc(1px + -0.5em);\n  color: #1a2b3c;\n}\n"
    assert list(unlisted(sound)) == []  # a control


def test_every_sheet_is_read() -> None:
    assert len(SHEETS) > 1
    assert {match for name in SHEETS for match in used(name)} >= AT_RULES | PSEUDOS


def used(name: str) -> Iterator[str]:
    """All words of a style sheet behind ``@`` and ``:``."""
    yield from re.findall(r"[@:]([\w-]+)", tree.read(name) or "")


def test_browsers_that_are_too_old_are_told() -> None:
    """They read it in the document, in each language, unless their style hides it."""
    index = tree.read("web/index.html") or ""
    notice = index.partition('<div class="too-old">')[2].partition("</div>")[0]
    assert len(re.findall(r"<p\b", notice)) == 3
    hidden = f"@supports {KNOWN} {{\n  .too-old {{\n    display: none;\n  }}\n}}\n"
    assert hidden in (tree.read("web/style/base.css") or "")
