"""A page that is as small as can be, with every kind of file and of import."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "main.js": (
        'import { h } from "./dom.js";\n'
        "import {\n  left,\n  right as far,\n}\n"
        'from "./net/api.js";\n'
        'import "./start.js";\n'
        '// import { none } from "./not/there.js";\n'
        '/**\n * @param {import("./not/there.js").None} x from "./nowhere"\n */\n'
        'export const text = "import x from y";\n'
        'export const go = () => import("./later.js");\n'
    ),
    "later.js": (
        '/** @param {() => Promise<import("./not/there.js").None>} x */\n'
        'import { h } from "./dom.js";\n'
        'export const halma = () => import("./games/halma/game.js");\n'
    ),
    "games/halma/game.js": 'import { board } from "./board.js";\nexport const x = board;\n',
    "games/halma/board.js": 'import { h } from "../../dom.js";\nexport const board = h;\n',
    "games/halma/style.css": ".halma { color: red; }\n",
    "dom.js": 'export const h = "h";\n',
    "start.js": 'import * as all from "./dom.js";\nall.h;\n',
    "net/api.js": (
        'import { h } from "../dom.js";\n'
        'export { h as left } from "./deep/er.js";\n'
        'export * from "./deep/er.js";\n'
        'export * as names from "../dom.js";\n'
        "export { h };\n"
    ),
    "net/deep/er.js": (
        'import { h } from "../../dom.js";\nexport { h };\nexport const right = () => h;\n'
    ),
    "words/en/common.json": '{"common.title": "Room 25"}',
    "words/en/watch.json": "{}",
    "games/halma/words/en.json": '{"halma/name.game": "Halma"}',
    "words/fr/common.json": '{"common.title": "La pièce 25"}',
    "unused.js": 'import { x } from "./missing.js";\n',
    "style/base.css": "a::after { content: url(data:image/png;base64,AA); fill: url(#x); }\n",
    "icon.svg": "<svg/>",
}
INDEX = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Room &amp; 25 &#233;</title>
    <link rel="icon" href="/web/icon.svg" type="image/svg+xml" />
    <meta name="files" content="/web/" />
    <link rel="stylesheet" href="/web/style/base.css" />
    <link rel="stylesheet" href="/web/games/halma/style.css" />
    <script type="module" src="/web/main.js"></script>
  </head>
  <body><main id="page" tabindex="-1"></main><br /></body>
</html>
"""


def write_page(web: Path) -> Path:
    """Put it into a folder."""
    for name, text in {"index.html": INDEX, **FILES}.items():
        (web / name).parent.mkdir(parents=True, exist_ok=True)
        (web / name).write_text(text, encoding="utf-8")
    return web
