"""``make fuzz``: its two parts, and the one that throws requests at a live service."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ops import fuzz, fuzz_api, fuzz_games


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["--seconds", "5", "--games", "9"], ["--seconds 5", "--games 9"]),
        (["--seconds", "0", "--games", "9"], ["--games 9"]),
        (["--seconds", "5", "--games", "0"], ["--seconds 5"]),
    ],
    ids=["both", "games", "requests"],
)
def test_each_part_is_run_as_wished(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], wanted: list[str]
) -> None:
    said: list[str] = []

    def part(given: Sequence[str] | None) -> int:
        said.append(" ".join(given or ()))
        return len(said) - 1

    monkeypatch.setattr(fuzz_api, "main", part)
    monkeypatch.setattr(fuzz_games, "main", part)
    assert fuzz.main(arguments) == len(wanted) - 1
    assert said == wanted


@pytest.mark.slow
def test_a_second_of_requests_finds_nothing() -> None:
    assert fuzz_api.main(["--seconds", "1"]) == 0
