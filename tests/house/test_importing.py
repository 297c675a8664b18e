"""What workers import first is what they collect, under the names that pytest gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import importing


def test_modules_have_the_names_under_which_they_are_collected(
    request: pytest.FixtureRequest,
) -> None:
    """Under another name a module would be imported twice."""
    modules = importing.modules_of(request.config)
    assert __name__ in modules
    collected = {item.path for item in request.session.items if item.path.parent.name == "house"}
    root = request.config.rootpath
    names = {".".join(path.relative_to(root).with_suffix("").parts) for path in collected}
    assert __name__ in names
    assert names <= set(modules)
    assert len(set(modules)) == len(modules)


def test_what_has_a_command_of_its_own_is_left_out(request: pytest.FixtureRequest) -> None:
    modules = importing.modules_of(request.config)
    found = {Path(*name.split(".")[:2]).as_posix() for name in modules}
    assert found.isdisjoint({"tests/e2e", "tests/contract", "tests/page", "tests/faults"})
    assert found >= {"tests/house", "tests/games", "tests/service", "tests/simulator"}


@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_each_module_is_in_one_share(workers: int) -> None:
    modules = [f"m{n}" for n in range(5)]
    shares = [importing.share(modules, number, workers) for number in range(workers)]
    assert [name for part in shares for name in part] == modules
