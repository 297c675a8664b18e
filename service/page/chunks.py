"""The modules of a page in few files, chunks, as bundlers call them (pure).

A table's page is 150 modules. A request for each costs a browser more than the modules do, however
near they are. So those that are always loaded together are one file: whoever loads one of them
needs all of them. Small ones that several places of the page share come with its start, whoever
needs them; but for these nothing is loaded that is not needed.

In its chunk a module is a function that gives what the module exports, called once, after those of
all that it imports; ``$net_api`` is what ``net/api.js`` exports. But for imports and exports it
stands there as it was written. What modules may say is read by form (``service.page.modules``);
they may neither import each other in a circle, nor export what changes, nor wait at the top: a
function gives values, at once.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Final, NamedTuple

from service.page.modules import LATER, Modules, UnreadableModuleError, target

FOLDER: Final = "chunks/"
"""Below it each chunk has the path of the module that it is named after."""

SMALL: Final = 6500
"""Characters of which what several places share has less, if it comes with the start: a request
costs a browser more than so many do."""

GAME: Final = re.compile(r"games/[^/]+/")
"""The folder of a game."""

_FROM: Final = r"""\s*from\s*"([^"\n]*)"\s*;"""
_NAMES: Final = r"\{([^}]*)\}"
_NAMED: Final = re.compile(rf"^import\s*{_NAMES}{_FROM}", re.MULTILINE)
_WHOLE: Final = re.compile(rf"^import\s*\*\s*as\s+([\w$]+){_FROM}", re.MULTILINE)
_UNNAMED: Final = re.compile(r"""^import\s*"([^"\n]*)"\s*;""", re.MULTILINE)
_PASSED_ON: Final = re.compile(rf"^export\s*{_NAMES}{_FROM}", re.MULTILINE)
_ALL_PASSED_ON: Final = re.compile(rf"^export\s*\*(?:\s*as\s+([\w$]+))?{_FROM}", re.MULTILINE)
_LISTED: Final = re.compile(rf"^export\s*{_NAMES}\s*;", re.MULTILINE)
_DECLARED: Final = re.compile(
    r"^export\s+((?:async\s+)?function(?:\s*\*\s*|\s+)|class\s+|const\s+)([\w$]+)(?=[\s(={])",
    re.MULTILINE,
)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class Chunks:
    """The chunks of a page.

    Args:
        modules: those of the page.
        start: the one that its document starts.
        small: what several places share, of fewer characters, comes with the start.

    Raises:
        UnreadableModuleError: a module says something in a form that is not known, imports what is
            not there, or is imported by what it imports.
    """

    def __init__(self, modules: Modules, start: str, small: int = SMALL) -> None:
        members = _grouped(modules, start, small)
        self.files: Final[dict[str, str]] = {
            module: name for name, group in members.items() for module in group
        }
        """The file that a module is in, by the module's path; without those nobody imports."""
        _require_names(self.files)
        _require_order(self.files, modules)
        exports: dict[str, set[str]] = {}
        written: dict[str, list[_Written]] = {name: [] for name in members}
        for module in _sorted_modules(modules, start):
            one = _Writer(module, self.files, exports).write(modules.text(module))
            written[self.files[module]].append(one)
        self.texts: Final[dict[str, str]] = {
            name: _chunk(name, group, self.files) for name, group in written.items()
        }
        """The chunks by their files."""


def _grouped(modules: Modules, start: str, small: int) -> dict[str, list[str]]:
    """The modules of each chunk, by its file.

    A module is asked for by *entries*: the start, and modules that others load later. In one chunk
    are those for which the same entries ask first, where nobody can have loaded them before.
    """
    entries = [start, *modules.late(start)]
    graphs = {entry: set(modules.graph(entry)) for entry in entries}
    before = _loaded_before(modules, graphs, start)
    groups: dict[frozenset[str], list[str]] = {}
    for module in sorted(set().union(*graphs.values())):
        asking = frozenset(
            entry for entry in entries if module in graphs[entry] and module not in before[entry]
        )
        groups.setdefault(asking, []).append(module)
    first = groups[frozenset({start})]
    for asking in _shared(modules, groups, first, small):
        first += groups.pop(asking)
    return {
        FOLDER + next((each for each in group if each in asking), group[0]): group
        for asking, group in groups.items()
    }


def _shared(
    modules: Modules,
    groups: Mapping[frozenset[str], list[str]],
    first: Iterable[str],
    small: int,
) -> list[frozenset[str]]:
    """The groups that come with the ``first`` one: they are small, and import nothing else.

    What belongs to a game stays apart, since a table of another game would load it.
    """
    found = {
        asking
        for asking, group in groups.items()
        if len(asking) > 1
        and sum(len(modules.text(module)) for module in group) < small
        and not any(GAME.match(module) for module in group)
    }
    while True:  # until nothing has to be left apart any more
        with_start = {*first, *(module for asking in found for module in groups[asking])}
        apart = {
            asking
            for asking in found
            if not all(with_start.issuperset(modules.imports(each).now) for each in groups[asking])
        }
        if not apart:
            return [asking for asking in groups if asking in found]
        found -= apart


def _loaded_before(
    modules: Modules, graphs: Mapping[str, set[str]], start: str
) -> dict[str, set[str]]:
    """What has been loaded, whichever way led there, when an entry is asked for."""
    loaders: dict[str, set[str]] = {entry: set() for entry in graphs}
    for entry, graph in graphs.items():
        for later in {later for module in graph for later in modules.imports(module).later}:
            loaders[later].add(entry)
    found = {entry: set().union(*graphs.values()) for entry in graphs}
    found[start] = set()
    changed = True
    while changed:  # until nothing has to be taken away any more
        changed = False
        for entry in graphs.keys() - {start}:
            left = set.intersection(*(graphs[by] | found[by] for by in loaders[entry]))
            changed |= left != found[entry]
            found[entry] = left
    return found


def _sorted_modules(modules: Modules, start: str) -> list[str]:
    """All modules, each behind all that it imports.

    Raises:
        UnreadableModuleError: there is no such order.
    """
    graph = {path: modules.imports(path).now for path in sorted(modules.reachable(start))}
    return _in_order(graph)


def _require_order(files: Mapping[str, str], modules: Modules) -> None:
    """Chunks import no chunk that imports them, or one would be called before the other is there.

    Raises:
        UnreadableModuleError: they do.
    """
    graph: dict[str, set[str]] = {}
    for module, file in files.items():
        others = {files[each] for each in modules.imports(module).now} - {file}
        graph.setdefault(file, set()).update(others)
    _in_order(graph)


def _require_names(modules: Iterable[str]) -> None:
    """No two modules have one name in chunks.

    Raises:
        UnreadableModuleError: two have.
    """
    named: dict[str, str] = {}
    for module in modules:
        other = named.setdefault(_name(module), module)
        if other != module:
            raise UnreadableModuleError(f"{module} and {other} are both {_name(module)} in chunks")


def _in_order(graph: Mapping[str, Iterable[str]]) -> list[str]:
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle = " imports ".join(reversed(error.args[1]))
        raise UnreadableModuleError(f"a circle of imports: {circle}") from error


class _Written(NamedTuple):
    """A module as its chunk has it, and the paths of the modules that it imports."""

    module: str
    text: str
    imported: Iterable[str]


class _Writer:
    """Writes one module as a function.

    Args:
        module: its path.
        files: the file of each module.
        exports: the names that each module exports which was written before; this one's come to it.
    """

    def __init__(self, module: str, files: Mapping[str, str], exports: dict[str, set[str]]) -> None:
        self._module = module
        self._files = files
        self._exports = exports
        self._given: dict[str, str] = {}
        self._passed_on: list[str] = []
        self._imported: dict[str, None] = {}

    def write(self, text: str) -> _Written:
        """The module as the function that it is in its chunk.

        Raises:
            UnreadableModuleError: it says something in another form.
        """
        for form, rewritten in (
            (_PASSED_ON, self._pass_on),
            (_ALL_PASSED_ON, self._pass_all_on),
            (_LISTED, self._list),
            (_NAMED, self._import_names),
            (_WHOLE, self._import_whole),
            (_UNNAMED, self._import_nothing),
            (_DECLARED, self._declare),
            (LATER, self._load_later),
        ):
            text = form.sub(rewritten, text)
        if left := _LEFT.search(text):
            raise UnreadableModuleError(f"{self._module} contains {left[0]!r}, not known in chunks")
        passed_on = [f"...{_name(path)}" for path in self._passed_on]
        self._exports[self._module] = set(self._given).union(
            *(self._exports[path] for path in self._passed_on)
        )
        function = (
            f"// {self._module}\nconst {_name(self._module)} = (() => {{\n"
            f"{text}\nreturn {{ {', '.join([*passed_on, *self._given.values()])} }};\n}})();\n"
        )
        return _Written(self._module, function, self._imported)

    def _imports(self, specifier: str, names: Iterable[str] = ()) -> str:
        """The name of a module that is imported, which has to export some names."""
        path = target(self._module, specifier)
        lacking = set(names) - self._exports[path]
        if lacking:
            raise UnreadableModuleError(
                f"{self._module} imports {min(lacking)}, which {path} does not export"
            )
        self._imported[path] = None
        return _name(path)

    def _import_names(self, match: re.Match[str]) -> str:
        pairs = _pairs(match[1])
        whole = self._imports(match[2], (name for name, _ in pairs))
        inner = ", ".join(name if name == own else f"{name}: {own}" for name, own in pairs)
        return f"const {{ {inner} }} = {whole};"

    def _import_whole(self, match: re.Match[str]) -> str:
        return f"const {match[1]} = {self._imports(match[2])};"

    def _import_nothing(self, match: re.Match[str]) -> str:
        self._imports(match[1])
        return ""

    def _pass_on(self, match: re.Match[str]) -> str:
        pairs = _pairs(match[1])
        whole = self._imports(match[2], (name for name, _ in pairs))
        self._given |= {other: f"{other}: {whole}.{name}" for name, other in pairs}
        return ""

    def _pass_all_on(self, match: re.Match[str]) -> str:
        whole = self._imports(match[2])
        if match[1] is None:
            self._passed_on.append(target(self._module, match[2]))
        else:
            self._given[match[1]] = f"{match[1]}: {whole}"
        return ""

    def _list(self, match: re.Match[str]) -> str:
        for own, other in _pairs(match[1]):
            self._given[other] = own if own == other else f"{other}: {own}"
        return ""

    def _declare(self, match: re.Match[str]) -> str:
        self._given[match[2]] = match[2]
        return f"{match[1]}{match[2]}"

    def _load_later(self, match: re.Match[str]) -> str:
        path = target(self._module, match[1])
        here = self._files[self._module]
        file = _relative(self._files[path], here)
        return f'() => import("{file}").then((chunk) => chunk.{_name(path)})'


def _chunk(file: str, written: Iterable[_Written], files: Mapping[str, str]) -> str:
    """A chunk: what it takes of others, its modules, and these for others."""
    taken: dict[str, set[str]] = {}
    for module in (each for one in written for each in one.imported):
        if files[module] != file:
            taken.setdefault(files[module], set()).add(_name(module))
    return "".join(
        [
            *(
                f'import {{ {", ".join(sorted(names))} }} from "{_relative(other, file)}";\n'
                for other, names in sorted(taken.items())
            ),
            *(one.text for one in written),
            f"export {{ {', '.join(_name(one.module) for one in written)} }};\n",
        ]
    )


def _pairs(names: str) -> list[tuple[str, str]]:
    """``a, b as c`` as pairs: what it is called there, and here."""
    found = []
    for each in filter(None, (each.strip() for each in names.split(","))):
        name, _, other = each.partition(" as ")
        found.append((name.strip(), (other or name).strip()))
    return found


def _name(module: str) -> str:
    """What a module is called in chunks: no module declares a name like that."""
    return "$" + re.sub(r"\W", "_", module.removesuffix(".js"))


def _relative(file: str, other: str) -> str:
    """A file as another one says it in an import."""
    path = posixpath.relpath(file, posixpath.dirname(other))
    return path if path.startswith(".") else f"./{path}"
