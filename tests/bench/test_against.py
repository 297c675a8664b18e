"""Holding the rules' pace against another commit."""

from __future__ import annotations

import pytest

from bench import __main__ as bench
from bench import against
from bench.measure import Effort


def test_a_commit_that_is_not_there_is_told() -> None:
    with pytest.raises(against.AgainstError, match="no-such-commit"):
        against.run(Effort(quick=True), "no-such-commit")


@pytest.mark.parametrize("arguments", [["--against", "HEAD"], ["memory", "--against", "HEAD"]])
def test_only_the_rules_are_held_against_a_commit(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        bench.main(arguments)
    assert "--against goes with play alone" in capsys.readouterr().err
