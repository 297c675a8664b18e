"""Which worker of pytest imports which modules of tests first, and so compiles them for all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.asked_for import is_asked_for


def modules_of(config: pytest.Config) -> list[str]:
    """The dotted names of the modules that are collected where none are named, sorted.

    Neighbours import the same modules of ours.
    """
    apart = [Path(name) for name in config.getini("norecursedirs")]
    paths = [
        path.relative_to(config.rootpath)
        for folder in config.getini("testpaths")
        for path in (config.rootpath / folder).rglob("test_*.py")
    ]
    return sorted(
        ".".join(path.with_suffix("").parts)
        for path in paths
        if is_asked_for(config.rootpath / path, config.option.markexpr)
        and not any(_is_of(folder, each) for folder in path.parents for each in apart)
    )


def _is_of(folder: Path, apart: Path) -> bool:
    """As pytest compares them: what has no slash is the name of a folder, wherever it is."""
    return folder == apart if len(apart.parts) > 1 else folder.match(str(apart))


def share(modules: Sequence[str], number: int, workers: int) -> Sequence[str]:
    """The part of one of so many workers, who are numbered from 0."""
    return modules[len(modules) * number // workers : len(modules) * (number + 1) // workers]
