"""The files that the house rules look at."""

import ast
import shutil
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_NEVER = frozenset({".git", ".venv", "__pycache__", "build", "dist", "var"})


def tracked(root: Path = ROOT) -> list[str]:
    """Every file that is or would be committed, sorted; without git, all but the made ones."""
    return list(_ours()) if root == ROOT else _tracked(root)


@cache
def _ours() -> list[str]:
    """Those of our tree, which no test changes."""
    return _tracked(ROOT)


def _tracked(root: Path) -> list[str]:
    git = shutil.which("git")
    if git is not None and (root / ".git").exists():
        listing = subprocess.run(
            [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root,
            capture_output=True,
            check=False,
        )
        if listing.returncode == 0:
            names = {name for name in listing.stdout.decode().split("\0") if name}
            return sorted(name for name in names if (root / name).is_file())
    return walked(root)


def walked(root: Path) -> list[str]:
    """Every file under a folder, sorted, leaving out hidden caches and what is made."""
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file()
        and not any(
            part in _NEVER or part.endswith("_cache") for part in path.relative_to(root).parts
        )
    )


def games(names: list[str]) -> list[str]:
    """The folders of games among those files, of games too that no table plays yet, sorted."""
    parts = (name.split("/") for name in names)
    return sorted({part[1] for part in parts if part[0] == "games" and "model" in part[2:-1]})


def read(name: str, root: Path = ROOT) -> str | None:
    """A file's text; None if it is no text."""
    try:
        return (root / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def nodes(module: ast.Module) -> list[ast.AST]:
    """All nodes of a module's tree, in the order of ``ast.walk`` and in half of its time."""
    found: list[ast.AST] = [module]
    for node in found:  # which grows meanwhile
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                found.append(part)
            elif isinstance(part, list):
                found += [each for each in part if isinstance(each, ast.AST)]
    return found
